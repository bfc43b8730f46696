package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// MOZ_CRASH writes a positive constant, its line, to the constant address 0, in one of Mozilla's
// modules. Source: mfbt/Assertions.h, MOZ_CrashSequence.
func TestMozCrash(t *testing.T) {
	const moz = "c7 04 25 00 00 00 00 24 00 00 00" // mov dword [0], 36
	xul := func(code string) *scene {
		s := crashAt(t, code).reg(cpu.RAX, 0).reg(cpu.RCX, 0).fault(0)
		s.Frames[0].Module = new("XUL.dll")
		return s
	}
	tests := []struct {
		name string
		want bool
		s    *scene
	}{
		{name: "mov dword [0], 36", want: true, s: xul(moz)},
		{name: "another module", s: xul(moz).with(func(in *Input) { in.Frames[0].Module = new("app") })},
		{name: "no frames", s: xul(moz).stack()},
		{name: "to address 4", s: xul("c7 04 25 04 00 00 00 24 00 00 00").fault(4)},
		{name: "by a register that is 0", s: xul("c7 00 24 00 00 00")},
		{name: "by an index that is 0", s: xul("c7 04 0d 00 00 00 00 24 00 00 00")},
		{name: "in a segment", s: xul("65 c7 04 25 00 00 00 00 24 00 00 00")},
		{name: "line 0", s: xul("c7 04 25 00 00 00 00 00 00 00 00")},
		{name: "a negative number", s: xul("c7 04 25 00 00 00 00 ff ff ff ff")},
		{name: "a register, which no line is in", s: xul("89 0c 25 00 00 00 00")},
		{name: "an addition", s: xul("83 04 25 00 00 00 00 24")},
		{name: "a read of a constant address", s: xul("8b 04 25 00 00 00 00")},
		{name: "a constant into a register", s: xul("b8 24 00 00 00")},
		{name: "no code", s: xul("")},
		{name: "the signal was sent", s: xul(moz).raise("linux", sigSEGV, siTkill)},
	}
	for _, tt := range tests {
		if got := strings.Contains(found(t, tt.s), string(Deliberate)); got != tt.want {
			t.Errorf("%s: %s", tt.name, found(t, tt.s))
		}
	}
	s := xul(moz).with(func(in *Input) { in.Assertion = "Shutdown hanging" })
	if e := Analyze(s.Input).Findings[0].Evidence; e[0] != "Shutdown hanging" || !strings.HasSuffix(e[1], "writes a constant to address 0: most likely MOZ_CRASH or a release assertion, at line 36 of its file.") {
		t.Errorf("evidence: %q", e)
	}
}

// On Windows a breakpoint is how Mozilla's programs end themselves.
func TestMozillaBreakpoint(t *testing.T) {
	const sentence = "Mozilla's programs execute one for MOZ_CRASH and release assertions."
	at := func(os process.OS, code, flags uint32, module string) *scene {
		s := crashAt(t, "cc").raise(os, code, flags)
		s.Frames[0].Module = new(module)
		return s
	}
	for name, tt := range map[string]struct {
		s    *scene
		want bool
	}{
		"Windows":                 {s: at("windows", breakpoint, 0, "xul.dll"), want: true},
		"another module":          {s: at("windows", breakpoint, 0, "app.exe")},
		"another system":          {s: at("linux", sigTRAP, 1, "libxul.so")},
		"another exception of it": {s: at("windows", 0x1234_5678, 0, "xul.dll")},
	} {
		if got := strings.Contains(strings.Join(Analyze(tt.s.Input).Findings[0].Evidence, " "), sentence); got != tt.want {
			t.Errorf("%s: %q", name, Analyze(tt.s.Input).Findings[0].Evidence)
		}
	}
}

