package sanitize

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// A wordReader says which words of a dump are texts.
type wordReader struct {
	size     int // of an address: 4 or 8
	order    binary.ByteOrder
	tagged   bool                          // addresses may have a tag in their upper byte, as on arm64
	isMapped func(first, last uint64) bool // whether memory may be mapped from an address to another
}

// hasText reports whether a number of some bytes is a text of any script, or has a part of one, as a
// structure of a number and a PIN. It finds more than [isTextNumber], and so also numbers that are a text
// by chance. These are no addresses, which reports need.
func (w *wordReader) hasText(v uint64, size int) bool {
	if isTextNumber(v, size, w.order) {
		return true
	}
	var room [8]byte
	bytes := numberBytes(&room, v, size, w.order)
	return (isUTF8(bytes) || isUTF16(bytes, w.order) || isUTF32(bytes, w.order) || hasWord(bytes)) && !w.isAddress(v, size)
}

// stale is the distance to mapped memory up to which a number may be the address of memory that was
// unmapped: reports need the address that such a crash was about.
const stale = 1 << 30

// isAddress reports whether a number is an address of memory that is mapped, or may have been. Below 4 GiB,
// where all numbers are near to memory, only mapped memory counts.
func (w *wordReader) isAddress(v uint64, size int) bool {
	if w.tagged {
		v &= 1<<56 - 1
	}
	switch {
	case size != w.size, v>>48 != 0 && v>>48 != 0xffff:
		return false
	case v>>32 == 0:
		return w.isMapped(v, v)
	}
	return w.isMapped(v-stale, max(v, v+stale))
}

// numberBytes returns the bytes of a number in the order of memory. There are none if it is larger than
// its size.
func numberBytes(room *[8]byte, v uint64, size int, order binary.ByteOrder) []byte {
	if size != 4 {
		order.PutUint64(room[:], v)
		return room[:]
	}
	if v>>32 != 0 {
		return nil
	}
	order.PutUint32(room[:], uint32(v))
	return room[:4]
}

// shortestWord is the number of consecutive letters and digits that count as text in a word that also
// has other bytes. PINs have four.
const shortestWord = 4

// hasWord reports whether letters and digits of ASCII are among the bytes.
func hasWord(word []byte) bool {
	n := 0
	for _, b := range word {
		if n++; !isAlphanumeric(b) {
			n = 0
		}
		if n == shortestWord {
			return true
		}
	}
	return false
}

// isUTF8 reports whether a word is a piece of a text with letters beyond ASCII: characters up to its end,
// or at least half a word of them followed by zeros. The first and the last may be incomplete.
func isUTF8(word []byte) bool {
	at := 0
	for at < min(len(word), utf8.UTFMax-1) && !utf8.RuneStart(word[at]) {
		at++
	}
	end, letters := utf8End(word, at)
	if end < len(word) && !utf8.FullRune(word[end:]) {
		end = len(word)
	}
	return letters && 2*end >= len(word) && isZero(word[end:])
}

// utf8End returns the end of the characters from an offset on, and whether letters beyond ASCII are among
// them.
func utf8End(data []byte, at int) (end int, letters bool) {
	for at < len(data) {
		r, n := utf8.DecodeRune(data[at:])
		if scriptOf(r) == noScript {
			break
		}
		at += n
		letters = letters || n > 1
	}
	return at, letters
}

// isUTF16 reports whether a word is a piece of a text in UTF-16 with letters beyond ASCII. Texts of the
// other byte order must fill 8 bytes; they may also begin at an odd address.
func isUTF16(word []byte, order binary.ByteOrder) bool {
	var other binary.ByteOrder = binary.BigEndian
	if order == other {
		other = binary.LittleEndian
	}
	var room [4]rune
	chars := room[:len(word)/2]
	read := func(order binary.ByteOrder) {
		for i := range chars {
			chars[i] = rune(order.Uint16(word[2*i:]))
		}
	}
	read(order)
	if areLetters(chars) {
		return true
	}
	read(other)
	return len(chars) == 4 && !slices.Contains(chars, 0) && areLetters(chars)
}

// isUTF32 reports whether a word is two characters of wchar_t as Unix has it.
func isUTF32(word []byte, order binary.ByteOrder) bool {
	if len(word) != 8 {
		return false
	}
	chars := []rune{rune(order.Uint32(word)), rune(order.Uint32(word[4:]))}
	return areLetters(chars) || scriptOf(chars[0]) == ascii && scriptOf(chars[1]) == ascii
}

// areLetters reports whether characters are of one script beyond ASCII, and possibly of ASCII. Zeros may
// follow two characters of that script, or three. There are many ideographs and syllables, and most numbers
// with two are no text. One character again and again is a pattern that fills memory.
func areLetters(chars []rune) bool {
	n, beyond, of := 0, 0, ascii
	for ; n < len(chars) && chars[n] != 0; n++ {
		switch s := scriptOf(chars[n]); {
		case s == ascii:
		case s == noScript, of != ascii && s != of:
			return false
		default:
			of = s
			beyond++
		}
	}
	rest := slices.ContainsFunc(chars[n:], func(c rune) bool { return c != 0 })
	switch {
	case beyond == 0, rest, len(slices.Compact(slices.Clone(chars[:n]))) == 1:
		return false
	case n == 2:
		return beyond == 2 && of != ideographs && of != syllables
	}
	return n > 2
}

// A script is a number for the characters that texts have together.
type script rune

// The scripts that have a number of their own. Others have the upper byte of their characters.
const (
	ascii script = -iota
	noScript
	latin
	ideographs
	syllables // of Korean
)

// scriptOf returns the script of a character that people write with. It has the alphabets that begin
// below U+1100 with Greek, Cyrillic, Hebrew, Arabic, those of India, Thai and Georgian.
//
// Source: Unicode, Blocks.txt.
func scriptOf(c rune) script {
	switch {
	case c >= ' ' && c <= '~':
		return ascii
	case c >= 0xa0 && c < 0x250, c >= 0x1e00 && c < 0x1f00:
		return latin
	case c >= 0x370 && c < 0x700, c >= 0x900 && c < 0xf00, c >= 0x10a0 && c < 0x1100:
		return script(c >> 8)
	case c >= 0x3000 && c < 0x3100, c >= 0x4e00 && c < 0xa000, c >= 0xff00 && c < 0xfff0:
		return ideographs
	case c >= 0xac00 && c < 0xd7b0:
		return syllables
	}
	return noScript
}

func isZero(data []byte) bool { return !slices.ContainsFunc(data, func(b byte) bool { return b != 0 }) }
