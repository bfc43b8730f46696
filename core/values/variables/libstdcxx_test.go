package variables

import (
	"strings"
	"testing"

	"crashglass/core/values/types"
)

// inGNU is a type of GNU's library.
func inGNU(name string, size uint64, members ...types.Member) *types.Type {
	return structure("std::"+name, size, members...)
}

// impl wraps a container's members as GNU's library does.
func impl(t *types.Type) types.Member { return member("_M_impl", 0, t) }

// A list is a ring of nodes: the next one, the previous one, the value. The ring
// begins in the list, which has the size in the place of a value.
func TestGNUList(t *testing.T) {
	list := func(name string, counter *types.Type) *types.Type {
		node := structure("_List_node_header", 24, member("_M_next", 0, pointer(nil)), member("_M_prev", 8, pointer(nil)), member(name, 16, counter))
		return of(inGNU("__cxx11::list<int, A>", 24, impl(structure("_List_impl", 24, member("_M_node", 0, node)))), integer)
	}
	membuf := structure("__gnu_cxx::__aligned_membuf<unsigned long>", 8, member("_M_storage", 0, array(base(types.Unsigned, "unsigned char", 1), 8)))
	m := memory{
		0x100:  words(0x1000, 0x1020, 2),
		0x1000: words(0x1020, 0x100, 5), 0x1020: words(0x100, 0x1000, 6),
		0x200:  words(0x200, 0x200, 0),
		0x300:  words(0x9000, 0x9000, 2), // its nodes are not captured
		0x400:  words(0x2000, 0x2000, 3), // leads into a circle that it is not in
		0x2000: words(0x2000, 0x2000, 7),
	}
	now := list("_M_size", size)
	check(t, m, []library{
		{at("l", 0x100, now), "l = size=2 {[0] = 5, [1] = 6}"},
		{at("l", 0x100, list("_M_data", size)), "l = size=2 {[0] = 5, [1] = 6}"},      // GCC 5 to 7, C++98
		{at("l", 0x100, list("_M_storage", membuf)), "l = size=2 {[0] = 5, [1] = 6}"}, // and C++11
		{at("empty", 0x200, now), "empty = size=0"},
		{at("gone", 0x300, now), "gone {_M_impl {_M_node {_M_next = 0x0000000000009000, _M_prev = 0x0000000000009000, _M_size = 2}}}"},
		{at("circle", 0x400, now), "circle = size=3 <inconsistent> {[0] = 7, _M_impl {_M_node {_M_next = 0x0000000000002000, _M_prev = 0x0000000000002000, _M_size = 3}}}"},
	})
}

// A forward list says no size: its nodes are counted.
func TestGNUForwardList(t *testing.T) {
	head := structure("_Fwd_list_node_base", 8, member("_M_next", 0, pointer(nil)))
	list := of(inGNU("forward_list<int, A>", 8, impl(structure("_Fwd_list_impl", 8, member("_M_head", 0, head)))), integer)
	m := memory{
		0x100: words(0x1000), 0x108: words(0), 0x110: words(0x2000), 0x118: words(0x9000),
		0x1000: words(0x1010, 5), 0x1010: words(0, 6),
		0x2000: words(0x2000, 7),
	}
	raw := func(to string) string { return "l {_M_impl {_M_head {_M_next = " + to + "}}}" }
	check(t, m, []library{
		{at("l", 0x100, list), "l = size=2 {[0] = 5, [1] = 6}"},
		{at("l", 0x108, list), "l = size=0"},
		{at("l", 0x110, list), strings.Replace(raw("0x0000000000002000"), "l {", "l <inconsistent> {[0] = 7, ", 1)}, // a circle
		{at("l", 0x118, list), raw("0x0000000000009000")},                                                           // not captured
	})
	few := Read(frameOf(m, at("l", 0x100, list)), Limits{Elements: 1})[0].Values
	if got := shown(few); got != "l = size=2 {[0] = 5} +1" {
		t.Error(got)
	}
}

