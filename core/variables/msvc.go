package variables

import "crashglass/core/types"

// msvc are types of Microsoft's C++ library, by its headers (microsoft/STL, stl/inc: xstring,
// vector, list, xtree, xhash, deque, memory, optional, variant, tuple, functional, atomic). PDB
// files have no template arguments, so elements get their types from the members that lead to them.
func msvc() []known {
	const value = "_Mypair._Myval2."
	return []known{
		{"std::basic_string<", msvcString, false, true},
		{"std::basic_string_view<", chars("_Mydata", "_Mysize"), false, true},
		{"std::vector<bool,", msvcBits, false, false},
		{"std::vector<", ranged(value+"_Myfirst", value+"_Mylast", value+"_Myend"), false, false},
		{"std::list<", msvcList(value), false, false},
		{"std::forward_list<", msvcForwardList, false, false},
		{"std::deque<", msvcDeque, false, false},
		{"std::map<", msvcTree, false, false},
		{"std::multimap<", msvcTree, false, false},
		{"std::set<", msvcTree, false, false},
		{"std::multiset<", msvcTree, false, false},
		{"std::unordered_", msvcList("_List." + value), false, false},
		{"std::array<", memberArray("_Elems"), false, false},
		{"std::span<", counted("_Mydata", "_Mysize"), false, false},
		{"std::initializer_list<", msvcInitializers, false, false},
		{"std::optional<", maybe("_Has_value", "_Value"), false, false},
		{"std::variant<", msvcVariant, false, false},
		{"std::tuple<", msvcTuple, false, false},
		{"std::unique_ptr<", handle("_Mypair._Myval2"), false, false},
		{"std::shared_ptr<", handle("_Ptr"), false, false},
		{"std::weak_ptr<", handle("_Ptr"), false, false},
		{"std::reference_wrapper<", handle("_Ptr"), false, false},
		{"std::atomic<", through("_Storage._Value|_Storage"), true, false},
		{"std::bitset<", func(o *object) bool { return o.bitset(o.field("_Array")) }, false, false},
		{"std::_Vector_iterator<", iterator("_Ptr"), true, false},
		{"std::_Vector_const_iterator<", iterator("_Ptr"), true, false},
		{"std::queue<", through("c"), false, false},
		{"std::stack<", through("c"), false, false},
		{"std::priority_queue<", through("c"), false, false},
		{"std::chrono::duration<", duration("_MyRep"), true, false},
		{"std::chrono::time_point<", through("_MyDur"), true, false},
	}
}

// msvcString reads a string. A short one is within the object, in a buffer of 16 bytes.
func msvcString(o *object) bool {
	data := o.field("_Mypair._Myval2")
	room, ok := data.part("_Myres").uint()
	n, okN := data.part("_Mysize").uint()
	inside := data.part("_Bx._Buf")
	size := sizeOf(inside.element())
	if !ok || !okN || size == 0 || n > room {
		return false
	}
	if room < 16/size { // _BUF_SIZE: 16 bytes, whatever the character
		return o.inlineText(inside, n)
	}
	at, ok := data.part("_Bx._Ptr").uint()
	return ok && o.text(at, n, inside.element())
}

// msvcBits reads a vector of bits; its words have 4 bytes on every CPU (_Vbase).
func msvcBits(o *object) bool {
	at, ok := o.number("_Myvec._Mypair._Myval2._Myfirst")
	n, okN := o.number("_Mysize")
	return ok && okN && o.bitsAt(at, n, 4)
}

// msvcList reads a ring of nodes with a head node without a value. Hashed containers have their
// values in such a list.
func msvcList(path string) func(*object) bool {
	return func(o *object) bool {
		n, ok := o.number(path + "_Mysize")
		return ok && o.nodes(o.field(path+"_Myhead").pointee().part("_Next"), n, "_Next", "_Myval")
	}
}

// msvcForwardList reads a list without a size: its nodes are counted first.
func msvcForwardList(o *object) bool {
	first := o.field("_Mypair._Myval2._Myhead")
	at, ok := first.uint()
	n, okN := o.chain(at) // _Next is the first member
	return ok && okN && o.nodes(first, n, "_Next", "_Myval")
}

