package variables

import (
	"errors"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/values/types"
)

// A dimension may be known at run time only. One that is too large is damage.
type bound struct {
	n   uint64
	err error
}

func (b bound) Count(*Eval) (uint64, error) { return b.n, b.err }

// Arrays of several dimensions are arrays of rows.
func TestArrays(t *testing.T) {
	rows := &types.Type{Kind: types.Array, Elem: to(integer), Counts: []types.Count{{N: 2, Known: true}, {N: 2, Known: true}}}
	dynamic := func(b bound) *types.Type {
		return &types.Type{Kind: types.Array, Elem: to(integer), Counts: []types.Count{{Bound: b}}}
	}
	lines := &types.Type{Kind: types.Array, Elem: to(char), Counts: []types.Count{{N: 2, Known: true}, {N: 4, Known: true}}}
	bytes := array(base(types.Unsigned, "unsigned char", 1), 3)
	m := memory{0x100: words(2<<32|1, 4<<32|3), 0x200: []byte("one\x00two\x00"), 0x300: {'h', 'i', 0}}
	check(t, m, []library{
		{at("a", 0x100, rows), "a {[0] {[0] = 1, [1] = 2}, [1] {[0] = 3, [1] = 4}}"},
		{at("a", 0x100, dynamic(bound{n: 3})), "a {[0] = 1, [1] = 2, [2] = 3}"},
		{at("a", 0x100, dynamic(bound{n: 0})), "a"},
		{at("a", 0x100, dynamic(bound{n: 1 << 41})), "a <unreadable>"},
		{at("a", 0x100, dynamic(bound{err: errors.New("gone")})), "a <unreadable>"},
		{at("a", 0x100, &types.Type{Kind: types.Array, Elem: to(integer), Counts: []types.Count{{}}}), "a <unreadable>"}, // int a[]
		{at("a", 0x100, array(nil, 2)), "a <unreadable>"},
		{at("l", 0x200, lines), `l {[0] = "one", [1] = "two"}`},
		{at("b", 0x300, bytes), "b {[0] = 104, [1] = 105, [2] = 0}"},
		{at("b", 0x900, bytes), "b {[0] <not_captured>, [1] <not_captured>, [2] <not_captured>}"},
		{at("b", 0x900, array(integer, 2)), "b {[0] <not_captured>, [1] <not_captured>}"},
	})
	v := Read(frameOf(m, at("a", 0x100, array(integer, 4))), Limits{Elements: 3})[0].Values
	if got := shown(v); got != "a {[0] = 1, [1] = 2, [2] = 3} +1" {
		t.Errorf("a limit of elements: %s", got)
	}
}

// Characters of 1, 2 and 4 bytes, and what stands in their place.
func TestCharacters(t *testing.T) {
	wchar := base(types.Wide, "wchar_t", 4)
	char32 := base(types.Wide, "char32_t", 4)
	char8 := base(types.Char, "char8_t", 1)
	for _, tt := range []struct {
		bytes []byte
		t     *types.Type
		want  string
	}{
		{[]byte{0}, char, `'\0'`},
		{[]byte{7}, char, `'\a'`},
		{[]byte{27}, char, `'\e'`},
		{[]byte{0x7f}, char, `'\x7f'`},
		{[]byte{' '}, char, `' '`},
		{[]byte{'~'}, char, `'~'`},
		{[]byte{0x3d, 0xd8}, wide16, `u'\xd83d'`}, // half of a pair of surrogates
		{[]byte{0x00, 0xf6, 0x01, 0}, char32, "U'😀'"},
		{[]byte{0, 0, 0x11, 0}, char32, "1114112"}, // beyond Unicode
		{[]byte{0xff, 0xff, 0xff, 0xff}, wchar, "4294967295"},
		{[]byte{'\t', 0, 0, 0}, wchar, `L'\t'`},
		{[]byte{0x3d, 0xd8, 0x00, 0xde, 0, 0}, array(wide16, 3), `u"😀"`},
		{[]byte{0x3d, 0xd8, 'x', 0, 0, 0}, array(wide16, 3), "u\"\ufffdx\""},
		{[]byte{'x', 0, 0, 0, 0, 0, 0, 0}, array(wchar, 2), `L"x"`},
		{[]byte{0xff, 0xff, 0xff, 0xff, 'x', 0, 0, 0}, array(wchar, 2), `L"\Uffffffffx"`},
		{[]byte("é\n\"\\\x00"), array(char8, 6), `u8"é\n\"\\"`},
		{[]byte{'x', 0xc3}, array(char, 2), `"x\xc3"`},
		{[]byte{0xe2, 0x80, 0xae, 'x'}, array(char, 4), `"\U0000202ex"`}, // would write from right to left
	} {
		m := memory{0x100: append(tt.bytes, make([]byte, 4)...)}
		if got := read(frameOf(m, at("v", 0x100, tt.t))); got != "v = "+tt.want {
			t.Errorf("%s % x: %s, want %s", types.Spell(tt.t), tt.bytes, got, tt.want)
		}
	}
}

