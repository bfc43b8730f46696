package cpu

import (
	"strings"
	"testing"
)

// The registers that a function preserves, apart from PC and SP, by the psABI of each CPU: all of
// them and no other. A register that is preserved in fact but not here is only unknown in a caller;
// one that is here without being preserved would have a wrong value there.
func TestCalleeSavedSets(t *testing.T) {
	for _, tt := range []struct {
		arch *Arch
		want string
	}{
		{&X86, "ebx ebp esi edi"},                              // System V ABI i386, 3-11
		{&AMD64, "rbx rbp r12 r13 r14 r15"},                    // System V ABI amd64, figure 3.4; Windows has rsi and rdi, too
		{&ARM, "r4 r5 r6 r7 r8 r9 r10 fp"},                     // AAPCS, 6.1.1
		{&ARM64, "x19 x20 x21 x22 x23 x24 x25 x26 x27 x28 fp"}, // AAPCS64, 6.1.1
		{&MIPS, "s0 s1 s2 s3 s4 s5 s6 s7 fp"},                  // o32, figure 3-20
		{&MIPS64, "s0 s1 s2 s3 s4 s5 s6 s7 gp fp"},             // n64
		{&SPARC, ""}, // the window moves
		{&RISCV64, "s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11"},                                 // psABI, "Integer Register Convention"
		{&RISCV, "s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11"},                                   //
		{&PPC, "r14 r15 r16 r17 r18 r19 r20 r21 r22 r23 r24 r25 r26 r27 r28 r29 r30 r31"},   // System V ABI PowerPC, 3-14
		{&PPC64, "r14 r15 r16 r17 r18 r19 r20 r21 r22 r23 r24 r25 r26 r27 r28 r29 r30 r31"}, // ELF ABI v2, 2.2.1.1
	} {
		want := map[string]bool{}
		for _, name := range strings.Fields(tt.want) {
			want[name] = true
		}
		for i, name := range tt.arch.Regs {
			if got := tt.arch.CalleeSaved.Has(Reg(i)); got != want[name] {
				t.Errorf("%s: %s is callee-saved: %t", tt.arch.Name, name, got)
			}
			delete(want, name)
		}
		if len(want) > 0 {
			t.Errorf("%s has no registers %v", tt.arch.Name, want)
		}
	}
}

// A return address less CallSize lies in the call, or in its delay slot, for the shortest call of
// the CPU: 2 bytes of Thumb (blx r3), and 8 of MIPS and SPARC with the delay slot. RISC-V and ppc64
// have Breakpad's numbers (stackwalker_riscv64.cc, stackwalker_ppc64.cc).
func TestCallSizes(t *testing.T) {
	for _, tt := range []struct {
		arch            *Arch
		callSize, align uint64
	}{
		{&X86, 1, 1}, {&AMD64, 1, 1}, {&ARM, 2, 2}, {&ARM64, 4, 4}, {&MIPS, 8, 4}, {&MIPS64, 8, 4},
		{&PPC, 4, 4}, {&PPC64, 8, 4}, {&SPARC, 8, 4}, {&RISCV, 4, 2}, {&RISCV64, 4, 2},
	} {
		if tt.arch.CallSize != tt.callSize || tt.arch.Align != tt.align {
			t.Errorf("%s: a call of %d bytes, aligned to %d", tt.arch.Name, tt.arch.CallSize, tt.arch.Align)
		}
	}
}

// SPARC's roles: the System V ABI, SPARC supplement, figure 3-10.
func TestRolesOfSPARC(t *testing.T) {
	a := &SPARC
	for name, want := range map[string]Reg{"g0": 0, "o0": 8, "o6": a.SP, "sp": a.SP, "l0": 16, "i0": 24, "i6": a.FP, "fp": a.FP, "i7": SPARCI7, "pc": a.PC} {
		if r, ok := a.Reg(name); !ok || r != want {
			t.Errorf("%s is register %d, want %d", name, r, want)
		}
	}
	if a.LR != None {
		t.Error("o7 is the caller's: it is no link register of this frame")
	}
}

// An address wraps at the width of the CPU or of the instruction, and every summand may be negative.
func TestAddressesThatWrap(t *testing.T) {
	var regs Regs
	regs.Set(RAX, 0x10)
	regs.Set(RCX, 0x1_8000_0000)                                          // its lower half is negative
	base := func(string) (uint64, bool) { return ^uint64(0) - 0xf, true } // of a segment: -16
	for _, tt := range []struct {
		name string
		arch *Arch
		m    MemOp
		want uint64
	}{
		{"below 0", &AMD64, MemOp{Base: RAX, Index: None, Disp: -0x11}, ^uint64(0)},
		{"below 0 of 32 bits", &X86, MemOp{Base: EIP, Index: None, Disp: -0x11}, 0xffff_ffef},
		{"a negative index", &AMD64, MemOp{Base: RAX, Index: RCX, Extend: -4}, 0xffff_ffff_8000_0010},
		{"a scaled negative index", &AMD64, MemOp{Base: None, Index: RCX, Extend: -4, Scale: 8}, 0xffff_fffc_0000_0000},
		{"an index without a sign", &AMD64, MemOp{Base: RAX, Index: RCX, Extend: 4}, 0x8000_0010},
		{"the extension comes before the sign", &AMD64, MemOp{Base: None, Index: RCX, Extend: 4, Minus: true}, 0xffff_ffff_8000_0000},
		{"the width applies before the segment", &AMD64, MemOp{Base: None, Index: RCX, Width: 4, Segment: "gs"}, 0x7fff_fff0},
		{"a base register does not count with pc", &AMD64, MemOp{Base: RDX, Index: None, PCRel: true, Next: 8, Disp: -8}, 0},
	} {
		known := regs
		if tt.arch == &X86 {
			known = Regs{}
			known.Set(EIP, 0)
		}
		if got, ok := tt.m.Address(tt.arch, &known, base); !ok || got != tt.want {
			t.Errorf("%s: %#x, %t; want %#x", tt.name, got, ok, tt.want)
		}
	}
}

// Every register of a convention exists on its CPU.
func TestLinuxCalls(t *testing.T) {
	for arch, rules := range linuxCalls {
		for _, name := range append([]string{rules.Number, rules.Result}, rules.Args...) {
			if _, ok := arch.Reg(name); !ok {
				t.Errorf("%s has no register %q", arch.Name, name)
			}
		}
	}
}
