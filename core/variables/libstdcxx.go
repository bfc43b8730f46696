package variables

import "crashglass/core/types"

// libstdcxx are types of GNU's C++ library, by its headers: bits/basic_string.h,
// bits/stl_vector.h, bits/stl_bvector.h, bits/stl_list.h, bits/forward_list.h,
// bits/stl_deque.h, bits/stl_tree.h, bits/hashtable.h, optional, variant,
// bits/unique_ptr.h, bits/shared_ptr_base.h, string_view, bitset.
func libstdcxx() []known {
	return []known{
		{"std::__cxx11::basic_string<char16_t", gnuString, true, false},
		{"std::__cxx11::basic_string<char32_t", gnuString, true, false},
		{"std::__cxx11::basic_string<", gnuString, false, true},
		{"std::basic_string<", gnuOldString, false, true},
		{"std::basic_string_view<", gnuStringView, true, false},
		{"std::vector<bool,", gnuBits, false, false},
		{"std::vector<", gnuVector, false, false},
		{"std::__cxx11::list<", gnuList, false, false},
		{"std::forward_list<", gnuForwardList, false, false},
		{"std::deque<", gnuDeque, false, false},
		{"std::map<", gnuTree, false, false},
		{"std::multimap<", gnuTree, false, false},
		{"std::set<", gnuTree, false, false},
		{"std::multiset<", gnuTree, false, false},
		{"std::unordered_", gnuHash, false, false},
		{"std::optional<", gnuOptional, false, false},
		{"std::variant<", gnuVariant, false, false},
		{"std::tuple<", gnuTuple, true, false},
		{"std::unique_ptr<", gnuUnique, false, false},
		{"std::shared_ptr<", gnuShared, false, false},
		{"std::weak_ptr<", gnuShared, false, false},
		{"std::bitset<", gnuBitset, false, false},
	}
}

func gnuString(o *object) bool {
	at, ok := o.number("_M_dataplus._M_p")
	n, okN := o.number("_M_string_length")
	return ok && okN && at != 0 && o.text(at, n, o.arg(0))
}

// gnuOldString reads a string of before GCC 5, whose length lies before its characters.
func gnuOldString(o *object) bool {
	at, ok := o.number("_M_dataplus._M_p")
	if !ok || at == 0 || o.field("_M_string_length") != nil {
		return false
	}
	n, ok := o.load(at - 3*o.word())
	return ok && o.text(at, n, o.arg(0))
}

func gnuStringView(o *object) bool {
	at, ok := o.number("_M_str")
	n, okN := o.number("_M_len")
	return ok && okN && o.text(at, n, o.arg(0))
}

// span reads pointers to the begin, the end and the end of the room of an array.
func (o *object) span(begin, end, room string) (from, count uint64, ok bool) {
	from, okB := o.number(begin)
	to, okE := o.number(end)
	limit, okR := o.number(room)
	size := sizeOf(o.arg(0))
	if !okB || !okE || !okR || size == 0 || to < from || limit < to || (to-from)%size != 0 {
		return 0, 0, false
	}
	return from, (to - from) / size, true
}

func gnuVector(o *object) bool {
	from, n, ok := o.span("_M_impl._M_start", "_M_impl._M_finish", "_M_impl._M_end_of_storage")
	return ok && o.run(from, n, o.arg(0))
}

// gnuBits reads a vector of bits.
func gnuBits(o *object) bool {
	from, ok1 := o.number("_M_impl._M_start._M_p")
	to, ok2 := o.number("_M_impl._M_finish._M_p")
	first, ok3 := o.number("_M_impl._M_start._M_offset")
	last, ok4 := o.number("_M_impl._M_finish._M_offset")
	if !ok1 || !ok2 || !ok3 || !ok4 || to < from || (to-from)>>40 != 0 || first != 0 {
		return false
	}
	n := 8*(to-from) + last
	for i := range min(n, uint64(o.r.limits.Elements)) {
		word, ok := o.load(from + i/(8*o.word())*o.word())
		if !ok {
			return false
		}
		o.bit(byte(word >> (i % (8 * o.word())) & 1))
	}
	return o.sized(n)
}

// gnuList reads a list, which is a ring with a node of its own.
func gnuList(o *object) bool {
	head := o.field("_M_impl._M_node")
	if head == nil || !head.v.memory {
		return false
	}
	n, ok := o.number("_M_impl._M_node._M_size")
	if !ok {
		n, ok = o.number("_M_impl._M_node._M_data") // where the size is a node's
	}
	at, okNext := o.number("_M_impl._M_node._M_next")
	if !okNext || !ok {
		return false
	}
	for i := uint64(0); at != head.v.addr; i++ {
		if i >= n || !o.push(at+o.behind(2*o.word(), o.arg(0)), o.arg(0)) {
			break
		}
		if at, ok = o.load(at); !ok {
			return false
		}
	}
	return o.sized(n)
}

func gnuForwardList(o *object) bool {
	at, ok := o.number("_M_impl._M_head._M_next")
	if !ok {
		return false
	}
	n := uint64(0)
	for ; at != 0 && n < maxNodes; n++ {
		o.push(at+o.behind(o.word(), o.arg(0)), o.arg(0))
		if at, ok = o.load(at); !ok {
			return false
		}
	}
	return at == 0 && o.sized(n)
}

// maxNodes bounds the nodes that are followed to count them.
const maxNodes = 1 << 14

