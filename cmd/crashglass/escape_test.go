package main

import (
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
	testdump "crashglass/core/testkit/dump"
)

// evil would clear a screen, set its title and go back to the beginning of a
// line, by ESC and by the control character that means the same.
const evil = "\x1b[2J\x1b]0;owned\a\u009b31m\rX"

// No text of a dump or of symbols moves a terminal's cursor, in any form of
// any command. JSON has escapes of its own.
func TestNoControlCharacters(t *testing.T) {
	b := testdump.New().System(testdump.AMD64, testdump.Linux, evil)
	context := b.Context(t, testdump.AMD64, map[string]uint64{"rip": 0x40_0118, "rsp": 0x7fff_0000})
	b.Thread(testdump.Thread{ID: 7, Name: evil, StackBase: 0x7fff_0000, Stack: asm.At(0x7fff_0000).U64(0x40_0220, 0).Build(t), Context: context})
	b.Module(testdump.Module{Base: 0x40_0000, Size: 0x1000, Name: "/opt/" + evil, CodeView: testdump.BuildID(buildID...)})
	b.Exception(testdump.Exception{Thread: 7, Code: 11, Flags: 1, Address: 0x8, Context: context})
	dir := t.TempDir()
	dmp := file(t, dir, "evil.dmp", b.Build(t))
	sym := file(t, dir, "evil.sym", []byte("MODULE Linux x86_64 "+debugID+" "+strings.ReplaceAll(evil, "\r", "")+"\nFILE 0 /src/\x1b[1mapp.cc\nFUNC 100 40 0 \x1b[2Jcrash()\n100 40 12 0\n"))
	for _, args := range [][]string{
		{"walk"}, {"walk", "--explain"}, {"walk", "--format=machine"}, {"walk", "--format=markdown"}, {"walk", "--format=html"}, {"walk", "--format=json"},
		{"dump"}, {"triage"}, {"triage", "--format=csv"}, {"triage", "--format=markdown"}, {"triage", "--format=json"}, {"triage", "--format=lines"}, {"triage", "--map"},
		{"as", "minidump_stackwalk"}, {"as", "minidump_stackwalk", "-s"}, {"as", "minidump_stackwalk", "-b"}, {"as", "minidump_stackwalk", "-m"},
		{"as", "minidump-stackwalk"}, {"as", "minidump-stackwalk", "--json", "--pretty"}, {"as", "minidump-stackwalk", "--dump"},
	} {
		out, errs, status := crashglass(append(args, dmp, sym)...)
		if status != exitOK || !strings.Contains(out, "owned") && !strings.Contains(out, "crash()") && args[0] != "dump" {
			t.Errorf("%q: status %d, errors %q", args, status, errs)
		}
		for _, r := range out + errs {
			if r < ' ' && r != '\n' && r != '\t' && !(r == '\r' && strings.Contains(strings.Join(args, " "), "csv")) || r == 0x7f || r >= 0x80 && r < 0xa0 {
				t.Errorf("%q writes %q in\n%q", args, r, out)
				break
			}
		}
	}
	if _, errs, _ := crashglass("walk", filepath.Join(dir, evil)); strings.ContainsAny(errs, "\x1b\a\r") {
		t.Errorf("an error is %q", errs)
	}
}
