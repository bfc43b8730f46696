package natvis

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/values/expr"
)

// viewOf is the view of a type, without its arguments.
func viewOf(s *Set, name string) *View {
	v, _ := s.Of(name, "", "")
	return v
}

// viewsOf reads a file with one type, "T", and returns its view and the notes.
func viewsOf(t *testing.T, body string) (*View, []string) {
	t.Helper()
	var s Set
	s.ReadsMore()
	if err := s.Add("t.natvis", []byte(`<AutoVisualizer><Type Name="T">`+body+`</Type></AutoVisualizer>`)); err != nil {
		t.Fatal(err)
	}
	return viewOf(&s, "T"), s.Notes()
}

// picture writes an entry with all its fields.
func picture(e *Entry) string {
	kinds := [...]string{"Item", "ExpandedItem", "ArrayItems", "IndexListItems", "LinkedListItems", "TreeItems", "Synthetic", "CustomListItems"}
	text := fmt.Sprintf("%s%q value=%s", kinds[e.Kind], e.Name, shown(e.Value))
	for _, part := range []struct {
		name string
		e    *expr.Expr
	}{{"if", e.Condition}, {"size", e.Size}, {"head", e.Head}, {"next", e.Next}, {"left", e.Left}, {"node", e.Node}} {
		if part.e != nil {
			text += " " + part.name + "=" + shown(part.e)
		}
	}
	return text
}

// Each kind of entry has its expressions in its own places.
func TestEntries(t *testing.T) {
	const pointer = "<ValuePointer>p</ValuePointer>"
	for _, tt := range []struct{ body, want, note string }{
		{`<Item Name="a">b.c</Item>`, `Item"a" value=(c b)`, ""},
		{`<Item Name="a" Condition="n &gt; 1">b</Item>`, `Item"a" value=b if=(> n 1)`, ""},
		{`<ExpandedItem>*this,nd</ExpandedItem>`, `ExpandedItem"" value=(* this),nd`, ""},
		{`<ArrayItems><Size>n</Size>` + pointer + `</ArrayItems>`, `ArrayItems"" value=p size=n`, ""},
		{`<IndexListItems><Size>n</Size><ValueNode>p[$i]</ValueNode></IndexListItems>`, `IndexListItems"" value=([] p $i) size=n`, ""},
		{`<LinkedListItems><Size>n</Size><HeadPointer>h</HeadPointer><NextPointer>x</NextPointer><ValueNode>v</ValueNode></LinkedListItems>`,
			`LinkedListItems"" value=v size=n head=h next=x`, ""},
		{`<LinkedListItems><HeadPointer>h</HeadPointer><NextPointer>x</NextPointer><ValueNode>v</ValueNode></LinkedListItems>`,
			`LinkedListItems"" value=v head=h next=x`, ""},

		{`<Item Name="a" IncludeView="detail">b</Item>`, "", ""}, // for a view by name
		{`<Item Name="a">f()</Item>`, "", `Item of T is left out: expression "f()": f is no intrinsic`},
		{`<Item Name="a" Condition="f()">b</Item>`, "", `Item of T is left out: expression "f()": f is no intrinsic`},
		{`<Item Name="a"></Item>`, "", `Item of T is left out: expression "" at 0: an operand is missing`},
		{`<ArrayItems><Size>n</Size></ArrayItems>`, "", `ArrayItems of T is left out: expression "" at 0: an operand is missing`},
		{`<ArrayItems><Size>f()</Size>` + pointer + `</ArrayItems>`, "", `ArrayItems of T is left out: expression "f()": f is no intrinsic`},
		{`<ArrayItems><Size Condition="a">n</Size>` + pointer + `</ArrayItems>`, `ArrayItems"" value=p size=(? a n 0)`, ""},
		{`<ArrayItems><Size Condition="a">n</Size><Size>m</Size><Size>o</Size>` + pointer + `</ArrayItems>`, `ArrayItems"" value=p size=(? a n m)`, ""},
		{`<ArrayItems>` + strings.Repeat(`<Size Condition="a">n</Size>`, 9) + pointer + `</ArrayItems>`, "", "ArrayItems of T is left out: it has too many sizes"},
		{`<IndexListItems><ValueNode>v</ValueNode></IndexListItems>`, "", "IndexListItems of T is left out: it has no size"},
		{`<LinkedListItems><NextPointer>x</NextPointer><ValueNode>v</ValueNode></LinkedListItems>`, "", `LinkedListItems of T is left out: expression "" at 0: an operand is missing`},
		{`<LinkedListItems><HeadPointer>h</HeadPointer><ValueNode>v</ValueNode></LinkedListItems>`, "", `LinkedListItems of T is left out: expression "" at 0: an operand is missing`},
		{`<CustomListItems><Size>n</Size></CustomListItems>`, `CustomListItems"" value=nil size=n`, ""},
		{`<TreeItems><HeadPointer>h</HeadPointer><LeftPointer>l</LeftPointer><RightPointer>r</RightPointer><ValueNode Condition="c">v</ValueNode></TreeItems>`,
			`TreeItems"" value=v head=h next=r left=l node=c`, ""},
		{`<TreeItems><HeadPointer>h</HeadPointer><RightPointer>r</RightPointer><ValueNode>v</ValueNode></TreeItems>`, "", `TreeItems of T is left out: expression "" at 0: an operand is missing`},
	} {
		view, notes := viewsOf(t, "<Expand>"+tt.body+"</Expand>")
		got, note := "", ""
		for i := range view.Items {
			got += picture(&view.Items[i])
		}
		for _, n := range notes {
			note += strings.TrimPrefix(n, "natvis: ")
		}
		if got != tt.want || note != tt.note {
			t.Errorf("%s\n%s, want %s\n%s, want %s", tt.body, got, tt.want, note, tt.note)
		}
	}
}

