package swift

import (
	"strings"
	"testing"
)

// longName is a type with a name of n letters.
func longName(digits string, n int) string { return "$s1a" + digits + strings.Repeat("x", n) + "V" }

// longText is a function with five parameters of a type with a name of 13,105 letters,
// four of them by one reference.
func longText(function string) string {
	return "$s1a" + function + "yyAA13105" + strings.Repeat("x", 13105) + "V_A4DtF"
}

// The limits of one name hold to the byte, and errors say which one.
func TestLimits(t *testing.T) {
	for _, tt := range []struct{ name, linkage, want string }{
		{"the longest name", longName("16374", 16374), ""},
		{"one byte more", longName("16375", 16375), "swift: the name is 16385 bytes long, the limit is 16384"},
		{"the longest text", longText("1f"), ""},
		{"one byte more", longText("2ff"), "swift: the name nests too deep, or means more than 65536 bytes"},
		{"a full stack", "$s" + strings.Repeat("S2048i", 8), "swift: name at 50: it cannot be read from there on"},
		{"a stack that is too small", "$s" + strings.Repeat("S2048i", 8) + "SiSiSi", "swift: name at 54: it cannot be read from there on"},
		{"no name", "main", "swift: not a mangled name"},
		{"an unknown operator", "$s4main1fyyFk", "swift: name at 12: it cannot be read from there on"},
		{"an operator without its operand", "$s4main1fyyFN", "swift: name at 13: it cannot be read from there on"},
		{"a longer prefix", "__$s4main1fyyFk", "swift: name at 14: it cannot be read from there on"},
	} {
		_, err := Name(tt.linkage)
		if (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want {
			t.Errorf("%s: %v\nwant %s", tt.name, err, tt.want)
		}
	}
}

// Prefixes: getManglingPrefixLength in Swift's lib/Demangling/Demangler.cpp, and one more
// underscore of Mach-O.
func TestPrefixes(t *testing.T) {
	for prefix, is := range map[string]bool{
		"$s": true, "$S": true, "$e": true, "_$s": true, "_$S": true, "_$e": true, "__$s": true, "__$S": true, "_T0": true, "__T0": true, "@__swiftmacro_": true,
		"": false, "$": false, "$t": false, "s": false, "_s": false, "T0": false, "_T": false, "@": false, "@__swift": false, "_S": false, "$$s": false,
	} {
		name := prefix + "4main1fyyF"
		text, err := Name(name)
		if got := IsMangled(name); got != is || (err == nil) != is || is && text != "f()" {
			t.Errorf("%s: %v, %q, %v", name, got, text, err)
		}
	}
}

// Errors of the parts that names are made of.
func TestParts(t *testing.T) {
	for _, tt := range []struct {
		text, want string
		ok         bool
	}{
		{text: "proprostnemluvesky_uybCEdmaEBa", want: "pročprostěnemluvíčesky", ok: true}, // as in manglings.txt, without its capital
		{text: "", want: "", ok: true}, {text: "a_", want: "a", ok: true}, {text: "_", want: "", ok: true}, {text: "9", want: ""}, {text: "a_9", want: ""}, {text: "a_z", want: ""},
		{text: strings.Repeat("x", 1<<10-1) + "_", want: strings.Repeat("x", 1<<10-1), ok: true}, {text: strings.Repeat("x", 1<<10) + "_", want: ""},
	} {
		if got, ok := fromPunycode(tt.text); got != tt.want || ok != tt.ok {
			t.Errorf("%.40s: %.40s, %v, want %.40s, %v", tt.text, got, ok, tt.want, tt.ok)
		}
	}
	for text, want := range map[string]int{"0": 0, "7x": 7, "1073741824": 1 << 30, "1073741825": bad, "99999999999999999999": bad, "": bad, "x": bad} {
		if got := (&parser{text: text}).natural(); got != want {
			t.Errorf("%s is %d, want %d", text, got, want)
		}
	}
	for text, want := range map[string]int{"_": 0, "0_": 1, "41_": 42, "41": bad, "x": bad, "": bad} {
		if got := (&parser{text: text}).number(); got != want {
			t.Errorf("%s is index %d, want %d", text, got, want)
		}
	}
}

// Source: genericParameterName in Swift's NodePrinter.cpp. Of several letters the lowest
// comes first, so that 26 is AB.
func TestParamNames(t *testing.T) {
	for _, tt := range []struct {
		depth, index int
		want         string
	}{{0, 0, "A"}, {0, 25, "Z"}, {0, 26, "AB"}, {0, 27, "BB"}, {1, 0, "A1"}, {12, 51, "ZB12"}} {
		if got := paramName(tt.depth, tt.index); got != tt.want {
			t.Errorf("%d, %d: %s, want %s", tt.depth, tt.index, got, tt.want)
		}
	}
}
