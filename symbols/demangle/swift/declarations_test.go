package swift

import "testing"

// Functions, their labels, types and where they are.
func TestFunctions(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1fyyF", "f()"},
		{"$s4main1fyS2iF", "f(Int)"},
		{"$s4main1fyS2i_SitF", "f(Int, Int)"},
		{"$s4main1fSiyF", "f()"},
		{"$s4main1fSi_SStyF", "f()"},
		{"$s4main1fyyKF", "f()"},
		{"$s4main1fyyYaF", "f()"},
		{"$s4main1fyyYaKF", "f()"},
		{"$s4main1fyyYbF", "f@Sendable ()"},
		{"$s4main1fyyxlF", "f<A>(A)"},
		{"$s4main1fyxxlF", "f<A>(A)"},
		{"$s4main1fyxx_q_tr0_lF", "f<A, B>(A, B)"},
		{"$s4main1fyyxAA1PRzlF", "f<A>(A)"},
		{"$s4main1fyyxAA1PRzAA1QRzlF", "f<A>(A)"},
		{"$s4main1fyyxRlzClF", "f<A>(A)"},
		{"$s4main1fyyxRlzTlF", "f<A>(A)"},
		{"$s4main1fyyxSiRszlF", "f<A>(A)"},
		{"$s4main1fyyxAA1CCRbzlF", "f<A>(A)"},
		{"$s4main1fyyx_q_tSHRzSQR_r0_lF", "f<A, B>(A, B)"},
		{"$s4main1fyyxxQp_tRvzlF", "f<each A>(repeat A)"},
		{"$s4main1fyyxxQpRvzlF", "f<each A>(repeat A)"},
		{"$s4main6VectorV1fyySiRVzlF", "Vector.f<let A>()"},
		{"$s4main6VectorV1fyySiRV_r0_lF", "Vector.f<A, B>()"}, // the index is compared with the depth
		{"$s4main6VectorV1fyySHRzSiRVzlF", "Vector.f<A>()"},   // a requirement comes first
		{"$s4main1fyySiRVzRvzlF", "f<each let A>()"},
		{"$s4main1fyyqd__lF", "f<A>(A1)"},
		{"$s4main1SV1fyyqd__lF", "S.f<A>(A1)"},
		{"$s4main1GV1fyyqd__lF", "G.f<A>(A1)"},
		{"$s4main1GV1fyyxF", "G.f(A)"},
		{"$s4main1fyyF1gL_yyF", "g #1 () in f()"},
		{"$s4main1fyyF1gL0_yyF", "g #2 () in f()"},
		{"$s4main1f5_PRIVLLyyF", "f()"},
		{"$s4main1SV1fyyFZ", "static S.f()"},
		{"$s4main1CC1fyyFZ", "static C.f()"},
		{"$s4main1SVAAE1fyyF", "S.f()"},
		{"$s4main1SV5otherE1fyyF", "S.f()"},
		{"$s4main1GV4mainSHRzlE1fyyF", "G<A>.f()"},
		{"$s4main1GVAASiRszlE1fyyF", "G<A>.f()"},
		{"$s4main1fyySiz_tF", "f(inout Int)"},
		{"$s4main1fyySid_tF", "f(Int...)"},
		{"$s4main1fyyyyKXEF", "f(())"},
	})
}

