package pdb

import (
	"strings"

	"crashglass/core/values/types"
)

// rustEnum begins the name of the union that rustc describes an enum with. It
// has a member for each variant, with the content as its member "value", and
// the tag. Which tags a variant has is in constants, as static members.
//
// Source: rustc_codegen_llvm/src/debuginfo/metadata/enums/cpp_like.rs.
const rustEnum = "enum2$<"

// never is a range that has no value.
var never = []types.Range{{Low: 1, High: 0}}

// variants fills in the alternatives of a Rust enum.
func (m *modeling) variants(out *types.Type) {
	v := &types.Variants{}
	m.f.eachField(m.t.fields, func(d *field) bool {
		switch {
		case d.kind == fieldMember && d.name == "tag":
			v.Discr = &types.Member{Name: d.name, Type: m.ref(d.typ), Offset: d.off}
		case d.kind == fieldMember && strings.HasPrefix(d.name, "variant"):
			v.List = append(v.List, m.alternative(d))
		}
		return true
	})
	if v.Discr == nil && len(v.List) == 1 {
		v.List[0].Values = nil // the only one: its tag is a constant
	}
	if len(v.List) > 0 {
		out.Kind, out.Variants = types.Struct, v
	}
}

// alternative is one variant.
func (m *modeling) alternative(d *field) types.Variant {
	wrapper, err := m.f.typeAt(&unit{}, d.typ)
	if err != nil {
		return types.Variant{Values: never, Member: types.Member{Name: d.name, Type: m.ref(d.typ)}}
	}
	wrapper = m.f.defined(wrapper)
	out := types.Variant{Values: m.tags(wrapper.name), Member: types.Member{Name: d.name, Type: m.ref(d.typ), Offset: d.off}}
	m.f.eachField(wrapper.fields, func(in *field) bool {
		if in.kind == fieldMember && in.name == "value" {
			out.Member.Type, out.Member.Offset = m.ref(in.typ), d.off+in.off
			if content, err := m.f.typeAt(&unit{}, in.typ); err == nil {
				out.Member.Name = lastName(content.name)
			}
			return false
		}
		return true
	})
	return out
}

// tags are the values of the tag that a variant has. Ranges may go past the end
// of the numbers, and begin again at 0. Those of 128 bits are not read.
func (m *modeling) tags(wrapper string) []types.Range {
	if v, ok := m.f.constant(wrapper + "::DISCR_EXACT"); ok {
		return []types.Range{{Low: v, High: v}}
	}
	low, okLow := m.f.constant(wrapper + "::DISCR_BEGIN")
	high, okHigh := m.f.constant(wrapper + "::DISCR_END")
	switch {
	case !okLow || !okHigh:
		return never
	case low > high:
		return []types.Range{{Low: low, High: ^uint64(0)}, {Low: 0, High: high}}
	}
	return []types.Range{{Low: low, High: high}}
}

// lastName is a name without what it is in. "::" in brackets does not count.
func lastName(name string) string {
	depth := 0
	for i := len(name) - 1; i > 0; i-- {
		switch name[i] {
		case '>':
			depth++
		case '<':
			depth--
		case ':':
			if depth == 0 && name[i-1] == ':' {
				return name[i+1:]
			}
		}
	}
	return name
}
