package cpu_test

import (
	"encoding/binary"
	"testing"

	"crashglass/core/machine/cpu"
)

// every is a register file with a distinct value for each register of a CPU.
func every(a *cpu.Arch) (regs cpu.Regs) {
	for i := range a.Regs {
		regs.Set(cpu.Reg(i), (0x8877_6655_4433_2200|uint64(i+1))&a.Mask())
	}
	return regs
}

// A context keeps its registers when it is written and read again, on CPUs of both byte orders. Its
// flags name the CPU and the groups.
func TestEncode(t *testing.T) {
	for _, l := range cpu.Layouts() {
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			regs := every(l.Arch)
			data := l.Encode(&regs, 7, order)
			if flags, ok := l.ReadFlags(data, order); len(data) != l.Size || !ok || flags != l.Flags|7 {
				t.Errorf("%s: %d bytes, flags %#x", l.Name, len(data), flags)
			}
			back := l.Decode(data, order)
			for _, s := range l.Slots {
				want := regs.Value(s.Reg)
				if s.Width == 4 {
					want &= 0xffff_ffff
				}
				if got := back.Value(s.Reg); got != want {
					t.Errorf("%s: %s is %#x, want %#x", l.Name, l.Arch.RegName(s.Reg), got, want)
				}
			}
		}
	}
}

// Unknown registers are written as zeros, and bytes of no register stay zero.
func TestEncodeNothing(t *testing.T) {
	for _, l := range cpu.Layouts() {
		for i, b := range l.Encode(&cpu.Regs{}, 0, binary.LittleEndian) {
			if inFlags := i >= l.FlagsAt && i < l.FlagsAt+l.FlagsWidth; b != 0 && !inFlags {
				t.Errorf("%s: byte %d is %#x", l.Name, i, b)
			}
		}
	}
}

// Registers by their offsets in winnt.h's CONTEXT.
func TestOffsetsOfWindows(t *testing.T) {
	for _, tt := range []struct {
		layout *cpu.Layout
		reg    string
		at     int
		width  int
	}{
		{&cpu.ContextAMD64, "eflags", 0x44, 4},
		{&cpu.ContextAMD64, "rax", 0x78, 8},
		{&cpu.ContextAMD64, "rcx", 0x80, 8},
		{&cpu.ContextAMD64, "rdx", 0x88, 8},
		{&cpu.ContextAMD64, "rbx", 0x90, 8},
		{&cpu.ContextAMD64, "rsp", 0x98, 8},
		{&cpu.ContextAMD64, "rbp", 0xa0, 8},
		{&cpu.ContextAMD64, "rsi", 0xa8, 8},
		{&cpu.ContextAMD64, "rdi", 0xb0, 8},
		{&cpu.ContextAMD64, "r8", 0xb8, 8},
		{&cpu.ContextAMD64, "r15", 0xf0, 8},
		{&cpu.ContextAMD64, "rip", 0xf8, 8},

		{&cpu.ContextX86, "edi", 0x9c, 4},
		{&cpu.ContextX86, "esi", 0xa0, 4},
		{&cpu.ContextX86, "ebx", 0xa4, 4},
		{&cpu.ContextX86, "edx", 0xa8, 4},
		{&cpu.ContextX86, "ecx", 0xac, 4},
		{&cpu.ContextX86, "eax", 0xb0, 4},
		{&cpu.ContextX86, "ebp", 0xb4, 4},
		{&cpu.ContextX86, "eip", 0xb8, 4},
		{&cpu.ContextX86, "eflags", 0xc0, 4},
		{&cpu.ContextX86, "esp", 0xc4, 4},

		{&cpu.ContextARM64, "cpsr", 0x4, 4},
		{&cpu.ContextARM64, "x0", 0x8, 8},
		{&cpu.ContextARM64, "fp", 0xf0, 8},
		{&cpu.ContextARM64, "lr", 0xf8, 8},
		{&cpu.ContextARM64, "sp", 0x100, 8},
		{&cpu.ContextARM64, "pc", 0x108, 8},

		{&cpu.ContextARMWindows, "r0", 0x4, 4},
		{&cpu.ContextARMWindows, "sp", 0x38, 4},
		{&cpu.ContextARMWindows, "lr", 0x3c, 4},
		{&cpu.ContextARMWindows, "pc", 0x40, 4},
		{&cpu.ContextARMWindows, "cpsr", 0x44, 4},
	} {
		reg, ok := tt.layout.Arch.Reg(tt.reg)
		if !ok {
			t.Errorf("%s has no %s", tt.layout.Name, tt.reg)
		}
		for _, s := range tt.layout.Slots {
			if s.Reg == reg && (s.At != tt.at || s.Width != tt.width) {
				t.Errorf("%s: %s is at %#x in %d bytes, want %#x in %d", tt.layout.Name, tt.reg, s.At, s.Width, tt.at, tt.width)
			}
		}
	}
}

