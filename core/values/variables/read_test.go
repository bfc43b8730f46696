package variables

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/values/types"
)

func TestScalars(t *testing.T) {
	flags := &types.Type{Kind: types.Enum, Name: "F", Size: 4, Sized: true, Enumerators: []types.Enumerator{{Name: "none", Value: 0}, {Name: "a", Value: 1}, {Name: "b", Value: 2}, {Name: "both", Value: 3}, {Name: "c", Value: 8}}}
	state := &types.Type{Kind: types.Enum, Name: "S", Size: 1, Sized: true, Elem: to(base(types.Signed, "signed char", 1)), Enumerators: []types.Enumerator{{Name: "minus", Value: -1}, {Name: "five", Value: 5}}}
	for _, test := range []struct {
		bytes []byte
		t     *types.Type
		want  string
	}{
		{[]byte{0xfe, 0xff, 0xff, 0xff}, integer, "-2"},
		{[]byte{0xfe, 0xff, 0xff, 0xff}, base(types.Unsigned, "unsigned", 4), "4294967294"},
		{[]byte{1}, base(types.Bool, "bool", 1), "true"},
		{[]byte{7}, base(types.Bool, "bool", 1), "true"}, // not initialized
		{[]byte{'a'}, char, "'a'"},
		{[]byte{'\n'}, char, `'\n'`},
		{[]byte{0xfd}, char, `'\xfd'`},
		{[]byte{'z', 0, 0, 0}, base(types.Wide, "wchar_t", 4), "L'z'"},
		{[]byte{0xe9, 0, 0, 0}, base(types.Wide, "char", 4), "'é'"},
		{[]byte{3, 0, 0, 0}, flags, "both"},
		{[]byte{9, 0, 0, 0}, flags, "a | c"},
		{[]byte{0x11, 0, 0, 0}, flags, "a | 0x10"},
		{[]byte{0xff}, state, "minus"},
		{[]byte{4}, state, "4"},
		{[]byte{0, 0, 0, 0, 0, 0, 0xf8, 0x3f}, double, "1.5"},
		{words(0x3fb9_9999_9999_999a), double, "0.10000000000000001"},
		{words(0x7e37_e43c_8800_759c), double, "1.0000000000000001E+300"},
		{words(0x8000_0000_0000_0000), double, "-0"},
		{words(0x7ff0_0000_0000_0000), double, "+Inf"},
		{words(0x7ff8_0000_0000_0000), double, "NaN"},
		{[]byte{1, 0, 0, 0}, base(types.Float, "float", 4), "1.40129846E-45"},
		{append(words(0xa000_0000_0000_0000), 0xff, 0x3f, 0, 0, 0, 0, 0, 0), base(types.Float, "long double", 16), "1.25"},
		{append(words(0), 0xff, 0x7f, 0, 0, 0, 0, 0, 0), base(types.Float, "long double", 16), "NaN"}, // the bit before the point is not there
		{append(words(1<<63), 0xff, 0x7f, 0, 0, 0, 0, 0, 0), base(types.Float, "long double", 16), "+Inf"},
		{words(0, 0x3fff_4000_0000_0000), base(types.Float, "_Float128", 16), "1.25"},
		{words(0, 0x3fff_4000_0000_0000), base(types.Float, "real(kind=16)", 16), "1.25"},
		{words(0, 0x3fff_4000_0000_0000, 0, 0), base(types.Complex, "complex(kind=16)", 32), "1.25 + 0i"},
		{words(0, 0xffff_fff0_0000_0000), base(types.Signed, "__int128", 16), "-1267650600228229401496703205376"},
		{[]byte{0, 0x3c}, base(types.Float, "_Float16", 2), "1"},
		{words(0x28), pointer(integer), "0x0000000000000028"},
		{words(0), pointer(integer), "0x0000000000000000"},
		{words(0), pointer(structure("s", 4)), "nullptr"},
		{append([]byte("abc"), 0, 'x'), array(char, 5), `"abc"`},
		{[]byte{27, 0xff, '"', 0xc3, 0xa9}, array(char, 5), `"\e\xff\"é"`},
	} {
		t.Run(test.want, func(t *testing.T) {
			if got := read(frameOf(memory{0x100: test.bytes}, at("v", 0x100, test.t))); got != "v = "+test.want {
				t.Errorf("%s %x: %s", types.Spell(test.t), test.bytes, got)
			}
		})
	}
}

