package variables

import (
	"testing"

	"crashglass/core/values/types"
)

// gnuStringType is std::string of GNU's library.
func gnuStringType() *types.Type {
	alloc := structure("_Alloc_hider", 8, member("_M_p", 0, pointer(char)))
	return of(structure("std::__cxx11::basic_string<char, ...>", 32, member("_M_dataplus", 0, alloc), member("_M_string_length", 8, size)), char)
}

func gnuVectorType(elem *types.Type) *types.Type {
	impl := structure("_Vector_impl", 24, member("_M_start", 0, pointer(elem)), member("_M_finish", 8, pointer(elem)), member("_M_end_of_storage", 16, pointer(elem)))
	data := structure("_Vector_base", 24, member("_M_impl", 0, impl))
	return of(structure("std::vector<T>", 24, types.Member{Base: true, Type: to(data)}), elem)
}

func gnuMapType() *types.Type {
	node := structure("_Rb_tree_node_base", 32, member("_M_color", 0, integer), member("_M_parent", 8, size), member("_M_left", 16, size), member("_M_right", 24, size))
	impl := structure("_Rb_tree_impl", 48, member("_M_header", 8, node), member("_M_node_count", 40, size))
	pair := structure("std::pair<const int, int>", 8, member("first", 0, integer), member("second", 4, integer))
	tree := of(structure("_Rb_tree", 48, member("_M_impl", 0, impl)), integer, pair)
	return structure("std::map<int, int>", 48, member("_M_t", 0, tree))
}

func TestGNU(t *testing.T) {
	m := memory{
		0x100: words(0x200, 3, 0, 0), 0x200: []byte("abc\x00"),
		0x300: words(0x400, 0x40c, 0x410), 0x400: words(0x0000_0002_0000_0001, 3),
		0x500: words(0x40c, 0x400, 0x410),    // ends before it begins
		0x600: words(0x9000, 0x900c, 0x9010), // its elements are not captured
		// A map whose root, 0x800, has a left child, 0x880. Its header is at 0x708.
		0x700: words(0, 0, 0x800, 0x880, 0x800, 2),
		0x800: words(1, 0x708, 0x880, 0, 0x0000_0014_0000_0002),
		0x880: words(0, 0x800, 0, 0, 0x0000_000a_0000_0001),
	}
	check(t, m, []library{
		{at("s", 0x100, gnuStringType()), `s = "abc"`},
		{at("v", 0x300, gnuVectorType(integer)), "v = size=3 {[0] = 1, [1] = 2, [2] = 3}"},
		{at("m", 0x700, gnuMapType()), "m = size=2 {[0] {first = 1, second = 10}, [1] {first = 2, second = 20}}"},
		{at("bad", 0x500, gnuVectorType(integer)), "bad <inconsistent> {_Vector_base {_M_impl {_M_start = 0x000000000000040c, _M_finish = 0x0000000000000400, _M_end_of_storage = 0x0000000000000410}}}"},
		{at("far", 0x600, gnuVectorType(integer)), "far {_Vector_base {_M_impl {_M_start = 0x0000000000009000, _M_finish = 0x000000000000900c, _M_end_of_storage = 0x0000000000009010}}}"},
	})
}

// A pointer to a string is shown as the string; if that was not captured, as its address.
func TestPointersToStrings(t *testing.T) {
	m := memory{0x100: words(0x200, 3, 0, 0), 0x200: []byte("abc"), 0x300: words(0x100), 0x400: words(0x9000)}
	if got := read(frameOf(m, at("p", 0x300, pointer(gnuStringType())))); got != `p = "abc" (0x0000000000000100)` {
		t.Error(got)
	}
	if got := read(frameOf(m, at("p", 0x400, pointer(gnuStringType())))); got != "p <not_captured>" {
		t.Error(got)
	}
}

func TestRust(t *testing.T) {
	u8 := &types.Type{Kind: types.Unsigned, Name: "u8", Size: 1, Sized: true, Language: types.Rust}
	str := structure("&str", 16, member("data_ptr", 0, pointer(u8)), member("length", 8, size))
	str.Language = types.Rust
	m := memory{0x100: words(0x200, 4), 0x200: []byte("caféstuff")}
	if got := read(frameOf(m, at("s", 0x100, str))); got != `s = "caf\xc3" {data_ptr = 0x0000000000000200, length = 4}` {
		t.Error(got)
	}
}
