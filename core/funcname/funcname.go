// Package funcname reduces the names of functions to what tables of functions have.
// Compilers, linkers and readers of symbols spell one function in many ways.
//
//	funcname.Bare("__GI___clone(int)")          // "__clone": the name that a linker knows
//	funcname.C("__GI___libc_read@GLIBC_2.2.5")  // "read": the function of the C library
//	funcname.Plain("void f<int>::g(char) const") // "f::g": the function that was written
//
// A signature follows rules of Mozilla's crash-stats, which package signature has.
package funcname

import "strings"

// Bare is a name without arguments, and without what glibc puts in front of its
// own aliases (__GI___clone).
func Bare(name string) string {
	name, _, _ = strings.Cut(name, "(")
	return strings.TrimPrefix(name, "__GI_")
}

// C is a name without what C libraries put around the names of system calls:
// leading underscores, versions, arguments, variants.
func C(name string) string {
	name, _, _ = strings.Cut(Bare(name), "@")
	name, _, _ = strings.Cut(name, "$")
	name = strings.TrimPrefix(strings.TrimLeft(name, "_"), "libc_")
	for _, variant := range []string{".abi0", "_nocancel", "_time64", "_time32", "64"} {
		name = strings.TrimSuffix(name, variant)
	}
	return strings.TrimLeft(name, "_")
}

// Plain is a name without arguments, template arguments, a return type, a version
// and the hash that Rust adds.
func Plain(name string) string {
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

// withoutReturnType makes "void foo" foo. The spaces in operators and in
// "(anonymous namespace)::f" follow no return type.
func withoutReturnType(name string) string {
	if strings.Contains(name, "operator") || strings.Contains(name, "(anonymous") {
		return name
	}
	return name[strings.LastIndexByte(name, ' ')+1:]
}
