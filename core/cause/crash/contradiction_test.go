package crash

import (
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
)

// Verdicts agree with the registers, the record and the list of mappings.
func TestNoContradiction(t *testing.T) {
	const indexed, idiv, load = "8b 04 88", "f7 f9", "8b 00" // mov eax, [rax + rcx*4]; idiv ecx; mov eax, [rax]
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"an element of null: the base is wrong, not the index", "Null pointer read. `mov eax, dword [rax + rcx * 4]` reads 4 bytes at 0x40; rax is 0x0. " +
			"The address is 0x40 away from null: most likely a field or an element of an object that is not there.", crashAt(t, indexed).reg(cpu.RAX, 0).reg(cpu.RCX, 0x10).fault(0x40)},
		{"an element in front of null", "Null pointer read. `mov eax, dword [rax + rcx * 4]` reads 4 bytes at 0xfffffffffffffff8; rax is 0x0. " +
			"The address is 0x8 away from null: most likely a field or an element of an object that is not there.", crashAt(t, indexed).reg(cpu.RAX, 0).reg(cpu.RCX, ^uint64(1)).fault(^uint64(7))},
		{"nothing in the base: the index is the pointer", "Read from unmapped address 0x4000000. `mov eax, dword [rax + rcx * 4]` reads 4 bytes at 0x4000000; rcx is 0x1000000. " +
			"Nothing is mapped there.", crashAt(t, indexed).reg(cpu.RAX, 0).reg(cpu.RCX, 0x100_0000).fault(0x400_0000)},
		{"nothing is mapped, and the heap is", "Read from address 0x600010. `mov eax, dword [rax]` reads 4 bytes at 0x600010; rax is 0x600010. " +
			"The kernel reports SIGSEGV / SEGV_MAPERR, and the list of mappings has [heap] at the address, which allows the access: the list or the registers are of another moment.",
			crashAt(t, load).reg(cpu.RAX, heapBase+0x10).fault(heapBase + 0x10)},
		{"nop goes nowhere", "Null pointer call. The system reports that 0x10 was to be executed. " +
			"So low an address is most likely an offset from a null pointer, or a small number used as a pointer.", crashAt(t, "90").windows(8, 0x10)},
		{"a guard page of Windows can be read and written to", "Read from a guard page. `mov eax, dword [rax]` reads 4 bytes at 0x600000; rax is 0x600000. " +
			"A guard page was accessed for the first time.", crashAt(t, load).reg(cpu.RAX, heapBase).raise("windows", guardPage, 0, 0, heapBase)},
		{"Windows says zero, and the divisor is 3", "Division overflow. The quotient is too large for its register; the CPU reports it like a division by zero. " +
			"The instruction is `idiv ecx` with 3 in ecx.", crashAt(t, idiv).reg(cpu.RCX, 3).raise("windows", intDivideByZero, 0)},
	}
	for _, tt := range tests {
		if got := said(t, tt.s); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// A finding in addition to the cause neither repeats nor contradicts it.
func TestOneCause(t *testing.T) {
	const pid, uid = 24248, 1000
	tests := []struct {
		name string
		s    *scene
		want []Kind
	}{
		{"a signal that was sent says nothing of the instruction", crashAt(t, "90").fault(pid|uid<<32).raise("linux", sigILL, siTkill), []Kind{FromOutside}},
		{"nor of a division", crashAt(t, "f7 f9").reg(cpu.RCX, 5).fault(pid|uid<<32).raise("linux", sigFPE, siTkill), []Kind{FromOutside}},
		{"the stack and the code of __fastfail say the same", crashAt(t, "cd 29").raise("windows", stackBufferOverrun, 0, 2).stack("!__report_gsfailure", "f"),
			[]Kind{StackSmashed, FirstOwn}},
		{"abort is how std::terminate ends", crashAt(t, "cd 29").raise("windows", stackBufferOverrun, 0, 7).stack("!abort", "!terminate", "f"), []Kind{Thrown, FirstOwn}},
	}
	for _, tt := range tests {
		var got []Kind
		for _, f := range Analyze(tt.s.Input).Findings {
			got = append(got, f.Kind)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The address of SIGABRT is no accessed address; its explanation is only as certain as the verdict.
func TestNoAddressOfAbort(t *testing.T) {
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"abort", "abort", crashAt(t, "").stack("!raise", "!abort", "f")},
		{"raise alone", "raised by the program itself", crashAt(t, "").stack("!raise", "f")},
		{"probably a watchdog", "SIGABRT", crashAt(t, "").stack("loop")},
	}
	for _, tt := range tests {
		if got := Analyze(tt.s.raise("linux", sigABRT, siUser).Input).NoAddress; got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A message without a full stop does not run into the sentence behind it.
func TestMessageEnds(t *testing.T) {
	for message, want := range map[string]string{
		"index 42 beyond bounds":  "An Objective-C exception was not caught. index 42 beyond bounds. The place is probably `f`: its frame was found by scanning the stack.",
		"index 42 beyond bounds!": "An Objective-C exception was not caught. index 42 beyond bounds! The place is probably `f`: its frame was found by scanning the stack.",
	} {
		s := crashAt(t, "").raise("mac", nsException, 0).stack("f")
		s.Assertion, s.Frames[0].Guess = message, true
		if got := Verdict(s.Input, Analyze(s.Input)).Detail; got != want {
			t.Errorf("%q:\n got %s\nwant %s", message, got, want)
		}
	}
}

// An allocator that is compiled into the program is not the program's own code.
func TestOperatorNew(t *testing.T) {
	s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "!std::__throw_bad_alloc", "operator new(unsigned long)", "load")
	if got := Verdict(s.Input, Analyze(s.Input)).Where; got != "load" {
		t.Errorf("the place is %q, want %q", got, "load")
	}
}
