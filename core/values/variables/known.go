package variables

import (
	"slices"
	"strings"

	"crashglass/core/values/types"
)

// A library's type is read by its meaning: a string as its text, a vector as its elements. Each
// reader checks the object for consistency and reports false if it fails; then the members are
// shown.

// A known is a row of a library's types.
type known struct {
	names string // with "|" between; one that ends in a punctuation mark is a prefix: "std::vector<"
	read  func(o *object) bool
	style style
}

// A style is what is shown of a library's type.
type style uint8

const (
	plain       style = iota // what its reader finds
	withMembers              // the members, too
	asText                   // only a text
)

func (k *known) matches(t *types.Type) bool {
	for name := range strings.SplitSeq(k.names, "|") {
		if rest, ok := strings.CutPrefix(t.Name, name); ok && (rest == "" || !isLetter(name[len(name)-1]) && (name[len(name)-1] != '<' || closes(rest))) {
			return true
		}
	}
	return false
}

// closes reports whether the arguments of a template end with its name: std::vector<T>::iterator is no vector.
func closes(rest string) bool {
	depth := 1
	for i := range len(rest) {
		switch {
		case rest[i] == '<':
			depth++
		case rest[i] == '>' && (i == 0 || rest[i-1] != '-'): // fn() -> T
			depth--
		}
		if depth == 0 {
			return i == len(rest)-1
		}
	}
	return true // an operator is among the arguments
}

// isLetter reports whether a byte is an ASCII letter.
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// isString reports whether a type is a library's string: a pointer to one is
// shown as its text.
func (r *reader) isString(t *types.Type) bool {
	if t == nil {
		return false
	}
	for _, k := range r.known(t.Language) {
		if k.matches(t) {
			return k.style == asText
		}
	}
	return false
}

// known returns the types of a language's libraries. The tables are made on demand, so that a
// program without variables does not link their readers.
func (r *reader) known(l types.Language) []known {
	if list, ok := r.libraries[l]; ok {
		return list
	}
	if r.libraries == nil {
		r.libraries = map[types.Language][]known{}
	}
	var list []known
	switch l {
	case types.CPlusPlus:
		list = slices.Concat(libstdcxx(), libcxx(), msvc(), qt(), chromium(), mozilla())
	case types.Rust:
		list = rust()
	case types.Go:
		list = golang()
	}
	r.libraries[l] = list
	return list
}

// wellKnown reads a structure by its meaning in a library.
func (r *reader) wellKnown(out *Value, v view, t *types.Type, depth int) bool {
	for _, k := range r.known(t.Language) {
		if !k.matches(t) {
			continue
		}
		o := &object{r: r, v: v, t: t, out: out, depth: depth}
		evidence := r.eval.Evidence
		if !k.read(o) {
			*out = Value{Type: out.Type, at: out.at, t: out.t}
			r.eval.Evidence = evidence
			continue
		}
		if k.style == withMembers || out.State == Inconsistent { // with what contradicts
			r.rawMembers(out, v, t, depth)
		}
		return true
	}
	return false
}

func (r *reader) rawMembers(out *Value, v view, t *types.Type, depth int) {
	var plain Value
	r.members(&plain, v, t, depth)
	for _, c := range plain.Children {
		c.Raw = true
		out.Children = append(out.Children, c)
	}
}
