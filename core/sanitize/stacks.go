package sanitize

import (
	"slices"

	"crashglass/core/dump/minidump"
)

const (
	// redZone is the space below the stack pointer that belongs to a function: 128 bytes by the ABI
	// of amd64, 224 and 288 by those of PowerPC.
	redZone = 288

	// maxStack bounds the stack of one thread. Without other information a stack ends with its
	// captured memory.
	maxStack = 64 << 20
)

// find finds the stacks of all threads, and the parts that stay in any case.
func (m *mapped) find() {
	threads, _ := m.f.Threads()
	for _, t := range threads {
		stack := m.stack(t.Context, t.Stack)
		if t.Context.Size == 0 {
			stack = m.unwalked(t.Stack)
		}
		m.stacks = append(m.stacks, stack)
	}
	if x, _ := m.f.Exception(); x != nil { // its thread may not be listed
		m.stacks = append(m.stacks, m.stack(x.Context, minidump.Range{}))
	}
	m.stacks = m.bounded(m.joined(m.stacks))
	for _, l := range m.need.listed {
		m.listing(l)
	}
	for at, size := range m.need.code {
		m.kept = append(m.kept, m.readCode(at, size)...)
	}
	for at, size := range m.need.words {
		if !m.isCode(at) && m.isSavedText(at, size) {
			m.texts = append(m.texts, at)
			m.textWords++
		} else {
			m.kept = m.add(m.kept, at, size)
		}
	}
	for _, p := range m.need.zeros { // zeros say nothing of a person
		if data := m.read(p); len(data) > 0 && isZero(data) {
			m.kept = append(m.kept, piece{p.base, p.base + uint64(len(data))})
		}
	}
	m.kept = m.kept.merged()
	slices.Sort(m.texts)
}

// unwalked returns the complete captured stack of a thread without registers, because no walk can
// choose its words.
func (m *mapped) unwalked(r minidump.Range) piece {
	if base, size, ok := m.Range(r.Base); ok && r.Size > 0 {
		return piece{r.Base, r.Base + min(r.Size, base+size-r.Base, maxStack)}
	}
	return piece{}
}

// stack returns the stack of a context, from its red zone to the end of the captured stack or,
// failing that, of the memory there.
func (m *mapped) stack(at minidump.Location, known minidump.Range) piece {
	sys, _ := m.f.SystemInfo()
	if at.Size == 0 {
		return piece{}
	}
	ctx, _ := m.f.Context(at, sys)
	if ctx.Arch == nil {
		return piece{}
	}
	m.word, m.arm64 = ctx.Arch.Word, ctx.Arch.IsARM64()
	if pc, ok := ctx.Regs.Get(ctx.Arch.PC); ok {
		m.code(ctx.Arch, pc)
	}
	sp, ok := ctx.Regs.Get(ctx.Arch.SP)
	base, size, captured := m.Range(sp)
	if !ok || !captured {
		return piece{}
	}
	end := base + (size - 1)
	if sp-known.Base < known.Size {
		end = min(end, known.Base+(known.Size-1))
	}
	low := max(base, (sp-min(sp, redZone))&^15)
	return piece{low, min(end, low+maxStack-1) + 1}
}

// bounded truncates stacks so that together they are no longer than the file. Only stacks that
// share the same bytes can be longer.
func (m *mapped) bounded(stacks pieces) pieces {
	left := m.mostOf()
	for i := range stacks {
		s := &stacks[i]
		s.end = min(s.end, s.base+left)
		left -= s.end - s.base
	}
	return slices.DeleteFunc(stacks, func(p piece) bool { return p.end <= p.base })
}

// add adds the captured part of size bytes at addr; a size of 0 means a word.
func (m *mapped) add(out pieces, addr uint64, size int) pieces {
	if size <= 0 {
		size = m.word
	}
	base, n, ok := m.Range(addr)
	if !ok {
		return out
	}
	return append(out, piece{addr, addr + min(uint64(size), base+n-addr)})
}
