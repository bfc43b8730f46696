package swift

import "testing"

// Functions that call another one in another way, behind a T.
func TestThunks(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1SV1fyyFTTI", "identity thunk of S.f()"},
		{"$s4main1SV1fyyFTc", "curry thunk of S.f()"},
		{"$s4main1SV1fyyFTj", "dispatch thunk of S.f()"},
		{"$s4main1SV1fyyFTq", "method descriptor for S.f()"},
		{"$s4main1SV1fyyFTS", "protocol self-conformance witness for S.f()"},
		{"$s4main1SV1fyyFTu", "async function pointer to S.f()"},
		{"$s4main1SV1fyyFTE", "S.f()"},
		{"$s4main1SV1fyyFTF", "S.f()"},
		{"$s4main1SV1fyyFTm", "S.f()"},
		{"$s4main1SV1fyyFTX", "S.f()"},
		{"$s4main1SV1fyyFTx", "S.f()"},
		{"$s4main1SV1fyyFTI", "S.f()"},
		{"$s4main1SV1fyyFTd", "super S.f()"},
		{"$s4main1SV1fyyFTD", "dynamic S.f()"},
		{"$s4main1SV1fyyFTO", "@nonobjc S.f()"},
		{"$s4main1SV1fyyFTo", "@objc S.f()"},
		{"$s4main1SV1fyyFTwb", "S.f()"},
		{"$s4main1SV1fyyFTwB", "back deployment fallback for S.f()"},
		{"$s4main1SV1fyyFTwc", "coro function pointer to S.f()"},
		{"$s4main1SV1fyyFTwd", "default override of S.f()"},
		{"$s4main1SV1fyyFTwS", "#_hasSymbol query for S.f()"},
		{"$s4main1SV1fyyFHF", "S.f()"},
		{"$s4main1SV1fyyFTa", "partial apply for S.f()"},
		{"$s4main1SV1fyyFTA", "partial apply for S.f()"},
		{"$s4main1SV1fyyFTY0_", "S.f()"},
		{"$s4main1SV1fyyFTQ0_", "S.f()"},
		{"$s4main1SV1fyyFTQ1_", "S.f()"},
		{"$s4main1SV1fyyFTY2_", "S.f()"},
		{"$s4main1SV1fyyFAA1CCADyyFTV", "vtable thunk for C.f() dispatching to S.f()"},
		{"$s4main1SVAA1PA2aDP1fyyFTW", "protocol witness for P.f() in conformance S"},
		{"$s4main1PP1fyyFTS", "protocol self-conformance witness for P.f()"},
		{"$s1A4main1PPTl", "associated type descriptor for P.A"},
		{"$s4main1PTL", "protocol requirements base descriptor for P"},
		{"$s1A4main1PPTM", "default associated type metadata accessor for P.A"},
		{"$s4main1PP1AAC_AA1QTn", "associated conformance descriptor for P.P.A: Q"},
		{"$s4main1PP1AAC_AA1QTN", "default associated conformance accessor for P.P.A: Q"},
	})
}

// Functions for certain types and arguments. dump_syms does not say for which.
func TestSpecializations(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1fyyFTf4n_n", "specialized f()"},
		{"$s4main1fyyFTf4d_n", "specialized f()"},
		{"$s4main1fyyFTf4nd_n", "specialized f()"},
		{"$s4main1fyyFTf4x_n", "specialized f()"},
		{"$s4main1fyyFTf4g_n", "specialized f()"},
		{"$s4main1fyyFTf4o_n", "specialized f()"},
		{"$s4main1fyyFTf4s_n", "specialized f()"},
		{"$s4main1fyyFTf4nx_n", "specialized f()"},
		{"$s4main1fyyFTf4gn_n", "specialized f()"},
		{"$s4main1fyyFTf0n_n", "specialized f()"},
		{"$s4main1fyyFTf9n_n", "specialized f()"},
		{"$s4main1fyyFTf4_n", "specialized f()"},
		{"$s4main1fyyFTf4n_g", "specialized f()"},
		{"$s4main1fyyFTf4n_o", "specialized f()"},
		{"$s4main1fyyFTf4n_x", "specialized f()"},
		{"$s4main1fyyFTfq4n_n", "specialized f()"},
		{"$s4main1fyyFTf4e_n", "specialized f()"},
		{"$s4main1fyyFTf4i_n", "specialized f()"},
		{"$s4main1fyyFTf4r_n", "specialized f()"},
		{"$s4main1fyyFTf4dg_n", "specialized f()"},
		{"$s4main1fyyFTf4ox_n", "specialized f()"},
		{"$s4main1fyyFTf4gox_n", "specialized f()"},
		{"$s4main1fyyxlFSi_Tg5", "specialized f<A>(A)"},
		{"$s4main1fyyxlFSi_TG5", "specialized f<A>(A)"},
		{"$s4main1fyyxlFSi_TB5", "specialized f<A>(A)"},
		{"$s4main1fyyxlFSi_Ts5", "specialized f<A>(A)"},
		{"$s4main1fyyxlFSi_Tgq5", "specialized f<A>(A)"},
		{"$s4main1fyyxlFSi_Tg0", "specialized f<A>(A)"},
		{"$s4main1fyyxlFSi_Tgm5", "specialized f<A>(A)"},
		{"$s4main1fyyxlFSS_Tg5", "specialized f<A>(A)"},
		{"$s4main1fyyx_q_tr0_lFSi_SSTg5", "specialized f<A, B>(A, B)"},
		{"$s4main1fyyxlFSi_Ti5", "specialized f<A>(A)"},
	})
}

