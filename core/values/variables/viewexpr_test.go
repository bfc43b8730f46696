package variables

import (
	"strings"
	"testing"

	"crashglass/core/values/types"
)

// viewed is the value of an app::Box at 0x100 as a view says, without its members.
func viewed(t *testing.T, body string) *Value {
	t.Helper()
	node := structure("Node", 16)
	node.Members = []types.Member{member("value", 0, long), member("next", 8, pointer(node))}
	signedChar := base(types.Char, "char", 1) // its sign depends on the CPU
	signedChar.Minus = true
	box := structure("app::Box", 64,
		member("first", 0, pointer(integer)),
		member("last", 8, pointer(integer)),
		member("head", 16, pointer(node)),
		member("minus", 24, integer),
		bitsOf("flag", 224, 3, uint32T),
		member("nodes", 32, array(node, 1)),
		member("none", 48, pointer(nil)),
		member("letter", 56, signedChar),
		member("mood", 57, &types.Type{Kind: types.Enum, Name: "Mood", Size: 1, Sized: true, Elem: to(signedChar)}),
		bitsOf("tilt", 464, 3, integer),
		member("large", 59, base(types.Unsigned, "unsigned char", 1)))
	f := frameOf(memory{
		0x100: words(0x200, 0x20c, 0x300, 5<<32|0xffff_fffe, 9, 0, 0, 0xff_07_fe_ff),
		0x200: words(2<<32|1, 3), 0x300: words(7, 0x310), 0x310: words(8, 0),
	}, at("b", 0x100, box))
	f.Views = viewsOf(t, `<Type Name="app::Box">`+body+`</Type>`)
	return Read(f, Limits{})[0].Values[0]
}

// Expressions are C++'s: pointers count in what they point to, and conditions
// are decided from the left.
func TestViewExpressions(t *testing.T) {
	for expr, want := range map[string]string{
		"7":                       "7",
		"0x10 + 1":                "17",
		"7 - 9":                   "-2",
		"minus":                   "-2",
		"minus + 1":               "-1",
		"flag":                    "5",
		"flag + 1":                "6",
		"last - first":            "3",
		"*first":                  "1",
		"first[2]":                "3",
		"*(first + 1)":            "2",
		"*(last - 1)":             "3",
		"head->next->value":       "8",
		"(*head).value":           "7",
		"nodes[0].value":          "9",
		"nodes->value":            "9",
		"this->minus":             "-2",
		"*&minus":                 "-2",
		"(&nodes)->value":         "", // an array is no structure
		"&flag":                   "", // a bit field has no address
		"first[minus]":            "", // an index below 0
		"none[1]":                 "", // elements of no size
		"first + last":            "", // the sum of two pointers
		"head->next->next->value": "", // a null pointer
		"gone":                    "",
		"head->gone":              "",
		"minus->value":            "",
		"minus.value":             "",
		"first == first":          "1",
		"first != last":           "1",
		"minus < 0":               "1", "minus <= 0 - 2": "1", "minus > 0": "0", "flag >= 5": "1", "flag > 5": "0", "flag < 5": "0", "flag <= 4": "0",
		"letter + 0":    "-1", // a number with a sign has it in expressions: [conv.prom] of C++
		"mood + 0":      "-2",
		"tilt + 0":      "-1",
		"tilt < 0":      "1",
		"large + 0":     "255",
		"!flag":         "0",
		"!(flag - 5)":   "1",
		"flag && minus": "1",
		"flag && 0":     "0",
		"0 || minus":    "1",
		"0 || 0":        "0",
		"0 && gone":     "0", // the right side is not evaluated
		"1 || gone":     "1",
		"1 && gone":     "",
	} {
		v := viewed(t, "<DisplayString>{"+strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(expr)+"}</DisplayString>")
		if v.Text != want || v.Said != (want != "") {
			t.Errorf("%s is %q, want %q", expr, v.Text, want)
		}
	}
}