// A deque has buffers of 512 bytes, or of one element that is larger. Its map
// has their addresses.
func TestGNUDeque(t *testing.T) {
	iter := structure("_Deque_iterator", 32, member("_M_cur", 0, pointer(nil)), member("_M_first", 8, pointer(nil)), member("_M_last", 16, pointer(nil)),
		member("_M_node", 24, pointer(nil)))
	data := structure("_Deque_impl_data", 80, member("_M_start", 16, iter), member("_M_finish", 48, iter))
	deque := func(t *types.Type) *types.Type {
		return of(inGNU("deque<T, A>", 80, impl(structure("_Deque_impl", 80, types.Member{Base: true, Type: to(data)}))), t)
	}
	large := structure("Large", 600, member("id", 0, long))
	between := func(cur, node, lastCur, lastFirst, lastNode uint64) []byte {
		return words(0, 0, cur, cur&^0xfff, 0, node, lastCur, lastFirst, 0, lastNode)
	}
	m := memory{
		// From the last of the 64 longs of the first buffer to the first of the second.
		0x100:            between(0x10_0000+63*8, 0x2000, 0x11_0008, 0x11_0000, 0x2008),
		0x2000:           words(0x10_0000, 0x11_0000),
		0x10_0000 + 63*8: words(5),
		0x11_0000:        words(6),

		0x200:     between(0x12_0000, 0x2100, 0x13_0000, 0x13_0000, 0x2108), // one buffer, full
		0x2100:    words(0x12_0000, 0x13_0000),
		0x12_0000: words(8),

		0x300: between(0x10_0000, 0x2000, 0x10_0000, 0x10_0000, 0x2000), // empty
		0x400: between(0x10_0010, 0x2000, 0x10_0008, 0x10_0000, 0x2000), // ends before it begins
		0x500: between(0x10_0000, 0x2008, 0x10_0000, 0x10_0000, 0x2000), // in an earlier buffer
		0x600: between(0x10_0000, 0x9000, 0x10_0008, 0x10_0000, 0x9000), // the map is not captured
		0x700: between(0x10_0000, 0, 0x10_0008, 0x10_0000, 1<<33),       // more buffers than memory has
	}
	said := map[uint64]bool{0x100: true, 0x300: true}
	for at0 := uint64(0x100); at0 <= 0x700; at0 += 0x100 {
		v := Read(frameOf(m, at("d", at0, deque(long))), Limits{})[0].Values[0]
		if at0 != 0x200 && (v.State == Known && v.Said) != said[at0] {
			t.Errorf("%#x: %s", at0, shown([]*Value{v}))
		}
	}
	check(t, m, []library{
		{at("d", 0x100, deque(long)), "d = size=2 {[0] = 5, [1] = 6}"},
		{at("d", 0x200, deque(large)), "d = size=1 {[0] {id = 8}}"},
		{at("d", 0x300, deque(long)), "d = size=0"},
	})
}

