package variables

import (
	"cmp"
	"strings"

	"crashglass/core/values/types"
)

// libstdcxx are types of GNU's C++ library, by its headers: bits/basic_string.h,
// bits/stl_vector.h, bits/stl_bvector.h, bits/stl_list.h, bits/forward_list.h,
// bits/stl_deque.h, bits/stl_tree.h, bits/hashtable.h, optional, variant,
// bits/unique_ptr.h, bits/shared_ptr_base.h, string_view, bitset, span,
// initializer_list, bits/std_function.h, any, atomic, bits/chrono.h.
func libstdcxx() []known {
	return []known{
		{"std::__cxx11::basic_string<char16_t,|std::__cxx11::basic_string<char32_t,", gnuString, withMembers},
		{"std::__cxx11::basic_string<", gnuString, asText},
		{"std::basic_string<", gnuOldString, asText},
		{"std::basic_string_view<", chars("_M_str", "_M_len"), withMembers},
		{"std::vector<bool,", gnuBits, plain},
		{"std::vector<", gnuVector, plain},
		{"std::__cxx11::list<", gnuList, plain},
		{"std::forward_list<", gnuForwardList, plain},
		{"std::deque<", gnuDeque, plain},
		{"std::map<|std::multimap<|std::set<|std::multiset<", gnuTree, plain},
		{"std::unordered_", gnuHash, plain},
		{"std::optional<", maybe("_M_payload._M_engaged", "_M_payload._M_payload._M_value"), plain},
		{"std::variant<", alternatives("_M_index", "_M_u"), plain},
		{"std::tuple<", gnuTuple, withMembers},
		// The pointer is the first element of a tuple with the deleter. Since GCC 8 there is one structure more around the tuple.
		{"std::unique_ptr<", handle("_M_t._M_t.#std::_Head_base<0._M_head_impl|_M_t.#std::_Head_base<0._M_head_impl"), plain},
		{"std::shared_ptr<|std::weak_ptr<", handle("_M_ptr"), plain},
		{"std::bitset<", bitset("_M_w"), plain},
		{"std::array<", memberArray("_M_elems"), withMembers},
		{"std::span<", extent("_M_ptr", "_M_extent._M_extent_value"), plain},
		{"std::initializer_list<", counted("_M_array|__begin_", "_M_len|__size_"), plain},
		{"std::function<", gnuFunction, withMembers},
		{"std::any", holding("_M_manager", "::_Manager_internal<", "_M_storage._M_buffer", "::_Manager_external<", "_M_storage._M_ptr"), withMembers},
		{"std::atomic<", through("_M_i|_M_base._M_i|_M_b._M_p"), withMembers},
		{"std::__atomic_base<", through("_M_i|_M_p"), withMembers},
		{"std::reference_wrapper<", handle("_M_data"), plain},
		{"__gnu_cxx::__normal_iterator<", iterator("_M_current"), withMembers},
		{"std::_Rb_tree_iterator<|std::_Rb_tree_const_iterator<", gnuNode("_M_node", 4), withMembers},
		{"std::_Deque_iterator<", gnuNode("_M_cur", 0), withMembers},
		{"std::__detail::_Node_iterator<|std::__detail::_Node_const_iterator<", gnuNode("_M_cur", 1), withMembers},
		{"std::_Fwd_list_iterator<|std::_Fwd_list_const_iterator<", gnuNode("_M_node", 1), withMembers},
		{"std::chrono::duration<", duration("__r"), withMembers},
		{"std::chrono::time_point<", through("__d"), withMembers},
	}
}

// gnuString reads a string since GCC 5. Its pointer leads to the characters also if they are within
// the object.
func gnuString(o *object) bool {
	at, ok := o.number("_M_dataplus._M_p")
	n, okN := o.number("_M_string_length")
	room, okR := o.number("_M_allocated_capacity")
	local := o.field("_M_local_buf")
	switch size := sizeOf(o.arg(0)); {
	case !ok || !okN || at == 0 && n == 0 || size == 0: // all zeros: not yet constructed
		return false
	case local == nil || !local.v.memory: // where the buffer is must be known
		return o.text(at, n, o.arg(0))
	case at == local.v.addr:
		return o.textIn(at, n, max(sizeOf(local.t)/size, 1)-1, o.arg(0))
	default:
		return okR && o.textIn(at, n, room, o.arg(0))
	}
}

// gnuOldString reads a string from before GCC 5, with its length in front of its characters.
func gnuOldString(o *object) bool {
	at, ok := o.number("_M_dataplus._M_p")
	if !ok || at == 0 || o.field("_M_string_length") != nil {
		return false
	}
	n, ok := o.load(at - 3*o.word()) // _Rep: length, capacity, reference count
	room, okR := o.load(at - 2*o.word())
	return ok && okR && o.textIn(at, n, room, o.arg(0))
}

// gnuVector reads a vector: pointers to the first element, behind the last one, and behind the
// capacity.
func gnuVector(o *object) bool {
	return o.span("_M_impl._M_start", "_M_impl._M_finish", "_M_impl._M_end_of_storage", o.arg(0))
}

