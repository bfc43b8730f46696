package variables

import (
	"strings"

	"crashglass/core/types"
)

// libstdcxx are types of GNU's C++ library, by its headers: bits/basic_string.h,
// bits/stl_vector.h, bits/stl_bvector.h, bits/stl_list.h, bits/forward_list.h,
// bits/stl_deque.h, bits/stl_tree.h, bits/hashtable.h, optional, variant,
// bits/unique_ptr.h, bits/shared_ptr_base.h, string_view, bitset, span,
// initializer_list, bits/std_function.h, any, atomic, bits/chrono.h.
func libstdcxx() []known {
	return []known{
		{"std::__cxx11::basic_string<char16_t,", gnuString, true, false},
		{"std::__cxx11::basic_string<char32_t,", gnuString, true, false},
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
		{"std::shared_ptr<", handle("_M_ptr"), false, false},
		{"std::weak_ptr<", handle("_M_ptr"), false, false},
		{"std::bitset<", gnuBitset, false, false},
		{"std::array<", memberArray("_M_elems"), true, false},
		{"std::span<", extent("_M_ptr", "_M_extent._M_extent_value"), false, false},
		{"std::initializer_list<", counted("_M_array|__begin_", "_M_len|__size_"), false, false},
		{"std::function<", gnuFunction, true, false},
		{"std::any", gnuAny, true, false},
		{"std::atomic<", through("_M_i|_M_base._M_i|_M_b._M_p"), true, false},
		{"std::__atomic_base<", through("_M_i|_M_p"), true, false},
		{"std::reference_wrapper<", handle("_M_data"), false, false},
		{"__gnu_cxx::__normal_iterator<", iterator("_M_current"), true, false},
		{"std::chrono::duration<", duration("__r"), true, false},
		{"std::chrono::time_point<", through("__d"), true, false},
	}
}

// gnuString reads a string since GCC 5. Its pointer leads to the characters also if they are within
// the object.
func gnuString(o *object) bool {
	at, ok := o.number("_M_dataplus._M_p")
	n, okN := o.number("_M_string_length")
	return ok && okN && at != 0 && o.text(at, n, o.arg(0))
}

// gnuOldString reads a string from before GCC 5, with its length in front of its characters.
func gnuOldString(o *object) bool {
	at, ok := o.number("_M_dataplus._M_p")
	if !ok || at == 0 || o.field("_M_string_length") != nil {
		return false
	}
	n, ok := o.load(at - 3*o.word()) // _Rep: length, capacity, reference count
	return ok && o.text(at, n, o.arg(0))
}

// gnuStringView reads a string_view, whose length comes before its pointer.
func gnuStringView(o *object) bool {
	at, ok := o.number("_M_str")
	n, okN := o.number("_M_len")
	return ok && okN && o.text(at, n, o.arg(0))
}

// gnuVector reads a vector: pointers to the first element, behind the last one, and behind the
// capacity.
func gnuVector(o *object) bool {
	from, n, ok := o.span("_M_impl._M_start", "_M_impl._M_finish", "_M_impl._M_end_of_storage", sizeOf(o.arg(0)))
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
	return o.bitsAt(from, 8*(to-from)+last, o.word())
}

