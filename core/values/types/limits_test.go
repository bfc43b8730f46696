package types

import (
	"strings"
	"testing"
)

// around wraps a type some times.
func around(t *Type, n int, wrap func(*Type) *Type) *Type {
	for range n {
		t = wrap(t)
	}
	return t
}

// Each kind of nesting takes a level of the 16 that a name has. Damaged files have types that
// contain themselves.
func TestSpellDepth(t *testing.T) {
	integer := named(Signed, "int", 4)
	for name, tt := range map[string]struct {
		wrap func(*Type) *Type
		want string // of 16 levels; those of 15 end in int
	}{
		"pointers":            {pointerTo, "… ****************"},
		"rows":                {func(of *Type) *Type { return array(of, 1) }, "…" + strings.Repeat("[1]", 16)},
		"functions":           {func(of *Type) *Type { return &Type{Kind: Function, Elem: to(of)} }, "…" + strings.Repeat("()", 16)},
		"members":             {func(of *Type) *Type { return &Type{Kind: MemberPointer, Elem: to(of)} }, "……::*" + strings.Repeat("void::*", 15)}, // the class and the member
		"qualifiers":          {constant, strings.Repeat("const ", 16) + "…"},
		"qualifiers of const": {func(of *Type) *Type { return constant(pointerTo(of)) }, "… " + strings.TrimSpace(strings.Repeat("*const ", 8))},
	} {
		n := 16
		if name == "qualifiers of const" {
			n = 8
		}
		if got := Spell(around(integer, n, tt.wrap)); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(tt.want, " ", "") {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		if got := Spell(around(integer, n-1, tt.wrap)); !strings.Contains(got, "int") || strings.Contains(got, "…") {
			t.Errorf("%s, one less: %q", name, got)
		}
	}
}

// A name has 64 types and 4096 bytes.
func TestSpellSize(t *testing.T) {
	long := strings.Repeat("x", maxSpelling)
	for name, tt := range map[string]struct {
		of   *Type
		want string
	}{
		"as long as a name may be": {named(Struct, long, 1), long},
		"one byte more":            {named(Struct, long+"y", 1), long},
		"with something behind it": {pointerTo(named(Struct, long, 1)), long},
	} {
		if got := Spell(tt.of); got != tt.want {
			t.Errorf("%s: %d bytes", name, len(got))
		}
	}
	sixteen := &Type{Kind: Function}
	for range 17 {
		sixteen.Params = append(sixteen.Params, to(named(Char, "c", 1)))
	}
	if got, want := Spell(sixteen), "void ("+strings.Repeat("c, ", 15)+"c)"; got != want {
		t.Errorf("parameters: %q", got)
	}
	many := &Type{Kind: Function}
	for range 16 {
		many.Params = append(many.Params, to(pointerTo(pointerTo(pointerTo(named(Char, "c", 1))))))
	}
	if got := Spell(many); strings.Count(got, "c ***") != 15 || strings.Count(got, "…") != 2 { // 1 + 15*4, and 3 of the last one
		t.Errorf("types of a name: %q", got)
	}
}

// A declared type may have a definition, which may be declared itself.
func TestDeclaredSizes(t *testing.T) {
	declared := &Type{Kind: Struct, Name: "s", Incomplete: true, Size: 9, Sized: true}
	if n, ok := Size(declared); !ok || n != 9 {
		t.Errorf("%d, %t", n, ok)
	}
	if got := Strip(&Type{Kind: Struct, Complete: to(named(Struct, "t", 1))}); got.Name != "" {
		t.Error("a complete type has been replaced")
	}
	sized := &Type{Kind: Struct, Size: 3} // no file said so
	if _, ok := Size(sized); ok {
		t.Error("a size that is not known")
	}
	if n, ok := Size(&Type{Kind: Array, Elem: to(sized), Counts: []Count{{N: 0, Known: true}}}); ok {
		t.Errorf("none of an unknown size has %d bytes", n)
	}
}