// The buffers of a deque are in its map. One that was not constructed yet has no map.
func TestGNUDequeMap(t *testing.T) {
	iter := structure("_Deque_iterator", 32, member("_M_cur", 0, pointer(nil)), member("_M_first", 8, pointer(nil)), member("_M_last", 16, pointer(nil)),
		member("_M_node", 24, pointer(nil)))
	data := structure("_Deque_impl_data", 80, member("_M_map", 0, pointer(nil)), member("_M_map_size", 8, size), member("_M_start", 16, iter), member("_M_finish", 48, iter))
	deque := of(inGNU("deque<T, A>", 80, impl(structure("_Deque_impl", 80, types.Member{Base: true, Type: to(data)}))), long)
	for _, test := range []struct {
		name                                 string
		rows, cur, first, lastCur, lastFirst uint64
		state                                State
		text, why                            string
	}{
		{"two rows", 2, 0, 0x10_0000, 8, 0x11_0000, Known, "size=65", ""},
		{"one row", 1, 0, 0x10_0000, 8, 0x11_0000, Inconsistent, "size=65", "the size 65 is not plausible: its buffers are not in the map of 1"},
		{"another buffer", 2, 0, 0x10_0000, 8, 0x12_0000, Inconsistent, "size=65", "the size 65 is not plausible: it begins or ends in a buffer that is not in its map"},
		{"ends behind its buffer", 2, 0, 0x10_0000, 1 << 37, 0x11_0000, Inconsistent, "size=17179869248",
			"the size 17179869248 is not plausible: it begins or ends outside its buffers of 64"},
		{"begins behind its buffer", 2, 64 * 8, 0x10_0000, 8, 0x11_0000, Inconsistent, "size=1", "the size 1 is not plausible: it begins or ends outside its buffers of 64"},
	} {
		m := memory{
			0x100: words(0x2000, test.rows, test.first+test.cur, test.first, 0x10_0200, 0x2000,
				test.lastFirst+test.lastCur, test.lastFirst, test.lastFirst+0x200, 0x2008),
			0x2000:    words(0x10_0000, 0x11_0000),
			0x10_0000: make([]byte, 512), 0x11_0000: make([]byte, 512),
		}
		v := Read(frameOf(m, at("d", 0x100, deque)), Limits{})[0].Values[0]
		if v.State != test.state || v.Text != test.text || v.Why != test.why {
			t.Errorf("%s: %s %s, %q", test.name, v.State, v.Text, v.Why)
		}
	}
	check(t, memory{0x100: make([]byte, 80)}, []library{{at("d", 0x100, deque), "d = size=0"}})
}

// Hashed containers have one list of nodes: the next one, and the value.
func TestGNUHash(t *testing.T) {
	table := func(value *types.Type) *types.Type {
		before := structure("_Hash_node_base", 8, member("_M_nxt", 0, pointer(nil)))
		return of(structure("_Hashtable<K, V>", 56, member("_M_before_begin", 16, before), member("_M_element_count", 24, size)), integer, value)
	}
	maps := inGNU("unordered_map<short, int>", 56, member("_M_h", 0, table(shortPair)))
	set := inGNU("unordered_multiset<int>", 56, member("_M_h", 0, table(integer)))
	m := memory{
		0x100:  words(0, 0, 0x1000, 2),
		0x1000: words(0x1020, 0x0000_000a_0000_0001), 0x1020: words(0, 0x0000_0014_0000_0002),
		0x200: words(0, 0, 0, 0),
		0x300: words(0, 0, 0x9000, 1),
		0x400: words(0, 0, 0x1030, 1), 0x1030: words(0x9000)[:7], // the node's first word is cut short
	}
	raw := func(next, n string) string {
		return "s {_M_h {_M_before_begin {_M_nxt = " + next + "}, _M_element_count = " + n + "}}"
	}
	check(t, m, []library{
		{at("m", 0x100, maps), "m = size=2 {[0] {first = 1, second = 10}, [1] {first = 2, second = 20}}"},
		{at("s", 0x100, set), "s = size=2 {[0] = 1, [1] = 2}"},
		{at("s", 0x200, set), "s = size=0"},
		{at("s", 0x300, set), raw("0x0000000000009000", "1")},
		{at("s", 0x400, set), raw("0x0000000000001030", "1")},
	})
}

