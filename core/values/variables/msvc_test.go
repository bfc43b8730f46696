package variables

import (
	"strings"
	"testing"

	"crashglass/core/values/types"
)

// msvcNode is a node of a list: the next one, then what lies behind it.
func msvcNode(name string, value uint64, more ...string) *types.Type {
	node := structure(name, value+4)
	node.Members = []types.Member{member("_Next", 0, pointer(node))}
	for i, link := range more {
		node.Members = append(node.Members, member(link, 8*uint64(i+1), pointer(node)))
	}
	node.Members = append(node.Members, member("_Myval", value, integer))
	return node
}

// Microsoft's vector of bits is one of words of four bytes: the dump may end
// behind the last of them. Source: _Vbase in stl/inc/vector.
func TestMSVCBits(t *testing.T) {
	word := structure("std::vector<unsigned int,A>", 24, member("_Mypair", 0, structure("_Compressed_pair", 24,
		member("_Myval2", 0, structure("_Vector_val", 24, member("_Myfirst", 0, pointer(uint32T)), member("_Mylast", 8, pointer(uint32T)), member("_Myend", 16, pointer(uint32T)))))))
	bits := structure("std::vector<bool,A>", 32, types.Member{Base: true, Type: to(structure("std::_Vb_val<A>", 32, member("_Myvec", 0, word), member("_Mysize", 24, size)))})
	m := memory{
		0x100:  words(0x1000, 0x1004, 0x1004, 3),
		0x200:  words(0x2000, 0x2008, 0x2008, 34),
		0x300:  words(0x9000, 0x9004, 0x9004, 3),
		0x1000: {0b101, 0, 0, 0},
		0x2000: {0, 0, 0, 0x80, 0b10, 0, 0, 0},
	}
	first := func(at0 uint64) *Value { return Read(frameOf(m, at("b", at0, bits)), Limits{})[0].Values[0] }
	if got := shown([]*Value{first(0x100)}); got != "b = size=3 {[0] = true, [1] = false, [2] = true}" {
		t.Error(got)
	}
	if v := first(0x200); v.Text != "size=34" || shown(v.Children[30:]) != "[30] = false, [31] = true, [32] = false, [33] = true" {
		t.Error(shown([]*Value{v}))
	}
	if v := first(0x300); v.Said {
		t.Errorf("not captured: %s", shown([]*Value{v}))
	}
}

// Without a size, a list that leads in one direction is counted.
func TestMSVCForwardList(t *testing.T) {
	node := msvcNode("_Flist_node", 8)
	list := pairOf("std::forward_list<int,A>", structure("_Flist_val", 8, member("_Myhead", 0, pointer(node))))
	m := memory{
		0x100: words(0x1000), 0x108: words(0), 0x110: words(0x2000), 0x118: words(0x9000),
		0x1000: words(0x1010, 5), 0x1010: words(0, 6), 0x2000: words(0x2000, 7),
	}
	check(t, m, []library{
		{at("l", 0x100, list), "l = size=2 {[0] = 5, [1] = 6}"},
		{at("l", 0x108, list), "l = size=0"},
		{at("l", 0x110, list), "l <inconsistent> {[0] = 7, _Mypair {_Myval2 {_Myhead = 0x0000000000002000}}}"},
		{at("l", 0x118, list), "l {_Mypair {_Myval2 {_Myhead = 0x0000000000009000}}}"},
	})
}

// A string is short where its room is below 16 bytes, whatever a character has.
func TestMSVCStrings(t *testing.T) {
	text := func(char *types.Type, room uint64) *types.Type {
		buffer := union(member("_Buf", 0, array(char, room)), member("_Ptr", 0, pointer(char)))
		return pairOf("std::basic_string<T,C>", structure("_String_val", 32, member("_Bx", 0, buffer), member("_Mysize", 16, size), member("_Myres", 24, size)))
	}
	wide := base(types.Wide, "wchar_t", 2)
	m := memory{
		0x100: append([]byte{'a', 0, 'b', 0}, append(make([]byte, 12), words(2, 7)...)...),
		0x200: words(0x1000, 0, 2, 8), 0x1000: {'l', 0, 'g', 0},
		0x300: words(0x1000, 0, 16, 15), // more characters than room
		0x400: words(0x9000, 0, 16, 31), // not captured
		0x500: append([]byte("fifteen letters"), append([]byte{0}, words(15, 15)...)...),
		0x600: words(0x2000, 0, 16, 16), 0x2000: []byte("sixteen letters!"),
	}
	raw := func(n, room string) string {
		return "s {_Mypair {_Myval2 {_Bx {_Buf = u8\"\", _Ptr <unreadable>}, _Mysize = " + n + ", _Myres = " + room + "}}}"
	}
	check(t, m, []library{
		{at("s", 0x100, text(wide, 8)), `s = L"ab"`},
		{at("s", 0x200, text(wide, 8)), `s = L"lg"`},
		{at("s", 0x500, text(char, 16)), `s = "fifteen letters"`},
		{at("s", 0x600, text(char, 16)), `s = "sixteen letters!"`},
		{at("s", 0x400, text(base(types.Char, "char8_t", 1), 0)), raw("16", "31")},
	})
	if v := Read(frameOf(m, at("s", 0x300, text(char, 16))), Limits{})[0].Values[0]; v.State != Inconsistent || v.Why != "the size 16 is not plausible: there is room for 15" {
		t.Errorf("more characters than room: %s", shown([]*Value{v}))
	}
}