// msvcDeque reads a deque: a ring of blocks of 16 bytes, or of one element if that is larger.
func msvcDeque(o *object) bool {
	data := o.field("_Mypair._Myval2")
	table, ok1 := data.part("_Map").uint()
	blocks, ok2 := data.part("_Mapsize").uint()
	from, ok3 := data.part("_Myoff").uint()
	n, ok4 := data.part("_Mysize").uint()
	rows := &object{r: o.r, t: types.Strip(data.part("_Map").element())}
	t := rows.element()
	size := sizeOf(t)
	if !ok1 || !ok2 || !ok3 || !ok4 || size == 0 || n > 0 && blocks == 0 {
		return false
	}
	per := uint64(1)
	for per*2*size <= 16 { // _Block_size: the power of two that fits into 16 bytes
		per *= 2
	}
	for i := range n {
		block, ok := o.load(table + (from+i)/per%blocks*o.word())
		if !ok || !o.captured(block) {
			return false
		}
		if !o.push(block+(from+i)%per*size, t) {
			break
		}
	}
	return o.sized(n)
}

// msvcTree reads a map or a set in the order of its keys. The head of the tree
// is a node without a value, whose left child is the first.
func msvcTree(o *object) bool {
	data := o.field("_Mypair._Myval2._Myval2")
	n, ok := data.part("_Mysize").uint()
	head := data.part("_Myhead").pointee()
	if !ok || head == nil {
		return false
	}
	node := head.part("_Left").pointee() // the smallest key
	for i := uint64(0); i < n && node != nil && node.v.addr != head.v.addr; i++ {
		if !o.node(node.part("_Myval")) {
			break
		}
		node = node.successor(head)
	}
	return (n == 0 || len(o.out.Children) > 0) && o.sized(n)
}

// successor returns the node with the next key. Leaves point to the head instead of nil.
func (o *object) successor(head *object) *object {
	next := o.part("_Right").pointee()
	if next != nil && next.v.addr != head.v.addr {
		for range maxClimb {
			left := next.part("_Left").pointee()
			if left == nil || left.v.addr == head.v.addr {
				return next
			}
			next = left
		}
		return nil
	}
	at := o
	for range maxClimb {
		up := at.part("_Parent").pointee()
		if up == nil || up.v.addr == head.v.addr {
			return up
		}
		if right := up.part("_Right").pointee(); right == nil || right.v.addr != at.v.addr {
			return up
		}
		at = up
	}
	return nil
}

// msvcInitializers reads the list of an initializer. It has no capacity beyond its elements.
func msvcInitializers(o *object) bool {
	return ranged("_First", "_Last", "_Last")(o)
}

// msvcVariant descends into the alternatives up to the index.
func msvcVariant(o *object) bool {
	which := o.field("_Which")
	i, ok := which.uint()
	if !ok || i >= maxAlternatives {
		return false
	}
	at := o
	for range i {
		if at = at.part("_Tail"); at == nil {
			return false
		}
	}
	return o.child("Value", at.part("_Head"))
}

// maxAlternatives bounds those of a variant.
const maxAlternatives = 64

// msvcTuple reads a tuple, whose base is a tuple of the elements after the first.
func msvcTuple(o *object) bool {
	at := o
	for i := uint64(0); i < maxAlternatives; i++ {
		own := at.own("_Myfirst")
		if own == nil {
			break
		}
		if !o.child(index(i), own.part("_Val")) {
			return false
		}
		if at = at.firstBase(); at == nil {
			break
		}
	}
	return len(o.out.Children) > 0
}

// own returns a member of the object itself, not of a base.
func (o *object) own(name string) *object {
	for i := range o.t.Members {
		if m := &o.t.Members[i]; m.Name == name && !m.Static && !m.Base {
			return o.member(m)
		}
	}
	return nil
}

// firstBase returns the object's first base.
func (o *object) firstBase() *object {
	for i := range o.t.Members {
		if m := &o.t.Members[i]; m.Base && !m.Virtual {
			if base := o.member(m); base.t != nil {
				return base
			}
		}
	}
	return nil
}
