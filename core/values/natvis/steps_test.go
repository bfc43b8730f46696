package natvis

import (
	"fmt"
	"strings"
	"testing"
)

// outline writes steps on one line.
func outline(list []Step) (out string) {
	names := [...]string{"exec", "loop", "if", "elseif", "else", "break", "var", "item", "set"}
	for _, s := range list {
		out += " " + names[s.Kind]
		if s.Condition != nil {
			out += "?" + shown(s.Condition)
		}
		if s.Value != nil {
			out += " " + s.Variable + strings.TrimSpace(pictureOf(s.Name)) + "=" + shown(s.Value)
		}
		if s.Steps != nil {
			out += " {" + outline(s.Steps) + " }"
		}
	}
	return out
}

func TestSteps(t *testing.T) {
	for _, test := range []struct{ body, want, note string }{
		{`<Variable Name="p" InitialValue="head"/><Size>n</Size><Loop Condition="p != 0"><Item>p-&gt;v</Item><Exec>p = p-&gt;next</Exec></Loop>`,
			" var p=head loop?(!= p 0) { item =(->v p) exec { set p=(->next p) } }", ""},
		{`<If Condition="a"><Break/></If><Elseif Condition="b"><Exec Condition="c">i++</Exec></Elseif><Else><Item Name="[{k}]" Condition="d">v</Item></Else>`,
			` if?a { break } elseif?b { exec?c { set i=(+ i 1) } } else { item?d "[" k "]"=v }`, ""},
		{`<Exec>++i, j -= f[1, 2]</Exec>`, "", `expression "j-( f[1, 2])" at 7: ] is missing`},
		{`<Exec>++i, --j, k-- , l += a == b, m *= 2, n = o &gt;= p</Exec>`,
			" exec { set i=(+ i 1) set j=(- j 1) set k=(- k 1) set l=(+ l (== a b)) set m=( m 2) set n=(>= o p) }", ""},
		{`<Exec>a == b</Exec>`, "", `expression "a == b" is no assignment`},
		{`<Exec>f</Exec>`, "", `expression "f" is no assignment`},
		{`<Exec>a = b()</Exec>`, "", `expression " b()": b is no intrinsic`},
		{`<Skip/>`, "", "its Skip is not read"},
		{strings.Repeat("<If>", 9) + strings.Repeat("</If>", 9), "", "it has too many steps"},
		{strings.Repeat("<Break/>", 257), "", "it has too many steps"},
	} {
		view, notes := viewsOf(t, "<Expand><CustomListItems>"+test.body+"</CustomListItems></Expand>")
		got, note := "", strings.TrimPrefix(strings.Join(notes, ""), "natvis: CustomListItems of T is left out: ")
		if len(view.Items) == 1 {
			got = outline(view.Items[0].Steps)
		}
		if got != test.want || note != test.note {
			t.Errorf("%s\n%s, want\n%s\n%s, want %s", test.body, got, test.want, note, test.note)
		}
	}
}

// Calls: intrinsics, conversions, and strcmp where it compares.
func TestCalls(t *testing.T) {
	for text, want := range map[string]string{
		"size_t(1) + 2":         "(+ (size_t this 1) 2)",
		`strcmp(a, "x") == 0`:   "(== a )",
		`strcmp(a, "x") != 0`:   "(!= a )",
		`strcmp(a, "x") &lt; 0`: `expression "strcmp(a, \"x\") < 0": strcmp is no intrinsic`,
		"strlen(a)":             `expression "strlen(a)": strlen is no intrinsic`,
		"a.b(1)":                `expression "a.b(1)": b is no intrinsic`,
		"f(1, 2)":               `expression "f(1, 2)": f is no intrinsic`,
	} {
		view, notes := viewsOf(t, "<Expand><Item>"+text+"</Item></Expand>")
		got := strings.TrimPrefix(strings.Join(notes, ""), "natvis: Item of T is left out: ")
		if len(view.Items) == 1 {
			got = shown(view.Items[0].Value)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// A set without ReadsMore leaves out what the page has no room for.
func TestReadsLess(t *testing.T) {
	for body, want := range map[string]string{
		"<CustomListItems><Break/></CustomListItems>":                                         "CustomListItems of T is left out: this kind is not read",
		`<ArrayItems><Size Condition="a">1</Size><ValuePointer>p</ValuePointer></ArrayItems>`: "ArrayItems of T is left out: a size with a condition is not read",
	} {
		s := add(t, "", "<Expand>"+body+"</Expand>")
		if got := strings.Join(s.Notes(), ""); got != "natvis: "+want {
			t.Error(got)
		}
	}
}

// A view may be for some versions of a module.
func TestVersions(t *testing.T) {
	var s Set
	s.ReadsMore()
	const file = `<AutoVisualizer><Type Name="T"><Version Name="a.dll" Min="1.9" Max="2.0.1"/><Version Name="b.dll" Max="3"/><Version Name="c.dll"/></Type></AutoVisualizer>`
	if err := s.Add("x", []byte(file)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		module, number string
		want           bool
	}{
		{module: "a.dll", number: "1.9", want: true},
		{module: "A.DLL", number: "1.10.0", want: true}, // numbers, not text
		{module: "a.dll", number: "2.0.1.0", want: true},
		{module: "a.dll", number: "1.8.9"},
		{module: "a.dll", number: "2.0.1.1"},
		{module: "a.dll"}, // unknown
		{module: "b.dll", number: "0.1", want: true},
		{module: "b.dll", number: "3.1"},
		{module: "b.dll"},
		{module: "c.dll", number: "", want: true},
		{module: "d.dll", number: "2"},
	} {
		if v, _ := s.Of("T", test.module, test.number); (v != nil) != test.want {
			t.Error(fmt.Sprint(test))
		}
	}
}
