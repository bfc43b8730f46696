package elfcore

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

// bigEndianCore is a core of mips with addresses of 32 bits: elf_prstatus has 72
// bytes before the registers, which begin with six unused words, and siginfo_t
// has its code before its errno.
//
// Source: Linux, include/uapi/linux/elfcore.h, arch/mips/include/asm/elf.h,
// arch/mips/include/uapi/asm/siginfo.h.
func bigEndianCore(t testing.TB) []byte {
	section := func() *asm.Section { return asm.At(0).BigEndian() }
	status := section().U32(11, 0, 0).U16(11, 0).U32(0, 0, 77, 1, 1, 1).Zeros(32).Zeros(6 * 4)
	for i := range uint32(32) {
		status.U32(0x1000 + i) // zero to ra
	}
	status.U32(1, 2, 0x40_0100).Zeros(4*4 + 4) // lo, hi, pc, badvaddr, status, cause, unused, pr_fpvalid
	notes := section()
	add := func(kind uint32, data []byte) {
		notes.U32(5, uint32(len(data)), kind).Text("CORE\x00\x00\x00\x00").Bytes(data).Align(4)
	}
	add(1, status.Build(t))
	add(0x5349_4749, section().U32(11, 1, 0, 0x18).Zeros(112).Build(t))
	add(0x4649_4c45, section().U32(1, 0x1000, 0x40_0000, 0x40_1000, 0).Text("/opt/demo\x00").Build(t))
	f := section().Text("\x7fELF\x01\x02\x01").Zeros(9).U16(4, 8).U32(1, 0, 52, 0, 0).U16(52, 32, 3, 0, 0, 0)
	f.U32(4).Ref32("notes").U32(0, 0, uint32(len(notes.Build(t))), 0, 0, 4)
	f.U32(1).Ref32("code").U32(0x40_0000, 0, 16, 0x1000, 5, 0x1000)
	f.U32(1).Ref32("stack").U32(0x101d, 0, 8, 8, 6, 0x1000)
	return f.Mark("notes").Bytes(notes.Build(t)).Mark("code").Zeros(16).Mark("stack").U32(0x40_0200, 5).Build(t)
}

func TestBigEndian(t *testing.T) {
	f := open(t, bigEndianCore(t))
	sys, _ := f.SystemInfo()
	threads, err := f.Threads()
	if err != nil || len(threads) != 1 || threads[0].ID != 77 {
		t.Fatalf("threads %+v, %v", threads, err)
	}
	ctx, err := f.Context(threads[0].Context, sys)
	if err != nil {
		t.Fatal(err)
	}
	arch := cpu.MIPS
	for name, want := range map[string]uint64{"pc": 0x40_0100, "sp": 0x101d, "ra": 0x101f, "lo": 1, "hi": 2} {
		if r, _ := arch.Reg(name); ctx.Regs.Value(r) != want {
			t.Errorf("%s is %#x, want %#x", name, ctx.Regs.Value(r), want)
		}
	}
	if x, err := f.Exception(); err != nil || x.Code != 11 || x.Flags != 1 || x.Address != 0x18 {
		t.Errorf("exception %+v, %v", x, err)
	}
	memory, _ := f.Memory()
	if v, ok := memory.Word(0x101d, 4); !ok || v != 0x40_0200 {
		t.Errorf("the stack has %#x, %v", v, ok)
	}
	if modules, _ := f.Modules(); len(modules) != 1 || modules[0].CodeFile != "/opt/demo" || !modules[0].ByName {
		t.Errorf("modules %+v", modules)
	}
	if n := defects(f.Process); len(n) != 0 {
		t.Errorf("notes %v", n)
	}
}

func TestBigEndianCutEverywhere(t *testing.T) {
	whole := bigEndianCore(t)
	for n := range whole {
		look(t, whole[:n])
	}
}

// Registers of sparc are in the order of its windows, and pc is behind psr. A core with addresses of 4
// bytes is of machine 2 (EM_SPARC), or 18 (EM_SPARC32PLUS) on a v9.
func TestSPARC(t *testing.T) {
	for _, machine := range []uint16{2, 18} {
		section := func() *asm.Section { return asm.At(0).BigEndian() }
		status := section().U32(11, 0, 0).U16(11, 0).U32(0, 0, 77, 1, 1, 1).Zeros(32)
		for i := range uint32(32) {
			status.U32(0x1000 + i) // g0 to i7
		}
		status.U32(0, 0x40_0100, 0x40_0104, 0, 0, 0, 0) // psr, pc, npc, y, wim, tbr, pr_fpvalid
		data := status.Build(t)
		notes := section().U32(5, uint32(len(data)), 1).Text("CORE\x00\x00\x00\x00").Bytes(data).Build(t)
		f := section().Text("\x7fELF\x01\x02\x01").Zeros(9).U16(4, machine).U32(1, 0, 52, 0, 0).U16(52, 32, 1, 0, 0, 0)
		s := open(t, f.U32(4).Ref32("notes").U32(0, 0, uint32(len(notes)), 0, 0, 4).Mark("notes").Bytes(notes).Build(t))
		sys, _ := s.SystemInfo()
		threads, _ := s.Threads()
		ctx, err := s.Context(threads[0].Context, sys)
		if err != nil {
			t.Fatal(err)
		}
		for r, want := range map[cpu.Reg]uint64{cpu.SPARCPC: 0x40_0100, cpu.SPARCNPC: 0x40_0104, cpu.SPARCSP: 0x100e, cpu.SPARCFP: 0x101e, cpu.SPARCI7: 0x101f} {
			if got := ctx.Regs.Value(r); got != want {
				t.Errorf("machine %d: %s is %#x, want %#x", machine, cpu.SPARC.RegName(r), got, want)
			}
		}
	}
}

// A program without known mappings covers its headers and its entry point.
func TestProgramUpToEntry(t *testing.T) {
	notes := asm.At(0)
	note(notes, "CORE", noteProcess, asm.At(0).Zeros(24).U32(1, 1, 2, 3).Text("demo").Zeros(12+80).Build(t))
	note(notes, "CORE", noteAuxv, asm.At(0).U64(auxPrograms, 0x40_0040, auxEntry, 0x40_1234, 0, 0).Build(t))
	data := notes.Build(t)
	s := asm.At(0).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(4, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, 1, 0, 0, 0)
	s.U32(4, 0).Ref("notes").U64(0, 0, uint64(len(data)), 0, 4).Mark("notes").Bytes(data)
	modules, _ := open(t, s.Build(t)).Modules()
	if len(modules) != 1 || modules[0].CodeFile != "demo" || modules[0].Base != 0x40_0000 || modules[0].Size != 0x2000 {
		t.Errorf("modules %+v", modules)
	}
}
