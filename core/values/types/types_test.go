package types

import (
	"strings"
	"testing"
)

func to(t *Type) Ref { return func() *Type { return t } }

func named(k Kind, name string, size uint64) *Type {
	return &Type{Kind: k, Name: name, Size: size, Sized: true}
}

func pointerTo(t *Type) *Type { return &Type{Kind: Pointer, Elem: to(t), Size: 8, Sized: true} }

func constant(t *Type) *Type { return &Type{Kind: Qualified, Name: "const", Elem: to(t)} }

func array(t *Type, counts ...uint64) *Type {
	out := &Type{Kind: Array, Elem: to(t)}
	for _, n := range counts {
		out.Counts = append(out.Counts, Count{N: n, Known: true})
	}
	return out
}

func TestSpell(t *testing.T) {
	char, integer := named(Char, "char", 1), named(Signed, "int", 4)
	function := &Type{Kind: Function, Elem: to(integer), Params: []Ref{to(char), nil}}
	for _, test := range []struct {
		t    *Type
		want string
	}{
		{nil, "void"},
		{pointerTo(nil), "void *"},
		{pointerTo(constant(char)), "const char *"},
		{constant(pointerTo(char)), "char *const"},
		{&Type{Kind: Reference, Elem: to(constant(integer))}, "const int &"},
		{array(integer, 2, 3), "int[2][3]"},
		{pointerTo(array(integer, 3)), "int (*)[3]"},
		{array(pointerTo(integer), 3), "int *[3]"},
		{pointerTo(function), "int (*)(char, void)"},
		{&Type{Kind: MemberPointer, Elem: to(integer), Class: to(named(Class, "ns::C", 8))}, "int ns::C::*"},
		{&Type{Kind: Struct}, "(unnamed struct)"},
		{&Type{Kind: Array, Elem: to(char), Counts: []Count{{}}}, "char[]"},
	} {
		if got := Spell(test.t); got != test.want {
			t.Errorf("Spell = %q, want %q", got, test.want)
		}
	}
}

// TestSpellWide has functions that take sixteen functions of their own type, and
// members of classes that are such pointers themselves: there is an end.
func TestSpellWide(t *testing.T) {
	function := &Type{Kind: Function}
	member := &Type{Kind: MemberPointer}
	long := &Type{Kind: Function, Name: strings.Repeat("x", 1<<20)}
	self := func() *Type { return function }
	for range 16 {
		function.Params = append(function.Params, self)
	}
	function.Elem = self
	member.Class, member.Elem = func() *Type { return member }, self
	for _, of := range []*Type{function, member, long} {
		if text := Spell(of); text == "" || len(text) > maxSpelling {
			t.Errorf("%d bytes", len(text))
		}
	}
}

// Types of damaged files may hold themselves.
func TestCircles(t *testing.T) {
	loop := &Type{Kind: Typedef}
	loop.Elem = to(loop)
	ring := &Type{Kind: Pointer}
	ring.Elem = to(ring)
	rows := &Type{Kind: Array, Counts: []Count{{N: 2, Known: true}}}
	rows.Elem = to(rows)
	if Strip(loop) != nil || Named(loop) != "" {
		t.Error("a name of itself is a type")
	}
	for _, of := range []*Type{loop, ring, rows} {
		if _, ok := Size(of); ok {
			t.Error("a type made of itself has a size")
		}
		if len(Spell(of)) > maxSpelling {
			t.Error("a type made of itself has an endless name")
		}
	}
}

func TestSize(t *testing.T) {
	integer := named(Signed, "int", 4)
	for _, test := range []struct {
		t    *Type
		want uint64
		ok   bool
	}{
		{t: constant(integer), want: 4, ok: true},
		{t: array(integer, 2, 3), want: 24, ok: true},
		{t: array(integer, 1<<40, 1<<40), want: 0},
		{t: &Type{Kind: Array, Elem: to(integer), Counts: []Count{{}}}, want: 0},
		{t: &Type{Kind: Struct, Incomplete: true, Complete: to(named(Struct, "s", 12))}, want: 12, ok: true},
		{want: 0},
	} {
		if got, ok := Size(test.t); got != test.want || ok != test.ok {
			t.Errorf("Size(%s) = %d, %t; want %d, %t", Spell(test.t), got, ok, test.want, test.ok)
		}
	}
}
