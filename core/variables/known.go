package variables

import (
	"slices"
	"strings"

	"crashglass/core/types"
)

// A library's type is read by its meaning: a string as its text, a vector as its elements. Each
// reader checks the object for consistency and reports false if it fails; then the members are
// shown.

// A known is a type of a library, by its name, or by a prefix if the row ends in a punctuation
// mark: "std::vector<".
type known struct {
	prefix string
	read   func(o *object) bool
	raw    bool // the members are shown, too
	text   bool // it has only a text
}

// names reports whether a row matches a type.
func (k *known) names(t *types.Type) bool {
	rest, ok := strings.CutPrefix(t.Name, k.prefix)
	last := k.prefix[len(k.prefix)-1]
	return ok && (rest == "" || !isLetter(last))
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
		if k.names(t) {
			return k.text
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
		if !k.names(t) {
			continue
		}
		o := &object{r: r, v: v, t: t, out: out, depth: depth}
		evidence := r.eval.Evidence
		if !k.read(o) {
			*out = Value{Type: out.Type}
			r.eval.Evidence = evidence
			continue
		}
		if k.raw {
			r.rawMembers(out, v, t, depth)
		}
		return true
	}
	return false
}

// rawMembers adds the members of a library's type.
func (r *reader) rawMembers(out *Value, v view, t *types.Type, depth int) {
	var plain Value
	r.members(&plain, v, t, depth)
	for _, c := range plain.Children {
		c.Raw = true
		out.Children = append(out.Children, c)
	}
}
