package variables

import (
	"testing"

	"crashglass/core/values/types"
)

// TestPath names values by an offset from a pointer to a structure.
func TestPath(t *testing.T) {
	ref := func(t *types.Type) types.Ref { return func() *types.Type { return t } }
	long := &types.Type{Kind: types.Signed, Size: 8, Sized: true}
	char := &types.Type{Kind: types.Char, Size: 1, Sized: true}
	ptr := func(to *types.Type) *types.Type {
		return &types.Type{Kind: types.Pointer, Elem: ref(to), Size: 8, Sized: true}
	}
	four := &types.Type{Kind: types.Array, Elem: ref(ptr(long)), Counts: []types.Count{{N: 4, Known: true}}}
	own := &types.Type{Kind: types.Class, Name: "std::unique_ptr<T>", Size: 8, Sized: true, Members: []types.Member{{Name: "_M_t", Type: ref(ptr(long))}}}
	base := &types.Type{Kind: types.Class, Size: 8, Sized: true, Members: []types.Member{{Name: "next", Type: ref(ptr(long))}}}
	entry := &types.Type{Kind: types.Struct, Size: 64, Sized: true, Members: []types.Member{
		{Type: ref(base), Base: true},
		{Name: "id", Type: ref(long), Offset: 8}, {Name: "own", Type: ref(own), Offset: 16}, {Name: "list", Type: ref(four), Offset: 24},
		{Name: "c", Type: ref(char), Offset: 56}, {Name: "flag", Type: ref(long), Offset: 56, Bits: 1},
	}}
	e := Part{Text: "e", t: ptr(entry)}
	reference := Part{Text: "r", t: &types.Type{Kind: types.Reference, Elem: ref(entry)}}
	rust := *entry
	rust.Language = types.Rust
	for _, test := range []struct {
		of      Part
		off     int64
		indexed bool
		want    string
	}{
		{e, 0, false, "e->next"},
		{e, 8, false, "e->id"},
		{e, 16, false, "e->own"},
		{e, 40, false, "e->list[2]"},
		{e, 12, false, ""},
		{e, 56, false, ""},
		{e, -8, false, ""},
		{e, 72, false, ""}, // perhaps a member of a larger type
		{e, 72, true, "e[1].id"},
		{e.Plus(8), 0, false, "e->id"},
		{reference, 8, false, "r.id"},
		{Part{Text: "e", t: ptr(&rust)}, 8, false, "e.id"},
		{Part{Text: "p", t: ptr(ptr(long))}, 0, false, "*p"},
		{Part{Text: "p", t: ptr(ptr(long))}, 16, false, "p[2]"},
		{Part{Text: "p", t: ptr(ptr(long))}, 0, true, "p[0]"},
		{Part{Text: "a", t: ptr(four)}, 8, false, "(*a)[1]"},
		{Part{Text: "s", t: ptr(char)}, 8, false, ""},
		{Part{Text: "n", t: long}, 8, false, ""},
		{Part{}, 8, false, ""},
	} {
		if got := test.of.Deref(test.off, 8, test.indexed).Text; got != test.want {
			t.Errorf("%s at %d (index %v): %q, want %q", test.of.Text, test.off, test.indexed, got, test.want)
		}
	}
	if got := reference.Shown(); got != "&r" {
		t.Errorf("a reference is shown as %q", got)
	}
	if got := e.Plus(4).Shown(); got != "" {
		t.Errorf("a sum is shown as %q", got)
	}
}
