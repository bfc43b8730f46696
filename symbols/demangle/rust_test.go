package demangle

import (
	"strings"
	"testing"
)

// TestNewRust has what llvm-cxxfilt and c++filt say, without the crates' hashes. Values
// that they do not read are as rustc-demangle 0.1.28 writes them.
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
		{"_RMC1aINtB0_1UKRe616263_E", `<a::U<"abc">>`}, {"_RMC1aINtB0_1UKTb0_h1_EE", "<a::U<{(false, 1)}>>"},
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
		"_RMC0FUK15stdcall_unwind_x0Eu":          "demangle: Rust name at 27: '0' begins no path",
		"_RMC0WjO":                               "demangle: Rust name at 8: it ends",
		"_RMC0WjX":                               "demangle: Rust name at 8: 'X' begins no pattern",
		"_RINvC1a1fL0_E":                         "demangle: Rust name at 13: lifetime 1 of 0",
		"_RINvC1a1fKhn1_E":                       "demangle: Rust name at 12: a value is not hexadecimal",
		"_RINvC1a1fKb2_E":                        `demangle: Rust name at 14: "2" is neither true nor false`,
		"_RINvC1a1fKc110000_E":                   `demangle: Rust name at 19: "110000" is no character`,
		"_RINvC1a1fKcd800_E":                     `demangle: Rust name at 17: "d800" is no character`,
		"_RINvC1a1fKReff_E":                      "demangle: Rust name at 16: a text of 2 digits is no UTF-8",
		"_RINvC1a1fKRe6_E":                       "demangle: Rust name at 15: a text of 1 digits is no UTF-8",
		"_RINvC1a1fKRe6A_E":                      "demangle: Rust name at 13: a value is not hexadecimal",
		"_RINvC1a1fKVNtC1a1PXE":                  "demangle: Rust name at 20: 'X' is no kind of fields",
		"_RINvC1a1fKfE":                          "demangle: Rust name at 12: 'f' begins no constant",
		"_RNvC1a5hellox":                         "demangle: Rust name at 13: 'x' follows the name",
		"_RNvC1a01f":                             "demangle: Rust name at 8: '1' follows the name",
		"_RNvC1a6_1two3":                         "demangle: Rust name at 9: a name of 6 bytes, 5 are left",
		"_RNvC1aua":                              `demangle: Rust name at 8: "" is no length`,
		"_RNvC1au3a_b":                           `demangle: Rust name at 12: the name "a_b" is not encoded right`,
		"_RNvC1au6Bcher_kva":                     "demangle: Rust name at 15: 'k' follows the name",
		"_RNvC1a99999999999999999999f":           `demangle: Rust name at 27: "99999999999999999999" is no length`,
		"_RNvC1asZZZZZZZZZZZZ_1f":                "demangle: Rust name at 19: 'Z' in a number",
		"_RB_":                                   "demangle: Rust name at 4: a reference to 0, which is not before it",
		"_RNvB0_1a":                              "demangle: Rust name at 4: 'v' begins no path",
		"_RINvC1a1fB3_E":                         "demangle: Rust name at 7: '1' begins no path",
		"_RINvC1a1fhKB6_E":                       "demangle: Rust name at 10: 'f' begins no constant",
		"_RINvC1a1fKh5_KB7_E":                    "demangle: Rust name at 11: 'K' begins no constant",
		"_RMC1aQL0_h":                            "demangle: Rust name at 10: lifetime 1 of 0",
		"_RC":                                    `demangle: Rust name at 3: "" is no length`,
		"_RQ":                                    "demangle: Rust name at 3: 'Q' begins no path",
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

