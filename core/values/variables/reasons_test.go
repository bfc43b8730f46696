package variables

import (
	"testing"

	"crashglass/core/values/types"
)

// why returns the reason of the first unknown value among a value and its children.
func why(v *Value) string {
	if v.State != Known {
		return v.Why
	}
	for _, c := range v.Children {
		if text := why(c); text != "" {
			return text
		}
	}
	return ""
}

// Each reason for an unknown value, as a whole sentence.
func TestReasons(t *testing.T) {
	unsized := &types.Type{Kind: types.Signed, Name: "odd"}
	declared := &types.Type{Kind: types.Struct, Name: "X", Incomplete: true}
	open := array(integer, 3)
	open.Counts[0].Known = false
	rows := array(integer, 3)
	rows.Counts = append(rows.Counts, types.Count{})
	virtual := structure("D", 16, types.Member{Base: true, Virtual: true, Type: to(structure("V", 8, member("x", 0, integer)))})
	variants := func(discr *types.Type, list ...types.Variant) *types.Type {
		at := member("", 0, discr)
		return &types.Type{Kind: types.Struct, Name: "E", Size: 8, Sized: true, Variants: &types.Variants{Discr: &at, List: list}}
	}
	one := types.Variant{Values: []types.Range{{Low: 1, High: 1}}, Member: member("One", 0, structure("One", 0))}
	for _, test := range []struct {
		t    *types.Type
		want string
	}{
		{nil, "values of type void have no content"},
		{declared, "the type X is only declared in the debug information"},
		{unsized, "the size of type odd is not known"},
		{base(types.Unsigned, "huge", 65), "a value of 65 bytes"},
		{base(types.Float, "odd", 3), "floating point numbers of 3 bytes"},
		{&types.Type{Kind: types.Function, Name: "f"}, "a function has no value"},
		{open, "how many elements the array has is not in the debug information"},
		{&types.Type{Kind: types.Array, Elem: to(declared), Counts: open.Counts}, "how many elements the array has is not in the debug information"},
		{rows, "the array's rows have no size"},
		{structure("s", 8, bitsOf("b", 0, 65, size)), "a bit field of 65 bits"},
		{structure("s", 8, bitsOf("b", 0, 5, nil)), "a bit field of 5 bits"},
		{virtual, "where a virtual base is depends on what is not supported"},
		{variants(integer, one), "the discriminant 7 is of no variant"},
		{variants(unsized, one), "the discriminant's size is not known"},
		{variants(base(types.Unsigned, "u136", 17), one), "the discriminant's size is not known"},
		{structure("s", 0x10, member("x", 0x10, integer)), "memory at 0x110 is not in the dump"},
	} {
		v := Read(frameOf(memory{0x100: words(7, 0)}, at("v", 0x100, test.t)), Limits{})[0].Values[0]
		if got := why(v); got != test.want {
			t.Errorf("%s: %q, want %q", types.Spell(test.t), got, test.want)
		}
	}
}

