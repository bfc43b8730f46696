package swift

import (
	"testing"
	"unicode/utf8"
)

// A demangled is a name and how it is read. The names of these tests are made by
// the grammar of Swift's docs/ABI/Mangling.rst, and the texts are what dump_syms
// 2.3.9 writes of a program with them, whose demangler is Swift's own.
type demangled struct{ name, want string }

func checkNames(t *testing.T, list []demangled) {
	t.Helper()
	for _, tt := range list {
		got, err := Name(tt.name)
		if got != tt.want || err != nil {
			t.Errorf("%s\n got %q, %v\nwant %q", tt.name, got, err, tt.want)
		}
		cutEverywhere(t, tt.name)
	}
}

// cutEverywhere reads the beginnings of a name: each is a name of its own, or none.
func cutEverywhere(t *testing.T, name string) {
	t.Helper()
	for n := range len(name) {
		text, err := Name(name[:n])
		if (err == nil) != (text != "") || !utf8.ValidString(text) {
			t.Errorf("%s: %q, %v", name[:n], text, err)
		}
	}
}

// checkRefused has names that break the grammar. dump_syms leaves them as they are, too.
func checkRefused(t *testing.T, names []string) {
	t.Helper()
	for _, name := range names {
		if text, err := Name(name); text != "" || err == nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// Names that break the grammar, one rule each.
func TestNoNames(t *testing.T) {
	checkRefused(t, []string{
		"$s4main1SVSgMC", // not of a class, but of an optional
		"$s4main1SVAA1PAAWl",
		"$s4main1SVAA1PAA1AAA1QWT",
		"$s4main1SVAA1PAAAA1QWb",
		"$s4main1fyyFTv1r",
		"$s4main1CC1fyyFToTeb",
		"$s4main1fyyBv4_Bi32_F",
		"$s4main1fyyBv2_Bf64_F",
		"$s4main1fyyBv4_BpF",
		"$s4main1fyyBi_F",
		"$s4main1fyyBi0_F",
		"$s4main1fyyBi99999_F",
		"$s4main1fyyBv0_BpF",
		"$s4main1fyyBZF",
		"$s4main1fyySoF",
		"$s4main1fyyScBF",
		"$s4main1fyyScDF",
		"$s4main1fyyScHF",
		"$s4main1fyyScjF",
		"$s4main1fyySckF",
		"$s4main1fyySclF",
		"$s4main1fyyScmF",
		"$s4main1fyyScnF",
		"$s4main1fyyScOF",
		"$s4main1fyyScoF",
		"$s4main1fyyScuF",
		"$s4main1fyyScwF",
		"$s4main1fyyScxF",
		"$s4main1fyyScyF",
		"$s4main1fyySczF",
		"$s4main1fyyySitF",
		"$s4main1fyyyyYbYaKcF",
		"$s4main1fyySiSSztcF",
		"$s4main1fyyAA1AayXZF",
		"$s4main1fyySidF",
		"$s4main1fyyAA1GVySi_SSGF",
		"$s4main1fyySiYjfcF",
		"$s4main1fyyyys5ErrorYKcF",
		"$s4main1fyyyySiYTcF",
		"$s4main1fyyx1AQzF",
		"$s4main1fyy1A_QzAA1PRzlF",
		"$s4main1fyy1A1BQY_lF",
		"$s4main1fyyxQp_tRvzlF",
		"$s4main1fyyxxQp_QPtRvzlF",
		"$s4main1f_1xyS2i_SitF",
		"$s4main1fyyxRlzC_lF",
		"$s4main1fyyx1A_SiRtzlF",
		"$s4main1GV1fyyqd__xtlF",
		"$s4main1f33_ABCDLLyyF",
		"$s4mainSiE1fyyF",
		"$s4main1fyS2icF",
		"$s4main1fyySicSicF",
		"$s4main1aoi1byyF",
		"$s10HelloWorld0aB4ThingV",
		"$s10HelloWorld0B4ThingV",
		"$s10hello_world0aB0V",
		"$s4main1SV1TV1fyACF",
		"$s4main3fooyS3iF",
		"$s4main3fooyS4i_S2itF",
		"$s4main009Caf_epa3dV",
		"$s4main06zh_ihqV",
		"$s4main1mfm",
		"$s4main3fooF1mfMb_",
		"_TtC4main1C",
		"_TF4main1fFT_T_",
		"_TMC4main1C",
		"_TFC4main1Cg1xSi",
		"$s4main1SV1fyyFTC",
		"$s4main1PAA1QTb",
		"$s4main1fyyFTf4c_n",
		"$s4main1fyyxlFSi_Tp5",
		"$s4main1fyyxlFSi_TP5",
		"$s4main1fyyxlFSi_Tgt5",
		"$sSiIegyX_SiIegn_TR",
		"$s4main1GV1xxvpACyxGlTK",
		"$s4main1fyS2fFWJpSpSr",
		"$s4main1fyS2fFWJrSrSp",
		"$s4main1fyS2fFWJrpr",
		"$s4main1fyS2fFWJr",
	})
}
