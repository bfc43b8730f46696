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
		{of: e, off: 0, want: "e->next"},
		{of: e, off: 8, want: "e->id"},
		{of: e, off: 16, want: "e->own"},
		{of: e, off: 40, want: "e->list[2]"},
		{of: e, off: 12, want: ""},
		{of: e, off: 56, want: ""},
		{of: e, off: -8, want: ""},
		{of: e, off: 72, want: ""}, // perhaps a member of a larger type
		{of: e, off: 72, indexed: true, want: "e[1].id"},
		{of: e.Plus(8), off: 0, want: "e->id"},
		{of: reference, off: 8, want: "r.id"},
		{of: Part{Text: "e", t: ptr(&rust)}, off: 8, want: "e.id"},
		{of: Part{Text: "p", t: ptr(ptr(long))}, off: 0, want: "*p"},
		{of: Part{Text: "p", t: ptr(ptr(long))}, off: 16, want: "p[2]"},
		{of: Part{Text: "p", t: ptr(ptr(long))}, off: 0, indexed: true, want: "p[0]"},
		{of: Part{Text: "a", t: ptr(four)}, off: 8, want: "(*a)[1]"},
		{of: Part{Text: "s", t: ptr(char)}, off: 8, want: ""},
		{of: Part{Text: "n", t: long}, off: 8, want: ""},
		{of: Part{}, off: 8, want: ""},
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
