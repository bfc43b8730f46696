package demangle

import (
	"strings"
	"testing"
)

// TestNewRust has what llvm-cxxfilt and c++filt say, without the crates' hashes.
func TestNewRust(t *testing.T) {
	for _, tt := range []struct{ linkage, want string }{
		{"_RC3foo.llvm.9D1C9369", "foo"},
		{"_RNCNCNCNvNtCs1_3std2rt19lang_start_internal00s_0B9_", "std::rt::lang_start_internal::{closure#0}::{closure#0}::{closure#1}"},
		{"_RINvNtCsjrHSEGnQ3l9_3std5panic12catch_unwindNCNCNCNvNtB4_2rt19lang_start_internal000uEB4_",
			"std::panic::catch_unwind::<std::rt::lang_start_internal::{closure#0}::{closure#0}::{closure#0}, ()>"},
		{"_RNvNCNKNvNtNtCsjrHSEGnQ3l9_3std2io5stdio14OUTPUT_CAPTURE0023___RUST_STD_INTERNAL_VAL",
			"std::io::stdio::OUTPUT_CAPTURE::{K#0}::{closure#0}::__RUST_STD_INTERNAL_VAL"},
		{"_RNcNtC1a1B0", "a::B"}, {"_RNSC1a1b", "a::{shim:b#0}"}, {"_RNSC1as_1b", "a::{shim:b#1}"},
		{"_RXC0hNtC1a1b", "<u8 as a::b>"}, {"_RYhNtC1a1b", "<u8 as a::b>"},
		{"_RMC0TuE", "<((),)>"}, {"_RMC0TE", "<()>"}, {"_RMC0Ahj8_", "<[u8; 8]>"}, {"_RMC0Oh", "<*mut u8>"}, {"_RMC0QSe", "<&mut [str]>"},
		{"_RMC0FG_RL0_hEu", "<for<'a> fn(&'a u8)>"}, {"_RMC0FG_QL0_hEu", "<for<'a> fn(&'a mut u8)>"},
		{"_RMC0FG0_RL1_hRL0_tEuC1b", "<for<'a, 'b> fn(&'a u8, &'b u16)>"},
		{"_RMC0FUKCjEh", `<unsafe extern "C" fn(usize) -> u8>`},
		{"_RMC0DG_INtC1a2FnTRL0_hEEp6OutputuEL_", "<dyn for<'a> a::Fn<(&'a u8,), Output = ()>>"},
		{"_RMC1aINtB0_1UKhb_E", "<a::U<11>>"}, {"_RMC1aINtB0_1UKanb_E", "<a::U<-11>>"}, {"_RMC1aINtB0_1UKpE", "<a::U<_>>"},
		{"_RMC1aINtB0_1UKb1_E", "<a::U<true>>"}, {"_RMC1aINtB0_1UKc76_E", "<a::U<'v'>>"}, {"_RMC1aINtB0_1UKca_E", `<a::U<'\n'>>`},
		{"_RMC1aINtB0_1UKRe616263_E", `<a::U<&"abc">>`}, {"_RMC1aINtB0_1UKTb0_h1_EE", "<a::U<(false, 1)>>"},
		{"_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y", "utf8_idents::საჭმელად_გემრიელი_სადილი"},
	} {
		if got, ok := Name(tt.linkage); got != tt.want || !ok {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", tt.linkage, got, ok, tt.want)
		}
		for n := range tt.linkage {
			Name(tt.linkage[:n]) // must not panic
		}
	}
}

func TestNotNewRust(t *testing.T) {
	for name, want := range map[string]string{
		"_R":                                     "demangle: Rust name at 2: it ends",
		"_RC0":                                   "demangle: Rust name at 4: it says nothing",
		"_RC0$":                                  "demangle: Rust name at 4: it says nothing",
		"_R1C1a":                                 "demangle: Rust name at 3: '1' begins no path",
		"_RC5ab":                                 "demangle: Rust name at 4: a name of 5 bytes, 2 are left",
		"_RC1aC1bC1c":                            "demangle: Rust name at 8: 'C' follows the name",
		"_RNvB5_1a":                              "demangle: Rust name at 7: a reference to 6, which is not before it",
		"_RMC0RL0_h":                             "demangle: Rust name at 9: lifetime 1 of 0",
		"_RN1C1a1b":                              "demangle: Rust name at 9: '1' is no namespace",
		"_RMC0DNtC1a1bEu":                        "demangle: Rust name at 14: a trait object has no lifetime",
		"_RCu3a_0":                               `demangle: Rust name at 8: the name "a_0" is not encoded right`,
		"_RNvB_1a":                               errRustTooMuch.Error(),
		"_RMC0" + strings.Repeat("S", 300) + "h": errRustTooMuch.Error(),
	} {
		if got, err := Full(name); err == nil || err.Error() != want {
			t.Errorf("%.40s: %s, %v\nwant %s", name, got, err, want)
		}
	}
}
