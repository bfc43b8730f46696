package variables

import (
	"strings"
	"testing"

	"crashglass/core/process/module"
	"crashglass/core/values/types"
)

// inLibcxx is a type of LLVM's library, by its headers in LLVM 20.
func inLibcxx(name string, size uint64, members ...types.Member) *types.Type {
	return structure("std::__1::"+name, size, members...)
}

// compressed is how LLVM kept a member and an allocator before version 20.
func compressed(t *types.Type) *types.Type {
	elem := structure("__compressed_pair_elem<T, 0>", sizeOf(t), member("__value_", 0, t))
	return structure("__compressed_pair<T, A>", sizeOf(t), types.Member{Base: true, Type: to(elem)})
}

// allocator is std::allocator<T>.
func allocator(t *types.Type) *types.Type { return of(structure("std::__1::allocator<T>", 1), t) }

// valued is a type whose template has a number as its next argument.
func valued(t *types.Type, n int64) *types.Type {
	t.Args = append(t.Args, types.Argument{Value: &n})
	return t
}

var (
	boolean1  = base(types.Bool, "bool", 1)
	shortPair = structure("std::__1::pair<const short, int>", 8,
		member("first", 0, base(types.Signed, "short", 2)), member("second", 4, integer))
)

// Nodes of a list have the previous and the next one before the value.
func TestLibcxxList(t *testing.T) {
	end := structure("__list_node_base", 16, member("__prev_", 0, pointer(nil)), member("__next_", 8, pointer(nil)))
	now := of(inLibcxx("list<int, A>", 24, member("__end_", 0, end), member("__size_", 16, size)), integer)
	old := of(inLibcxx("list<int, A>", 24, member("__end_", 0, end), member("__size_alloc_", 16, compressed(size))), integer)
	m := memory{
		0x100: words(0x1020, 0x1000, 2),
		0x200: words(0x200, 0x200, 0), // an empty one leads to itself
		0x300: words(0x1020, 0x9000, 2),
		0x400: words(0x1020, 0x1040, 3), // its first node ends where the dump ends

		0x1000: words(0x100, 0x1020, 5),
		0x1020: words(0x1000, 0x100, 6),
		0x1040: append(words(0x100, 0x9000), 7, 0, 0, 0),
	}
	check(t, m, []library{
		{at("l", 0x100, now), "l = size=2 {[0] = 5, [1] = 6}"},
		{at("l", 0x100, old), "l = size=2 {[0] = 5, [1] = 6}"},
		{at("empty", 0x200, now), "empty = size=0"},
		{at("gone", 0x300, now), "gone {__end_ {__prev_ = 0x0000000000001020, __next_ = 0x0000000000009000}, __size_ = 2}"},
		{at("cut", 0x400, now), "cut {__end_ {__prev_ = 0x0000000000001020, __next_ = 0x0000000000001040}, __size_ = 3}"},
	})
}

// A list that leads in one direction has no size: its nodes are counted.
func TestLibcxxForwardList(t *testing.T) {
	begin := structure("__forward_begin_node", 8, member("__next_", 0, pointer(nil)))
	now := of(inLibcxx("forward_list<long, A>", 8, member("__before_begin_", 0, begin)), long)
	old := of(inLibcxx("forward_list<long, A>", 8, member("__before_begin_", 0, compressed(begin))), long)
	m := memory{
		0x100: words(0x1000), 0x108: words(0), 0x110: words(0x2000),
		0x1000: words(0x1010, 5), 0x1010: words(0, 6),
		0x2000: words(0x2000, 7), // a circle has no end
	}
	check(t, m, []library{
		{at("l", 0x100, now), "l = size=2 {[0] = 5, [1] = 6}"},
		{at("l", 0x100, old), "l = size=2 {[0] = 5, [1] = 6}"},
		{at("empty", 0x108, now), "empty = size=0"},
		{at("circle", 0x110, now), "circle <inconsistent> {[0] = 7, __before_begin_ {__next_ = 0x0000000000002000}}"},
	})
}

