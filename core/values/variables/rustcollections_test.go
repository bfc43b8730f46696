package variables

import (
	"slices"
	"testing"

	"crashglass/core/values/types"
)

var u8 = inRust(base(types.Unsigned, "u8", 1))

// rustRawVec is what Rust's vectors keep their elements in since 1.83.
func rustRawVec(t *types.Type) *types.Type {
	unique := wrapped("core::ptr::unique::Unique<u8>", "pointer", wrapped("core::ptr::non_null::NonNull<u8>", "pointer", inRust(pointer(t))))
	inner := inRust(structure("alloc::raw_vec::RawVecInner<A>", 16, member("ptr", 0, unique), member("cap", 8, wrapped("core::num::niche_types::UsizeNoHighBit", "__0", usize))))
	return wrapped("alloc::raw_vec::RawVec<T, A>", "inner", inner)
}

func rustVecType(t *types.Type) *types.Type {
	return of(inRust(structure("alloc::vec::Vec<"+t.Name+", A>", 24, member("buf", 0, rustRawVec(t)), member("len", 16, usize))), t)
}

// visible shows a value without the members that Rust's types are made of. One
// that is not read as what it means has no others.
func visible(v *Value) string {
	plain := *v
	plain.Children = slices.DeleteFunc(slices.Clone(v.Children), func(c *Value) bool { return c.Raw })
	if len(plain.Children) == len(v.Children) {
		return v.Name + " by its members"
	}
	return shown([]*Value{&plain})
}

func checkVisible(t *testing.T, m memory, tests []library) {
	t.Helper()
	for _, test := range tests {
		if got := visible(Read(frameOf(m, test.v), Limits{})[0].Values[0]); got != test.want {
			t.Errorf("%s\nwant %s", got, test.want)
		}
		withLess(t, m, test.v)
		withoutMembers(t, m, test.v)
		withDamage(t, m, test.v)
		withLimits(t, m, test.v)
	}
}

// A vector's elements are found by its first pointer, however deep it lies.
func TestRustVectors(t *testing.T) {
	text := wrapped("alloc::string::String", "vec", rustVecType(u8))
	path := wrapped("std::path::PathBuf", "inner", wrapped("std::ffi::os_str::OsString", "inner", wrapped("Buf", "inner", rustVecType(u8))))
	heap := of(wrapped("alloc::collections::binary_heap::BinaryHeap<u32, A>", "data", rustVecType(u32)), u32)
	m := memory{
		0x100: words(0x1000, 4, 2), 0x1000: words(2<<32 | 1),
		0x200: words(0x2000, 8, 5), 0x2000: []byte("héro\xffmore"),
		0x300: words(1, 0, 0), // a pointer that dangles: nothing is allocated
		0x400: words(0x9000, 4, 2),
	}
	checkVisible(t, m, []library{
		{at("v", 0x100, rustVecType(u32)), "v = size=2 {[0] = 1, [1] = 2}"},
		{at("h", 0x100, heap), "h = size=2 {[0] = 1, [1] = 2}"},
		{at("s", 0x200, text), `s = "héro"`},
		{at("p", 0x200, path), `p = "héro"`},
		{at("none", 0x300, rustVecType(u32)), "none = size=0"},
		{at("none", 0x300, text), `none = ""`},
		{at("gone", 0x400, rustVecType(u32)), "gone by its members"},
		{at("gone", 0x400, text), "gone by its members"},
	})
}

// Slices and strings are an address and a length.
func TestRustSlices(t *testing.T) {
	m := memory{
		0x100: words(0x1000, 2), 0x1000: words(2<<32 | 1),
		0x200: words(0x2000, 4), 0x2000: []byte("abc\x00"),
		0x300: words(0x2000, 0), 0x400: words(0x2000, 1<<41), 0x500: words(0x9000, 2),
	}
	inner := wrapped("alloc::ffi::c_str::CString", "inner", rustRef("alloc::boxed::Box<[u8], A>", u8))
	checkVisible(t, m, []library{
		{at("s", 0x100, rustRef("&[u32]", u32)), "s = size=2 {[0] = 1, [1] = 2}"},
		{at("s", 0x100, rustRef("&mut [u32]", u32)), "s = size=2 {[0] = 1, [1] = 2}"},
		{at("s", 0x100, rustRef("alloc::boxed::Box<[u32], A>", u32)), "s = size=2 {[0] = 1, [1] = 2}"},
		{at("s", 0x500, rustRef("&[u32]", u32)), "s by its members"},
		{at("s", 0x400, rustRef("&[u32]", u32)), "s = size=2199023255552 <inconsistent>"},
		{at("t", 0x200, rustRef("&str", u8)), `t = "abc\0"`},
		{at("t", 0x300, rustRef("&mut str", u8)), `t = ""`},
		{at("t", 0x400, rustRef("&str", u8)), "t <inconsistent>"},
		{at("t", 0x200, rustRef("alloc::boxed::Box<str, A>", u8)), `t = "abc\0"`},
		{at("t", 0x200, rustRef("&std::path::Path", u8)), `t = "abc\0"`},
		{at("c", 0x200, rustRef("&core::ffi::c_str::CStr", u8)), `c = "abc"`}, // its length counts the zero
		{at("c", 0x200, inner), `c = "abc"`},
		{at("c", 0x300, inner), "c by its members"}, // it has a zero at least
	})
}