// A vector of bits ends at a bit of a word.
func TestGNUBits(t *testing.T) {
	iter := structure("_Bit_iterator", 16, member("_M_p", 0, pointer(size)), member("_M_offset", 8, uint32T))
	bits := inGNU("vector<bool, A>", 40, impl(structure("_Bvector_impl", 40, member("_M_start", 0, iter), member("_M_finish", 16, iter))))
	m := memory{
		0x100: words(0x1000, 0, 0x1000, 3), 0x200: words(0x1000, 0, 0x1008, 2),
		0x300:  words(0x1008, 0, 0x1000, 2), // ends before it begins
		0x400:  words(0x1000, 1, 0x1000, 3), // a vector begins with a word
		0x500:  words(0x9000, 0, 0x9000, 3),
		0x1000: words(0b101, 0b10),
	}
	raw := func(from, first, to, last string) string {
		return "b {_M_impl {_M_start {_M_p = 0x000000000000" + from + ", _M_offset = " + first + "}, _M_finish {_M_p = 0x000000000000" + to + ", _M_offset = " + last + "}}}"
	}
	check(t, m, []library{
		{at("b", 0x100, bits), "b = size=3 {[0] = true, [1] = false, [2] = true}"},
		{at("b", 0x300, bits), strings.Replace(raw("1008", "0", "1000", "2"), "b", "b <inconsistent>", 1)},
		{at("b", 0x400, bits), strings.Replace(raw("1000", "1", "1000", "3"), "b", "b <inconsistent>", 1)},
		{at("b", 0x500, bits), raw("9000", "0", "9000", "3")},
	})
	v := Read(frameOf(m, at("b", 0x200, bits)), Limits{})[0].Values[0]
	if got := shown(v.Children[63:]); v.Text != "size=66" || got != "[63] = false, [64] = false, [65] = true" {
		t.Errorf("the second word: %s, %s", v.Text, got)
	}
}

// A string of before GCC 5 has its length three words before its characters.
func TestGNUStrings(t *testing.T) {
	hider := structure("_Alloc_hider", 8, member("_M_p", 0, pointer(char)))
	old := of(inGNU("basic_string<char, T, A>", 8, member("_M_dataplus", 0, hider)), char)
	view := of(inGNU("basic_string_view<char, T>", 16, member("_M_len", 0, size), member("_M_str", 8, pointer(char))), char)
	wide := of(inGNU("__cxx11::basic_string<char16_t, T, A>", 32, member("_M_dataplus", 0, hider), member("_M_string_length", 8, size)), wide16)
	m := memory{
		0x100: words(0x1018), 0x108: words(0), 0x110: words(0x9000),
		0x1000: append(words(3, 8, 0), "abcd"...),
		0x200:  words(2, 0x1018), 0x210: words(0, 0), 0x220: words(1<<41, 0x1018),
		0x300: words(0x2000, 2), 0x2000: {'h', 0, 0xe9, 0},
	}
	check(t, m, []library{
		{at("s", 0x100, old), `s = "abc"`},
		{at("s", 0x108, old), "s {_M_dataplus {_M_p = 0x0000000000000000}}"},
		{at("s", 0x110, old), "s {_M_dataplus {_M_p = 0x0000000000009000}}"},
		{at("v", 0x200, view), `v = "ab" {_M_len = 2, _M_str = 0x0000000000001018 "abcd"…}`},
		{at("v", 0x210, view), `v = "" {_M_len = 0, _M_str = 0x0000000000000000}`},
		{at("w", 0x300, wide), `w = u"hé" {_M_dataplus {_M_p = 0x0000000000002000 "h"}, _M_string_length = 2}`},
	})
	if got := Read(frameOf(m, at("v", 0x220, view)), Limits{})[0].Values[0]; got.State != Inconsistent {
		t.Errorf("longer than memory: %s", shown([]*Value{got}))
	}
}

// headBase is the base that keeps one element of a tuple.
func headBase(n string, t *types.Type) *types.Type {
	return structure("std::_Head_base<"+n+", T, false>", sizeOf(t), member("_M_head_impl", 0, t))
}