// A string that a pointer leads to ends at a zero, or where the dump ends.
func TestPointersToCharacters(t *testing.T) {
	m := memory{
		0x100:  words(0x1000, 0x1004, 0x1010, 0x2000, 0x9000, 0),
		0x1000: []byte("abc\x00de"),
		0x1010: []byte(strings.Repeat("x", maxText+10)),
		0x2000: {'h', 0, 0xe9, 0, 0, 0},
	}
	long := strings.Repeat("x", maxText)
	check(t, m, []library{
		{at("p", 0x100, pointer(char)), `p = 0x0000000000001000 "abc"`},
		{at("p", 0x108, pointer(char)), `p = 0x0000000000001004 "de"…`},
		{at("p", 0x110, pointer(char)), `p = 0x0000000000001010 "` + long + `"…`},
		{at("p", 0x118, pointer(wide16)), `p = 0x0000000000002000 u"hé"`},
		{at("p", 0x120, pointer(char)), "p = 0x0000000000009000"},
		{at("p", 0x128, pointer(char)), "p = 0x0000000000000000"},
	})
	f := frameOf(m, at("p", 0x100, pointer(nil)), at("f", 0x100, pointer(&types.Type{Kind: types.Function})))
	f.Describe = func(addr uint64) string { return map[uint64]string{0x1000: "run+0x4"}[addr] }
	if got := read(f); got != "p = 0x0000000000001000 (run+0x4), f = 0x0000000000001000 (run+0x4)" {
		t.Error(got)
	}
}

// Each language has its own word for a pointer to no object.
func TestNull(t *testing.T) {
	for language, want := range map[types.Language]string{
		types.C: "NULL", types.CPlusPlus: "nullptr", types.Go: "nil", types.ObjectiveC: "nil", types.Swift: "nil", types.Rust: "0x0000000000000000",
	} {
		p := pointer(structure("s", 4))
		p.Language = language
		if got := read(frameOf(memory{0x100: words(0)}, at("p", 0x100, p))); got != "p = "+want {
			t.Errorf("language %d: %s, want %s", language, got, want)
		}
	}
	void := base(types.Void, "decltype(nullptr)", 0)
	if got := read(frameOf(memory{0x100: words(7)}, at("n", 0x100, void))); got != "n = 0x0000000000000000" {
		t.Error(got)
	}
}

