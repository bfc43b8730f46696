package swift

import "testing"

// Blocks that functions of Objective-C call at their end.
func TestCompletionHandlers(t *testing.T) {
	checkNames(t, []demangled{
		{"$sypSgIeyBy_Ieg_Tz_", "@objc completion handler block implementation for @escaping @callee_unowned @convention(block) (@unowned Any?) -> () with result type @escaping @callee_guaranteed () -> ()"},
		{"$sSo7NSErrorCSgIeyBy_ytTz1_", "@objc completion handler block implementation for @escaping @callee_unowned @convention(block) (@unowned NSError?) -> () with result type () zero on error"},
		{"$sSSIeyBy_SSTz_", "@objc completion handler block implementation for @escaping @callee_unowned @convention(block) (@unowned String) -> () with result type String"},
		{"$sSSIeyBy_SSTz0_", "@objc completion handler block implementation for @escaping @callee_unowned @convention(block) (@unowned String) -> () with result type String nonzero on error"},
		{"$sSSIeyBy_SSTz1_", "@objc completion handler block implementation for @escaping @callee_unowned @convention(block) (@unowned String) -> () with result type String zero on error"},
		{"$sSSIeyBy_SSTz2_", "@objc completion handler block implementation for @escaping @callee_unowned @convention(block) (@unowned String) -> () with result type String <invalid error flag>"},
		{"$sSSIeyBy_SSTZ_", "checked @objc completion handler block implementation for @escaping @callee_unowned @convention(block) (@unowned String) -> () with result type String"},
		{"$sSSIeyBy_SSTZ0_", "checked @objc completion handler block implementation for @escaping @callee_unowned @convention(block) (@unowned String) -> () with result type String nonzero on error"},
		{"$sSSIeyBy_SSTZ1_", "checked @objc completion handler block implementation for @escaping @callee_unowned @convention(block) (@unowned String) -> () with result type String zero on error"},
		{"$sSSIeyBy_SSTZ7_", "checked @objc completion handler block implementation for @escaping @callee_unowned @convention(block) (@unowned String) -> () with result type String <invalid error flag>"},
		{"$sSSIeyBy_SSlTz_", "@objc completion handler block implementation for <A>@escaping @callee_unowned @convention(block) (@unowned String) -> () with result type String"},
	})
	checkRefused(t, []string{
		"$sSSTz_",
		"$sSSSSTz",
		"$sSSIeyBy_SSTzx_",
		"$sSSIeyBy_SSTz",
		"$sSSIeyBy_Tz_",
	})
}

// What initializes global variables, one or several of a pattern.
func TestOnce(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1x_WZ", "one-time initialization function for x"},
		{"$s4main1x_Wz", "one-time initialization token for x"},
		{"$s4main1x_1y_WZ", "one-time initialization function for (x, y)"},
		{"$s4main1x_1y_1z_Wz", "one-time initialization token for (x, y, z)"},
		{"$s4main1SV1x_WZ", "one-time initialization function for x"},
		{"$s4main1CC6shared_Wz", "one-time initialization token for shared"},
		{"$s4main1x33_0123456789ABCDEF0123456789ABCDEFLL_WZ", "one-time initialization function for x"},
		{"$s4main1xL__WZ", "one-time initialization function for x #1"},
	})
	checkRefused(t, []string{
		"$s4mainSi_WZ",
		"$s4main_WZ",
		"$sWZ",
	})
}

// Getters, setters and methods of key paths.
func TestKeyPathForms(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1SV1fyyFACTKmu", "key path unapplied method S.f() : S"},
		{"$s4main1SV1fyyFACTKMA", "key path applied method S.f() : S"},
		{"$s4main1SV1fyyFACTkmu", "key path unapplied method S.f() : S"},
		{"$s4main1SV1fyyFACTKmuq", "key path unapplied method S.f() : S, serialized"},
		{"$s4main1SV1fyyFACTKMAq", "key path applied method S.f() : S, serialized"},
		{"$s4main1SVyS2icipACTK", "key path getter for S.subscript(Int) : S"},
		{"$s4main1SVyS2icipSiACTK", "key path getter for S.subscript(Int) : IntS"},
		{"$s4main1SVyS2icipSiSSACTK", "key path getter for S.subscript(Int) : IntStringS"},
		{"$s4main1GV1xxvplACyxGTK", "key path getter for G.x : <A>G<A>"},
		{"$s4main1GV1xxvplACyxGTk", "key path setter for G.x : <A>G<A>"},
		{"$sSiTH", "key path index equality operator for (Int)"},
		{"$sSiTh", "key path index hash operator for (Int)"},
		{"$sSiSSTH", "key path index equality operator for (Int, String)"},
		{"$sSiSSTHq", "key path index equality operator for (Int, String)"},
		{"$sSiSSThq", "key path index hash operator for (Int, String)"},
		{"$sxq_r0_lTH", "key path index equality operator for <A, B>(A, B)"},
		{"$sxlTh", "key path index hash operator for <A>(A)"},
		{"$sxlThq", "key path index hash operator for <A>(A)"},
		{"$sxSiTH", "key path index equality operator for (A, Int)"},
	})
	checkRefused(t, []string{
		"$s4main1SV1xSivpTK",
		"$sSiTK",
		"$sSiSSTK",
		"$sTK",
		"$s4mainSiTH",
	})
}

