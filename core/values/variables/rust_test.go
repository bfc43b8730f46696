package variables

import (
	"testing"

	"crashglass/core/values/types"
)

func inRust(t *types.Type) *types.Type {
	t.Language = types.Rust
	return t
}

var (
	usize   = inRust(base(types.Unsigned, "usize", 8))
	u32     = inRust(base(types.Unsigned, "u32", 4))
	rustRef = func(name string, t *types.Type) *types.Type {
		return inRust(structure(name, 16, member("data_ptr", 0, inRust(pointer(t))), member("length", 8, usize)))
	}
)

// wrapped is a structure with one member, as many of Rust's library are.
func wrapped(name, inner string, t *types.Type) *types.Type {
	return inRust(structure(name, sizeOf(t), member(inner, 0, t)))
}

func rustRc(name string, inner, p *types.Type) *types.Type {
	return wrapped(name, "ptr", wrapped("core::ptr::non_null::NonNull<T>", "pointer", p))
}

func TestRustShared(t *testing.T) {
	u8 := inRust(base(types.Unsigned, "u8", 1))
	counters := func(value *types.Type) *types.Type {
		return inRust(structure("RcInner", 24, member("strong", 0, wrapped("core::cell::Cell<usize>", "value", usize)), member("weak", 8, usize), member("value", 16, value)))
	}
	number := rustRc("alloc::rc::Rc<u32, A>", u32, inRust(pointer(counters(u32))))
	weak := rustRc("alloc::rc::Weak<u32, A>", u32, inRust(pointer(counters(u32))))
	text := rustRc("alloc::rc::Rc<str, A>", u8, rustRef("*const RcInner<str>", counters(u8)))
	m := memory{
		0x100: words(0x1000), 0x108: words(0x2000), 0x110: words(0x3000, 2),
		0x1000: words(2, 3, 21), 0x2000: words(0, 1, 0xdead), 0x3000: append(words(1, 1), "hi"...),
	}
	check(t, m, []library{
		{at("rc", 0x100, number), "rc = strong=2, weak=2 {value = 21, ptr {pointer = 0x0000000000001000}}"},
		{at("gone", 0x108, weak), "gone = dropped {ptr {pointer = 0x0000000000002000}}"},
		{at("text", 0x110, text), `text = "hi" (strong=1, weak=0) {ptr {pointer {data_ptr = 0x0000000000003000, length = 2}}}`},
	})
}

func TestRustValues(t *testing.T) {
	isize := inRust(base(types.Signed, "isize", 8))
	cell := inRust(structure("core::cell::RefCell<u32>", 16, member("borrow", 0, wrapped("core::cell::Cell<isize>", "value", isize)), member("value", 8, wrapped("core::cell::UnsafeCell<u32>", "value", u32))))
	duration := inRust(structure("core::time::Duration", 16, member("secs", 0, usize), member("nanos", 8, wrapped("core::num::niche_types::Nanoseconds", "__0", u32))))
	ring := of(inRust(structure("alloc::collections::vec_deque::VecDeque<u32, A>", 32, member("head", 0, usize), member("len", 8, usize),
		member("buf", 16, inRust(structure("RawVec", 16, member("ptr", 0, inRust(pointer(u32))), member("cap", 8, usize)))))), u32)
	m := memory{
		0x100: words(^uint64(0), 7), 0x110: words(2, 5), 0x200: words(1, 500_000_000), 0x210: words(3, 0),
		0x300: words(3, 2, 0x400, 4), 0x400: words(0x0000_0000_0000_0009, 0x0000_0008_0000_0000),
	}
	check(t, m, []library{
		{at("c", 0x100, cell), "c = mutably borrowed {value = 7, borrow = -1 {value = -1}, value = 7}"},
		{at("c", 0x110, cell), "c = borrowed 2× {value = 5, borrow = 2 {value = 2}, value = 5}"},
		{at("d", 0x200, duration), "d = 1.5s {secs = 1, nanos = 500000000}"},
		{at("d", 0x210, duration), "d = 3s {secs = 3, nanos = 0}"},
		{at("r", 0x300, ring), "r = size=2 {[0] = 8, [1] = 9, head = 3, len = 2, buf {ptr = 0x0000000000000400, cap = 4}}"},
	})
}

