package pdb

import (
	"strings"

	"crashglass/core/values/types"
)

// maxNameDepth bounds the brackets in the name of a type.
const maxNameDepth = 32

// anonymous are names of what has none.
var anonymous = []string{"<unnamed-tag>", "<anonymous-tag>", "__unnamed"}

// typeName is the name of a type as its language writes it, "" for what has
// none.
func typeName(name string, l types.Language) string {
	for _, none := range anonymous {
		if name == none || strings.HasSuffix(name, "::"+none) {
			return ""
		}
	}
	if l != types.Rust {
		return name
	}
	return rustName(name, maxNameDepth)
}

// rustForms are what rustc writes for the types of Rust that C++ has no name
// for. "$1" and "$2" stand for the arguments, "$*" for all of them.
//
// Source: rustc_codegen_ssa/src/debuginfo/type_names.rs.
var rustForms = map[string]string{
	"ref$": "&$1", "ref_mut$": "&mut $1", "ptr_const$": "*const $1", "ptr_mut$": "*mut $1", "slice2$": "[$1]",
	"array$": "[$1; $2]", "tuple$": "($*)", "enum2$": "$1", "dyn$": "dyn $*", "never$": "!", "str$": "str",
}

// rustName writes a name as Rust does.
func rustName(name string, left int) string {
	open := strings.IndexByte(name, '<')
	if open < 0 || left == 0 {
		if form, ok := rustForms[name]; ok && strings.HasSuffix(name, "$") && !strings.Contains(form, "$") {
			return form
		}
		return name
	}
	end := closing(name, open)
	if end < 0 {
		return name
	}
	args := splitArguments(name[open+1 : end])
	for i := range args {
		args[i] = rustName(args[i], left-1)
	}
	all := strings.Join(args, ", ")
	form, ok := rustForms[name[:open]]
	if !ok {
		return name[:open+1] + all + ">" + rustName(name[end+1:], left-1)
	}
	if name[:open] == "tuple$" && len(args) == 1 && all != "" {
		all += ","
	}
	return fillForm(form, all, args) + rustName(name[end+1:], left-1)
}

// Marks inside an argument are text: hostile names that repeat them would grow without end.
func fillForm(form, all string, args []string) string {
	pairs := []string{"$*", all, "$1", args[0]}
	if len(args) > 1 {
		pairs = append(pairs, "$2", args[1])
	}
	return strings.NewReplacer(pairs...).Replace(form)
}

// closing is where the bracket at open is closed, -1 where it is not.
func closing(name string, open int) int {
	depth := 0
	for i := open; i < len(name); i++ {
		switch name[i] {
		case '<', '(':
			depth++
		case '>', ')':
			if name[i] == '>' && i > 0 && name[i-1] == '-' {
				continue // an arrow
			}
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// splitArguments splits at the commas outside of brackets.
func splitArguments(text string) (out []string) {
	depth, from := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '<', '(', '[', '{':
			depth++
		case '>', ')', ']', '}':
			if text[i] == '>' && i > 0 && text[i-1] == '-' {
				continue
			}
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(text[from:i]))
				from = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(text[from:]))
}

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

// Ranges may go past the end of the numbers, and begin again at 0. Those of 128 bits are not read.
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
