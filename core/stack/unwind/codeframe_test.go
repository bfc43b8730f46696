package unwind

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// text writes what code has done to the frame: "size 16: fp at -16, lr at -8".
func (fr *codeFrame) text() string {
	var places []string
	for _, s := range fr.saved {
		places = append(places, fmt.Sprintf("%s at %d", fr.w.RegName(s.reg), s.off))
	}
	slices.Sort(places)
	out := fmt.Sprintf("size %d", fr.size)
	if len(places) > 0 {
		out += ": " + strings.Join(places, ", ")
	}
	if fr.base != fr.w.SP {
		out += " from " + fr.w.RegName(fr.base)
	}
	if fr.link != fr.w.LR {
		out += " back by " + fr.w.RegName(fr.link)
	}
	for reg := range cpu.Reg(len(fr.w.Regs)) {
		if fr.lost.Has(reg) && fr.w.CalleeSaved.Has(reg) {
			out += " without " + fr.w.RegName(reg)
		}
	}
	if !fr.made {
		out += " unmade"
	}
	return out
}

// codeAt is a walk with code at image+0x100, and an interrupted frame at its first instruction.
func codeAt(t *testing.T, arch *cpu.Arch, lines ...string) (*walk, *Frame) {
	t.Helper()
	w := newWalk(picture{arch: arch, code: listing(image+0x100, lines...).Zeros(8), symbols: arm64Names}.input(t))
	return w, &Frame{Frame: process.Frame{Instruction: image + 0x100, Module: w.moduleAt(image + 0x100), Interrupted: true}}
}

