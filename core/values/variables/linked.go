package variables

import "fmt"

// maxNodes bounds the nodes that are followed.
const maxNodes = 1 << 14

// links are the nodes of a container. Each leads to the next one, and the last to the end.
type links struct {
	first, end uint64
	size       *uint64 // the number of nodes by the container; nil if it has none
	next       func(at uint64) (uint64, bool)
	push       func(at uint64) bool // adds the element of a node, and reports false at the limit
}

// A followed is what following links has found.
type followed struct {
	count uint64 // nodes
	ends  bool   // at the end; otherwise memory was not captured, or there are too many nodes
	lost  bool   // the first nodes were not captured
	fault string // why the links contradict themselves or the size, "" if they do not
}

// walk adds the elements of nodes, and goes on beyond the limit of elements to check the container's size.
// Half of the budget of bytes is left to other variables.
func (o *object) walk(l links) (f followed) {
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
		f.fault = fmt.Sprintf("the links end after %d", f.count)
	}
	return f
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
		return o.inconsistent(l.size, "%s", f.fault)
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
		return o.inconsistent(size, "so many elements do not fit into memory")
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

// maxClimb bounds the height of a tree. The next node of a higher one is 0.
const maxClimb = 128

// A treeShape has the offsets of a node's links, and the bits of the link to its parent that have its color.
type treeShape struct{ left, right, parent, color uint64 }

// inTree is nextInTree for linked.
func (o *object) inTree(s treeShape) func(uint64) (uint64, bool) {
	return func(at uint64) (uint64, bool) { return o.nextInTree(at, s) }
}

// nextInTree returns the node with the next key: std::_Rb_tree_increment. After the last one it
// returns the tree's end, the node whose left or right child is the root.
func (o *object) nextInTree(at uint64, s treeShape) (uint64, bool) {
	next, ok := o.load(at + s.right)
	if !ok {
		return 0, false
	}
	if next != 0 {
		return o.leftmost(next, s)
	}
	// Without a right child the next node is the first one that is reached from its left.
	for range maxClimb {
		up, ok := o.load(at + s.parent)
		if up &^= s.color; !ok || up == 0 {
			return 0, false
		}
		l, okL := o.load(up + s.left)
		if okL && l == at {
			return up, true
		}
		if own, ok := o.load(at + s.right); ok && own == up { // at is the header, whose right child is the last node: the root
			return at, true
		}
		r, okR := o.load(up + s.right)
		if !okR || r != at {
			return up, okR
		}
		at = up
	}
	return 0, true
}

// leftmost returns the first node of the tree below a node.
func (o *object) leftmost(at uint64, s treeShape) (uint64, bool) {
	for range maxClimb {
		l, ok := o.load(at + s.left)
		if !ok || l == 0 {
			return at, ok
		}
		at = l
	}
	return 0, true
}
