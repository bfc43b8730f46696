package demangle

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestName(t *testing.T) {
	for _, tt := range []struct{ linkage, want, full string }{
		{"_ZN3foo3barEi", "foo::bar(int)", "foo::bar(int)"},
		{"__ZN3foo3barEi", "foo::bar(int)", "foo::bar(int)"}, // Mach-O
		{"_Z1fIiET_S0_", "f<int>(int)", "int f<int>(int)"},
		{"_ZN3fooIiE3barIcEEvi.cold", "foo<int>::bar<char>(int) [clone .cold]", "void foo<int>::bar<char>(int) [clone .cold]"},
		{"__Znwm", "operator new(unsigned long)", "operator new(unsigned long)"},
		{"_ZThn8_N3foo3barEv", "non-virtual thunk to foo::bar()", "non-virtual thunk to foo::bar()"},
		{"___ZN3foo3barEi_block_invoke", "invocation function for block in foo::bar(int)", "invocation function for block in foo::bar(int)"},
		{"____ZN3foo3barEi_block_invoke_2", "invocation function for block in foo::bar(int)", "invocation function for block in foo::bar(int)"},
		{"_ZN4core3ptr13drop_in_place17h0123456789abcdefE", "core::ptr::drop_in_place", "core::ptr::drop_in_place"},
		{"_ZN4core3ptr13drop_in_place17h0123456789abcdefE.llvm.12", "core::ptr::drop_in_place", "core::ptr::drop_in_place"},
		{"__ZN4core3ptr13drop_in_place17h0123456789abcdefE", "core::ptr::drop_in_place", "core::ptr::drop_in_place"},
		{"_ZN3app1_53_$LT$impl$u20$core..ops..drop..Drop$u20$for$u20$T$GT$4drop12__drop_inner17h0123456789abcdefE",
			"app::_::<impl core::ops::drop::Drop for T>::drop::__drop_inner", "app::_::<impl core::ops::drop::Drop for T>::drop::__drop_inner"},
		{"_ZSt12__get_helperILj1ESt14default_deleteI4BaseEJEERT0_RSt11_Tuple_implIXT_EJS3_DpT1_EE",
			"std::__get_helper<1u, std::default_delete<Base> >(std::_Tuple_impl<1u, std::default_delete<Base> >&)",
			"std::default_delete<Base>& std::__get_helper<1u, std::default_delete<Base> >(std::_Tuple_impl<1u, std::default_delete<Base> >&)"},
		{"_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar", "mycrate::foo::bar"},
		{"__RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar", "mycrate::foo::bar"},
		{"_name@12", "name", "name"},
		{"@name@12", "name", "name"},
		{"name@@16", "name", "name"},

		{"?f@@YAXXZ", "f(void)", "void __cdecl f(void)"},
		{"?f@@YAXXZ.cold", "f(void) [clone .cold]", "void __cdecl f(void)"},
		{"?f@A@ns@@UEBAHPEBDAEAUB@2@@Z", "ns::A::f(char const*, ns::B&) const", "public: virtual int __cdecl ns::A::f(char const *, struct ns::B &) const"},
		{"?f@@YAXQAY02PAN@Z", "f(double* (* const)[3])", "void __cdecl f(double *(*const)[3])"},
		{"?f@@YAXP6AHN@ZP8A@@EAAXXZPEQA@@H@Z", "f(int (*)(double), void (A::*)(void), int A::*)", "void __cdecl f(int (__cdecl *)(double), void (__cdecl A::*)(void), int A::*)"},
		{"?f@@YAX_J_KPEFAH@Z", "f(int64_t, uint64_t, int __unaligned *)", "void __cdecl f(__int64, unsigned __int64, int __unaligned *)"},
		{"?f@@YAXU?$a@U?$b@H@@@@@Z", "f(a<b<int> >)", "void __cdecl f(struct a<struct b<int>>)"},
		{"?f@?A0x1234@@YAXUs@1@@Z", "`anonymous namespace'::f(`anonymous namespace'::s)", "void __cdecl `anonymous namespace'::f(struct 0x1234::s)"},
		{"?f@@YAXV?$a@_K@@V1@@Z", "f(a<uint64_t>, a<uint64_t>)", "void __cdecl f(class a<unsigned __int64>, class a<unsigned __int64>)"}, // by reference
		{"??0?$A@H@@QEAA@XZ", "A<int>::A<int>(void)", "public: __cdecl A<int>::A<int>(void)"},
		{"??_GA@@UEAAPEAXI@Z", "A::`scalar deleting destructor'(unsigned int)", "public: virtual void * __cdecl A::`scalar deleting dtor'(unsigned int)"},
		{"?x@A@@2HB", "A::x", "public: static int const A::x"},
		{"??_7A@@6BB@@@", "A::`vftable'{for `B'}", "const A::`vftable'{for `B'}"},
		{"?f@A@@W7EAAXXZ", "A::f`adjustor{8}'(void)", "[thunk]: public: virtual void __cdecl A::f`adjustor{8}'(void)"},
		{"??R<lambda_1>@?1??f@@YAXH@Z@QEBAXXZ", "`f(int)'::`2'::<lambda_1>::operator()(void) const", "public: void __cdecl `void __cdecl f(int)'::`2'::<lambda_1>::operator()(void) const"},

		// What undname 14 does not know.
		{"?f@@YA?A_PXZ", "f(void)", "auto __cdecl f(void)"},
		{"?f@@YA?A_TXZ", "f(void)", "decltype(auto) __cdecl f(void)"},
		{"??$f@$MH04@@YAXXZ", "f<5>(void)", "void __cdecl f<5>(void)"},
		{"??$f@$MP6AXXZ1?g@@YAXXZ@@YAXXZ", "f<&g(void)>(void)", "void __cdecl f<&void __cdecl g(void)>(void)"},
		{"?f@@YwXXZ", "f(void)", "void __regcall f(void)"},
		{"?f@@YAXPE__ptrauth001AH@Z", "f(int*__ptrauth(1, 1, 2))", "void __cdecl f(int *__ptrauth(1, 1, 2))"},
		{"??_7A@@6BB@@C@@@", "A::`vftable'{for `B's `C'}", "const A::`vftable'{for `B's `C'}"},

		{"main", "", ""}, {"_main", "", ""}, {"", "", ""}, {"-[Foo bar:]", "", ""}, {"memcpy@@GLIBC_2.14", "", ""}, {"@8", "", ""}, {"_@8", "", ""}, {"@@8", "", ""},
		{".f@@12", "", ""}, {"_.f@12", "", ""}, {"@.f@12", "", ""},
		{"_f@7", "", ""}, {"_f@123456", "", ""}, {"f@8", "", ""}, {".text", "", ""}, {"_Z", "", ""}, {"_ZN", "", ""}, {"_R", "", ""}, {"?", "", ""}, {"??", "", ""},
		{"?f@@YAXXZjunk", "", "void __cdecl f(void)"},
		{"??@0123456789abcdef0123456789abcdef@", "", "??@0123456789abcdef0123456789abcdef@"},
	} {
		got, ok := Name(tt.linkage)
		if want := tt.want; ok != (want != "") || ok && got != want || !ok && got != tt.linkage {
			t.Errorf("Name(%q) = %q, %v, want %q", tt.linkage, got, ok, want)
		}
		if got, err := Full(tt.linkage); got != tt.full || (err == nil) != (tt.full != "") {
			t.Errorf("Full(%q) = %q, %v, want %q", tt.linkage, got, err, tt.full)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ linkage, want string }{
		{"main", "demangle: not a mangled name"},
		{"?f@@YAX0@Z", `demangle: "?f@@YAX0@Z" at 8: refers to parameter 0 of 0`},
		{"?f@7@YAXXZ", `demangle: "?f@7@YAXXZ" at 4: refers to name 7 of 1`},
		{"?f@@YAX", `demangle: "?f@@YAX" at 7: the name ends where a type should be`},
		{"?f@@3HZ", `demangle: "?f@@3HZ" at 7: 'Z' is no qualifier`},
		{"?f", `demangle: "?f" at 1: a name does not end with '@'`},
		{"??0@YAXXZ", `demangle: "??0@YAXXZ" at 4: a constructor without a class`},
		{"??BA@@QEAA@XZ", `demangle: "??BA@@QEAA@XZ" at 13: a conversion to no type`},
		{"?x@@3PAY0?0HA", `demangle: "?x@@3PAY0?0HA" at 11: a negative number where there can be none`},
		{"?f@@3" + strings.Repeat("PA", 400) + "HA", `at 514: nests deeper than 256 levels`},
		{"?" + strings.Repeat("x", maxInput), "demangle: the name is longer than 65536 bytes"},
		{"_ZN3app99short17h0123456789abcdefE", `demangle: Rust name at 7: a part of "99" bytes, 5 are left`},
		{"_Z" + strings.Repeat("x", maxLibraryInput), "demangle: the name is 8194 bytes long, the limit is 8192"},
	} {
		if _, err := Full(tt.linkage); err == nil || !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%.60q: %v, want %s", tt.linkage, err, tt.want)
		}
	}
}