// TestRustForms has a name for each rule of RFC 2603. The texts are what dump_syms 2.3.9
// writes, by rustc-demangle 0.1.28.
func TestRustForms(t *testing.T) {
	for _, tt := range []struct{ linkage, want string }{
		{"_RMC0FG_RL0_hRL0_tEu", "<for<'a> fn(&'a u8, &'a u16)>"},
		{"_RMC0DEL_", "<dyn >"},
		{"_RMC0DNtC1a1TEL_", "<dyn a::T>"},
		{"_RMC0FG_DNtC1a1TEL0_Eu", "<for<'a> fn(dyn a::T + 'a)>"},
		{"_RMC0DNtC1a1TNtC1a1UEL_", "<dyn a::T + a::U>"},
		{"_RMC0DNtC1a1Tp4ItemhEL_", "<dyn a::T<Item = u8>>"},
		{"_RMC0DNtC1a1Tp4ItemKh5_EL_", "<dyn a::T<Item = 5>>"},
		{"_RMC0DINtC1a1ThEp4ItemhEL_", "<dyn a::T<u8, Item = u8>>"},
		{"_RMC0FKCEu", `<extern "C" fn()>`},
		{"_RMC0FK9thiscall_Eu", `<extern "thiscall-" fn()>`},
		{"_RMC0FEz", "<fn() -> !>"},
		{"_RMC0FvEu", "<fn(...)>"},
		{"_RMC0Pv", "<*const ...>"},
		{"_RMC0WjRj1_jff_", "<usize is 1..=255>"},
		{"_RMC0WjORj0_j9_Rj20_j29_E", "<usize is 0..=9 | 32..=41>"},
		{"_RMC0WPuN", "<*const () is !null>"},
		{"_RINvC1a1fL_E", "a::f::<'_>"},
		{"_RINvC1a1fKh_E", "a::f::<0>"},
		{"_RINvC1a1fKh0000ff_E", "a::f::<255>"},
		{"_RINvC1a1fKyffffffffffffffff_E", "a::f::<18446744073709551615>"},
		{"_RINvC1a1fKo10000000000000000_E", "a::f::<0x10000000000000000>"},
		{"_RINvC1a1fKln1_E", "a::f::<-1>"},
		{"_RINvC1a1fKb_E", "a::f::<false>"},
		{"_RINvC1a1fKb01_E", "a::f::<true>"},
		{"_RINvC1a1fKc10ffff_E", `a::f::<'\u{10ffff}'>`},
		{"_RINvC1a1fKc_E", `a::f::<'\0'>`},
		{"_RINvC1a1fKc27_E", `a::f::<'\''>`},
		{"_RINvC1a1fKc22_E", `a::f::<'"'>`},
		{"_RINvC1a1fKcfe_E", "a::f::<'þ'>"},
		{"_RINvC1a1fKc301_E", `a::f::<'\u{301}'>`},
		{"_RINvC1a1fKRe_E", `a::f::<"">`},
		{"_RINvC1a1fKRRe61_E", `a::f::<{&"a"}>`},
		{"_RINvC1a1fKQe61_E", `a::f::<{&mut *"a"}>`},
		{"_RINvC1a1fKTEE", "a::f::<{()}>"},
		{"_RINvC1a1fKTh1_EE", "a::f::<{(1,)}>"},
		{"_RINvC1a1fKATh1_EEE", "a::f::<{[(1,)]}>"},
		{"_RINvC1a1fKVNtC1a1PUE", "a::f::<{a::P}>"},
		{"_RINvC1a1fKVNtC1a1PTh1_EE", "a::f::<{a::P(1)}>"},
		{"_RINvC1a1fKVNtC1a1PS1xh1_EE", "a::f::<{a::P { x: 1 }}>"},
		{"_RINvC1a1fKVINtC1a1PhEUE", "a::f::<{a::P::<u8>}>"},
		{"_RNvCs_1a1f", "a::f"},
		{"_RNvC1as_1f", "a::f"},
		{"_RNvC1a5hello.llvm.123", "a::hello"},
		{"_RNvC1a0", "a"},
		{"_RNCNvC1a1f0", "a::f::{closure#0}"},
		{"_RNCNvC1a1fs_0", "a::f::{closure#1}"},
		{"_RNCNvC1a1fs0_0", "a::f::{closure#2}"},
		{"_RNCNvC1a1fsZ_0", "a::f::{closure#63}"},
		{"_RNCNvC1a1fs10_0", "a::f::{closure#64}"},
		{"_RNvC1a7__start_", "a::_start_"},
		{"_RNvC1au9Bcher_kva", "a::Bücher"},
		{"_RINvC1a1fB1_E", "a::f::<...>"},
		{"_RINvC1a1fTB4_EE", "a::f::<(i8,)>"},
		{"_RYhNtC1a1T", "<u8 as a::T>"},
		{"_RNvXC1ahNtC1a1T1m", "<u8 as a::T>::m"},
		{"_RNvXs_C1ahNtC1a1T1m", "<u8 as a::T>::m"},
		{"_RNvMC1aSh1m", "<[u8]>::m"},
		{"_RNvMs0_C1aSh1m", "<[u8]>::m"},
		{"_RMC1aAhj10_", "<[u8; 16]>"},
		{"_RMC1aAhp", "<[u8; _]>"},
		{"_RMC1aOh", "<*mut u8>"},
		{"_RC1aC1b", "a"},
	} {
		if got, err := Full(tt.linkage); got != tt.want || err != nil {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", tt.linkage, got, err, tt.want)
		}
		for n := range tt.linkage {
			checkBounded(t, tt.linkage[:n])
		}
	}
}
