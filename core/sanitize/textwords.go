package sanitize

import (
	"encoding/binary"
	"slices"

	"crashglass/core/cpu"
	"crashglass/core/minidump"
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
	word := room[:]
	if size == 4 {
		if v>>32 != 0 {
			return false
		}
		word = word[:4]
		order.PutUint32(word, uint32(v))
	} else {
		order.PutUint64(word, v)
	}
	return isText(word) || order == binary.BigEndian && isTextOf(word, 2, 1)
}

// holdsText reports whether a number that no walk needs is a text. An address in a module or on a
// stack never counts as text.
func (c *cleaner) holdsText(v uint64) bool {
	return isTextNumber(v, c.mem.word, c.f.Order()) && !c.mem.pointer(v)
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
// program copies. It also removes text in other registers, unless these must stay unchanged.
func (c *cleaner) registers(at minidump.Location, thread uint32, asTheyAre bool) minidump.Location {
	if at.Size == 0 {
		return minidump.Location{}
	}
	key := contextKey{at, asTheyAre}
	if put, ok := c.contexts[key]; ok { // threads may share one
		return put
	}
	sys, _ := c.f.SystemInfo()
	ctx, _ := c.f.Context(at, sys)
	drop := func(r cpu.Reg, v uint64) bool {
		if r == ctx.Arch.PC || r == ctx.Arch.SP || !c.holdsText(v) {
			return false
		}
		if asTheyAre {
			c.textLeft(thread)
			return false
		}
		c.textWords++
		return true
	}
	c.contexts[key] = c.w.Put(ctx.Scrubbed(drop))
	return c.contexts[key]
}

// A contextKey identifies a context of the old file, and whether its text stays.
type contextKey struct {
	at        minidump.Location
	asTheyAre bool
}

// textLeft records that a thread's registers keep a text.
func (c *cleaner) textLeft(thread uint32) {
	if !slices.Contains(c.textThreads, thread) {
		c.textThreads = append(c.textThreads, thread)
	}
}

// sameRegisters compares registers of a frame. The new dump may lack registers that held text.
func sameRegisters(before, after report.Registers, width int, order binary.ByteOrder) bool {
	return slices.EqualFunc(before, after, func(b, a report.Register) bool {
		return b == a || b.Name == a.Name && number(a.Value) == 0 && isTextNumber(number(b.Value), width, order)
	})
}
