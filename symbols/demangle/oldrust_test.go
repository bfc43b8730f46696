package demangle

import "testing"

// TestOldRust has a name for each escape of the older mangling, and what dump_syms 2.3.9
// writes, by rustc-demangle 0.1.28.
func TestOldRust(t *testing.T) {
	for _, tt := range []struct{ linkage, want string }{
		{"_ZN4core1_17h0123456789abcdefE", "core::_"},
		{"_ZN4core5_priv17h0123456789abcdefE", "core::_priv"},
		{"_ZN1a12__rust_begin17h0123456789abcdefE", "a::__rust_begin"},
		{"_ZN19_$LT$impl$u20$T$GT$17h0123456789abcdefE", "<impl T>"},
		{"_ZN37$LT$T$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE", "<T as core::fmt::Debug>::fmt"},
		{"_ZN70_$LT$alloc..vec..Vec$LT$T$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h0123456789abcdefE", "<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop"},
		{"_ZN1a1f28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE", "a::f::{{closure}}"},
		{"_ZN1a11{{closure}}17h0123456789abcdefE", "a::{{closure}}"},
		{"_ZN7$RF$str17h0123456789abcdefE", "&str"},
		{"_ZN16$BP$const$u20$u817h0123456789abcdefE", "*const u8"},
		{"_ZN13$RF$mut$u20$T17h0123456789abcdefE", "&mut T"},
		{"_ZN10fn$LP$$RP$17h0123456789abcdefE", "fn()"},
		{"_ZN23$u5b$u8$u3b$$u20$4$u5d$17h0123456789abcdefE", "[u8; 4]"},
		{"_ZN6$u27$a17h0123456789abcdefE", "'a"},
		{"_ZN4$SP$17h0123456789abcdefE", "@"},
		{"_ZN1a8caf$ue9$17h0123456789abcdefE", "a::café"},
		{"_ZN1a14$u4f60$$u597d$17h0123456789abcdefE", "a::你好"},
		{"_ZN1a8$u1f600$17h0123456789abcdefE", "a::😀"},
		{"_ZN1a7f$u7f$g17h0123456789abcdefE", "a::f$u7f$g"},
		{"_ZN1a9f$ud800$g17h0123456789abcdefE", "a::f$ud800$g"},
		{"_ZN1a11f$u110000$g17h0123456789abcdefE", "a::f$u110000$g"},
		{"_ZN1a6f$ux$g17h0123456789abcdefE", "a::f$ux$g"},
		{"_ZN1a5f$u$g17h0123456789abcdefE", "a::f$u$g"},
		{"_ZN1a15f$UNKNOWN$g$LT$17h0123456789abcdefE", "a::f$UNKNOWN$g$LT$"},
		{"_ZN1a4f$LT17h0123456789abcdefE", "a::f$LT"},
		{"_ZN1a1$17h0123456789abcdefE", "a::$"},
		{"_ZN1a2_$17h0123456789abcdefE", "a::$"},
		{"_ZN1a3a.b17h0123456789abcdefE", "a::a.b"},
		{"_ZN1a5a...b17h0123456789abcdefE", "a::a::.b"},
		{"_ZN1a1.17h0123456789abcdefE", "a::."},
		{"_ZN1a2..17h0123456789abcdefE", "a::::"},
		{"_ZN1a3_.b17h0123456789abcdefE", "a::_.b"},
		{"_ZN17h0123456789abcdef1f17h0123456789abcdefE", "h0123456789abcdef::f"},
		{"_ZN4core1_17h0123456789abcdefE.llvm.12", "core::_"},
		{"_ZN4core1_17h0123456789abcdefE.cold", "core::_"},
		{"_ZN49_$LT$a..TYPE..Bar$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE", "<a::TYPE::Bar as core::fmt::Debug>::fmt"},
		{"_ZN30_$LT$impl$u20$a..TYPE..Bar$GT$1f17h0123456789abcdefE.llvm.12", "<impl a::TYPE::Bar>::f"},
	} {
		if got, err := Full(tt.linkage); got != tt.want || err != nil {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", tt.linkage, got, err, tt.want)
		}
		for n := range tt.linkage {
			checkBounded(t, tt.linkage[:n])
		}
	}
}

func TestNotOldRust(t *testing.T) {
	for _, tt := range []struct{ linkage, want string }{
		{"_ZN1a9short17h0123456789abcdefE", `demangle: Rust name at 5: a part of "9" bytes, 5 are left`},
		{"_ZN1aa17h0123456789abcdefE", `demangle: Rust name at 5: a part of "" bytes, 1 are left`},
		{"_ZN99999999999999999999a17h0123456789abcdefE", `demangle: Rust name at 3: a part of "99999999999999999999" bytes, 1 are left`},
		{"_ZN017h0123456789abcdefE", "demangle: the Rust name says nothing"},
		{"_ZN1é17h0123456789abcdefE", "demangle: the Rust name has other letters than ASCII's"},
	} {
		if got, err := Full(tt.linkage); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %s, %v\nwant %s", tt.linkage, got, err, tt.want)
		}
	}
}

// A name without the hash, or with another one, is of C++.
func TestLooksLikeOldRust(t *testing.T) {
	for _, tt := range []struct{ linkage, want string }{
		{"_ZN1a16h0123456789abcdeE", "a::h0123456789abcde"},
		{"_ZN1a17g0123456789abcdefE", "a::g0123456789abcdef"},
		{"_ZN1a17h0123456789abcdegE", "a::h0123456789abcdeg"},
		{"_ZN1a17h0123456789ABCDEFE", "a::h0123456789ABCDEF"},
		{"_ZN1a17h0123456789abcdefEv", "a::h0123456789abcdef()"},
		{"_ZNK1a17h0123456789abcdefEv", "a::h0123456789abcdef() const"},
		{"_Z17h0123456789abcdef", "h0123456789abcdef"},
		{"_ZN1a4_priE", "a::_pri"},
	} {
		if got, err := Full(tt.linkage); got != tt.want || err != nil {
			t.Errorf("%s: %s, %v\nwant %s", tt.linkage, got, err, tt.want)
		}
	}
}