// What refers to elements elsewhere, or wraps another type.
func TestMSVCReferences(t *testing.T) {
	span := structure("std::span<int,18446744073709551615>", 16, types.Member{Base: true, Type: to(structure("std::_Span_extent_type<int,N>", 16, member("_Mydata", 0, pointer(integer)), member("_Mysize", 8, size)))})
	list := structure("std::initializer_list<int>", 16, member("_First", 0, pointer(integer)), member("_Last", 8, pointer(integer)))
	view := structure("std::basic_string_view<char,T>", 16, member("_Mydata", 0, pointer(char)), member("_Mysize", 8, size))
	elems := structure("std::array<int,2>", 8, member("_Elems", 0, array(integer, 2)))
	optional := structure("std::optional<int>", 8, types.Member{Base: true, Type: to(structure("std::_Optional_destruct_base<int,1>", 8, types.Member{Type: to(union(member("_Dummy", 0, char), member("_Value", 0, integer)))}, member("_Has_value", 4, boolean1)))})
	unique := pairOf("std::unique_ptr<int,D>", pointer(integer))
	shared := structure("std::shared_ptr<int>", 16, types.Member{Base: true, Type: to(structure("std::_Ptr_base<int>", 16, member("_Ptr", 0, pointer(integer)), member("_Rep", 8, pointer(nil))))})
	atomic := structure("std::atomic<int>", 4, types.Member{Base: true, Type: to(structure("std::_Atomic_storage<int,4>", 4, member("_Storage", 0, structure("_Atomic_padded<int>", 4, member("_Value", 0, integer)))))})
	flags := valued(structure("std::bitset<3>", 4, member("_Array", 0, array(uint32T, 1))), 3)
	unnamed := structure("std::bitset<3>", 4, member("_Array", 0, array(uint32T, 1))) // PDB has no arguments of templates
	vector := pairOf("std::vector<int,A>", structure("_Vector_val", 24, member("_Myfirst", 0, pointer(integer)), member("_Mylast", 8, pointer(integer)),
		member("_Myend", 16, pointer(integer))))
	heap := structure("std::priority_queue<int,V,L>", 24, member("c", 0, vector))
	iter := structure("std::_Vector_iterator<V>", 8, types.Member{Base: true, Type: to(structure("std::_Vector_const_iterator<V>", 8, member("_Ptr", 0, pointer(integer))))})
	minutes := structure("std::chrono::duration<int,std::ratio<60,1> >", 4, member("_MyRep", 0, integer))
	m := memory{
		0x100: words(0x1000, 2), 0x110: words(0x1000, 0x1008), 0x120: words(0x1008, 0x1000), 0x130: words(0x2000, 3), 0x2000: []byte("abc"),
		0x140: words(1<<32 | 5), 0x148: words(5), 0x1000: words(0x0000_0002_0000_0001),
		0x200: words(0x1000, 0x1008, 0x1010), 0x300: words(0x1000, 0x1006, 0x1010), 0x400: words(0x1000, 0x1010, 0x1008),
	}
	check(t, m, []library{
		{at("s", 0x100, span), "s = size=2 {[0] = 1, [1] = 2}"},
		{at("l", 0x110, list), "l = size=2 {[0] = 1, [1] = 2}"},
		{at("l", 0x120, list), "l <inconsistent> {_First = 0x0000000000001008, _Last = 0x0000000000001000}"},
		{at("v", 0x130, view), `v = "abc"`},
		{at("a", 0x1000, elems), "a {[0] = 1, [1] = 2}"},
		{at("o", 0x140, optional), "o {Value = 5}"},
		{at("o", 0x148, optional), "o"},
		{at("u", 0x100, unique), "u {pointer = 0x0000000000001000}"},
		{at("p", 0x100, shared), "p {pointer = 0x0000000000001000}"},
		{at("n", 0x1000, atomic), "n = 1 {std::_Atomic_storage<int,4> {_Storage {_Value = 1}}}"},
		{at("b", 0x1000, flags), "b = size=3 {[0] = true, [1] = false, [2] = false}"},
		{at("b", 0x1000, unnamed), "b {_Array {[0] = 1}}"},
		{at("q", 0x200, heap), "q = size=2 {[0] = 1, [1] = 2}"},
		{at("i", 0x100, iter), "i {item = 1, std::_Vector_const_iterator<V> {item = 1, _Ptr = 0x0000000000001000}}"},
		{at("d", 0x1004, minutes), "d = 2 min {_MyRep = 2}"},
		{at("v", 0x300, vector), "v <inconsistent> {_Mypair {_Myval2 {_Myfirst = 0x0000000000001000, _Mylast = 0x0000000000001006, _Myend = 0x0000000000001010}}}"}, // half an element
		{at("v", 0x400, vector), "v <inconsistent> {_Mypair {_Myval2 {_Myfirst = 0x0000000000001000, _Mylast = 0x0000000000001010, _Myend = 0x0000000000001008}}}"}, // more than the room
	})
}

