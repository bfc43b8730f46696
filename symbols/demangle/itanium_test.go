package demangle

import (
	"os/exec"
	"strings"
	"testing"
)

// TestItanium has a name for each kind in the ABI's section 5.1. The texts are those of
// c++filt 2.40, or of llvm-cxxfilt 14 for what it does not read, such as _ZGR. A stack
// shows them without the result, which only templates have.
func TestItanium(t *testing.T) {
	for _, tt := range []struct{ linkage, full, short string }{
		{"_Z1fv", "f()", ""},
		{"_Z1fi", "f(int)", ""},
		{"_Z1fiz", "f(int, ...)", ""},
		{"_Z1fPFivE", "f(int (*)())", ""},
		{"_Z1fPKcRKiOi", "f(char const*, int const&, int&&)", ""},
		{"_Z1fM1AFvvE", "f(void (A::*)())", ""},
		{"_Z1fM1AKFvvE", "f(void (A::*)() const)", ""},
		{"_Z1fM1Ai", "f(int A::*)", ""},
		{"_Z1fA3_i", "f(int [3])", ""},
		{"_Z1fPA3_i", "f(int (*) [3])", ""},
		{"_Z1fRA3_A4_KiS0_", "f(int const (&) [3][4], int const [4])", ""},
		{"_Z1fDn", "f(decltype(nullptr))", ""},
		{"_Z1fDiDsDu", "f(char32_t, char16_t, char8_t)", ""},
		{"_Z1fU8__vectorf", "f(float __vector)", ""},
		{"_Z1fDv4_f", "f(float __vector(4))", ""},
		{"_Z1fCf", "f(float _Complex)", ""},
		{"_Z1fPVKi", "f(int const volatile*)", ""},
		{"_ZN1AC1Ev", "A::A()", ""},
		{"_ZN1AC2Ei", "A::A(int)", ""},
		{"_ZN1AD0Ev", "A::~A()", ""},
		{"_ZN1AD1Ev", "A::~A()", ""},
		{"_ZN1AD2Ev", "A::~A()", ""},
		{"_ZNK1A1fEv", "A::f() const", ""},
		{"_ZNKR1A1fEv", "A::f() const &", ""},
		{"_ZNO1A1fEv", "A::f() &&", ""},
		{"_ZN1A1xE", "A::x", ""},
		{"_ZN1AcviEv", "A::operator int()", ""},
		{"_ZN1AcvPKcEv", "A::operator char const*()", ""},
		{"_ZNK1AeqERKS_", "A::operator==(A const&) const", ""},
		{"_ZN1AssERKS_", "A::operator<=>(A const&)", ""},
		{"_ZN1ApLEi", "A::operator+=(int)", ""},
		{"_ZN1AclEv", "A::operator()()", ""},
		{"_ZN1AixEm", "A::operator[](unsigned long)", ""},
		{"_ZN1AptEv", "A::operator->()", ""},
		{"_ZnamSt11align_val_t", "operator new[](unsigned long, std::align_val_t)", ""},
		{"_ZdlPvm", "operator delete(void*, unsigned long)", ""},
		{"_Zli2_kme", `operator"" _k(unsigned long, long double)`, ""},
		{"_ZN2ns1fEv", "ns::f()", ""},
		{"_ZN12_GLOBAL__N_11fEv", "(anonymous namespace)::f()", ""},
		{"_ZN12_GLOBAL__N_11AC1Ev", "(anonymous namespace)::A::A()", ""},
		{"_ZTV1A", "vtable for A", ""},
		{"_ZTI1A", "typeinfo for A", ""},
		{"_ZTS1A", "typeinfo name for A", ""},
		{"_ZTT1A", "VTT for A", ""},
		{"_ZTCN1A1BE0_1C", "construction vtable for C-in-A::B", ""},
		{"_ZThn16_N1A1fEv", "non-virtual thunk to A::f()", ""},
		{"_ZTv0_n24_N1A1fEv", "virtual thunk to A::f()", ""},
		{"_ZTch0_h16_N1A1fEv", "covariant return thunk to A::f()", ""},
		{"_ZGV1x", "guard variable for x", ""},
		{"_ZGVZ1fvE1x", "guard variable for f()::x", ""},
		{"_ZGR1x_", "reference temporary for x", ""},
		{"_ZTW1x", "TLS wrapper function for x", ""},
		{"_ZTH1x", "TLS init function for x", ""},
		{"_ZZ1fvE1x", "f()::x", ""},
		{"_ZZ1fvE1x_0", "f()::x", ""},
		{"_ZZ1fvEs", "f()::string literal", ""},
		{"_ZZ1fvENKUlvE_clEv", "f()::{lambda()#1}::operator()() const", ""},
		{"_ZZ1fvENKUliE0_clEi", "f()::{lambda(int)#2}::operator()(int) const", ""},
		{"_ZZN1A1fEvENUt_1gEv", "A::f()::{unnamed type#1}::g()", ""},
		{"_ZZ1fiENKUlT_E_clIiEEDaS_", "auto f(int)::{lambda(auto:1)#1}::operator()<int>(int) const", ""},
		{"_Z1fIiEvT_", "void f<int>(int)", "f<int>(int)"},
		{"_Z1fIiEvv", "void f<int>()", "f<int>()"},
		{"_Z1fIJEEvDpT_", "void f<>()", "f<>()"},
		{"_Z1fIJiPcEEvDpT_", "void f<int, char*>(int, char*)", "f<int, char*>(int, char*)"},
		{"_Z1fILi5EEvv", "void f<5>()", "f<5>()"},
		{"_Z1fILin5EEvv", "void f<-5>()", "f<-5>()"},
		{"_Z1fILb1EEvv", "void f<true>()", "f<true>()"},
		{"_Z1fILj7ELm8EEvv", "void f<7u, 8ul>()", "f<7u, 8ul>()"},
		{"_Z1fIL1E3EEvv", "void f<(E)3>()", "f<(E)3>()"},
		{"_Z1fI1AIiEEvT_", "void f<A<int> >(A<int>)", "f<A<int> >(A<int>)"},
		{"_ZSt4moveIRiEONSt16remove_referenceIT_E4typeEOS2_", "std::remove_reference<int&>::type&& std::move<int&>(int&)", "std::move<int&>(int&)"},
		{"_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back(int const&)", ""},
		{"_ZNSsC1ERKSs", "std::basic_string<char, std::char_traits<char>, std::allocator<char> >::basic_string(std::string const&)", ""},
		{"_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc", "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::append(char const*)", ""},
		{"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", "std::basic_ostream<char, std::char_traits<char> >& std::operator<< <std::char_traits<char> >(std::basic_ostream<char, std::char_traits<char> >&, char const*)", "std::operator<< <std::char_traits<char> >(std::basic_ostream<char, std::char_traits<char> >&, char const*)"},
		{"_ZSt4cout", "std::cout", ""},
		{"_Z1fSaSbSsSiSoSd", "f(std::allocator, std::basic_string, std::string, std::istream, std::ostream, std::iostream)", ""},
		{"_ZN1fB5cxx11Ev", "f[abi:cxx11]()", ""},
		{"_Z1fB3fooB3bari", "f[abi:foo][abi:bar](int)", ""},
		{"_ZN1A1fB5cxx11Ev", "A::f[abi:cxx11]()", ""},
		{"_Z1fIiEDTcl1gfp_EET_", "decltype (g({parm#1})) f<int>(int)", "f<int>(int)"},
		{"_Z1fPDoFvvE", "f(void (*)() noexcept)", ""},
		{"_Z1fPDO1AEFvvE", "f(void (*)() noexcept(A))", ""},
		{"_ZW3foo1fv", "f@foo()", ""},
		{"_ZN1A1fEv.cold", "A::f() [clone .cold]", ""},
		{"_ZN1A1fEv.part.0", "A::f() [clone .part.0]", ""},
		{"_ZN1A1fEv.constprop.0.isra.1", "A::f() [clone .constprop.0] [clone .isra.1]", ""},
		{"_Z1fv.llvm.123", "f() [clone .llvm.123]", ""},
		{"_Z1fIiE", "f<int>", ""},
	} {
		if got, err := Full(tt.linkage); got != tt.full || err != nil {
			t.Errorf("%s: %s, %v\nwant %s", tt.linkage, got, err, tt.full)
		}
		short := tt.short
		if short == "" {
			short = tt.full
		}
		if got, ok := Name(tt.linkage); got != short || !ok || !strings.HasSuffix(tt.full, short) {
			t.Errorf("%s: %s, %v\nwant %s", tt.linkage, got, ok, short)
		}
	}
}

