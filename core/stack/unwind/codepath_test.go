package unwind

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
)

// The frame at pc, by a path to a return: pc is at "=> ". The layout of frames is by the psABI of each CPU.
func TestPathToReturn(t *testing.T) {
	for _, tt := range []struct {
		name string
		arch *cpu.Arch
		code []string
		want string // "" where nothing is known
	}{
		{"a cold block behind the epilogue", &cpu.ARM64,
			[]string{"a8c27bfd  ldp x29, x30, [sp], #32", "d65f03c0  ret", "=> aa0103e0  mov x0, x1", "17fffffd  b .-12"}, "size 32: fp at -32, lr at -24"},
		{"a branch over a call that does not return", &cpu.ARM64,
			[]string{"=> b4000060  cbz x0, .+12", "94000100  bl abort", "d4200020  brk #1", "a8c27bfd  ldp x29, x30, [sp], #32", "d65f03c0  ret"}, "size 32: fp at -32, lr at -24"},
		{"a leaf", &cpu.ARM64, []string{"=> 14000002  b .+8", "d4200020  brk #1", "f9400020  ldr x0, [x1]", "d65f03c0  ret"}, "size 0 unmade"},
		{"two blocks of an epilogue", &cpu.ARM64, []string{"d65f03c0  ret", "=> a8c27bfd  ldp x29, x30, [sp], #32", "17fffffe  b .-8"}, "size 32: fp at -32, lr at -24"},
		{"a value is stored", &cpu.ARM64, []string{"=> 14000001  b .+4", "f90007f3  str x19, [sp, #8]", "910083ff  add sp, sp, #32", "d65f03c0  ret"}, "size 32"},
		{"sp from the frame pointer", &cpu.ARM64, []string{"=> 14000001  b .+4", "910003bf  mov sp, x29", "a8c27bfd  ldp x29, x30, [sp], #32", "d65f03c0  ret"},
			"size 32: fp at -32, lr at -24 from fp"},
		{"sp from another register", &cpu.ARM64, []string{"=> 14000001  b .+4", "9100029f  mov sp, x20", "d65f03c0  ret"}, ""},
		{"a prologue", &cpu.ARM64, []string{"=> 14000001  b .+4", "a9bf7bfd  stp x29, x30, [sp, #-16]!", "a8c17bfd  ldp x29, x30, [sp], #16", "d65f03c0  ret"}, ""},
		{"lr is saved on the way", &cpu.ARM64, []string{"=> 14000001  b .+4", "f90007fe  str x30, [sp, #8]", "f94007fe  ldr x30, [sp, #8]", "d65f03c0  ret"}, ""},
		{"a register is saved on the way", &cpu.ARM64, []string{"=> 14000001  b .+4", "f90007f3  str x19, [sp, #8]", "f94007f3  ldr x19, [sp, #8]", "d65f03c0  ret"}, ""},
		{"a call, and perhaps another function", &cpu.ARM64, []string{"=> 94000100  bl abort", "a8c27bfd  ldp x29, x30, [sp], #32", "d65f03c0  ret"}, ""},
		{"every way calls", &cpu.ARM64, []string{"=> b4000060  cbz x0, .+12", "94000100  bl abort", "d65f03c0  ret", "94000100  bl abort", "d65f03c0  ret"}, ""},
		{"through a register", &cpu.ARM64, []string{"=> 14000001  b .+4", "d61f0100  br x8", "d65f03c0  ret"}, ""},
		{"a loop", &cpu.ARM64, []string{"=> 14000001  b .+4", "17ffffff  b .-4"}, ""},

		{"over a call", &cpu.AMD64,
			[]string{"=> 8b 07  mov eax, [rdi]", "85 c0  test eax, eax", "75 05  jne .+7", "e8 00 01 00 00  call abort", "48 83 c4 18  add rsp, 24", "5b  pop rbx", "c3  ret"}, "size 32: rbx at -8"},
		{"instructions that package isa does not know", &cpu.AMD64, []string{"=> 8b 07  mov eax, [rdi]", "c9  leave", "c3  ret"}, "size 8: rbp at -8 from rbp"},
		{"sp is exchanged", &cpu.AMD64, []string{"=> 8b 07  mov eax, [rdi]", "48 94  xchg rsp, rax", "c3  ret"}, ""},
		{"half of sp is written", &cpu.AMD64, []string{"=> 8b 07  mov eax, [rdi]", "83 c4 08  add esp, 8", "c3  ret"}, ""},
		{"a push of two bytes", &cpu.AMD64, []string{"=> 8b 07  mov eax, [rdi]", "66 50  push ax", "c3  ret"}, ""},
		{"a prologue", &cpu.AMD64, []string{"=> 8b 07  mov eax, [rdi]", "55  push rbp", "5d  pop rbp", "c3  ret"}, ""},
		{"through memory", &cpu.AMD64, []string{"=> 8b 07  mov eax, [rdi]", "ff 27  jmp [rdi]"}, ""},
		{"arguments are popped by the return", &cpu.X86, []string{"=> 8b 01  mov eax, [ecx]", "5d  pop ebp", "c2 08 00  ret 8"}, "size 4: ebp at -4"},
		{"over a call", &cpu.X86, []string{"=> 74 05  je .+7", "e8 00 01 00 00  call abort", "5b  pop ebx", "c3  ret"}, "size 4: ebx at -4"},

		{"a register is loaded from the frame pointer on", &cpu.X86, []string{"=> 8b 5d fc  mov ebx, [ebp-4]", "c9  leave", "c3  ret"},
			"size 4: ebp at -4 from ebp without ebx"},
		{"a lost register is loaded", &cpu.X86, []string{"=> 8b 5d 08  mov ebx, [ebp+8]", "5b  pop ebx", "c3  ret"}, "size 4: ebx at -4"},
		{"longjmp", &cpu.ARM64, []string{"=> f940041e  ldr x30, [x0, #8]", "d65f03c0  ret"}, ""},
		{"lr from the frame pointer on", &cpu.MIPS, []string{"=> 03c0e825  move sp, s8", "8fdf0004  lw ra, 4(s8)", "03e00008  jr ra", "27bd0020  addiu sp, sp, 32"}, ""},
		{"lr from the frame pointer on, and then from sp", &cpu.RISCV64, []string{"=> ff043083  ld ra, -16(s0)", "60a2  ld ra, 8(sp)", "0141  addi sp, sp, 16", "8082  ret"},
			"size 16: ra at -8"},
		{"over a call", &cpu.ARM, []string{"=> 0a000001  beq .+12", "eb000100  bl abort", "e7f000f0  udf", "e8bd8010  pop {r4, pc}"}, "size 8: pc at -4, r4 at -8"},
		{"the delay slot loads", &cpu.MIPS,
			[]string{"=> 10800003  beqz a0, .+16", "8fbf001c  lw ra, 28(sp)", "0320f809  jalr t9", "00000000  nop", "03e00008  jr ra", "27bd0020  addiu sp, sp, 32"}, "size 32: ra at -4"},
		{"the delay slot makes a frame", &cpu.MIPS, []string{"=> 10000001  b .+8", "27bdffe0  addiu sp, sp, -32", "03e00008  jr ra", "27bd0020  addiu sp, sp, 32"}, ""},
		{"in a delay slot", &cpu.MIPS, []string{"10800003  beqz a0, .+16", "=> 00000000  nop", "03e00008  jr ra", "27bd0020  addiu sp, sp, 32"}, ""},
		{"over a trap", &cpu.RISCV64, []string{"=> 00050463  beqz a0, .+8", "00100073  ebreak", "60a2  ld ra, 8(sp)", "0141  addi sp, sp, 16", "8082  ret"}, "size 16: ra at -8"},
	} {
		w, f := codeAt(t, tt.arch, tt.code...)
		w.in.Decode = disasm.Decode
		at := slices.IndexFunc(tt.code, func(line string) bool { return strings.HasPrefix(line, "=> ") })
		f.Instruction += uint64(len(listing(0, tt.code[:at]...).Build(t)))
		fr, ok := w.alongPath(w.setOf(f), f)
		got := ""
		if ok && !w.inDelaySlot(w.setOf(f), f.Instruction) {
			got = fr.text()
		}
		if got != tt.want {
			t.Errorf("%s of %s: %q, want %q", tt.name, tt.arch.Name, got, tt.want)
		}
	}
}