// Initializers, accessors, closures, operators and default arguments.
func TestMembers(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1SVACycfC", "S.init()"},
		{"$s4main1SV1xACSi_tcfC", "S.init(x: Int)"},
		{"$s4main1CCACycfc", "C.init()"},
		{"$s4main1CCACycfC", "C.__allocating_init()"},
		{"$s4main1CCfD", "C.__deallocating_deinit"},
		{"$s4main1CCfd", "C.deinit"},
		{"$s4main1CCfZ", "C.__isolated_deallocating_deinit"},
		{"$s4main1CCfE", "C.__ivar_destroyer"},
		{"$s4main1CCfe", "C.__ivar_initializer"},
		{"$s4main1SV1xSivg", "S.x.getter"},
		{"$s4main1SV1xSivs", "S.x.setter"},
		{"$s4main1SV1xSivM", "S.x.modify"},
		{"$s4main1SV1xSivr", "S.x.read"},
		{"$s4main1SV1xSivw", "S.x.willset"},
		{"$s4main1SV1xSivW", "S.x.didset"},
		{"$s4main1SV1xSivm", "S.x.materializeForSet"},
		{"$s4main1SV1xSivG", "S.x.getter"},
		{"$s4main1SV1xSivi", "S.x.init"},
		{"$s4main1SV1xSivau", "S.x.unsafeMutableAddressor"},
		{"$s4main1SV1xSivao", "S.x.nativeOwningMutableAddressor"},
		{"$s4main1SV1xSivaO", "S.x.owningMutableAddressor"},
		{"$s4main1SV1xSivaP", "S.x.nativePinningMutableAddressor"},
		{"$s4main1SV1xSivlu", "S.x.unsafeAddressor"},
		{"$s4main1SV1xSivlo", "S.x.nativeOwningAddressor"},
		{"$s4main1SV1xSivlO", "S.x.owningAddressor"},
		{"$s4main1SV1xSivlp", "S.x.nativePinningAddressor"},
		{"$s4main1SV1xSivp", "S.x"},
		{"$s4main1SV1xSivpZ", "static S.x"},
		{"$s4main1SV1xSivgZ", "static S.x.getter"},
		{"$s4main1SV1xSivsZ", "static S.x.setter"},
		{"$s4main1SV1xSivpfi", "variable initialization expression of S.x"},
		{"$s4main1SV1xSivpfP", "property wrapper backing initializer of S.x"},
		{"$s4main1SV1xSivpfF", "property wrapped field init accessor of S.x"},
		{"$s4main1SV1xSivpfW", "property wrapper init from projected value of S.x"},
		{"$s4main1SVyS2icig", "S.subscript.getter"},
		{"$s4main1SVyS2icis", "S.subscript.setter"},
		{"$s4main1SVyS2iciM", "S.subscript.modify"},
		{"$s4main1SVyS2icip", "S.subscript(Int)"},
		{"$s4main1SVyS2icigZ", "static S.subscript.getter"},
		{"$s4main1SV1xS2i_tcig", "S.subscript.getter"},
		{"$s4main1fyyFyycfU_", "closure #1 () in f()"},
		{"$s4main1fyyFyycfU0_", "closure #2 () in f()"},
		{"$s4main1fyyFyycfU_yycfU_", "closure #1 () in closure #1 () in f()"},
		{"$s4main1fyyFyycfu_", "implicit closure #1 () in f()"},
		{"$s4main1fyyFyycfu_yycfu0_", "implicit closure #2 () in implicit closure #1 () in f()"},
		{"$s4main1fyySiFfA_", "default argument 0 of f(Int)"},
		{"$s4main1fyySi_SitFfA0_", "default argument 1 of f(Int, Int)"},
		{"$s4main1xSivpfi", "variable initialization expression of x"},
		{"$s4main1xSivg", "x.getter"},
		{"$s4main1xSivau", "x.unsafeMutableAddressor"},
		{"$s4main1xSivau.resume.0", "x.unsafeMutableAddressor"},
		{"$s4main1vyycvg", "v.getter"},
		{"$s4main1vyycvpfiyycfU_", "closure #1 () in variable initialization expression of v"},
		{"$s4main1SV2eeoiySbAC_ACtFZ", "static S.== infix(S, S)"},
		{"$s4main1mopyS2iF", "* prefix(Int)"},
		{"$s4main1poPyS2iF", "+ postfix(Int)"},
		{"$s4main2ssoiyS2i_SitF", "-- infix(Int, Int)"},
		{"$s4main2xxoiyyF", "^^ infix()"},
		{"$s4main1SV1xSivx", "S.x.modify2"},
		{"$s4main1SV1xSivy", "S.x.read2"},
		{"$s4main1SV1xSivb", "S.x.borrow"},
		{"$s4main1SV1xSivz", "S.x.mutate"},
	})
}

// Names that repeat others: by words, by substitutions.
func TestWords(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main6FooBarV03BarA0V", "FooBar.Barmain"},
		{"$s4main6FooBarV0cB0V", "FooBar.BarFoo"},
		{"$s4main6FooBarV0bC3BazV", "FooBar.FooBarBaz"},
		{"$s4main6FooBarV3fooyA2CF", "FooBar.foo(FooBar)"},
		{"$s4main6FooBarV3fooyA2C_ACtF", "FooBar.foo(FooBar, FooBar)"},
		{"$s10HelloWorld05ThingB0V", "ThingWorld"},
		{"$s4main1SV1TV1fyA2E_AEtF", "S.T.f(S.T, S.T)"},
		{"$s4main1SV1TVyA2EcfC", "S.T.init(S.T)"},
		{"$s4main0014JavaScript_oyaV", "JavaScrÍipt"},
	})
}

// Macros and their expansions. Without labels a macro has no parameters, as a variable.
func TestMacros(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1m1xS2i_tcfm", "m(x: Int)"},
		{"$s4main1myS2i_tcfm", "m(Int)"},
		{"$s4main1myycfm", "m"},
		{"$s4main1fyyF1myycfm", "m in f()"},
		{"$s4main1fyyF1mfMf_", "freestanding macro expansion #1 of m in f()"},
		{"$s4main1SV3foo1mfMm_", "member macro @m expansion #1 of foo in S"},
		{"$s4main1SV3foo1mfMa_", "accessor macro @m expansion #1 of foo in S"},
		{"$s4main1SV3foo1mfMp_", "peer macro @m expansion #1 of foo in S"},
		{"$s4main1SV3foo1mfMe_", "extension macro @m expansion #1 of foo in S"},
		{"$s4main1SV3foo1mfMc_", "conformance macro @m expansion #1 of foo in S"},
		{"$s4main1SV3foo1mfMr_", "memberAttribute macro @m expansion #1 of foo in S"},
		{"$s4main1SV1mfMu_", "unique name #1 of m in S"},
		{"$s4main1SV3foo1mfMm0_", "member macro @m expansion #2 of foo in S"},
		{"$s4main1SV3foo1mfMq_", "preamble macro @m expansion #1 of foo in S"},
		{"$s4main1SV3foo1mfMb_", "body macro @m expansion #1 of foo in S"},
	})
}

// Prefixes of other versions, and what compilers append.
func TestOldManglings(t *testing.T) {
	checkNames(t, []demangled{
		{"_T04main1fyyF", "f()"},
		{"_T04main1SV1xSivg", "S.x.getter"},
		{"_T0Si", "Int"},
		{"$S4main1fyyF", "f()"},
		{"_$S4main1fyyF", "f()"},
		{"$e4main1fyyF", "f()"},
		{"_$e4main1fyyF", "f()"},
		{"_T04main1SVACycfC", "S.init()"},
		{"_T0s5printyypd_tF", "print(Any...)"},
		{"$s4main1fyyF.cold", "f()"},
		{"$s4main1fyyFTq", "method descriptor for f()"},
		{"$S4main1fyyFTA.12", "partial apply for f()"},
	})
}
