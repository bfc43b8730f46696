// Package funcname reduces names of functions to the forms that tables of functions use. Compilers,
// linkers and symbol readers spell one function in many ways.
//
//	funcname.Bare("__GI___clone(int)")          // "__clone": the name that a linker knows
//	funcname.C("__GI___libc_read@GLIBC_2.2.5")  // "read": the function of the C library
//	funcname.Plain("void f<int>::g(char) const") // "f::g": the function that was written
//	funcname.Short("f(std::map<…1,000 letters>)") // "f(std::map<…>)": for a sentence
//	funcname.WithoutClone("f(int) [clone .cold]") // "f(int)": without what compilers append
//
// Any text gives a result in linear time; a name that is no C++ or Rust name stays as it is. It
// demangles nothing (package demangle does), and it is not for signatures, whose rules are in
// package signature.
//
// clone.go has the suffixes that compilers append.
package funcname

import "strings"

// Bare returns a name without arguments, without the compiler's suffix for a copy or a part
// (raise.part.0), and without the prefix of glibc's internal aliases (__GI___clone).
func Bare(name string) string {
	name, _, _ = strings.Cut(WithoutClone(name), "(")
	return strings.TrimPrefix(name, "__GI_")
}

// C returns a name without the decorations of C libraries: leading underscores, versions,
// arguments, variants.
func C(name string) string {
	name, _, _ = strings.Cut(Bare(name), "@")
	name, _, _ = strings.Cut(name, "$")
	name = strings.TrimPrefix(strings.TrimLeft(name, "_"), "libc_")
	for _, variant := range []string{".abi0", "_nocancel", "_time64", "_time32", "64"} {
		name = strings.TrimSuffix(name, variant)
	}
	return strings.TrimLeft(name, "_")
}

// Plain returns a name without arguments, template arguments, return type, version, Rust's hash and
// the compiler's suffix for a copy or a part.
func Plain(name string) string {
	name = WithoutClone(name)
	if i := strings.LastIndex(name, "::h"); i > 0 && len(name)-i == len("::h")+16 {
		name = name[:i]
	}
	name, _, _ = strings.Cut(name, "@")
	depth, out := 0, make([]byte, 0, len(name))
	for i := range len(name) {
		switch c := name[i]; {
		case c == '<':
			depth++
		case c == '>' && depth > 0:
			depth--
		case depth > 0:
		case c == '(' && len(out) > 0 && !strings.HasPrefix(name[i:], "(anonymous"):
			return withoutReturnType(string(out))
		default:
			out = append(out, c)
		}
	}
	return withoutReturnType(string(out))
}

// withoutReturnType reduces "void foo" to foo. It keeps the spaces in operators and in "(anonymous
// namespace)::f", which follow no return type.
func withoutReturnType(name string) string {
	if strings.Contains(name, "operator") || strings.Contains(name, "(anonymous") {
		return name
	}
	return name[strings.LastIndexByte(name, ' ')+1:]
}

// Path returns the path of a Rust function without the arguments of types, without closures and hash: of a method
// the path of the type with its name ("a::T::f" for "<a::T<u8> as b::Trait>::f::{closure#0}").
func Path(name string) string {
	if inner, ok := strings.CutPrefix(name, "<"); ok {
		if end := closing(inner); end >= 0 {
			self, _, _ := strings.Cut(inner[:end], " as ")
			name = self + inner[end+1:]
		}
	}
	name = strings.ReplaceAll(Plain(name), "::::", "::")
	name, _, _ = strings.Cut(name, "::{")
	return strings.TrimSuffix(name, "::")
}

// closing returns the index of the bracket that closes one in front of a text, or -1.
func closing(text string) int {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// longest is the length of a name in bytes that a sentence shows whole.
const longest = 160

// Short returns a long name with "…" in place of the arguments of its templates and, if it is still long, of its own: a name of the standard library may
// have a thousand letters.
func Short(name string) string {
	if len(name) <= longest {
		return name
	}
	short := without(name, '<', '>')
	if len(short) > longest {
		short = without(short, '(', ')')
	}
	return short
}

// without replaces what is between pairs of brackets. An operator's name has none, and neither has "(anonymous namespace)". The first of the
// pairs of Rust's "<T<u8> as Trait>::f" stays.
func without(name string, open, shut byte) string {
	var out []byte
	depth := 0
	if open == '<' && name[0] == open {
		depth = -1
	}
	for i := range len(name) {
		c := name[i]
		bracket := !ofOperator(name[:i]) && (depth > 0 || !strings.HasPrefix(name[i:], "(anonymous"))
		switch {
		case c == open && bracket:
			if depth++; depth == 1 {
				out = append(append(out, c), "…"...)
			}
		case c == shut && bracket && depth > 0:
			depth--
		}
		if depth <= 0 {
			out = append(out, c)
		}
	}
	return string(out)
}

// ofOperator reports whether a bracket behind a text is a part of an operator's name.
func ofOperator(before string) bool {
	for _, end := range []string{"operator", "operator<", "operator<=", "operator>", "operator(", "-"} {
		if strings.HasSuffix(before, end) {
			return true
		}
	}
	return false
}