// Functions that differentiate others, their thunks and witnesses.
func TestDerivativeForms(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1fyS2fFTJfUpUr", "forward-mode derivative of f(Float)"},
		{"$s4main1fyS2fFTJpSSpSUr", "pullback of f(Float)"},
		{"$s4main1fyxxlFlTJfSpSr", "forward-mode derivative of f<A>(A)"},
		{"$s4main1fyxxlFs7NumericRzlTJrSpSr", "reverse-mode derivative of f<A>(A)"},
		{"$s4main1fyxxlFlTJVrSpSr", "vtable thunk for reverse-mode derivative of f<A>(A)"},
		{"$sS2fIegyd_TJSdSSpSrUSP", "autodiff subset parameters thunk for differential from @escaping @callee_guaranteed (@unowned Float) -> (@unowned Float)"},
		{"$sS2fIegyd_TJSpSSpSrSSP", "autodiff subset parameters thunk for pullback from @escaping @callee_guaranteed (@unowned Float) -> (@unowned Float)"},
		{"$sS2fIegyd_SfTJSfSpSrSP", "autodiff subset parameters thunk for forward-mode derivative from @escaping @callee_guaranteed (@unowned Float) -> (@unowned Float)"},
		{"$sS2fIegyd_S2fIegyd_TJOf", "autodiff self-reordering reabstraction thunk for @escaping @callee_guaranteed (@unowned Float) -> (@unowned Float)"},
		{"$sS2fIegyd_S2fIegyd_TJOr", "autodiff self-reordering reabstraction thunk for @escaping @callee_guaranteed (@unowned Float) -> (@unowned Float)"},
		{"$sS2fIegyd_S2fIegyd_TJOd", "autodiff self-reordering reabstraction thunk for @escaping @callee_guaranteed (@unowned Float) -> (@unowned Float)"},
		{"$sS2fIegyd_S2fIegyd_TJOp", "autodiff self-reordering reabstraction thunk for @escaping @callee_guaranteed (@unowned Float) -> (@unowned Float)"},
		{"$sS2fIegyd_S2fIegyd_lTJOp", "autodiff self-reordering reabstraction thunk for @escaping @callee_guaranteed (@unowned Float) -> (@unowned Float)"},
		{"$s4main1fyS2fFWJrSUSpSr", "reverse-mode differentiability witness for f(Float) with respect to parameters {0, 2} and results {0}"},
		{"$s4main1fyxxlFSHRzlWJrSpSUr", "reverse-mode differentiability witness for f<A>(A) with respect to parameters {0} and results {0} with <A>"},
	})
	checkRefused(t, []string{
		"$s4main1fyS2fFTJrpr",
		"$s4main1fyS2fFTJxSpSr",
		"$s4main1fyS2fFTJfSxSr",
		"$s4main1fyS2fFTJfSpSp",
		"$s4main1fyS2fFTJVfSp",
		"$sS2fIegyd_TJSpSpSr",
		"$sS2fIegyd_S2fIegyd_TJOx",
		"$sS2fIegyd_TJOp",
		"$s4main1fyS2fFWJxSpSr",
		"$s4main1fyS2fFWJrpSr",
		"$s4main1fyS2fFWJrSpr",
		"$s4main1fyS2fFWJrSp",
	})
}

