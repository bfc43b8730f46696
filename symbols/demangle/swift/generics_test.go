package swift

import "testing"

// What generic parameters are required to be, which is not printed.
func TestRequirements(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1fyyxSHRzlF", "f<A>(A)"},
		{"$s4main1fyyxSHRzSQRzlF", "f<A>(A)"},
		{"$s4main1fyyxs5Int32VRszlF", "f<A>(A)"},
		{"$s4main1fyyxSQ1ARpzlF", "f<A>(A)"},
		{"$s4main1fyyxSQ1A_1BRPzlF", "f<A>(A)"},
		{"$s4main1fyyxSQxRQlF", "f<A>(A)"},
		{"$s4main1fyyxSi1ARtzlF", "f<A>(A)"},
		{"$s4main1fyyxSi1A_1BRTzlF", "f<A>(A)"},
		{"$s4main1fyyxSixRSlF", "f<A>(A)"},
		{"$s4main1fyyxAA1CC1ARczlF", "f<A>(A)"},
		{"$s4main1fyyxAA1CC1A_1BRCzlF", "f<A>(A)"},
		{"$s4main1fyyxAA1CCxRBlF", "f<A>(A)"},
		{"$s4main1fyyx_q_txRh_r0_lF", "f<A, B>(A, B)"},
		{"$s4main1fyyxRlzUlF", "f<A>(A)"},
		{"$s4main1fyyxRlzRlF", "f<A>(A)"},
		{"$s4main1fyyxRlzNlF", "f<A>(A)"},
		{"$s4main1fyyxRlzDlF", "f<A>(A)"},
		{"$s4main1fyyxRlzBlF", "f<A>(A)"},
		{"$s4main1fyyxRlze64_lF", "f<A>(A)"},
		{"$s4main1fyyxRlzE64_8_lF", "f<A>(A)"},
		{"$s4main1fyyxRlzE64_lF", "f<A>(A)"},
		{"$s4main1fyyxRlzM64_8_lF", "f<A>(A)"},
		{"$s4main1fyyxRlzm64_lF", "f<A>(A)"},
		{"$s4main1fyyxRlzS64_lF", "f<A>(A)"},
		{"$s4main1fyyx1ARmzClF", "f<A>(A)"},
		{"$s4main1fyyx1A_1BRMzClF", "f<A>(A)"},
		{"$s4main1fyyxxRLClF", "f<A>(A)"},
		{"$s4main1fyyxRi_zlF", "f<A>(A)"},
		{"$s4main1fyyxRi0_zlF", "f<A>(A)"},
		{"$s4main1fyyxxRI_lF", "f<A>(A)"},
		{"$s4main1fyyxRvzlF", "f<each A>(A)"},
		{"$s4main1fyyxRv_r0_lF", "f<A, B>(A)"},
		{"$s4main1fyyxSHR_lF", "f<A>(A)"},
		{"$s4main1fyyxSHRd__lF", "f<A>(A)"},
		{"$s4main1fyyxSHRs_lF", "f<A>(A)"},
		{"$s4main1fyyxr_lF", "f<A>(A)"},
		{"$s4main1fyyxr0_lF", "f<A, B>(A)"},
		{"$s4main1fyyxr1_lF", "f<A, B, C>(A)"},
		{"$s4main1fyyxrz_lF", "f<><A1>(A)"},
		{"$s4main1fyyxr__lF", "f<A><A1>(A)"},
		{"$s4main1fyyxr__0_lF", "f<A><A1><A2, B2>(A)"},
		{"$s4main1fyyxrzzlF", "f<><>(A)"},
		{"$s4main1fyyxr24_lF", "f<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z>(A)"},
		{"$s4main1fyyxr25_lF", "f<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z, AB>(A)"},
		{"$s4main1fyyxr126_lF", "f<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z, AB, BB, CB, DB, EB, FB, GB, HB, IB, JB, KB, LB, MB, NB, OB, PB, QB, RB, SB, TB, UB, VB, WB, XB, YB, ZB, AC, BC, CC, DC, EC, FC, GC, HC, IC, JC, KC, LC, MC, NC, OC, PC, QC, RC, SC, TC, UC, VC, WC, XC, YC, ZC, AD, BD, CD, DD, ED, FD, GD, HD, ID, JD, KD, LD, MD, ND, OD, PD, QD, RD, SD, TD, UD, VD, WD, XD, YD, ZD, AE, BE, CE, DE, EE, FE, GE, HE, IE, JE, KE, LE, ME, NE, OE, PE, QE, RE, SE, TE, UE, VE, WE, XE>(A)"},
		{"$s4main1fyyxr127_lF", "f<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z, AB, BB, CB, DB, EB, FB, GB, HB, IB, JB, KB, LB, MB, NB, OB, PB, QB, RB, SB, TB, UB, VB, WB, XB, YB, ZB, AC, BC, CC, DC, EC, FC, GC, HC, IC, JC, KC, LC, MC, NC, OC, PC, QC, RC, SC, TC, UC, VC, WC, XC, YC, ZC, AD, BD, CD, DD, ED, FD, GD, HD, ID, JD, KD, LD, MD, ND, OD, PD, QD, RD, SD, TD, UD, VD, WD, XD, YD, ZD, AE, BE, CE, DE, EE, FE, GE, HE, IE, JE, KE, LE, ME, NE, OE, PE, QE, RE, SE, TE, UE, VE, WE, XE, ...>(A)"},
		{"$s4main1fyyxr500_lF", "f<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z, AB, BB, CB, DB, EB, FB, GB, HB, IB, JB, KB, LB, MB, NB, OB, PB, QB, RB, SB, TB, UB, VB, WB, XB, YB, ZB, AC, BC, CC, DC, EC, FC, GC, HC, IC, JC, KC, LC, MC, NC, OC, PC, QC, RC, SC, TC, UC, VC, WC, XC, YC, ZC, AD, BD, CD, DD, ED, FD, GD, HD, ID, JD, KD, LD, MD, ND, OD, PD, QD, RD, SD, TD, UD, VD, WD, XD, YD, ZD, AE, BE, CE, DE, EE, FE, GE, HE, IE, JE, KE, LE, ME, NE, OE, PE, QE, RE, SE, TE, UE, VE, WE, XE, ...>(A)"},
		{"$s4main1fyyq24_lF", "f<A>(AB)"},
		{"$s4main1fyyq25_lF", "f<A>(BB)"},
		{"$s4main1fyyq26_lF", "f<A>(CB)"},
		{"$s4main1fyyq700_lF", "f<A>(ABB)"},
		{"$s4main1fyyqd_0_lF", "f<A>(B1)"},
		{"$s4main1fyyqd0_1_lF", "f<A>(C2)"},
		{"$s4main1fyyqzlF", "f<A>(A)"},
		{"$s4main1fyyqslF", "f<A>(Self)"},
	})
	checkRefused(t, []string{
		"$s4main1fyyx1ARpzlF",
		"$s4main1fyyx1A_1BRPzlF",
		"$s4main1fyyxRlzSlF",
		"$s4main1fyyxRlzelF",
		"$s4main1fyyxRlzXlF",
		"$s4main1fyyxRi_z_lF",
		"$s4main1fyyxRizlF",
		"$s4main1fyyxRzlF",
		"$s4main1fyyxr_",
		"$s4main1fyyqd___lF",
		"$s4main1fyyqxlF",
	})
}

