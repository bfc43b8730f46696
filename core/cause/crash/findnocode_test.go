package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
)

// Zeros and headers of files are executable, and no code: the access that failed there is a
// coincidence.
func TestNoCode(t *testing.T) {
	const elf, pe, macho32, macho64 = 0x464c_457f, 0x0000_0003_0090_5a4d, 0xfeed_face, 0xfeed_facf
	header := func(magic, offset uint64) *scene {
		s := crashAt(t, "").put(appBase, magic).reg(cpu.RIP, appBase+offset).reg(cpu.RBX, 0x9000_0000).fault(0x9000_0010)
		for i, b := range []byte{0x48, 0x8b, 0x43, 0x10} {
			s.bytes[appBase+offset+uint64(i)] = b
		}
		return s
	}
	zeros := func(s *scene, n int) *scene {
		for i := range n {
			s.bytes[codeAddr+uint64(i)] = 0
		}
		return s
	}
	const jump, unmapped = "bad_jump! 0.90", "unmapped! 1.00"
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"four zeros", jump, zeros(crashAt(t, "").reg(cpu.RAX, 0x9000_0000).fault(0x9000_0000), 4)},
		{"two zeros and code", unmapped, crashAt(t, "00 00 90 90").reg(cpu.RAX, 0x9000_0000).fault(0x9000_0000)},
		{"two zeros at the end of the captured code", unmapped, zeros(crashAt(t, "").reg(cpu.RAX, 0x9000_0000).fault(0x9000_0000), 2)},
		{"x86", jump, zeros(crashAt(t, "").on(&cpu.X86).reg(cpu.EAX, 0x9000_0000).fault(0x9000_0000), 4)},
		{"zeros of arm64 are udf, which accesses nothing", unmapped, zeros(crashAt(t, "").on(&cpu.ARM64).fault(0x9000_0000), 4)},
		{"no access failed", "divide_by_zero! 1.00", zeros(crashAt(t, ""), 4).raise("linux", sigFPE, fpeIntDiv)},
		{"the signal was sent", "signal_from_outside! 1.00", zeros(crashAt(t, ""), 4).raise("linux", sigSEGV, siTkill)},
		{"the stack has overflowed", "stack_overflow! 0.95", zeros(crashAt(t, ""), 4).reg(cpu.RAX, stackLow-8).reg(cpu.RSP, stackLow).fault(stackLow - 8)},
		{"ELF: its header and one program header", jump, header(elf, 0x53)},
		{"code may begin behind them", unmapped, header(elf, 0x54)},
		{"PE: up to the sections", jump, header(pe, 0x137)},
		{"behind them", unmapped, header(pe, 0x138)},
		{"Mach-O of 32 bits", jump, header(macho32, 0x53)},
		{"behind one segment of it", unmapped, header(macho32, 0x54)},
		{"Mach-O of 64 bits", jump, header(macho64, 0x67)},
		{"behind one segment of it, too", unmapped, header(macho64, 0x68)},
		{"the beginning of a file of another format", unmapped, header(0x1234_5678, 0x10)},
		{"the header was not captured", unmapped, header(elf, 0x53).with(func(in *Input) { delete(in.Memory.(*scene).bytes, appBase) })},
		{"in no module", unmapped, header(elf, 0x53).with(func(in *Input) { in.Modules = nil })},
	}
	for _, tt := range tests {
		if got, _, _ := strings.Cut(found(t, tt.s), ","); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	for want, s := range map[string]*scene{
		"Execution of a header. `mov rax, qword [rbx + 0x10]` reads 8 bytes at 0x90000010; rbx is 0x90000000. The program counter is in the header of app, 0x53 bytes behind its beginning, which has no code.": header(elf, 0x53),
		"Execution of zeros. `add byte [rax], al` reads and writes 1 byte at 0x10; rax is 0x10. " +
			"The bytes at the program counter are zeros, which x86 executes as this instruction: execution had already gone to a wrong place, or the code was overwritten.": zeros(crashAt(t, "").reg(cpu.RAX, 0x10).fault(0x10), 4),
	} {
		if got := said(t, s); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
	coincidence := func(s *scene) bool {
		e := Analyze(s.Input).Findings[0].Evidence
		return e[len(e)-1] == "The null pointer is a coincidence."
	}
	if !coincidence(zeros(crashAt(t, "").reg(cpu.RAX, 0xffff).fault(0xffff), 4)) || coincidence(zeros(crashAt(t, "").reg(cpu.RAX, 0x1_0000).fault(0x1_0000), 4)) {
		t.Error("only the first 64 KiB look like a null pointer")
	}
}
