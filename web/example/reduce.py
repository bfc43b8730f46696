#!/usr/bin/env python3
"""Keeps of a library's .sym what the frames of a dump need: reduce.py REPORT.json LIBRARY CFI.sym [DEBUG.sym] >OUT.sym

REPORT.json is a report with all symbols, LIBRARY the file itself, CFI.sym what dump_syms makes of it, and DEBUG.sym what
it makes of the library's separate debug file. Without the last, functions come from the dynamic symbols that have a size.
"""
import json
import re
import subprocess
import sys


def addresses(report, name):
    threads = report["threads"]
    frames = [frame for thread in threads for frame in thread["frames"] if frame["module"] == name]
    return sorted({int(frame["module_offset"], 16) for frame in frames})


def covers(start, size, wanted):
    return any(start <= address < start + size for address in wanted)


def functions(lines, wanted):
    """The FUNC records that are wanted, with what belongs to them."""
    keep = False
    for line in lines:
        if line.startswith(("FUNC ", "PUBLIC ", "STACK ")):
            field = line.removeprefix("FUNC ").removeprefix("m ").split(" ")
            keep = line.startswith("FUNC ") and covers(int(field[0], 16), int(field[1], 16), wanted)
        if keep:
            yield line


def dynamic(library, wanted):
    nm = subprocess.run(["nm", "-DSC", "--defined-only", library], capture_output=True, text=True, check=True)
    seen = set()
    for start, size, kind, name in (line.split(" ", 3) for line in nm.stdout.splitlines() if line.count(" ") >= 3):
        if kind in "TWti" and start not in seen and covers(int(start, 16), int(size, 16), wanted):
            seen.add(start)
            yield f"FUNC {int(start, 16):x} {int(size, 16):x} 0 {re.sub('@+.*', '', name)}"


def frame_rules(lines, wanted):
    keep = False
    for line in lines:
        field = line.split(" ")
        if line.startswith("STACK CFI INIT"):
            keep = covers(int(field[3], 16), int(field[4], 16), wanted)
        if line.startswith("STACK CFI") and keep:
            yield line


def used(lines, kind, ids):
    return [line for line in lines if line.startswith(kind + " ") and line.split(" ")[1] in ids]


def main(report, library, cfi, *debug):
    with open(report) as file:
        wanted = addresses(json.load(file), library.rpartition("/")[2])
    cfi = open(cfi).read().splitlines()
    head = [line for line in cfi if line.startswith(("MODULE ", "INFO "))]
    if debug:
        lines = open(debug[0]).read().splitlines()
        kept = list(functions(lines, wanted))
    else:
        lines, kept = [], list(dynamic(library, wanted))
    inlines = [line.split(" ") for line in kept if line.startswith("INLINE ")]
    files = {line.split(" ")[3] for line in kept if re.match("[0-9a-f]", line)} | {field[3] for field in inlines}
    head += used(lines, "FILE", files) + used(lines, "INLINE_ORIGIN", {field[4] for field in inlines})
    print("\n".join(head + kept + list(frame_rules(cfi, wanted))))


main(*sys.argv[1:])