// A block of a deque has 4096 bytes, or 16 elements of 256 bytes and more.
func TestLibcxxDeque(t *testing.T) {
	table := structure("__split_buffer", 32, member("__first_", 0, pointer(nil)), member("__begin_", 8, pointer(nil)), member("__end_", 16, pointer(nil)))
	deque := func(t *types.Type) *types.Type {
		return of(inLibcxx("deque<T, A>", 48, member("__map_", 0, table), member("__start_", 32, size), member("__size_", 40, size)), t)
	}
	large := structure("Large", 256, member("id", 0, long))
	block := func(n int, tail ...uint64) []byte { return append(make([]byte, n), words(tail...)...) }
	m := memory{
		0x100: words(0, 0x1008, 0x1018, 0, 511, 2), // the last of one block, and the first of the next
		0x200: words(0, 0x1008, 0x1018, 0, 15, 2),
		0x300: words(0, 0x1008, 0x1018, 0, 0, 1025), // more than the blocks have
		0x400: words(0, 0x1008, 0x1018, 0, ^uint64(0), 2),
		0x500: words(0, 0x1008, 0x1000, 0, 0, 1), // ends before it begins
		0x600: words(0, 0, 0, 0, 0, 0),

		0x1008: words(0x2000, 0x4000),
		0x2000: block(15*256, 8),
		0x2ff8: words(5),
		0x4000: words(6),
	}
	refused := func(begin, end, start, n string) string {
		return "d {__map_ {__first_ = 0x0000000000000000, __begin_ = " + begin + ", __end_ = " + end + "}, __start_ = " + start + ", __size_ = " + n + "}"
	}
	contradicts := func(n, members string) string {
		return strings.Replace(members, "d ", "d = size="+n+" <inconsistent> ", 1)
	}
	check(t, m, []library{
		{at("d", 0x100, deque(long)), "d = size=2 {[0] = 5, [1] = 6}"},
		{at("d", 0x200, deque(large)), "d = size=2 {[0] {id = 8}, [1] {id = 6}}"},
		{at("d", 0x300, deque(long)), contradicts("1025", refused("0x0000000000001008", "0x0000000000001018", "0", "1025"))},
		{at("d", 0x400, deque(long)), contradicts("2", refused("0x0000000000001008", "0x0000000000001018", "18446744073709551615", "2"))},
		{at("d", 0x500, deque(long)), contradicts("1", refused("0x0000000000001008", "0x0000000000001000", "0", "1"))},
		{at("d", 0x600, deque(long)), "d = size=0"},
		{at("d", 0x600, deque(nil)), refused("0x0000000000000000", "0x0000000000000000", "0", "0")},
	})
}

// libcxxTree is the tree of maps and sets, as it is and as it was.
func libcxxTree(old bool) *types.Type {
	end := structure("__tree_end_node", 8, member("__left_", 0, pointer(nil)))
	if old {
		return structure("__tree<T>", 24, member("__begin_node_", 0, pointer(end)), member("__pair1_", 8, compressed(end)), member("__pair3_", 16, compressed(size)))
	}
	return structure("__tree<T>", 24, member("__begin_node_", 0, pointer(end)), member("__end_node_", 8, end), member("__size_", 16, size))
}

