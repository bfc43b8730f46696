package sanitize

import (
	"cmp"
	"slices"

	"crashglass/core/base/sorting"
	"crashglass/core/dump/minidump"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// nearby is the largest gap between two pieces of memory that are joined.
const nearby = 64

// memory writes the remaining memory, and records the locations of stacks.
func (c *cleaner) memory() {
	mem := c.memoryOf()
	m := &mapped{Memory: mem, cleaner: c, word: 8, modules: c.need.modules, unproved: map[uint64]bool{}, fileless: map[uint64]bool{}}
	if whole := mem.Placeholders(); whole != nil {
		m.Memory, m.again = whole, true
		for _, r := range mem.Runs() {
			m.present = append(m.present, piece{r.Base, r.Base + r.Size})
		}
	}
	c.mem = m
	m.find()
	kept, zeroed := int64(0), 0
	for _, p := range m.pieces() {
		data, stays, n := m.clean(p)
		put := c.w.Put(data)
		c.ranges, c.lost = append(c.ranges, minidump.Range{Base: p.base, Location: put}), append(c.lost, process.Lost(stays, put.RVA)...)
		kept += int64(len(data))
		zeroed += n
	}
	for _, p := range m.libraryCode() {
		c.ranges = append(c.ranges, minidump.Range{Base: p.base, Location: c.w.Put(p.data)})
	}
	sorting.Stable(c.ranges, func(a, b minidump.Range) int { return cmp.Compare(a.Base, b.Base) })
	if lost := int64(mem.Total()) - kept; lost > 0 {
		c.removed("memory that no stack needs", 0, lost)
	}
	if zeroed > 0 {
		c.removed("unneeded words of memory, set to zero", zeroed, int64(zeroed*m.word))
	}
	if len(m.unproved) > 0 {
		c.removed("memory at program counters: the dump does not say whether it is code", len(m.unproved), 0)
	}
	if len(m.fileless) > 0 {
		c.removed("code around frames that is in no file of a disk", len(m.fileless), 0)
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
	*process.Memory
	*cleaner
	word    int
	arm64   bool
	modules *module.Map
	stacks  pieces
	kept    pieces   // parts that stay in any case
	texts   []uint64 // addresses of words that walks read and that are text, sorted
	said    []uint64 // their values
	again   bool     // the dump is a sanitized one
	present pieces   // the memory that it has

	unproved map[uint64]bool // program counters with captured memory that is not proved to be code
	fileless map[uint64]bool // places of frames in code that is in no file of a disk
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
	for _, addr := range m.texts {
		out = m.add(out, addr, m.word)
	}
	return m.joined(append(out, m.kept...))
}

// trim returns the end of the last word that stays.
func (m *mapped) trim(s piece) uint64 {
	if m.opt.Memory {
		return s.end
	}
	keep := m.keep(s.base, m.read(s))
	last := len(keep)
	for last > redZone && !keep[last-1] {
		last--
	}
	return s.base + uint64(last)
}

func (m *mapped) read(p piece) []byte {
	data := make([]byte, p.end-p.base)
	return data[:m.Read(p.base, data)]
}

// clean returns a piece with zeros in place of bytes that must not stay, which bytes stay, and the number
// of words with bytes that do not. Texts that walks read are masked.
func (m *mapped) clean(p piece) (data []byte, stays []bool, zeroed int) {
	raw := m.read(p)
	data, stays = make([]byte, len(raw)), m.keep(p.base, raw)
	changed := -1 // the last word that differs
	for i := range data {
		switch {
		case stays[i]:
			data[i] = raw[i]
		case raw[i] != 0 && i/m.word != changed:
			changed = i / m.word
			zeroed++
		}
	}
	if m.opt.Memory {
		return data, stays, zeroed
	}
	first, _ := slices.BinarySearch(m.texts, p.base)
	for _, addr := range m.texts[first:] {
		at := addr - p.base
		if at+uint64(m.word) > uint64(len(data)) {
			break
		}
		copy(data[at:], raw[at:at+uint64(m.word)])
		m.said = append(m.said, m.Number(data[at:at+uint64(m.word)]))
		m.mask(data[at : at+uint64(m.word)])
		clear(stays[at : at+uint64(m.word)])
	}
	return data, stays, zeroed
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

// A piece is memory from base up to end.
type piece struct{ base, end uint64 }

// pieces are parts of memory. Lookups need the result of merged: sorted and without overlaps.
type pieces []piece

// merged sorts pieces and joins adjacent ones.
func (l pieces) merged() (out pieces) {
	sorting.Stable(l, byBase)
	for _, p := range l {
		if n := len(out); n > 0 && p.base <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, p.end)
		} else if p.end > p.base {
			out = append(out, p)
		}
	}
	return out
}

func byBase(a, b piece) int {
	return cmp.Or(cmp.Compare(a.base, b.base), cmp.Compare(a.end, b.end))
}

// below returns the last piece that begins at or below an address.
func (l pieces) below(addr uint64) (piece, bool) {
	i, exact := slices.BinarySearchFunc(l, addr, func(p piece, addr uint64) int { return cmp.Compare(p.base, addr) })
	if !exact {
		i--
	}
	if i < 0 {
		return piece{}, false
	}
	return l[i], true
}

// after returns the index of the first piece that ends above an address.
func (l pieces) after(addr uint64) int {
	i, _ := slices.BinarySearchFunc(l, addr, func(p piece, addr uint64) int { return cmp.Compare(p.end-1, addr) })
	return i
}
