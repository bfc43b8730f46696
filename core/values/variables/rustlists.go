package variables

import (
	"fmt"
	"strings"

	"crashglass/core/values/types"
)

// rustRing reads a deque, whose elements form a ring.
func rustRing(o *object) bool {
	buf := o.field("buf")
	head, ok1 := o.number("head")
	n, ok2 := o.number("len")
	room, ok3 := buf.room()
	at, ok4 := buf.find(into(12), isPointer).uint()
	return ok1 && ok2 && ok3 && ok4 && o.ring(at, room, head, n, o.arg(0))
}

// rustList reads a list. The link to the first node is an Option of a pointer; an address of 0 is
// None.
func rustList(o *object) bool {
	n, ok := o.number("len")
	head := o.field("head")
	if !ok || head == nil || o.field("marker") == nil {
		return false
	}
	owner := &object{r: o.r, t: types.Strip(o.field("marker").arg(0))}
	node := types.Strip(owner.element()) // PhantomData<Box<Node<T>>>
	at, ok := head.word1()
	next := func(at uint64) (uint64, bool) { return o.in(at, node).part("next").word1() }
	l := links{first: at, size: &n, next: next, push: func(at uint64) bool { return o.node(o.in(at, node).part("element")) }}
	return ok && node != nil && o.linked(o.twoWay(l, 0, func(at uint64) (uint64, bool) { return o.in(at, node).part("prev").word1() }))
}

// word1 returns the first word of an object of any type.
func (o *object) word1() (uint64, bool) {
	if o == nil {
		return 0, false
	}
	b, err := o.r.get(o.v, o.word())
	if err != nil {
		return 0, false
	}
	return o.r.frame.Number(b), true
}

// rustTreeSet reads a set, which is a map to ().
func rustTreeSet(o *object) bool { return rustTree(o.field("map")) }

// maxHeight bounds the height of a B-tree: every inner node but the root has at least six children.
const maxHeight = 24

// rustTree reads a B-tree in the order of its keys. A node has up to 11 keys and values; an inner
// node also has children.
func rustTree(o *object) bool {
	n, ok := o.part("length").uint()
	if !ok {
		return false
	}
	root, none := o.part("root").some()
	if none {
		if n > 0 {
			return o.inconsistent(&n, "it has no root")
		}
		return o.sized(0)
	}
	height, ok := root.part("height").uint()
	at, okAt := root.part("node").find(into(3), isPointer).uint()
	leaf := root.part("node").find(into(3), isPointer).element()
	if !ok || !okAt {
		return false
	}
	if height > maxHeight {
		return o.inconsistent(nil, "its tree has a height of %d", height)
	}
	w := &treeWalk{o: o, leaf: types.Strip(leaf)}
	w.node(at, height)
	if w.fault != "" {
		return o.inconsistent(nil, "%s", w.fault)
	}
	return w.ok() && o.complete(n)
}

// some returns the content of an Option that is Some.
func (o *object) some() (content *object, none bool) {
	if o == nil || o.t == nil || o.t.Variants == nil {
		return nil, false
	}
	chosen, err := o.r.chooseVariant(o.v, o.t.Variants)
	if err != nil || chosen.Member.Name != "Some" {
		return nil, err == nil && chosen.Member.Name == "None"
	}
	return o.member(&chosen.Member).part("__0"), false
}

// A treeWalk traverses a B-tree.
type treeWalk struct {
	o      *object     // the map
	leaf   *types.Type // LeafNode; an inner node begins with one
	failed bool        // a node was not captured
	fault  string      // a node is damaged
}

// ok reports whether every node could be read.
func (w *treeWalk) ok() bool { return !w.failed && w.fault == "" }

