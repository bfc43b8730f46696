package pdb

import (
	"strings"
	"testing"

	"crashglass/core/values/types"
)

// TestRustNames writes names as rustc_codegen_ssa's type_names.rs forms them for debuggers
// that know C++, and as Rust does.
func TestRustNames(t *testing.T) {
	for name, want := range map[string]string{
		"ref$<str$>": "&str", "ref_mut$<slice2$<i16> >": "&mut [i16]", "tuple$<i32,f32>": "(i32, f32)", "tuple$<i32>": "(i32,)", "tuple$<>": "()",
		"enum2$<core::option::Option<ref$<p::Point> > >": "core::option::Option<&p::Point>", "array$<u8,4>": "[u8; 4]",
		"alloc::vec::Vec<i32,alloc::alloc::Global>": "alloc::vec::Vec<i32, alloc::alloc::Global>", "ptr_const$<never$>": "*const !", "ptr_mut$<u8>": "*mut u8",
		"ref$<dyn$<core::fmt::Debug> >": "&dyn core::fmt::Debug", "dyn$<core::error::Error,core::marker::Send>": "dyn core::error::Error, core::marker::Send",
		"impl$<T>::f": "impl$<T>::f", "a::V<ref$<str$> >::iter<u8>": "a::V<&str>::iter<u8>",
		"V<fn(u8)->u8,4>": "V<fn(u8)->u8, 4>", // the arrow closes no bracket
		"never$":          "!", "str$": "str", "array$": "array$", "plain": "plain", "": "",
		"array$<u8>": "[u8; $2]", // an argument that is not there stays a mark
		"broken<":    "broken<", "ref$<str$": "ref$<str$", "ref$<(>": "ref$<(>",
	} {
		if got := typeName(name, types.Rust); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestRustNamesThatStandForArguments has names with the marks of rustForms inside: they are
// text, and stand for nothing. A name of a few kilobytes would become gigabytes.
func TestRustNamesThatStandForArguments(t *testing.T) {
	for name, want := range map[string]string{
		"ref$<a$1b>": "&a$1b", "array$<$2,$1>": "[$2; $1]", "tuple$<$*,$1>": "($*, $1)", "tuple$<tuple$<$1>,$2>": "(($1,), $2)",
	} {
		if got := typeName(name, types.Rust); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	long := "tuple$<" + strings.Repeat("$1", 2000) + ">"
	if got := typeName(long, types.Rust); len(got) > 2*len(long) {
		t.Errorf("a name of %d bytes became %d", len(long), len(got))
	}
}

// TestDeepRustNames has more brackets in each other than are looked into: the rest stays as
// rustc wrote it.
func TestDeepRustNames(t *testing.T) {
	deep := strings.Repeat("ref$<", 40) + "u8" + strings.Repeat(" >", 40)
	got := typeName(deep, types.Rust)
	if want := strings.Repeat("&", maxNameDepth) + "ref$<"; !strings.HasPrefix(got, want) {
		t.Errorf("%s", got)
	}
}

// TestNamesOfTheAnonymous has what MSVC, LLVM and older compilers call a type without a name.
func TestNamesOfTheAnonymous(t *testing.T) {
	for name, want := range map[string]string{
		"<unnamed-tag>": "", "<anonymous-tag>": "", "__unnamed": "", "S::<unnamed-tag>": "", "a::b::__unnamed": "", "A<int>::<anonymous-tag>": "",
		"not__unnamed": "not__unnamed", "<unnamed-tag>::S": "<unnamed-tag>::S", "<unnamed-type-u>": "<unnamed-type-u>",
		"ref$<str$>": "ref$<str$>", // of C++ it is a name like others
	} {
		if got := typeName(name, types.CPlusPlus); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// TestLastName has names in scopes; "::" within a template's arguments is of an argument.
func TestLastName(t *testing.T) {
	for name, want := range map[string]string{
		"f::kept": "kept", "a::b::c": "c", "kept": "kept", "": "", "::top": "top", "f<a::b>": "f<a::b>", "n::f<a::b>": "f<a::b>",
		"f<a::b>::kept": "kept", "a:b": "a:b", "a::": "", ":": ":",
	} {
		if got := lastName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// TestArgumentsOfNames splits the text between the brackets of a template's name.
func TestArgumentsOfNames(t *testing.T) {
	for text, want := range map[string]string{
		"int": "int", "int,char": "int|char", " int , char ": "int|char", "A<int,char>,b": "A<int,char>|b", "f(int,char),b": "f(int,char)|b",
		"x[1,2],y": "x[1,2]|y", "lambda{1,2},y": "lambda{1,2}|y", "fn(u8)->A<u8,4>,b": "fn(u8)->A<u8,4>|b", "": "", ",": "|",
		"a->b,c": "a->b|c", ">,a": ">,a", // what closes nothing hides the comma: no name has it
	} {
		if got := strings.Join(splitArguments(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for name, want := range map[string]int{"V<int>": 1, "V<A<int>>": 1, "V<A>::W<B>": 7, "V": -1, "V<int>x": -1, ">": -1, "V>>": -1, "<int>": 0} {
		if got := lastOpen(name); got != want {
			t.Errorf("%q opens at %d, want %d", name, got, want)
		}
	}
}