// A node of a tree has left, right, parent and color before its value.
func TestLibcxxTree(t *testing.T) {
	node := func(left, right, parent uint64, value ...byte) []byte {
		return append(words(left, right, parent), append([]byte{1}, value...)...)
	}
	m := memory{
		// A tree of 2 with the children 1 and 4, whose left child is 3.
		0x100:  words(0x1100, 0x1000, 4),
		0x1000: node(0x1100, 0x1200, 0x108, 0, 0, 0, 2, 0, 0, 0),
		0x1100: node(0, 0, 0x1000, 0, 0, 0, 1, 0, 0, 0),
		0x1200: node(0x1300, 0, 0x1000, 0, 0, 0, 4, 0, 0, 0),
		0x1300: node(0, 0, 0x1200, 0, 0, 0, 3, 0, 0, 0),

		0x200:  words(0x2000, 0x2000, 1),
		0x2000: node(0, 0, 0x208, 0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0),

		0x300: words(0x308, 0, 0), // an empty one begins with its end
		0x500: words(0x9000, 0x9000, 1),
	}
	set := func(old bool) *types.Type {
		return of(inLibcxx("set<int, C, A>", 24, member("__tree_", 0, libcxxTree(old))), integer)
	}
	maps := of(inLibcxx("map<short, int, C, A>", 24, member("__tree_", 0, libcxxTree(false))), integer, integer, integer, allocator(shortPair))
	check(t, m, []library{
		{at("s", 0x100, set(false)), "s = size=4 {[0] = 1, [1] = 2, [2] = 3, [3] = 4}"},
		{at("s", 0x100, set(true)), "s = size=4 {[0] = 1, [1] = 2, [2] = 3, [3] = 4}"},
		{at("m", 0x200, maps), "m = size=1 {[0] {first = 7, second = 8}}"},
		{at("empty", 0x300, set(false)), "empty = size=0"},
		{at("gone", 0x500, set(false)), "gone {__tree_ {__begin_node_ = 0x0000000000009000, __end_node_ {__left_ = 0x0000000000009000}, __size_ = 1}}"},
	})
}

// Hashed containers have one list of nodes: the next one, the hash, the value.
func TestLibcxxHash(t *testing.T) {
	first := structure("__hash_node_base", 8, member("__next_", 0, pointer(nil)))
	now := structure("__hash_table<T>", 40, member("__first_node_", 16, first), member("__size_", 24, size))
	old := structure("__hash_table<T>", 40, member("__p1_", 16, compressed(first)), member("__p2_", 24, compressed(size)))
	m := memory{
		0x100:  words(0, 0, 0x1000, 2),
		0x1000: words(0x1020, 0xabc, 0x0000_000a_0000_0001), 0x1020: words(0, 0xdef, 0x0000_0014_0000_0002),
		0x200: words(0, 0, 0, 0),
		0x300: words(0, 0, 0x9000, 1),
	}
	maps := func(table *types.Type) *types.Type {
		return of(inLibcxx("unordered_map<short, int, H, E, A>", 40, member("__table_", 0, table)), integer, integer, integer, integer, allocator(shortPair))
	}
	set := of(inLibcxx("unordered_set<int, H, E, A>", 40, member("__table_", 0, now)), integer)
	check(t, m, []library{
		{at("m", 0x100, maps(now)), "m = size=2 {[0] {first = 1, second = 10}, [1] {first = 2, second = 20}}"},
		{at("m", 0x100, maps(old)), "m = size=2 {[0] {first = 1, second = 10}, [1] {first = 2, second = 20}}"},
		{at("s", 0x100, set), "s = size=2 {[0] = 1, [1] = 2}"},
		{at("empty", 0x200, set), "empty = size=0"},
		{at("gone", 0x300, set), "gone {__table_ {__first_node_ {__next_ = 0x0000000000009000}, __size_ = 1}}"},
	})
}

