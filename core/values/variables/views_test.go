package variables

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/values/natvis"
	"crashglass/core/values/types"
)

// withoutRaw is a value without the members that its view leaves for the raw list.
func withoutRaw(v *Value) *Value {
	plain := *v
	plain.Children = nil
	for _, c := range v.Children {
		if !c.Raw {
			plain.Children = append(plain.Children, c)
		}
	}
	return &plain
}

func viewsOf(t *testing.T, body string) *natvis.Set {
	t.Helper()
	var s natvis.Set
	s.ReadsMore()
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
		{`<Expand><Item Name="all">first,[last - first]</Item></Expand>`, "b {all {[0] = 1, [1] = 2, [2] = 3}}"},
		{`<DisplayString>{name,na} {name,sb}</DisplayString>`, `b = "bob" bob`},
		{`<DisplayString>{($T1)first[1]} {sizeof($T1 *)}</DisplayString>`, "b = 2 8"},
		{`<Intrinsic Name="count" Expression="last - first"/><Intrinsic Name="at" Expression="first[i]"><Parameter Name="i" Type="int"/></Intrinsic><DisplayString>{count() + at(count() - 1)}</DisplayString>`, "b = 6"},
		{`<Intrinsic Name="loop" Expression="loop()"/><DisplayString Condition="mode != 5">{loop()}</DisplayString><DisplayString>ok</DisplayString>`, "b = ok"},
		{`<Expand><Synthetic Name="more"><DisplayString>{mode}</DisplayString><Expand><Item Name="on">on</Item></Expand></Synthetic></Expand>`, "b {more = 5 {on = -1}}"},
		{`<Expand><TreeItems><HeadPointer>head</HeadPointer><LeftPointer>next</LeftPointer><RightPointer>nullptr</RightPointer><ValueNode Condition="value &lt; 9">value</ValueNode></TreeItems></Expand>`, "b {[0] = 8, [1] = 7}"},
		{`<Expand><ExpandedItem>*head</ExpandedItem></Expand>`, "b {value = 7, next = 0x0000000000000310}"},
	} {
		for _, of := range []*types.Type{box, derived} {
			f := frameOf(m, at("b", 0x100, of))
			f.Views = viewsOf(t, `<Type Name="app::Box&lt;*&gt;">`+test.body+`</Type>`)
			v := Read(f, Limits{})[0].Values[0]
			if got := shown([]*Value{withoutRaw(v)}); got != test.want {
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
		`<Intrinsic Name="loop" Expression="loop()"/><DisplayString>{loop()}</DisplayString>`,
		`<Expand><TreeItems><HeadPointer>this</HeadPointer><LeftPointer>next</LeftPointer><RightPointer>next</RightPointer><ValueNode>v</ValueNode></TreeItems></Expand>`,
		`<Expand><TreeItems><HeadPointer>this</HeadPointer><LeftPointer>next - 1</LeftPointer><RightPointer>next</RightPointer><ValueNode Condition="v == 7">v</ValueNode></TreeItems></Expand>`,
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

// Intrinsics that each call the next one twice, 22 of them, are four million calls: the view is left out.
func TestViewOfManyCalls(t *testing.T) {
	var body strings.Builder
	for i := range 22 {
		fmt.Fprintf(&body, `<Intrinsic Name="f%d" Expression="f%d() + f%d()"/>`, i, i+1, i+1)
	}
	f := frameOf(memory{0x100: words(7)}, at("r", 0x100, structure("R", 8, member("v", 0, long))))
	f.Views = viewsOf(t, `<Type Name="R">`+body.String()+`<Intrinsic Name="f22" Expression="1"/><DisplayString>{f0()}</DisplayString></Type>`)
	if got := read(f); got != "r {v = 7}" {
		t.Error(got)
	}
}

func count(list []*Value) (n int) {
	for _, v := range list {
		n += 1 + count(v.Children)
	}
	return n
}

// A tree of a map: nodes in their order, up to the size, and without the sentinel that MSVC's maps have in place of null.
func TestViewOfTree(t *testing.T) {
	node := structure("Node", 32)
	node.Members = []types.Member{member("left", 0, pointer(node)), member("right", 8, pointer(node)), member("end", 16, integer), member("key", 20, integer)}
	tree := structure("Map<int,7>", 16, member("head", 0, pointer(node)), member("size", 8, long))
	key := func(n uint64) uint64 { return n << 32 }
	m := memory{
		0x100: words(0x240, 4),
		0x200: words(0x300, 0x300, key(1)), 0x220: words(0x200, 0x300, key(2)), 0x240: words(0x220, 0x280, key(3)), 0x280: words(0x300, 0x300, key(4)),
		0x300: words(0, 0, 1), // the sentinel
	}
	const pointers = `<HeadPointer>head</HeadPointer><LeftPointer>left</LeftPointer><RightPointer>right</RightPointer><ValueNode Condition="!end">key</ValueNode>`
	for _, test := range []struct{ body, want string }{
		{`<Expand><TreeItems><Size>size</Size>` + pointers + `</TreeItems></Expand>`, "m {[0] = 1, [1] = 2, [2] = 3, [3] = 4}"},
		{`<Expand><TreeItems><Size>size - 1</Size>` + pointers + `</TreeItems></Expand>`, "m {[0] = 1, [1] = 2, [2] = 3}"},
		{`<Expand><TreeItems>` + pointers + `</TreeItems></Expand>`, "m {[0] = 1, [1] = 2, [2] = 3, [3] = 4}"},
		{`<Expand><TreeItems><Size>gone</Size>` + pointers + `</TreeItems></Expand>`, "m {head = 0x0000000000000240, size = 4}"},
		{`<DisplayString>{$T2 * 2 + sizeof($T1)}</DisplayString>`, "m = 18"},
		{`<DisplayString>{$T21}</DisplayString>`, "m {head = 0x0000000000000240, size = 4}"}, // there is none, and it is not $T2 with a 1 behind it
		{`<DisplayString>{head-&gt;twice(size) + ((Node *)head)-&gt;twice(1)} {(*head).twice($T2)}</DisplayString>`, "m = 16 17"},
		{`<DisplayString>{whole(whole(2))}</DisplayString>`, "m = 6"},
		{`<DisplayString>{whole(gone)}</DisplayString><DisplayString>ok</DisplayString>`, "m {head = 0x0000000000000240, size = 4}"},
		{`<DisplayString>{int(size) + ($T2) + 'AB'} {sizeof($T1)}</DisplayString>`, "m = 16717 4"},
		{`<DisplayString>{((app.exe!Node*)head)-&gt;key} {strcmp("$T1", "int") == 0} {strcmp("$T1", "char") == 0}</DisplayString>`, "m = 3 1 0"},
		{`<DisplayString>{sizeof(Pair&lt;$T1,$T2&gt;)}</DisplayString>`, "m = 8"}, // with a space in its name
		{`<DisplayString>{size == Color::blue} {Color::red}</DisplayString>`, "m = 0 red"},
		{`<DisplayString Condition="Color::none == 0">no</DisplayString><DisplayString>ok</DisplayString>`, "m {head = 0x0000000000000240, size = 4}"},
	} {
		color := &types.Type{Kind: types.Enum, Name: "Color", Size: 4, Sized: true, Elem: to(integer), Language: types.CPlusPlus,
			Enumerators: []types.Enumerator{{Name: "red", Value: 1}, {Name: "blue", Value: 2}}}
		f := frameOf(m, at("m", 0x100, tree))
		f.Symbols.Classes = debugged{types: map[string]*types.Type{"Node": node, "Color": color, "int": integer, "Pair<int, 7>": structure("Pair<int, 7>", 8)}}
		f.Views = viewsOf(t, `<Intrinsic Name="whole" Expression="n + 2"><Parameter Name="n" Type="int"/></Intrinsic>`+
			`<Type Name="Node"><Intrinsic Name="twice" Expression="key + n * 2"><Parameter Name="n" Type="int"/></Intrinsic></Type>`+
			`<Type Name="Map&lt;*,*&gt;">`+test.body+`</Type>`)
		v := Read(f, Limits{})[0].Values[0]
		if got := shown([]*Value{withoutRaw(v)}); got != test.want {
			t.Errorf("%s: %s\nwant %s", test.body, got, test.want)
		}
	}
}
