package swift

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// The texts are what dump_syms 2.3.9 writes, whose demangler is Swift's own. The
// names are of Swift's test/Demangle/Inputs/manglings.txt and of SwiftLint 0.57.
func TestName(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"$s4main3FooV3bar1xySi_tF", "Foo.bar(x: Int)"},
		{"_$s4main3FooV3bar1xySi_tF", "Foo.bar(x: Int)"}, // with the underscore of Mach-O
		{"$s4test3StrCACycfC", "Str.__allocating_init()"},
		{"$S8mangling14varargsVsArray3arr1nySaySiGd_SStF", "varargsVsArray(arr: [Int]..., n: String)"},
		{"_T08mangling14varargsVsArrayySi3arrd_SS1ntF", "varargsVsArray(arr: Int..., n: String)"}, // labels in the types
		{"$s7example1fyyYaKF", "f()"},
		{"$s8mangling12GenericUnionO3FooyACyxGSicAEmlF", "GenericUnion.Foo<A>(GenericUnion<A>.Type)"},
		{"$S4main4TestC1xACSi_tc6_PRIV_Llfc", "Test.init(x: Int)"},
		{"_T0s24_UnicodeScalarExceptions33_0E4228093681F6920F0AB2E48B4F1C69LLVACycfC", "_UnicodeScalarExceptions.init()"},
		{"$S10Foundation11MeasurementV12SimulatorKitSo9UnitAngleCRszlE11OrientationO2eeoiySbAcDEAGOyAF_G_AKtFZ",
			"static Measurement<A>.Orientation.== infix(Measurement<UnitAngle>.Orientation, Measurement<UnitAngle>.Orientation)"},

		// Words and names in Punycode.
		{"$s11SwiftSyntax012AccessorDeclB0V5labelAA05TokenB0VSgvg", "AccessorDeclSyntax.label.getter"},
		{"$s8mangling0024ihqwcrbEcvIaIdqgAFGpqjyeyyF", "他们为什么不说中文()"},
		{"$s8mangling0030Proprostnemluvesky_uybCEdmaEBayyF", "Pročprostěnemluvíčesky()"},

		// Closures, accessors, local and related declarations.
		{"$Ss17MutableCollectionP1asAARzs012RandomAccessB0RzsAA11SubSequences013BidirectionalB0PRpzsAdHRQlE06rotatecD015shiftingToStart5Indexs01_A9IndexablePQzAN_tFAKs01_M4BasePQzAQcfU_",
			"closure #1 (A._IndexableBase.Index) in MutableCollection<A>.rotateRandomAccess(shiftingToStart: A._MutableIndexable.Index)"},
		{"$S3nix8MystructVyS2icig7MyaliasL_ayx__GD", "Myalias #1 in Mystruct<A>.subscript.getter"},
		{"$s4main1gyySiXCvp", "g"},
		{"$SSC9SomeErrorLeVD", "related decl 'e' for SomeError"},
		{"$s17property_wrappers10WithTuplesV9fractionsSd_S2dtvpfP", "property wrapper backing initializer of WithTuples.fractions"},

		// Thunks, witnesses, specializations, what compilers outline.
		{"_T013call_protocol1CCAA1PA2aDP3fooSiyFTW", "protocol witness for P.foo() in conformance C"},
		{"$s3foo3barC3bas3zimyAaEC_tFTo", "@objc bar.bas(zim: zim)"},
		{"$s4main6testityyYaFTu", "async function pointer to testit()"},
		{"$sSo17OS_dispatch_queueC4sync7executeyyyXE_tFTOTA", "partial apply for @nonobjc OS_dispatch_queue.sync(execute: ())"},
		{"_T0S2SSbIxxxd_S2SSbIxiid_TRTA",
			"partial apply for thunk for @callee_owned (@owned String, @owned String) -> (@unowned Bool)"},
		{"$s4Test6testityyxlFAA8MystructV_TB5", "specialized testit<A>(A)"},
		{"$S4main5inneryys5Int32Vz_yADctF25closure_with_box_argumentxz_Bi32__lXXTf1nc_n", "specialized inner(inout Int32, (Int32))"},
		{"$S3foo6testityyyyc_yyctF1a1bTf3pfpf_n", "specialized testit((), ())"},
		{"_T0SqWOy.17", "outlined copy of Optional"},
		{"$sSo5GizmoC11doSomethingyypSgSaySSGSgFToTembgnn_", "outlined bridged method (mbgnn) of @objc Gizmo.doSomething([String]?)"},
		{"$s18keypaths_inlinable13KeypathStructV8computedSSvpACTKq", "key path getter for KeypathStruct.computed : KeypathStruct, serialized"},
		{"$s13test_mangling3fooyS2f_S2ftFTJfUSSpSr", "forward-mode derivative of foo(Float, Float, Float)"},
		{"$SSiSHsWP", "protocol witness table for Int"},

		// Where the other program loses a name: it has <A1>(x: ...), without init.
		{"$S3nix8MystructV1x1uACyxGx_qd__tclufc7MyaliasL_ayx_qd___GD", "Myalias #1 in Mystruct<A>.init<A1>(x: A, u: A1)"},

		// No names, or damaged ones.
		{"main", ""}, {"", ""}, {"$", ""}, {"$s", ""}, {"$sK", ""}, {"_T0A8", ""}, {"_T0D", ""}, {"$syQo", ""},
		{"$s4main3FooV3bar1xySi_t", ""}, {"$s4main3FooV3bar1xySi_tFy", ""}, {"$s4main99Foo", ""}, {"$sSD5IndexVy__GD", ""},
		{"$s0059xxxxxxxxxxxxxxx_ttttttttBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBee", ""},
	} {
		got, err := Name(tt.name)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s\n got %q, %v\nwant %q", tt.name, got, err, tt.want)
		}
	}
}

