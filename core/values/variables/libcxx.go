package variables

import (
	"strings"

	"crashglass/core/values/types"
)

// libcxxSpaces are the namespaces of LLVM's C++ library: the default one, and those of Android's
// NDK and Chromium.
var libcxxSpaces = []string{"std::__1::", "std::__ndk1::", "std::__Cr::"}

// libcxx are types of LLVM's C++ library, by its headers from LLVM 7 to 21. Since LLVM 20 the parts
// of a __compressed_pair are members of their own.
func libcxx() (list []known) {
	rows := []known{
		{"basic_string<", cxxString, asText},
		{"basic_string_view<", chars("__data_|__data", "__size_|__size"), asText},
		{"vector<bool,", packed("__begin_", "__size_", "__cap_alloc_.__value_|__cap_|__cap_alloc_.__first_", 0), plain},
		{"vector<", ranged("__begin_", "__end_", "__end_cap_.__value_|__cap_|__end_cap_.__first_"), plain},
		{"list<", cxxList, plain},
		{"forward_list<", cxxForwardList, plain},
		{"deque<", cxxDeque, plain},
		{"map<|multimap<", cxxTree(allocated(3)), plain},
		{"set<|multiset<", cxxTree(argument(0)), plain},
		{"unordered_map<|unordered_multimap<", cxxHash(allocated(4)), plain},
		{"unordered_set<|unordered_multiset<", cxxHash(argument(0)), plain},
		{"array<", memberArray("__elems_"), plain},
		{"span<", extent("__data_|__data", "__size_|__size"), plain},
		{"initializer_list<", counted("__begin_", "__size_"), plain},
		{"optional<", maybe("__engaged_", "__val_"), plain},
		{"variant<", alternatives("__impl_.__index|__impl.__index", "__impl_.__data|__impl.__data"), plain},
		{"tuple<", cxxTuple, plain},
		{"unique_ptr<", handle("__ptr_.__value_|__ptr_.__first_|__ptr_"), plain},
		{"shared_ptr<|weak_ptr<", handle("__ptr_"), plain},
		{"reference_wrapper<", handle("__f_"), plain},
		{"function<", cxxFunction, withMembers},
		{"any", holding("__h_", "::_SmallHandler<", "__s_.__buf", "::_LargeHandler<", "__s_.__ptr"), withMembers},
		{"atomic<", through("__a_.__a_value|__a_"), withMembers},
		{"bitset<", bitset("__first_"), plain},
		{"__wrap_iter<", iterator("__i_|__i"), withMembers},
		{"queue<|stack<|priority_queue<", through("c"), plain},
		{"chrono::duration<", duration("__rep_"), withMembers},
		{"chrono::time_point<", through("__d_"), withMembers},
	}
	for _, space := range libcxxSpaces {
		for _, k := range rows {
			k.names = space + strings.ReplaceAll(k.names, "|", "|"+space)
			list = append(list, k)
		}
	}
	return list
}

// paired returns a member that may be in a __compressed_pair.
func paired(old, now string) string { return old + ".__value_|" + now + "|" + old + ".__first_" }

// cxxString reads a string, whose short form is within the object. There are two layouts; in the
// alternate one the pointer comes first. Up to LLVM 13 the flag was a bit of the size: the lowest,
// or in the alternate layout the highest.
func cxxString(o *object) bool {
	rep := o.field("__r_.__value_|__rep_|__r_.__first_")
	long, short := rep.part("__l|__l_"), rep.part("__s|__s_")
	data := long.part("__data_")
	n, ok := short.part("__size_").uint()
	if data == nil || !ok {
		return false
	}
	isLong, alternate := false, data.v.at(0).addr == long.v.addr && data.v.from == long.v.from
	switch flag := short.part("__is_long_"); {
	case flag != nil:
		v, _ := flag.uint()
		isLong = v != 0
	case alternate:
		isLong, n = n&0x80 != 0, n&0x7f
	default:
		isLong, n = n&1 != 0, n>>1
	}
	if isLong {
		at, okAt := data.uint()
		n, ok = long.part("__size_").uint()
		room, okR := long.capacity(alternate)
		return okAt && ok && okR && o.textIn(at, n, room-1, data.element())
	}
	return o.inlineText(short.part("__data_"), n)
}

// capacity returns the characters that a long string has memory for, the zero included. The flag is the lowest bit of that number, or
// the highest in the alternate layout; as a bit field of its own, it is left out.
func (o *object) capacity(alternate bool) (uint64, bool) {
	room := o.part("__cap_")
	n, ok := room.uint()
	switch {
	case alternate:
		n &= o.r.frame.Arch.Mask() >> 1
	case ok && room.bits != nil:
		n *= 2
	default:
		n &^= 1
	}
	return n, ok && n > 0
}

// bitsAt adds n bits in memory, in words of w bytes.
func (o *object) bitsAt(at, n, w uint64) bool {
	if why := impossible(at, n, 1); why != "" {
		return o.inconsistent(&n, "%s", why)
	}
	word := make([]byte, w)
	for i := range min(n, uint64(o.r.limits.Elements)) {
		if !o.r.load(at+i/(8*w)*w, word) {
			return false
		}
		o.bit(byte(o.r.frame.Number(word) >> (i % (8 * w)) & 1))
	}
	return o.sized(n)
}

// cxxNodes reads a list of nodes, with the pointer to the next node and the value at given offsets.
func (o *object) cxxNodes(first, end, next, value uint64, n *uint64, t *types.Type) bool {
	l := links{first: first, end: end, size: n, next: func(at uint64) (uint64, bool) { return o.load(at + next) }, push: o.values(value, t)}
	if end != 0 { // nodes in two directions begin with the link back
		l = o.twoWay(l, end, o.load)
	}
	return sizeOf(t) > 0 && o.linked(l)
}