// Values that hold one of several, or some of each.
func TestGNUSums(t *testing.T) {
	payload := structure("_Optional_payload", 8, member("_M_payload", 0, union(member("_M_empty", 0, char), member("_M_value", 0, integer))), member("_M_engaged", 4, boolean1))
	optional := inGNU("optional<int>", 8, member("_M_payload", 0, payload))
	variant := of(inGNU("variant<int, double>", 16, member("_M_u", 0, union(member("_M_first", 0, char))),
		member("_M_index", 8, base(types.Unsigned, "unsigned char", 1))), integer, double)
	none := structure("std::_Head_base<2, E, true>", 1, types.Member{Base: true, Type: to(structure("E", 1))})
	tuple := inGNU("tuple<double, int, E>", 16, types.Member{Base: true, Type: to(structure("std::_Tuple_impl<0, double, int, E>", 16,
		types.Member{Base: true, Type: to(structure("std::_Tuple_impl<1, int, E>", 4, types.Member{Base: true, Type: to(structure("std::_Tuple_impl<2, E>", 1, types.Member{Base: true, Type: to(none)}))},
			types.Member{Base: true, Type: to(headBase("1", integer))}))},
		types.Member{Base: true, Offset: 8, Type: to(headBase("0", double))}))}) // GCC says nothing of its arguments
	m := memory{
		0x100: words(1<<32 | 5), 0x108: words(5), 0x110: words(2<<32 | 5),
		0x200: words(7, 0), 0x210: words(0x4004_0000_0000_0000, 1), 0x220: words(7, 0xff),
		0x300: words(7, 0x3ff8_0000_0000_0000),
	}
	check(t, m, []library{
		{at("o", 0x100, optional), "o {Value = 5}"},
		{at("o", 0x108, optional), "o"},
		{at("o", 0x110, optional), "o <inconsistent> {_M_payload {_M_payload {_M_empty = '\\x05', _M_value = 5}, _M_engaged = true}}"},
		{at("v", 0x200, variant), "v {Value = 7}"},
		{at("v", 0x210, variant), "v {Value = 2.5}"},
		{at("v", 0x220, variant), "v {_M_u {_M_first = '\\a'}, _M_index = '\\xff'}"}, // valueless by exception
	})
	if got := Read(frameOf(m, at("t", 0x300, tuple)), Limits{})[0].Values[0].Children[:3]; shown(got) != "[0] = 1.5, [1] = 7, [2]" {
		t.Error(shown(got))
	}
}

// Those that refer to elements elsewhere, or own them.
func TestGNUReferences(t *testing.T) {
	thing := structure("Thing", 8, member("id", 0, long))
	elements := structure("std::tuple<Thing *, D>", 8, types.Member{Base: true, Type: to(structure("std::_Tuple_impl<0, Thing *, D>", 8, types.Member{Base: true, Type: to(headBase("0", pointer(thing)))}))})
	unique := inGNU("unique_ptr<Thing, D>", 8, member("_M_t", 0, structure("std::__uniq_ptr_data<T, D>", 8, types.Member{Base: true, Type: to(structure("std::__uniq_ptr_impl<T, D>", 8, member("_M_t", 0, elements)))})))
	older := inGNU("unique_ptr<Thing, D>", 8, member("_M_t", 0, elements))
	shared := inGNU("shared_ptr<Thing>", 16, types.Member{Base: true, Type: to(structure("std::__shared_ptr<T>", 16, member("_M_ptr", 0, pointer(thing))))})
	extents := structure("__extent_storage<N>", 8, member("_M_extent_value", 0, size))
	span := inGNU("span<int, 18446744073709551615>", 16, member("_M_ptr", 0, pointer(integer)), member("_M_extent", 8, extents))
	fixed := valued(of(inGNU("span<int, 2>", 8, member("_M_ptr", 0, pointer(integer))), integer), 2)
	iter := structure("__gnu_cxx::__normal_iterator<int *, V>", 8, member("_M_current", 0, pointer(integer)))
	bitset := valued(inGNU("bitset<3>", 8, types.Member{Base: true, Type: to(structure("_Base_bitset<1>", 8, member("_M_w", 0, size)))}), 3)
	m := memory{0x100: words(0x1000, 2), 0x1000: words(0x0000_0002_0000_0001), 0x200: words(0)}
	check(t, m, []library{
		{at("u", 0x100, unique), "u {pointer = 0x0000000000001000 {id = 8589934593}}"},
		{at("u", 0x100, older), "u {pointer = 0x0000000000001000 {id = 8589934593}}"},
		{at("u", 0x200, unique), "u {pointer = nullptr}"},
		{at("p", 0x100, shared), "p {pointer = 0x0000000000001000 {id = 8589934593}}"},
		{at("s", 0x100, span), "s = size=2 {[0] = 1, [1] = 2}"},
		{at("f", 0x100, fixed), "f = size=2 {[0] = 1, [1] = 2}"},
		{at("i", 0x100, iter), "i {item = 1, _M_current = 0x0000000000001000}"},
		{at("b", 0x100, bitset), "b = size=3 {[0] = false, [1] = false, [2] = false}"},
		{at("b", 0x1000, bitset), "b = size=3 {[0] = true, [1] = false, [2] = false}"},
	})
}

