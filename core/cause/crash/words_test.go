package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/report"
)

// Every explained code of __fastfail has a name, too, and the sentence keeps the name, because
// people search for it.
func TestFastFailSentence(t *testing.T) {
	for _, n := range codes()[fastFailNotes] {
		if name := fastFails.of(n.code); name == "" || !strings.Contains(fastFailSentence(n.code), n.text) || !strings.HasSuffix(fastFailSentence(n.code), "("+name+").") {
			t.Errorf("%d: %s", n.code, fastFailSentence(n.code))
		}
	}
	for code, want := range map[uint32]string{
		3:     "The program ended itself: a doubly linked list is inconsistent: an entry was removed twice or overwritten (FAST_FAIL_CORRUPT_LIST_ENTRY).",
		26:    "The program ended itself for FAST_FAIL_UNSAFE_EXTENSION_CALL.",
		0x777: "The program ended itself for 0x00000777.",
	} {
		if got := fastFailSentence(code); got != want {
			t.Errorf("%d:\n got %s\nwant %s", code, got, want)
		}
	}
}

// Verdicts on crashes whose first impression misleads.
func TestVerdictAgainstFirstLooks(t *testing.T) {
	tests := []struct {
		name, want string
		s          *scene
	}{
		{
			// glibc's unwinder, which reports the error, crashes on the letters that overwrote the
			// stack.
			"smashed stack", "Stack buffer overrun in copy",
			crashAt(t, "80 39 48").reg(cpu.RCX, 0x6172_7473_2074_6f6e).raise("linux", sigSEGV, siKernel).
				stack("!_Unwind_Backtrace", "!backtrace", "!__fortify_fail", "!__stack_chk_fail", "copy", "main"),
		},
		{
			// A destructor crashes while an uncaught exception ends the program: the crash is the
			// cause.
			"fault under std::terminate", "Null pointer write in ~Cache",
			crashAt(t, movStore).reg(cpu.RAX, 0).stack("~Cache", "!std::terminate", "main"),
		},
		{
			// Without symbols for libc the function of the system call has
			// the name of the public symbol before it.
			"abort below a wrong name", "abort() called in work",
			func() *scene {
				s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("pthread_key_delete", "!raise", "!abort", "work", "main")
				s.Frames[0].Module, s.Frames[0].ModuleIndex = new("libc.so.6"), new(1)
				return s
			}(),
		},
		{
			// The function of the standard library is compiled into the program.
			"inlined library", "Null pointer write in Cache::put",
			func() *scene {
				s := crashAt(t, movStore).reg(cpu.RAX, 0).stack("std::vector<int>::push_back", "Cache::put", "main")
				s.Frames[0].Inline = &report.Inline{Function: s.Frames[0].Function, File: s.Frames[0].File, Line: s.Frames[0].Line}
				return s
			}(),
		},
		{
			// Library code in the program: its caller passed the null pointer.
			"library that is a function of its own", "Null pointer write in Cache::put",
			crashAt(t, movStore).reg(cpu.RAX, 0).stack("std::vector<int>::push_back", "Cache::put", "main"),
		},
		{
			"Windows without a list of regions", "Write to inaccessible address 0x900000000 in middle",
			func() *scene {
				s := crashAt(t, movStore).reg(cpu.RAX, 0x9_0000_0000).windows(1, 0x9_0000_0000)
				s.Regions = nil
				return s
			}(),
		},
	}
	for _, tt := range tests {
		v := Verdict(tt.s.Input, Analyze(tt.s.Input))
		if got := v.What + " in " + v.Where; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Evidence explains surprising raw numbers.
func TestEvidenceExplainsNumbers(t *testing.T) {
	noRegions := crashAt(t, movStore).reg(cpu.RAX, 0x9_0000_0000).windows(1, 0x9_0000_0000)
	noRegions.Regions = nil
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"address that the CPU does not tell", "The system reports 0xffffffffffffffff instead: the CPU does not tell it a non-canonical address.",
			crashAt(t, movStore).reg(cpu.RAX, 0xfefe_fefe_fefe_fefe).windows(0, ^uint64(0))},
		{"stack in use", "The thread used up its stack: 124 KiB of it are in use, down to 0x7ffd00001000.",
			crashAt(t, push).raise("windows", stackOverflow, 0)},
		{"stack that is not in the dump", "The thread used up its stack.",
			crashAt(t, push).reg(cpu.RSP, 0x10).raise("windows", stackOverflow, 0)},
		{"call of null", "The next frame is `main` of app.",
			crashAt(t, "").reg(cpu.RIP, 0).fault(0).stack("", "main")},
		{"no regions", "The dump has no list of mappings, so it is not known whether the memory was free or protected.", noRegions},
		{"code that can be read", "The memory from 0x400000 to 0x40ffff, in app, can be read and executed, but not written to.",
			crashAt(t, movStore).reg(cpu.RAX, appBase+8).fault(appBase + 8)},
	}
	for _, tt := range tests {
		found := false
		for _, f := range Analyze(tt.s.Input).Findings {
			found = found || strings.Contains(strings.Join(f.Evidence, "\n"), tt.want)
		}
		if !found {
			t.Errorf("%s: no evidence says %q: %+v", tt.name, tt.want, Analyze(tt.s.Input).Findings)
		}
	}
}

// A crash without facts is reported as unknown, without invented details.
func TestUnknownCrash(t *testing.T) {
	s := crashAt(t, "")
	s.Exception = &Exception{Unknown: true}
	v := Verdict(s.Input, Analyze(s.Input))
	if !v.Crashed || v.What != "Crash of an unknown kind" || v.Detail != "The dump has neither the signal nor the address of the crash." {
		t.Errorf("%+v", v)
	}
}

// No frame is blamed for a dump without an exception.
func TestNobodyIsBlamedWithoutAnException(t *testing.T) {
	s := crashAt(t, "").stack("!poll", "loop", "main")
	s.Exception = nil
	v := Verdict(s.Input, Analyze(s.Input))
	if v.Crashed || v.Where != "" || len(v.Badges) != 0 {
		t.Errorf("%+v", v)
	}
}
