package natvis

import (
	"strings"
	"testing"

	"crashglass/core/values/expr"
)

// typeFile makes a NatVis file of the elements in a Type "T".
func typeFile(attributes, inside string) []byte {
	return []byte(`<AutoVisualizer><Type Name="T" ` + attributes + `>` + inside + `</Type></AutoVisualizer>`)
}

// add reads such a file, which must be one.
func add(t *testing.T, attributes, inside string) *Set {
	t.Helper()
	var s Set
	if err := s.Add("a", typeFile(attributes, inside)); err != nil {
		t.Fatalf("%s: %v", inside, err)
	}
	return &s
}

// Each bound is the last value that is accepted.
func TestLastAccepted(t *testing.T) {
	nested := func(open, end string, n int) string { return strings.Repeat(open, n) + "a" + strings.Repeat(end, n) }
	for _, test := range []struct {
		name, text string
		want       string // of the error; "" for none
	}{
		{"parentheses", nested("(", ")", 23), ""},
		{"one more", nested("(", ")", 24), "is nested more than 24 deep"},
		{"subscripts", nested("a[", "]", 23), ""},
		{"one more", nested("a[", "]", 24), "is nested more than 24 deep"},
		{"negations", nested("!", "", 23), ""},
		{"one more", nested("!", "", 24), "is nested more than 24 deep"},
		{"bytes", strings.Repeat("a", 1024), ""},
		{"one more", strings.Repeat("a", 1025), "an expression has 1025 bytes, of at most 1024"},
	} {
		_, err := expr.Parse(test.text, nil)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
	var s Set
	padded := append(typeFile("", ""), strings.Repeat(" ", MaxFile)...)[:MaxFile]
	if err := s.Add("full", padded); err != nil {
		t.Error(err)
	}
}

// Braces of a text: an expression, and two for one.
func TestParts(t *testing.T) {
	for text, want := range map[string]string{
		"{a}":       "<a>",
		"x{a}y{b}z": "x<a>y<b>z",
		"{{{a}}}":   "{<a>}",
		"{{a}}":     "{a}",
		"a } b":     "a } b", // no expression ends there
		"":          "",
		"{a,x}":     "<a,x>",
		"{ a }":     "<a>",
		"}}":        "}",
	} {
		list, err := new(Set).parts(text)
		got := ""
		for _, p := range list {
			if got += p.Literal; p.Value != nil {
				got += "<" + shown(p.Value) + ">"
			}
		}
		if err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"{a":   "a brace is not closed",
		"{":    "a brace is not closed",
		"{}":   `expression "" at 0: an operand is missing`,
		"{a+}": `expression "a+" at 2: an operand is missing`,
	} {
		if _, err := new(Set).parts(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Attributes of a type. xs:boolean has two spellings.
func TestAttributes(t *testing.T) {
	for attributes, want := range map[string]View{
		"":                       {},
		`Inheritable="false"`:    {Own: true},
		`Inheritable="0"`:        {Own: true},
		`Inheritable="true"`:     {},
		`Inheritable="1"`:        {},
		`Priority="Low"`:         {Priority: -2},
		`Priority="MediumLow"`:   {Priority: -1},
		`Priority="Medium"`:      {},
		`Priority="MediumHigh"`:  {Priority: 1},
		`Priority="High"`:        {Priority: 2},
		`Priority="Higher"`:      {}, // no word of the schema
		`Unknown="a" Other='&b'`: {},
	} {
		if v := viewOf(add(t, attributes, ""), "T"); v.Own != want.Own || v.Priority != want.Priority {
			t.Errorf("%s: %+v", attributes, v)
		}
	}
	first := []byte(`<AutoVisualizer><Type Name="T"><DisplayString>1</DisplayString></Type><Type Name="T"><DisplayString>2</DisplayString></Type></AutoVisualizer>`)
	var s Set
	if err := s.Add("a", first); err != nil || viewOf(&s, "T").Texts[0].Parts[0].Literal != "1" {
		t.Errorf("of views with one priority the first counts: %v", err)
	}
	if viewOf((*Set)(nil), "T") != nil || viewOf(new(Set), "") != nil {
		t.Error("a set without files has a view")
	}
}

// Blanks and digits at the borders of what the parser takes.
func TestParseBorders(t *testing.T) {
	for text, want := range map[string]string{
		" a ":           "a",
		"a . b":         "(b a)",
		"a -> b":        "(->b a)",
		"a [ 1 ]":       "([] a 1)",
		"\ta\n+\r1":     "(+ a 1)",
		"_9aZ":          "_9aZ",
		"9":             "9",
		"0x7fULL":       "127",
		"010":           "8",
		"true && false": "(and 1 0)",
		"a->b-c":        "(- (->b a) c)",
		"a , x":         "a,x",
		"a<=b":          "(<= a b)",
		"a<b==c>=d":     "(== (< a b) (>= c d))",
	} {
		e, err := expr.Parse(text, nil)
		if got := shown(e); err != nil || got != want {
			t.Errorf("%q: %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"a.", "a->", "a.1x(", "a (b", "9x", "0xg", "18446744073709551616", ",x", "a[1", "(a", "()", "a==", "&", "a.`b"} {
		if e, err := expr.Parse(text, nil); err == nil {
			t.Errorf("%q is %s", text, shown(e))
		}
	}
}
