package sanitize

import "slices"

// keep decides for each word whether it stays.
//
// A word stays if a walk used it, or if it is an address in a module or on a stack: return
// addresses and frame pointers, which other programs may need to walk. An address within a text
// counts as text: on 32-bit Windows the addresses of libraries look like ASCII.
func (m *mapped) keep(base uint64, data []byte) []bool {
	out := make([]bool, (len(data)+m.word-1)/m.word)
	texts := textIn(data)
	for i := range out {
		addr := base + uint64(i*m.word)
		word := data[i*m.word : min((i+1)*m.word, len(data))]
		switch {
		case m.opt.Memory || m.kept.overlap(addr, len(word)):
			out[i] = true
		case len(word) < m.word || texts.overlaps(i*m.word, m.word):
		default:
			out[i] = m.pointer(m.Number(word))
		}
	}
	return out
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