// node adds the entries of a node and of its children.
func (w *treeWalk) node(at, height uint64) {
	o := w.o
	here := o.in(at, w.leaf)
	n, ok := here.part("len").uint()
	keys, vals := here.part("keys"), here.part("vals")
	if !ok || keys == nil || vals == nil {
		w.failed = true
		return
	}
	if n > 11 { // CAPACITY of node.rs
		w.fault = fmt.Sprintf("a node of its tree has %d entries", n)
		return
	}
	edges := at + o.behind(sizeOf(w.leaf), &types.Type{Kind: types.Pointer, Size: o.word(), Sized: true})
	for i := range n + 1 {
		if height > 0 { // the i-th child has the keys before the i-th key
			child, ok := o.load(edges + i*o.word())
			if !ok {
				w.failed = true
				return
			}
			w.node(child, height-1)
		}
		if i == n || !w.ok() || o.full() {
			return
		}
		w.failed = !w.entry(keys, vals, i)
	}
}

// entry adds a key and its value. A set's value has no size and is left out.
func (w *treeWalk) entry(keys, vals *object, i uint64) bool {
	k, v := elementOf(keys), elementOf(vals)
	key := keys.v.addr + i*sizeOf(k)
	if sizeOf(v) == 0 {
		return w.o.captured(key) && w.o.push(key, k)
	}
	return w.o.pair(key, vals.v.addr+i*sizeOf(v), k, v)
}

// elementOf returns the element type of an array of MaybeUninit.
func elementOf(array *object) *types.Type {
	t := array.element()
	if of := types.Strip(t); of != nil && strings.HasPrefix(of.Name, "core::mem::maybe_uninit::MaybeUninit<") {
		inner := &object{t: of}
		return inner.arg(0)
	}
	return t
}

// rustHash reads hashbrown's table: a control byte for each bucket, with a clear highest bit for a
// used one. The buckets are in front of the control bytes, in reverse order.
func rustHash(o *object) bool {
	t := o.hashTable().arg(0)
	return o.hashed(t, t)
}

// rustHashSet reads a set, which is a map to ().
func rustHashSet(o *object) bool {
	t := o.hashTable().arg(0)
	pair := &object{r: o.r, t: types.Strip(t)}
	key := pair.part("__0")
	return key != nil && o.hashed(t, key.t)
}

// hashTable finds hashbrown's table, which lies deeper in each newer version of the library.
func (o *object) hashTable() *object {
	return o.find(into(6), func(t *types.Type) bool { return strings.HasPrefix(t.Name, "hashbrown::raw::RawTable<") })
}

// hashed adds the entries of a table, read as the type at the beginning of each bucket.
func (o *object) hashed(bucket, t *types.Type) bool {
	table := o.hashTable()
	mask, ok1 := table.part("table.bucket_mask").uint()
	n, ok2 := table.part("table.items").uint()
	ctrl, ok3 := table.part("table.ctrl").find(into(4), isPointer).uint()
	size := sizeOf(bucket)
	switch {
	case !ok1 || !ok2 || !ok3 || size == 0:
		return false
	case mask&(mask+1) != 0:
		return o.inconsistent(nil, "its %d buckets are no power of two", mask+1)
	case n > mask:
		return o.inconsistent(&n, "it has %d buckets", mask+1)
	case mask>>32 != 0:
		return o.inconsistent(nil, "its %d buckets do not fit into memory", mask+1)
	}
	found := uint64(0)
	for i := uint64(0); i <= mask && (found < n || i < maxNodes); i++ {
		var c [1]byte
		if !o.r.load(ctrl+i, c[:]) {
			return false
		}
		if c[0]&0x80 != 0 { // EMPTY or DELETED
			continue
		}
		if found++; found > n {
			return o.inconsistent(&n, "its buckets hold more")
		}
		if !o.push(ctrl-(i+1)*size, t) {
			return o.sized(n)
		}
	}
	if found < n {
		return o.inconsistent(&n, "its buckets hold %d", found)
	}
	return o.sized(n)
}

func isPointer(t *types.Type) bool { return t.Kind == types.Pointer }

// isCount reports whether a type can hold a counter.
func isCount(t *types.Type) bool { return t.Kind == types.Unsigned }
