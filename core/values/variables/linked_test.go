package variables

import (
	"testing"

	"crashglass/core/values/types"
)

// A container's size is checked against the nodes that are linked, beyond the limit of elements. A size that
// they contradict is shown with the reason.
func TestLinkedSizes(t *testing.T) {
	chain := memory{}
	for i := range uint64(20) {
		chain[0x1000+16*i] = words(0x1000+16*(i+1), i)
	}
	chain[0x1000+16*20] = words(0, 20)
	var nodes []uint64 // more than are followed
	for i := range uint64(maxNodes) {
		nodes = append(nodes, 0x100000+16*(i+1), i)
	}
	large := memory{0x100000: words(nodes...)}
	huge := ^uint64(0)
	for _, test := range []struct {
		name  string
		m     memory
		first uint64
		size  *uint64
		want  string
		why   string
	}{
		{"right", chain, 0x1000, new(uint64(21)), "v = size=21 {[0] = 0, [1] = 1} +19", ""},
		{"counted", chain, 0x1000, nil, "v = size=21 {[0] = 0, [1] = 1} +19", ""},
		{"too many", chain, 0x1000, &huge, "v = size=18446744073709551615 <inconsistent> {[0] = 0, [1] = 1}", "the size 18446744073709551615 is not plausible: the links end after 21"},
		{"too few", chain, 0x1000, new(uint64(1)), "v = size=1 <inconsistent> {[0] = 0, [1] = 1}", "the size 1 is not plausible: the links end after 21"},
		{"empty", nil, 0, new(uint64(0)), "v = size=0", ""},
		{"no nodes", nil, 0, new(uint64(5)), "v = size=5 <inconsistent>", "the size 5 is not plausible: the links end after 0"},
		{"a node that leads to itself", memory{0x1000: words(0x1000, 7)}, 0x1000, new(uint64(1 << 50)), "v = size=1125899906842624 <inconsistent> {[0] = 7}", "after 1 the links lead back to an earlier element"},
		{"a circle of two, without a size", memory{0x1000: words(0x2000, 7), 0x2000: words(0x1000, 8)}, 0x1000, nil, "v <inconsistent> {[0] = 7, [1] = 8}", "after 2 the links lead back to an earlier element"},
		{"a circle beyond the limit", memory{0x1000: words(0x2000, 7), 0x2000: words(0x3000, 8), 0x3000: words(0x4000, 9), 0x4000: words(0x3000, 9)}, 0x1000, new(uint64(4)), "v = size=4 <inconsistent> {[0] = 7, [1] = 8}", "after 4 the links lead back to an earlier element"},
		{"nodes beyond the limit that were not captured", memory{0x1000: words(0x2000, 7), 0x2000: words(0x3000, 8)}, 0x1000, new(uint64(4)), "v = size=4 {[0] = 7, [1] = 8} +2", ""},
		{"so many that they cannot be", memory{0x1000: words(0x2000, 7), 0x2000: words(0x3000, 8)}, 0x1000, &huge, "v = size=18446744073709551615 <inconsistent> {[0] = 7, [1] = 8}", "the size 18446744073709551615 is not plausible: so many elements do not fit into memory"},
		{"more than are followed", large, 0x100000, new(uint64(1 << 20)), "v = size=1048576 {[0] = 0, [1] = 1} +1048574", ""},
	} {
		v := &Value{Name: "v"}
		r := newReader(frameOf(test.m), Limits{Elements: 2})
		r.eval = &Eval{Frame: r.frame}
		o := &object{r: r, t: structure("list", 8), out: v, depth: 4}
		if !o.linked(links{first: test.first, size: test.size, next: o.load, push: o.values(8, long)}) {
			t.Errorf("%s: refused", test.name)
		}
		if got := shown([]*Value{v}); got != test.want || v.Why != test.why {
			t.Errorf("%s: %s, %q\nwant %s, %q", test.name, got, v.Why, test.want, test.why)
		}
	}
}

// A ring breaks off where a node leads nowhere, and a view of a list says so as well.
func TestBrokenLinks(t *testing.T) {
	node := structure("Node", 16)
	node.Members = []types.Member{member("value", 0, long), member("next", 8, pointer(node))}
	box := structure("Box", 16, member("size", 0, size), member("head", 8, pointer(node)))
	const list = `<LinkedListItems><Size>size</Size><HeadPointer>head</HeadPointer><NextPointer>next</NextPointer><ValueNode>value</ValueNode></LinkedListItems>`
	for _, test := range []struct {
		size, last uint64
		want       string
	}{
		{2, 0, "b {[0] = 7, [1] = 8, size = 2, head = 0x0000000000000300}"},
		{2, 0x300, "b {[0] = 7, [1] = 8, size = 2, head = 0x0000000000000300}"}, // a ring
		{3, 0, "b <inconsistent> {[0] = 7, [1] = 8, size = 3, head = 0x0000000000000300}"},
		{1 << 50, 0x310, "b <inconsistent> {[0] = 7, [1] = 8, size = 1125899906842624, head = 0x0000000000000300}"},
	} {
		f := frameOf(memory{0x100: words(test.size, 0x300), 0x300: words(7, 0x310), 0x310: words(8, test.last)}, at("b", 0x100, box))
		f.Views = viewsOf(t, `<Type Name="Box"><Expand>`+list+`</Expand></Type>`)
		if got := read(f); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
	r := newReader(frameOf(memory{0x1000: words(0, 7)}), Limits{})
	r.eval = &Eval{Frame: r.frame}
	o := &object{r: r, t: structure("list", 8), out: &Value{}, depth: 4}
	if !o.linked(links{first: 0x1000, end: 0x100, size: new(uint64(2)), next: o.load, push: o.values(8, long)}) || o.out.Why != "the links break off after 1" {
		t.Errorf("a ring: %q", o.out.Why)
	}
}