// A vector of bits counts them from the least significant of each word.
func TestLibcxxBits(t *testing.T) {
	bits := inLibcxx("vector<bool, A>", 24, member("__begin_", 0, pointer(size)), member("__size_", 8, size), member("__cap_", 16, size))
	m := memory{
		0x100: words(0x1000, 3, 1), 0x200: words(0x1000, 66, 2), 0x300: words(0x9000, 3, 1), 0x400: words(0x1000, 1<<41, 1), 0x500: words(0, 0, 0),
		0x1000: words(0b101, 0b10),
	}
	check(t, m, []library{
		{at("b", 0x100, bits), "b = size=3 {[0] = true, [1] = false, [2] = true}"},
		{at("none", 0x500, bits), "none = size=0"},
		{at("gone", 0x300, bits), "gone {__begin_ = 0x0000000000009000, __size_ = 3, __cap_ = 1}"},
		{at("huge", 0x400, bits), "huge = size=2199023255552 <inconsistent> {__begin_ = 0x0000000000001000, __size_ = 2199023255552, __cap_ = 1}"},
	})
	all := Read(frameOf(m, at("b", 0x200, bits)), Limits{})[0].Values[0].Children
	if got := shown(all[63:]); got != "[63] = false, [64] = false, [65] = true" {
		t.Errorf("the second word: %s", got)
	}
	few := Read(frameOf(m, at("b", 0x200, bits)), Limits{Elements: 2})[0].Values
	if got := shown(few); got != "b = size=66 {[0] = true, [1] = false} +64" {
		t.Error(got)
	}
}

// A bitset keeps its bits in itself, and the template says how many there are.
func TestLibcxxBitset(t *testing.T) {
	bitset := func(n int64, words *types.Type) *types.Type {
		data := structure("__bitset<N>", sizeOf(words), member("__first_", 0, words))
		return valued(inLibcxx("bitset<N>", sizeOf(words), types.Member{Base: true, Type: to(data)}), n)
	}
	m := memory{0x100: words(0b1001, 1)}
	check(t, m, []library{
		{at("b", 0x100, bitset(4, size)), "b = size=4 {[0] = true, [1] = false, [2] = false, [3] = true}"},
		{at("b", 0x100, bitset(65, size)), "b {__bitset<N> {__first_ = 9}}"}, // has 64
		{at("b", 0x100, bitset(-1, size)), "b {__bitset<N> {__first_ = 9}}"},
	})
	last := Read(frameOf(m, at("b", 0x100, bitset(65, array(size, 2)))), Limits{})[0].Values[0].Children
	if got := shown(last[63:]); got != "[63] = false, [64] = true" {
		t.Error(got)
	}
}

// Values that hold one of several, or some of each.
func TestLibcxxSums(t *testing.T) {
	storage := union(member("__head", 0, char))
	impl := structure("__impl", 16, member("__data", 0, storage), member("__index", 8, uint32T))
	variant := of(inLibcxx("variant<int, double>", 16, member("__impl_", 0, impl)), integer, double)
	leaf := func(name string, t *types.Type) *types.Type {
		return structure(name, sizeOf(t), member("__value_", 0, t))
	}
	parts := structure("__tuple_impl", 16,
		types.Member{Base: true, Type: to(leaf("__tuple_leaf<0, int>", integer))},
		types.Member{Base: true, Offset: 8, Type: to(leaf("__tuple_leaf<1, double>", double))},
		types.Member{Base: true, Type: to(structure("__tuple_leaf<2, E, true>", 1, types.Member{Base: true, Type: to(structure("E", 1))}))})
	no := int64(0)
	nothing := of(inLibcxx("array<int, 0>", 4, member("__elems_", 0, array(char, 4))), integer)
	nothing.Args = append(nothing.Args, types.Argument{Value: &no})
	tuple := inLibcxx("tuple<int, double>", 16, member("__base_", 0, parts))
	payload := structure("__optional_destruct_base", 8, types.Member{Type: to(union(member("__null_state_", 0, char), member("__val_", 0, integer)))},
		member("__engaged_", 4, boolean1))
	optional := inLibcxx("optional<int>", 8, types.Member{Base: true, Type: to(payload)})
	m := memory{
		0x100: words(7, 0), 0x110: words(0x4004_0000_0000_0000, 1), 0x120: words(0, 0xffff_ffff), 0x130: words(0, 2),
		0x200: words(7, 0x3ff8_0000_0000_0000),
		0x300: words(1<<32 | 5), 0x308: words(5), 0x310: words(2<<32 | 5),
	}
	check(t, m, []library{
		{at("v", 0x100, variant), "v {Value = 7}"},
		{at("v", 0x110, variant), "v {Value = 2.5}"},
		{at("none", 0x120, variant), "none {__impl_ {__data {__head = '\\0'}, __index = 4294967295}}"},
		{at("third", 0x130, variant), "third <inconsistent> {__impl_ {__data {__head = '\\0'}, __index = 2}}"},
		{at("t", 0x200, tuple), "t {[0] = 7, [1] = 1.5, [2]}"},
		{at("a", 0x200, nothing), "a"},
		{at("o", 0x300, optional), "o {Value = 5}"},
		{at("o", 0x308, optional), "o"},
	})
}

