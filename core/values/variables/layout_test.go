package variables

import "testing"

// A bar of an object needs where its members are, also of what a pointer points to.
func TestObjects(t *testing.T) {
	pair := structure("Pair", 16, member("small", 0, char), member("large", 8, double))
	m := memory{0x100: words(7, 8), 0x200: words(0x100)}
	for _, v := range Read(frameOf(m, at("o", 0x100, pair), at("p", 0x200, pointer(pair))), Limits{Depth: 2})[0].Values {
		if got := v.Object(); got != (Extent{0x100, 16}) {
			t.Errorf("%s: the object is %+v", v.Name, got)
		}
		if len(v.Children) != 2 || v.Children[1].Extent() != (Extent{0x108, 8}) {
			t.Errorf("%s: the members are %s", v.Name, shown(v.Children))
		}
	}
	values := Read(frameOf(m, at("n", 0x100, integer)), Limits{})[0].Values
	if got := values[0].Object(); got != (Extent{}) {
		t.Errorf("a number is the object %+v", got)
	}
}