// gnuList reads a list, which is a ring with a head node in the object.
func gnuList(o *object) bool {
	head := o.field("_M_impl._M_node")
	if head == nil || !head.v.memory {
		return false
	}
	// Up to GCC 7 the size is the value of a node; the two paths are for C++98, and for C++11 and
	// later.
	n, ok := o.number("_M_impl._M_node._M_size|_M_impl._M_node._M_data|_M_impl._M_node._M_storage")
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

// gnuForwardList reads a list without a size, and counts its nodes (next, value). A list that does not
// end is shown by its members.
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

// maxNodes bounds the nodes that are followed for a count.
const maxNodes = 1 << 14

// gnuDeque reads a deque: a map of buffers of 512 bytes.
func gnuDeque(o *object) bool {
	t := o.arg(0)
	size := sizeOf(t)
	if size == 0 {
		return false
	}
	per := max(512/size, 1) // __deque_buf_size
	cur, ok1 := o.number("_M_impl._M_start._M_cur")
	first, ok2 := o.number("_M_impl._M_start._M_first")
	node, ok3 := o.number("_M_impl._M_start._M_node")
	lastCur, ok4 := o.number("_M_impl._M_finish._M_cur")
	lastFirst, ok5 := o.number("_M_impl._M_finish._M_first")
	lastNode, ok6 := o.number("_M_impl._M_finish._M_node")
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 || lastNode < node || cur < first || lastCur < lastFirst || (lastNode-node)>>32 != 0 {
		return false
	}
	begin := (cur - first) / size // free slots in front of the first element
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

// gnuTree reads a map or a set, in the order of its keys. A node has its color, its parent and its
// children, followed by the value.
func gnuTree(o *object) bool {
	tree := o.field("_M_t")
	header := tree.part("_M_impl._M_header")
	if header == nil || !header.v.memory {
		return false
	}
	n, ok := tree.number("_M_impl._M_node_count")
	at, okFirst := header.number("_M_left")
	t := tree.arg(1)
	if !ok || !okFirst || sizeOf(t) == 0 && n > 0 {
		return false
	}
	shape := treeShape{parent: o.word(), left: 2 * o.word(), right: 3 * o.word()}
	for i := uint64(0); i < n && at != header.v.addr; i++ {
		if !o.captured(at) {
			return false
		}
		if !o.push(at+o.behind(4*o.word(), t), t) {
			break
		}
		if at, ok = o.nextInTree(at, shape); !ok {
			return false
		}
	}
	return o.sized(n)
}

// gnuHash reads a hashed container, whose nodes form one list.
func gnuHash(o *object) bool {
	table := o.field("_M_h")
	at, ok := table.part("_M_before_begin._M_nxt").uint()
	n, okN := table.part("_M_element_count").uint()
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

// gnuOptional reads an optional. Its flag is a bool: more than 1 is a value that was never set up.
func gnuOptional(o *object) bool {
	engaged, ok := o.number("_M_payload._M_engaged")
	value := o.field("_M_payload._M_payload._M_value")
	if !ok || engaged > 1 || value == nil {
		return false
	}
	return engaged == 0 || o.child("Value", value)
}

// gnuVariant reads a variant, whose alternatives all begin at its own address.
func gnuVariant(o *object) bool {
	i, ok := o.number("_M_index")
	storage := o.field("_M_u")
	if !ok || storage == nil || i >= uint64(len(o.t.Args)) {
		return false
	}
	storage.t = types.Strip(o.arg(int(i)))
	return o.child("Value", storage)
}

// gnuUnique reads a unique_ptr, whose pointer is the first element of a tuple with the deleter. Since
// GCC 8 there is one structure more around the tuple.
func gnuUnique(o *object) bool {
	return o.pointer(o.field("_M_t._M_t.#std::_Head_base<0._M_head_impl|_M_t.#std::_Head_base<0._M_head_impl"))
}

// gnuFunction names the target of a function object: the function at the stored address, or the
// class of the target by the name of its invoker.
func gnuFunction(o *object) bool {
	manager, ok := o.number("_M_manager")
	invoker, okI := o.number("_M_invoker")
	if !ok || !okI {
		return false
	}
	if manager == 0 {
		o.out.say("empty")
		return true
	}
	if !o.names(invoker) {
		return false
	}
	_, target, _ := strings.Cut(o.out.Text, "_Function_handler<")
	if to, ok := o.number("_M_functor._M_unused._M_function_pointer"); ok && strings.Contains(target, "(*)(") {
		return o.names(to)
	}
	return true
}

// gnuAny names the type of the content, by the name of its manager.
func gnuAny(o *object) bool {
	return o.holds("_M_manager", "::_Manager_internal<", "::_Manager_external<")
}

// gnuBitset reads a bitset, whose words are a number or an array of numbers.
func gnuBitset(o *object) bool { return o.bitset(o.field("_M_w")) }

// gnuTuple reads a tuple. Each element is in a base of its own.
func gnuTuple(o *object) bool {
	for i := range o.t.Args {
		element := o.field("#std::_Head_base<" + unsigned(uint64(i)) + "._M_head_impl")
		if !o.child(index(uint64(i)), element) {
			return false
		}
	}
	return len(o.t.Args) > 0
}