// Those that refer to elements elsewhere, or wrap another type.
func TestLibcxxReferences(t *testing.T) {
	span := inLibcxx("span<int, 18446744073709551615UL>", 16, member("__data_", 0, pointer(integer)), member("__size_", 8, size))
	fixed := valued(of(inLibcxx("span<int, 2UL>", 8, member("__data_", 0, pointer(integer))), integer), 2)
	list := inLibcxx("initializer_list<int>", 16, member("__begin_", 0, pointer(integer)), member("__size_", 8, size))
	view := inLibcxx("basic_string_view<char, T>", 16, member("__data_", 0, pointer(char)), member("__size_", 8, size))
	elems := inLibcxx("array<int, 2UL>", 8, member("__elems_", 0, array(integer, 2)))
	iter := inLibcxx("__wrap_iter<int *>", 8, member("__i_", 0, pointer(integer)))
	atomic := inLibcxx("atomic<int>", 4, types.Member{Base: true, Type: to(structure("__atomic_base<int>", 4, member("__a_", 0, structure("__cxx_atomic_impl<int>", 4, member("__a_value", 0, integer)))))})
	unique := inLibcxx("unique_ptr<int, D>", 8, member("__ptr_", 0, compressed(pointer(integer))))
	shared := inLibcxx("shared_ptr<int>", 16, member("__ptr_", 0, pointer(integer)), member("__cntrl_", 8, pointer(nil)))
	ref := inLibcxx("reference_wrapper<int>", 8, member("__f_", 0, pointer(integer)))
	vector := inLibcxx("vector<int, A>", 24, member("__begin_", 0, pointer(integer)), member("__end_", 8, pointer(integer)), member("__cap_", 16, pointer(integer)))
	stack := inLibcxx("stack<int>", 24, member("c", 0, vector))
	millis := inLibcxx("chrono::duration<long long, std::__1::ratio<1L, 1000L> >", 8, member("__rep_", 0, long))
	point := inLibcxx("chrono::time_point<C, D>", 8, member("__d_", 0, millis))
	m := memory{0x100: words(0x1000, 2), 0x1000: words(0x0000_0002_0000_0001), 0x200: words(0x1000, 0x1008, 0x1010), 0x300: words(0x2000, 3), 0x2000: []byte("abc"), 0x400: words(0x9000, 1)}
	check(t, m, []library{
		{at("s", 0x100, span), "s = size=2 {[0] = 1, [1] = 2}"},
		{at("f", 0x100, fixed), "f = size=2 {[0] = 1, [1] = 2}"},
		{at("l", 0x100, list), "l = size=2 {[0] = 1, [1] = 2}"},
		{at("v", 0x300, view), `v = "abc"`},
		{at("a", 0x1000, elems), "a {[0] = 1, [1] = 2}"},
		{at("i", 0x100, iter), "i {item = 1, __i_ = 0x0000000000001000}"},
		{at("past", 0x400, iter), "past {__i_ = 0x0000000000009000}"},
		{at("n", 0x1000, atomic), "n = 1 {__atomic_base<int> {__a_ {__a_value = 1}}}"},
		{at("u", 0x100, unique), "u {pointer = 0x0000000000001000}"},
		{at("p", 0x100, shared), "p {pointer = 0x0000000000001000}"},
		{at("r", 0x100, ref), "r {pointer = 0x0000000000001000}"},
		{at("q", 0x200, stack), "q = size=2 {[0] = 1, [1] = 2}"},
		{at("d", 0x108, millis), "d = 2 ms {__rep_ = 2}"},
		{at("w", 0x108, point), "w = 2 ms {__rep_ = 2, __d_ = 2 ms {__rep_ = 2}}"},
	})
}