// Conformances of generic arguments, which are not printed.
func TestConformancesOfArguments(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1fyyAA1GVySiAaBHPyHCg_GF", "f(G)"},
		{"$s4main1fyyShySiSHsyHCg_GF", "f(Set)"},
		{"$s4main1fyyShySiSH3libyHCg_GF", "f(Set)"},
		{"$s4main1fyyShySiSHAAyHCg_GF", "f(Set)"},
		{"$s4main1fyySDySiSSSHAAyHCg_GF", "f(Dictionary<Int>)"},
		{"$s4main1fyySDySiSSSHAAyHCg0_GF", "f(Dictionary<Int>)"},
		{"$s4main1fyyShyxSHHD1_g_GF", "f(Set)"},
		{"$s4main1fyyShyxxSHHD1_g_GF", "f(Set<A>)"},
		{"$s4main1fyyShyxxSQHD1_SHHI2_g_GF", "f(Set<A>)"},
		{"$s4main1fyyShyxxSQHD1_xHOg_GF", "f(Set<A>)"},
		{"$s4main1fyyShyxxSQHD1_1AQzSHHA2_g_GF", "f(Set<A>)"},
		{"$s4main1fyyShySiyHXg_GF", "f(Set<Int>)"},
		{"$s4main1fyyShySiSiSHsyHC_HXg_GF", "f(Set<Int>)"},
		{"$s4main1fyyShySiSHHpyHCg_GF", "f(Set)"},
		{"$s4main1fyyShySiSHHPyHCg_GF", "f(Set)"},
	})
	checkRefused(t, []string{
		"$s4main1fyyAA1GVySiSi5other1PAAHPyHCg_GF",
		"$s4main1fyyShySiSHsHPyHCg_GF",
		"$s4main1fyyShySaySiGSHySiSHsyHCg_HCg_GF",
		"$s4main1fyyShyxx1AQzSHHA1_g_GF",
		"$s4main1fyyShyxxSQHD_g_GF",
		"$s4main1fyyShySiHpg_GF",
		"$s4main1fyySiHPF",
	})
}