// explosions are short names of long ones: each part says the one before
// several times.
func explosions() map[string]string {
	params := "?f@@YAXPAU?$aaaaaaaaaaaaaaaa@H@@"
	for i := range 9 {
		params += "P6AX" + strings.Repeat(string(rune('0'+i)), 20) + "@Z"
	}
	nested := "H"
	for range 200 {
		nested = "U?$abcdefgh@" + nested + "@@"
	}
	pack := "_Z1fIJ" + strings.Repeat("i", 8000) + "EEvDpT_"
	pairs := "_Z1f1A"
	for _, c := range "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		pairs += "St4pairIS" + string(c) + "_S" + string(c) + "_E"
	}
	rust := "_RINvC1a1bTuuE" + strings.Repeat("TB7_B7_B7_B7_E", 300) + "E"
	return map[string]string{
		"parameters": params + "@Z", "templates": "?x@@3" + nested + "A", "pack": pack, "pairs": pairs, "rust": rust,
		"scopes":     strings.Repeat("?x@?1?", 10000) + "?f@@YAXXZ",
		"dimensions": "?x@@3PAY" + strings.Repeat("P", 15) + "@" + strings.Repeat("0", 60000) + "HA",
	}
}

func TestExplosions(t *testing.T) {
	for name, linkage := range explosions() {
		at := time.Now()
		checkBounded(t, linkage)
		if took := time.Since(at); took > 20*time.Second {
			t.Errorf("%s: a name of %d bytes takes %v", name, len(linkage), took)
		}
	}
}

