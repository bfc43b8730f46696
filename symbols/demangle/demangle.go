// Package demangle demangles linkage names: Itanium C++ (by a library), Rust's two schemes and
// Microsoft's C++ (by this package), Swift (by package swift below this one), and the decorations
// of C functions on 32-bit Windows.
//
//	name, ok := demangle.Name("_ZN3foo3barEi") // "foo::bar(int)", true
//	name, ok  = demangle.Name("?bar@foo@@QEAAXH@Z") // "foo::bar(int)", true
//	name, ok  = demangle.Name("main") // "main", false
//
// [Name] returns the form for a stack: scope, name and parameters, without result and calling
// convention. [Full] returns all parts of the name.
//
// A name comes from an untrusted file. A name that is too long, nests too deep, or would become too
// long is left unchanged: back references can double a name with every ten bytes. No function
// panics, and the result is either a complete name or none.
//
// The package does not guess. Text after a complete name makes it invalid, except the suffixes that
// compilers give to parts of functions (".cold").
//
// Read this file first. itanium.go begins C++ names, whose grammar is in names.go, types.go and
// functions.go; rust.go and oldrust.go read Rust's two schemes, and msvc.go reads Microsoft's.
package demangle

import (
	"errors"
	"strings"

	"crashglass/core/stack/funcname"
	"crashglass/symbols/demangle/swift"
)

// The limits of one name, in bytes. MSVC replaces its own by a hash above 4,096. Itanium's
// names have a lower limit, see maxLibraryInput. They reach 155 KB in practice; names of that
// length are useless and stay unchanged.
const (
	maxInput  = 64 << 10
	maxOutput = 64 << 10
)

// ErrNotMangled is returned for a name of no scheme that this package knows.
var ErrNotMangled = errors.New("demangle: not a mangled name")

// errTooLong is for names beyond maxInput.
var errTooLong = errors.New("demangle: the name is longer than 65536 bytes")

// Name returns the readable form of a linkage name as a stack shows it:
// scopes, name, template arguments and parameters. It reports false, and
// returns its argument, for a name that is not mangled or is damaged.
func Name(linkage string) (readable string, ok bool) {
	readable, err := read(linkage, true)
	if err != nil || readable == "" {
		return linkage, false
	}
	return readable, true
}

// read finds out the scheme of a name and reads it. Short is what a stack shows.
func read(linkage string, short bool) (string, error) {
	if len(linkage) > maxInput {
		return "", errTooLong
	}
	if !short && strings.HasPrefix(linkage, ".") {
		return undecorate(linkage, short) // the name in a type descriptor, of any type
	}
	switch schemeOf(linkage) {
	case microsoft:
		return undecorate(withoutEC(linkage), short)
	case ecC:
		return linkage[1:], nil
	case itanium:
		return fromItanium(linkage, short)
	case appleItanium: // one underscore in front of every C name
		return fromItanium(linkage[1:], short)
	case rust:
		return fromNewRust(linkage)
	case appleRust:
		return fromNewRust(linkage[1:])
	case windowsC:
		return undecorateC(linkage), nil
	case swiftName:
		return swift.Name(linkage)
	}
	return "", ErrNotMangled
}

// A scheme is a way to mangle names.
type scheme uint8

const (
	plain scheme = iota
	itanium
	appleItanium
	rust
	appleRust
	microsoft
	windowsC
	ecC
	swiftName
)

// prefixes identify the scheme; the first match is used. Every one is impossible, or reserved, in
// C. ___Z is clang's function of a block, on every system.
var prefixes = []struct {
	text   string
	scheme scheme
}{
	{"?", microsoft},
	{".?A", microsoft}, // the name in a class's type descriptor
	{"#", ecC},
	{"_Z", itanium},
	{"___Z", itanium},
	{"____Z", appleItanium},
	{"__Z", appleItanium},
	{"_GLOBAL__", itanium},
	{"__GLOBAL__", appleItanium},
	{"_R", rust},
	{"__R", appleRust},
}

// schemeOf tells the scheme of a name by its first letters, or plain.
func schemeOf(name string) scheme {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p.text) {
			return p.scheme
		}
	}
	switch {
	case swift.IsMangled(name):
		return swiftName
	case undecorateC(name) != "":
		return windowsC
	}
	return plain
}

// withoutEC removes what ARM64EC adds to a name of C++. C names begin with "#".
//
// Source: LLVM, llvm/include/llvm/IR/Mangler.h, getArm64ECDemangledFunctionName.
func withoutEC(linkage string) string {
	before, after, _ := strings.Cut(linkage, "$$h")
	return before + after
}

// undecorateC removes what 32-bit Windows adds to C functions that take their
// arguments off the stack: _name@12 (__stdcall), @name@12 (__fastcall),
// name@@12 (__vectorcall, on every CPU). It returns "" for other names. No C name
// begins with a point: what does is the name in a type descriptor, or a section.
//
// Source: https://learn.microsoft.com/cpp/build/reference/decorated-names
func undecorateC(decorated string) string {
	name := funcname.WithoutClone(decorated)
	at := strings.LastIndexByte(name, '@')
	if at <= 0 || !isArgumentSize(name[at+1:]) {
		return ""
	}
	body := name[:at]
	switch {
	case body[len(body)-1] == '@':
		body = body[:len(body)-1]
	case body[0] == '_' || body[0] == '@':
		body = body[1:]
	default:
		return ""
	}
	if body == "" || body[0] == '.' || strings.ContainsAny(body, "@?") {
		return ""
	}
	return body + decorated[len(name):]
}

// isArgumentSize reports whether s is a decimal multiple of 4 of at most 5
// digits: the stack is pushed in words.
func isArgumentSize(s string) bool {
	if s == "" || len(s) > 5 {
		return false
	}
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n%4 == 0
}
