package render

import (
	"slices"
	"strings"
)

// longestArguments bounds the text within brackets: "Queue<Node*>" is clearer than "Queue<…>", and
// hardly longer.
const longestArguments = 24

// brackets are the pairs that hold arguments of functions and templates.
var brackets = map[byte]byte{'(': ')', '<': '>'}

// scopes are names in brackets, which stay.
var scopes = []string{"(anonymous namespace)", "<name omitted>", "<unknown>"}

// shorten replaces long arguments of templates and functions by "…". Brackets at the beginning are
// part of the name, as in Rust's "<T as Trait>::f", and are shortened inside. A name with unmatched
// brackets stays unchanged.
func shorten(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); {
		if n := operator(name[i:]); n > 0 { // its brackets open nothing: "operator<<(ostream&)"
			b.WriteString(name[i : i+n])
			i += n
			continue
		}
		shut := brackets[name[i]]
		if shut == 0 {
			b.WriteByte(name[i])
			i++
			continue
		}
		end := closing(name, i)
		if end < 0 { // a name that the symbol file cut, or no C++
			return name
		}
		inside := name[i+1 : end]
		switch {
		case i == 0 && shut == '>': // "<Vec<T> as Drop>::drop" of Rust
			inside = shorten(inside)
		case len(inside) > longestArguments && !isScope(name[i:end+1]):
			inside = "…"
		}
		b.WriteByte(name[i])
		b.WriteString(inside)
		b.WriteByte(shut)
		i = end + 1
	}
	return b.String()
}

// isScope reports whether brackets and their contents are a name.
func isScope(s string) bool {
	return slices.Contains(scopes, s)
}

// operators are the C++ operators that contain brackets, the longest first.
var operators = []string{"operator()", "operator<=>", "operator<<=", "operator>>=", "operator<<", "operator>>", "operator->*", "operator->",
	"operator<=", "operator>=", "operator<", "operator>"}

// operator returns the length of the operator's name at the beginning of s, or 0.
func operator(s string) int {
	if s[0] != 'o' {
		return 0
	}
	for _, op := range operators {
		if strings.HasPrefix(s, op) {
			return len(op)
		}
	}
	return 0
}

// closing returns the index where the bracket at an index is closed, or -1. The arrow of a return
// type closes nothing.
func closing(s string, at int) int {
	var open []byte
	for i := at; i < len(s); i++ {
		c := s[i]
		switch {
		case brackets[c] != 0:
			open = append(open, brackets[c])
		case c == '>' && s[i-1] == '-': // "f(int) -> void"
		case c == open[len(open)-1]:
			if open = open[:len(open)-1]; len(open) == 0 {
				return i
			}
		case c == ')' || c == '>':
			return -1
		}
	}
	return -1
}
