package variables

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"crashglass/core/values/types"
)

// damages are what memory errors make of a word.
var damages = []struct {
	name string
	of   func(uint64) uint64
}{
	{"zero", func(uint64) uint64 { return 0 }},
	{"ones", func(uint64) uint64 { return ^uint64(0) }},
	{"far", func(w uint64) uint64 { return w + 1<<44 }},
	{"million", func(w uint64) uint64 { return w + 960_000 }},
	{"before", func(w uint64) uint64 { return w - 960 }},
	{"more", func(w uint64) uint64 { return w + 1 }},
	{"less", func(w uint64) uint64 { return w - 1 }},
}

// A sound container, one word of which will be damaged. Each word has a name; behind a colon stand the damages that leave a sound
// container, and "*" stands for all.
type sound struct {
	name  string
	m     memory
	v     Variable
	want  string // the beginning of what it is while it is sound
	words map[uint64]string
}

func (s *sound) checkDamage(t *testing.T) {
	t.Helper()
	read := func(m memory) *Value { return Read(frameOf(m, s.v), Limits{})[0].Values[0] }
	if got := shown([]*Value{read(s.m)}); !strings.HasPrefix(got, s.want) || strings.Contains(got, "<inconsistent>") {
		t.Errorf("%s: %s, want %s", s.name, got, s.want)
	}
	for addr, word := range s.words {
		word, allowed, _ := strings.Cut(word, ":")
		for _, d := range damages {
			if sounds := strings.Fields(allowed); slices.Contains(sounds, d.name) || slices.Contains(sounds, "*") {
				continue
			}
			m, old := maps.Clone(s.m), [8]byte{}
			s.m.Read(addr, old[:])
			var is uint64
			for i, b := range old {
				is |= uint64(b) << (8 * i)
			}
			if d.of(is) == is {
				continue
			}
			for base, data := range m {
				if addr >= base && addr+8 <= base+uint64(len(data)) {
					m[base] = slices.Concat(data[:addr-base], words(d.of(is)), data[addr-base+8:])
				}
			}
			v := read(m)
			// A pointer may lead to what was not captured, and within an element everything is read as a pointer.
			var lost [1]byte
			leads := m.Read(d.of(is), lost[:]) > 0 && d.name != "more" && d.name != "less"
			if damaged := v.State == Inconsistent; !damaged && (v.Said || leads) || damaged && v.Why == "" {
				t.Errorf("%s: %s %s (%#x): %s, %q", s.name, word, d.name, d.of(is), shown([]*Value{v}), v.Why)
			}
		}
	}
}

