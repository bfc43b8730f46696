package types

import (
	"strings"
	"testing"
)

// typedef is another name of a type.
func typedef(name string, t *Type) *Type { return &Type{Kind: Typedef, Name: name, Elem: to(t)} }

// Strip removes typedefs and qualifiers, and finds the definition of a declared type.
func TestStrip(t *testing.T) {
	integer := named(Signed, "int", 4)
	full := named(Struct, "s", 12)
	declared := &Type{Kind: Struct, Name: "s", Incomplete: true}
	defined := &Type{Kind: Struct, Name: "s", Incomplete: true, Complete: to(full)}
	twice := &Type{Kind: Struct, Name: "s", Incomplete: true, Complete: to(declared)}
	long := integer
	for range maxNames + 1 {
		long = typedef("t", long)
	}
	for _, tt := range []struct {
		name     string
		of, want *Type
	}{
		{"a type", integer, integer},
		{"a typedef", typedef("int32_t", integer), integer},
		{"const volatile", constant(&Type{Kind: Qualified, Name: "volatile", Elem: to(integer)}), integer},
		{"a typedef of const", typedef("t", constant(typedef("u", integer))), integer},
		{"a pointer is a type of its own", pointerTo(integer).Elem.Get(), integer},
		{"a declaration", declared, declared},
		{"a declaration that is defined elsewhere", constant(defined), full},
		{"a declaration of a declaration", twice, twice},
		{"a typedef of void", typedef("t", nil), nil},
		{"nothing", nil, nil},
		{"too many names", long, nil},
	} {
		if got := Strip(tt.of); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, Spell(got), Spell(tt.want))
		}
	}
}

// Named returns the first name: that of a typedef, not that of its target.
func TestNamed(t *testing.T) {
	integer := named(Signed, "int", 4)
	for _, tt := range []struct {
		of   *Type
		want string
	}{
		{integer, "int"},
		{typedef("size_t", integer), "size_t"},
		{constant(typedef("size_t", integer)), "size_t"},
		{pointerTo(integer), ""},
		{constant(nil), ""},
		{nil, ""},
	} {
		if got := Named(tt.of); got != tt.want {
			t.Errorf("Named(%s) = %q, want %q", Spell(tt.of), got, tt.want)
		}
	}
	loop := &Type{Kind: Qualified}
	loop.Elem = to(loop)
	if got := Named(loop); got != "" {
		t.Errorf("a qualifier of itself is %q", got)
	}
}

// A Ref that is nil, or leads nowhere, is void.
func TestRef(t *testing.T) {
	if Ref(nil).Get() != nil || Ref(func() *Type { return nil }).Get() != nil {
		t.Error("void is a type")
	}
}

// Sizes at the bounds: of arrays that are empty, and of those that are larger
// than memory.
func TestSizesAtTheBounds(t *testing.T) {
	char := named(Char, "char", 1)
	for _, tt := range []struct {
		name string
		of   *Type
		want uint64
		ok   bool
	}{
		{name: "all that is believed", of: array(char, maxSize), want: maxSize, ok: true},
		{name: "one more", of: array(char, maxSize+1), want: 0},
		{name: "the product is what counts", of: array(array(char, 1<<20), 1<<20), want: maxSize, ok: true},
		{name: "a product that overflows", of: array(array(char, 1<<20), 1<<60), want: 0},
		{name: "an empty array", of: array(named(Signed, "int", 4), 0), want: 0, ok: true},
		{name: "an empty row", of: array(char, 1<<40, 0), want: 0, ok: true},
		{name: "a dimension that is not known", of: &Type{Kind: Array, Elem: to(char), Counts: []Count{{N: 2, Known: true}, {}}}, want: 0},
		{name: "an array of functions", of: array(&Type{Kind: Function}, 2), want: 0},
		{name: "an array whose size is stated", of: &Type{Kind: Array, Elem: to(char), Size: 7, Sized: true}, want: 7, ok: true},
		{name: "a structure of no known size", of: &Type{Kind: Struct}, want: 0},
		{name: "a typedef of an array", of: typedef("t", array(char, 3)), want: 3, ok: true},
	} {
		if got, ok := Size(tt.of); ok != tt.ok || ok && got != tt.want {
			t.Errorf("%s: %d, %t", tt.name, got, ok)
		}
	}
}

// Names as C and C++ write them, which declare from the inside to the outside.
func TestSpellDeclarators(t *testing.T) {
	char, integer := named(Char, "char", 1), named(Signed, "int", 4)
	member := &Type{Kind: MemberPointer, Elem: to(&Type{Kind: Function, Elem: to(integer), Params: []Ref{to(char)}}), Class: to(named(Class, "C", 8))}
	for _, tt := range []struct {
		of   *Type
		want string
	}{
		{pointerTo(pointerTo(char)), "char **"},
		{&Type{Kind: RValueReference, Elem: to(integer)}, "int &&"},
		{&Type{Kind: Reference, Elem: to(array(integer, 2))}, "int (&)[2]"},
		{array(pointerTo(&Type{Kind: Function, Elem: to(integer)}), 2), "int (*[2])()"},
		{pointerTo(constant(pointerTo(constant(char)))), "const char *const *"},
		{&Type{Kind: Function, Elem: to(pointerTo(char))}, "char *()"},
		{pointerTo(&Type{Kind: Function}), "void (*)()"},
		{member, "int (C::*)(char)"},
		{typedef("callback", pointerTo(&Type{Kind: Function})), "callback"},
		{&Type{Kind: Class}, "(unnamed class)"},
		{pointerTo(&Type{Kind: Union}), "(unnamed union) *"},
		{array(&Type{Kind: Enum}, 2), "(unnamed enum)[2]"},
		{&Type{Kind: Unknown}, ""},
		{pointerTo(&Type{Kind: Unknown}), "*"},
	} {
		if got := Spell(tt.of); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	deep := integer
	for range maxDeep + 1 {
		deep = pointerTo(deep)
	}
	if got, want := Spell(deep), "… "+strings.Repeat("*", maxDeep); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("too deep: %q, want %q", got, want)
	}
}