// A text is divided at its braces; two of them are one that is written.
func TestTexts(t *testing.T) {
	for _, tt := range []struct{ text, want, note string }{
		{"", "", ""},
		{"plain", `"plain"`, ""},
		{" {a}, {b,x} ", `a ", " b,x`, ""}, // blanks around it do not count
		{"{{a}}", `"{a}"`, ""},
		{"{{{a}}}", `"{" a "}"`, ""},
		{"a}b", `"a}b"`, ""}, // one that closes nothing
		{"{a", "-", "a brace is not closed"},
		{"{f()}", "-", `expression "f()": f is no intrinsic`},
		{"{}", "-", `expression "" at 0: an operand is missing`},
	} {
		view, notes := viewsOf(t, "<DisplayString>"+tt.text+"</DisplayString>")
		got := "-"
		if len(view.Texts) == 1 {
			got = strings.TrimSpace(pictureOf(view.Texts[0].Parts))
		}
		var note string
		for _, n := range notes {
			note += strings.TrimPrefix(n, "natvis: a text of T is left out: ")
		}
		if got != tt.want || note != tt.note {
			t.Errorf("%s: %s, want %s; %q, want %q", tt.text, got, tt.want, note, tt.note)
		}
	}
}

func pictureOf(parts []TextPart) (out string) {
	for _, p := range parts {
		if p.Value != nil {
			out += shown(p.Value) + " "
		} else {
			out += fmt.Sprintf("%q ", p.Literal)
		}
	}
	return out
}

