package demangle

import (
	"strings"
	"testing"
)

// TestStrings has string literals by the width of their characters, whole and truncated.
// The texts are those of llvm-undname 14.
func TestStrings(t *testing.T) {
	for _, tt := range []struct{ linkage, want string }{
		{"??_C@_01A@a?$AA@", `"a"`},
		{"??_C@_00A@?$AA@", `""`},
		{"??_C@_03A@abc?$AA@", `"abc"`},
		{"??_C@_02A@ab?$AA@", `"ab"`},
		{"??_C@_03A@a?$AAb?$AA@", `"a\0b"`},
		{"??_C@_05A@a?$AAb?$AA?$AA?$AA@", `u"ab"`},
		{"??_C@_03A@a?$AA?$AA?$AA@", `u"a"`},
		{"??_C@_07A@a?$AA?$AA?$AA?$AA?$AA?$AA?$AA@", `U"a"`},
		{"??_C@_09A@a?$AAb?$AAc?$AAd?$AA?$AA?$AA@", `u"abcd"`},
		{"??_C@_0CA@A@0123456789012345678901234567890?$AA@", `"0123456789012345678901234567890"`},
		{"??_C@_0CB@A@01234567890123456789012345678901@", `"01234567890123456789012345678901"...`},
		{"??_C@_0CC@A@01234567890123456789012345678901@", `"01234567890123456789012345678901"...`},
		{"??_C@_0EA@A@0?$AA1?$AA2?$AA3?$AA4?$AA5?$AA6?$AA7?$AA8?$AA9?$AAa?$AAb?$AAc?$AAd?$AAe?$AAf?$AA@", `u"0123456789abcdef"...`},
		{"??_C@_0EA@A@0?$AA?$AA?$AA1?$AA?$AA?$AA2?$AA?$AA?$AA3?$AA?$AA?$AA4?$AA?$AA?$AA5?$AA?$AA?$AA6?$AA?$AA?$AA7?$AA?$AA?$AA@", `U"01234567"...`},
		{"??_C@_0CC@A@0?$AA1?$AA2?$AA3?$AA4?$AA5?$AA6?$AA7?$AA8?$AA9?$AAa?$AAb?$AAc?$AAd?$AAe?$AAf?$AA@", `u"0123456789abcdef"...`},
		{"??_C@_13A@?$AAa?$AA?$AA@", `L"a"`},
		{"??_C@_15A@?$AAa?$AAb?$AA?$AA@", `L"ab"`},
		{"??_C@_11A@?$AA?$AA@", `L""`},
		{"??_C@_1EA@A@?$AA0?$AA1?$AA2?$AA3?$AA4?$AA5?$AA6?$AA7?$AA8?$AA9?$AAa?$AAb?$AAc?$AAd?$AAe?$AAf?$AA0?$AA1?$AA2?$AA3?$AA4?$AA5?$AA6?$AA7?$AA8?$AA9?$AAa?$AAb?$AAc?$AAd?$AAe?$AA?$AA@", `L"0123456789abcdef0123456789abcde"`},
		{"??_C@_1EC@A@?$AA0?$AA1?$AA2?$AA3?$AA4?$AA5?$AA6?$AA7?$AA8?$AA9?$AAa?$AAb?$AAc?$AAd?$AAe?$AAf?$AA0?$AA1?$AA2?$AA3?$AA4?$AA5?$AA6?$AA7?$AA8?$AA9?$AAa?$AAb?$AAc?$AAd?$AAe?$AAf@", `L"0123456789abcdef0123456789abcdef"...`},
		{"??_C@_13A@BC?$AA?$AA@", `L"\x4243"`},
		{"??_C@_13A@?8?$KM?$AA?$AA@", `L"\x27AC"`},
		{"??_C@_0BA@A@?0?1?2?3?4?5?6?7?8?9?$CC?$HP?$AB?$BP?$AA@", `",/\\:. \n\t\'-\"\x7F\x01\x1F\0"...`},
		{"??_C@_07A@?a?z?A?Z?$IA?$PP?$AA@", `"\xE1\xFA\xC1\xDA\x80\xFF\0"...`},
		{"??_C@_03A@?$AHA?$AI?$AA@", `"\aA\b"`},
		{"??_C@_04A@?$AM?$AL?$ANZ?$AA@", `"\f\v\rZ"`},
	} {
		if got, err := Full(tt.linkage); got != tt.want || err != nil {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", tt.linkage, got, err, tt.want)
		}
	}
}

// TestPunycode has the samples of RFC 3492, section 7.1, with the underscore of Rust's
// names in place of the hyphen.
func TestPunycode(t *testing.T) {
	for encoded, want := range map[string]string{
		"egbpdaj6bu4bxfgehfvwxn":         "ليهمابتكلموشعربي؟",
		"ihqwcrb4cv8a8dqg056pqjye":       "他们为什么不说中文",
		"ihqwctvzc91f659drss3x8bo0yb":    "他們爲什麽不說中文",
		"Proprostnemluvesky_uyb24dma41a": "Pročprostěnemluvíčesky",
		"3B_ww4c5e180e575a65lsy2b":       "3年B組金八先生",
		"MajiKoi5_783gue6qz075azm5e":     "MajiでKoiする5秒前",
		"de_jg4avhby1noc0d":              "パフィーdeルンバ",
		"d9juau41awczczp":                "そのスピードで",
		"Bcher_kva":                      "Bücher",
		"abc_":                           "abc",
	} {
		if got, ok := fromPunycode(encoded); got != want || !ok {
			t.Errorf("%s: %s, %v, want %s", encoded, got, ok, want)
		}
	}
	for _, name := range []string{
		"a_b", "a_9", "a_!", "a_B", "99999999999", "99999a", // ends early, no digit, beyond the last character
		strings.Repeat("x", 1<<10) + "_",
	} {
		if got, ok := fromPunycode(name); ok {
			t.Errorf("%.20s: %.20s", name, got)
		}
	}
	if _, ok := fromPunycode(strings.Repeat("x", 1<<10-1) + "_"); !ok {
		t.Error("a name of 1,024 bytes is refused")
	}
}
