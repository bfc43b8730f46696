package render

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/report"
)

// The short form has one line for each group of threads with one stack: what they do, in which function of the program,
// and what they wait for.
func TestBriefThreads(t *testing.T) {
	frame := func(name string, offset uint64, system bool) report.Frame {
		return report.Frame{Function: &name, Module: ptr("m"), Offset: report.Hex(offset), System: system, FoundBy: report.ByCFI, Registers: regs("rax", 1)}
	}
	idle := report.Thread{Frames: []report.Frame{frame("futex_wait", 1, true), frame("pthread_join", 2, true), frame("pool::run", 3, false), frame("main", 4, false)}}
	locked := report.Thread{Name: ptr("w\x1b"), Frames: []report.Frame{frame("lock", 5, false)}, Waits: &report.Wait{Kind: "mutex", Object: addr(0x5000)}}
	r := &report.Report{Threads: []report.Thread{idle, {Crashed: true, Frames: []report.Frame{frame("crash", 6, false)}}, idle, locked, {Writer: true, End: report.End{Kind: report.WroteDump}}, idle, {}}}
	r.CrashInfo.CrashingThread = ptr(1)
	out := formed(t, Text, r, Options{Brief: true})
	lacks(t, out, "\nThread 1 (crashed) - tid: 0\n 0  m!crash\n", "\nOther threads:\n",
		"  Thread 0 and 2 more with the same stack: futex_wait, called from pool::run\n",
		"  Thread 3 w\\x1b: lock, waits for a mutex at 0x5000\n", "  Thread 6: no frames\n")
	for _, not := range []string{"rax", "Found by", "Thread 4", "Loaded modules"} {
		if strings.Contains(out, not) {
			t.Errorf("%q is in\n%s", not, out)
		}
	}
}

// Threads and missing symbols are counted beyond a limit.
func TestBriefLimits(t *testing.T) {
	r := &report.Report{}
	for i := range briefGroups + 2 {
		r.Threads = append(r.Threads, report.Thread{Frames: []report.Frame{{Offset: report.Hex(uint64(i))}}})
	}
	for i := range briefFiles + 3 {
		r.WantedSymbols = append(r.WantedSymbols, report.Wanted{DebugFile: fmt.Sprint("f", i), Frames: 1})
	}
	lacks(t, formed(t, Text, r, Options{Brief: true}), "  Thread 19: 0x13\n  and 2 more groups\n", "f7    (1 frame)\nand 3 more\nTo download them, run crashglass fetch with this dump.\n")
}
