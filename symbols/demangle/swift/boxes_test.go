package swift

import "testing"

// The boxes of captured variables, with the parameters that the layout has.
func TestBoxes(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1fyySi_XxF", "f({ let Int })"},
		{"$s4main1fyySi_SSXxF", "f({ let Int, let String })"},
		{"$s4main1fyySiz_XxF", "f({ var Int })"},
		{"$s4main1fyySiz_SSzXxF", "f({ var Int, var String })"},
		{"$s4main1fyyyXxF", "f({ })"},
		{"$s4main1fyyx_Si_lXXF", "f(<A> { let A } <Int>)"},
		{"$s4main1fyyxz_Si_lXXF", "f(<A> { var A } <Int>)"},
		{"$s4main1fyyxz_q_zt_Si_lXXF", "f(<A> { let (inout A, inout B) } <Int>)"},
		{"$s4main1fyyx_q_Si_SSr0_lXXF", "f(<A, B> { let A, let B } <Int, String>)"},
		{"$s4main1fyyx_Si_SHRzlXXF", "f(<A> { let A } <Int>)"},
		{"$s4main1fyyxz_ylXXF", "f(<A> { var A } <>)"},
		{"$s4main1fyySi_XxSgF", "f({ let Int }?)"},
		{"$s4main1fyySi_XxXbF", "f(@box { let Int })"},
	})
}

// C types that follow a convention, with their length.
func TestClangTypes(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1fyyyyXzC8PFvvE_xxF", `f(@convention(c, mangledCType: "PFvvE_xx") ())`},
		{"$s4main1fyyyyXzC5PFvvEF", `f(@convention(c, mangledCType: "PFvvE") ())`},
		{"$s4main1fyyyyXzB5PFvvEF", `f(@convention(block, mangledCType: "PFvvE") ())`},
		{"$s4main1fyyS2iXzC5PFiiEF", `f(@convention(c, mangledCType: "PFiiE") (Int))`},
		{"$s4main1fyyyyKXzC5PFvvEF", `f(@convention(c, mangledCType: "PFvvE") ())`},
		{"$s4main1fyyyyYbXzB6U13blkF", `f(@convention(block, mangledCType: "U13blk") @Sendable ())`},
		{"$s4main1fyyyyXzC0F", "f(@convention(c) ())"},
		{"$sIegzC5PFvvE_Ieg_TR", `thunk for @escaping @callee_guaranteed @convention(c, mangledCType: "PFvvE") () -> ()`},
		{"$sIegzB5PFvvE_Ieg_TR", `thunk for @escaping @callee_guaranteed @convention(block, mangledCType: "PFvvE") () -> ()`},
		{"$sSiIegzC5PFivEd_SiIegd_TR", `thunk for @escaping @callee_guaranteed @convention(c, mangledCType: "PFivE") () -> (@unowned Int)`},
		{"$sIegzC_Ieg_TR", "thunk for @escaping @callee_guaranteed @convention(c) () -> ()"},
	})
	checkRefused(t, []string{
		"$s4main1fyyyyXzC9_ZTSPFvvEEF",
		"$s4main1fyyyyXzC99PFvvEF",
		"$s4main1fyyyyXzA5PFvvEF",
		"$s4main1fyyyyXzF",
		"$sIeyzC5PFvvEgH_yt_TR",
		"$sIegzC99PFvvE_Ieg_TR",
		"$sIegzA_Ieg_TR",
	})
}

// Sizes of the compiler's types at their limits.
func TestBuiltinForms(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1fyyBi4096_F", "f(Builtin.Int4096)"},
		{"$s4main1fyyBf16_F", "f(Builtin.FPIEEE16)"},
		{"$s4main1fyyBf4096_F", "f(Builtin.FPIEEE4096)"},
		{"$s4main1fyyBi32_Bv4_F", "f(Builtin.Vec4xInt32)"},
		{"$s4main1fyyBf32_Bv8_F", "f(Builtin.Vec8xFPIEEE32)"},
		{"$s4main1fyyBpBv4_F", "f(Builtin.Vec4xRawPointer)"},
		{"$s4main1fyyBi8_Bv4096_F", "f(Builtin.Vec4096xInt8)"},
		{"$s4main1fyy$3_SiBVF", "f(Builtin.FixedArray<4, Int>)"},
		{"$s4main1fyySi$3_BVF", "f(Builtin.FixedArray<Int, 4>)"},
		{"$s4main1fyyBTSgF", "f(Builtin.TheTupleType?)"},
		{"$s4main1fyyBpSgF", "f(Builtin.RawPointer?)"},
	})
	checkRefused(t, []string{
		"$s4main1fyyBi4097_F",
		"$s4main1fyyBf4097_F",
		"$s4main1fyyBf0_F",
		"$s4main1fyyBf_F",
		"$s4main1fyyBi8_Bv4097_F",
		"$s4main1fyyBi8_Bv0_F",
		"$s4main1fyyBi8_Bv_F",
		"$s4main1fyySiBv4_F",
		"$s4main1fyyBv4_F",
		"$s4main1fyySiBVF",
		"$s4main1fyyBaF",
		"$s4main1fyyB_F",
	})
}

