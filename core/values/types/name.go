package types

import (
	"strconv"
	"strings"
)

// maxSpelling bounds the length of a composed type's name, maxDeep its nesting, and maxParts the
// number of types in it: a function may take sixteen functions of its own type.
const (
	maxSpelling = 1 << 12
	maxDeep     = 16
	maxParts    = 64
)

type speller struct{ parts int }

// Spell writes a type as its language does: "const char *", "int[2][3]",
// "int (*)(char)". A type that is nil is void.
func Spell(t *Type) string {
	text := (&speller{}).spell(t, "", maxDeep)
	if len(text) > maxSpelling {
		text = text[:maxSpelling]
	}
	return text
}

// spell writes a declaration; inner is at the place of the name in C.
func (s *speller) spell(t *Type, inner string, left int) string {
	if s.parts++; left == 0 || len(inner) > maxSpelling || s.parts > maxParts {
		return "…" + inner
	}
	switch {
	case t == nil:
		return join("void", inner)
	case t.Kind == Qualified:
		return s.qualified(t, inner, left)
	case t.Name != "":
		return join(t.Name[:min(len(t.Name), maxSpelling)], inner)
	}
	switch t.Kind {
	case Pointer, Reference, RValueReference:
		return s.pointer(t, inner, left)
	case Array:
		return s.spell(t.Elem.Get(), inner+dimensions(t.Counts), left-1)
	case Function:
		return s.spell(t.Elem.Get(), inner+"("+s.params(t.Params, left)+")", left-1)
	case MemberPointer:
		return s.spell(t.Elem.Get(), wrapped(t.Elem.Get(), s.spell(t.Class.Get(), "", left-1)+"::*"+inner), left-1)
	}
	return join(anonymous[t.Kind], inner)
}

var anonymous = map[Kind]string{Struct: "(unnamed struct)", Class: "(unnamed class)", Union: "(unnamed union)", Enum: "(unnamed enum)"}

var signs = map[Kind]string{Pointer: "*", Reference: "&", RValueReference: "&&"}

func (s *speller) pointer(t *Type, inner string, left int) string {
	to := t.Elem.Get()
	return s.spell(to, wrapped(to, signs[t.Kind]+inner), left-1)
}

// wrapped puts parentheses around a declarator that an array or a function would bind to.
func wrapped(to *Type, inner string) string {
	if to != nil && to.Name == "" && (to.Kind == Array || to.Kind == Function) {
		return "(" + inner + ")"
	}
	return inner
}

// qualified writes const before a name, and after a pointer.
func (s *speller) qualified(t *Type, inner string, left int) string {
	of := t.Elem.Get()
	if of != nil && of.Name == "" && signs[of.Kind] != "" {
		return s.spell(of, join(t.Name, inner), left-1)
	}
	return t.Name + " " + s.spell(of, inner, left-1)
}

func dimensions(counts []Count) string {
	var b strings.Builder
	for _, c := range counts {
		b.WriteByte('[')
		if c.Known {
			b.WriteString(strconv.FormatUint(c.N, 10))
		}
		b.WriteByte(']')
	}
	return b.String()
}

func (s *speller) params(list []Ref, left int) string {
	var texts []string
	for _, p := range list[:min(len(list), maxDeep)] {
		texts = append(texts, s.spell(p.Get(), "", left-1))
	}
	return strings.Join(texts, ", ")
}

// join writes a name before its declarator.
func join(name, inner string) string {
	switch {
	case inner == "":
		return name
	case name == "":
		return inner
	case inner[0] == '[':
		return name + inner
	}
	return name + " " + inner
}
