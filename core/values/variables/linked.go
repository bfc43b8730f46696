package variables

import (
	"cmp"
	"fmt"
)

// maxNodes bounds the nodes that are followed.
const maxNodes = 1 << 14

// links are the nodes of a container. Each leads to the next one, and the last to the end.
type links struct {
	first, end uint64
	size       *uint64 // the number of nodes by the container; nil if it has none
	next       func(at uint64) (uint64, bool)
	push       func(at uint64) bool // adds the element of a node, and reports false at the limit
	damage     *string              // what next has found wrong with the links; may be nil
}

// A followed is what following links has found.
type followed struct {
	count uint64 // nodes
	ends  bool   // at the end; otherwise memory was not captured, or there are too many nodes
	lost  bool   // the first nodes were not captured
	fault string // why the links contradict themselves or the size, "" if they do not
	size  bool   // it is the size that they contradict
}

// blamed returns the size if the fault is about it.
func (f followed) blamed(size *uint64) *uint64 {
	if f.size {
		return size
	}
	return nil
}

// walk adds the elements of nodes, and goes on beyond the limit of elements to check the container's size.
// Half of the budget of bytes is left to other variables.
func (o *object) walk(l links) (f followed) {
	defer func() {
		if l.damage != nil && *l.damage != "" && !f.lost {
			f.fault, f.size = *l.damage, false
		}
	}()
	seen := map[uint64]bool{}
	for at, shown := l.first, true; at != l.end; f.count++ {
		switch {
		case seen[at]:
			f.fault = fmt.Sprintf("after %d the links lead back to an earlier element", f.count)
			return f
		case at == 0:
			f.fault = fmt.Sprintf("the links break off after %d", f.count)
			return f
		case f.count == maxNodes || !shown && o.r.bytes < o.r.limits.Bytes/2:
			return f
		case !o.captured(at):
			f.lost = shown
			return f
		}
		seen[at] = true
		shown = shown && l.push(at) && len(o.out.Children) < o.r.limits.Elements
		var ok bool
		if at, ok = l.next(at); !ok {
			f.lost = shown
			return f
		}
	}
	f.ends = true
	if l.size != nil && *l.size != f.count {
		f.fault, f.size = fmt.Sprintf("the links end after %d", f.count), true
	}
	return f
}

// twoWay checks the links back of a list. That of the first node leads to the given one, and that of the end to the last node, if the
// end is a node.
func (o *object) twoWay(l links, before uint64, back func(at uint64) (uint64, bool)) links {
	last, n, next := before, 0, l.next
	l.damage = new(string)
	check := func(at uint64) {
		if to, ok := back(at); ok && to != last && *l.damage == "" {
			*l.damage = fmt.Sprintf("the link back behind element %d leads to %#x, and not to %#x", n, to, last)
		}
	}
	l.next = func(at uint64) (uint64, bool) {
		check(at)
		last, n = at, n+1
		to, ok := next(at)
		if ok && to == l.end && to != 0 {
			check(to)
		}
		return to, ok
	}
	return l
}

// linked adds the elements of nodes, and their number. It reports false if the first nodes were not captured.
func (o *object) linked(l links) bool {
	if l.size != nil && *l.size == 0 && l.first == 0 { // all zeros: not yet constructed
		return o.sized(0)
	}
	switch f := o.walk(l); {
	case f.lost:
		return false
	case f.fault != "":
		if l.size != nil {
			o.out.say("size=" + unsigned(*l.size))
		}
		return o.contradicts(f.blamed(l.size), f.fault)
	case f.ends:
		return o.sized(f.count)
	}
	return o.unchecked(l.size)
}

// unchecked sets a size that could not be checked to the end. Nodes have an address each, so that not all
// numbers are a size. It reports false for a container without a size.
func (o *object) unchecked(size *uint64) bool {
	switch {
	case size == nil:
		return false
	case *size > maxStride/o.word():
		return o.inconsistent(size, tooMany)
	}
	return o.sized(*size)
}

// inconsistent sets the size of a container that contradicts its memory, and says why. What is not linked
// is not counted as omitted.
func (o *object) inconsistent(size *uint64, format string, args ...any) bool {
	if size != nil {
		o.out.say("size=" + unsigned(*size))
	}
	return o.contradicts(size, fmt.Sprintf(format, args...))
}

// contradicts is inconsistent without a text.
func (o *object) contradicts(size *uint64, why string) bool {
	if size != nil {
		why = "the size " + unsigned(*size) + " is not plausible: " + why
	}
	o.out.State, o.out.Why = Inconsistent, why
	return true
}

// maxClimb bounds the height of a tree.
const maxClimb = 128

// A treeShape is a binary tree: where it begins, the offsets of a node's links, and the bits of the link to its parent that have its color.
type treeShape struct {
	root, end           uint64 // end is the parent of the root
	leaf                uint64 // the link of a node without a child
	first, last         uint64 // the nodes that the container names
	ranked              bool   // it names the last one
	left, right, parent uint64
	color               uint64
}

// A treeOrder visits the nodes of a tree in the order of their keys, and checks each link to a parent.
type treeOrder struct {
	treeShape
	o      *object
	above  []uint64 // the node to visit next, under those whose left child it is below
	damage string
}

// found records the first contradiction.
func (t *treeOrder) found(what string, to, want uint64) {
	if t.damage == "" && to != want {
		t.damage = fmt.Sprintf("%s leads to %#x, and not to %#x", what, to, want)
	}
}

// down goes to the first node of the subtree at an address.
func (t *treeOrder) down(at, parent uint64) (ok bool) {
	for at != t.leaf {
		up, okUp := t.o.load(at + t.parent)
		left, okLeft := t.o.load(at + t.left)
		switch {
		case !okUp || !okLeft:
			return false
		case len(t.above) == maxClimb:
			t.damage = cmp.Or(t.damage, fmt.Sprintf("its tree is higher than %d", maxClimb))
			return true
		}
		if up &^= t.color; up != parent {
			t.found(fmt.Sprintf("the link from %#x to its parent", at), up, parent)
		}
		t.above = append(t.above, at)
		at, parent = left, at
	}
	return true
}

// next leaves a node for the one with the next key.
func (t *treeOrder) next(at uint64) (uint64, bool) {
	t.above = t.above[:len(t.above)-1]
	right, ok := t.o.load(at + t.right)
	if !ok || !t.down(right, at) {
		return 0, false
	}
	if to := t.at(); to != t.end {
		return to, true
	}
	if t.ranked {
		t.found("the link to the last element", t.last, at)
	}
	return t.end, true
}

func (t *treeOrder) at() uint64 {
	if len(t.above) == 0 {
		return t.end
	}
	return t.above[len(t.above)-1]
}

// tree adds the elements of n nodes in the order of their keys. It reports false if they were not captured.
func (o *object) tree(s treeShape, n uint64, push func(uint64) bool) bool {
	if n == 0 && s.root == 0 && s.first == 0 { // all zeros: not yet constructed
		return o.sized(0)
	}
	t := &treeOrder{treeShape: s, o: o}
	if !t.down(s.root, s.end) {
		return false
	}
	t.found("the link to the first element", s.first, t.at())
	return o.linked(links{first: t.at(), end: s.end, size: &n, next: t.next, push: push, damage: &t.damage})
}
