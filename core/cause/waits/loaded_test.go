package waits

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
	"crashglass/core/testkit/asm"
)

// The number of a call is in the code in front of it: "mov eax, 202", and instructions that leave
// eax as it is. Everything else gives no number, so that no call is made up.
func TestNumberInTheCode(t *testing.T) {
	const found, unknown = "futex 0x5000 none", "nothing"
	for _, tt := range []struct {
		name string
		code []byte // between the mov and the call
		want string
	}{
		{"nothing between", nil, found},
		{"nop", []byte{0x90}, found},
		{"mov ecx, ebx", []byte{0x89, 0xd9}, found},
		{"mov [rsi], eax: memory is changed, not eax", []byte{0x89, 0x06}, found},
		{"cmp eax, 1", []byte{0x83, 0xf8, 0x01}, found},
		{"test eax, eax", []byte{0x85, 0xc0}, found},
		{"push rax", []byte{0x50}, found},
		{"xor edx, edx", []byte{0x31, 0xd2}, found},
		{"xor eax, eax", []byte{0x31, 0xc0}, unknown},
		{"mov al, 1: a part of eax", []byte{0xb0, 0x01}, unknown},
		{"mov ah, 1: another part", []byte{0xb4, 0x01}, unknown},
		{"mov rax, rcx: all of it", []byte{0x48, 0x89, 0xc8}, unknown},
		{"cpuid changes eax without naming it", []byte{0x0f, 0xa2}, unknown},
		{"pop rax", []byte{0x58}, unknown},
		{"jmp: the mov may have been jumped over", []byte{0xeb, 0x00}, unknown},
		{"call", []byte{0xe8, 0, 0, 0, 0}, unknown},
		{"no instruction", []byte{0x06}, unknown},
	} {
		section := asm.At(code).U8(0xb8).U32(202).Bytes(tt.code).U8(0x0f, 0x05)
		thread := Thread{ID: 70, Arch: &cpu.AMD64, Regs: regs(t, &cpu.AMD64, "rax=fffffffffffffe00 rdi=5000 rsi=80 rdx=2"), Frames: rows([]spot{{}})}
		thread.Regs.Set(cpu.RIP, section.Here())
		in := &Input{OS: "linux", Memory: pieces{code: section}.build(t), Decode: disasm.Decode, Threads: []Thread{thread}}
		if got := text(Find(in)[0]); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		in.Decode = nil
		if got := text(Find(in)[0]); len(tt.code) > 0 && got != unknown {
			t.Errorf("%s, without a decoder: %s", tt.name, got)
		}
	}
}

// The bytes in front of the mov decide what it is, and a gap in the memory ends the search.
func TestBytesInFront(t *testing.T) {
	amd64, x86 := "rax=fffffffffffffe00 rdi=5000 rsi=80 rdx=2 rip=", "eax=fffffe00 ebx=5000 ecx=80 edx=2 eip="
	play(t, []scene{
		{
			name: "mov r8d, 202: a REX prefix stands in front", arch: &cpu.AMD64, os: "linux", regs: amd64 + "401008",
			memory: pieces{code: asm.At(code).U8(0x41, 0xb8).U32(202).U8(0x0f, 0x05)}, want: "nothing",
		},
		{
			name: "inc ecx; mov eax, 240: the same byte on x86", arch: &cpu.X86, os: "linux", regs: x86 + "401008",
			memory: pieces{code: asm.At(code).U8(0x41, 0xb8).U32(240).U8(0xcd, 0x80)}, want: "futex 0x5000 none",
		},
		{
			name: "nop; mov eax, 202", arch: &cpu.AMD64, os: "linux", regs: amd64 + "401008",
			memory: pieces{code: asm.At(code).U8(0x90, 0xb8).U32(202).U8(0x0f, 0x05)}, want: "futex 0x5000 none",
		},
		{
			name: "of two movs the last counts", arch: &cpu.AMD64, os: "linux", regs: amd64 + "40100c",
			memory: pieces{code: asm.At(code).U8(0xb8).U32(39).U8(0xb8).U32(202).U8(0x0f, 0x05)}, want: "futex 0x5000 none",
		},
		{
			name: "two bytes between were not captured: they may be any instruction", arch: &cpu.AMD64, os: "linux", regs: amd64 + "401009",
			memory: pieces{code: asm.At(code).U8(0xb8).U32(202), code + 6: asm.At(code+6).U8(0x0f, 0x05)}, want: "nothing",
		},
		{
			name: "a mov of which the number was not captured", arch: &cpu.AMD64, os: "linux", regs: amd64 + "401007",
			memory: pieces{code + 1: asm.At(code+1).U32(202).U8(0x0f, 0x05)}, want: "nothing",
		},
		{
			name: "x86 with one frame has no caller to look at", arch: &cpu.X86, os: "linux", regs: x86 + "401002",
			memory: pieces{code: asm.At(code).U8(0xcd, 0x80)}, want: "nothing",
		},
	})
}

// Only i386 enters the kernel by a call through gs. The number in front of the instruction itself
// counts first.
func TestCallOfTheVDSO(t *testing.T) {
	const page = 0x700_0000
	caller := func(number uint32) *asm.Section { return asm.At(code).U8(0xb8).U32(number).Bytes(gsCall) }
	for _, tt := range []struct {
		name string
		arch *cpu.Arch
		regs string
		page *asm.Section
		want string
	}{
		{"the number in front of the call", &cpu.X86, "eip=7000002 eax=fffffe00 ebx=5000 ecx=80 edx=2", asm.At(page).U8(0xcd, 0x80), "futex 0x5000 none"},
		{"the number in front of the instruction", &cpu.X86, "eip=7000007 eax=fffffe00 ebx=5", asm.At(page).U8(0xb8).U32(3).U8(0xcd, 0x80), "read fd 5 none"},
		{"sysenter", &cpu.X86, "eip=7000002 eax=fffffe00 ebx=5000 ecx=80 edx=2", asm.At(page).U8(0x0f, 0x34), "futex 0x5000 none"},
		{"amd64 has no such call", &cpu.AMD64, "rip=7000002 rax=fffffffffffffe00 rdi=5000 rsi=80 rdx=2", asm.At(page).U8(0x0f, 0x05), "nothing"},
	} {
		number := map[*cpu.Arch]uint32{&cpu.X86: 240, &cpu.AMD64: 202}[tt.arch]
		s := scene{arch: tt.arch, os: "linux", regs: tt.regs, memory: pieces{page: tt.page, code: caller(number)},
			frames: []spot{{Module: "linux-gate.so"}, {Module: "app", Return: caller(number).Here()}}}
		if got := text(s.find(t)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