// A tree is read in the order of its keys, whatever its shape.
func TestGNUTrees(t *testing.T) {
	node := func(parent, left, right, key, value uint64) []byte {
		return words(1, parent, left, right, value<<32|key)
	}
	m := memory{
		// 2 with the children 1 and 4; 3 is the left child of 4. The header is at 0x708.
		0x700:  words(0, 0, 0x1000, 0x1100, 0x1200, 4),
		0x1000: node(0x708, 0x1100, 0x1200, 2, 20),
		0x1100: node(0x1000, 0, 0, 1, 10),
		0x1200: node(0x1000, 0x1300, 0, 4, 40),
		0x1300: node(0x1200, 0, 0, 3, 30),

		0x800: words(0, 0, 0, 0x808, 0x808, 0), // empty
		0x900: words(0, 0, 0x9000, 0x9000, 0x9000, 1),
		0xa00: words(0, 0, 0x2000, 0x2000, 0x2000, 2), 0x2000: node(0xa08, 0, 0x9000, 1, 10), // the second is not captured
	}
	raw := func(to, n string) string {
		return "m {_M_t {_M_impl {_M_header {_M_color = 0, _M_parent = " + to + ", _M_left = " + to + ", _M_right = " + to + "}, _M_node_count = " + n + "}}}"
	}
	check(t, m, []library{
		{at("m", 0x700, gnuMapType()), "m = size=4 {[0] {first = 1, second = 10}, [1] {first = 2, second = 20}, [2] {first = 3, second = 30}, [3] {first = 4, second = 40}}"},
		{at("m", 0x800, gnuMapType()), "m = size=0"},
		{at("m", 0x900, gnuMapType()), raw("36864", "1")},
		{at("m", 0xa00, gnuMapType()), raw("8192", "2")},
	})
}

