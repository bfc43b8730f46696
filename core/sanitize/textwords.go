package sanitize

import (
	"encoding/binary"
	"slices"

	"crashglass/core/dump/minidump"
	"crashglass/core/machine/cpu"
	"crashglass/core/report"
)

// isText reports whether a word in memory is a piece of text and not a number: characters up to its
// end, or at least half a word of them followed by zeros. In UTF-16 a zero follows each character.
//
// With the upper byte first the zero is before each character. Such a text must fill a word of 8
// bytes, because on little-endian machines "\0p\0a" is the address 0x61007000.
func isText(word []byte) bool {
	return isTextOf(word, 1, 0) || isTextOf(word, 2, 0) || len(word) == 8 && isTextOf(word, 2, 1) && word[len(word)-1] != 0
}

// isTextOf is isText for characters of one width, whose ASCII byte is at an offset.
func isTextOf(word []byte, width, at int) bool {
	n := 0
	for n+width <= len(word) && printable(word[n+at]) && (width == 1 || word[n+1-at] == 0) {
		n += width
	}
	rest := slices.ContainsFunc(word[n:], func(b byte) bool { return b != 0 })
	return 2*n >= len(word) && n > 2 && !rest
}

// isTextNumber is isText for a word that was read as a number.
func isTextNumber(v uint64, size int, order binary.ByteOrder) bool {
	var room [8]byte
	word := numberBytes(&room, v, size, order)
	return isText(word) || order == binary.BigEndian && isTextOf(word, 2, 1)
}

// holdsText reports whether a number that no walk needs is a text. An address in a module or on a
// stack never counts as text.
func (c *cleaner) holdsText(v uint64) bool {
	return isTextNumber(v, c.mem.word, c.f.Order()) && !c.mem.pointer(v)
}

// hasText is holdsText for registers, to which a program copies any of its data.
func (c *cleaner) hasText(v uint64) bool {
	return c.mem.reader().hasText(v, c.mem.word) && !c.mem.pointer(v)
}

func (m *mapped) reader() *wordReader {
	return &wordReader{m.word, m.f.Order(), m.arm64, func(first, last uint64) bool {
		_, _, captured := m.Range(first)
		return captured || m.s.Mapped(first, last)
	}}
}

// mask replaces the bytes of a text by asterisks, or by DEL if they are not of ASCII, except for zeros. For
// a walk the result is what the text was: neither zero nor an address. If it would be an address, all
// of it becomes zero.
func (m *mapped) mask(word []byte) {
	for i, b := range word {
		switch {
		case printable(b):
			word[i] = '*'
		case b != 0:
			word[i] = 0x7f
		}
	}
	v := m.Number(word)
	if _, _, captured := m.Range(v); captured || m.pointer(v) {
		clear(word)
	}
}

// masked is mask for a number.
func (m *mapped) masked(v uint64) uint64 {
	word := make([]byte, 8)
	m.f.Order().PutUint64(word, v)
	if m.word == 4 && m.f.Order() == binary.BigEndian {
		copy(word, word[4:])
	}
	m.mask(word[:m.word])
	return m.Number(word[:m.word])
}

// number returns a number, or 0 if it is text.
func (c *cleaner) number(v uint64) uint64 {
	if c.holdsText(v) {
		return 0
	}
	return v
}

// small is number for a field of 4 bytes that is never as large as text.
func (c *cleaner) small(v uint32) uint32 {
	if isTextNumber(uint64(v), 4, c.f.Order()) {
		return 0
	}
	return v
}

// registers keeps a context without floating-point and vector registers, which hold data that a
// program copies. It masks text in other registers.
func (c *cleaner) registers(at minidump.Location) minidump.Location {
	if at.Size == 0 {
		return minidump.Location{}
	}
	if put, ok := c.contexts[at]; ok { // threads may share one
		return put
	}
	sys, _ := c.f.SystemInfo()
	ctx, _ := c.f.Context(at, sys)
	data, removed := ctx.Scrubbed(func(r cpu.Reg, v uint64, bytes []byte) bool {
		masks := r != ctx.Arch.PC && c.hasText(v)
		if masks {
			c.mem.mask(bytes)
			c.textWords++
		}
		return masks
	})
	put := c.w.Put(data)
	for _, p := range removed {
		c.lost = append(c.lost, minidump.Location{RVA: put.RVA + p.RVA, Size: p.Size})
	}
	c.contexts[at] = put
	return put
}

// nearText is the largest offset from a register with text of an address that reveals the text: of a
// field or an element.
const nearText = 4096

// ofCrash returns a number of the exception. A text is masked, and so is an address near a text in a
// register, so that the difference between the two stays what it was. Four characters in 8 bytes are
// an address below 4 GiB.
func (c *cleaner) ofCrash(regs []uint64, v uint64) uint64 {
	for _, r := range regs {
		if v-r < nearText || r-v < nearText {
			c.textWords++
			return (c.mem.masked(r) + (v - r)) & (1<<(8*c.mem.word-1)<<1 - 1)
		}
	}
	if !c.hasText(v) || c.mem.word == 8 && v>>32 == 0 {
		return v
	}
	c.textWords++
	return c.mem.masked(v)
}

// textRegisters returns the texts in the registers of a context.
func (c *cleaner) textRegisters(at minidump.Location) (out []uint64) {
	sys, _ := c.f.SystemInfo()
	if ctx, _ := c.f.Context(at, sys); ctx.Arch != nil {
		for r, v := range ctx.Regs.All() {
			if r != ctx.Arch.PC && c.hasText(v) {
				out = append(out, v)
			}
		}
	}
	return out
}

// sameRegisters compares registers of a frame. The new dump lacks texts.
func (c *changes) sameRegisters(before, after report.Registers) bool {
	for _, b := range before {
		switch {
		case len(after) > 0 && after[0] == b:
			after = after[1:]
		case !c.words.hasText(number(b.Value), c.words.size) && !slices.Contains(c.texts, number(b.Value)):
			return false
		}
	}
	return len(after) == 0
}
