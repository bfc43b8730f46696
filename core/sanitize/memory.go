package sanitize

import (
	"cmp"
	"slices"

	"crashglass/core/cpu"
	"crashglass/core/minidump"
	"crashglass/core/module"
)

const (
	// redZone is how much below the stack pointer belongs to a function: 128
	// bytes by the ABI of amd64, 224 and 288 by those of PowerPC.
	redZone = 288

	// maxStack bounds the stack of one thread, which ends where its memory
	// does when nothing says more.
	maxStack = 64 << 20

	// nearby is how far apart two pieces of memory are that become one.
	nearby = 64
)

// A piece is memory from base up to end.
type piece struct{ base, end uint64 }

// memory writes the memory that stays, and knows then where stacks are.
func (c *cleaner) memory(need *needs) {
	mem, _ := c.f.Memory() // what is damaged is left out
	m := &mapped{Memory: mem, cleaner: c, need: need, word: 8}
	m.find()
	kept, zeroed := int64(0), 0
	for _, p := range m.pieces() {
		data, n := m.clean(p)
		c.ranges = append(c.ranges, minidump.Range{Base: p.base, Location: c.w.Put(data)})
		kept += int64(len(data))
		zeroed += n
	}
	if lost := int64(mem.Total()) - kept; lost > 0 {
		c.removed("memory that no stack needs", 0, lost)
	}
	if zeroed > 0 {
		c.removed("words of memory that no walk used, which are zero now", zeroed, int64(zeroed*m.word))
	}
}

// stackAt is the memory at an address as a thread's stack.
func (c *cleaner) stackAt(addr uint64) minidump.Range {
	i, exact := slices.BinarySearchFunc(c.ranges, addr, func(r minidump.Range, addr uint64) int { return cmp.Compare(r.Base, addr) })
	if !exact {
		i--
	}
	if i < 0 || addr-c.ranges[i].Base >= c.ranges[i].Size {
		return minidump.Range{}
	}
	return c.ranges[i]
}

// mapped is the memory of a dump with what decides over its words.
type mapped struct {
	*minidump.Memory
	*cleaner
	need    *needs
	word    int
	arm64   bool
	modules *module.Map
	stacks  []piece
	made    []uint64        // program counters in code that is in no module: what happened there is read from it
	code    map[uint64]bool // aligned addresses of words of modules that were read
}

// find finds the stacks of all threads.
func (m *mapped) find() {
	m.modules = m.need.modules
	threads, _ := m.f.Threads()
	for _, t := range threads {
		m.stack(t.Context, t.Stack)
		if t.Context.Size == 0 {
			m.whole(t.Stack)
		}
	}
	if x, _ := m.f.Exception(); x != nil {
		m.stack(x.Context, minidump.Range{})
	}
	m.stacks = m.bounded(m.joined(m.stacks))
	m.code = map[uint64]bool{}
	for at := range m.need.code {
		m.code[m.aligned(at)] = true
	}
	for _, pc := range m.made {
		for at := range uint64(longestInstruction) {
			m.code[m.aligned(pc+at)] = true
		}
	}
}

// longestInstruction is that of x86, in bytes.
const longestInstruction = 15

func (m *mapped) aligned(addr uint64) uint64 { return addr &^ uint64(m.word-1) }

// whole adds all of a stack of a thread without registers: it is not walked
// here, but is all there is of it.
func (m *mapped) whole(r minidump.Range) {
	if base, size, ok := m.Range(r.Base); ok && r.Size > 0 {
		m.stacks = append(m.stacks, piece{r.Base, r.Base + min(r.Size, base+size-r.Base, maxStack)})
	}
}

// stack adds the stack that a context points to, from its red zone up to the
// end of what was captured as the stack or, failing that, of the memory there.
func (m *mapped) stack(at minidump.Location, known minidump.Range) {
	sys, _ := m.f.SystemInfo()
	if at.Size == 0 {
		return
	}
	ctx, _ := m.f.Context(at, sys)
	if ctx.Arch == nil {
		return
	}
	m.word, m.arm64 = ctx.Arch.Word, ctx.Arch == &cpu.ARM64
	if pc, ok := ctx.Regs.Get(ctx.Arch.PC); ok && m.modules.At(pc) == nil {
		m.made = append(m.made, pc)
	}
	sp, ok := ctx.Regs.Get(ctx.Arch.SP)
	base, size, captured := m.Range(sp)
	if !ok || !captured {
		return
	}
	end := base + (size - 1)
	if sp-known.Base < known.Size {
		end = min(end, known.Base+(known.Size-1))
	}
	low := max(base, sp-min(sp, redZone)) &^ 15
	m.stacks = append(m.stacks, piece{max(low, base), min(end, low+maxStack-1) + 1})
}

// bounded cuts stacks so that together they are no longer than the file, which
// they are only where the same bytes are said to be the memory of many places.
func (m *mapped) bounded(stacks []piece) []piece {
	left := uint64(m.f.Size())
	for i := range stacks {
		s := &stacks[i]
		s.end = min(s.end, s.base+left)
		left -= s.end - s.base
	}
	return slices.DeleteFunc(stacks, func(p piece) bool { return p.end <= p.base })
}

// pieces are the parts of memory to keep: of stacks as much as has anything in
// it, of everything else what was read.
func (m *mapped) pieces() (out []piece) {
	for _, s := range m.stacks {
		out = append(out, piece{s.base, m.trim(s)})
	}
	for addr := range m.need.words {
		out = m.add(out, addr, m.word)
	}
	for addr := range m.code {
		out = m.add(out, addr, m.word)
	}
	return m.joined(out)
}

// add adds memory, if it was captured.
func (m *mapped) add(out []piece, addr uint64, size int) []piece {
	base, n, ok := m.Range(addr)
	if !ok || size <= 0 {
		return out
	}
	return append(out, piece{addr, addr + min(uint64(size), base+n-addr)})
}

// trim is where the last word that stays ends.
func (m *mapped) trim(s piece) uint64 {
	if m.opt.Memory {
		return s.end
	}
	data := m.read(s)
	keep := m.keep(s.base, data)
	last := 0
	for i, k := range keep {
		if k {
			last = (i + 1) * m.word
		}
	}
	return s.base + uint64(min(max(last, redZone), len(data)))
}

func (m *mapped) read(p piece) []byte {
	data := make([]byte, p.end-p.base)
	return data[:m.Read(p.base, data)]
}

// clean returns a piece with zeros for what must not stay.
func (m *mapped) clean(p piece) (data []byte, zeroed int) {
	data = m.read(p)
	keep := m.keep(p.base, data)
	for i, k := range keep {
		word := data[i*m.word : min((i+1)*m.word, len(data))]
		if !k && slices.ContainsFunc(word, func(b byte) bool { return b != 0 }) {
			clear(word)
			zeroed++
		}
	}
	return data, zeroed
}

// joined sorts pieces and makes one of those that touch, or nearly do with
// nothing missing between them.
func (m *mapped) joined(pieces []piece) (out []piece) {
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Or(cmp.Compare(a.base, b.base), cmp.Compare(a.end, b.end)) })
	for _, p := range pieces {
		if p.end <= p.base {
			continue
		}
		if n := len(out); n > 0 && p.base <= out[n-1].end+nearby {
			if base, _, ok := m.Range(p.base); ok && base < out[n-1].end {
				out[n-1].end = max(out[n-1].end, p.end)
				continue
			}
		}
		out = append(out, p)
	}
	return out
}