// Types of any value that conforms to protocols, and their metatypes.
func TestExistentials(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1fyyAA1P_pF", "f(P)"},
		{"$s4main1fyyAA1P_pSgF", "f(P?)"},
		{"$s4main1fyyAA1P_AA1QpSgF", "f((P & Q)?)"},
		{"$s4main1fyyAA1P_AA1QpmF", "f((P & Q).Protocol)"},
		{"$s4main1fyyAA1P_AA1QpXpF", "f(P & Q.Type)"},
		{"$s4main1fyyAA1P_AA1QpXmtF", "f(@thin P & Q.Type)"},
		{"$s4main1fyyAA1P_AA1QpXmTF", "f(@thick P & Q.Type)"},
		{"$s4main1fyyAA1P_AA1QpXmoF", "f(@objc_metatype P & Q.Type)"},
		{"$s4main1fyyAA1P_AA1QpXMtF", "f(@thin (P & Q).Protocol)"},
		{"$s4main1fyyAA1P_XlSgF", "f((P & Swift.AnyObject)?)"},
		{"$s4main1fyyAA1P_AA1QXlSgF", "f((P & Q & Swift.AnyObject)?)"},
		{"$s4main1fyyAA1P_AA1QXlmF", "f((P & Q & Swift.AnyObject).Protocol)"},
		{"$s4main1fyyyXlSgF", "f(Swift.AnyObject?)"},
		{"$s4main1fyyyXlmF", "f(Swift.AnyObject.Protocol)"},
		{"$s4main1fyyypSgF", "f(Any?)"},
		{"$s4main1fyyypmF", "f(Any.Protocol)"},
		{"$s4main1fyyypXpmF", "f(Any.Type.Protocol)"},
		{"$s4main1fyyAA1P_AA1CCXcSgF", "f((C & P)?)"},
		{"$s4main1fyyAA1P_AA1CCXcmF", "f((C & P).Protocol)"},
		{"$s4main1fyyAA1P_AA1CCXcXpF", "f(C & P.Type)"},
		{"$s4main1fyyAA1P_pSi1ARtz_XPF", "f(any P<A.A == Int>)"},
		{"$s4main1fyyAA1P_pSiRsz_XPF", "f(any P<A == Int>)"},
		{"$s4main1fyyAA1P_pSiRsz_SHRzXPF", "f(any P<A == Int, A: Hashable>)"},
		{"$s4main1fyyAA1P_pSiRsz_XPSgF", "f((any P<A == Int>)?)"},
		{"$s4main1fyyAA1P_pSiRsz_XPXpF", "f(any P<A == Int>.Type)"},
		{"$s4main1fyySimSgF", "f(Int.Type?)"},
		{"$s4main1fyySiXpSgF", "f(Int.Type?)"},
		{"$s4main1fyySimmF", "f(Int.Type.Type)"},
		{"$s4main1fyyyycmF", "f((()).Type)"},
		{"$s4main1fyyyycXMTF", "f(@thick (()).Type)"},
		{"$s4main1fyySi_tmF", "f((Int).Type)"},
		{"$s4main1fyySiSgmF", "f(Int?.Type)"},
		{"$s4main1fyyBomF", "f(Builtin.NativeObject.Type)"},
		{"$s4main1fyyxmF", "f(A.Type)"},
		{"$s4main1fyySizmF", "f((inout Int).Type)"},
		{"$s4main1fyySiXwmF", "f((weak Int).Type)"},
		{"$s4main1fyySiXwSgF", "f((weak Int)?)"},
		{"$s4main1fyySiXoSgF", "f((unowned Int)?)"},
		{"$s4main1fyySiYkSgF", "f((@noDerivative Int)?)"},
		{"$s4main1fyyyyXBSgF", "f((@convention(block) ())?)"},
		{"$s4main1fyyyyXBmF", "f((@convention(block) ()).Type)"},
		{"$s4main1fyyyyXfSgF", "f((@convention(thin) ())?)"},
	})
	checkRefused(t, []string{
		"$s4main1fyyAA1P_AA1QpXmxF",
		"$s4main1fyyAA1P_pyXPF",
		"$s4main1fyyAA1P_pXPF",
		"$s4main1fyySiXMxF",
	})
}
