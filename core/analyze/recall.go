package analyze

import (
	"crashglass/core/process/module"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// maxRecalled bounds the answers that are kept of each query. Thousands of goroutines stand at a few addresses.
const maxRecalled = 4096

// recalled are unwind rules with a cache of their answers. An answer is kept only while no query is open, because it may be provisional.
type recalled struct {
	unwind.Rules
	open      func() int // counts open queries, nil for none
	functions answers[unwind.Function]
	frames    answers[unwind.CallFrame]
}

// answers are those of one query, by address.
type answers[T any] map[uint64]answer[T]

type answer[T any] struct {
	value T
	ok    bool
}

// recall returns rules with a cache. Nil rules stay nil.
func recall(rules unwind.Rules, open func() int) unwind.Rules {
	if rules == nil {
		return nil
	}
	return &recalled{Rules: rules, open: open, functions: answers[unwind.Function]{}, frames: answers[unwind.CallFrame]{}}
}

func (r *recalled) settled() bool { return r.open == nil || r.open() == 0 }

// Function implements unwind.Rules.
func (r *recalled) Function(rel uint64) (unwind.Function, bool) {
	return r.functions.of(rel, r.Rules.Function, r)
}

// CallFrame implements unwind.Rules.
func (r *recalled) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	return r.frames.of(rel, r.Rules.CallFrame, r)
}

// of returns the answer for an address: the one that is kept, or that of the query.
func (a answers[T]) of(rel uint64, query func(uint64) (T, bool), r *recalled) (T, bool) {
	known, kept := a[rel]
	if !kept {
		known.value, known.ok = query(rel)
		if r.settled() {
			if len(a) >= maxRecalled {
				clear(a)
			}
			a[rel] = known
		}
	}
	return known.value, known.ok
}

// A codeCache has code of modules' files in blocks, by their addresses. Walks compare the same few instructions at each frame.
type codeCache map[uint64]*codeBlock

// blockSize is the size of a block, which is aligned.
const blockSize = 64

type codeBlock [blockSize]byte

// read copies code of a module from its file. A block that the file does not have completely is not kept: files arrive in parts.
func (c codeCache) read(image symbolize.Image, mod *module.Module, addr uint64, p []byte) int {
	at := addr % blockSize
	start, end := addr-at, mod.Base+mod.Span()
	if int(at)+len(p) > blockSize || start < mod.Base || end-start < blockSize {
		return image.ReadImage(addr-mod.Base, p[:min(uint64(len(p)), end-addr)])
	}
	b := c[start]
	if b == nil {
		if b = new(codeBlock); image.ReadImage(start-mod.Base, b[:]) < blockSize {
			return image.ReadImage(addr-mod.Base, p)
		}
		if len(c) >= maxRecalled {
			clear(c)
		}
		c[start] = b
	}
	return copy(p, b[at:])
}
