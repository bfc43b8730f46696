package crash

import (
	"math"
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// The exception contradicts the instruction only where the instruction's accesses are certain. The
// rules are rust-minidump's: minidump-processor/src/processor.rs, check_for_crash_inconsistencies.
func TestContradictions(t *testing.T) {
	const (
		missing = "crashing_access_not_found_in_memory_accesses"
		allowed = "access_violation_when_access_allowed"
		falsely = "non_canonical_address_falsely_reported"
		divides = "int_div_by_zero_not_possible"
	)
	gpf := func(code string) *scene {
		return crashAt(t, code).reg(cpu.RAX, heapBase).reg(cpu.RBX, heapBase).windows(0, math.MaxUint64)
	}
	tests := []struct {
		name string
		s    *scene
		want []string
	}{
		{"a load of good memory", gpf(movLoad), []string{falsely}},
		{"a load by a register that is not known", gpf("4d 8b 00"), nil},
		{"a load of a non-canonical address", gpf(movLoad).reg(cpu.RBX, 1<<60), nil},
		{"a load of -1", gpf("8a 03").reg(cpu.RBX, math.MaxUint64), nil},
		{"movaps fails for its alignment, too", gpf("0f 28 00"), nil},
		{"an instruction that rust-minidump does not judge", gpf(xchg).reg(cpu.RDI, heapBase), nil},
		{"a call through good memory to a good address", gpf(callMem).put(heapBase, codeAddr), []string{falsely}},
		{"a call through good memory to a non-canonical address", gpf(callMem).put(heapBase, 1<<60), nil},
		{"a call through memory that was not captured", gpf(callMem), nil},
		{"a jump on condition may go anywhere", gpf("74 00"), nil},
		{"a jump to a good address", gpf("ff e0"), []string{falsely}},
		{"a return to a non-canonical address", gpf(ret).put(stackLow+0x1000, 1<<60), nil},
		{"a write of -1 is no general protection fault", crashAt(t, movStore).reg(cpu.RAX, heapBase).windows(1, math.MaxUint64), []string{missing}},

		{"execution elsewhere", crashAt(t, movRegister).windows(8, 0x9000_0000), []string{missing}},
		{"execution at the program counter", crashAt(t, movRegister).windows(8, codeAddr), []string{allowed}},
		{"execution at it, in data", crashAt(t, movRegister).windows(8, codeAddr).with(func(in *Input) { in.Regions[0].Access = "r--" }), nil},
		{"a stack overflow of an instruction without access", crashAt(t, "01 c8").raise("windows", stackOverflow, 0), []string{missing}},
		{"a stack overflow of a push", crashAt(t, push).raise("windows", stackOverflow, 0), nil},
		{"a stack overflow of an instruction that is not judged", crashAt(t, "0f a2").raise("windows", stackOverflow, 0), nil},

		{"a division by zero at an addition", crashAt(t, "01 c8").raise("windows", intDivideByZero, 0), []string{divides}},
		{"on macOS", crashAt(t, "01 c8").raise("mac", excArithmetic, 1), []string{divides}},
		{"on macOS, another arithmetic error", crashAt(t, "01 c8").raise("mac", excArithmetic, 2), nil},
		{"on Linux, another code", crashAt(t, "01 c8").raise("linux", sigFPE, 2), nil},
		{"on Linux, another signal with that code", crashAt(t, "01 c8").raise("linux", sigILL, fpeIntDiv), nil},
		{"without code", crashAt(t, "").raise("windows", intDivideByZero, 0), nil},
		{"on arm64, whose instructions are not judged", crashAt(t, "1f2003d5").on(&cpu.ARM64).raise("windows", intDivideByZero, 0), nil},
		{"a bad access on Linux is not judged", crashAt(t, movStore).reg(cpu.RAX, heapBase).fault(0x9000_0000), nil},
	}
	for _, tt := range tests {
		a := Analyze(tt.s.Input)
		if !slices.Equal(a.Inconsistencies, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, a.Inconsistencies, tt.want)
		}
		for _, name := range a.Inconsistencies {
			if !slices.ContainsFunc(a.Findings, func(f Finding) bool { return f.Kind == Inconsistent && f.Evidence[0] == inconsistencyTexts[name] }) {
				t.Errorf("%s: no finding has %s", tt.name, name)
			}
		}
	}
}

