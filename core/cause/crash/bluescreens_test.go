package crash

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// The most frequent bug checks with typical parameters, as they are told. The file is the expectation: read all of it aloud.
func TestBlueScreens(t *testing.T) {
	const object, status = 0xffff_a60f_1234_5000, 0xc000_0005
	pc := uint64(widgetBase + 0x1010)
	var b strings.Builder
	for _, tt := range []struct {
		code   uint32
		params [4]uint64
	}{
		{0x0a, [4]uint64{0x28, 2, 1, ntBase + 0x10}}, {0x18, [4]uint64{object, object + 0x40, 2, 0}}, {0x19, [4]uint64{0x20, object, object + 0x100, 0x410_0010}},
		{0x1a, [4]uint64{0x41792, object, 0x8000, 0}}, {0x1a, [4]uint64{0x61941, 0x1000, 0xd, object}}, {0x1a, [4]uint64{0x8886, object, object, 0x500}},
		{0x1e, [4]uint64{status, pc, 0, 0x28}}, {0x24, [4]uint64{0xb500190645, object, object, 0}}, {0x3b, [4]uint64{status, pc, object, 0}},
		{0x4e, [4]uint64{0x99, 0x1234, 2, 0}}, {0x50, [4]uint64{object, 2, pc, 2}}, {0x77, [4]uint64{0xc000_000e, 0xc000_000e, 0, 0x2000}},
		{0x7a, [4]uint64{1, 0xc000_0185, object, object}}, {0x7a, [4]uint64{object, 0xc000_000e, 0x8000, object}}, {0x7b, [4]uint64{object, 0xc000_0034, 0, 0}},
		{0x7e, [4]uint64{status, pc, object, object}}, {0x7f, [4]uint64{8, object, object, pc}}, {0x9f, [4]uint64{3, object, object, object}},
		{0x9f, [4]uint64{4, 300, object, object}}, {0xa0, [4]uint64{0xf, 4, 3, object}}, {0xbe, [4]uint64{object, 0x8000, object, 0xa}},
		{0xc1, [4]uint64{object, object + 8, 0, 0x24}}, {0xc2, [4]uint64{7, 0, 0x410_0010, object}}, {0xc2, [4]uint64{0xa, object, 0x6765_5457, 0x2073_6446}},
		{0xc4, [4]uint64{0x40, 2, object, 0}}, {0xc4, [4]uint64{0x62, object, object, 3}}, {0xc4, [4]uint64{0x20005, object, 0, 0}}, {0xc5, [4]uint64{8, 2, 0, pc}},
		{0xc9, [4]uint64{0x226, pc, object, 0}}, {0xd1, [4]uint64{0x28, 2, 8, pc}}, {0xd5, [4]uint64{object, 0, pc, 0}}, {0xd8, [4]uint64{object, 0x2000, 0, 0x8000}},
		{0xe2, [4]uint64{}}, {0xe6, [4]uint64{0x26, object, 0xfee0_0000, 6}}, {0xef, [4]uint64{object, 0, 0, 0}}, {0xf4, [4]uint64{3, object, object, object}},
		{0xf7, [4]uint64{1, 2, 0xffff_ffff_ffff_fffd, 0}}, {0xfc, [4]uint64{object, 0x8000, object, 0}}, {0xfe, [4]uint64{5, object, 0x8086_1e26, object}},
		{0x101, [4]uint64{0x18, 0, object, 3}}, {0x109, [4]uint64{0xa3a0, 0xb3b7, object, 0x17}}, {0x109, [4]uint64{0xa3a0, 0xb3b7, object, 1}},
		{0x10d, [4]uint64{5, object, 0x1202, object}}, {0x10e, [4]uint64{0x33, object, object, object}}, {0x113, [4]uint64{0x19, 2, 0x10de, 0x1180}},
		{0x116, [4]uint64{object, pc, 0xc000_009a, 4}}, {0x117, [4]uint64{object, pc, 0, 0}}, {0x119, [4]uint64{2, 0xc000_000d, object, object}},
		{0x124, [4]uint64{0, object, 0xb200_0000, 0x0000_0175}}, {0x124, [4]uint64{4, object, 0, 0}}, {0x12b, [4]uint64{0xc000_02c4, 0x800, object, object}},
		{0x133, [4]uint64{0, 0x501, 0x500, object}}, {0x133, [4]uint64{1, 0x1e00, object, 0}}, {0x139, [4]uint64{3, object, object, 0}}, {0x13a, [4]uint64{0x12, object, object, 0}},
		{0x141, [4]uint64{object, pc, 0, 0}}, {0x144, [4]uint64{0x1001, object, 0, 0}}, {0x154, [4]uint64{object, object, 0, 0}}, {0x15f, [4]uint64{1, 2, 3, 4}},
		{0x161, [4]uint64{0x5461_736b_6d67_72, 0, 0, 0}}, {0x18b, [4]uint64{0x19c, object, 0, 0}}, {0x192, [4]uint64{object, object, 2, 0}}, {0x193, [4]uint64{0x80e, object, object, 0}},
		{0x1c7, [4]uint64{0, object, 0x1234, 0x5678}}, {0x1c8, [4]uint64{0x1b58, object, 0, 0}}, {0x1ca, [4]uint64{1, 2, 3, 4}}, {0x1d5, [4]uint64{0x7674_6e49_6275_6873, object, object, 0x493e0}},
		{0x20001, [4]uint64{0x11, 0x21, 0x1003, 0xffffe}}, {0x1000_007e, [4]uint64{status, pc, object, object}}, {0xc000_021a, [4]uint64{object, 0xc000_0005, 0, 0}},
	} {
		in := kernelInput(tt.code, tt.params, "ntoskrnl.exe")
		a := Analyze(in)
		v := Verdict(in, a)
		var words []string
		for _, p := range a.Parameters {
			words = append(words, p.Meaning)
		}
		detail, _, _ := strings.Cut(v.Detail, " Which driver is to blame")
		fmt.Fprintf(&b, "%s\n    %s\n    parameters: %s\n", v.What, detail, strings.TrimRight(strings.Join(words, " | "), " |"))
	}
	golden(t, filepath.Join("testdata", "bluescreens.txt"), b.String())
}