// The first node of a list is an Option of a pointer, and the type of a node is
// that of the list's marker.
func TestRustList(t *testing.T) {
	node := inRust(structure("alloc::collections::linked_list::Node<u32>", 24))
	link := inRust(structure("core::option::Option<NonNull<Node<u32>>>", 8, member("ptr", 0, inRust(pointer(node)))))
	node.Members = []types.Member{member("next", 0, link), member("prev", 8, link), member("element", 16, u32)}
	marker := of(inRust(structure("core::marker::PhantomData<Box<Node<u32>>>", 0)), inRust(pointer(node)))
	list := of(inRust(structure("alloc::collections::linked_list::LinkedList<u32, A>", 24, member("head", 0, link), member("tail", 8, link),
		member("len", 16, usize), member("marker", 24, marker))), u32)
	m := memory{
		0x100: words(0x1000, 0x1020, 2), 0x1000: words(0x1020, 0, 5), 0x1020: words(0, 0x1000, 6),
		0x200: words(0, 0, 0),
		0x300: words(0x9000, 0x9000, 1),
		0x400: words(0x1000, 0x1020, 3), // has fewer nodes than it says
	}
	checkVisible(t, m, []library{
		{at("l", 0x100, list), "l = size=2 {[0] = 5, [1] = 6}"},
		{at("l", 0x200, list), "l = size=0"},
		{at("l", 0x300, list), "l by its members"},
		{at("l", 0x400, list), "l = size=3 <inconsistent> {[0] = 5, [1] = 6}"},
	})
}

// hashbrown's buckets lie before their bytes of control, the first one last.
func rustHashTable(bucket *types.Type) *types.Type {
	inner := inRust(structure("hashbrown::raw::RawTableInner", 32, member("ctrl", 0, wrapped("NonNull<u8>", "pointer", inRust(pointer(u8)))), member("bucket_mask", 8, usize), member("growth_left", 16, usize), member("items", 24, usize)))
	return of(wrapped("hashbrown::raw::RawTable<T, A>", "table", inner), bucket)
}

func TestRustHash(t *testing.T) {
	pair := inRust(structure("(u32, u32)", 8, member("__0", 0, u32), member("__1", 4, u32)))
	unit := inRust(structure("(u32, ())", 4, member("__0", 0, u32), member("__1", 4, inRust(structure("()", 0)))))
	maps := wrapped("std::collections::hash::map::HashMap<u32, u32, S>", "base", wrapped("hashbrown::map::HashMap", "table", rustHashTable(pair)))
	set := wrapped("std::collections::hash::set::HashSet<u32, S>", "base", wrapped("hashbrown::set::HashSet", "map", wrapped("hashbrown::map::HashMap", "table", rustHashTable(unit))))
	const free, gone = 0xff, 0x80
	m := memory{
		// Four buckets, of which 0 and 2 are taken and 3 was deleted.
		0x100:  words(0x1020, 3, 1, 2),
		0x1000: append(words(40<<32|4, 30<<32|3, 20<<32|2, 10<<32|1), 0x11, free, 0x33, gone),
		0x200:  words(0x2010, 3, 1, 2),
		0x2000: append(words(3<<32|4, 1<<32|2), 0x11, free, 0x33, gone), // of four bytes
		0x300:  words(0x1021, 0, 0, 0),                                  // nothing is allocated
		0x400:  words(0x1020, 2, 0, 1),                                  // the number of buckets is no power of two
		0x500:  words(0x1020, 3, 0, 4),                                  // as many entries as buckets
		0x600:  words(0x9000, 3, 0, 1),
		0x700:  words(0x1020, 1<<33-1, 0, 1),
	}
	checkVisible(t, m, []library{
		{at("m", 0x100, maps), "m = size=2 {[0] {__0 = 1, __1 = 10}, [1] {__0 = 3, __1 = 30}}"},
		{at("s", 0x200, set), "s = size=2 {[0] = 1, [1] = 3}"},
		{at("m", 0x300, maps), "m = size=0"},
		{at("m", 0x400, maps), "m <inconsistent>"},
		{at("m", 0x500, maps), "m = size=4 <inconsistent>"},
		{at("m", 0x600, maps), "m by its members"},
		{at("m", 0x700, maps), "m <inconsistent>"},
	})
	few := Read(frameOf(m, at("m", 0x100, maps)), Limits{Elements: 1})[0].Values[0]
	if got := visible(few); got != "m = size=2 {[0] {__0 = 1, __1 = 10}} +1" {
		t.Error(got)
	}
}