// vtableNames is a source that knows the classes of vtables by their addresses.
type vtableNames struct {
	scopes
	names   map[uint64]string
	classes map[string]*types.Type
	words   map[uint64]uint64
}

func (v vtableNames) symbols() Symbols { return Symbols{Scopes: v.scopes, Classes: v} }

func (v vtableNames) Class(name string) *types.Type { return v.classes[name] }

func (v vtableNames) TypeNamed(name string) *types.Type { return v.classes[name] }

func (v vtableNames) VtableAt(rel uint64) (string, uint64) {
	for start, name := range v.names {
		if rel >= start && rel < start+0x100 {
			return name, start
		}
	}
	return "", 0
}

func (v vtableNames) VtableWord(rel uint64) (uint64, bool) { w, ok := v.words[rel]; return w, ok }

// A function object calls what the class of its target says.
func TestLibcxxFunction(t *testing.T) {
	held := structure("__value_func<void ()>", 32, member("__f_", 24, pointer(nil)))
	function := inLibcxx("function<void ()>", 32, member("__f_", 0, held))
	m := memory{0x118: words(0x200), 0x200: words(0x40_5010), 0x138: words(0), 0x158: words(0x9000), 0x178: words(0x208), 0x208: words(0x40_6000)}
	const class = "std::__1::__function::__func<main::$_0, A, void ()>"
	for _, tt := range []struct {
		at   uint64
		want string
	}{
		{0x100, "f = " + class + " {__f_ {__f_ = 0x0000000000000200}}"},
		{0x120, "f = empty {__f_ {__f_ = 0x0000000000000000}}"},
		{0x140, "f {__f_ {__f_ = 0x0000000000009000}}"}, // not captured
		{0x160, "f {__f_ {__f_ = 0x0000000000000208}}"}, // no vtable
	} {
		f := frameOf(m)
		f.Module = &module.Module{Base: 0x40_0000}
		f.Symbols = vtableNames{scopes: scopes{at("f", tt.at, function)}, names: map[uint64]string{0x5000: class}}.symbols()
		if got := read(f); got != tt.want {
			t.Errorf("%#x: %s\nwant %s", tt.at, got, tt.want)
		}
	}
}

// The name of the function that handles a std::any has the type that it holds.
func TestLibcxxAny(t *testing.T) {
	holder := inLibcxx("any", 32, member("__h_", 0, pointer(nil)))
	m := memory{0x100: words(0x5000), 0x108: words(0), 0x110: words(0x6000), 0x118: words(0x7000), 0x120: words(0x8000)}
	names := map[uint64]string{
		0x5000: "void* std::__1::__any_imp::_SmallHandler<int>::__handle[abi:v160006](std::__1::__any_imp::_Action)",
		0x6000: "std::__1::__any_imp::_LargeHandler<std::__1::vector<int, A> >::__handle",
		0x7000: "main",
	}
	for at0, want := range map[uint64]string{
		0x100: "a = holds int {__h_ = 0x0000000000005000 (" + names[0x5000] + ")}",
		0x108: "a = empty {__h_ = 0x0000000000000000}",
		0x110: "a = holds std::__1::vector<int, A> {__h_ = 0x0000000000006000 (" + names[0x6000] + ")}",
		0x118: "a {__h_ = 0x0000000000007000 (main)}",
		0x120: "a {__h_ = 0x0000000000008000}",
	} {
		f := frameOf(m, at("a", at0, holder))
		f.Describe = func(addr uint64) string { return names[addr] }
		if got := read(f); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	if got := read(frameOf(m, at("a", 0x100, holder))); got != "a {__h_ = 0x0000000000005000}" {
		t.Errorf("nothing is known of addresses: %s", got)
	}
}