// explosions are short names that could mean much, nest deep or take long.
func explosions() []string {
	doubled := "$s1a1bV" + strings.Repeat("AC_ACtD", 20)
	return []string{
		"$s1aySi_SitSg" + strings.Repeat("AA_AAtSg", 100) + "D",
		"$s1a1b" + strings.Repeat("A2048A", 1000),
		"$s1a1bV" + strings.Repeat("Sg", 4000) + "D",
		"$s20abcdefghijklmnopqrst" + strings.Repeat("0"+strings.Repeat("a", 500)+"A0", 25),
		"$s" + strings.Repeat("m", 5000),
		"$s00" + "1000_" + strings.Repeat("b", 1000) + "F",
		"$s1a" + strings.Repeat("y", 10000),
		"$sr" + strings.Repeat("z", 10000),
		"$sr1073741823_l",
		doubled,
	}
}

func TestBounds(t *testing.T) {
	for _, name := range explosions() {
		start := time.Now()
		text, _ := Name(name)
		if took := time.Since(start); took > 10*time.Second || len(text) > maxText {
			t.Errorf("%.60s...: %d bytes in %v", name, len(text), took)
		}
	}
	if _, err := Name("$s" + strings.Repeat("1a", maxInput)); err == nil || err.Error() != "swift: the name is 32770 bytes long, the limit is 16384" {
		t.Error(err)
	}
}

func FuzzName(f *testing.F) {
	for _, name := range explosions() {
		f.Add(name)
	}
	f.Add("$S4main5inneryys5Int32Vz_yADctF25closure_with_box_argumentxz_Bi32__lXXTf1nc_n")
	f.Add("$s3Bar3FooVAA5DrinkVyxGs5Error_pSeRzSERzlyShy4AbcdAHO6MemberVGALSeHPAKSeAAyHC_HCg_ALSEHPAKSEAAyHC_HCg0_Iseggozo_SgWOe")
	f.Add("$s13TangentVector16_Differentiation14DifferentiablePQzAaDQy_SdAFIegnnnr_TJSdSSSpSrSUSP")
	f.Add("_T03nix6testitSaySiGyFTv0_")
	f.Fuzz(func(t *testing.T, name string) {
		text, err := Name("$s" + name)
		if len(text) > maxText || err != nil && text != "" {
			t.Errorf("%q: %d bytes, %v", name, len(text), err)
		}
		if utf8.ValidString(name) && !utf8.ValidString(text) && !strings.Contains(name, "0") {
			t.Logf("%q is not UTF-8", text)
		}
	})
}
