package sanitize

import (
	"slices"

	"crashglass/core/cpu"
	"crashglass/core/minidump"
)

const (
	// redZone is how much below the stack pointer belongs to a function: 128
	// bytes by the ABI of amd64, 224 and 288 by those of PowerPC.
	redZone = 288

	// maxStack bounds the stack of one thread, which ends where its memory
	// does when nothing says more.
	maxStack = 64 << 20

	// longestInstruction is that of x86, in bytes.
	longestInstruction = 15

	// codeBefore and codeBehind are how much code of a library stays around
	// where a thread is: symbols that are found later name the function there,
	// and walks read its code from the first instruction, or up to its return.
	codeBefore = 1024
	codeBehind = 32
)

// find finds the stacks of all threads, and what stays whatever it holds.
func (m *mapped) find() {
	threads, _ := m.f.Threads()
	for _, t := range threads {
		stack := m.stack(t.Context, t.Stack)
		if t.Context.Size == 0 {
			stack = m.unwalked(t.Stack)
		}
		m.stacks = append(m.stacks, stack)
	}
	if x, _ := m.f.Exception(); x != nil { // its thread may be in no list
		m.stacks = append(m.stacks, m.stack(x.Context, minidump.Range{}))
	}
	for i, stack := range m.stacks {
		if m.need.whole[i] {
			m.kept = append(m.kept, stack)
		}
	}
	m.stacks = m.bounded(m.joined(m.stacks))
	for at, size := range m.need.words {
		if m.isSavedText(at, size) {
			m.need.passed[at] = true
			m.textWords++
		} else {
			m.kept = m.add(m.kept, at, size)
		}
	}
	m.kept = m.kept.merged()
}

// isSavedText reports whether a word that a walk read is a text: the value of a
// register that a function saved, on which no frame depends.
func (m *mapped) isSavedText(at uint64, size int) bool {
	v, ok := m.Word(at, m.word)
	return ok && (size == 0 || size == m.word) && !m.need.exact[at] && m.modules.At(at) == nil && m.holdsText(v)
}

// unwalked is the whole captured stack of a thread without registers, which no walk
// can choose words of.
func (m *mapped) unwalked(r minidump.Range) piece {
	if base, size, ok := m.Range(r.Base); ok && r.Size > 0 {
		return piece{r.Base, r.Base + min(r.Size, base+size-r.Base, maxStack)}
	}
	return piece{}
}

// stack is the stack that a context points to, from its red zone up to the
// end of what was captured as the stack or, failing that, of the memory there.
func (m *mapped) stack(at minidump.Location, known minidump.Range) piece {
	sys, _ := m.f.SystemInfo()
	if at.Size == 0 {
		return piece{}
	}
	ctx, _ := m.f.Context(at, sys)
	if ctx.Arch == nil {
		return piece{}
	}
	m.word, m.arm64 = ctx.Arch.Word, ctx.Arch == &cpu.ARM64
	if pc, ok := ctx.Regs.Get(ctx.Arch.PC); ok {
		m.code(pc)
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

// code keeps captured code around a program counter. Where that is in no module
// the code is the program's own: only the instruction stays, from which the
// report says what happened.
func (m *mapped) code(pc uint64) {
	mod := m.modules.At(pc)
	base, _, captured := m.Range(pc)
	if mod == nil || !captured {
		m.kept = m.add(m.kept, pc, longestInstruction)
		return
	}
	from := max(base, mod.Base, pc-min(pc, codeBefore))
	m.kept = m.add(m.kept, from, int(pc-from)+codeBehind)
}

// bounded cuts stacks so that together they are no longer than the file, which
// they are only where the same bytes are said to be the memory of many places.
func (m *mapped) bounded(stacks pieces) pieces {
	left := uint64(m.f.Size())
	for i := range stacks {
		s := &stacks[i]
		s.end = min(s.end, s.base+left)
		left -= s.end - s.base
	}
	return slices.DeleteFunc(stacks, func(p piece) bool { return p.end <= p.base })
}

// add adds what was captured of size bytes at addr; 0 stands for a word.
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