// Bit fields count from the least significant bit, or on big-endian CPUs from
// the most significant one.
func TestBitFields(t *testing.T) {
	unsigned := base(types.Unsigned, "unsigned", 4)
	word := structure("s", 4, bitsOf("a", 0, 4, unsigned), bitsOf("b", 4, 12, unsigned), bitsOf("c", 16, 16, integer))
	across := structure("s", 8, bitsOf("x", 6, 4, unsigned), bitsOf("all", 0, 64, base(types.Unsigned, "long", 8)), bitsOf("more", 0, 65, unsigned))
	of := words(0xffff_ffff_fedc_ba98)
	for _, tt := range []struct {
		f    *Context
		want string
	}{
		{frameOf(memory{0x100: of}, at("v", 0x100, word)), "v {a = 8, b = 2985, c = -292}"},
		{bigFrame(memory{0x100: of}, at("v", 0x100, word)), "v {a = 9, b = 2234, c = -8962}"},
		{frameOf(memory{0x100: of}, at("v", 0x100, across)), "v {x = 10, all = 18446744073690462872, more <unreadable>}"},
		{frameOf(memory{0x100: of[:1]}, at("v", 0x100, across)), "v {x <not_captured>, all <not_captured>, more <unreadable>}"},
	} {
		if got := read(tt.f); got != tt.want {
			t.Errorf("%s\nwant %s", got, tt.want)
		}
	}
}

