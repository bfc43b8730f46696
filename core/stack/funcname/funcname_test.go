package funcname

import (
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	tests := map[string]string{
		"abort":                                         "abort",
		"raise@@GLIBC_2.2.5":                            "raise",
		"void foo<int>(int, char)":                      "foo",
		"std::vector<int>::at(size_t)":                  "std::vector::at",
		"(anonymous namespace)::f(int)":                 "(anonymous namespace)::f",
		"operator new(unsigned long)":                   "operator new",
		"core::panicking::panic_fmt::h0123456789abcdef": "core::panicking::panic_fmt",
		"app::h0123":                                    "app::h0123", // too short for a hash
		"<T as core::fmt::Debug>::fmt":                  "::fmt",
		"a > b":                                         "b",
		"":                                              "",
		"<<<":                                           "",
		"f(":                                            "f",
	}
	for in, want := range tests {
		if got := Plain(in); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestBare(t *testing.T) {
	tests := map[string]string{
		"clone":               "clone",
		"__GI___clone":        "__clone",
		"__clone(int, void*)": "__clone", // with arguments, as some symbol files have it
		"_dyld_start":         "_dyld_start",
	}
	for in, want := range tests {
		if got := Bare(in); got != want {
			t.Errorf("Bare(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestC(t *testing.T) {
	tests := map[string]string{
		"read":                       "read",
		"__libc_read":                "read",
		"__GI___libc_read":           "read", // glibc's alias of its own name
		"__GI_ppoll":                 "ppoll",
		"__GI___poll":                "poll",
		"___pthread_mutex_lock":      "pthread_mutex_lock",
		"__futex_abstimed_wait64":    "futex_abstimed_wait",
		"pthread_join@GLIBC_2.34":    "pthread_join",
		"__select$DARWIN_EXTSN":      "select",
		"__psynch_cvwait":            "psynch_cvwait",
		"read(int, void*, unsigned)": "read",
		"epoll_wait_nocancel":        "epoll_wait",
		"runtime.futex.abi0":         "runtime.futex",
		"":                           "",
	}
	for in, want := range tests {
		if got := C(in); got != want {
			t.Errorf("C(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestPath(t *testing.T) {
	for name, want := range map[string]string{
		"std::sys::sync::mutex::futex::Mutex::lock_contended":      "std::sys::sync::mutex::futex::Mutex::lock_contended",
		"<std::sys::sync::mutex::futex::Mutex>::lock_contended":    "std::sys::sync::mutex::futex::Mutex::lock_contended",
		"std::sync::mpmc::list::Channel<T>::recv::{{closure}}":     "std::sync::mpmc::list::Channel::recv",
		"<std::sync::mpmc::list::Channel<u32>>::recv::{closure#1}": "std::sync::mpmc::list::Channel::recv",
		"<a::T<u8> as b::Trait<c::D>>::f":                          "a::T::f",
		"std::panicking::catch_unwind::do_call::<&dyn a::B, i32>":  "std::panicking::catch_unwind::do_call",
		"std::thread::park::h0123456789abcdef":                     "std::thread::park",
		"<":                                                        "", "<a": "", "": "", "main": "main", "f::{{closure}}": "f",
	} {
		if got := Path(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// A long name has no arguments of templates in a sentence, then none at all. Shorter names stay as they are.
func TestShort(t *testing.T) {
	long := strings.Repeat("ab, ", 50)
	for name, want := range map[string]string{
		"std::map<int, int>::at(int)":                          "std::map<int, int>::at(int)",
		"std::map<" + long + "std::less<int> >::at(int) const": "std::map<…>::at(int) const",
		"f(std::map<" + long + ">, " + long + ")":              "f(…)",
		"S<" + long + ">::operator<<(int)":                     "S<…>::operator<<(int)",
		"S<" + long + ">::operator->() const":                  "S<…>::operator->() const",
		"S<" + long + ">::operator()(int)":                     "S<…>::operator()(int)",
		"f((anonymous namespace)::T, " + long + long + ")":     "f(…)",
		"f(T::operator()(int)::{lambda()#1}, " + long + ")":    "f(…)",
		"S<&T::operator<=>, " + long + ">::f(" + long + ")":    "S<…>::f(…)",
		"(anonymous namespace)::f(" + long + ")":               "(anonymous namespace)::f(…)",
		"<app::T<" + long + "> as core::fmt::Debug>::fmt":      "<app::T<…> as core::fmt::Debug>::fmt",
	} {
		if got := Short(name); got != want {
			t.Errorf("%.40s: %s, want %s", name, got, want)
		}
	}
}