// Texts of views by name are left out, and those with a condition keep it.
func TestConditions(t *testing.T) {
	view, notes := viewsOf(t, `<DisplayString IncludeView="x">a</DisplayString><DisplayString Condition=" n ">b</DisplayString><DisplayString Condition=" ">c</DisplayString><DisplayString Condition="f()">d</DisplayString>`)
	var got []string
	for _, text := range view.Texts {
		got = append(got, pictureOf(text.Parts)+shown(text.Condition))
	}
	if want := []string{`"b" n`, `"c" nil`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if want := []string{`natvis: a text of T is left out: expression "f()": f is no intrinsic`}; !slices.Equal(notes, want) {
		t.Errorf("%q", notes)
	}
}

// The view with the highest priority counts, and the first of several.
func TestPriorities(t *testing.T) {
	for _, tt := range []struct{ first, second, want string }{
		{"", "", "first"},
		{"Medium", "", "first"},
		{"", "MediumHigh", "second"},
		{"MediumHigh", "High", "second"},
		{"High", "MediumHigh", "first"},
		{"Low", "MediumLow", "second"},
		{"MediumLow", "Medium", "second"},
	} {
		var s Set
		file := `<AutoVisualizer><Type Name="T" Priority="` + tt.first + `"><DisplayString>first</DisplayString></Type>` +
			`<Type Name="T" Priority="` + tt.second + `"><DisplayString>second</DisplayString></Type></AutoVisualizer>`
		if err := s.Add("t", []byte(file)); err != nil {
			t.Fatal(err)
		}
		if got := viewOf(&s, "T").Texts[0].Parts[0].Literal; got != tt.want {
			t.Errorf("%q and %q: the %s", tt.first, tt.second, got)
		}
	}
}

// The contents of a file are bounded.
func TestBounds(t *testing.T) {
	var s Set
	if err := s.Add("big", make([]byte, MaxFile+1)); err == nil || err.Error() != "natvis: big has 4194305 bytes, of at most 4194304" {
		t.Error(err)
	}
	types := `<AutoVisualizer>` + strings.Repeat(`<Type Name="a"/>`, maxViews+1) + `</AutoVisualizer>`
	if err := s.Add("many", []byte(types)); err == nil || err.Error() != "natvis: many: more than 8192 types" {
		t.Error(err)
	}
	view, notes := viewsOf(t, strings.Repeat("<DisplayString>a</DisplayString>", maxEntries+1)+
		"<Expand>"+strings.Repeat("<Item>a</Item>", maxEntries+1)+strings.Repeat("<Item>f()</Item>", maxNotes+1)+"</Expand>"+
		strings.Repeat(`<AlternativeType Name="U"/>`, maxEntries+1))
	if len(view.Texts) != maxEntries || len(view.Items) != maxEntries || len(notes) != maxNotes {
		t.Errorf("%d texts, %d entries, %d notes", len(view.Texts), len(view.Items), len(notes))
	}
	if _, err := expr.Parse(strings.Repeat("a", 1025), nil); err == nil || err.Error() != "an expression has 1025 bytes, of at most 1024" {
		t.Error(err)
	}
	if viewOf((*Set)(nil), "T") != nil || viewOf((&Set{}), "T") != nil {
		t.Error("no files have a view")
	}
}

// Operators of higher precedence come first, and equal ones from the left.
func TestPrecedence(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"a || b && c", "(or a (and b c))"},
		{"a && b || c", "(or (and a b) c)"},
		{"a == b < c", "(== a (< b c))"},
		{"a < b + c", "(< a (+ b c))"},
		{"a - b + c", "(+ (- a b) c)"},
		{"a - (b + c)", "(- a (+ b c))"},
		{"!a == b", "(== (! a) b)"},
		{"*a.b", "(* (b a))"},
		{"&a[1]", "(& ([] a 1))"},
		{"**a", "(* (* a))"},
		{"a<=b", "(<= a b)"},
		{"a>=b", "(>= a b)"},
		{"a->b->c", "(->c (->b a))"},
		{"a[b[c]]", "([] a ([] b c))"},
		{"true && false", "(and 1 0)"},
		{"010", "8"},
		{"0x1Ful", "31"},
		{"18446744073709551615", "18446744073709551615"},
		{"a , x ", "a,x"},
		{"a,[n],x", "(@ (* a) n),x"},
		{"a::b", "a::b"},
		{"f (x)", "(f this x)"},
	} {
		e, err := expr.Parse(tt.text, nil)
		if got := shown(e); err != nil || got != tt.want {
			t.Errorf("%s: %s, %v; want %s", tt.text, got, err, tt.want)
		}
	}
	for _, text := range []string{
		"18446744073709551616", "1x", "a->", "a.", "a->*b", "a[]", "a[1", "(a", "()", "a)", "!", "a ||", "a || ||", "$index", "a = b", ",x", "a.exe!b", "f(x", "f(x,)", "1(x)",
	} {
		if e, err := expr.Parse(text, nil); err == nil {
			t.Errorf("%q is %s", text, shown(e))
		}
	}
}

// A star is a template argument; the last one is all remaining arguments. Text after the arguments
// makes another type.
func TestStars(t *testing.T) {
	for _, tt := range []struct {
		name, pattern string
		want          bool
	}{
		{name: "B<int>", pattern: "B<*>", want: true},
		{name: "B<A<int> >", pattern: "B<*>", want: true},
		{name: "B<A<int>,char>", pattern: "B<*,char>", want: true},
		{name: "B<A<int,char>,char>", pattern: "B<*,char>", want: true},
		{name: "B<A<char>,int>", pattern: "B<*,char>"},
		{name: "B<int,char,long>", pattern: "B<int,*>", want: true},
		{name: "B<int,char,long>", pattern: "B<*,long>"}, // the first star is one argument
		{name: "B<int>::C<char>", pattern: "B<*>"},       // a class in another one
		{name: "B<int>::C<char>", pattern: "B<*>::C<*>", want: true},
		{name: "B<int>::D<char>", pattern: "B<*>::C<*>"},
		{name: "B<A<int>::C>", pattern: "B<*>", want: true},
		{name: "B<`anonymous namespace'::A>", pattern: "B<*>", want: true},
		{name: "B<void (int,char),int>", pattern: "B<*,int>", want: true}, // a comma between brackets
		{name: "B<int", pattern: "B<*>"},
		{name: "B<", pattern: "B<*>"},
		{name: "ns::A::B", pattern: "ns::*", want: true},
	} {
		if _, got := matches(compact(tt.name), compact(tt.pattern)); got != tt.want {
			t.Errorf("matches(%q, %q) = %t", tt.name, tt.pattern, got)
		}
	}
}

// The wildcards of a pattern stand for arguments; the last one for all that remain, as they are written.
func TestArguments(t *testing.T) {
	var s Set
	if err := s.Add("a", []byte(`<AutoVisualizer><Type Name="A&lt;*&gt;"/><Type Name="B&lt;int,*&gt;::C"/></AutoVisualizer>`)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"A<unsigned int, B<int, 3> >": "[unsigned int B<int, 3>]", "B<int, char *>::C": "[char *]", "A<>": "[]"} {
		if v, got := s.Of(name, "", ""); v == nil || fmt.Sprint(got) != want {
			t.Errorf("%s has %q, want %s", name, got, want)
		}
	}
}
