package elfcore

import (
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/corefile"
)

// vectors is a core of one thread whose note has ymm2.
func vectors(t *testing.T, enabled, inUse uint64) []byte {
	notes := asm.At(0)
	note(notes, "CORE", 1, corefile.Status(t, 0x1234, 11, 0x40_1010, 0x7fff_e100))
	area := asm.At(0).Zeros(160+2*16).Text("lowerlowerlower!").Zeros(464-160-3*16).U64(enabled).Zeros(40).U64(inUse, 0).Zeros(48)
	area.Zeros(2 * 16).Text("UPPERUPPERUPPER!").Zeros(13*16 + 64)
	notes.U32(6, uint32(len(area.Build(t))), 0x202).Text("LINUX\x00\x00\x00").Bytes(area.Build(t))
	f := asm.At(0).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(4, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, 1, 0, 0, 0)
	f.U32(4, 0).Ref("notes").U64(0, 0, uint64(len(notes.Build(t))), 0, 4)
	return f.Mark("notes").Bytes(notes.Build(t)).Build(t)
}

func TestUpperHalves(t *testing.T) {
	for _, c := range []struct {
		name           string
		enabled, inUse uint64
		want           string
	}{
		{"in use", 7, 7, "lowerlowerlower!UPPERUPPERUPPER!"},
		{"initial", 7, 3, "lowerlowerlower!" + string(make([]byte, 16))},
		{"a CPU without", 3, 3, "lowerlowerlower!"},
	} {
		f := open(t, vectors(t, c.enabled, c.inUse))
		threads, err := f.Threads()
		if err != nil || len(threads) != 1 {
			t.Fatal(threads, err)
		}
		sys, _ := f.SystemInfo()
		ctx, err := f.Context(threads[0].Context, sys)
		if err != nil {
			t.Fatal(err)
		}
		if b, _ := ctx.Float("xmm2"); string(b) != c.want {
			t.Errorf("%s: %q, want %q", c.name, b, c.want)
		}
	}
}

// The notes of shadow stacks become the thread's pointer, and go into its context where that has a place.
func TestShadowNotes(t *testing.T) {
	for _, c := range []struct {
		name    string
		machine uint16
		kind    uint32
		note    []byte
		want    uint64
	}{
		{"x86-64", 62, 0x204, asm.At(0).U64(0x7f12_3456_7ff8).Build(t), 0x7f12_3456_7ff8},
		{"arm64", 183, 0x410, asm.At(0).U64(1, 0, 0xffff_8000_1ff0).Build(t), 0xffff_8000_1ff0},
		{"too short", 183, 0x410, asm.At(0).U64(1, 0).Build(t), 0},
	} {
		notes := asm.At(0)
		note(notes, "CORE", 1, make([]byte, 392))
		note(notes, "LINUX", c.kind, c.note)
		f := asm.At(0).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(4, c.machine).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, 1, 0, 0, 0)
		f.U32(4, 0).Ref("notes").U64(0, 0, uint64(len(notes.Build(t))), 0, 4)
		p := open(t, f.Mark("notes").Bytes(notes.Build(t)).Build(t)).Process
		if len(p.Threads) != 1 || p.Threads[0].Registers.Shadow != c.want {
			t.Errorf("%s: %d threads, shadow %#x, want %#x", c.name, len(p.Threads), p.Threads[0].Registers.Shadow, c.want)
		}
	}
}
