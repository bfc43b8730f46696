package pdb

import (
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/base/recent"
)

const namesMagic = 0xeffeeffe

// A nameTable is the stream "/names": the strings that line information and
// frame data name by offset. It is not kept in memory.
//
// Spec: https://llvm.org/docs/PDB/PdbStream.html#pdb-stream-contents-names
type nameTable struct {
	s     *stream
	size  int64
	cache recent.Cache[uint32, string]
	work  *bin.Budget // for what is longer than names are
}

// Thousands of names may begin within one long text. Paths that compilers write
// have fewer bytes than this; what is beyond comes out of a budget.
const (
	usualName = 1 << 10
	namesWork = 32 << 20
)

const namesAt = 12

func openNames(s *stream) (*nameTable, error) {
	c, err := s.cursor(0, namesAt)
	if err != nil {
		return nil, err
	}
	magic := c.U32()
	c.Skip(4) // version of the hash
	size := c.U32()
	if magic != namesMagic || int64(size) > s.size-namesAt {
		return nil, &bin.Error{What: s.what, Why: fmt.Sprintf("begins with %#x and %d bytes of strings, want %#x and at most %d", magic, size, uint32(namesMagic), s.size-namesAt)}
	}
	n := &nameTable{s: s, size: int64(size), work: bin.NewBudget(namesWork)}
	n.cache.Limit = nameCache
	return n, nil
}

// nameCache is about how many bytes of names are kept.
const nameCache = 1 << 20

// fork is the table for another goroutine.
func (n *nameTable) fork() *nameTable {
	if n == nil {
		return nil
	}
	g := *n
	g.cache = recent.Cache[uint32, string]{Limit: nameCache}
	return &g
}

// at returns the string at an offset. A nil table has none.
func (n *nameTable) at(off uint32) (string, error) {
	if n == nil {
		return "", nil
	}
	if text, ok := n.cache.Get(off); ok {
		return text, nil
	}
	if int64(off) >= n.size {
		return "", &bin.Error{What: n.s.what, Off: namesAt + int64(off), Why: fmt.Sprintf("lies beyond the strings, which have %d bytes", n.size)}
	}
	if n.work.Exceeded() {
		return "", &bin.Error{What: n.s.what, Off: namesAt + int64(off), Why: "names that lie in each other have too many bytes together"}
	}
	text, searched, err := n.s.text(namesAt + int64(off))
	if err != nil {
		n.work.Spend(searched)
		return "", err
	}
	n.work.Spend(int64(max(len(text)-usualName, 0)))
	n.cache.Put(off, text, len(text)+64)
	return text, nil
}