// A tree with a root of one key and two leaves; a node has room for eleven.
func TestRustTree(t *testing.T) {
	leaf := inRust(structure("LeafNode<u32, u32>", 104, member("len", 0, base(types.Unsigned, "u16", 2)), member("keys", 4, array(u32, 11)), member("vals", 48, array(u32, 11))))
	ref := inRust(structure("NodeRef", 16, member("height", 0, usize), member("node", 8, wrapped("NonNull", "pointer", inRust(pointer(leaf))))))
	root := inRust(&types.Type{Kind: types.Struct, Name: "core::option::Option<NodeRef>", Size: 24, Sized: true, Variants: &types.Variants{
		Discr: &types.Member{Type: to(usize), Offset: 16},
		List:  []types.Variant{{Member: member("None", 0, structure("None", 24)), Values: []types.Range{{Low: 0, High: 0}}}, {Member: member("Some", 0, structure("Some", 24, member("__0", 0, ref)))}},
	}})
	tree := inRust(structure("alloc::collections::btree::map::BTreeMap<u32, u32, A>", 32, member("root", 0, root), member("length", 24, usize)))
	node := func(key, value uint64, edges ...uint64) []byte {
		b := make([]byte, 104)
		copy(b, words(1|key<<32))
		copy(b[48:], words(value))
		return append(b, words(edges...)...)
	}
	m := memory{
		0x100: words(1, 0x1000, 1, 3), 0x1000: node(2, 20, 0x2000, 0x3000), 0x2000: node(1, 10), 0x3000: node(3, 30),
		0x200: words(0, 0, 0, 0), 0x300: words(20, 0x1000, 1, 3),
	}
	f := frameOf(m, at("t", 0x100, tree), at("none", 0x200, tree))
	values := Read(f, Limits{})[0].Values
	for i, want := range []string{"size=3", "size=0"} {
		if values[i].Text != want {
			t.Errorf("%s, want %s", shown(values[i:i+1]), want)
		}
	}
	if got, want := shown(values[0].Children[:3]), "[0] {key = 1, value = 10}, [1] {key = 2, value = 20}, [2] {key = 3, value = 30}"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := Read(frameOf(m, at("high", 0x300, tree)), Limits{})[0].Values[0]; got.Said {
		t.Errorf("a tree that is higher than it has nodes: %s", shown([]*Value{got}))
	}
}

// A vtable says what type a trait object is of.
func TestRustTraitObject(t *testing.T) {
	dog := inRust(structure("kinds::Dog", 4, member("age", 0, u32)))
	object := inRust(structure("&dyn kinds::Speak", 16, member("pointer", 0, inRust(pointer(nil))), member("vtable", 8, inRust(pointer(usize)))))
	m := memory{0x100: words(0x200, 0x300), 0x200: words(3)}
	f := frameOf(m)
	f.Symbols = vtables{scopes{at("d", 0x100, object)}, at("<kinds::Dog as kinds::Speak>::{vtable}", 0x300, &types.Type{Kind: types.Struct, Name: "vtable", Class: to(dog)})}.symbols()
	if got := read(f); got != "d = kinds::Dog {value {age = 3}, pointer = 0x0000000000000200, vtable = 0x0000000000000300}" {
		t.Error(got)
	}
}

type vtables struct {
	scopes
	one Variable
}

func (v vtables) symbols() Symbols { return Symbols{Scopes: v.scopes, Statics: v} }

func (v vtables) Statics(match func(string) bool, _ int) []Variable {
	if match(v.one.Name) {
		return []Variable{v.one}
	}
	return nil
}

func (vtables) StaticsAt(uint64, int) []Variable { return nil }

// Option<u128> has a discriminant of 128 bits; of Option<NonZeroU128> 0 is None,
// and every other number the value.
func TestWideDiscriminant(t *testing.T) {
	wide := inRust(base(types.Unsigned, "u128", 16))
	option := func(at uint64, none, some []types.Range) *types.Type {
		discr := member("", 0, wide)
		return inRust(&types.Type{Kind: types.Struct, Name: "Option", Size: 32, Sized: true, Variants: &types.Variants{Discr: &discr, List: []types.Variant{
			{Member: member("None", 0, inRust(structure("None", 32))), Values: none},
			{Member: member("Some", 0, inRust(structure("Some", 32, member("__0", at, wide)))), Values: some},
		}}})
	}
	zero, one, unreadable := []types.Range{{}}, []types.Range{{Low: 1, High: 1}}, []types.Range{{Low: 1}}
	for _, c := range []struct {
		of   *types.Type
		data []byte
		want string
	}{
		{option(16, zero, one), words(1, 0, 5, 0), "v = Some {Some {__0 = 5}}"},
		{option(16, zero, one), words(0, 0, 5, 0), "v = None"},
		{option(16, zero, one), words(1, 1, 5, 0), "v <unreadable>"},
		{option(0, zero, nil), words(0, 0, 0, 0), "v = None"},
		{option(0, zero, nil), words(0, 1, 0, 0), "v = Some {Some {__0 = 18446744073709551616}}"},
		{option(0, unreadable, nil), words(0, 1, 0, 0), "v <unreadable>"},
	} {
		if got := read(frameOf(memory{0x100: c.data}, at("v", 0x100, c.of))); got != c.want {
			t.Errorf("% x: %s, want %s", c.data, got, c.want)
		}
	}
}