// The frame that code has made since a function's first instruction. The effects of instructions
// are those of package isa; the layout of frames is by the psABI of each CPU.
func TestCodeSinceEntry(t *testing.T) {
	for _, tt := range []struct {
		name  string
		arch  *cpu.Arch
		code  []string
		whole bool   // the function's size is known
		want  string // "" for code that cannot be followed
	}{
		{name: "nothing yet", arch: &cpu.ARM64, whole: true, want: "size 0 unmade"},
		{name: "signed only", arch: &cpu.ARM64, code: []string{"d503233f  paciasp"}, whole: true, want: "size 0 unmade"},
		{name: "a pair", arch: &cpu.ARM64, code: []string{"a9be7bfd  stp x29, x30, [sp, #-32]!", "910003fd  mov x29, sp", "f9000bf3  str x19, [sp, #16]"},
			whole: true, want: "size 32: fp at -32, lr at -24, x19 at -16"},
		{name: "the first store counts", arch: &cpu.ARM64, code: []string{"f81f0ff3  str x19, [sp, #-16]!", "f90007f3  str x19, [sp, #8]"}, whole: true, want: "size 16: x19 at -16"},
		{name: "a register without a number", arch: &cpu.ARM64, code: []string{"6dbf23e9  stp d9, d8, [sp, #-16]!"}, whole: true, want: "size 16"},
		{name: "a load that leaves sp", arch: &cpu.ARM64, code: []string{"d10043ff  sub sp, sp, #16", "f94007f3  ldr x19, [sp, #8]"}, whole: true, want: "size 16"},
		{name: "a load that moves sp", arch: &cpu.ARM64, code: []string{"f81f0ff3  str x19, [sp, #-16]!", "f84107f3  ldr x19, [sp], #16"}, whole: true, want: ""},
		{name: "a conditional branch", arch: &cpu.ARM64, code: []string{"d10043ff  sub sp, sp, #16", "b4000040  cbz x0, .+8"}, whole: true, want: "size 16"},
		{name: "a jump", arch: &cpu.ARM64, code: []string{"d10043ff  sub sp, sp, #16", "14000002  b .+8"}, whole: true, want: ""},
		{name: "a call with lr saved", arch: &cpu.ARM64, code: []string{"f81f0ffe  str x30, [sp, #-16]!", "d63f0100  blr x8"}, whole: true, want: "size 16: lr at -16"},
		{name: "a call with lr lost", arch: &cpu.ARM64, code: []string{"d10043ff  sub sp, sp, #16", "d63f0100  blr x8"}, whole: true, want: ""},
		{name: "a call, and perhaps the end", arch: &cpu.ARM64, code: []string{"f81f0ffe  str x30, [sp, #-16]!", "d63f0100  blr x8"}, want: ""},
		{name: "a trap, and perhaps the end", arch: &cpu.ARM64, code: []string{"d4200020  brk #1"}, want: ""},
		{name: "a trap within", arch: &cpu.ARM64, code: []string{"d4200020  brk #1"}, whole: true, want: "size 0 unmade"},
		{name: "sp from another register", arch: &cpu.ARM64, code: []string{"9100013f  mov sp, x9"}, whole: true, want: ""},
		{name: "sp below its value on entry", arch: &cpu.ARM64, code: []string{"910043ff  add sp, sp, #16"}, whole: true, want: ""},
		{name: "and back", arch: &cpu.ARM64, code: []string{"910043ff  add sp, sp, #16", "d10083ff  sub sp, sp, #32"}, whole: true, want: "size 16"},

		{name: "amd64 pushes", arch: &cpu.AMD64, code: []string{"55  push rbp", "48 89 e5  mov rbp, rsp", "53  push rbx", "48 83 ec 18  sub rsp, 24"},
			whole: true, want: "size 40: rbp at -8, rbx at -16"},
		{name: "amd64 calls", arch: &cpu.AMD64, code: []string{"55  push rbp", "ff d0  call rax"}, whole: true, want: "size 8: rbp at -8"},
		{name: "an unknown instruction", arch: &cpu.AMD64, code: []string{"55  push rbp", "31 c0  xor eax, eax"}, whole: true, want: ""},
		{name: "x86 calls may pop arguments", arch: &cpu.X86, code: []string{"55  push ebp", "ff d0  call eax"}, whole: true, want: ""},

		{name: "lr by way of r0", arch: &cpu.PPC, code: []string{"7c0802a6  mflr r0", "9421fff0  stwu r1, -16(r1)", "90010014  stw r0, 20(r1)"},
			whole: true, want: "size 16: lr at 4, r1 at -16"},
		{name: "lr by way of r12", arch: &cpu.PPC, code: []string{"7d8802a6  mflr r12", "91810004  stw r12, 4(r1)"}, whole: true, want: "size 0: lr at 4"},
		{name: "another register than the copy", arch: &cpu.PPC, code: []string{"7c0802a6  mflr r0", "93e1fffc  stw r31, -4(r1)"}, whole: true, want: "size 0: r31 at -4"},
		{name: "pc is this function's own", arch: &cpu.ARM, code: []string{"e92dd800  push {fp, ip, lr, pc}"}, whole: true, want: "size 16: fp at -16, lr at -8, r12 at -12"},
	} {
		w, f := codeAt(t, tt.arch, tt.code...)
		start := f.Instruction
		fr, ok := w.sinceEntry(w.setOf(f), start, listing(start, tt.code...).Here(), tt.whole)
		if got := fr.text(); ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("%s: %s, %t; want %s", tt.name, got, ok, tt.want)
		}
	}
	w, f := codeAt(t, &cpu.ARM64, "d10043ff  sub sp, sp, #16")
	set := w.setOf(f)
	if _, ok := w.sinceEntry(set, image+0x104, image+0x100, true); ok {
		t.Error("a function that begins behind pc")
	}
	if _, ok := w.sinceEntry(set, image+0x100, image+0x102, true); ok {
		t.Error("pc is inside of an instruction")
	}
	if _, ok := w.sinceEntry(set, image+0x100, image+0x100+maxPrologue+4, true); ok {
		t.Error("more code than a prologue has")
	}
}

