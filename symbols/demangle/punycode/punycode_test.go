package punycode

import (
	"strings"
	"testing"
)

// TestDecode has the samples of RFC 3492, section 7.1, with the underscore of Rust's
// names in place of the hyphen.
func TestDecode(t *testing.T) {
	const digits = "abcdefghijklmnopqrstuvwxyz0123456789"
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
		if got, ok := Decode(encoded, digits); string(got) != want || !ok {
			t.Errorf("%s: %s, %v, want %s", encoded, string(got), ok, want)
		}
	}
	for _, name := range []string{
		"a_b", "a_9", "a_!", "a_B", "99999999999", "99999a", // ends early, no digit, beyond the last character
		strings.Repeat("x", 1<<10) + "_",
	} {
		if got, ok := Decode(name, digits); ok {
			t.Errorf("%.20s: %.20s", name, string(got))
		}
	}
	if _, ok := Decode(strings.Repeat("x", 1<<10-1)+"_", digits); !ok {
		t.Error("a name of 1,024 bytes is refused")
	}
}
