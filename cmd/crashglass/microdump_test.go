package main

import (
	"fmt"
	"strings"
	"testing"

	testdump "crashglass/core/testkit/dump"
)

// smallMicrodump is an arm process that crashed in its program's crash(), in a
// log with other lines, far from its beginning.
func smallMicrodump(t *testing.T, product, address string) []byte {
	context := testdump.New().Context(t, testdump.ARM, map[string]uint64{"pc": 0x8110, "sp": 0xbe00_0000, "lr": 0x8210})
	const tag = "08-17 19:45:06.579 F/google-breakpad(  123): "
	lines := []string{
		"-----BEGIN BREAKPAD MICRODUMP-----", "V " + product, "O A arm 08 armv8l device:7", "R 0000000B SIGSEGV " + address, "G 1|2|3",
		"S 0 BE000000 BE000000 00000004", "S BE000000 00000000", fmt.Sprintf("C %X", context),
		"M 00008000 00000000 00001000 " + debugID + " app", "-----END BREAKPAD MICRODUMP-----",
	}
	return []byte(strings.Repeat("I/other( 9): words\n", 10_000) + tag + strings.Join(lines, "\n"+tag) + "\n")
}

func TestWalkMicrodumps(t *testing.T) {
	dir := t.TempDir()
	log := file(t, dir, "log.txt", append(smallMicrodump(t, "App:1", "00000010"), smallMicrodump(t, "App:2", "00000020")...))
	syms := file(t, dir, "app.sym", []byte(smallSym))

	out, errs, status := crashglass("walk", "-format", "machine", "-symbols", syms, log)
	report := "OS|Android|device:7\nCPU|arm||8\nGPU|1|2|3\nCrash|SIGSEGV|%s|0\n" +
		"Module|app||app|" + debugID + "|0x00008000|0x00008fff|0\n\n0|0|app|crash()|/src/app.cc|12|0x10\n"
	// This test does not compare the frames after lr.
	var got []string
	for _, part := range strings.SplitAfter(out, "/src/app.cc|12|0x10\n") {
		if i := strings.Index(part, "OS|"); i >= 0 {
			got = append(got, part[i:])
		}
	}
	want := []string{fmt.Sprintf(report, "0x10"), fmt.Sprintf(report, "0x20")}
	if status != exitOK || errs != "" || strings.Join(got, "---\n") != strings.Join(want, "---\n") {
		t.Errorf("status %d, errors %q\nhave %s\nwant %s", status, errs, strings.Join(got, "---\n"), strings.Join(want, "---\n"))
	}

	out, errs, status = crashglass("dump", log)
	if status != exitOK || errs != "" || strings.Count(out, "Microdump\n") != 2 || !strings.Contains(out, `Product = "App:2"`) {
		t.Errorf("dump: status %d, errors %q, output %s", status, errs, out)
	}
}
