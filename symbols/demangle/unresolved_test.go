package demangle

import (
	"strings"
	"testing"
)

// TestUnresolvedName has names as clang up to 16 writes them. What is expected
// is what llvm-cxxfilt and c++filt say.
func TestUnresolvedName(t *testing.T) {
	for _, tt := range []struct{ linkage, want string }{
		{"_ZN4llvm10checkedAddIiEENSt9enable_ifIXsr3std9is_signedIT_EE5valueESt8optionalIS2_EE4typeES2_S2_", "llvm::checkedAdd<int>(int, int)"},
		{"_ZSt4swapIiENSt9enable_ifIXsr6__and_ISt6__not_ISt15__is_tuple_likeIT_EESt21is_move_constructibleIS3_ESt18is_move_assignableIS3_EEE5valueEvE4typeERS3_SC_",
			"std::swap<int>(int&, int&)"},
		{"_ZSt14__relocate_a_1IiiENSt9enable_ifIXsr3std24__is_bitwise_relocatableIT_EE5valueEPS1_E4typeES2_S2_S2_RSaIT0_E",
			"std::__relocate_a_1<int, int>(int*, int*, int*, std::allocator<int>&)"},
		{"_Z1gI1AIiEEDTcl1hsr1CIT_EE1vEEPS2_S4_S0_IS2_ES5_", "g<A<int> >(A<int>*, A<int>*, A<A<int> >, A<A<int> >)"},
		{"_Z2f1IiEN1BIXsr1CIT_EE1vEE1tEPS1_S1_S0_ILb1EE", "f1<int>(int*, int, B<true>)"},
		{"_Z2g3IiEDTcl1hsr3abc3srtIT_EE1vEEPS0_S2_1AIS0_ES4_", "g3<int>(int*, int*, A<int>, A<int>)"},
		// One within the other, and arguments behind several of the identifiers.
		{"_Z2f2IiEN1BIXaasr1CIT_EE1vsr1DIS0_IXsr1CIS1_EE1vEEEE1vEE1tES1_PS1_S5_", "f2<int>(int, int*, int*)"},
		{"_Z2g4IiEDTcmcl1hsr3abc3srtIT_E2inI1AIS0_EEE1vEclsr1DIS0_EE1wIS2_EEEPS0_S4_S2_S2_", "g4<int>(int*, int*, A<int>, A<int>)"},
		// A parameter has such a name in it.
		{"_Z1mIiEv1AIT_EN1BIXsr1CIS2_EE1vEE1tES1_PS2_", "m<int>(A<int>, B<C<A<int> >::v>::t, int, A<int>*)"},
		// An identifier that looks like one.
		{"_Z1k10xsr1CIiE1SPS_S0_", "k(xsr1CIiE1S, xsr1CIiE1S*, xsr1CIiE1S*)"},
		{"_Z1mI10xsr1CIiE1SEv1AIT_EN1BIXsr1CIS3_EE1vEE1tES2_PS3_",
			"m<xsr1CIiE1S>(A<xsr1CIiE1S>, B<C<A<xsr1CIiE1S> >::v>::t, xsr1CIiE1S, A<xsr1CIiE1S>*)"},
	} {
		got, ok := Name(tt.linkage)
		if got != tt.want || !ok {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", tt.linkage, got, ok, tt.want)
		}
	}
}

// What a function returns is part of its whole name.
func TestUnresolvedNameInResult(t *testing.T) {
	const name = "_ZN4llvm10checkedAddIiEENSt9enable_ifIXsr3std9is_signedIT_EE5valueESt8optionalIS2_EE4typeES2_S2_"
	const want = "std::enable_if<std::is_signed<int>::value, std::optional<int> >::type llvm::checkedAdd<int>(int, int)"
	if got, err := Full(name); got != want || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// Many places cost no more than some.
func TestManyUnresolvedNames(t *testing.T) {
	name := "_Z1fI" + strings.Repeat("Xsr1CIiE1vE", 700) + "EvS_S_"
	if fixed, n := listQualifiers(name); n > maxQualified || len(fixed) > len(name)+2*maxQualified {
		t.Errorf("%d places", n)
	}
	Name(name)
}
