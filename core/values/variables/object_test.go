package variables

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/values/types"
)

// Alignments decide where the value in a node is. System V ABI for i386, figure 2.1: double and long
// long have 4 in memory; System V ABI for amd64, figure 3.1: long double has 16; Microsoft's x86 has
// 8 for double ("x86 alignment": /Zp8).
func TestAlignments(t *testing.T) {
	long96 := base(types.Float, "long double", 12)
	long128 := base(types.Float, "long double", 16)
	static := structure("S", 2, member("a", 0, base(types.Signed, "short", 2)), types.Member{Name: "s", Static: true, Type: to(double)})
	for _, test := range []struct {
		name                  string
		t                     *types.Type
		amd64, linux, windows uint64
	}{
		{"a byte", char, 1, 1, 1},
		{"int", integer, 4, 4, 4},
		{"double", double, 8, 4, 8},
		{"long double of 12 bytes", long96, 8, 4, 8},
		{"long double of 16 bytes", long128, 16, 4, 16},
		{"a typedef", &types.Type{Kind: types.Typedef, Name: "T", Elem: to(double)}, 8, 4, 8},
		{"an array is as its elements", array(integer, 5), 4, 4, 4},
		{"a structure is as its largest member", structure("S", 16, member("a", 0, char), member("b", 8, double), member("c", 12, char)), 8, 4, 8},
		{"a static member is not in it", static, 2, 2, 2},
		{"a union", union(member("a", 0, char), member("b", 0, integer)), 4, 4, 4},
		{"nothing", structure("Empty", 1), 1, 1, 1},
		{"more than 16 bytes", base(types.Unsigned, "v32", 32), 16, 4, 16},
		{"no type", nil, 1, 1, 1},
	} {
		for _, on := range []struct {
			arch    *cpu.Arch
			windows bool
			want    uint64
		}{{arch: &cpu.AMD64, want: test.amd64}, {arch: &cpu.X86, want: test.linux}, {arch: &cpu.X86, windows: true, want: test.windows}} {
			o := &object{r: newReader(&Context{Frame: &process.Frame{}, Arch: on.arch, Windows: on.windows}, Limits{})}
			if got := o.align(test.t, into(8)); got != on.want {
				t.Errorf("%s on %s, Windows %v: %d, want %d", test.name, on.arch.Name, on.windows, got, on.want)
			}
		}
	}
	o := &object{r: newReader(&Context{Frame: &process.Frame{}, Arch: &cpu.AMD64}, Limits{})}
	for _, test := range []struct {
		off  uint64
		t    *types.Type
		want uint64
	}{{16, char, 16}, {17, integer, 20}, {20, integer, 20}, {20, double, 24}, {20, long128, 32}, {33, long128, 48}} {
		if got := o.behind(test.off, test.t); got != test.want {
			t.Errorf("%d behind %d: %d, want %d", sizeOf(test.t), test.off, got, test.want)
		}
	}
}

// A member is found by its name as C++ does it: the object's own ones hide those of bases, and an
// anonymous union's count as its own. Static members have no bytes in the object.
func TestFieldsByName(t *testing.T) {
	head := func(name string) types.Member { return baseOf(structure(name, 8, member("head", 0, long)), 24) }
	low := structure("Low", 16, member("x", 0, long), member("only", 8, long))
	anonymous := types.Member{Offset: 16, Type: to(union(member("in", 0, long)))}
	static := types.Member{Name: "only", Static: true, Type: to(integer)}
	class := structure("C", 32, baseOf(low, 0), static, member("x", 8, long), anonymous, head("Head<1UL, int>"))
	virtual := structure("V", 8, types.Member{Base: true, Virtual: true, Type: to(low)}, types.Member{Static: true, Type: to(low)})
	m := memory{0x100: words(1, 2, 3, 4)}
	object := func(t *types.Type, at uint64) *object {
		return &object{r: newReader(frameOf(m), Limits{}), v: view{memory: true, addr: at}, t: t}
	}
	for _, test := range []struct {
		name, path string
		t          *types.Type
		want       uint64 // 0 for none
	}{
		{"its own before that of a base", "x", class, 2},
		{"of a base, and not the static one", "only", class, 2},
		{"of an anonymous union", "in", class, 3},
		{"the first path that exists", "gone|in|x", class, 3},
		{"no path", "gone|x.y", class, 0},
		{"a base by its number", "#Head<1.head", class, 4},
		{"not a base with more digits", "#Head<.head", class, 0},
		{"another number", "#Head<11.head", class, 0},
		{"no base by its name", "Low.x", class, 0},
		{"of a virtual base", "x", virtual, 0},
	} {
		o := object(test.t, 0x100)
		o.r.eval = &Eval{Frame: o.r.frame, Evidence: &Evidence{}}
		if got, ok := o.number(test.path); got != test.want || ok != (test.want != 0) {
			t.Errorf("%s: %d, %v, want %d", test.name, got, ok, test.want)
		}
	}
}