// A container with one damaged word is never shown as sound, unless it is still one: another number of elements in the same room, or
// another room for the same elements.
func TestOneDamagedWord(t *testing.T) {
	local := union(member("_M_local_buf", 0, array(char, 16)), member("_M_allocated_capacity", 0, size))
	hider := structure("_Alloc_hider", 8, member("_M_p", 0, pointer(char)))
	gnuText := of(inGNU("__cxx11::basic_string<char, T, A>", 32, member("_M_dataplus", 0, hider), member("_M_string_length", 8, size),
		types.Member{Offset: 16, Type: to(local)}), char)
	iter := structure("_Deque_iterator", 32, member("_M_cur", 0, pointer(nil)), member("_M_first", 8, pointer(nil)), member("_M_last", 16, pointer(nil)),
		member("_M_node", 24, pointer(nil)))
	dequeData := structure("_Deque_impl_data", 80, member("_M_map", 0, pointer(nil)), member("_M_map_size", 8, size), member("_M_start", 16, iter), member("_M_finish", 48, iter))
	gnuDeque := of(inGNU("deque<T, A>", 80, impl(structure("_Deque_impl", 80, types.Member{Base: true, Type: to(dequeData)}))), long)
	listNode := structure("_List_node_header", 24, member("_M_next", 0, pointer(nil)), member("_M_prev", 8, pointer(nil)), member("_M_size", 16, size))
	gnuList := of(inGNU("__cxx11::list<int, A>", 24, impl(structure("_List_impl", 24, member("_M_node", 0, listNode)))), integer)
	before := structure("_Hash_node_base", 8, member("_M_nxt", 0, pointer(nil)))
	gnuHash := inGNU("unordered_multiset<int>", 56, member("_M_h", 0, of(structure("_Hashtable<K, V>", 56, member("_M_before_begin", 16, before),
		member("_M_element_count", 24, size)), integer, integer)))
	bit := structure("_Bit_iterator", 16, member("_M_p", 0, pointer(size)), member("_M_offset", 8, uint32T))
	gnuBits := inGNU("vector<bool, A>", 40, impl(structure("_Bvector_impl", 40, member("_M_start", 0, bit), member("_M_finish", 16, bit),
		member("_M_end_of_storage", 32, pointer(size)))))
	cxxVector := of(inLibcxx("vector<int, A>", 24, member("__begin_", 0, pointer(integer)), member("__end_", 8, pointer(integer)), member("__cap_", 16, pointer(integer))), integer)
	cxxEnd := structure("__list_node_base", 16, member("__prev_", 0, pointer(nil)), member("__next_", 8, pointer(nil)))
	cxxList := of(inLibcxx("list<int, A>", 24, member("__end_", 0, cxxEnd), member("__size_", 16, size)), integer)
	cxxMap := of(inLibcxx("set<int, C, A>", 24, member("__tree_", 0, libcxxTree(false))), integer)
	cxxRep := structure("__rep", 24, types.Member{Type: to(union(
		member("__l", 0, structure("__long", 24, bitsOf("__is_long_", 0, 1, size), bitsOf("__cap_", 1, 63, size), member("__size_", 8, size), member("__data_", 16, pointer(char)))),
		member("__s", 0, structure("__short", 24, bitsOf("__is_long_", 0, 1, base(types.Unsigned, "unsigned char", 1)),
			bitsOf("__size_", 1, 7, base(types.Unsigned, "unsigned char", 1)), member("__data_", 1, array(char, 23))))))})
	cxxText := of(structure("std::__1::basic_string<char, T>", 24, member("__rep_", 0, cxxRep)), char)
	cxxTable := structure("__split_buffer", 32, member("__first_", 0, pointer(nil)), member("__begin_", 8, pointer(nil)), member("__end_", 16, pointer(nil)))
	cxxDeque := of(inLibcxx("deque<T, A>", 48, member("__map_", 0, cxxTable), member("__start_", 32, size), member("__size_", 40, size)), long)
	winVector := pairOf("std::vector<int,A>", structure("_Vector_val", 24, member("_Myfirst", 0, pointer(integer)), member("_Mylast", 8, pointer(integer)),
		member("_Myend", 16, pointer(integer))))
	winBuffer := union(member("_Buf", 0, array(char, 16)), member("_Ptr", 0, pointer(char)))
	winText := pairOf("std::basic_string<T,C>", structure("_String_val", 32, member("_Bx", 0, winBuffer), member("_Mysize", 16, size), member("_Myres", 24, size)))
	winNode := structure("_Tree_node", 40)
	winNode.Members = []types.Member{member("_Left", 0, pointer(winNode)), member("_Parent", 8, pointer(winNode)), member("_Right", 16, pointer(winNode)),
		member("_Myval", 32, long)}
	winVal := structure("_Tree_val", 16, member("_Myhead", 0, pointer(winNode)), member("_Mysize", 8, size))
	winMap := structure("std::set<int>", 16, member("_Mypair", 0, structure("_Pair1", 16, member("_Myval2", 0, structure("_Pair2", 16, member("_Myval2", 0, winVal))))))
	ring := of(inRust(structure("alloc::collections::vec_deque::VecDeque<u32, A>", 32, member("buf", 0, rustRawVec(u32)), member("head", 16, usize), member("len", 24, usize))), u32)
	slice := inGo(structure("[]int", 24, member("array", 0, inGo(pointer(goInt))), member("len", 8, goInt), member("cap", 16, goInt)))
	text := inGo(structure("string", 16, member("str", 0, inGo(pointer(u8))), member("len", 8, goInt)))

	node := func(parent, left, right, value uint64) []byte { return words(1, parent, left, right, value) }
	cxxNode := func(left, right, parent, value uint64) []byte { return words(left, right, parent, 1|value<<32) }
	winOne := func(left, parent, right, value uint64) []byte { return words(left, parent, right, 0, value) }
	hash := wrapped("std::collections::hash::set::HashSet<u32, S>", "base", wrapped("hashbrown::set::HashSet", "map", wrapped("hashbrown::map::HashMap", "table",
		rustHashTable(inRust(structure("(u32, ())", 4, member("__0", 0, u32), member("__1", 4, inRust(structure("()", 0)))))))))

	for _, s := range []sound{
		{"vector", memory{0x100: words(0x1000, 0x1008, 0x1010), 0x1000: words(2<<32|1, 0)}, at("v", 0x100, gnuVectorType(integer)), "v = size=2",
			map[uint64]string{0x100: "_M_start:before", 0x108: "_M_finish", 0x110: "_M_end_of_storage:far million"}},
		{"a short string", memory{0x100: append(words(0x110, 4), "text\x00..........."...)}, at("s", 0x100, gnuText), `s = "text"`,
			map[uint64]string{0x100: "_M_p:more less", 0x108: "_M_string_length:zero more less"}},
		{"a long string", memory{0x100: words(0x1000, 16, 41, 0), 0x1000: []byte("sixteen letters!\x00...........................")}, at("s", 0x100, gnuText), `s = "sixteen`,
			map[uint64]string{0x100: "_M_p:more less", 0x108: "_M_string_length:zero more less", 0x110: "_M_allocated_capacity:million more less"}},
		{"deque", memory{0x100: words(0x2000, 8, 0x10_0008, 0x10_0000, 0x10_0200, 0x2008, 0x11_0008, 0x11_0000, 0x11_0200, 0x2010),
			0x2000: words(0, 0x10_0000, 0x11_0000), 0x10_0000: make([]byte, 512), 0x11_0000: make([]byte, 512)}, at("d", 0x100, gnuDeque), "d = size=64",
			map[uint64]string{0x100: "_M_map:before more less", 0x108: "_M_map_size:million more less", 0x110: "start._M_cur", 0x118: "start._M_first", 0x128: "start._M_node:before",
				0x130: "finish._M_cur:zero before", 0x138: "finish._M_first", 0x148: "finish._M_node"}},
		{"map", memory{0x700: words(0, 0, 0x1000, 0x1100, 0x1200, 3), 0x1000: node(0x708, 0x1100, 0x1200, 2), 0x1100: node(0x1000, 0, 0, 1), 0x1200: node(0x1000, 0, 0, 3)},
			at("m", 0x700, gnuMapType()),
			"m = size=3", map[uint64]string{0x710: "root", 0x718: "leftmost", 0x720: "rightmost", 0x728: "_M_node_count", 0x1008: "parent", 0x1010: "left", 0x1018: "right",
				0x1108: "a leaf's parent", 0x1208: "the last leaf's parent"}},
		{"list", memory{0x100: words(0x1000, 0x1020, 2), 0x1000: words(0x1020, 0x100, 5), 0x1020: words(0x100, 0x1000, 6)}, at("l", 0x100, gnuList), "l = size=2",
			map[uint64]string{0x100: "_M_next", 0x108: "_M_prev", 0x110: "_M_size", 0x1000: "next", 0x1008: "prev", 0x1020: "the last one's next", 0x1028: "the last one's prev"}},
		{"unordered", memory{0x100: words(0, 0, 0x1000, 2), 0x1000: words(0x1020, 1), 0x1020: words(0, 2)}, at("h", 0x100, gnuHash), "h = size=2",
			map[uint64]string{0x110: "_M_nxt", 0x118: "_M_element_count", 0x1000: "next"}},
		{"vector of bits", memory{0x100: words(0x1000, 0, 0x1000, 3, 0x1008), 0x1000: words(5)}, at("b", 0x100, gnuBits), "b = size=3",
			map[uint64]string{0x100: "_M_start", 0x108: "first:far", 0x110: "_M_finish", 0x118: "last:zero far more less", 0x120: "_M_end_of_storage:far million"}},
		{"libc++'s vector", memory{0x100: words(0x1000, 0x1008, 0x1010), 0x1000: words(2<<32|1, 0)}, at("v", 0x100, cxxVector), "v = size=2",
			map[uint64]string{0x100: "__begin_:before", 0x108: "__end_", 0x110: "__cap_:far million"}},
		{"libc++'s list", memory{0x100: words(0x1020, 0x1000, 2), 0x1000: words(0x100, 0x1020, 5), 0x1020: words(0x1000, 0x100, 6)}, at("l", 0x100, cxxList), "l = size=2",
			map[uint64]string{0x100: "__prev_", 0x108: "__next_", 0x110: "__size_", 0x1000: "prev", 0x1008: "next"}},
		{"libc++'s set", memory{0x100: words(0x1100, 0x1000, 3), 0x1000: cxxNode(0x1100, 0x1200, 0x108, 2), 0x1100: cxxNode(0, 0, 0x1000, 1),
			0x1200: cxxNode(0, 0, 0x1000, 3)}, at("m", 0x100, cxxMap), "m = size=3",
			map[uint64]string{0x100: "__begin_node_", 0x108: "root", 0x110: "__size_", 0x1000: "left", 0x1008: "right", 0x1010: "parent", 0x1110: "a leaf's parent"}},
		{"libc++'s long string", memory{0x100: words(0x31, 4, 0x1000), 0x1000: []byte("long\x00...........................................")}, at("s", 0x100, cxxText), `s = "long"`,
			map[uint64]string{0x100: "__cap_:zero less million more", 0x108: "__size_:zero more less", 0x110: "__data_:more less"}},
		{"libc++'s deque", memory{0x100: words(0x1000, 0x1008, 0x1018, 0, 511, 2), 0x1008: words(0x2000, 0x4000), 0x2000: make([]byte, 4096),
			0x4000: make([]byte, 4096)}, at("d", 0x100, cxxDeque), "d = size=2",
			map[uint64]string{0x108: "__begin_:before", 0x110: "__end_:far million", 0x120: "__start_:zero more less", 0x128: "__size_:zero more less"}},
		{"MSVC's vector", memory{0x100: words(0x1000, 0x1008, 0x1010), 0x1000: words(2<<32|1, 0)}, at("v", 0x100, winVector), "v = size=2",
			map[uint64]string{0x100: "_Myfirst:before", 0x108: "_Mylast", 0x110: "_Myend:far million"}},
		{"MSVC's short string", memory{0x100: append([]byte("text\x00..........."), words(4, 15)...)}, at("s", 0x100, winText), `s = "text"`,
			map[uint64]string{0x110: "_Mysize:zero more less", 0x118: "_Myres:less"}},
		{"MSVC's set", memory{0x100: words(0x2000, 3), 0x2000: winOne(0x2100, 0x2080, 0x2180, 0), 0x2080: winOne(0x2100, 0x2000, 0x2180, 2),
			0x2100: winOne(0x2000, 0x2080, 0x2000, 1), 0x2180: winOne(0x2000, 0x2080, 0x2000, 3)},
			at("m", 0x100, winMap), "m = size=3", map[uint64]string{0x108: "_Mysize", 0x2000: "first", 0x2008: "root", 0x2010: "last", 0x2080: "left", 0x2088: "parent",
				0x2090: "right", 0x2108: "a leaf's parent"}},
		{"Vec", memory{0x100: words(0x1000, 4, 2), 0x1000: words(2<<32|1, 0)}, at("v", 0x100, rustVecType(u32)), "v = size=2",
			map[uint64]string{0x100: "ptr:more less", 0x108: "cap:million more less", 0x110: "len:zero more less"}},
		{"VecDeque", memory{0x100: words(0x1000, 4, 3, 2), 0x1000: words(2<<32|1, 0)}, at("v", 0x100, ring), "v = size=2",
			map[uint64]string{0x100: "ptr:more less", 0x108: "cap:million more", 0x110: "head:zero less", 0x118: "len:zero more less"}},
		{"HashSet", memory{0x100: words(0x2010, 3, 1, 2), 0x2000: append(words(3<<32|4, 1<<32|2), 0x11, 0xff, 0x33, 0x80)}, at("s", 0x100, hash), "s = size=2",
			map[uint64]string{0x100: "ctrl:more less", 0x108: "bucket_mask", 0x118: "items"}},
		{"slice", memory{0x100: words(0x1000, 2, 3), 0x1000: words(1, 2, 3)}, at("s", 0x100, slice), "s = size=2",
			map[uint64]string{0x100: "array:more less", 0x108: "len:zero more less", 0x110: "cap:million more less"}},
		{"string", memory{0x100: words(0x1000, 4), 0x1000: []byte("text...")}, at("s", 0x100, text),
			`s = "text"`, map[uint64]string{0x100: "str:more less", 0x108: "len:zero more less"}},
	} {
		s.checkDamage(t)
	}
}
