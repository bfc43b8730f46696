package variables

import "crashglass/core/values/types"

// msvc are types of Microsoft's C++ library, by its headers (microsoft/STL, stl/inc: xstring,
// vector, list, xtree, xhash, deque, memory, optional, variant, tuple, functional, atomic). PDB
// files have no template arguments, so elements get their types from the members that lead to them.
func msvc() []known {
	const value = "_Mypair._Myval2."
	return []known{
		{"std::basic_string<", msvcString, asText},
		{"std::basic_string_view<", chars("_Mydata", "_Mysize"), asText},
		{"std::vector<bool,", packed("_Myvec._Mypair._Myval2._Myfirst", "_Mysize", "", 4), plain}, // of _Vbase, on every CPU,
		{"std::vector<", ranged(value+"_Myfirst", value+"_Mylast", value+"_Myend"), plain},
		{"std::list<", msvcList(value), plain},
		{"std::forward_list<", msvcForwardList, plain},
		{"std::deque<", msvcDeque, plain},
		{"std::map<|std::multimap<|std::set<|std::multiset<", msvcTree, plain},
		{"std::unordered_", msvcList("_List." + value), plain},
		{"std::array<", memberArray("_Elems"), plain},
		{"std::span<", counted("_Mydata", "_Mysize"), plain},
		{"std::initializer_list<", ranged("_First", "_Last", "_Last"), plain},
		{"std::optional<", maybe("_Has_value", "_Value"), plain},
		{"std::variant<", msvcVariant, plain},
		{"std::tuple<", msvcTuple, plain},
		{"std::unique_ptr<", handle("_Mypair._Myval2"), plain},
		{"std::shared_ptr<|std::weak_ptr<|std::reference_wrapper<", handle("_Ptr"), plain},
		{"std::atomic<", through("_Storage._Value|_Storage"), withMembers},
		{"std::bitset<", bitset("_Array"), plain},
		{"std::_Vector_iterator<|std::_Vector_const_iterator<", iterator("_Ptr"), withMembers},
		{"std::queue<|std::stack<|std::priority_queue<", through("c"), plain},
		{"std::chrono::duration<", duration("_MyRep"), withMembers},
		{"std::chrono::time_point<", through("_MyDur"), withMembers},
	}
}

// msvcString reads a string. A short one is within the object, in a buffer of 16 bytes.
func msvcString(o *object) bool {
	data := o.field("_Mypair._Myval2")
	room, ok := data.part("_Myres").uint()
	n, okN := data.part("_Mysize").uint()
	inside := data.part("_Bx._Buf")
	size := sizeOf(inside.element())
	if !ok || !okN || size == 0 {
		return false
	}
	if room < 16/size { // _BUF_SIZE: 16 bytes, whatever the character
		return o.inlineText(inside, n) && (n <= room || o.contradicts(&n, roomFor(room)))
	}
	at, ok := data.part("_Bx._Ptr").uint()
	return ok && o.textIn(at, n, room, inside.element())
}

// msvcList reads a ring of nodes with a head node without a value. Hashed containers have their
// values in such a list.
func msvcList(path string) func(*object) bool {
	return func(o *object) bool {
		n, ok := o.number(path + "_Mysize")
		head := o.field(path + "_Myhead")
		end, okE := head.uint()
		return ok && okE && o.nodes(head.pointee().part("_Next"), end, &n, "_Next", "_Prev", "_Myval")
	}
}

// msvcForwardList reads a list without a size: its nodes are counted.
func msvcForwardList(o *object) bool {
	return o.nodes(o.field("_Mypair._Myval2._Myhead"), 0, nil, "_Next", "", "_Myval")
}

// msvcDeque reads a deque: a ring of blocks of 16 bytes, or of one element if that is larger.
func msvcDeque(o *object) bool {
	data := o.field("_Mypair._Myval2")
	var table, blocks, from, n uint64
	ok := data.numbers(num{"_Map", &table}, num{"_Mapsize", &blocks}, num{"_Myoff", &from}, num{"_Mysize", &n})
	rows := &object{r: o.r, t: types.Strip(data.part("_Map").element())}
	t := rows.element()
	size := sizeOf(t)
	if !ok || size == 0 {
		return false
	}
	per := uint64(1)
	for per*2*size <= 16 { // _Block_size: the power of two that fits into 16 bytes
		per *= 2
	}
	switch {
	case blocks > maxStride:
		return o.inconsistent(&n, tooMany)
	case n > blocks*per:
		return o.inconsistent(&n, "its blocks have room for %d", blocks*per)
	case blocks&(blocks-1) != 0:
		return o.inconsistent(&n, "its %d blocks are no power of two", blocks)
	}
	return o.blocks(table, blocks, per, from, n, t)
}

// msvcTree reads a map or a set in the order of its keys. The head of the tree
// is a node without a value, whose left child is the first.
func msvcTree(o *object) bool {
	data := o.field("_Mypair._Myval2._Myval2")
	n, ok := data.part("_Mysize").uint()
	head := data.part("_Myhead").pointee()
	if !ok || head == nil || head.t == nil {
		return false
	}
	// A node has no child where the link leads to the head.
	s := treeShape{end: head.v.addr, leaf: head.v.addr, ranked: true}
	for _, link := range []struct {
		name   string
		off    *uint64
		number *uint64
	}{{"_Left", &s.left, &s.first}, {"_Right", &s.right, &s.last}, {"_Parent", &s.parent, &s.root}} {
		at := head.part(link.name)
		if *link.number, ok = at.uint(); !ok {
			return false
		}
		*link.off = at.v.addr - head.v.addr
	}
	return o.tree(s, n, func(at uint64) bool { return o.node(o.in(at, head.t).part("_Myval")) })
}

// msvcVariant descends into the alternatives up to the index.
func msvcVariant(o *object) bool {
	which := o.field("_Which")
	i, ok := which.uint()
	switch {
	case !ok || i == ^uint64(0)>>(64-8*sizeOf(which.t)): // valueless by an exception
		return false
	case i >= maxAlternatives:
		return o.inconsistent(nil, "its alternative is %d", i)
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
