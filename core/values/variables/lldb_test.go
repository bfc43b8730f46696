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
		{value: 1e6, want: "1000000"},
		{value: 1e7, want: "1.0E+7"},
		{value: 123456, want: "123456"},
		{value: 1200000, want: "1200000"},
		{value: 1e15, want: "1.0E+15"},
		{value: 1e21, want: "1.0E+21"},
		{value: 0.1, want: "0.10000000000000001"},
		{value: 0.01, want: "0.01"},
		{value: 0.0001, want: "0.0001"},
		{value: 0.00001, want: "0.000010000000000000001"},
		{value: 0.000001, want: "9.9999999999999995E-7"},
		{value: 1.23e-6, want: "0.0000012300000000000001"},
		{value: 1.5e-7, want: "1.4999999999999999E-7"},
		{value: 9007199254740993, want: "9007199254740992"},
		{value: 12345678901234567890, want: "1.2345678901234567E+19"},
		{value: -0.25, want: "-0.25"},
		{value: -1e-5, want: "-0.000010000000000000001"},
		{value: 5e-324, want: "4.9406564584124654E-324"},
		{value: math.MaxFloat64, want: "1.7976931348623157E+308"},
		{value: 1e8, single: true, want: "1.0E+8"},
		{value: 16777216, single: true, want: "16777216"},
		{value: 123456789, single: true, want: "123456792"},
		{value: 0.1, single: true, want: "0.100000001"},
		{value: 1e-6, single: true, want: "9.99999997E-7"},
		{value: 0.00012345, single: true, want: "0.000123449994"},
		{value: math.MaxFloat32, single: true, want: "3.40282347E+38"},
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
