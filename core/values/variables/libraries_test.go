package variables

import (
	"testing"

	"crashglass/core/values/types"
)

// A library is a value of one, and what is read of it.
type library struct {
	v    Variable
	want string
}

func check(t *testing.T, m memory, tests []library) {
	t.Helper()
	for _, test := range tests {
		if got := read(frameOf(m, test.v)); got != test.want {
			t.Errorf("%s\nwant %s", got, test.want)
		}
		withLess(t, m, test.v)
		withoutMembers(t, m, test.v)
		withDamage(t, m, test.v)
		withLimits(t, m, test.v)
	}
}

var (
	wide16  = base(types.Wide, "char16_t", 2)
	uint32T = base(types.Unsigned, "unsigned", 4)
)

func union(members ...types.Member) *types.Type {
	return &types.Type{Kind: types.Union, Size: 24, Sized: true, Language: types.CPlusPlus, Members: members}
}

// bitsOf is a bit field.
func bitsOf(name string, at, n uint64, t *types.Type) types.Member {
	return types.Member{Name: name, Type: to(t), Bits: n, BitOffset: at}
}

// The two layouts of libc++'s strings, and the one without bit fields.
func TestLibcxxStrings(t *testing.T) {
	byte1 := base(types.Unsigned, "unsigned char", 1)
	text := func(space string, long, short []types.Member) *types.Type {
		rep := structure("__rep", 24, types.Member{Type: to(union(member("__l", 0, structure("__long", 24, long...)), member("__s", 0, structure("__short", 24, short...))))})
		return of(structure(space+"basic_string<char, T>", 24, member("__rep_", 0, rep)), char)
	}
	plain := text("std::__1::", []types.Member{bitsOf("__is_long_", 0, 1, size), bitsOf("__cap_", 1, 63, size), member("__size_", 8, size), member("__data_", 16, pointer(char))},
		[]types.Member{bitsOf("__is_long_", 0, 1, byte1), bitsOf("__size_", 1, 7, byte1), member("__data_", 1, array(char, 23))})
	alternate := text("std::__ndk1::", []types.Member{member("__data_", 0, pointer(char)), member("__size_", 8, size), bitsOf("__cap_", 128, 63, size), bitsOf("__is_long_", 191, 1, size)},
		[]types.Member{member("__data_", 0, array(char, 23)), bitsOf("__size_", 184, 7, byte1), bitsOf("__is_long_", 191, 1, byte1)})
	old := text("std::__Cr::", []types.Member{member("__cap_", 0, size), member("__size_", 8, size), member("__data_", 16, pointer(char))},
		[]types.Member{member("__size_", 0, byte1), member("__data_", 1, array(char, 23))})
	short := append([]byte{3 << 1}, append([]byte("abc"), make([]byte, 20)...)...)
	shortAlternate := append([]byte("abc"), make([]byte, 21)...)
	shortAlternate[23] = 3
	m := memory{
		0x100: short, 0x200: words(0x31, 4, 0x1000), 0x300: shortAlternate, 0x400: words(0x1000, 4, 1<<63|0x30), 0x1000: []byte("long"),
		0x500: words(0x31, 4, 0x9000),
	}
	check(t, m, []library{
		{at("s", 0x100, plain), `s = "abc"`},
		{at("s", 0x200, plain), `s = "long"`},
		{at("s", 0x300, alternate), `s = "abc"`},
		{at("s", 0x400, alternate), `s = "long"`},
		{at("s", 0x100, old), `s = "abc"`},
		{at("s", 0x200, old), `s = "long"`},
	})
	if got := Read(frameOf(m, at("s", 0x500, plain)), Limits{})[0].Values[0]; got.Said || len(got.Children) == 0 {
		t.Errorf("a string that is not captured: %s", shown([]*Value{got}))
	}
}

// pairOf is what Microsoft's containers are kept in.
func pairOf(name string, t *types.Type) *types.Type {
	return structure(name, sizeOf(t), member("_Mypair", 0, structure("_Compressed_pair", sizeOf(t), member("_Myval2", 0, t))))
}

