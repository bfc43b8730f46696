package minidump

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// extended is a context of Windows with XMM3 and extended state, at the offset that it has with
// AVX-512, or with other values.
func extended(t *testing.T, legacy int32, from, size uint32, inUse uint64) []byte {
	context := slices.Clone(withFlags(t, dump.New(), dump.AMD64, 0x10_004f)[:1232])
	copy(context[256+160+3*16:], []byte("lowerlowerlower!"))
	s := asm.At(0).Bytes(context)
	s.U32(uint32(legacy), 2000, uint32(legacy), 1232, from, size) // CONTEXT_EX
	s.Zeros(0xf0-24).U64(inUse, 0).Zeros(48)
	return s.Zeros(3 * 16).Text("UPPERUPPERUPPER!").Zeros(12*16 + 500).Build(t)
}

// compacted has an XCOMP_BV, the mask of the components that have space.
func compacted(context []byte, components uint64) []byte {
	binary.LittleEndian.PutUint64(context[1232+0xf0+8:], components)
	return context
}

func TestUpperHalves(t *testing.T) {
	both, lower := "lowerlowerlower!UPPERUPPERUPPER!", "lowerlowerlower!"
	for _, c := range []struct {
		name       string
		data       []byte
		xmm3, ymm3 string
	}{
		{"in use", extended(t, -1232, 0xf0, 820, 7), both, both},
		{"not in use", extended(t, -1232, 0xf0, 820, 3), lower, ""},
		{"compacted", compacted(extended(t, -1232, 0xf0, 820, 7), 1<<63|7), both, both},
		{"compacted without it", compacted(extended(t, -1232, 0xf0, 820, 7), 1<<63|3), lower, ""},
		{"too short", extended(t, -1232, 0xf0, 319, 7), lower, ""},
		{"behind the end", extended(t, -1232, 0xf0, 821, 7), lower, ""},
		{"far behind the end", extended(t, -1232, 0xffff_fff0, 320, 7), lower, ""},
		{"in CONTEXT_EX", extended(t, -1232, 8, 320, 7), lower, ""},
		{"of another context", extended(t, -716, 0xf0, 820, 7), lower, ""},
		{"no extended state", extended(t, -1232, 0xf0, 820, 7)[:1232+23], lower, ""},
	} {
		ctx, err := DecodeContext(c.data, binary.LittleEndian, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, _ := ctx.Float("$xmm3")
		y, ok := ctx.Float("ymm3")
		if string(x) != c.xmm3 || ok && string(y) != c.ymm3 || ok != (c.ymm3 != "") {
			t.Errorf("%s: %q, %q, %t", c.name, x, y, ok)
		}
	}
}

// Upper halves that are written are read back.
func TestWithExtended(t *testing.T) {
	for _, l := range []*cpu.Layout{&cpu.ContextAMD64, &cpu.ContextX86} {
		halves := make([]byte, 256)
		for i := range halves {
			halves[i] = byte(i / 16)
		}
		data := WithExtended(l, l.Encode(&cpu.Regs{}, 0x2f, binary.LittleEndian), halves, 0)
		ctx, err := DecodeContext(data, binary.LittleEndian, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range []int{0, 7} {
			if y, ok := ctx.Float(fmt.Sprintf("ymm%d", i)); !ok || !bytes.Equal(y[16:], bytes.Repeat([]byte{byte(i)}, 16)) {
				t.Errorf("%s, ymm%d: % x, %t", l.Name, i, y, ok)
			}
		}
	}
}

// The shadow stack pointer lies behind the components that have space, and is written and read back. In the standard form it has no place.
func TestShadowPointer(t *testing.T) {
	const at = 0xcb_c83f_efc8
	context := func(inUse, room uint64, before int) []byte {
		l := &cpu.ContextAMD64
		s := asm.At(0).Bytes(l.Encode(&cpu.Regs{}, 0x5f, binary.LittleEndian)).U32(uint32(1<<32-l.Size), 2000, uint32(1<<32-l.Size), 1232, 24, uint32(64+before+16))
		return s.U64(inUse, room).Zeros(48).Zeros(before).U64(1, at).Build(t)
	}
	const cet, compact = 1 << 11, 1 << 63
	for name, c := range map[string]struct {
		data []byte
		want uint64
	}{
		"alone":                    {context(cet, compact|cet, 0), at},
		"behind ymm":               {context(cet|7, compact|cet|7, 256), at},
		"behind AVX-512 and PKRU":  {context(cet, compact|cet|0x2e4, 256+64+512+1024+8), at},
		"cut":                      {context(cet, compact|cet|7, 0), 0},
		"not in use":               {context(7, compact|cet|7, 256), 0},
		"without space":            {context(cet, compact|7, 256), 0},
		"in the standard form":     {context(cet|7, 0, 256), 0},
		"written, with ymm":        {WithExtended(&cpu.ContextAMD64, make([]byte, cpu.ContextAMD64.Size), make([]byte, 256), at), at},
		"written":                  {WithExtended(&cpu.ContextAMD64, make([]byte, cpu.ContextAMD64.Size), nil, at), at},
		"nothing that was written": {WithExtended(&cpu.ContextAMD64, make([]byte, cpu.ContextAMD64.Size), nil, 0), 0},
	} {
		binary.LittleEndian.PutUint32(c.data[cpu.ContextAMD64.FlagsAt:], binary.LittleEndian.Uint32(c.data[cpu.ContextAMD64.FlagsAt:])|0x10_0000)
		ctx, err := DecodeContext(c.data, binary.LittleEndian, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := ctx.Registers().Shadow; got != c.want {
			t.Errorf("%s: %#x, want %#x", name, got, c.want)
		}
		scrubbed, _ := ctx.Scrubbed(nil)
		again, err := DecodeContext(scrubbed, binary.LittleEndian, nil)
		if err != nil || again.Registers().Shadow != c.want {
			t.Errorf("%s: scrubbed %#x (%v), want %#x", name, again.Registers().Shadow, err, c.want)
		}
	}
}
