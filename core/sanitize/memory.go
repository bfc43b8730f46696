package sanitize

import (
	"cmp"
	"slices"

	"crashglass/core/minidump"
	"crashglass/core/module"
)

// nearby is the largest gap between two pieces of memory that are joined.
const nearby = 64

// memory writes the remaining memory, and records the locations of stacks.
func (c *cleaner) memory() {
	mem, _ := c.f.Memory() // damaged ranges are left out
	m := &mapped{Memory: mem, cleaner: c, word: 8, modules: c.need.modules}
	c.mem = m
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
		c.removed("unneeded words of memory, set to zero", zeroed, int64(zeroed*m.word))
	}
}

// stackAt returns the memory at an address as a thread's stack.
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

// mapped is the memory of a dump with the rules for its words.
type mapped struct {
	*minidump.Memory
	*cleaner
	word    int
	arm64   bool
	modules *module.Map
	stacks  pieces
	kept    pieces // parts that stay in any case
}

// pieces returns the parts of memory to keep: stacks up to their last kept word, and of other
// memory the parts that were read.
func (m *mapped) pieces() pieces {
	var out pieces
	for _, s := range m.stacks {
		out = append(out, piece{s.base, m.trim(s)})
	}
	for addr := range m.need.passed {
		out = m.add(out, addr, m.word)
	}
	return m.joined(append(out, m.kept...))
}

// trim returns the end of the last word that stays.
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

// clean returns a piece with zeros in place of words that must not stay.
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

// joined joins pieces that are adjacent, or nearly adjacent without a gap in captured memory. The
// bytes between them become zero. Pieces in a module are not joined, because the library's file may
// have the code between them.
func (m *mapped) joined(list pieces) (out pieces) {
	for _, p := range list.merged() {
		if n := len(out); n > 0 && p.base <= out[n-1].end+nearby && m.modules.At(p.base) == nil {
			if base, _, ok := m.Range(p.base); ok && base < out[n-1].end {
				out[n-1].end = p.end
				continue
			}
		}
		out = append(out, p)
	}
	return out
}
