package dwarf

import (
	"fmt"
	"strings"

	"crashglass/core/values/types"
)

var kindNames = map[types.Kind]string{
	types.Unknown: "unknown", types.Void: "void", types.Bool: "bool", types.Signed: "signed", types.Unsigned: "unsigned", types.Char: "char",
	types.Wide: "wide", types.Float: "float", types.Complex: "complex", types.Decimal: "decimal", types.Pointer: "pointer", types.Reference: "reference",
	types.RValueReference: "rvalue", types.Array: "array", types.Struct: "struct", types.Class: "class", types.Union: "union", types.Enum: "enum",
	types.Typedef: "typedef", types.Qualified: "qualified", types.Function: "function", types.MemberPointer: "member pointer",
}

// drawn is a type as a picture of all that a reader says of it, "struct S 8
// {x int @0; y int @4}". What it refers to has its kind, or its name.
func drawn(t *types.Type) string {
	if t == nil {
		return "none"
	}
	parts := []string{kindNames[t.Kind]}
	if t.Name != "" {
		parts = append(parts, t.Name)
	}
	if t.Sized {
		parts = append(parts, fmt.Sprint(t.Size))
	}
	if t.Minus {
		parts = append(parts, "minus")
	}
	if t.Incomplete {
		parts = append(parts, "declared")
	}
	if t.Elem != nil {
		parts = append(parts, "of "+short(t.Elem))
	}
	if t.Class != nil {
		parts = append(parts, "in "+short(t.Class))
	}
	for _, c := range t.Counts {
		parts = append(parts, drawnCount(c))
	}
	if len(t.Params) > 0 {
		parts = append(parts, "("+joined(t.Params, short)+")")
	}
	if len(t.Args) > 0 {
		parts = append(parts, "<"+joined(t.Args, drawnArgument)+">")
	}
	if len(t.Members) > 0 {
		parts = append(parts, "{"+joined(t.Members, drawnMember)+"}")
	}
	if t.Variants != nil {
		parts = append(parts, drawnVariants(t.Variants))
	}
	if len(t.Enumerators) > 0 {
		parts = append(parts, "{"+joined(t.Enumerators, func(e types.Enumerator) string { return fmt.Sprintf("%s=%d", e.Name, e.Value) })+"}")
	}
	return strings.Join(parts, " ")
}

func joined[T any](list []T, draw func(T) string) string {
	var out []string
	for _, e := range list {
		out = append(out, draw(e))
	}
	return strings.Join(out, "; ")
}

// short is a type's name or, where it has none, its kind and that of what it is made of.
func short(r types.Ref) string {
	t := r.Get()
	switch {
	case t == nil:
		return "void"
	case t.Name != "" && t.Kind != types.Qualified:
		return t.Name
	case t.Elem != nil:
		return kindNames[t.Kind] + " of " + short(t.Elem)
	}
	return kindNames[t.Kind]
}

func drawnCount(c types.Count) string {
	switch {
	case c.Known:
		return fmt.Sprintf("[%d]", c.N)
	case c.Bound != nil:
		return "[run time]"
	}
	return "[]"
}

func drawnArgument(a types.Argument) string {
	if a.Value != nil {
		return fmt.Sprintf("%s %s=%d", a.Name, short(a.Type), *a.Value)
	}
	return a.Name + " " + short(a.Type)
}

func drawnMember(m types.Member) string {
	out := m.Name + " " + short(m.Type)
	switch {
	case m.Bits > 0:
		out += fmt.Sprintf(" bits %d+%d", m.BitOffset, m.Bits)
	default:
		out += fmt.Sprintf(" @%d", m.Offset)
	}
	for _, flag := range []struct {
		set  bool
		name string
	}{{m.Base, "base"}, {m.Virtual, "virtual"}, {m.Static, "static"}, {m.Artificial, "artificial"}} {
		if flag.set {
			out += " " + flag.name
		}
	}
	if m.VBase.Known {
		out += fmt.Sprintf(" slot %d", m.VBase.Slot)
	}
	return strings.TrimPrefix(out, " ")
}

func drawnVariants(v *types.Variants) string {
	out := "variants"
	if v.Discr != nil {
		out += " by " + drawnMember(*v.Discr)
	}
	for _, alternative := range v.List {
		out += " |"
		for _, r := range alternative.Values {
			out += fmt.Sprintf(" %d..%d", r.Low, r.High)
		}
		out += ": " + drawnMember(alternative.Member)
	}
	return out
}