func TestStructures(t *testing.T) {
	point := structure("P", 8, member("x", 0, integer), member("y", 4, integer))
	bits := structure("B", 2,
		types.Member{Name: "lo", Type: to(integer), Bits: 3, BitOffset: 0},
		types.Member{Name: "hi", Type: to(base(types.Unsigned, "unsigned", 4)), Bits: 9, BitOffset: 3},
		types.Member{Name: "c", Type: to(&types.Type{Kind: types.Char, Name: "signed char", Size: 1, Sized: true, Minus: true}), Bits: 3, BitOffset: 0})
	derived := structure("D", 16, types.Member{Base: true, Type: to(point)}, member("next", 8, pointer(point)))
	list := structure("L", 16, member("v", 0, long))
	list.Members = append(list.Members, member("self", 8, pointer(list)))
	m := memory{0x100: words(0x0000_0002_0000_0001, 0x100), 0x200: {0xfd, 0x0f}, 0x300: words(9, 0x300), 0x400: words(0x100)}
	for _, test := range []struct {
		v    Variable
		want string
	}{
		{at("p", 0x100, point), "p {x = 1, y = 2}"},
		{at("b", 0x200, bits), `b {lo = -3, hi = 511, c = '\xfd'}`},
		{at("d", 0x100, derived), "d {P {x = 1, y = 2}, next = 0x0000000000000100}"},
		{at("l", 0x300, list), "l {v = 9, self = 0x0000000000000300}"},
		{at("a", 0x100, array(integer, 3)), "a {[0] = 1, [1] = 2, [2] = 256}"},
		{at("q", 0x400, pointer(point)), "q = 0x0000000000000100 {x = 1, y = 2}"},
		{at("r", 0x400, &types.Type{Kind: types.Reference, Elem: to(point), Size: 8, Sized: true}), "r = 0x0000000000000100 {x = 1, y = 2}"},
		{at("n", 0x400, &types.Type{Kind: types.Reference, Elem: to(integer), Size: 8, Sized: true}), "n = 1 {&n = 1}"},
		{at("gone", 0x900, point), "gone {x <not_captured>, y <not_captured>}"},
		{at("void", 0x100, nil), "void <unreadable>"},
		{at("declared", 0x100, &types.Type{Kind: types.Struct, Name: "X", Incomplete: true}), "declared <unreadable>"},
	} {
		if got := read(frameOf(m, test.v)); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}

// A register counts only if the walk proved its value. Each piece has a state of its own.
func TestPlaces(t *testing.T) {
	pair := structure("P", 8, member("x", 0, integer), member("y", 4, integer))
	half := func(p Piece) Piece { p.Bits, p.Partial = 32, true; return p }
	for _, test := range []struct {
		name  string
		place Place
		err   error
		t     *types.Type
		want  string
	}{
		{"proved", inRegister("$rbx"), nil, integer, "v = 1432778632"},
		{"not proved", inRegister("$rax"), nil, integer, "v <optimized_out>"},
		{"not followed", inRegister("$xmm0"), nil, double, "v <optimized_out>"},
		{"constant", Const([]byte{5, 0, 0, 0, 0, 0, 0, 0}), nil, integer, "v = 5"},
		{"short constant", Const([]byte{0xff}), nil, integer, "v <unreadable>"},
		{"pieces", Place{[]Piece{half(Piece{Kind: InRegister, Reg: "$rbx"}), half(Piece{})}}, nil, pair, "v {x = 1432778632, y <optimized_out>}"},
		{"memory and register", Place{[]Piece{half(Piece{Kind: InMemory, Addr: 0x100}), half(Piece{Kind: InRegister, Reg: "$rax"})}}, nil, pair, "v {x = 7, y <optimized_out>}"},
		{"text in pieces", Place{[]Piece{half(Piece{Kind: Constant, Bytes: []byte("abcd")}), half(Piece{})}}, nil, array(char, 5), "v {[0] = 'a', [1] = 'b', [2] = 'c', [3] = 'd', [4] <optimized_out>}"},
		{"no rule", Place{}, Gone("nothing"), integer, "v <optimized_out>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := frameOf(memory{0x100: words(7)}, Variable{Name: "v", Type: to(test.t), Rule: fixed{test.place, test.err}})
			if got := read(f); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// Registers of floats and vectors are the innermost frame's. One of x87 holds
// 80 bits, whatever the variable's type.
func TestFloatRegisters(t *testing.T) {
	float, extended := base(types.Float, "float", 4), base(types.Float, "long double", 16)
	regs := map[string][]byte{
		"$xmm0": append(words(0x3ff8_0000_0000_0000), words(0)...),
		"$st0":  append(words(0xa000_0000_0000_0000), 0xff, 0x3f),
		"$st1":  append(words(0xc000_0000_0000_0000), 0x01, 0x40),
	}
	for _, test := range []struct {
		reg  string
		t    *types.Type
		want string
	}{
		{"$xmm0", double, "v = 1.5"},
		{"$xmm0", array(double, 2), "v {[0] = 1.5, [1] = 0}"},
		{"$xmm0", array(double, 4), "v {[0] = 1.5, [1] = 0, [2] <unreadable>, [3] <unreadable>}"}, // ymm0: its high half is not known
		{"$st0", double, "v = 1.25"},
		{"$st0", float, "v = 1.25"},
		{"$st0", extended, "v = 1.25"},
		{"$st0", size, "v <unreadable>"},
		{"$st0", base(types.Float, "odd", 3), "v = 1.25"},
		{"$st1", base(types.Float, "odd", 3), "v = 6"},
		{"$xmm1", double, "v <optimized_out>"},
	} {
		f := frameOf(nil, Variable{Name: "v", Type: to(test.t), Rule: fixed{place: inRegister(test.reg)}})
		f.Vector = func(name string) ([]byte, bool) { b, ok := regs[name]; return b, ok }
		if got := read(f); got != test.want {
			t.Errorf("%s in %s: %s, want %s", types.Spell(test.t), test.reg, got, test.want)
		}
	}
}

// A number of no bytes, or of more than 64, has no value.
func TestOddSizes(t *testing.T) {
	one := &types.Type{Kind: types.Enum, Name: "E", Sized: true, Enumerators: []types.Enumerator{{Name: "one", Value: 1}}}
	for _, odd := range []*types.Type{one, base(types.Bool, "bool", 0), base(types.Signed, "int", 0), base(types.Unsigned, "huge", 72), base(types.Complex, "complex", 9)} {
		if got := read(frameOf(memory{0x100: make([]byte, 72)}, at("v", 0x100, odd))); got != "v <unreadable>" {
			t.Errorf("%s: %s", odd.Name, got)
		}
	}
}

// An enumeration of signed char has a sign, also as a bit field.
func TestEnumsOfSignedChar(t *testing.T) {
	small := base(types.Char, "signed char", 1)
	small.Minus = true
	enum := &types.Type{Kind: types.Enum, Name: "S", Size: 1, Sized: true, Elem: to(small), Enumerators: []types.Enumerator{{Name: "minus", Value: -1}, {Name: "five", Value: 5}}}
	bits := structure("s", 1, types.Member{Name: "e", Type: to(enum), Bits: 3})
	for want, got := range map[string]string{
		"v = -2":        read(frameOf(memory{0x100: {0xfe}}, at("v", 0x100, enum))),
		"v {e = minus}": read(frameOf(memory{0x100: {7}}, at("v", 0x100, bits))),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A long double of PowerPC is two doubles, or binary128 where its name says so.
func TestFloatsOfPowerPC(t *testing.T) {
	for name, want := range map[string]string{"long double": "v <unreadable>", "__ibm128": "v <unreadable>", "_Float128": "v = 1.25", "__ieee128": "v = 1.25"} {
		f := frameOf(memory{0x100: words(0, 0x3fff_4000_0000_0000)}, at("v", 0x100, base(types.Float, name, 16)))
		f.Arch = &cpu.PPC64
		if got := read(f); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A scanned frame has no values.
func TestDoubt(t *testing.T) {
	f := frameOf(memory{0x100: words(7)}, at("v", 0x100, integer))
	f.Guess = true
	if got := read(f); got != "v <unreadable>" {
		t.Error(got)
	}
}

func TestLimits(t *testing.T) {
	deep := structure("S0", 8, member("v", 0, long))
	for i := range 1000 {
		deep = structure(fmt.Sprintf("S%d", i+1), 8, member("m", 0, deep))
	}
	self := &types.Type{Kind: types.Struct, Name: "self", Size: 8, Sized: true}
	self.Members = []types.Member{member("a", 0, self), member("b", 0, self)}
	loop := &types.Type{Kind: types.Reference, Size: 8, Sized: true}
	loop.Elem = to(loop)
	m := memory{0x100: words(0x100), 0x1000: make([]byte, 4096)}
	for _, test := range []struct {
		name string
		v    Variable
	}{
		{"a thousand nested members", at("v", 0x100, deep)},
		{"a structure in itself", at("v", 0x100, self)},
		{"a reference to itself", at("v", 0x100, loop)},
		{"an endless array", at("v", 0x1000, array(char, 1<<60))},
		{"an array of nothing", at("v", 0x100, array(structure("", 0), 1<<60))},
		{"an array of arrays", at("v", 0x1000, array(array(array(integer, 1<<20), 1<<10), 1<<10))},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := 0
			var count func([]*Value)
			count = func(list []*Value) {
				for _, v := range list {
					n++
					count(v.Children)
				}
			}
			count(Read(frameOf(m, test.v), Limits{Values: 5000})[0].Values)
			if n > 5001 {
				t.Errorf("%d values", n)
			}
		})
	}
}

// A Rust enum has the variant that its discriminant says, the niche's included.
func TestVariants(t *testing.T) {
	some := structure("Some", 8, member("__0", 0, long))
	discr := member("", 0, size)
	option := &types.Type{Kind: types.Struct, Name: "Option", Size: 8, Sized: true, Language: types.Rust, Variants: &types.Variants{
		Discr: &discr,
		List: []types.Variant{
			{Values: []types.Range{{Low: 0, High: 0}}, Member: member("None", 0, structure("None", 0))},
			{Member: member("Some", 0, some)},
		},
	}}
	m := memory{0x100: words(0, 42)}
	if got := read(frameOf(m, at("n", 0x100, option), at("s", 0x108, option))); got != "n = None, s = Some {Some {__0 = 42}}" {
		t.Error(got)
	}
}

func TestEvidence(t *testing.T) {
	v := Read(frameOf(memory{0x100: words(7)}, at("v", 0x100, long)), Limits{})[0].Values[0]
	if v.Location != "0x100" || v.Evidence.Rule != "fixed" || len(v.Evidence.Reads) != 1 || v.Evidence.Reads[0] != (Word{0x100, 7, 8}) {
		t.Errorf("%s, %+v", v.Location, v.Evidence)
	}
	gone := Read(frameOf(nil, at("v", 0x100, long)), Limits{})[0].Values[0]
	if !strings.Contains(gone.Why, "0x100") {
		t.Error(gone.Why)
	}
}

// goCode is a source whose functions are of Go, which keep no registers.
type goCode struct{}

func (goCode) Language(uint64) types.Language { return types.Go }

func TestRegistersThatCalleesClobber(t *testing.T) {
	v := Variable{Name: "v", Type: to(integer), Rule: fixed{place: inRegister("$rbx")}}
	for _, test := range []struct {
		callee Symbols
		want   string
	}{
		{scopes{}.symbols(), "v = 1432778632"},
		{Symbols{Languages: goCode{}}, "v <optimized_out>"},
	} {
		f := frameOf(nil, v)
		f.Callee = &Context{Frame: &process.Frame{Interrupted: true}, Symbols: test.callee}
		if got := read(f); got != test.want {
			t.Errorf("callee %+v: %s, want %s", test.callee, got, test.want)
		}
	}
}

// A compiler that keeps the first part of a structure describes no more.
func TestFewPieces(t *testing.T) {
	pair := structure("S", 8, member("a", 0, integer), member("b", 4, integer))
	first := Place{[]Piece{{Kind: InRegister, Reg: "rbx", Bits: 32, Partial: true}}}
	v := Variable{Name: "s", Type: to(pair), Rule: fixed{place: first}}
	if got, want := read(frameOf(nil, v)), "s {a = 1432778632, b <optimized_out>}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