// Texts have formats, and what has no text of its own is said to have more.
func TestViewFormats(t *testing.T) {
	for body, want := range map[string]string{
		"{flag,x}":        "0x5",
		"{minus,x}":       "0xfffffffffffffffe",
		"{minus,d}":       "-2",
		"{nodes[0]}":      "{...}",
		"{first}":         "0x0000000000000200",
		"a{flag}b{flag}c": "a5b5c",
		"{{{flag}}}":      "{5}",
	} {
		if v := viewed(t, "<DisplayString>"+body+"</DisplayString>"); v.Text != want {
			t.Errorf("%s is %q, want %q", body, v.Text, want)
		}
	}
	if v := viewed(t, "<DisplayString>"+strings.Repeat("x", maxViewText)+"{flag}{flag}"+"</DisplayString>"); v.Said {
		t.Errorf("a text of %d bytes", len(v.Text))
	}
}

// An entry that cannot be evaluated leaves the members as they are.
func TestViewEntries(t *testing.T) {
	for body, want := range map[string]string{
		`<Item Name="a" Condition="flag == 5">minus</Item><Item Name="b" Condition="flag == 4">minus</Item>`:              "a = -2",
		`<Item Name="a">flag</Item><Item Name="p">first</Item><Item Name="q">first + 1</Item><Item Name="n">1 + 1</Item>`: "a = 5, p = 0x0000000000000200, q = 0x0000000000000204, n = 2",
		`<Item Name="a">gone</Item>`:                                                                                                                      "",
		`<Item Name="a" Condition="gone">minus</Item>`:                                                                                                    "",
		`<ExpandedItem>nodes[0]</ExpandedItem>`:                                                                                                           "value = 9, next = nullptr",
		`<ExpandedItem>gone</ExpandedItem>`:                                                                                                               "",
		`<ArrayItems><Size>2</Size><ValuePointer>nodes</ValuePointer></ArrayItems>`:                                                                       "",
		`<ArrayItems><Size>0 - 1</Size><ValuePointer>first</ValuePointer></ArrayItems>`:                                                                   "",
		`<ArrayItems><Size>gone</Size><ValuePointer>first</ValuePointer></ArrayItems>`:                                                                    "",
		`<ArrayItems><Size>1</Size><ValuePointer>gone</ValuePointer></ArrayItems>`:                                                                        "",
		`<IndexListItems><Size>2</Size><ValueNode>first[$i] + $i</ValueNode></IndexListItems>`:                                                            "[0] = 1, [1] = 3",
		`<LinkedListItems><HeadPointer>head</HeadPointer><NextPointer>next</NextPointer><ValueNode>gone</ValueNode></LinkedListItems>`:                    "",
		`<LinkedListItems><Size>0 - 1</Size><HeadPointer>head</HeadPointer><NextPointer>next</NextPointer><ValueNode>value</ValueNode></LinkedListItems>`: "",
		`<LinkedListItems><HeadPointer>gone</HeadPointer><NextPointer>next</NextPointer><ValueNode>value</ValueNode></LinkedListItems>`:                   "",
		`<LinkedListItems><HeadPointer>head</HeadPointer><NextPointer>gone</NextPointer><ValueNode>value</ValueNode></LinkedListItems>`:                   "",
	} {
		v := viewed(t, "<Expand>"+body+"</Expand>")
		var plain []*Value
		for _, c := range v.Children {
			if !c.Raw {
				plain = append(plain, c)
			}
		}
		if len(plain) == len(v.Children) {
			plain = nil // the members themselves
		}
		if got := shown(plain); got != want && !(want == "" && strings.HasPrefix(got, "[0] {value = 9")) {
			t.Errorf("%s\n%s, want %s", body, got, want)
		}
	}
}