// Descriptors of modules, extensions, anonymous contexts and associated types.
func TestDescriptors(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1SVMXE", "extension descriptor S"},
		{"$s4mainMXX", "anonymous descriptor "},
		{"$s4main4_ANNyXZMXX", "anonymous descriptor "},
		{"$s4main4_ANNSi_XZMXX", "anonymous descriptor "},
		{"$s4main1xMXY", "anonymous descriptor "},
		{"$s4main1fyyF1xMXY", "anonymous descriptor f()"},
		{"$s4main1SV1xMXY", "anonymous descriptor S"},
		{"$sx1A_MXA", "generic parameter reference for associated type AA"},
		{"$sx1A_1BMXA", "generic parameter reference for associated type AA.B"},
		{"$s4main1PPTL", "protocol requirements base descriptor for P"},
		{"$s4main1PP1A_AA1QTn", "associated conformance descriptor for P.A: Q"},
		{"$sSi1A_4main1PTn", "associated conformance descriptor for Int.A: P"},
		{"$s4main1PP4main1QTb", "base conformance descriptor for P: Q"},
		{"$sx4main1QTb", "base conformance descriptor for A: Q"},
		{"$s4main1SVAA1PAAAaDP1fyyFTW", "protocol witness for P.f() in conformance S"},
		{"$s4main1GVyxGAA1PAASHRzlAaEP1fyyFTW", "protocol witness for P.f() in conformance <A> G<A>"},
		{"$s4main1GVyxGAA1PAASHRzlWP", "protocol witness table for <A> G<A>"},
		{"$s4main1GVyxGAA1PAASHRzlMc", "protocol conformance descriptor for <A> G<A>"},
		{"$s4main1GVyxGAA1PAASHRzlWG", "generic protocol witness table for <A> G<A>"},
		{"$s4main1GVyxGAA1PAAlWP", "protocol witness table for <A> G<A>"},
		{"$s4main1CC1fyyFAA1DCADyyFTV", "vtable thunk for D.f() dispatching to C.f()"},
		{"$s4main1CC1fyyF4main1DC1fyyFTV", "vtable thunk for D.f() dispatching to C.f()"},
		{"$s4main1SVAA1PAA1A_4main1QPWT", "associated type witness table accessor for A : Q in S"},
		{"$s4main1SVAA1PAAAA1QPWb", "base witness table accessor for Q in S"},
		{"$s4main1SVAA1PAA4main1QPWb", "base witness table accessor for Q in S"},
		{"$s4main1SVTC", "coroutine continuation prototype for S"},
	})
	checkRefused(t, []string{
		"$s4main1SVMXM",
		"$s4main1PPxMXA",
		"$s4main1PP1AxMXA",
		"$s4main1A_MXA",
		"$s1A_xMXA",
		"$s1A_4main1PPxMXA",
		"$sTn",
		"$s4main1P1A_4main1QTn",
		"$s4main1P1A_4main1QTN",
		"$s4main1SVAA1PAATT",
		"$s4main1SVAA1PAA1fyyFTW",
		"$s4main1SVAA1PAA1fyyFTWTu",
		"$s4main1CC1fyyFTV",
		"$s4main1SVAA1PAA1A_AA1QWT",
		"$sIegg_TC",
	})
}

// What is said of a whole symbol, also several things at once.
func TestAttributes(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1fyyFTAToTA", "partial apply for @objc partial apply for f()"},
		{"$s4main1fyyFTATu", "async function pointer to partial apply for f()"},
		{"$s4main1fyyFTuTA", "partial apply for async function pointer to f()"},
		{"$s4main1fyyFTQ_", "f()"},
		{"$s4main1fyyFTQ0_", "f()"},
		{"$s4main1fyyFTY1_", "f()"},
		{"$s4main1fyyFTY2_TQ1_", "f()"},
		{"$s4main1fyyFTea_", "outlined bridged method (a) of f()"},
		{"$sTA", "partial apply"},
		{"$sTo", "@objc "},
		{"$s4main1fyyFTA.12", "partial apply for f()"},
		{"$s4main1fyyFTA.resume.0", "partial apply for f()"},
		{"$s4main1fyyF.", "f()"},
		{"$s4main1fyyF.llvm.123", "f()"},
	})
	checkRefused(t, []string{
		"$s4main1fyyFTwx",
		"$s4main1fyyFTw",
		"$s4main1fyyFTYTQ_",
		"$s4main1fyyFTQ",
		"$s4main1fyyFTv",
		"$s4main1fyyFTvr",
		"$s4main1fyyFTe_",
		"$s4main1fyyFTeaB_",
		"$s4main1fyyFTea",
		"$s.12",
	})
}