// The base registers of an instruction's operands, sorted by name as rust-minidump has them; the
// index counts, and implicit accesses do not.
func TestBaseRegisters(t *testing.T) {
	tests := []struct{ name, code, want string }{
		{"a base", movLoad, "rbx"},
		{"a base and an index", "48 8b 04 0b", "rbx rcx"},
		{"an index that sorts first", "48 8b 04 03", "rax rbx"},
		{"the same register twice", "48 8b 04 00", "rax"},
		{"two operands in memory", loadPair, "rdi rsi"},
		{"the stack pointer of push", push, ""},
		{"none", movRegister, ""},
		{"an address of 32 bits", "67 8b 03", ""},
	}
	for _, tt := range tests {
		s := crashAt(t, tt.code)
		for _, r := range []cpu.Reg{cpu.RAX, cpu.RBX, cpu.RCX, cpu.RSI, cpu.RDI} {
			s.reg(r, 0x9000_0000)
		}
		st := &facts{in: s.Input, Analysis: &Analysis{}, regs: s.Regs, e: s.Exception}
		st.decode()
		st.accesses()
		got := ""
		for _, r := range st.baseRegs {
			got = join(got, s.Arch.RegName(r))
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Only Windows' segments have a known base: gs on amd64, fs on x86.
func TestSegments(t *testing.T) {
	at := func(code string, arch *cpu.Arch, os process.OS, teb uint64) *scene {
		s := crashAt(t, code).on(arch).raise(os, accessViolation, 0)
		s.TEB = teb
		return s
	}
	const gs64, fs64, fs32, gs32 = "65 48 8b 04 25 30 00 00 00", "64 48 8b 04 25 30 00 00 00", "64 a1 30 00 00 00", "65 a1 30 00 00 00"
	for name, tt := range map[string]struct {
		s     *scene
		known bool
	}{
		"gs of amd64":          {s: at(gs64, &cpu.AMD64, "windows", 0x5000), known: true},
		"fs of amd64":          {s: at(fs64, &cpu.AMD64, "windows", 0x5000)},
		"fs of x86":            {s: at(fs32, &cpu.X86, "windows", 0x5000), known: true},
		"gs of x86":            {s: at(gs32, &cpu.X86, "windows", 0x5000)},
		"without the block":    {s: at(gs64, &cpu.AMD64, "windows", 0)},
		"gs of amd64 on Linux": {s: at(gs64, &cpu.AMD64, "linux", 0x5000)},
	} {
		a := Analyze(tt.s.Input)
		if known := len(a.Accesses) == 1 && a.Accesses[0].Address == 0x5030; known != tt.known || a.Instruction == "" {
			t.Errorf("%s: %q accesses %+v", name, a.Instruction, a.Accesses)
		}
	}
}

// A guard is small, has no permissions, and is adjacent to accessible memory, on either side.
func TestLikelyGuards(t *testing.T) {
	const at = 0x9000_0000
	side := func(start, last uint64, read bool) process.Region {
		return process.Region{Start: start, Last: last, Access: map[bool]string{true: "r--", false: "---"}[read]}
	}
	guard := side(at, at+0xfff, false)
	tests := []struct {
		name string
		list []process.Region
		want bool
	}{
		{name: "alone", list: []process.Region{guard}},
		{name: "behind memory", list: []process.Region{side(at-0x1000, at-1, true), guard}, want: true},
		{name: "behind memory without access", list: []process.Region{side(at-0x1000, at-1, false), guard}},
		{name: "a byte behind memory", list: []process.Region{side(at-0x1000, at-2, true), guard}},
		{name: "in front of memory", list: []process.Region{guard, side(at+0x1000, at+0x1fff, true)}, want: true},
		{name: "in front of memory without access", list: []process.Region{guard, side(at+0x1000, at+0x1fff, false)}},
		{name: "a byte in front of memory", list: []process.Region{guard, side(at+0x1001, at+0x1fff, true)}},
		{name: "between two", list: []process.Region{side(at-0x1000, at-1, true), guard, side(at+0x1000, at+0x1fff, true)}, want: true},
		{name: "32 KiB", list: []process.Region{side(at, at+guardMax-1, false), side(at+guardMax, at+guardMax+0xfff, true)}, want: true},
		{name: "more", list: []process.Region{side(at, at+guardMax, false), side(at+guardMax+1, at+guardMax+0xfff, true)}},
		{name: "with a permission", list: []process.Region{side(at, at+0xfff, true), side(at+0x1000, at+0x1fff, true)}},
		{name: "at the end of the address space", list: []process.Region{side(at, at+0xfff, false), {Start: ^uint64(0xfff), Last: ^uint64(0)}}},
	}
	for _, tt := range tests {
		st := factsOf(&Input{Regions: tt.list}, &Analysis{})
		if got := st.likelyGuard(at + 8); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	if factsOf(&Input{Regions: []process.Region{guard}}, &Analysis{}).likelyGuard(at - 1) {
		t.Error("an address in no region is a guard")
	}
}
