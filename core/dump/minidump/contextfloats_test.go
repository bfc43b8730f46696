package minidump

import (
	"encoding/binary"
	"slices"
	"testing"

	"crashglass/core/testkit/dump"
)

func TestFloat(t *testing.T) {
	le := dump.New()
	filled := func(processor uint16, flags uint64, at int, bytes ...byte) []byte {
		data := slices.Grow(withFlags(t, le, processor, flags), 2048)
		data = data[:max(len(data), 716)]
		copy(data[at:], bytes)
		return data
	}
	for _, test := range []struct {
		name string
		data []byte
		reg  string
		want byte // the first of the register; 0 for one that is not there
		size int
	}{
		{"xmm2 of amd64", filled(dump.AMD64, 0x10_000f, 256+160+32, 7), "$xmm2", 7, 16},
		{"st1 of amd64", filled(dump.AMD64, 0x10_000f, 256+32+16, 7), "$st1", 7, 10},
		{"without the group", filled(dump.AMD64, 0x10_0007, 256+160+32, 7), "$xmm2", 0, 0},
		{"no such register", filled(dump.AMD64, 0x10_000f, 256+160+32, 7), "$xmm16", 0, 0},
		{"cut", filled(dump.AMD64, 0x10_000f, 256+160+32, 7)[:256+160+32+15], "$xmm2", 0, 0},
		{"xmm1 of x86", filled(dump.X86, 0x1_003f, 204+160+16, 7), "$xmm1", 7, 16},
		{"st0 of x86 by FSAVE", filled(dump.X86, 0x1_000f, 56, 7), "$st0", 7, 10},
		{"v31 of arm64", filled(dump.ARM64, 0x40_0007, 272+31*16, 7), "v31", 7, 16},
		{"d3 of arm", filled(dump.ARM, 0x4000_0006, 80+24, 7), "d3", 7, 8},
		{"no register of ours", filled(dump.ARM, 0x4000_0006, 80+24, 7), "q3", 0, 0},
	} {
		ctx, err := DecodeContext(test.data, binary.LittleEndian, nil)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		b, ok := ctx.Float(test.reg)
		if ok != (test.size > 0) || len(b) != test.size || ok && b[0] != test.want {
			t.Errorf("%s: % x, %t", test.name, b, ok)
		}
	}
}
