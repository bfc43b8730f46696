package variables

// maxClimb bounds the height of a tree. The next node of a higher one is 0.
const maxClimb = 128

// A treeShape has the offsets of a node's links.
type treeShape struct{ left, right, parent uint64 }

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
		if !ok {
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