// Reasons that lie in the place of a value.
func TestReasonsOfPlaces(t *testing.T) {
	part := func(p Piece, bits, from uint64) Piece { p.Bits, p.BitsAt, p.Partial = bits, from, true; return p }
	other := at("other", 0x100, long)
	for _, test := range []struct {
		name  string
		place Place
		t     *types.Type
		want  string
	}{
		{"a short constant", Const([]byte{1}), integer, "the place has 1 bytes, and the value 4 at 0"},
		{"behind a constant", Const(words(1)), structure("s", 16, member("x", 8, integer)), "the place has 8 bytes, and the value 4 at 8"},
		{"behind the pieces", Place{[]Piece{part(Piece{Kind: Constant, Bytes: words(1)}, 32, 0)}}, long, "this part of it was not kept"},
		{"a piece behind its bytes", Place{[]Piece{part(Piece{Kind: Constant, Bytes: words(1)}, 33, 32)}}, integer, "a piece of 33 bits at bit 32 of 8 bytes"},
		{"a piece that is nowhere", Place{[]Piece{part(Piece{}, 32, 0)}}, integer, "this part of it was not kept"},
		{"a piece with a reason", Place{[]Piece{part(Piece{Why: Gone("it moved")}, 32, 0)}}, integer, "it moved"},
		{"a piece in memory", Place{[]Piece{part(Piece{Kind: InMemory, Addr: 0x900}, 32, 0)}}, integer, "memory at 0x900 is not in the dump"},
		{"a piece that would point", Place{[]Piece{part(Piece{Kind: ImplicitPointer}, 64, 0)}}, size, "it points to a variable that is not in memory"},
		{"a number that would point", Place{[]Piece{{Kind: ImplicitPointer, Points: &other}}}, size, "it points to a variable that is not in memory"},
		{"a pointer that would point", Place{[]Piece{{Kind: ImplicitPointer, Points: &other}}}, pointer(long), "the pointer was not kept: what it points to is not in memory"},
		{"a pointer to nothing", Place{[]Piece{{Kind: ImplicitPointer}}}, pointer(long), "it points to what is not in memory"},
		{"a number in x87", inRegister("$st0"), size, "8 bytes of a register of x87, which holds a float of 10"},
		{"a register of a caller", inRegister("$rax"), integer, "it was in register $rax, which the functions that were called may have overwritten"},
	} {
		f := frameOf(memory{0x100: words(7)}, Variable{Name: "v", Type: to(test.t), Rule: fixed{place: test.place}})
		f.Vector = func(string) ([]byte, bool) { return make([]byte, 10), true }
		if got := why(Read(f, Limits{})[0].Values[0]); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	f := frameOf(nil, Variable{Name: "v", Type: to(integer), Rule: fixed{place: inRegister("$rax")}})
	f.Interrupted = true
	if got := why(Read(f, Limits{})[0].Values[0]); got != "register $rax is not in the dump" {
		t.Error(got)
	}
	if got := why(Read(frameOf(nil, Variable{Name: "v", Type: to(integer)}), Limits{})[0].Values[0]); got != "the debug information has no place for it" {
		t.Error(got)
	}
}

// Limits say what they omitted.
func TestReasonsOfLimits(t *testing.T) {
	inner := structure("I", 8, member("x", 0, integer), member("y", 4, integer))
	outer := structure("O", 16, member("a", 0, inner), member("b", 8, inner))
	m := memory{0x100: words(0x0000_0002_0000_0001, 0x0000_0004_0000_0003)}
	for _, test := range []struct {
		limits    Limits
		want, why string
	}{
		{Limits{Depth: 1}, "v {a <unreadable>, b <unreadable>}", "members are nested more than 1 deep"},
		{Limits{Depth: 2}, "v {a {x = 1, y = 2}, b {x = 3, y = 4}}", ""},
		{Limits{Values: 4}, "v {a {x = 1, y = 2}} +1", ""},
		{Limits{Values: 3}, "v {a {x = 1} +1} +1", ""},
		{Limits{Values: 1}, "v +2", ""},
		{Limits{Bytes: 8}, "v {a {x = 1, y = 2}, b {x <unreadable>, y <unreadable>}}", "more than 8 bytes of memory would be read for this frame"},
	} {
		v := Read(frameOf(m, at("v", 0x100, outer)), test.limits)[0].Values[0]
		if got := shown([]*Value{v}); got != test.want || why(v) != test.why {
			t.Errorf("%+v: %s (%s), want %s (%s)", test.limits, got, why(v), test.want, test.why)
		}
	}
	two := Read(frameOf(m, at("v", 0x100, long), at("w", 0x108, long)), Limits{Values: 1})[0].Values
	if got := shown(two); got != "v = 8589934593" {
		t.Error(got)
	}
}

// A structure shows what a user wrote: no static member, nothing that the compiler added, and no
// base class without content.
func TestMembersThatShow(t *testing.T) {
	empty := structure("Empty", 1)
	static := structure("OnlyStatic", 1, types.Member{Name: "s", Static: true, Type: to(integer)})
	vptr := types.Member{Name: "_vptr", Artificial: true, Type: to(pointer(nil))}
	nested := structure("EmptyBase", 1, types.Member{Base: true, Type: to(empty)}, vptr)
	full := structure("Full", 8, types.Member{Base: true, Type: to(empty)}, member("x", 0, integer))
	sum := &types.Type{Kind: types.Struct, Name: "Sum", Size: 4, Sized: true, Variants: &types.Variants{List: []types.Variant{{Member: member("V", 0, integer)}}}}
	asBase := func(t *types.Type) types.Member { return types.Member{Base: true, Type: to(t)} }
	either := types.Member{Type: to(union(member("i", 4, integer), member("f", 4, base(types.Float, "float", 4))))}
	class := structure("C", 16, asBase(empty), asBase(static), asBase(nested), asBase(full), vptr, asBase(sum),
		types.Member{Name: "count", Static: true, Type: to(integer)}, member("y", 4, integer), either)
	m := memory{0x100: words(0x3f80_0000_0000_0007, 0)}
	want := "v {Full {x = 7}, Sum = V, y = 1065353216,  {i = 1065353216, f = 1}}"
	if got := read(frameOf(m, at("v", 0x100, class))); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	declared := &types.Type{Kind: types.Struct, Name: "Declared", Incomplete: true}
	scalarBase := structure("S", 8, asBase(declared), asBase(integer))
	if got, want := read(frameOf(m, at("v", 0x100, scalarBase))), "v {Declared <unreadable>, int = 7}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Bit fields count from the lowest bit, and from the highest one in big-endian memory. DWARF 5,
// section 5.7.6, DW_AT_data_bit_offset.
func TestBitFieldsOfBothOrders(t *testing.T) {
	flags := &types.Type{Kind: types.Enum, Name: "F", Size: 4, Sized: true, Elem: to(integer), Enumerators: []types.Enumerator{{Name: "off", Value: 0}, {Name: "minus", Value: -1}}}
	fields := structure("B", 8,
		bitsOf("a", 0, 3, integer), bitsOf("b", 3, 9, uint32T), bitsOf("c", 12, 1, base(types.Bool, "bool", 1)),
		bitsOf("e", 13, 2, flags), bitsOf("long", 16, 48, size), bitsOf("named", 0, 3, &types.Type{Kind: types.Typedef, Name: "T", Elem: to(integer)}))
	little := memory{0x100: words(5 | 300<<3 | 1<<12 | 3<<13 | 0x1234_5678_9abc<<16)}
	if got, want := read(frameOf(little, at("v", 0x100, fields))), "v {a = -3, b = 300, c = true, e = minus, long = 20015998343868, named = -3}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// From the highest bit: 101, 100101100, 1, 11, and an unused bit; then 48 bits.
	big := memory{0x100: {0b1011_0010, 0b1100_1110, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc}}
	f := bigFrame(big, at("v", 0x100, fields))
	if got, want := read(f), "v {a = -3, b = 300, c = true, e = minus, long = 20015998343868, named = -3}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// The variant of an enumeration with data is the one with the discriminant's value, in as many bits
// as the discriminant has. A variant without values is the default. DWARF 5, section 5.7.10.
func TestVariantsOfDiscriminants(t *testing.T) {
	variant := func(name string, ranges ...types.Range) types.Variant {
		return types.Variant{Values: ranges, Member: member(name, 8, structure(name, 0))}
	}
	minus := types.Range{Low: ^uint64(0), High: ^uint64(0)} // -1, as DWARF writes it for any size
	of := func(discr *types.Type, list ...types.Variant) *types.Type {
		vs := &types.Variants{List: list}
		if discr != nil {
			at := member("", 0, discr)
			vs.Discr = &at
		}
		return &types.Type{Kind: types.Struct, Name: "E", Size: 16, Sized: true, Variants: vs}
	}
	i8, u16, u64 := base(types.Signed, "i8", 1), base(types.Unsigned, "u16", 2), base(types.Unsigned, "u64", 8)
	for name, test := range map[string]struct {
		t     *types.Type
		bytes []byte
		want  string
	}{
		"minus one of 8 bits":        {of(i8, variant("M", minus), variant("Other")), words(0x12ff), "M"},
		"not minus one":              {of(i8, variant("M", minus), variant("Other")), words(0xff01), "Other"},
		"in a range":                 {of(u16, variant("Low", types.Range{Low: 1, High: 5}), variant("High", types.Range{Low: 6, High: 0xffff})), words(5), "Low"},
		"above it":                   {of(u16, variant("Low", types.Range{Low: 1, High: 5}), variant("High", types.Range{Low: 6, High: 0xffff})), words(6), "High"},
		"one of two values":          {of(u16, variant("Two", types.Range{Low: 2, High: 2}, types.Range{Low: 9, High: 9}), variant("Rest")), words(9), "Two"},
		"a default that comes first": {of(u16, variant("Rest"), variant("Two", types.Range{Low: 2, High: 2})), words(2), "Two"},
		"64 bits":                    {of(u64, variant("Max", minus), variant("Rest")), words(^uint64(0)), "Max"},
		"no discriminant":            {of(nil, variant("Only")), words(7), "Only"},
	} {
		if got := read(frameOf(memory{0x100: append(test.bytes, make([]byte, 8)...)}, at("v", 0x100, test.t))); got != "v = "+test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// Single numbers of one byte are characters in C and C++, and numbers in Rust and Go.
func TestBytesByLanguage(t *testing.T) {
	in := func(l types.Language, k types.Kind, name string, size uint64) *types.Type {
		of := base(k, name, size)
		of.Language = l
		return of
	}
	for _, test := range []struct {
		t     *types.Type
		bytes []byte
		want  string
	}{
		{in(types.CPlusPlus, types.Unsigned, "uint8_t", 1), []byte{65}, "'A'"},
		{in(types.CPlusPlus, types.Signed, "int8_t", 1), []byte{0xff}, `'\xff'`},
		{in(types.Rust, types.Unsigned, "u8", 1), []byte{65}, "65"},
		{in(types.Rust, types.Signed, "i8", 1), []byte{0xff}, "-1"},
		{in(types.Go, types.Unsigned, "uint8", 1), []byte{65}, "65"},
		{in(types.Go, types.Signed, "int8", 1), []byte{0xff}, "-1"},
		{in(types.Go, types.Unsigned, "uint16", 2), []byte{0xff, 0xff}, "65535"},
		{&types.Type{Kind: types.Void, Name: "decltype(nullptr)"}, []byte{1}, "0x0000000000000000"},
		{base(types.Wide, "char8_t", 1), []byte{0x7f}, `u8'\x7f'`},
		{base(types.Wide, "char16_t", 2), []byte{0xac, 0x20}, "u'€'"},
		{base(types.Wide, "wchar_t", 4), []byte{0xff, 0xff, 0xff, 0xff}, "4294967295"},
		{base(types.Unsigned, "unsigned __int128", 16), words(0, 1), "18446744073709551616"},
		{base(types.Signed, "__int128", 16), words(^uint64(0), ^uint64(0)), "-1"},
	} {
		if got := read(frameOf(memory{0x100: test.bytes}, at("v", 0x100, test.t))); got != "v = "+test.want {
			t.Errorf("%s: %s, want %s", types.Spell(test.t), got, test.want)
		}
	}
}
