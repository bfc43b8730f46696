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
	functions map[uint64]function
	frames    map[uint64]callFrame
}

type function struct {
	unwind.Function
	ok bool
}

type callFrame struct {
	unwind.CallFrame
	ok bool
}

// recall returns rules with a cache. Nil rules stay nil.
func recall(rules unwind.Rules, open func() int) unwind.Rules {
	if rules == nil {
		return nil
	}
	return &recalled{Rules: rules, open: open, functions: map[uint64]function{}, frames: map[uint64]callFrame{}}
}

func (r *recalled) settled() bool { return r.open == nil || r.open() == 0 }

// Function implements unwind.Rules.
func (r *recalled) Function(rel uint64) (unwind.Function, bool) {
	known, ok := r.functions[rel]
	if !ok {
		known.Function, known.ok = r.Rules.Function(rel)
		if r.settled() {
			if len(r.functions) >= maxRecalled {
				clear(r.functions)
			}
			r.functions[rel] = known
		}
	}
	return known.Function, known.ok
}

// CallFrame implements unwind.Rules.
func (r *recalled) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	known, ok := r.frames[rel]
	if !ok {
		known.CallFrame, known.ok = r.Rules.CallFrame(rel)
		if r.settled() {
			if len(r.frames) >= maxRecalled {
				clear(r.frames)
			}
			r.frames[rel] = known
		}
	}
	return known.CallFrame, known.ok
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