// Arguments of nested and extended types, and types with a form of their own.
func TestBoundForms(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1fyySqySiGF", "f(Int?)"},
		{"$s4main1fyySqySiSSGF", "f(Optional<Int, String>)"},
		{"$s4main1fyySqySiSSG_tF", "f(Optional<Int, String>)"},
		{"$s4main1fyySaySiSSGF", "f(Array<Int, String>)"},
		{"$s4main1fyySDySiGF", "f(Dictionary<Int>)"},
		{"$s4main1fyySDySiSSSbGF", "f(Dictionary<Int, String, Bool>)"},
		{"$s4main1fyyShySiGSgF", "f(Set<Int>?)"},
		{"$s4main1fyySayytGF", "f([()])"},
		{"$s4main1fyySayyycGF", "f([()])"},
		{"$s4main1fyySqyyycGF", "f((())?)"},
		{"$s4main1fyySqyAA1P_AA1QpGF", "f((P & Q)?)"},
		{"$s4main1fyys27ImplicitlyUnwrappedOptionalOySiGF", "f(Int!)"},
		{"$s4main1fyys27ImplicitlyUnwrappedOptionalOyyycGF", "f((())!)"},
		{"$s4main1fyys27ImplicitlyUnwrappedOptionalVySiGF", "f(ImplicitlyUnwrappedOptional<Int>)"},
		{"$s4main1fyyAA5ArrayVySiGF", "f(Array<Int>)"},
		{"$s4main1fyyAA8OptionalOySiGF", "f(Optional<Int>)"},
		{"$s4main1fyys8OptionalVySiGF", "f(Optional<Int>)"},
		{"$s4main1fyys5ArrayCySiGF", "f(Array<Int>)"},
		{"$s4main1fyys10DictionaryCySiSSGF", "f(Dictionary<Int, String>)"},
		{"$s4main1fyys5ArrayV1IVy_SiGF", "f(Array.I<Int>)"},
		{"$s4main1fyyAA1GV1HVySi_GF", "f(G<Int>.H)"},
		{"$s4main1fyyAA1GV1HVy_SiGF", "f(G.H<Int>)"},
		{"$s4main1fyyAA1GV1HVySi_SSGSgF", "f(G<Int>.H<String>?)"},
		{"$s4main1fyyAA1GV1HV1IVySi_SS_SbGF", "f(G<Int>.H<String>.I<Bool>)"},
		{"$s4main1fyyAA1GV1HV1IVy__SbGF", "f(G.H.I<Bool>)"},
		{"$s4main1fyyAA1GVAAE1HVySi_SSGF", "f(G<Int>.H<String>)"},
		{"$s4main1fyyAA1GVAASHRzlE1HVySi_SSGF", "f(G<Int><A>.H<String>)"},
		{"$s4main1fyyAA1PPySiGF", "f(Int as P)"},
		{"$s4main1fyySHySiGF", "f(Int as Hashable)"},
		{"$s4main1fyySHySiSSGF", "f(IntString as Hashable)"},
		{"$s4main1fyyAA1AaySiGF", "f(A<Int>)"},
		{"$s4main1fyyAA1AayG_tF", "f(A)"},
		{"$s4main1fyyAA1GVySiSgGF", "f(G<Int?>)"},
		{"$s4main1fyyAA1GVySi_SStGF", "f(G<(Int, String)>)"},
		{"$s4main1fyyAA1GVyytGF", "f(G<()>)"},
		{"$s4main1fyyAA1GVySi1x_SS1ytGF", "f(G<(x: Int, y: String)>)"},
		{"$s4main1GVyACySiGSicfC", "G.init(Int)"},
		{"$s4main1GVyACyxGxcfC", "G.init(A)"},
		{"$s4main1GV1HV1xxvg", "G.H.x.getter"},
	})
	checkRefused(t, []string{
		"$s4main1fyyBTySiGF",
		"$s4main1fyySiSgySiGF",
		"$s4main1fyySiGF",
		"$s4main1fyyySiGF",
		"$s4main3fooyyF1GL_VyxG_SiQo_",
	})
}