func TestMSVC(t *testing.T) {
	buffer := union(member("_Buf", 0, array(char, 16)), member("_Ptr", 0, pointer(char)))
	text := pairOf("std::basic_string<char,T>", structure("_String_val", 32, member("_Bx", 0, buffer), member("_Mysize", 16, size), member("_Myres", 24, size)))
	vector := pairOf("std::vector<int,std::allocator<int> >", structure("_Vector_val", 24, member("_Myfirst", 0, pointer(integer)), member("_Mylast", 8, pointer(integer)), member("_Myend", 16, pointer(integer))))
	node := structure("_List_node", 24)
	node.Members = []types.Member{member("_Next", 0, pointer(node)), member("_Prev", 8, pointer(node)), member("_Myval", 16, integer)}
	list := pairOf("std::list<int,A>", structure("_List_val", 16, member("_Myhead", 0, pointer(node)), member("_Mysize", 8, size)))
	hash := structure("std::unordered_set<int,A>", 24, member("_List", 8, list))
	leaf := structure("_Tree_node", 40)
	leaf.Members = []types.Member{member("_Left", 0, pointer(leaf)), member("_Parent", 8, pointer(leaf)), member("_Right", 16, pointer(leaf)), member("_Myval", 32, integer)}
	tree := structure("std::set<int,A>", 16, member("_Mypair", 0, structure("", 16, member("_Myval2", 0, structure("", 16, member("_Myval2", 0, structure("_Tree_val", 16, member("_Myhead", 0, pointer(leaf)), member("_Mysize", 8, size))))))))
	deque := pairOf("std::deque<int,A>", structure("_Deque_val", 32, member("_Map", 0, pointer(pointer(integer))), member("_Mapsize", 8, size), member("_Myoff", 16, size), member("_Mysize", 24, size)))
	tail := structure("_Variant_storage_", 8, types.Member{Type: to(union(member("_Head", 0, double)))})
	variant := structure("std::variant<int,double>", 16, types.Member{Type: to(union(member("_Head", 0, integer), member("_Tail", 0, tail)))}, member("_Which", 8, base(types.Signed, "signed char", 1)))
	last := structure("std::tuple<double>", 8, types.Member{Base: true, Type: to(structure("std::tuple<>", 1))},
		member("_Myfirst", 0, structure("_Tuple_val", 8, member("_Val", 0, double))))
	tuple := structure("std::tuple<int,double>", 16, types.Member{Base: true, Type: to(last)}, member("_Myfirst", 8, structure("_Tuple_val", 4, member("_Val", 0, integer))))
	m := memory{
		0x100: append([]byte("short\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), words(5, 15)...), 0x200: words(0x1000, 0, 20, 31), 0x1000: []byte("twenty characters...."),
		0x300: words(0x400, 0x40c, 0x410), 0x400: words(0x0000_0002_0000_0001, 3),
		0x500: words(0x2000, 2), 0x2000: words(0x2100, 0x2200, 0), 0x2100: words(0x2200, 0x2000, 5), 0x2200: words(0x2000, 0x2100, 6), 0x600: words(0, 0x2000, 2),
		0x700: words(0x3000, 3), 0x3000: words(0x3100, 0x3200, 0x3300, 0, 0), // the head, and a tree of three
		0x3200: words(0x3100, 0x3000, 0x3300, 1, 2), 0x3100: words(0x3000, 0x3200, 0x3000, 1, 1), 0x3300: words(0x3000, 0x3200, 0x3000, 1, 3),
		0x800: words(0x4000, 2, 7, 2), 0x4000: words(0x4100, 0x4200), 0x4200: words(0, 0x0000_0009_0000_0000), 0x4100: words(10),
		0x900: words(0x4004_0000_0000_0000, 1), 0x910: words(7, 0), 0x920: words(7, 0xff),
		0xa00: words(0x4004_0000_0000_0000, 7),
	}
	check(t, m, []library{
		{at("s", 0x100, text), `s = "short"`},
		{at("s", 0x200, text), `s = "twenty characters..."`},
		{at("v", 0x300, vector), "v = size=3 {[0] = 1, [1] = 2, [2] = 3}"},
		{at("l", 0x500, list), "l = size=2 {[0] = 5, [1] = 6}"},
		{at("h", 0x600, hash), "h = size=2 {[0] = 5, [1] = 6}"},
		{at("t", 0x700, tree), "t = size=3 {[0] = 1, [1] = 2, [2] = 3}"},
		{at("d", 0x800, deque), "d = size=2 {[0] = 9, [1] = 10}"},
		{at("v", 0x900, variant), "v {Value = 2.5}"},
		{at("v", 0x910, variant), "v {Value = 7}"},
		{at("t", 0xa00, tuple), "t {[0] = 7, [1] = 2.5}"},
	})
}

func TestQt6(t *testing.T) {
	data := func(name string, t *types.Type) *types.Type {
		return of(structure(name, 24, member("d", 0, structure("QArrayDataPointer", 24, member("d", 0, pointer(nil)), member("ptr", 8, pointer(t)), member("size", 16, size)))), t)
	}
	m := memory{0x100: words(0, 0x200, 2), 0x200: {'h', 0, 0xe9, 0}, 0x300: words(0, 0x400, 2), 0x400: words(0x0000_0002_0000_0001)}
	check(t, m, []library{
		{at("s", 0x100, data("QString", wide16)), `s = u"hé"`},
		{at("b", 0x100, data("QByteArray", char)), `b = "h\0"`},
		{at("l", 0x300, data("QList<int>", integer)), "l = size=2 {[0] = 1, [1] = 2}"},
	})
}

// A list of Qt 5 may store a class of one word directly or not, so it is not read.
func TestQt5Lists(t *testing.T) {
	data := structure("Data", 24, member("ref", 0, uint32T), member("alloc", 4, uint32T), member("begin", 8, uint32T), member("end", 12, uint32T),
		member("array", 16, array(pointer(nil), 1)))
	list := func(t *types.Type) *types.Type {
		return of(structure("QList<T>", 8, types.Member{Type: to(union(member("d", 0, pointer(data))))}), t)
	}
	m := memory{0x100: words(0x200), 0x200: words(0, 2<<32|1, 0xdead, 0x300), 0x300: words(7, 8, 9)}
	check(t, m, []library{
		{at("l", 0x100, list(integer)), "l = size=1 {[0] = 768}"},
		{at("l", 0x100, list(structure("Big", 16, member("a", 0, long), member("b", 8, long)))), "l = size=1 {[0] {a = 7, b = 8}}"},
	})
	if got := Read(frameOf(m, at("l", 0x100, list(structure("Small", 8, member("a", 0, long))))), Limits{})[0].Values[0]; got.Said {
		t.Errorf("it is not known where elements lie: %s", shown([]*Value{got}))
	}
}

func TestChromium(t *testing.T) {
	thing := structure("Thing", 8, member("id", 0, long))
	raw := structure("base::raw_ptr<Thing, 0>", 8, member("wrapped_ptr_", 0, pointer(thing)))
	span := structure("base::span<int, 18446744073709551615, int *>", 16, member("data_", 0, pointer(integer)), member("size_", 8, size))
	flat := structure("base::flat_map<int, int>", 24, types.Member{Base: true, Type: to(structure("base::internal::flat_tree<int>", 24, member("body_", 0, gnuVectorType(integer))))})
	delta := structure("base::TimeDelta", 8, member("delta_", 0, long))
	ring := structure("base::circular_deque<int>", 32, member("buffer_", 0, structure("VectorBuffer", 16, member("data_", 0, pointer(integer)), member("capacity_", 8, size))), member("begin_", 16, size), member("end_", 24, size))
	m := memory{0x100: words(0x200), 0x200: words(42), 0x300: words(0x400, 2), 0x400: words(0x0000_0002_0000_0001, 3), 0x500: words(0x400, 0x408, 0x408), 0x600: words(0x400, 3, 2, 1), 0x700: words(0)}
	check(t, m, []library{
		{at("p", 0x100, raw), "p {pointer = 0x0000000000000200 {id = 42}}"},
		{at("p", 0x700, raw), "p {pointer = nullptr}"},
		{at("s", 0x300, span), "s = size=2 {[0] = 1, [1] = 2}"},
		{at("f", 0x500, flat), "f = size=2 {[0] = 1, [1] = 2}"},
		{at("d", 0x200, delta), "d = 42 µs {delta_ = 42}"},
		{at("r", 0x600, ring), "r = size=2 {[0] = 3, [1] = 1}"},
	})
}

func TestMozilla(t *testing.T) {
	repr := structure("mozilla::detail::nsTStringRepr<char16_t>", 16, member("mData", 0, pointer(wide16)), member("mLength", 8, uint32T), member("mDataFlags", 12, uint32T))
	text := structure("nsTString<char16_t>", 16, types.Member{Base: true, Type: to(structure("nsTSubstring<char16_t>", 16, types.Member{Base: true, Type: to(repr)}))})
	header := structure("nsTArrayHeader", 8, member("mLength", 0, uint32T), bitsOf("mCapacity", 32, 31, uint32T))
	list := of(structure("nsTArray<double>", 8, types.Member{Base: true, Type: to(structure("nsTArray_base<A>", 8, member("mHdr", 0, pointer(header))))}), double)
	ref := structure("RefPtr<X>", 8, member("mRawPtr", 0, pointer(structure("X", 8, member("n", 0, long)))))
	inner := &types.Type{Kind: types.Union, Size: 8, Sized: true, Members: []types.Member{member("dummy", 0, char), member("val", 0, long)}}
	option := structure("mozilla::Maybe<long>", 16, member("mStorage", 0, inner), member("mIsSome", 8, base(types.Bool, "bool", 1)))
	m := memory{0x100: words(0x200, 2), 0x200: {'n', 0, 's', 0}, 0x300: words(0x400), 0x400: words(2|1<<33, 0x3ff8_0000_0000_0000, 0x4000_0000_0000_0000), 0x500: words(7, 1), 0x510: words(7, 0)}
	check(t, m, []library{
		{at("s", 0x100, text), `s = u"ns"`},
		{at("a", 0x300, list), "a = size=2 {[0] = 1.5, [1] = 2}"},
		{at("r", 0x300, ref), "r {pointer = 0x0000000000000400 {n = 8589934594}}"},
		{at("o", 0x500, option), "o {Value = 7}"},
		{at("o", 0x510, option), "o"},
	})
}
