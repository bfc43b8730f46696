package variables

import (
	"encoding/binary"
	"math"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/values/types"
)

// Numbers as LLDB 19 writes them: expr -f float -- (double)1e7, and the same with (float). The cases
// lie on both sides of each rule of place: when zeros are added, when the point is inside of the
// digits, when it is before them, and when an exponent is needed.
func TestFloatsAsLLDB(t *testing.T) {
	for _, test := range []struct {
		value  float64
		single bool
		want   string
	}{
		{1e6, false, "1000000"},
		{1e7, false, "1.0E+7"},
		{123456, false, "123456"},
		{1200000, false, "1200000"},
		{1e15, false, "1.0E+15"},
		{1e21, false, "1.0E+21"},
		{0.1, false, "0.10000000000000001"},
		{0.01, false, "0.01"},
		{0.0001, false, "0.0001"},
		{0.00001, false, "0.000010000000000000001"},
		{0.000001, false, "9.9999999999999995E-7"},
		{1.23e-6, false, "0.0000012300000000000001"},
		{1.5e-7, false, "1.4999999999999999E-7"},
		{9007199254740993, false, "9007199254740992"},
		{12345678901234567890, false, "1.2345678901234567E+19"},
		{-0.25, false, "-0.25"},
		{-1e-5, false, "-0.000010000000000000001"},
		{5e-324, false, "4.9406564584124654E-324"},
		{math.MaxFloat64, false, "1.7976931348623157E+308"},
		{1e8, true, "1.0E+8"},
		{16777216, true, "16777216"},
		{123456789, true, "123456792"},
		{0.1, true, "0.100000001"},
		{1e-6, true, "9.99999997E-7"},
		{0.00012345, true, "0.000123449994"},
		{math.MaxFloat32, true, "3.40282347E+38"},
	} {
		of, bytes := double, words(math.Float64bits(test.value))
		if test.single {
			of, bytes = base(types.Float, "float", 4), binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(test.value)))
		}
		if got := read(frameOf(memory{0x100: bytes}, at("v", 0x100, of))); got != "v = "+test.want {
			t.Errorf("%g: %s, want %s", test.value, got, test.want)
		}
	}
}

// Formats of floats, by CPU, size and name. IEEE 754-2019, table 3.5; Intel SDM, volume 1, 4.2.2; a
// bfloat16 is the upper half of a float.
func TestFloatFormats(t *testing.T) {
	extended := append(words(0xa000_0000_0000_0000), 0xff, 0x3f)
	for name, test := range map[string]struct {
		arch  *cpu.Arch
		t     *types.Type
		bytes []byte
		want  string
	}{
		"x87 in 12 bytes":              {&cpu.X86, base(types.Float, "long double", 12), append(extended[:10:10], 0xee, 0xee), "1.25"},
		"x87 in 16 bytes on x86":       {&cpu.X86, base(types.Float, "long double", 16), append(extended[:10:10], make([]byte, 6)...), "1.25"},
		"binary128 of arm64":           {&cpu.ARM64, base(types.Float, "long double", 16), words(0, 0x3fff_4000_0000_0000), "1.25"},
		"binary128 by name on x86":     {&cpu.X86, base(types.Float, "__float128", 16), words(0, 0x3fff_4000_0000_0000), "1.25"},
		"two doubles of ppc":           {&cpu.PPC, base(types.Float, "long double", 16), words(0, 0x3ff4), "unreadable"},
		"Fortran on ppc64":             {&cpu.PPC64, base(types.Float, "real(kind=16)", 16), words(0, 0x3ff4), "unreadable"},
		"half":                         {&cpu.AMD64, base(types.Float, "_Float16", 2), []byte{0, 0x3d}, "1.25"},
		"bfloat":                       {&cpu.AMD64, base(types.Float, "__bf16", 2), []byte{0xa0, 0x3f}, "1.25"},
		"subnormal half":               {&cpu.AMD64, base(types.Float, "half", 2), []byte{1, 0}, "5.9605E-8"},
		"signaling":                    {&cpu.AMD64, double, words(0x7ff0_0000_0000_0001), "NaN"},
		"negative infinity":            {&cpu.AMD64, base(types.Float, "float", 4), []byte{0, 0, 0x80, 0xff}, "-Inf"},
		"x87 without its first bit":    {&cpu.AMD64, base(types.Float, "long double", 16), append(words(0x2000_0000_0000_0000), 0xff, 0x3f, 0, 0, 0, 0, 0, 0), "NaN"},
		"x87 zero":                     {&cpu.AMD64, base(types.Float, "long double", 16), make([]byte, 16), "0"},
		"three bytes":                  {&cpu.AMD64, base(types.Float, "odd", 3), []byte{1, 2, 3}, "unreadable"},
		"a complex of floats":          {&cpu.AMD64, base(types.Complex, "float _Complex", 8), words(0x4020_0000_3fa0_0000), "1.25 + 2.5i"},
		"a complex of nothing we know": {&cpu.AMD64, base(types.Complex, "odd _Complex", 6), make([]byte, 6), "unreadable"},
	} {
		f := frameOf(memory{0x100: test.bytes}, at("v", 0x100, test.t))
		f.Arch = test.arch
		want := "v = " + test.want
		if test.want == "unreadable" {
			want = "v <unreadable>"
		}
		if got := read(f); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