// Opaque results.
func TestOpaque(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1fQryFQOySiQo_", "<<opaque return type of f()>>.0"},
		{"$s4main1fQryFQOySi_SSQo_", "<<opaque return type of f()>>.0"},
		{"$s4main1fQryFQOyQo0_", "<<opaque return type of f()>>.1"},
		{"$s4main1fQryFQOySiQo_SgD", "(<<opaque return type of f()>>.0)?"},
		{"$s4main1vQrvpQOyQo_", "<<opaque return type of v>>.0"},
		{"$s4main1SV1vQrvpQOyQo_", "<<opaque return type of S.v>>.0"},
		{"$s4main1SV4bodyQrvgQOyQo_", "<<opaque return type of S.body.getter>>.0"},
		{"$s4main1SV4bodyQrvpQOyQo_", "<<opaque return type of S.body>>.0"},
		{"$s4main1fQR_yF", "f()"},
		{"$s4main1fQR0_yF", "f()"},
		{"$s4main1fQrSg_QR_tyF", "f()"},
		{"$s4main1fQryFQO", "<<opaque return type of f()>>"},
		{"$sSiQO", "<<opaque return type of Int>>"},
		{"$s4mainQO", "<<opaque return type of >>"},
	})
	checkRefused(t, []string{
		"$s4main1fQRyF",
		"$s4main1fQryFQOQo_",
		"$sQO",
		"$sQo_",
	})
}

// Parameter packs.
func TestPacks(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1fyySayxGxQp_tRvzlF", "f<each A>(repeat [A])"},
		{"$s4main1fyyx_q_txQp_tRvzRv_r0_lF", "f<each A, B>(repeat (A, B))"},
		{"$s4main1fyyxQe0_F", "f(/* level: 1 */ each A)"},
		{"$s4main1fyyxQe1_F", "f(/* level: 2 */ each A)"},
		{"$s4main1fyySayxGQe_F", "f(/* level: 0 */ each [A])"},
		{"$s4main1fyyyQPF", "f(Pack{})"},
		{"$s4main1fyySi_QPF", "f(Pack{Int})"},
		{"$s4main1fyySi_SSSbQPF", "f(Pack{Int, String, Bool})"},
		{"$s4main1fyyyQSdF", "f(@direct Pack{})"},
		{"$s4main1fyySi_QSdF", "f(@direct Pack{Int})"},
		{"$s4main1GVyxxQp_QPGD", "G<Pack{repeat A}>"},
		{"$s4main1GVySi_SSQPGD", "G<Pack{Int, String}>"},
	})
	checkRefused(t, []string{
		"$s4main1fyyQPF",
		"$s4main1fyySi_QSxF",
		"$s4main1fyyxQpF",
		"$s4main1fyyQpF",
		"$s4main1fyyQeF",
		"$s4main1fyySi_QxF",
	})
}
