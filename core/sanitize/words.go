package sanitize

import (
	"encoding/binary"
	"slices"
)

// keep decides for each byte whether it stays.
//
// A word stays if a walk used it, or if it is an address in a module or on a stack: return
// addresses and frame pointers, which other programs may need to walk. An address within a text
// counts as text: on 32-bit Windows the addresses of libraries look like ASCII.
func (m *mapped) keep(base uint64, data []byte) []bool {
	out := make([]bool, len(data))
	stay := func(from, to int) {
		for i := from; i < to; i++ {
			out[i] = true
		}
	}
	if m.opt.Memory {
		stay(0, len(data))
		m.forget(base, out)
		return out
	}
	texts := textIn(data)
	for at := 0; at+m.word <= len(data); at += m.word {
		if m.pointer(m.Number(data[at:at+m.word])) && !texts.overlaps(at, m.word) {
			stay(at, at+m.word)
		}
	}
	for _, p := range m.kept[m.kept.after(base):] {
		from := max(p.base, base) - base
		if from >= uint64(len(data)) {
			break
		}
		stay(int(from), int(min(p.end-base, uint64(len(data)))))
	}
	m.forget(base, out)
	return out
}

// forget clears what a sanitized dump lacks already.
func (m *mapped) forget(base uint64, stays []bool) {
	if !m.again {
		return
	}
	at, end := base, base+uint64(len(stays))
	for _, p := range m.present[m.present.after(base):] {
		if p.base >= end {
			break
		}
		clear(stays[at-base : max(p.base, at)-base])
		at = min(p.end, end)
	}
	clear(stays[at-base:])
}

// around is the number of bytes on either side of a word in which a text may go on.
const around = 16

// isSavedText reports whether a word that a walk read is a text, or a part of one. No frame depends
// on it: an address in a module or on a stack never counts as text.
func (m *mapped) isSavedText(at uint64, size int) bool {
	if size == 0 {
		size = m.word
	}
	v, ok := m.Word(at, size)
	if !ok || size == m.word && m.pointer(v) {
		return false
	}
	base, data := m.surroundings(at, size)
	return m.reader().hasText(v, size) || textIn(data).overlaps(int(at-base), size)
}

// allTexts finds texts, and words that are texts, in bytes at an address.
func (m *mapped) allTexts(base uint64, data []byte) texts {
	out := append(textIn(data), lettersIn(data, m.f.Order())...)
	for at := int(-base & uint64(m.word-1)); at+m.word <= len(data); at += m.word {
		if isText(data[at : at+m.word]) {
			out = append(out, [2]int{at, at + m.word})
		}
	}
	return out
}

// withoutText returns the parts of a piece that are no text.
func (m *mapped) withoutText(p piece) pieces {
	base, data := m.surroundings(p.base, int(p.end-p.base))
	return m.notText(p, base, data)
}

// notText returns the parts of a piece that are no text in bytes at an address.
func (m *mapped) notText(p piece, base uint64, data []byte) (out pieces) {
	isText := make([]bool, len(data))
	for _, t := range m.allTexts(base, data) {
		for i := t[0]; i < t[1]; i++ {
			isText[i] = true
		}
	}
	for addr := p.base; addr < p.end; addr++ {
		at := addr - base
		switch n := len(out); {
		case at < uint64(len(data)) && isText[at]:
		case n > 0 && out[n-1].end == addr:
			out[n-1].end++
		default:
			out = append(out, piece{addr, addr + 1})
		}
	}
	return out
}

// surroundings returns n captured bytes at an address with the bytes around them, and the address of
// the first.
func (m *mapped) surroundings(addr uint64, n int) (base uint64, data []byte) {
	run, size, _ := m.Range(addr)
	base = max(run, addr-min(addr, around))
	last := addr + min(uint64(n-1+around), run+(size-1)-addr)
	return base, m.read(piece{base, last + 1})
}

// beyond is the distance above the captured part of a stack that still counts as the stack. On MIPS
// a frame pointer up to this distance confirms a return address.
const beyond = 1024

func (m *mapped) isStack(addr uint64) bool {
	p, ok := m.stacks.below(addr)
	return ok && addr-p.base < p.end-p.base+beyond
}

// longestCall is the size of a call with its delay slot, on MIPS. A return address may lie this far
// behind the end of a module.
const longestCall = 8

// pointer reports whether a word is an address in a module or on a stack. On
// arm64 a return address may be signed in its upper bits.
func (m *mapped) pointer(v uint64) bool {
	if m.arm64 {
		v &= 1<<48 - 1
	}
	return m.modules.At(v) != nil || m.modules.At(v-1) != nil || m.modules.At(v-longestCall) != nil || m.isStack(v)
}

// shortestText is the number of consecutive characters that count as text: three consecutive
// addresses of code have fewer printable bytes.
const shortestText = 9

// texts returns the parts of data that are text, as offsets from and to.
type texts [][2]int

// overlaps reports whether most of a part is text.
func (t texts) overlaps(off, n int) bool {
	i, _ := slices.BinarySearchFunc(t, off, func(run [2]int, off int) int { return run[1] - off - 1 })
	for ; i < len(t) && t[i][0] < off+n; i++ {
		if 2*(min(t[i][1], off+n)-max(t[i][0], off)) > n {
			return true
		}
	}
	return false
}

// textIn finds texts of ASCII, or UTF-16 of the same characters.
func textIn(data []byte) (out texts) {
	for i := 0; i < len(data); {
		end := i
		for end < len(data) && printable(data[end]) {
			end++
		}
		if end-i >= shortestText {
			out = append(out, [2]int{i, end})
		} else if wide := wideEnd(data, i); wide-i >= 2*shortestText-1 {
			out = append(out, [2]int{i, wide})
			end = wide
		}
		i = max(end, i+1)
	}
	return out
}

// lettersIn finds texts of UTF-8 and UTF-16 that are not of ASCII alone.
func lettersIn(data []byte, order binary.ByteOrder) (out texts) {
	const shortestWide = 6 // of fewer characters are many instructions
	behind := 0            // the last run of characters of UTF-8, whose parts end where it ends
	for i := range data {
		if i >= behind {
			end, letters := utf8End(data, i)
			if behind = end; letters && end-i >= shortestText {
				out = append(out, [2]int{i, end})
			}
		}
		if end := i + 2*shortestWide; end <= len(data) {
			var chars [shortestWide]rune
			for n := range chars {
				chars[n] = rune(order.Uint16(data[i+2*n:]))
			}
			if areLetters(chars[:]) {
				out = append(out, [2]int{i, end})
			}
		}
	}
	return out
}

// wideEnd returns the end of UTF-16 whose first ASCII byte is at i. With the upper byte first no
// zero follows the last character.
func wideEnd(data []byte, i int) int {
	from := i
	for i+1 < len(data) && printable(data[i]) && data[i+1] == 0 {
		i += 2
	}
	if i > from && i < len(data) && printable(data[i]) {
		i++
	}
	return i
}

func printable(b byte) bool { return b >= ' ' && b <= '~' }