// The name of the function that invokes or manages has the type of the content.
func TestGNUFunctions(t *testing.T) {
	functor := union(member("_M_unused", 0, union(member("_M_object", 0, pointer(nil)), member("_M_function_pointer", 0, pointer(nil)))))
	function := inGNU("function<void ()>", 32, types.Member{Base: true,
		Type: to(structure("_Function_base", 24, member("_M_functor", 0, functor), member("_M_manager", 16, size)))}, member("_M_invoker", 24, size))
	holder := inGNU("any", 16, member("_M_manager", 0, size), member("_M_storage", 8, union(member("_M_ptr", 0, pointer(nil)), member("_M_buffer", 0, size))))
	m := memory{
		0x100: words(0x7000, 0, 1, 0x5000), // a lambda
		0x200: words(0x7000, 0, 1, 0x5100), // a function
		0x300: words(0, 0, 0, 0),
		0x400: words(0, 0, 1, 0x9000),
		0x500: words(0x6000, 7), 0x600: words(0, 0), 0x700: words(0x6100, 7), 0x800: words(0x6200, 0x900), 0x900: words(8),
	}
	names := map[uint64]string{
		0x5000: "std::_Function_handler<void (), main::{lambda()#1}>::_M_invoke(std::_Any_data const&)",
		0x5100: "std::_Function_handler<void (), void (*)()>::_M_invoke(std::_Any_data const&)",
		0x6000: "std::any::_Manager_internal<int>::_S_manage(std::any::_Op, std::any const*, std::any::_Arg*)",
		0x6100: "std::any::_Manager_external<std::vector<int> >::_S_manage(std::any::_Op)",
		0x6200: "std::any::_Manager_external<long>::_S_manage(std::any::_Op)",
		0x7000: "callback()",
	}
	for _, tt := range []struct {
		v    Variable
		said bool
		want string
		held string
	}{
		{v: at("f", 0x100, function), said: true, want: names[0x5000]},
		{v: at("f", 0x200, function), said: true, want: "callback()"},
		{v: at("f", 0x300, function), said: true, want: "empty"},
		{v: at("f", 0x400, function), want: ""},
		{v: at("a", 0x500, holder), said: true, want: "holds int", held: "Value = 7"},
		{v: at("a", 0x800, holder), said: true, want: "holds long", held: "Value = 8"},
		{v: at("a", 0x600, holder), said: true, want: "empty"},
		{v: at("a", 0x700, holder), said: true, want: "holds std::vector<int>"},
	} {
		f := frameOf(m, tt.v)
		f.Describe = func(addr uint64) string { return names[addr] }
		got := Read(f, Limits{})[0].Values[0]
		if got.Said != tt.said || got.Text != tt.want {
			t.Errorf("got %s, want %s", got.Text, tt.want)
		}
		if tt.held != "" && shown(got.Children[:1]) != tt.held {
			t.Errorf("%s has %s, want %s", tt.want, shown(got.Children), tt.held)
		}
	}
}

// Iterators of nodes have the value that they lead to. The end of a tree leads to none.
func TestGNUIterators(t *testing.T) {
	number := func(name, member string) *types.Type {
		return of(structure(name, 8, types.Member{Name: member, Type: to(size)}), long)
	}
	tree, hash := number("std::_Rb_tree_iterator<long>", "_M_node"), number("std::__detail::_Node_iterator<long, true, false>", "_M_cur")
	m := memory{
		0x100: words(0x1000, 0x708, 0, 0x9000),
		0x708: words(0, 0x1000, 0x1000, 0x1000), 0x1000: words(1, 0x708, 0, 0, 42), // a head and its only node
	}
	check(t, m, []library{
		{at("i", 0x100, tree), "i {item = 42, _M_node = 4096}"},
		{at("end", 0x108, tree), "end {_M_node = 1800}"},
		{at("i", 0x100, hash), "i {item = 1800, _M_cur = 4096}"},
		{at("end", 0x110, hash), "end {_M_cur = 0}"},
		{at("lost", 0x118, tree), "lost {_M_node = 36864}"},
	})
}

// Clang does not keep the end of a vector's memory if nothing uses it. A type in a vector is no vector.
func TestGNUVectorsInPieces(t *testing.T) {
	impl := structure("_Vector_impl", 24, member("_M_start", 0, size), member("_M_finish", 8, size), member("_M_end_of_storage", 16, size))
	vector := of(inGNU("vector<int>", 24, member("_M_impl", 0, impl)), integer)
	pieces := fixed{place: Place{[]Piece{{Kind: Constant, Bytes: words(0x200, 0x208), Bits: 128, Partial: true}, {Bits: 64, Partial: true}}}}
	f := frameOf(memory{0x200: words(2<<32 | 1)}, Variable{Name: "v", Type: to(vector), Rule: pieces})
	if got := read(f); got != "v = size=2 {[0] = 1, [1] = 2}" {
		t.Error(got)
	}
	hider := structure("std::__cxx11::basic_string<char, A<char> >::_Alloc_hider", 8, member("_M_p", 0, pointer(char)))
	if got := read(frameOf(memory{0x100: words(0x9000)}, at("p", 0x100, pointer(hider)))); got != "p = 0x0000000000009000" {
		t.Error(got)
	}
}
