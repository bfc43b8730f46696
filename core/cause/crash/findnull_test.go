package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
)

// An address near null is a null pointer, with certainty if the base register is 0.
func TestNullPointers(t *testing.T) {
	const byteLoad = "8a 03"   // mov al, byte [rbx]
	const indexed = "8b 04 88" // mov eax, [rax + rcx*4]
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"a field", "null_pointer! 1.00", load(t, 0x10)},
		{"the last byte of the first 64 KiB", "null_pointer! 0.80", crashAt(t, byteLoad).reg(cpu.RBX, 0xffff).fault(0xffff)},
		{"the first byte behind them", "unmapped! 1.00", crashAt(t, byteLoad).reg(cpu.RBX, 0x1_0000).fault(0x1_0000)},
		{"a base of 0 with a large index", "null_pointer! 0.80", crashAt(t, indexed).reg(cpu.RAX, 0).reg(cpu.RCX, 0x4000).fault(0x1_0000)},
		{"in front of null", "null_pointer! 1.00", crashAt(t, indexed).reg(cpu.RAX, 0).reg(cpu.RCX, ^uint64(0)).fault(^uint64(3))},
		{"64 KiB in front of null", "unmapped! 1.00", crashAt(t, indexed).reg(cpu.RAX, 0).reg(cpu.RCX, ^uint64(0x3fff)).fault(^uint64(0xffff))},
		{"-4 that was computed from no null pointer", "unmapped! 1.00", crashAt(t, "8b 00").reg(cpu.RAX, ^uint64(3)).fault(^uint64(3))},
		{"0 itself, by a register that is not known", "null_pointer! 1.00", crashAt(t, "").fault(0)},
		{"a low address, by a register that is not known", "null_pointer! 0.80", crashAt(t, "").fault(8)},
		{"a low stack pointer is no null pointer", "null_pointer! 0.80", crashAt(t, push).reg(cpu.RSP, 0x100).fault(0xf8)},
		{"x86: an address of 32 bits in front of null", "null_pointer! 1.00", crashAt(t, "8b 40 f8").on(&cpu.X86).reg(cpu.EAX, 0).fault(0xffff_fff8)},
		{"x86: the same address from another base", "unmapped! 1.00", crashAt(t, "8b 40 f8").on(&cpu.X86).reg(cpu.EAX, 4).fault(0xffff_fffc)},
		{"a constant address", "null_pointer! 0.80", crashAt(t, "8b 04 25 08 00 00 00").fault(8)},
		{"relative to the program counter", "null_pointer! 0.80", crashAt(t, "8b 05 00 f0 bf ff").fault(6)},
		{"an element behind a segment", "null_pointer! 0.80", crashAt(t, "65 48 8b 03").reg(cpu.RBX, 0).windows(0, 0x58).with(func(in *Input) { in.TEB = 0x58 })},
		{"the signal was sent", "signal_from_outside! 1.00", load(t, 0x10).raise("linux", sigSEGV, siTkill)},
		{"a bus error", "null_pointer! 1.00", load(t, 0x10).raise("linux", sigBUS, busAdrErr)},
	}
	for _, tt := range tests {
		if got, _, _ := strings.Cut(found(t, tt.s), ","); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A null pointer in its title and its sentence: the distance is given in the direction of the
// access.
func TestNullTexts(t *testing.T) {
	tests := []struct {
		name, title, why string
		s                *scene
	}{
		{"itself", "Null pointer", "", crashAt(t, movStore).reg(cpu.RAX, 0)},
		{"a field", "Null pointer + 0x10", "The address is 0x10 away from null: most likely a field or an element of an object that is not there.", load(t, 0x10)},
		{"in front", "Null pointer - 0x8", "The address is 0x8 away from null: most likely a field or an element of an object that is not there.",
			crashAt(t, "48 8b 43 f8").reg(cpu.RBX, 0).fault(^uint64(7))},
		{"a small number", "Null pointer + 0x20", "So low an address is most likely an offset from a null pointer, or a small number used as a pointer.",
			crashAt(t, movStore).reg(cpu.RAX, 0x20).fault(0x20)},
		{"a call", "Null pointer + 0x20", "So low an address is most likely an offset from a null pointer, or a small number used as a pointer.",
			crashAt(t, "").reg(cpu.RIP, 0x20).fault(0x20).stackUnknown(0x20).add("caller")},
	}
	for _, tt := range tests {
		f := Analyze(tt.s.Input).Findings[0]
		if f.Text != tt.title || tt.why != "" && f.Evidence[1] != tt.why || tt.why == "" && len(f.Evidence) > 1 {
			t.Errorf("%s:\n got %s: %q\nwant %s: %s", tt.name, f.Text, f.Evidence, tt.title, tt.why)
		}
	}
}

// A non-canonical address is known to the instruction alone: the processor does not report it.
func TestNonCanonical(t *testing.T) {
	const bad = 0x1234_5678_9abc_def0
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"the first one above the user's half", "non_canonical! 0.95", crashAt(t, movStore).reg(cpu.RAX, 0x8000_0000_0000).gpf()},
		{"the last one below it is canonical", "unmapped! 1.00", store(t, 0x7fff_ffff_fffc)},
		{"the last one below the kernel's half", "non_canonical! 0.95", crashAt(t, movStore).reg(cpu.RAX, 0xffff_7fff_ffff_ffff).gpf()},
		{"the first one of the kernel's half", "unmapped! 1.00", store(t, 0xffff_8000_0000_0000)},
		{"the address is not known", "non_canonical! 0.90", crashAt(t, movStore).gpf()},
		{"and the signal was sent", "signal_from_outside! 1.00", crashAt(t, movStore).gpf().fault(77|1000<<32).raise("linux", sigSEGV, siTkill)},
		{"a privileged instruction", "illegal_instruction! 1.00", crashAt(t, "f4").gpf()},
		{"SI_KERNEL with an address is no general protection fault", "unmapped! 1.00", load(t, 0x9000_0000).raise("linux", sigSEGV, siKernel)},
		{"of SIGBUS", "non_canonical! 0.90", crashAt(t, movStore).raise("linux", sigBUS, siKernel)},
		{"macOS", "non_canonical! 0.90", crashAt(t, movStore).raise("mac", excBadAccess, i386GPFault)},
		{"Windows: a read of -1", "non_canonical! 0.90", crashAt(t, movStore).windows(0, ^uint64(0))},
		{"Windows: a write of -1 is one", "unmapped! 1.00", crashAt(t, movStore).reg(cpu.RAX, ^uint64(0)).windows(1, ^uint64(0))},
		{"poison explains more", "poison! 0.90", crashAt(t, movStore).reg(cpu.RAX, 0xdddd_dddd_dddd_dddd).gpf()},
		{"text explains more", "text_as_pointer! 0.90", crashAt(t, movStore).reg(cpu.RAX, 0x6172_7473_2074_6f6e).gpf()},
		{"arm64 has other addresses", "unmapped! 1.00", crashAt(t, "01 08 40 f9").on(&cpu.ARM64).reg(0, bad-0x10).fault(bad)},
	}
	for _, tt := range tests {
		if got, _, _ := strings.Cut(found(t, tt.s), ","); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A wrong alignment is a fact where the system tells it. Elsewhere it needs an instruction that
// requires one, and a general protection fault.
func TestMisaligned(t *testing.T) {
	const movaps, movups = "0f 29 00", "0f 11 00" // movaps/movups xmmword [rax], xmm0
	const yes = "misaligned! 0.95"
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"movaps at an odd multiple of 8", yes, crashAt(t, movaps).reg(cpu.RAX, heapBase+8).gpf()},
		{"movaps at a multiple of 16: another reason", "non_canonical! 0.50", crashAt(t, movaps).reg(cpu.RAX, heapBase+0x10).gpf()},
		{"movups needs no alignment", "non_canonical! 0.50", crashAt(t, movups).reg(cpu.RAX, heapBase+8).gpf()},
		{"movaps, whose register is not known", "non_canonical! 0.50", crashAt(t, movaps).gpf()},
		{"movaps at an unmapped address: the page fault comes first", "unmapped! 1.00", crashAt(t, movaps).reg(cpu.RAX, 0x9000_0008).fault(0x9000_0008)},
		{"movaps near null", "null_pointer! 0.80", crashAt(t, movaps).reg(cpu.RAX, 8).fault(8)},
		{"Windows reports a read of -1", yes, crashAt(t, movaps).reg(cpu.RAX, heapBase+8).windows(0, ^uint64(0))},
		{"BUS_ADRALN", "misaligned! 1.00", load(t, heapBase+1).raise("linux", sigBUS, busAdrAln)},
		{"the same number of SIGSEGV", "inconsistent 0.50", load(t, heapBase+1).raise("linux", sigSEGV, 1)},
		{"BUS_ADRALN of a signal that was sent", "signal_from_outside! 0.90", crashAt(t, movRegister).raise("linux", sigBUS, siUser).behindSyscall().fault(77)},
		{"EXCEPTION_DATATYPE_MISALIGNMENT", "misaligned! 1.00", load(t, heapBase+1).raise("windows", misaligned, 0)},
		{"its code on Linux is no signal of a fault", "signal_from_outside! 1.00", crashAt(t, "").raise("linux", misaligned, 0)},
		{"EXC_ARM_DA_ALIGN", "misaligned! 1.00", crashAt(t, "").on(&cpu.ARM64).fault(heapBase+1).raise("mac", excBadAccess, 0x101)},
		{"its code on x86", "", crashAt(t, "").fault(heapBase+1).raise("mac", excBadAccess, 0x101)},
		{"its code of another exception", "raised_exception! 1.00", crashAt(t, "").on(&cpu.ARM64).raise("mac", excSoftware, 0x101)},
		{"Fuchsia", "misaligned! 1.00", crashAt(t, "").fault(heapBase+1).raise("fuchsia", fuchsiaUnaligned, 0)},
	}
	for _, tt := range tests {
		if got, _, _ := strings.Cut(found(t, tt.s), ","); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