// All registers that a function preserves, and no others.
func TestCalleeSaved(t *testing.T) {
	for _, tt := range []struct {
		arch *cpu.Arch
		want []string
	}{
		{&cpu.X86, []string{"ebx", "esi", "edi", "ebp"}},
		{&cpu.AMD64, []string{"rbx", "rbp", "r12", "r13", "r14", "r15"}},
		{&cpu.ARM, []string{"r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11"}},
		{&cpu.ARM64, []string{"x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29"}},
		{&cpu.MIPS, []string{"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"}},
		{&cpu.MIPS64, []string{"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "gp"}},
		{&cpu.RISCV64, []string{"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11"}},
		{&cpu.SPARC, nil},
	} {
		var want cpu.Set
		for _, name := range tt.want {
			reg, ok := tt.arch.Reg(name)
			if !ok {
				t.Errorf("%s has no %s", tt.arch.Name, name)
			}
			want |= cpu.SetOf(reg)
		}
		if tt.arch.CalleeSaved != want {
			t.Errorf("%s: %b, want %b", tt.arch.Name, tt.arch.CalleeSaved, want)
		}
	}
	var registers int
	for r := range cpu.Reg(64) {
		if cpu.PPC64.CalleeSaved.Has(r) {
			registers++
		}
	}
	if registers != 18 {
		t.Errorf("ppc64 keeps %d registers, want r14 to r31", registers)
	}
}

// System call instructions, and others that differ in one bit: breakpoints, and hypervisor calls.
func TestSystemCalls(t *testing.T) {
	for _, tt := range []struct {
		arch *cpu.Arch
		code uint64
		size int
		name string
		want bool
	}{
		{arch: &cpu.AMD64, code: 0x050f, size: 2, name: "syscall", want: true},
		{arch: &cpu.AMD64, code: 0x80cd, size: 2, name: "int 0x80"},
		{arch: &cpu.AMD64, code: 0x0b0f, size: 2, name: "ud2"},
		{arch: &cpu.X86, code: 0x80cd, size: 2, name: "int 0x80", want: true},
		{arch: &cpu.X86, code: 0x340f, size: 2, name: "sysenter", want: true},
		{arch: &cpu.X86, code: 0x03cd, size: 2, name: "int 3"},
		{arch: &cpu.ARM64, code: 0xd400_0001, size: 4, name: "svc #0", want: true},
		{arch: &cpu.ARM64, code: 0xd400_1001, size: 4, name: "svc #0x80", want: true},
		{arch: &cpu.ARM64, code: 0xd400_0002, size: 4, name: "hvc #0"},
		{arch: &cpu.ARM64, code: 0xd420_0000, size: 4, name: "brk #0"},
		{arch: &cpu.ARM, code: 0xef00_0000, size: 4, name: "svc 0", want: true},
		{arch: &cpu.ARM, code: 0xef90_0001, size: 4, name: "svc 0x900001", want: true}, // the old ABI
		{arch: &cpu.ARM, code: 0xe120_0070, size: 4, name: "bkpt"},
		{arch: &cpu.ARM, code: 0xdf00, size: 2, name: "svc 0 of Thumb", want: true},
		{arch: &cpu.ARM, code: 0xbe00, size: 2, name: "bkpt of Thumb"},
		{arch: &cpu.RISCV64, code: 0x73, size: 4, name: "ecall", want: true},
		{arch: &cpu.RISCV64, code: 0x0010_0073, size: 4, name: "ebreak"},
		{arch: &cpu.MIPS, code: 0xc, size: 4, name: "syscall", want: true},
		{arch: &cpu.MIPS, code: 0xd, size: 4, name: "break"},
		{arch: &cpu.PPC, code: 0x4400_0002, size: 4, name: "sc", want: true},
		{arch: &cpu.PPC, code: 0x4400_0001, size: 4, name: "scv 0"},
		{arch: &cpu.PPC64, code: 0x4400_0001, size: 4, name: "scv 0", want: true},
		{arch: &cpu.SPARC, code: 0x91d0_2010, size: 4, name: "ta 0x10", want: true},
		{arch: &cpu.SPARC, code: 0x91d0_2001, size: 4, name: "ta 1"},
	} {
		is := false
		for _, c := range cpu.SystemCalls(tt.arch) {
			is = is || c.Size == tt.size && tt.code&c.Mask == c.Code
		}
		if is != tt.want {
			t.Errorf("%s: %s is a system call: %t", tt.arch.Name, tt.name, is)
		}
	}
	if cpu.SystemCalls(&cpu.Arch{}) != nil {
		t.Error("a CPU that is none has system calls")
	}
}
