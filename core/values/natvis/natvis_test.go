package natvis

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/values/expr"
)

// shown writes an expression as a tree: (+ a 1).
func shown(e *expr.Expr) string {
	if e == nil {
		return "nil"
	}
	var args []string
	for _, a := range e.Args {
		args = append(args, shown(a))
	}
	names := map[expr.Op]string{
		expr.This: "this", expr.Index: "$i", expr.Deref: "*", expr.Address: "&", expr.Not: "!", expr.Add: "+", expr.Sub: "-", expr.Subscript: "[]", expr.Repeat: "@", expr.Equal: "==", expr.Unequal: "!=",
		expr.Less: "<", expr.LessEqual: "<=", expr.More: ">", expr.MoreEqual: ">=", expr.And: "and", expr.Or: "or", expr.If: "?",
	}
	text := names[e.Op]
	switch e.Op {
	case expr.Number, expr.Truth:
		text = fmt.Sprint(e.Number)
	case expr.Name, expr.Member, expr.Call:
		text = e.Name
	case expr.Arrow:
		text = "->" + e.Name
	}
	if len(args) > 0 {
		text = "(" + text + " " + strings.Join(args, " ") + ")"
	}
	if e.Format != "" {
		text += "," + e.Format
	}
	return text
}

func TestParse(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"_Mypair._Myval2._Mysize", "(_Mysize (_Myval2 _Mypair))"},
		{"*ptr,s", "(* ptr),s"},
		{"p->next->value", "(->value (->next p))"},
		{"_Mylast - _Myfirst", "(- _Mylast _Myfirst)"},
		{"a - b - 1", "(- (- a b) 1)"},
		{"size == 0 && !flag || n >= 0x10", "(or (and (== size 0) (! flag)) (>= n 16))"},
		{"_Ptr[$i]", "([] _Ptr $i)"},
		{"(*p).x", "(x (* p))"},
		{"this->m", "(->m this)"},
		{"&m != nullptr", "(!= (& m) 0)"},
		{"data,[8]", "(@ (* data) 8)"},
	} {
		e, err := expr.Parse(test.text, nil)
		if got := shown(e); err != nil || got != test.want {
			t.Errorf("%s: %s, %v; want %s", test.text, got, err, test.want)
		}
	}
	for _, text := range []string{"", "size(", "a *", "$T", "a b", "a[", strings.Repeat("(", 100) + "a" + strings.Repeat(")", 100), strings.Repeat("!", 5000) + "a"} {
		if e, err := expr.Parse(text, nil); err == nil {
			t.Errorf("%.20s is %s", text, shown(e))
		}
	}
}

const example = `<?xml version="1.0" encoding="utf-8"?>
<AutoVisualizer xmlns="http://schemas.microsoft.com/vstudio/debugger/natvis/2010">
  <Type Name="app::Box&lt;*&gt;">
    <AlternativeType Name="app::Crate"/>
    <DisplayString Condition="n == 0">empty</DisplayString>
    <DisplayString>{{ n={n,d} }}</DisplayString>
    <Expand>
      <Item Name="[n]">n</Item>
      <Synthetic Name="odd"/>
      <ArrayItems><Size>n</Size><ValuePointer>data</ValuePointer></ArrayItems>
      <LinkedListItems><HeadPointer>head</HeadPointer><NextPointer>next</NextPointer><ValueNode>value</ValueNode></LinkedListItems>
      <ArrayItems><ValuePointer>data</ValuePointer></ArrayItems>
      <Item Name="call">size()</Item>
    </Expand>
  </Type>
  <Type Name="app::Box&lt;int&gt;" Priority="MediumHigh"><DisplayString>ints</DisplayString></Type>
</AutoVisualizer>`

func TestAdd(t *testing.T) {
	var s Set
	if err := s.Add("a.natvis", []byte(example)); err != nil {
		t.Fatal(err)
	}
	for name, texts := range map[string]int{"app::Box<double, 3>": 2, "app::Crate": 2, "app::Box<int>": 1} {
		if v := viewOf(&s, name); v == nil || len(v.Texts) != texts {
			t.Errorf("%s: %+v", name, v)
		}
	}
	if v := viewOf(&s, "app::Other"); v != nil {
		t.Errorf("a type without a view has %+v", v)
	}
	v := viewOf(&s, "app::Crate")
	var kinds []EntryKind
	for _, e := range v.Items {
		kinds = append(kinds, e.Kind)
	}
	if fmt.Sprint(kinds) != fmt.Sprint([]EntryKind{Item, Synthetic, ArrayItems, LinkedListItems}) {
		t.Errorf("entries %v", kinds)
	}
	want := []string{
		"natvis: ArrayItems of app::Box<*> is left out: it has no size",
		`natvis: Item of app::Box<*> is left out: expression "size()": size is no intrinsic`,
	}
	if fmt.Sprint(s.Notes()) != fmt.Sprint(want) {
		t.Errorf("%q", s.Notes())
	}
}

func TestDamaged(t *testing.T) {
	for _, text := range []string{"", "<a", "<AutoVisualizer><Type", "no XML", "<AutoVisualizer><Type Name='a'><DisplayString>{</DisplayString></Type></AutoVisualizer>"} {
		var s Set
		if err := s.Add("x", []byte(text)); err == nil && len(s.Notes()) == 0 {
			t.Errorf("%q is a NatVis file", text)
		}
	}
}

func TestNames(t *testing.T) {
	for _, test := range []struct {
		name, pattern string
		want          bool
	}{
		{name: "a::B<int,char>", pattern: "a::B<*>", want: true},
		{name: "a::B<int,char>", pattern: "a::B<*,*>", want: true},
		{name: "a::B<int>", pattern: "a::B<*,*>"},
		{name: "a::B<int>::C", pattern: "a::B<*>"},
		{name: "a::B<int>::C", pattern: "a::B<*>::C", want: true},
		{name: "a::Bx<int>", pattern: "a::B<*>"},
		{name: "a::B", pattern: "a::B", want: true},
		{name: "a::B<(c>>", pattern: "a::B<*>"}, // brackets that do not pair
		{name: "a::B<[c)>", pattern: "a::B<*>"},
		{name: "a::B<c)>", pattern: "a::B<*>"},
		{name: "a::B<(c,d>", pattern: "a::B<*,*>"},
		{name: "a::B<c<d>", pattern: "a::B<*>"},
		{name: "a::B<int(char),c[3]>", pattern: "a::B<*,*>", want: true},
		{name: "a::B<(1>0),(1<2),3>", pattern: "a::B<*,*,3>", want: true}, // < and > as operators
		{name: "a::B<(1<2)>::C", pattern: "a::B<*>::C", want: true},
		{name: "a::B<int(*)(A*,char)>", pattern: "a::B<int(*)(A*,char)>", want: true}, // a pointer stands for itself
		{name: "a::B<int(char)>", pattern: "a::B<int(*)>", want: true},
		{name: "a::B<(1<2)>", pattern: "a::B<(*)>", want: true},
		{name: "a::B<c)>", pattern: "a::B<(*)>"},
	} {
		if _, got := matches(test.name, test.pattern); got != test.want {
			t.Errorf("matches(%q, %q) = %t", test.name, test.pattern, got)
		}
	}
}

func FuzzAdd(f *testing.F) {
	f.Add([]byte(example))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s Set
		_ = s.Add("x", data)
	})
}
