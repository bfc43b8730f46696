package variables

// maxClimb bounds the height of a tree.
const maxClimb = 128

// A treeShape has the offsets of a node's links.
type treeShape struct{ left, right, parent uint64 }

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
		r, okR := o.load(up + s.right)
		if !okR || r != at {
			return up, okR
		}
		at = up
	}
	return 0, false
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
	return 0, false
}