// The frame that code from pc to a return takes down. Offsets count from the stack pointer on entry,
// which is its value at the return.
func TestCodeUntilReturn(t *testing.T) {
	for _, tt := range []struct {
		name string
		arch *cpu.Arch
		code []string
		want string
	}{
		{"a return", &cpu.ARM64, []string{"d65f03c0  ret"}, "size 0 unmade"},
		{"a pair", &cpu.ARM64, []string{"a94153f3  ldp x19, x20, [sp, #16]", "a8c27bfd  ldp x29, x30, [sp], #32", "d65f03c0  ret"},
			"size 32: fp at -32, lr at -24, x19 at -16, x20 at -8"},
		{"the last load counts", &cpu.ARM64, []string{"f94007fe  ldr x30, [sp, #8]", "f84107fe  ldr x30, [sp], #16", "d65f03c0  ret"}, "size 16: lr at -16"},
		{"sp from the frame pointer", &cpu.ARM64, []string{"910003bf  mov sp, x29", "a8c17bfd  ldp x29, x30, [sp], #16", "d65f03c0  ret"}, "size 16: fp at -16, lr at -8 from fp"},
		{"sp from a register that calls destroy", &cpu.ARM64, []string{"9100013f  mov sp, x9", "d65f03c0  ret"}, ""},
		{"sp after a load", &cpu.ARM64, []string{"f84107f3  ldr x19, [sp], #16", "910003bf  mov sp, x29", "d65f03c0  ret"}, ""},
		{"below its value on entry", &cpu.ARM64, []string{"d10043ff  sub sp, sp, #16", "d65f03c0  ret"}, ""},
		{"a store", &cpu.ARM64, []string{"f90007f3  str x19, [sp, #8]", "d65f03c0  ret"}, ""},
		{"a call", &cpu.ARM64, []string{"d63f0100  blr x8", "d65f03c0  ret"}, ""},
		{"a jump through a register", &cpu.ARM64, []string{"d61f0100  br x8"}, ""},
		{"no code", &cpu.ARM64, []string{"00000000  udf"}, ""},

		{"leave", &cpu.AMD64, []string{"c9  leave", "c3  ret"}, "size 8: rbp at -8 from rbp"},
		{"pops", &cpu.AMD64, []string{"48 83 c4 18  add rsp, 24", "5b  pop rbx", "5d  pop rbp", "c3  ret"}, "size 40: rbp at -8, rbx at -16"},
		{"arguments are popped by the return", &cpu.X86, []string{"5d  pop ebp", "c2 08 00  ret 8"}, "size 4: ebp at -4"},

		{"the delay slot pops", &cpu.MIPS, []string{"8fbf001c  lw ra, 28(sp)", "03e00008  jr ra", "27bd0020  addiu sp, sp, 32"}, "size 32: ra at -4"},
		{"the delay slot calls", &cpu.MIPS, []string{"03e00008  jr ra", "0320f809  jalr t9"}, ""},
		{"the delay slot lowers sp", &cpu.MIPS, []string{"03e00008  jr ra", "27bdffe0  addiu sp, sp, -32"}, ""},
		{"the delay slot does nothing", &cpu.MIPS, []string{"03e00008  jr ra", "00000000  nop"}, "size 0 unmade"},

		{"lr from a load", &cpu.PPC, []string{"80010014  lwz r0, 20(r1)", "38210010  addi r1, r1, 16", "7c0803a6  mtlr r0", "4e800020  blr"}, "size 16: lr at 4"},
		{"lr from a register", &cpu.PPC, []string{"7d8803a6  mtlr r12", "4e800020  blr"}, "size 0 back by r12"},
		{"pc from the stack", &cpu.ARM, []string{"e8bd8010  pop {r4, pc}"}, "size 8: pc at -4, r4 at -8"},
	} {
		w, f := codeAt(t, tt.arch, tt.code...)
		fr, ok := w.untilReturn(w.setOf(f), f, f.Instruction, 0x100)
		if got := fr.text(); ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("%s: %s, %t; want %s", tt.name, got, ok, tt.want)
		}
	}
}
