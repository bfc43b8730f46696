package variables

import (
	"testing"

	"crashglass/core/values/natvis"
	"crashglass/core/values/types"
)

func viewsOf(t *testing.T, body string) *natvis.Set {
	t.Helper()
	var s natvis.Set
	if err := s.Add("test.natvis", []byte("<AutoVisualizer>"+body+"</AutoVisualizer>")); err != nil {
		t.Fatal(err)
	}
	for _, note := range s.Notes() {
		t.Error(note)
	}
	return &s
}

func TestViews(t *testing.T) {
	node := structure("Node", 16)
	node.Members = []types.Member{member("value", 0, long), member("next", 8, pointer(node))}
	box := structure("app::Box<int>", 40, member("first", 0, pointer(integer)), member("last", 8, pointer(integer)), member("head", 16, pointer(node)),
		member("name", 24, pointer(char)),
		bitsOf("on", 256, 1, integer), bitsOf("mode", 257, 3, base(types.Unsigned, "unsigned", 4)))
	derived := structure("app::Big", 40, types.Member{Base: true, Type: to(box)})
	m := memory{
		0x100: words(0x200, 0x20c, 0x300, 0x400, 0b101_1), 0x200: words(0x0000_0002_0000_0001, 3),
		0x300: words(7, 0x310), 0x310: words(8, 0), 0x400: []byte("bob\x00"),
	}
	for _, test := range []struct{ body, want string }{
		{`<DisplayString>{name,s} has {last - first} of {{}}</DisplayString>`, `b = "bob" has 3 of {}`},
		{`<DisplayString Condition="mode == 4">four</DisplayString><DisplayString Condition="mode == 5 &amp;&amp; on != 0">five</DisplayString>`, "b = five"},
		{`<DisplayString>{mode,x}</DisplayString>`, "b = 0x5"},
		{`<Expand><Item Name="mode">mode</Item><Item Name="two">first[1]</Item><Item Name="one">*first</Item></Expand>`, "b {mode = 5, two = 2, one = 1}"},
		{`<Expand><ArrayItems><Size>last - first</Size><ValuePointer>first</ValuePointer></ArrayItems></Expand>`, "b {[0] = 1, [1] = 2, [2] = 3}"},
		{`<Expand><IndexListItems><Size>2</Size><ValueNode>*(first + $i)</ValueNode></IndexListItems></Expand>`, "b {[0] = 1, [1] = 2}"},
		{`<Expand><LinkedListItems><HeadPointer>head</HeadPointer><NextPointer>next</NextPointer><ValueNode>value</ValueNode></LinkedListItems></Expand>`, "b {[0] = 7, [1] = 8}"},
		{`<Expand><LinkedListItems><Size>1</Size><HeadPointer>head</HeadPointer><NextPointer>next</NextPointer><ValueNode>this</ValueNode></LinkedListItems></Expand>`, "b {[0] = 0x0000000000000300}"},
		{`<Expand><ExpandedItem>*head</ExpandedItem></Expand>`, "b {value = 7, next = 0x0000000000000310}"},
	} {
		for _, of := range []*types.Type{box, derived} {
			f := frameOf(m, at("b", 0x100, of))
			f.Views = viewsOf(t, `<Type Name="app::Box&lt;*&gt;">`+test.body+`</Type>`)
			v := Read(f, Limits{})[0].Values[0]
			plain := *v
			plain.Children = nil
			for _, c := range v.Children {
				if !c.Raw {
					plain.Children = append(plain.Children, c)
				}
			}
			if got := shown([]*Value{&plain}); got != test.want {
				t.Errorf("%s: %s\nwant %s", test.body, got, test.want)
			}
		}
	}
}

// A view of what is not there, or of itself without an end, leaves the members.
func TestViewsThatFail(t *testing.T) {
	ring := structure("Ring", 16)
	ring.Members = []types.Member{member("v", 0, long), member("next", 8, pointer(ring))}
	m := memory{0x100: words(7, 0x100)}
	for _, test := range []struct{ body, want string }{
		{`<DisplayString>{gone}</DisplayString>`, "r {v = 7, next = 0x0000000000000100}"},
		{`<Expand><Item Name="x">next[1].v</Item></Expand>`, "r {x <not_captured>, v = 7, next = 0x0000000000000100}"},
		{`<Expand><ArrayItems><Size>v</Size><ValuePointer>v</ValuePointer></ArrayItems></Expand>`, "r {v = 7, next = 0x0000000000000100}"},
	} {
		f := frameOf(m, at("r", 0x100, ring))
		f.Views = viewsOf(t, `<Type Name="Ring">`+test.body+`</Type>`)
		if got := read(f); got != test.want {
			t.Errorf("%s: %s\nwant %s", test.body, got, test.want)
		}
	}
	for _, body := range []string{
		`<DisplayString>{*this} {*next} {*this}</DisplayString>`,
		`<Expand><LinkedListItems><HeadPointer>this</HeadPointer><NextPointer>next</NextPointer><ValueNode>*this</ValueNode></LinkedListItems></Expand>`,
		`<Expand><ArrayItems><Size>1000000000000</Size><ValuePointer>next</ValuePointer></ArrayItems></Expand>`,
	} {
		f := frameOf(m, at("r", 0x100, ring))
		f.Views = viewsOf(t, `<Type Name="Ring">`+body+`</Type>`)
		if n := count(Read(f, Limits{})[0].Values); n > 1<<15 {
			t.Errorf("%s: %d values", body, n)
		}
	}
}

func count(list []*Value) (n int) {
	for _, v := range list {
		n += 1 + count(v.Children)
	}
	return n
}