// cxxList reads a list: a ring of nodes (previous, next, value), with its end in the object.
// Source: __node/list or <list>, __list_node_base.
func cxxList(o *object) bool {
	end := o.field("__end_")
	at, ok := end.part("__next_").uint()
	n, okN := o.number(paired("__size_alloc_", "__size_"))
	return ok && okN && end.v.memory && o.cxxNodes(at, end.v.addr, o.word(), 2*o.word(), &n, o.arg(0))
}

// cxxForwardList reads a list without a size, whose nodes (next, value) are counted.
func cxxForwardList(o *object) bool {
	first, ok := o.number("__before_begin_.__value_.__next_|__before_begin_.__next_|__before_begin_.__first_.__next_")
	return ok && o.cxxNodes(first, 0, 0, o.word(), nil, o.arg(0))
}

// cxxBlock is the size of a deque's block in bytes. A block of large elements has cxxLeast elements
// instead.
const (
	cxxBlock = 4096
	cxxLarge = 256
	cxxLeast = 16
)

// cxxDeque reads a deque: a buffer of pointers to blocks, the index of the first element, and their
// number. Source: <deque>, __deque_block_size.
func cxxDeque(o *object) bool {
	t := o.arg(0)
	var blocks, end, start, n uint64
	size := sizeOf(t)
	if !o.numbers(num{"__map_.__begin_", &blocks}, num{"__map_.__end_", &end}, num{"__start_", &start}, num{paired("__size_", "__size_"), &n}) ||
		size == 0 {
		return false
	}
	if end < blocks || (end-blocks)%o.word() != 0 {
		return o.inconsistent(&n, "its table of blocks goes from %#x to %#x", blocks, end)
	}
	per := uint64(cxxLeast)
	if size < cxxLarge {
		per = cxxBlock / size
	}
	count := (end - blocks) / o.word()
	room := count * per
	if count > maxStride {
		return o.inconsistent(&n, tooMany)
	}
	if n > room || start > room-n { // start+n may overflow
		return o.inconsistent(&n, "its blocks have room for %d from %d on", room, start)
	}
	return o.blocks(blocks, count, per, start, n, t)
}

// blocks adds n elements from an index on. The table is a ring of count blocks, and each block has the given number of elements.
func (o *object) blocks(table, count, per, from, n uint64, t *types.Type) bool {
	size := sizeOf(t)
	for i := range n {
		block, ok := o.load(table + (from+i)/per%count*o.word())
		if !ok || !o.captured(block) {
			return false
		}
		if !o.push(block+(from+i)%per*size, t) {
			break
		}
	}
	return o.sized(n)
}

// argument returns the type of a container's values: the template's i-th argument.
func argument(i int) func(*object) *types.Type {
	return func(o *object) *types.Type { return o.arg(i) }
}

// allocated returns the type that the template's i-th argument, an allocator, allocates: pairs, because the type in the
// nodes has changed its name.
func allocated(i int) func(*object) *types.Type {
	return func(o *object) *types.Type {
		allocator := &object{t: types.Strip(o.arg(i))}
		return allocator.arg(0)
	}
}

// cxxTree reads a tree in the order of its keys. A node has its children, its parent and its color,
// followed by the value.
func cxxTree(value func(*object) *types.Type) func(*object) bool {
	return func(o *object) bool {
		tree, t := o.field("__tree_"), value(o)
		root := tree.part("__pair1_.__value_|__end_node_|__pair1_.__first_")
		n, okN := tree.part(paired("__pair3_", "__size_")).uint()
		if root == nil || !root.v.memory || !okN || sizeOf(t) == 0 {
			return false
		}
		// A node has left, right, parent, and a byte for the color. The end node is within the object, and its left child is the root.
		s := treeShape{end: root.v.addr, left: 0, right: o.word(), parent: 2 * o.word()}
		ok := tree.numbers(num{"__begin_node_", &s.first}) && root.numbers(num{"__left_", &s.root})
		return ok && o.tree(s, n, o.values(3*o.word()+1, t))
	}
}

// cxxHash reads a hashed container, whose nodes form one list.
func cxxHash(value func(*object) *types.Type) func(*object) bool {
	return func(o *object) bool {
		at, ok := o.number("__table_.__p1_.__value_.__next_|__table_.__first_node_.__next_|__table_.__p1_.__first_.__next_")
		n, okN := o.number(paired("__table_.__p2_", "__table_.__size_"))
		return ok && okN && o.cxxNodes(at, 0, 0, 2*o.word(), &n, value(o))
	}
}

// cxxTuple reads a tuple. Each element is in a base of its own; an empty element has none.
func cxxTuple(o *object) bool {
	base := o.field("__base_")
	if base == nil {
		return false
	}
	for i := range base.t.Members {
		m := &base.t.Members[i]
		leaf := base.member(m)
		if !m.Base || !o.child(index(uint64(len(o.out.Children))), leaf.held("__value_")) {
			return false
		}
	}
	return true
}

// cxxFunction names the target of a function object by its class.
func cxxFunction(o *object) bool {
	target, ok := o.number("__f_.__f_|__f_")
	if !ok {
		return false
	}
	if target == 0 {
		o.out.say("empty")
		return true
	}
	vtable, ok := o.load(target) // the first word of __func<F, A, R>
	classes := o.r.frame.Symbols.Classes
	if !ok || classes == nil {
		return false
	}
	class, _ := classes.VtableAt(vtable - o.r.frame.Base())
	o.out.say(class)
	return class != ""
}