// Numbers of a big-endian CPU, in memory and in registers.
func TestBigEndian(t *testing.T) {
	wide := base(types.Signed, "__int128", 16)
	m := memory{0x100: {0, 0, 1, 2, 0x40, 4, 0, 0, 0, 0, 0, 0}, 0x200: append(make([]byte, 15), 5), 0x300: {0, 'h', 0, 0xe9, 0, 0}}
	short := base(types.Signed, "short", 2)
	for _, tt := range []struct {
		v    Variable
		want string
	}{
		{at("v", 0x100, integer), "v = 258"},
		{at("v", 0x104, double), "v = 2.5"},
		{at("v", 0x200, wide), "v = 5"},
		{at("v", 0x300, array(wide16, 3)), `v = u"hé"`},
		{Variable{Name: "v", Type: to(integer), Rule: fixed{place: inRegister("$r31")}}, "v = 258"},
		{Variable{Name: "v", Type: to(short), Rule: fixed{place: inRegister("$r31")}}, "v = 258"}, // the least significant part
		{Variable{Name: "v", Type: to(short), Rule: fixed{place: Place{[]Piece{{Kind: InRegister, Reg: "$r31", Bits: 16, Partial: true}}}}}, "v = 258"},
	} {
		f := bigFrame(m, tt.v)
		reg, ok := cpu.PPC.Reg("$r31")
		if !ok {
			t.Fatal("no $r31")
		}
		f.Regs.Set(reg, 258)
		if got := read(f); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}

// Pieces need not begin or end at bytes, and may be larger than what they are in.
func TestOddPieces(t *testing.T) {
	unsigned := base(types.Unsigned, "unsigned", 4)
	bits := func(n, at uint64, b ...byte) Piece {
		return Piece{Kind: Constant, Bytes: b, Bits: n, BitsAt: at, Partial: true}
	}
	gone := Damaged("gone")
	for _, tt := range []struct {
		name   string
		pieces []Piece
		want   string
	}{
		{"nibbles", []Piece{bits(4, 0, 0xab), bits(4, 4, 0xab), bits(24, 0, 1, 0, 0)}, "v = 427"},
		{"the second byte of memory", []Piece{{Kind: InMemory, Addr: 0x100, Bits: 8, BitsAt: 8, Partial: true}, bits(24, 0, 0, 0, 0)}, "v = 34"},
		{"more than there is", []Piece{bits(32, 0, 1)}, "v <unreadable>"},
		{"behind the end", []Piece{bits(32, 8, 1, 2, 3, 4)}, "v <unreadable>"},
		{"one that says why", []Piece{{Why: gone, Bits: 32, Partial: true}}, "v <unreadable>"},
		{"a pointer that is not kept", []Piece{{Kind: ImplicitPointer, Bits: 32, Partial: true}}, "v <optimized_out>"},
		{"memory that is not there", []Piece{{Kind: InMemory, Addr: 0x900, Bits: 32, Partial: true}}, "v <not_captured>"},
		{"no end", []Piece{bits(1<<40, 0, 1), bits(1<<40, 0, 1)}, "v <unreadable>"},
	} {
		v := Variable{Name: "v", Type: to(unsigned), Rule: fixed{place: Place{tt.pieces}}}
		if got := read(frameOf(memory{0x100: {0x11, 0x22}}, v)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// The text of a place.
func TestLocations(t *testing.T) {
	half := func(p Piece) Piece { p.Bits, p.Partial = 32, true; return p }
	for want, place := range map[string]Place{
		"0x1f0":                                inMemory(0x1f0),
		"rbx":                                  inRegister("$rbx"),
		"constant":                             Const(nil),
		"points to what is not in memory":      {[]Piece{{Kind: ImplicitPointer}}},
		"32 bits: rbx, 32 bits: optimized out": {[]Piece{half(Piece{Kind: InRegister, Reg: "$rbx"}), half(Piece{})}},
		"":                                     {},
		strings.Repeat("constant, ", 9) + "…":  {[]Piece{8: {}, 20: {}}},
	} {
		for i := range place.Pieces {
			if len(place.Pieces) > 8 {
				place.Pieces[i].Kind = Constant
			}
		}
		if got := place.describe(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A pointer that was not kept may have a target that was: DWARF's
// DW_OP_implicit_pointer.
func TestImplicitPointers(t *testing.T) {
	kept := &Variable{Type: to(structure("s", 8, member("a", 0, integer), member("b", 4, integer))), Rule: fixed{place: Const(words(2<<32 | 1))}}
	lost := &Variable{Type: to(long), Rule: fixed{err: Gone("gone")}}
	loop := &Variable{Type: to(pointer(long))}
	loop.Rule = fixed{place: Place{[]Piece{{Kind: ImplicitPointer, Points: loop}}}}
	for _, tt := range []struct {
		name  string
		piece Piece
		want  string
	}{
		{"a structure", Piece{Points: kept}, "p <optimized_out> {* {a = 1, b = 2}}"},
		{"its second half", Piece{Points: kept, Offset: 4}, "p <optimized_out> {* {a = 2, b <unreadable>}}"},
		{"before it", Piece{Points: kept, Offset: -4}, "p <optimized_out>"},
		{"nothing", Piece{}, "p <optimized_out>"},
		{"what was not kept either", Piece{Points: lost}, "p <optimized_out>"},
		{"what has no place", Piece{Points: &Variable{Type: to(long)}}, "p <optimized_out>"},
		{"itself", Piece{Points: loop}, "p <optimized_out> {* <optimized_out> {* <optimized_out> {* <optimized_out> {* <optimized_out>}}}}"},
	} {
		tt.piece.Kind = ImplicitPointer
		v := Variable{Name: "p", Type: to(pointer(kept.Type.Get())), Rule: fixed{place: Place{[]Piece{tt.piece}}}}
		if got := read(frameOf(nil, v)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Enumerators, and combinations of those that are flags.
func TestEnumerators(t *testing.T) {
	enum := func(elem *types.Type, names ...types.Enumerator) *types.Type {
		return &types.Type{Kind: types.Enum, Name: "E", Size: 4, Sized: true, Elem: to(elem), Enumerators: names}
	}
	all := make([]types.Enumerator, 32)
	for i := range all {
		all[i] = types.Enumerator{Name: "f", Value: 1 << i}
	}
	plain := []types.Enumerator{{Name: "three", Value: 3}, {Name: "five", Value: 5}}
	flags := []types.Enumerator{{Name: "a", Value: 1}, {Name: "b", Value: 1 << 31}}
	for _, tt := range []struct {
		n    uint64
		t    *types.Type
		want string
	}{
		{3, enum(nil, plain...), "three"},
		{7, enum(nil, plain...), "7"}, // no flags: 3 and 5 are no single bits
		{0xffff_ffff, enum(integer, plain...), "-1"},
		{0xffff_ffff, enum(uint32T, plain...), "4294967295"},
		{0x8000_0001, enum(uint32T, flags...), "a | b"},
		{0, enum(uint32T, flags...), "0x0"}, // none of them
		{0x10, enum(uint32T, flags...), "0x10"},
		{0xffff_ffff, enum(uint32T, all...), "4294967295"}, // too many names to read
		{7, enum(uint32T), "7"},
	} {
		if got := read(frameOf(memory{0x100: words(tt.n)}, at("v", 0x100, tt.t))); got != "v = "+tt.want {
			t.Errorf("%#x: %s, want %s", tt.n, got, tt.want)
		}
	}
}

// An enumeration is one of flags if each enumerator is a single bit, or has only bits of the ones
// before it. Names with more bits come first. The texts are those of LLDB 19 (target variable) for
// programs of clang 14.
func TestFlagsAsLLDB(t *testing.T) {
	enum := func(elem *types.Type, size uint64, names ...types.Enumerator) *types.Type {
		return &types.Type{Kind: types.Enum, Name: "E", Size: size, Sized: true, Elem: to(elem), Enumerators: names}
	}
	is := func(name string, v int64) types.Enumerator { return types.Enumerator{Name: name, Value: v} }
	int8T, uint8T := base(types.Signed, "signed char", 1), base(types.Unsigned, "unsigned char", 1)
	single := enum(uint32T, 4, is("a", 1), is("b", 2), is("c", 4), is("d", 1<<8))
	both := enum(uint32T, 4, is("none", 0), is("g1", 1), is("g2", 2), is("both", 3), is("g4", 4))
	pairs := enum(uint32T, 4, is("q1", 1), is("q2", 2), is("q4", 4), is("q3", 3), is("q6", 6), is("q5", 5))
	for _, test := range []struct {
		n    uint64
		t    *types.Type
		want string
	}{
		{6, single, "b | c"},
		{0x107, single, "a | b | c | d"},
		{0, single, "0x0"},
		{0x18, single, "0x18"},
		{0xffff_fffc, enum(uint32T, 4, is("n1", 1), is("n2", 2)), "0xfffffffc"},
		{0xffff_ffff, enum(uint32T, 4, is("n1", 1), is("n2", 2)), "n1 | n2 | 0xfffffffc"},
		{0x8000_0001, enum(uint32T, 4, is("n1", 1), is("n2", 2)), "n1 | 0x80000000"},
		{7, both, "both | g4"},
		{3, both, "both"},
		{6, both, "g2 | g4"},
		{0, both, "none"},
		{15, both, "both | g4 | 0x8"},
		{7, pairs, "q3 | q4"}, // of names with as many bits, the first one
		{15, pairs, "q3 | q4 | 0x8"},
		{3, enum(uint32T, 4, is("both", 3), is("h1", 1), is("h2", 2)), "both"},
		{7, enum(uint32T, 4, is("both", 3), is("h1", 1), is("h4", 4)), "7"}, // both comes before its bits
		{9, enum(uint32T, 4, is("l1", 1), is("l6", 6), is("l8", 8)), "9"},
		{7, enum(uint32T, 4, is("p1", 1), is("p2", 2), is("p6", 6), is("p4", 4)), "7"},
		{0xff, enum(int8T, 1, is("m1", -1), is("p1", 1), is("p2", 2)), "m1"},
		{3, enum(int8T, 1, is("m1", -1), is("p1", 1), is("p2", 2)), "3"},
		{0xfe, enum(int8T, 1, is("m1", -1), is("p1", 1), is("p2", 2)), "-2"},
		{7, enum(uint8T, 1), "7"}, // std::byte
		{0xf9, enum(int8T, 1), "-7"},
	} {
		if got := read(frameOf(memory{0x100: words(test.n)}, at("v", 0x100, test.t))); got != "v = "+test.want {
			t.Errorf("%#x: %s, want %s", test.n, got, test.want)
		}
	}
}