func gnuBits(o *object) bool {
	var from, to, first, last uint64
	start, finish := o.field("_M_impl._M_start"), o.field("_M_impl._M_finish")
	if !start.numbers(num{"_M_p", &from}, num{"_M_offset", &first}) || !finish.numbers(num{"_M_p", &to}, num{"_M_offset", &last}) {
		return false
	}
	limit, okL := o.number("_M_impl._M_end_of_storage")
	switch {
	case to < from || okL && (limit < to || limit == to && last > 0):
		return o.inconsistent(nil, "it ends at %#x, which is not in its memory from %#x to %#x", to, from, limit)
	case first != 0 || last >= 8*o.word() || (to-from)%o.word() != 0 || okL && (limit-from)%o.word() != 0:
		return o.inconsistent(nil, "it goes from bit %d at %#x to bit %d at %#x, in memory up to %#x", first, from, last, to, limit)
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
	l := links{first: at, end: head.v.addr, size: &n, next: o.load, push: o.values(2*o.word(), o.arg(0))}
	return o.linked(o.twoWay(l, head.v.addr, func(at uint64) (uint64, bool) { return o.load(at + o.word()) }))
}

// gnuForwardList reads a list without a size, whose nodes (next, value) are counted. A list that does not
// end is shown by its members.
func gnuForwardList(o *object) bool {
	at, ok := o.number("_M_impl._M_head._M_next")
	return ok && o.linked(links{first: at, next: o.load, push: o.values(o.word(), o.arg(0))})
}

// gnuDeque reads a deque: a map of buffers of 512 bytes.
func gnuDeque(o *object) bool {
	t := o.arg(0)
	size := sizeOf(t)
	if size == 0 {
		return false
	}
	per := max(512/size, 1) // __deque_buf_size
	var cur, first, node, lastCur, lastFirst, lastNode uint64
	start, finish := o.field("_M_impl._M_start"), o.field("_M_impl._M_finish")
	if !start.numbers(num{"_M_cur", &cur}, num{"_M_first", &first}, num{"_M_node", &node}) ||
		!finish.numbers(num{"_M_cur", &lastCur}, num{"_M_first", &lastFirst}, num{"_M_node", &lastNode}) {
		return false
	}
	begin := (cur - first) / size // free slots in front of the first element
	n := (lastNode-node)/o.word()*per + (lastCur-lastFirst)/size - begin
	switch {
	case lastNode < node || lastNode == node && lastCur < cur:
		return o.inconsistent(nil, "it ends at %#x, before its begin at %#x", lastCur, cur)
	case (cur-first)%size != 0 || (lastCur-lastFirst)%size != 0:
		return o.inconsistent(nil, "it begins or ends within an element of %d bytes", size)
	case (lastNode-node)%o.word() != 0:
		return o.inconsistent(nil, "its map has an entry of %d bytes", (lastNode-node)%o.word())
	}
	table, okT := o.number("_M_impl._M_map")
	rows, okR := o.number("_M_impl._M_map_size")
	last, okL := o.load(lastNode)
	buffer, okB := o.load(node)
	switch {
	case begin >= per || (lastCur-lastFirst)/size >= per:
		return o.inconsistent(&n, "it begins or ends outside its buffers of %d", per)
	case n>>40 != 0 || okR && rows > maxStride:
		return o.inconsistent(&n, tooMany)
	case node == 0 && n > 0:
		return o.inconsistent(&n, "its memory is at 0")
	case okT && okR && node > 0 && (node < table || (lastNode-table)/o.word() >= rows):
		return o.inconsistent(&n, "its buffers are not in the map of %d", rows)
	case okL && last != lastFirst || okB && node > 0 && buffer != first:
		return o.inconsistent(&n, "it begins or ends in a buffer that is not in its map")
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
	s := treeShape{end: header.v.addr, parent: o.word(), left: 2 * o.word(), right: 3 * o.word(), ranked: true}
	ok = ok && header.numbers(num{"_M_parent", &s.root}, num{"_M_left", &s.first}, num{"_M_right", &s.last})
	t := tree.arg(1)
	return ok && (sizeOf(t) > 0 || n == 0) && o.tree(s, n, o.values(4*o.word(), t))
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
	return o.linked(links{first: at, size: &n, next: o.load, push: o.values(o.word(), t)})
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

// gnuTuple reads a tuple. Each element is in a base of its own, and those behind it are in another. GCC says nothing
// of the template's arguments.
func gnuTuple(o *object) bool {
	for d, at := into(maxBases), o; at != nil && d.enters(at.t); d = d.deeper() {
		bases := at.t.Members
		outer := at
		at = nil
		for i := range bases {
			part := outer.member(&bases[i])
			switch name := types.Named(part.is); {
			case !bases[i].Base:
			case strings.HasPrefix(name, "std::_Tuple_impl<"):
				at = part
			case strings.HasPrefix(name, "std::_Head_base<"):
				o.child(index(uint64(len(o.out.Children))), part.held("_M_head_impl"))
			}
		}
	}
	return len(o.out.Children) > 0
}

// held is the element in a base of a tuple. One without members is a base itself.
func (o *object) held(member string) *object {
	if part := o.part(member); part != nil {
		return part
	}
	return cmp.Or(o.firstBase(), o)
}

// gnuNode is an iterator of a container of nodes, which has as many pointers before its value as a node. That of
// an end of a tree leads to the head of the tree, which is red, and the parent of the node whose parent it is.
func gnuNode(path string, words uint64) func(*object) bool {
	return func(o *object) bool {
		at, ok := o.number(path)
		t := o.arg(0)
		if !ok || at == 0 || sizeOf(t) == 0 {
			return false
		}
		if words == 4 {
			color, okC := o.load(at)
			parent, okP := o.load(at + o.word())
			back, okB := o.load(parent + o.word())
			if !okC || !okP || !okB || uint32(color) == 0 && back == at {
				return false
			}
		}
		return o.child("item", o.in(at+o.behind(words*o.word(), t), t))
	}
}