// Both programs leave these as they are.
func TestNotItanium(t *testing.T) {
	for _, name := range []string{
		"_Z1fDO",
		"_Z",
		"_ZN",
		"_Z1",
		"_Z2f",
		"_Z1fT_",
		"_Z1fS_",
		"_Z1fvjunk",
		"_ZZ1fv",
		"_Z0f",
		"_Z99999999999f",
	} {
		if got, err := Full(name); err == nil || !strings.HasPrefix(err.Error(), "demangle: ") {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}

// The limits of a name's length hold to the byte.
func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		name    string
		linkage string
		want    string
	}{
		{"the longest name of Microsoft's", "?" + strings.Repeat("x", maxInput-6) + "@@3HA", ""},
		{"one byte more", "?" + strings.Repeat("x", maxInput-5) + "@@3HA", "demangle: the name is longer than 65536 bytes"},
		{"a longer text", "?" + strings.Repeat("x", maxInput-7) + "@@3_KA", "demangle: the readable name is longer than 65536 bytes"},
		{"the longest name of Itanium's", "_Z8186" + strings.Repeat("x", 8186), ""},
		{"one byte more", "_Z8187" + strings.Repeat("x", 8187), "demangle: the name is 8193 bytes long, the limit is 8192"},
		{"more elements of packs than may be copied", "_Z1fIJ" + strings.Repeat("i", 2047) + "EEvDpT_", "demangle: the name may expand argument packs to 4198401 elements, the limit is 4194304"},
		{"types within each other, as deep as may be", "?x@@3" + strings.Repeat("PA", 254) + "HA", ""},
		{"one level more", "?x@@3" + strings.Repeat("PA", 255) + "HA", "nests deeper than 256 levels"},
		{"Rust types within each other, as deep as may be", "_RMC0" + strings.Repeat("S", 254) + "h", ""},
		{"one level more", "_RMC0" + strings.Repeat("S", 255) + "h", errRustTooMuch.Error()},
	} {
		_, err := Full(tt.linkage)
		if (err == nil) != (tt.want == "") || err != nil && !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%s: %.200v\nwant %s", tt.name, err, tt.want)
		}
	}
}