// A template's type arguments are counted without its values: std::array<int, 4>, std::span<4, int>.
func TestTypeArguments(t *testing.T) {
	four := int64(4)
	o := &object{t: structure("T", 1)}
	o.t.Args = []types.Argument{{Value: &four}, {Type: to(integer)}, {Value: &four}, {Type: to(double)}}
	if o.arg(0) != integer || o.arg(1) != double || o.arg(2) != nil || (*object)(nil).arg(0) != nil || (&object{}).arg(0) != nil {
		t.Error(o.arg(0), o.arg(1), o.arg(2))
	}
}

// A count that is larger than memory, an end before the beginning, or a part of an element is damage:
// the members are shown as they are. Fixtures: std::vector of GNU's library.
func TestDamagedRanges(t *testing.T) {
	m := memory{0x1000: words(2<<32|1, 4<<32|3)}
	for _, test := range []struct {
		name           string
		from, to, room uint64
		want           string // "" for the members
	}{
		{"all of the room", 0x1000, 0x1010, 0x1010, "size=4"},
		{"nothing", 0x1000, 0x1000, 0x1000, "size=0"},
		{"nothing, without memory", 0, 0, 0, "size=0"},
		{"more than the room", 0x1000, 0x1010, 0x100c, "<inconsistent>"},
		{"an end before the beginning", 0x1004, 0x1000, 0x1010, "<inconsistent>"},
		{"a part of an element", 0x1000, 0x1006, 0x1010, "<inconsistent>"},
		{"not in the dump", 0x8000, 0x8004, 0x8004, ""},
		{"the second part is not in the dump", 0x1000, 0x1018, 0x1018, "size=6"},
		{"the longest", 0x1000, 0x1000 + maxStride, 0x1000 + maxStride, "size=274877906944"},
		{"more than memory", 0x1000, 0x1004 + maxStride, 0x1004 + maxStride, "<inconsistent>"},
	} {
		m[0x100] = words(test.from, test.to, test.room)
		v := Read(frameOf(m, at("v", 0x100, gnuVectorType(integer))), Limits{})[0].Values[0]
		if damaged := test.want == "<inconsistent>"; v.State == Inconsistent != damaged || !damaged && (v.Text != test.want || v.Said != (test.want != "")) {
			t.Errorf("%s: %s, want %s", test.name, shown([]*Value{v}), test.want)
		}
	}
}

// Strings are truncated at maxText bytes, and say so. One that is longer than memory, or whose first
// characters were not captured, is none.
func TestDamagedStrings(t *testing.T) {
	text := strings.Repeat("x", maxText)
	m := memory{0x1000: []byte(text + "yz"), 0x3000: []byte("ab")}
	for _, test := range []struct {
		name  string
		at, n uint64
		want  string
	}{
		{"as long as it may be", 0x1000, maxText, `s = "` + text + `"`},
		{"one more", 0x1000, maxText + 1, `s = "` + text + `"…`},
		{"nothing", 0x1000, 0, `s = ""`},
		{"nothing, where no memory is", 0x9000, 0, `s = ""`},
		{"up to the end of the dump", 0x3000, 2, `s = "ab"`},
		{"more than the dump has", 0x3000, 3, ""},
		{"more than memory", 0x1000, maxStride + 1, "<inconsistent>"},
		{"nil", 0, 0, ""},
	} {
		m[0x100] = words(test.at, test.n, 0, 0)
		got := read(frameOf(m, at("s", 0x100, gnuStringType())))
		if got != test.want && !(test.want == "" && strings.HasPrefix(got, "s {_M_dataplus")) && !(test.want != "" && strings.HasPrefix(got, "s "+test.want)) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
