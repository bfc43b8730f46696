package variables

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"crashglass/core/values/types"
)

// A branch is a node of a binary search tree that a test builds; its address follows from its key.
type branch struct {
	key                 uint64
	left, right, parent *branch
}

// insert adds a key below b.
func (b *branch) insert(key uint64) {
	for next := b; next != nil; {
		b, next = next, next.left
		if key > b.key {
			next = b.right
		}
	}
	if child := (&branch{key: key, parent: b}); key < b.key {
		b.left = child
	} else {
		b.right = child
	}
}

// addr is a node's address, or another one for a missing node.
func (b *branch) addr(none uint64) uint64 {
	if b == nil {
		return none
	}
	return 0x1000 + 0x100*b.key
}

// each visits the nodes in the order of their keys.
func (b *branch) each(visit func(*branch)) {
	if b != nil {
		b.left.each(visit)
		visit(b)
		b.right.each(visit)
	}
}

// growTree builds a tree of 1 to n in random order, and returns its nodes, first and last key first.
func growTree(random *rand.Rand, n int) (root, first, last *branch) {
	for _, i := range random.Perm(n) {
		if key := uint64(i + 1); root == nil {
			root = &branch{key: key}
		} else {
			root.insert(key)
		}
	}
	root.each(func(b *branch) {
		if last = b; first == nil {
			first = b
		}
	})
	return root, first, last
}

// Trees of any shape are read in the order of their keys: those of GNU's library, whose leaves have
// links to nil, and those of Microsoft's, whose leaves have links to the head.
func TestTreesOfAnyShape(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	node := structure("_Tree_node", 40)
	node.Members = []types.Member{member("_Left", 0, pointer(node)), member("_Parent", 8, pointer(node)), member("_Right", 16, pointer(node)), member("_Myval", 32, integer)}
	set := pairOf("std::set<int,A>", structure("_Compressed_pair", 16,
		member("_Myval2", 0, structure("_Tree_val", 16, member("_Myhead", 0, pointer(node)), member("_Mysize", 8, size)))))
	for range 40 {
		n := 1 + random.IntN(12)
		root, first, last := growTree(random, n)
		gnu := memory{0x700: words(0, 0, root.addr(0), first.addr(0), last.addr(0), uint64(n))}
		msvc := memory{0x700: words(0x800, uint64(n)), 0x800: words(first.addr(0), root.addr(0), last.addr(0), 0, 0)}
		var pairs, keys []string
		root.each(func(b *branch) {
			gnu[b.addr(0)] = words(1, b.parent.addr(0x708), b.left.addr(0), b.right.addr(0), b.key)
			msvc[b.addr(0)] = words(b.left.addr(0x800), b.parent.addr(0x800), b.right.addr(0x800), 0, b.key)
			pairs = append(pairs, fmt.Sprintf("[%d] {first = %d, second = 0}", b.key-1, b.key))
			keys = append(keys, fmt.Sprintf("[%d] = %d", b.key-1, b.key))
		})
		if got, want := read(frameOf(gnu, at("m", 0x700, gnuMapType()))), fmt.Sprintf("m = size=%d {%s}", n, strings.Join(pairs, ", ")); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
		if got, want := read(frameOf(msvc, at("s", 0x700, set))), fmt.Sprintf("s = size=%d {%s}", n, strings.Join(keys, ", ")); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
