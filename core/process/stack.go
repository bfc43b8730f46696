package process

import (
	"cmp"
	"slices"
)

// The bounds of a stack: its size, and the bytes below the stack pointer that belong to it. The red
// zone has 128 bytes on amd64 and 288 on ppc64.
const (
	maxStack   = 16 << 20
	belowStack = 512
)

// StackOf returns the captured memory of a thread's stack from its Stack on, or from the stack pointer on
// if that is 0. It is none if neither is known.
func (p *Process) StackOf(i int) Range {
	t := &p.Threads[i]
	if t.Stack != 0 || t.Registers == nil {
		return p.Memory.Piece(t.Stack, maxStack)
	}
	sp, known := t.Registers.Regs.Get(t.Registers.Arch.SP)
	if !known {
		return Range{}
	}
	return p.StackAt(sp)
}

// StackAt returns the captured memory of a stack with a stack pointer.
func (p *Process) StackAt(sp uint64) Range { return p.Memory.Piece(sp-min(belowStack, sp), maxStack) }

// Piece returns the part of a range of addresses that the file has without a gap, in memory and in the
// file. It begins with captured memory if the range begins before it. The stack of one thread may follow
// that of another one in memory; a stack with a page that was locked has three mappings.
func (m *Memory) Piece(addr, size uint64) Range {
	if m == nil {
		return Range{}
	}
	i, _ := slices.BinarySearchFunc(m.spans, addr, func(s capture, a uint64) int { return cmp.Compare(s.last, a) })
	if i == len(m.spans) {
		return Range{}
	}
	s := m.spans[i]
	start := max(addr, s.base)
	if start-addr >= size {
		return Range{}
	}
	have := min(size-(start-addr)-1, s.last-start) + 1
	return Range{start, Location{RVA: uint64(s.off) + (start - s.base), Size: have}}
}