// gnuDeque reads a deque: a map of buffers of 512 bytes.
func gnuDeque(o *object) bool {
	t := o.arg(0)
	size := sizeOf(t)
	if size == 0 {
		return false
	}
	per := max(512/size, 1)
	cur, ok1 := o.number("_M_impl._M_start._M_cur")
	first, ok2 := o.number("_M_impl._M_start._M_first")
	node, ok3 := o.number("_M_impl._M_start._M_node")
	lastCur, ok4 := o.number("_M_impl._M_finish._M_cur")
	lastFirst, ok5 := o.number("_M_impl._M_finish._M_first")
	lastNode, ok6 := o.number("_M_impl._M_finish._M_node")
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 || lastNode < node || cur < first || lastCur < lastFirst || (lastNode-node)>>32 != 0 {
		return false
	}
	begin := (cur - first) / size
	n := (lastNode-node)/o.word()*per + (lastCur-lastFirst)/size - begin
	if n>>40 != 0 {
		return false
	}
	for i := begin; i < begin+n; i++ {
		buffer, ok := o.load(node + i/per*o.word())
		if !ok {
			return false
		}
		if !o.push(buffer+i%per*size, t) {
			break
		}
	}
	return o.sized(n)
}

// gnuTree reads a map or a set, in the order of its keys. A node has its color,
// its parent and its children, and behind them the value.
func gnuTree(o *object) bool {
	tree := o.field("_M_t")
	header := tree.maybe("_M_impl._M_header")
	if header == nil || !header.v.memory {
		return false
	}
	n, ok := tree.number("_M_impl._M_node_count")
	at, okFirst := header.number("_M_left")
	t := tree.arg(1)
	if !ok || !okFirst || sizeOf(t) == 0 && n > 0 {
		return false
	}
	for i := uint64(0); i < n && at != header.v.addr; i++ {
		if !o.captured(at) {
			return false
		}
		if !o.push(at+o.behind(4*o.word(), t), t) {
			break
		}
		if at, ok = o.nextInTree(at); !ok {
			return false
		}
	}
	return o.sized(n)
}

func (o *object) maybe(path string) *object {
	if o == nil {
		return nil
	}
	return o.field(path)
}

// maxClimb bounds the height of a tree.
const maxClimb = 128

// nextInTree is the node with the next key: std::_Rb_tree_increment.
func (o *object) nextInTree(at uint64) (uint64, bool) {
	parent, left, right := o.word(), 2*o.word(), 3*o.word()
	next, ok := o.load(at + right)
	if !ok {
		return 0, false
	}
	if next != 0 {
		for range maxClimb {
			l, ok := o.load(next + left)
			if !ok || l == 0 {
				return next, ok
			}
			next = l
		}
		return 0, false
	}
	for range maxClimb {
		up, ok := o.load(at + parent)
		if !ok {
			return 0, false
		}
		r, ok := o.load(up + right)
		if !ok || r != at {
			return up, ok
		}
		at = up
	}
	return 0, false
}

// gnuHash reads a hashed container, whose nodes are one list.
func gnuHash(o *object) bool {
	table := o.field("_M_h")
	at, ok := table.maybe("_M_before_begin._M_nxt").uint()
	n, okN := table.maybe("_M_element_count").uint()
	t := table.arg(1)
	if !ok || !okN || sizeOf(t) == 0 {
		return false
	}
	for i := uint64(0); i < n && at != 0; i++ {
		if !o.captured(at) {
			return false
		}
		if !o.push(at+o.behind(o.word(), t), t) {
			break
		}
		if at, ok = o.load(at); !ok {
			return false
		}
	}
	return o.sized(n)
}

func gnuOptional(o *object) bool {
	engaged, ok := o.number("_M_payload._M_engaged")
	value := o.field("_M_payload._M_payload._M_value")
	if !ok || engaged > 1 || value == nil {
		return false
	}
	return engaged == 0 || o.child("Value", value)
}

// gnuVariant reads a variant, whose alternatives all begin where it does.
func gnuVariant(o *object) bool {
	i, ok := o.number("_M_index")
	storage := o.field("_M_u")
	if !ok || storage == nil || i >= uint64(len(o.t.Args)) {
		return false
	}
	storage.t = types.Strip(o.arg(int(i)))
	return o.child("Value", storage)
}

func gnuUnique(o *object) bool {
	pointer := o.field("_M_t._M_t.#std::_Head_base<0._M_head_impl")
	if pointer == nil {
		pointer = o.field("_M_t.#std::_Head_base<0._M_head_impl")
	}
	return o.child("pointer", pointer)
}

func gnuShared(o *object) bool { return o.child("pointer", o.field("_M_ptr")) }

func gnuBitset(o *object) bool {
	words := o.field("_M_w")
	if words == nil || len(o.t.Args) == 0 || o.t.Args[0].Value == nil || *o.t.Args[0].Value < 0 {
		return false
	}
	n := uint64(*o.t.Args[0].Value)
	b, err := o.r.get(words.v, sizeOf(words.t))
	if err != nil || n > 8*uint64(len(b)) || o.r.frame.BigEndian {
		return false
	}
	for i := range min(n, uint64(o.r.limits.Elements)) {
		o.bit(b[i/8] >> (i % 8) & 1)
	}
	return o.sized(n)
}

// bit adds an element that is a bit.
func (o *object) bit(b byte) {
	o.r.values--
	bit := &Value{Name: index(uint64(len(o.out.Children))), Type: "bool"}
	bit.say(boolean(uint64(b)))
	o.out.Children = append(o.out.Children, bit)
}

// gnuTuple reads a tuple, each of whose elements is in a base of its own.
func gnuTuple(o *object) bool {
	for i := range o.t.Args {
		element := o.field("#std::_Head_base<" + unsigned(uint64(i)) + "._M_head_impl")
		if !o.child(index(uint64(i)), element) {
			return false
		}
	}
	return len(o.t.Args) > 0
}
