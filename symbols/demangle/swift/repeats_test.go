package swift

import "testing"

// References to what was read, by letter, by number and repeated.
func TestSubstitutionForms(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1SV1fyA2C_ACtF", "S.f(S, S)"},
		{"$s4main1SV1fyA2C_A2CtF", "S.f(S, S, S)"},
		{"$s4main1SV1TV1fyAcE_tF", "S.T.f(S.T)"},
		{"$s4main1fyyS0iF", "f(Int)"},
		{"$s4main1fyyS1iF", "f(Int)"},
	})
	checkRefused(t, []string{
		"$s4main1SV1fyAC_ACtF",
		"$s4main1SV1fyA3C_ACtF",
		"$s4main1SV1TV1fyAc2E_tF",
		"$s4main1SV1TV1fyAC_AEtF",
		"$s4main1SV1TV1fyACAE_tcF",
		"$s4main1SV1fyAD_tF",
		"$s4main1SV1fyAZ_tF",
		"$s4main1SV1fyA_F",
		"$s4main1SV1fyA0_F",
		"$s4main1SV1fyA27_F",
		"$s4main1SV1fyA0CF",
		"$s4main1SV1fyA1CF",
		"$s4main1SV1fyA2048CF",
		"$s4main1SV1fyA2049CF",
		"$s4main1SV1fyA2047C_tF",
		"$s4main1SV1fyAF",
		"$s4main1SV1fyA-CF",
		"$s1a1bV1cV1dV1eV1fV1gV1hV1iV1jV1kV1lV1mV1nV1oV1pyA_F",
		"$s1a1bV1cV1dV1eV1fV1gV1hV1iV1jV1kV1lV1mV1nV1oV1pyAZF",
		"$s1a1bV1cV1dV1eV1fV1gV1hV1iV1jV1kV1lV1mV1nV1oV1pyAYF",
		"$s1a1bV1cV1dV1eV1fV1gV1hV1iV1jV1kV1lV1mV1nV1oV1pyA0_F",
		"$s1a1bV1cV1dV1eV1fV1gV1hV1iV1jV1kV1lV1mV1nV1oV1pyA1_F",
		"$s1a1bV1cV1dV1eV1fV1gV1hV1iV1jV1kV1lV1mV1nV1oV1pyA2_F",
		"$s4main1fyyS2i_SitF",
		"$s4main1fyyS3i_tF",
		"$s4main1fyyS2049iF",
	})
}

// Words of earlier names, and names in Punycode.
func TestWordForms(t *testing.T) {
	checkNames(t, []demangled{
		{"$s10HelloWorld5ThingV", "Thing"},
		{"$s10HelloWorld0A5ThingV", "HelloThing"},
		{"$s10HelloWorld0aB0V", "HelloWorld"},
		{"$s10HelloWorld0aB5ThingV", "HelloWorldThing"},
		{"$s10helloWorld0aB1xV", "helloWorldx"},
		{"$s10HTTPServer0A1xV", "HTTPServerx"},
		{"$s10Http2Serve0A1xV", "Http2x"},
		{"$s10Http2Serve0B1xV", "Servex"},
		{"$s9some_name0A1xV", "somex"},
		{"$s9some_name0B1xV", "namex"},
		{"$s9_someName0A1xV", "somex"},
		{"$s9_someName0B1xV", "Namex"},
		{"$s5aBcDe0A1xV", "Bcx"},
		{"$s5a1B2c0A1xV", "a1x"},
		{"$s5abABc0A1xV", "abx"},
		{"$s5abABc0B1xV", "ABcx"},
		{"$s10HelloWorld02XyC0V", "XyXy"},
		{"$s4main0010Caf_dmaBgaV", "Cûûafé"},
		{"$s4main003egaV", "Ŗ"},
		{"$s4main005aBCDeV", "ດ"},
		{"$s4main006a_BCDeV", "ꞎa"},
		{"$s4main0012d_ooo_iuaAbaV", "ödûû_ooo"},
		{"$s4main1poiyyF", "+ infix()"},
		{"$s4main1poPyyF", "+ postfix()"},
		{"$s4main1popyyF", "+ prefix()"},
		{"$s4main8noprqtxzoiyyF", "!|+%?~^. infix()"},
	})
	checkRefused(t, []string{
		"$s10HelloWorld0a5ThingV",
		"$s10HelloWorld0C5ThingV",
		"$s10HTTPServer0B1xV",
		"$s5abABc0C1xV",
		"$s10HelloWorld02XY0aB0V",
		"$s10HelloWorld02XY0a1ZB0V",
		"$s4main08a_bcdBayV",
		"$s4main009Caf_dmaV",
		"$s4main008_plBvrfaV",
		"$s4main0V",
		"$s4main00V",
		"$s4main004_abcV",
		"$s4main006z_JJJJV",
		"$s4main005zKbaaV",
		"$s4main1poxyyF",
		"$s4main8acdegilmoiyyF",
		"$s4main1boiyyF",
		"$s4main1Aoiyy",
		"$s4main0011_ooo_iuaAbaoiyyF",
	})
}

// Names that a file or a function has for itself.
func TestPrivateNames(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1f33_0123456789ABCDEF0123456789ABCDEFLLyyF", "f()"},
		{"$s4main1S33_0123456789ABCDEF0123456789ABCDEFLLV", "S"},
		{"$s4main1S33_0123456789ABCDEF0123456789ABCDEFLLV1fyyF", "S.f()"},
		{"$s4main1SVACyc4_PRVLlfC", "S.init()"},
		{"$s4main1CCACyc4_PRVLlfC", "C.__allocating_init()"},
		{"$s4main1SV1xACSi_tc4_PRVLlfC", "S.init(x: Int)"},
		{"$s4main1SV1xACSi_tc4_PRVLlfCTo", "@objc S.init(x: Int)"},
		{"$s4main1SVyS2ic4_PRVLlig", "S.subscript.getter"},
		{"$s4main1SVyS2ic4_PRVLlip", "S.subscript(Int)"},
		{"$s4main1SVyS2ic4_PRVLlipZ", "static S.subscript(Int)"},
		{"$s4main1x4_PRVLLSivp", "x"},
		{"$s4main1x4_PRVLLSivg", "x.getter"},
		{"$s4main1fyyF1xL_Sivp", "x #1 in f()"},
		{"$s4main1fyyF1xL_Sivg", "getter of x #1 in f()"},
		{"$s4main1fyyF1SL_V", "S #1 in f()"},
		{"$s4main1fyyF1SL_V1gyyF", "g() in S #1 in f()"},
		{"$s4main1fyyF1SL_V1xSivg", "x.getter in S #1 in f()"},
		{"$s4main1fyyF1SL0_VMa", "type metadata accessor for S #2 in f()"},
		{"$s4main1fyyF1SL_VSgD", "S #1 in f()?"},
		{"$s4main1SLAV", "related decl 'A' for S"},
		{"$s4main1SLJV", "related decl 'J' for S"},
		{"$s4main1SLaV", "related decl 'a' for S"},
		{"$s4main1SLjV", "related decl 'j' for S"},
		{"$s4main1SLaLbV", "related decl 'b' for related decl 'a' for S"},
	})
	checkRefused(t, []string{
		"$s4main1S33_0123456789ABCDEF0123456789ABCDEFLLVACycfC",
		"$s4main1SVAC1x_tc4_PRVLlfC",
		"$s4main1xLlSivp",
		"$s4main1SV1xLL_",
		"$s4main1fyyF1SL_VACycfC",
		"$s4main1SLkV",
		"$s4main1SLKV",
	})
}