// An annotation names the cause if no access failed; MozCrashReason also counts with a write to
// address 0, which is how Mozilla's programs end themselves.
func TestAttachments(t *testing.T) {
	with := func(s *scene, name, value string) *scene {
		s.Annotations = append(s.Annotations, Annotation{"ver", "1"}, Annotation{name, value})
		return s
	}
	trap := func() *scene { return crashAt(t, "0f 0b").raise("linux", sigILL, 2) }
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"at a trap", "out_of_memory! 0.90", with(trap(), "oom-size", "4096")},
		{"without a value", "trap! 1.00", with(trap(), "oom-size", "")},
		{"another annotation", "trap! 1.00", with(trap(), "channel", "beta")},
		{"with a bad access", "unmapped! 1.00", with(load(t, 0x9000_0000), "oom-size", "4096")},
		{"MozCrashReason with a bad access", "unmapped! 1.00", with(load(t, 0x9000_0000), "MozCrashReason", "x")},
		{"MozCrashReason with a write to 0", "assertion! 0.90", with(store(t, 0), "MozCrashReason", "x")},
		{"another one with a write to 0", "null_pointer! 1.00", with(store(t, 0), "oom-size", "4096")},
		{"MozCrashReason with an address that is not known", "non_canonical! 0.90", with(crashAt(t, movStore).gpf(), "MozCrashReason", "x")},
		{"a signal that was sent", "signal_from_outside! 1.00", with(trap().raise("linux", sigILL, siTkill), "oom-size", "4096")},
		{"of two the first in the list counts", "out_of_memory! 0.90", with(with(trap(), "MozCrashReason", "x"), "oom-size", "4096")},
	}
	for _, tt := range tests {
		if got, _, _ := strings.Cut(found(t, tt.s), ","); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	for want, s := range map[string]*scene{
		"The program attached oom-size: 4096. The exception is SIGILL / ILL_ILLOPN.":                                       with(trap(), "oom-size", "4096"),
		"The program attached MozCrashReason: unreachable. `mov dword [rax], 0x5` writes 4 bytes at 0x0; rax is 0x0.":      with(store(t, 0), "MozCrashReason", "unreachable"),
		"The program attached electron.v8-fatal.message: Check failed: x! The exception is EXCEPTION_ILLEGAL_INSTRUCTION.": with(crashAt(t, "0f 0b").raise("windows", illegalInstruction, 0), "electron.v8-fatal.message", "Check failed: x!"),
	} {
		if got := strings.Join(Analyze(s.Input).Findings[0].Evidence, " "); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}

// The code of __fastfail names the check, unless a function on the stack says the same, or why.
func TestFastFails(t *testing.T) {
	at := func(params ...uint64) *scene {
		return crashAt(t, "cd 29").raise("windows", stackBufferOverrun, 0, params...)
	}
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"a stack cookie", "stack_buffer_overrun! 1.00", at(2)},
		{"before Windows 8: no parameter", "stack_buffer_overrun! 1.00", at()},
		{"the program ended itself", "abort! 1.00", at(7)},
		{"a code of its own", "fail_fast! 1.00", at(43)},
		{"a code that does not exist", "fail_fast! 1.00", at(15)},
		{"the function on the stack says the same", "stack_buffer_overrun! 1.00, first_own_frame 1.00", at(2).stack("!__report_gsfailure", "f")},
		{"it says why the program ended itself", "exception! 1.00, first_own_frame 1.00", at(7).stack("!abort", "!terminate", "f")},
		{"it says something else: both count", "exception! 1.00, heap_corruption 1.00, first_own_frame 1.00", at(50).stack("!abort", "!terminate", "f")},
	}
	for _, tt := range tests {
		if got := found(t, tt.s); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	s := at(5).with(func(in *Input) { in.Assertion = "the argument was -1" })
	if e := Analyze(s.Input).Findings[0].Evidence; e[len(e)-1] != "the argument was -1" {
		t.Errorf("the message is missing: %q", e)
	}
}

// The page of a file that could not be read, with the status of the read.
func TestInPageErrors(t *testing.T) {
	at := func(params ...uint64) *scene {
		return crashAt(t, movLoad).reg(cpu.RBX, heapBase).raise("windows", inPageError, 0, params...)
	}
	for want, s := range map[string]*scene{
		"It was to be read at 0x600010; the status is STATUS_DEVICE_DATA_ERROR.": at(0, heapBase+0x10, 0xc000_009c),
		"It was to be read at 0x600010; the status is 0x01234567.":               at(0, heapBase+0x10, 0x0123_4567),
		"": at(0, heapBase+0x10),
	} {
		got := strings.Join(Analyze(s.Input).Findings[0].Evidence, " ")
		if want == "" && strings.Contains(got, "to be read") || !strings.Contains(got, want) {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}