// A value of a view is read for what it costs: a limit of elements leaves the
// rest of them out, and says so.
func TestViewLimits(t *testing.T) {
	for body, more := range map[string]uint64{
		`<ArrayItems><Size>3</Size><ValuePointer>first</ValuePointer></ArrayItems>`:                                                                   1,
		`<LinkedListItems><Size>5</Size><HeadPointer>head</HeadPointer><NextPointer>next</NextPointer><ValueNode>value</ValueNode></LinkedListItems>`: 3,
	} {
		node := structure("Node", 16)
		node.Members = []types.Member{member("value", 0, long), member("next", 8, pointer(node))}
		box := structure("Box", 16, member("first", 0, pointer(integer)), member("head", 8, pointer(node)))
		f := frameOf(memory{0x100: words(0x200, 0x300), 0x200: words(2<<32|1, 3), 0x300: words(7, 0x310), 0x310: words(8, 0x320), 0x320: words(9, 0x330), 0x330: words(10, 0x340), 0x340: words(11, 0)}, at("b", 0x100, box))
		f.Views = viewsOf(t, `<Type Name="Box"><Expand>`+body+`</Expand></Type>`)
		v := Read(f, Limits{Elements: 2})[0].Values[0]
		if v.More != more || v.Children[1].Name != "[1]" || v.Children[1].Raw || !v.Children[2].Raw {
			t.Errorf("%s: %s", body, shown([]*Value{v}))
		}
	}
}

// A view that says Inheritable="false" is of its type alone: the documentation
// of NatVis, "Type element".
func TestViewsOfBases(t *testing.T) {
	base := structure("Base", 4, member("n", 0, integer))
	derived := structure("Derived", 4, baseOf(base, 0))
	for inheritable, want := range map[string]string{
		"":                    "b = <7>, d = <7>",
		`Inheritable="true"`:  "b = <7>, d = <7>",
		`Inheritable="false"`: "b = <7>, d",
		`Inheritable="0"`:     "b = <7>, d",
	} {
		f := frameOf(memory{0x100: words(7)}, at("b", 0x100, base), at("d", 0x100, derived))
		f.Views = viewsOf(t, `<Type Name="Base" `+inheritable+`><DisplayString>&lt;{n}&gt;</DisplayString></Type>`)
		values := Read(f, Limits{})[0].Values
		for _, v := range values {
			v.Children = nil
		}
		if got := shown(values); got != want {
			t.Errorf("%s: %s, want %s", inheritable, got, want)
		}
	}
}

// A view without text and without children shows the members, and limits hold for its elements.
func TestEmptyViews(t *testing.T) {
	for body, want := range map[string]string{
		`<Expand><ArrayItems><Size>0</Size><ValuePointer>first</ValuePointer></ArrayItems></Expand>`:                                                                                                            "",
		`<DisplayString>none</DisplayString><Expand><ArrayItems><Size>0</Size><ValuePointer>first</ValuePointer></ArrayItems></Expand>`:                                                                         "none",
		`<DisplayString>{flag}</DisplayString><Expand><LinkedListItems><HeadPointer>head->next->next</HeadPointer><NextPointer>next</NextPointer><ValueNode>value</ValueNode></LinkedListItems></Expand>`:       "5",
		`<DisplayString>{flag}</DisplayString><Expand><LinkedListItems><Size>0</Size><HeadPointer>head</HeadPointer><NextPointer>next</NextPointer><ValueNode>value</ValueNode></LinkedListItems></Expand>`:     "5",
		`<DisplayString>{flag}</DisplayString><Expand><LinkedListItems><Size>minus</Size><HeadPointer>head</HeadPointer><NextPointer>next</NextPointer><ValueNode>value</ValueNode></LinkedListItems></Expand>`: "5", // inconsistent
		`<DisplayString>{flag}</DisplayString><Expand><ArrayItems><Size>minus</Size><ValuePointer>first</ValuePointer></ArrayItems></Expand>`:                                                                   "5", // inconsistent
		`<DisplayString Condition="flag == 4">four</DisplayString>`:                                     "",
		`<DisplayString Condition="gone == 4">four</DisplayString><DisplayString>other</DisplayString>`: "",
	} {
		v := viewed(t, body)
		raw := len(v.Children) > 0 && v.Children[0].Name == "first"
		if v.Text != want || !raw {
			t.Errorf("%s\n%s, want %q and the members", body, shown([]*Value{v}), want)
		}
	}
}