// A set is a map to nothing: its keys are its elements.
func TestRustTreeSet(t *testing.T) {
	unit := inRust(structure("()", 0))
	uninit := func(t *types.Type) *types.Type {
		return of(inRust(&types.Type{Kind: types.Union, Name: "core::mem::maybe_uninit::MaybeUninit<T>", Size: sizeOf(t), Sized: true, Members: []types.Member{member("uninit", 0, unit), member("value", 0, t)}}), t)
	}
	leaf := inRust(structure("LeafNode<u32, ()>", 56, member("len", 0, base(types.Unsigned, "u16", 2)), member("keys", 4, array(uninit(u32), 11)),
		member("vals", 48, array(uninit(unit), 11))))
	ref := inRust(structure("NodeRef", 16, member("height", 0, usize), member("node", 8, wrapped("NonNull", "pointer", inRust(pointer(leaf))))))
	root := inRust(&types.Type{Kind: types.Struct, Name: "Option", Size: 16, Sized: true, Variants: &types.Variants{List: []types.Variant{{Member: member("Some", 0, structure("Some", 16, member("__0", 0, ref)))}}}})
	tree := inRust(structure("alloc::collections::btree::map::BTreeMap<u32, (), A>", 24, member("root", 0, root), member("length", 16, usize)))
	set := wrapped("alloc::collections::btree::set::BTreeSet<u32, A>", "map", tree)
	m := memory{
		0x100: words(0, 0x1000, 2), 0x1000: append(words(5<<32|2, 6), make([]byte, 40)...),
		0x200: words(0, 0x1000, 3),                                                           // has fewer keys than it says
		0x300: words(25, 0x1000, 2),                                                          // too high for a tree
		0x400: words(0, 0x2000, 12), 0x2000: append(words(5<<32|12, 6), make([]byte, 40)...), // a node has 11 keys at most
		0x500: words(0, 0x9000, 2),
		0x600: words(1, 0x1000, 2), // its children are not captured
	}
	checkVisible(t, m, []library{
		{at("s", 0x100, set), "s = size=2 {[0] = 5, [1] = 6}"},
		{at("s", 0x200, set), "s = size=3 <inconsistent> {[0] = 5, [1] = 6}"},
		{at("s", 0x300, set), "s <inconsistent>"},
		{at("s", 0x400, set), "s <inconsistent>"},
		{at("s", 0x500, set), "s by its members"},
		{at("s", 0x600, set), "s by its members"},
	})
}

// The value in an Arc is the member "data". A slice shows no counters.
func TestRustArc(t *testing.T) {
	counter := wrapped("core::sync::atomic::AtomicUsize", "v", wrapped("core::cell::UnsafeCell<usize>", "value", usize))
	inner := func(value *types.Type) *types.Type {
		return inRust(structure("ArcInner", 24, member("strong", 0, counter), member("weak", 8, counter), member("data", 16, value)))
	}
	number := rustRc("alloc::sync::Arc<u32, A>", u32, inRust(pointer(inner(u32))))
	weak := rustRc("alloc::sync::Weak<u32, A>", u32, inRust(pointer(inner(u32))))
	slice := rustRc("alloc::sync::Arc<[u32], A>", u32, rustRef("*const ArcInner<[u32]>", inner(u32)))
	m := memory{
		0x100: words(0x1000), 0x1000: words(2, 3, 21),
		0x200: words(0x2000, 2), 0x2000: words(1, 1, 2<<32|1),
		0x300: words(0x9000), 0x400: words(0x3000), 0x3000: words(1, 0, 21), // the strong ones are one of the weak ones
		0x500: words(0),
	}
	checkVisible(t, m, []library{
		{at("a", 0x100, number), "a = strong=2, weak=2 {data = 21}"},
		{at("w", 0x100, weak), "w = strong=2, weak=2 {data = 21}"},
		{at("s", 0x200, slice), "s = size=2 {[0] = 1, [1] = 2}"},
		{at("a", 0x300, number), "a by its members"},
		{at("a", 0x400, number), "a by its members"},
		{at("a", 0x500, number), "a by its members"},
		{at("w", 0x300, weak), "w by its members"},
	})
}

// Types that are one of their members, and cells that are not borrowed.
func TestRustWrappers(t *testing.T) {
	isize := inRust(base(types.Signed, "isize", 8))
	cell := inRust(structure("core::cell::RefCell<u32>", 16, member("borrow", 0, wrapped("core::cell::Cell<isize>", "value", isize)), member("value", 8, wrapped("core::cell::UnsafeCell<u32>", "value", u32))))
	mutex := inRust(structure("std::sync::poison::mutex::Mutex<u32>", 12, member("inner", 0, u32), member("poison", 4, u32), member("data", 8, wrapped("core::cell::UnsafeCell<u32>", "value", u32))))
	m := memory{0x100: words(0, 7), 0x200: words(0, 7)[:8]}
	checkVisible(t, m, []library{
		{at("c", 0x100, cell), "c {value = 7}"},
		{at("m", 0x100, mutex), "m = 7"},
		{at("w", 0x108, wrapped("core::num::wrapping::Wrapping<u32>", "__0", u32)), "w = 7"},
		{at("n", 0x108, wrapped("core::num::nonzero::NonZero<u32>", "__0", u32)), "n = 7"},
		{at("a", 0x108, wrapped("core::sync::atomic::AtomicU32", "v", u32)), "a = 7"},
		{at("m", 0x200, mutex), "m {value <not_captured>}"}, // its data is not captured
	})
}