// What 32-bit Windows adds is a multiple of 4 of at most five digits.
func TestArgumentSizes(t *testing.T) {
	for name, want := range map[string]string{
		"_f@0": "f", "_f@4": "f", "_f@00012": "f", "_f@99996": "f", "_f@100000": "", "_f@2": "", "_f@10": "", "_f@12a": "", "_f@1/6": "", "_f@1:6": "",
		"_f@": "", "_f@g@8": "", "_f?g@8": "", "@f@@8": "", "__f@8": "_f", "f@@8": "f", "f@@": "", "@@f@8": "",
	} {
		if got, _ := Full(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// A name of 8 KiB of qualifiers would take a second, and is left as it is.
func TestManyQualifiers(t *testing.T) {
	for name, want := range map[string]bool{
		"_Z1f" + strings.Repeat("K", maxQualifiers) + "i":    true,
		"_Z1f" + strings.Repeat("K", maxQualifiers+1) + "i":  false,
		"_Z1f" + strings.Repeat("PK", maxQualifiers/2) + "i": true,
		"_Z1f" + strings.Repeat("PK", maxQualifiers) + "i":   false,
		"_Z1f" + strings.Repeat("KiKi", maxQualifiers) + "i": true,
	} {
		if _, got := Name(name); got != want {
			t.Errorf("%.20s of %d bytes: %t, want %t", name, len(name), got, want)
		}
	}
}

// Names of copies and parts are as c++filt writes them.
func TestClonesAsCPPFilt(t *testing.T) {
	program, err := exec.LookPath("c++filt")
	if err != nil {
		t.Skip("c++filt is not installed")
	}
	for _, suffix := range []string{
		".cold", ".cold.12", ".part.12", ".constprop.0", ".constprop.0.isra.1", ".isra.0.cold", ".resume", ".destroy", ".cleanup", ".actor",
		".llvm.123", ".lto_priv.0", ".localalias", ".avx2", ".resolver", "._omp_fn.0", ".omp_outlined_debug__", ".1", ".123.456", ".Frame",
	} {
		for _, name := range []string{"_Z1fv", "_ZN1A1BC2Ev", "_ZZ4mainENKUlvE_clEv", "_ZThn16_N1A1fEv", "f"} {
			theirs, err := exec.Command(program, name+suffix).Output()
			if err != nil {
				t.Fatal(err)
			}
			if ours, _ := Name(name + suffix); ours != strings.TrimSpace(string(theirs)) {
				t.Errorf("%s: %s, c++filt writes %s", name+suffix, ours, theirs)
			}
		}
	}
}