// Thunks between functions as the compiler lowers them.
func TestImpl(t *testing.T) {
	checkNames(t, []demangled{
		{"$sIeg_IyB_TR", "thunk for @escaping @callee_guaranteed () -> ()"},
		{"$sIeg_Ieg_TR", "thunk for @escaping @callee_guaranteed () -> ()"},
		{"$sSiIegy_SiIegn_TR", "thunk for @escaping @callee_guaranteed (@unowned Int) -> ()"},
		{"$sSiIegd_SiIegr_TR", "thunk for @escaping @callee_guaranteed () -> (@unowned Int)"},
		{"$sSiIeyd_SiIeyr_TR", "thunk for @escaping @callee_unowned () -> (@unowned Int)"},
		{"$sSiSSIegyo_SiSSIegnr_TR", "thunk for @escaping @callee_guaranteed (@unowned Int) -> (@owned String)"},
		{"$sxIegn_xIegg_lTR", "thunk for @escaping @callee_guaranteed (@in_guaranteed A) -> ()"},
		{"$sSo8NSObjectCIegg_ABIyBy_TR", "thunk for @escaping @callee_guaranteed (@guaranteed NSObject) -> ()"},
		{"$sSo8NSObjectCIegg_ABIeyBy_TR", "thunk for @escaping @callee_guaranteed (@guaranteed NSObject) -> ()"},
		{"$sSiSSIegyg_SiSSIegnn_TR", "thunk for @escaping @callee_guaranteed (@unowned Int, @guaranteed String) -> ()"},
		{"$sIeghH_Ieg_TR", "thunk for @escaping @callee_guaranteed @Sendable @async () -> ()"},
		{"$sIegh_Ieg_TR", "thunk for @escaping @callee_guaranteed @Sendable () -> ()"},
		{"$sSiIegA_TR", "thunk for Int"},
		{"$sSiIegl_SiIegn_TR", "thunk for @escaping @callee_guaranteed (@inout Int) -> ()"},
	})
}

// Parts of key paths.
func TestKeyPaths(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1SV1xSivpACTK", "key path getter for S.x : S"},
		{"$s4main1SV1xSivpACTk", "key path setter for S.x : S"},
		{"$s4main1SV1xSivpACTKq", "key path getter for S.x : S, serialized"},
		{"$s4main1SV1xSivpACTkq", "key path setter for S.x : S, serialized"},
		{"$s4main1SVTH", "key path index equality operator for (S)"},
		{"$s4main1SVTh", "key path index hash operator for (S)"},
		{"$s4main1SVTHq", "key path index equality operator for (S)"},
		{"$s4main1SVThq", "key path index hash operator for (S)"},
	})
}

// Functions that differentiate others, and what says that they can be.
func TestDerivatives(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1fyS2fFWJdSpSr", "normal differentiability witness for f(Float) with respect to parameters {0} and results {0}"},
		{"$s4main1fyS2fFWJlSpSr", "linear differentiability witness for f(Float) with respect to parameters {0} and results {0}"},
		{"$s4main1fyS2f_S2ftFWJrSUSpSr", "reverse-mode differentiability witness for f(Float, Float, Float) with respect to parameters {0, 2} and results {0}"},
		{"$s4main1fyS2f_S2ftFWJrUSUpUr", "reverse-mode differentiability witness for f(Float, Float, Float) with respect to parameters {1} and results {}"},
		{"$s4main1fyS2f_S2ftFWJrUUpSr", "reverse-mode differentiability witness for f(Float, Float, Float) with respect to parameters {} and results {0}"},
		{"$s4main1fyxxlFlWJrSpSr", "reverse-mode differentiability witness for f<A>(A) with respect to parameters {0} and results {0} with <A>"},
		{"$s4main1fyxxAA1PRzlFAaBRzlWJrSpSr", "reverse-mode differentiability witness for f<A>(A) with respect to parameters {0} and results {0} with <A>"},
		{"$s4main1fyS2fFTJfSpSr", "forward-mode derivative of f(Float)"},
		{"$s4main1fyS2fFTJrSpSr", "reverse-mode derivative of f(Float)"},
		{"$s4main1fyS2fFTJpSpSr", "pullback of f(Float)"},
		{"$s4main1fyS2fFTJdSpSr", "differential of f(Float)"},
		{"$s4main1fyS2fFTJrSUpSr", "reverse-mode derivative of f(Float)"},
		{"$s4main1fyS2fFTJVrSpSr", "vtable thunk for reverse-mode derivative of f(Float)"},
		{"$s4main1fyS2fFTJVfSpSr", "vtable thunk for forward-mode derivative of f(Float)"},
		{"$s4main1fyS2fFWJrSpSr", "reverse-mode differentiability witness for f(Float) with respect to parameters {0} and results {0}"},
		{"$s4main1fyS2fFWJfSpSr", "forward-mode differentiability witness for f(Float) with respect to parameters {0} and results {0}"},
	})
}