// checkBounded checks what holds for any name.
func checkBounded(t *testing.T, linkage string) {
	t.Helper()
	readable, ok := Name(linkage)
	full, err := Full(linkage)
	if len(full) > maxOutput || ok && len(readable) > maxOutput+maxInput {
		t.Errorf("%.100q: %d and %d bytes", linkage, len(readable), len(full))
	}
	if err == nil && full == "" || ok && readable == "" || !ok && readable != linkage {
		t.Errorf("%.100q: %.100q, %v; %.100q, %v", linkage, readable, ok, full, err)
	}
	// The whole name is longer than the short one, so only it may pass the limit.
	if ok && err != nil && !strings.Contains(err.Error(), "the readable name is longer than") {
		t.Errorf("%.100q is %.100q, but in full %v", linkage, readable, err)
	}
	if utf8.ValidString(linkage) && !utf8.ValidString(readable) {
		t.Errorf("%.100q becomes %.100q, which is no UTF-8", linkage, readable)
	}
	if again, _ := Name(linkage); again != readable {
		t.Errorf("%.100q is %.100q, and then %.100q", linkage, readable, again)
	}
}

// Every prefix of a name is a name, or is refused.
func TestCutOff(t *testing.T) {
	for i, linkage := range decorated(200) {
		for n := range len(linkage) {
			if i%10 == 0 || n%7 == 0 {
				checkBounded(t, linkage[:n])
			}
		}
	}
}

func FuzzMicrosoft(f *testing.F) {
	for _, name := range append(decorated(100), written...) {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) { checkBounded(t, "?"+strings.TrimPrefix(name, "?")) })
}

func FuzzName(f *testing.F) {
	for _, name := range explosions() {
		if len(name) < 2000 {
			f.Add(name)
		}
	}
	f.Add("_ZN3fooIiE3barIcEEvi.cold")
	f.Add("_ZN4core3ptr13drop_in_place17h0123456789abcdefE.llvm.12")
	f.Add("_RNvNtCs1234_7mycrate3foo3bar")
	f.Add("_name@12")
	f.Add(".\x9c\xaa\x8b\x00\x00\x02\x00\x81@@12")                                           // a point in front of what looks like __vectorcall
	f.Add("?A@@CACAAUA@@A6AC000000000000ZZA6AC00111111111111111111ZZ22222222222222222222ZZ") // 60 KB in short, more in full
	f.Add("_RC0$")                                                                           // a crate without a name
	f.Fuzz(checkBounded)
}

func BenchmarkMicrosoft(b *testing.B) {
	names := decorated(500)
	bytes := 0
	for _, name := range names {
		bytes += len(name)
	}
	b.SetBytes(int64(bytes / len(names)))
	for i := range b.N {
		Name(names[i%len(names)])
	}
}

func BenchmarkItanium(b *testing.B) {
	const name = "_ZNSt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESaIS5_EE12emplace_backIJPKcEEERS5_DpOT_"
	b.SetBytes(int64(len(name)))
	for range b.N {
		Name(name)
	}
}
