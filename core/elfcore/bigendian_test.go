package elfcore

import (
	"testing"

	"crashglass/core/cpu"
	"crashglass/core/testkit/asm"
)

// bigEndianCore is a core of mips with addresses of 32 bits: elf_prstatus has 72
// bytes before the registers, of which six are unused words, and siginfo_t has
// its code before its errno.
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
	if n := f.Origin.Notes; len(n) != 0 {
		t.Errorf("notes %v", n)
	}
}

func TestBigEndianCutEverywhere(t *testing.T) {
	whole := bigEndianCore(t)
	for n := range whole {
		look(t, whole[:n])
	}
}