// A variant whose index is beyond its alternatives shows its members, and a
// tuple ends with its last element.
func TestMSVCSums(t *testing.T) {
	variant := structure("std::variant<int>", 8, types.Member{Type: to(union(member("_Head", 0, integer)))}, member("_Which", 4, base(types.Signed, "signed char", 1)))
	tuple := structure("std::tuple<int>", 4, member("_Myfirst", 0, structure("_Tuple_val", 4, member("_Val", 0, integer))))
	empty := structure("std::tuple<>", 1)
	m := memory{0x100: words(7), 0x110: words(1<<32 | 7), 0x120: words(64<<32 | 7)}
	check(t, m, []library{
		{at("v", 0x100, variant), "v {Value = 7}"},
		{at("v", 0x110, variant), "v { {_Head = 7}, _Which = '\\x01'}"},
		{at("v", 0x120, variant), "v <inconsistent> { {_Head = 7}, _Which = '@'}"},
		{at("t", 0x100, tuple), "t {[0] = 7}"},
		{at("t", 0x100, empty), "t"},
	})
}

// A deque has as many elements in a block as 16 bytes hold, and one at least.
// Its blocks are a ring. Source: _Block_size in stl/inc/deque.
func TestMSVCDeque(t *testing.T) {
	deque := func(t *types.Type) *types.Type {
		return pairOf("std::deque<T,A>", structure("_Deque_val", 32, member("_Map", 0, pointer(pointer(t))), member("_Mapsize", 8, size),
			member("_Myoff", 16, size), member("_Mysize", 24, size)))
	}
	large := structure("Large", 24, member("id", 0, long))
	m := memory{
		0x100: words(0x1000, 2, 3, 2), 0x1000: words(0x2000, 0x3000), // the last long of the second block, then the first one
		0x2000: words(6, 7), 0x3000: words(4, 5),
		0x200: words(0x1000, 2, 1, 2), // one Large in each block
		0x300: words(0x1000, 0, 0, 1), // no blocks
		0x400: words(0, 0, 0, 0),
		0x500: words(0x9000, 2, 0, 1),
	}
	raw := func(table, blocks, n string) string {
		return "d {_Mypair {_Myval2 {_Map = " + table + ", _Mapsize = " + blocks + ", _Myoff = 0, _Mysize = " + n + "}}}"
	}
	check(t, m, []library{
		{at("d", 0x100, deque(long)), "d = size=2 {[0] = 5, [1] = 6}"},
		{at("d", 0x200, deque(large)), "d = size=2 {[0] {id = 4}, [1] {id = 6}}"},
		{at("d", 0x300, deque(long)), strings.Replace(raw("0x0000000000001000", "0", "1"), "d ", "d = size=1 <inconsistent> ", 1)},
		{at("d", 0x400, deque(long)), "d = size=0"},
		{at("d", 0x500, deque(long)), raw("0x0000000000009000", "2", "1")},
	})
}
