package demangle

import (
	"fmt"
	"strings"
)

// stringLiteral reads the name of a string: its length in bytes, a checksum,
// and as much of it as fits in 32 bytes, or in 64 for wchar_t. The end of the
// string counts as one of its characters.
func (p *parser) stringLiteral(string) *symbol {
	if !p.take("@_") {
		p.fail("a string without its mark")
	}
	kind := p.next("the kind of a string")
	size := p.unsigned()
	p.until('@', "a checksum")
	var data []byte
	for !p.failed() && !p.take("@") {
		data = append(data, p.char())
	}
	if p.failed() {
		return &symbol{}
	}
	switch {
	case kind == '0' && size >= 1 && len(data) <= 4*32: // some compilers wrote more than 32
		return &symbol{kind: textSymbol, text: narrow(data, size)}
	case kind == '1' && size >= 2 && size%2 == 0 && len(data)%2 == 0 && uint64(len(data)) <= size:
		return &symbol{kind: textSymbol, text: wide(data, size)}
	}
	p.fail("a string of kind %q with %d of %d bytes", kind, len(data), size)
	return &symbol{}
}

// char reads one byte: as it is, as ?$ and two letters, as one of ten that
// have a digit, or as an accented letter by one without accent.
func (p *parser) char() byte {
	b := p.next("a character")
	if b != '?' {
		return b
	}
	switch b := p.next("a character"); {
	case b == '$':
		high, low := p.nibble(), p.nibble()
		return high<<4 | low
	case isDigit(b):
		return ",/\\:. \n\t'-"[b-'0']
	case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
		return b + 0x80
	default:
		p.fail("?%c is no character", b)
		return 0
	}
}

// nibble reads four bits, A to P.
func (p *parser) nibble() byte {
	b := p.next("a digit")
	if b < 'A' || b > 'P' {
		p.fail("%q is no digit", b)
		return 0
	}
	return b - 'A'
}

// wide writes a string of wchar_t, whose bytes come with the high one first.
func wide(data []byte, size uint64) string {
	var chars []uint32
	for i := 0; i+1 < len(data); i += 2 {
		chars = append(chars, uint32(data[i])<<8|uint32(data[i+1]))
	}
	cut := size > 64
	if !cut && uint64(len(data)) == size {
		chars = chars[:len(chars)-1] // the end
	}
	return quoted("L", chars, cut)
}

// narrow writes a string of anything else. The name does not say how large its
// characters are, so charWidth guesses.
func narrow(data []byte, size uint64) string {
	width := charWidth(data, size)
	var chars []uint32
	for i := 0; i+width <= len(data); i += width {
		var c uint32
		for j := range width {
			c |= uint32(data[i+j]) << (8 * j)
		}
		chars = append(chars, c)
	}
	cut := size > uint64(len(data))
	if !cut && len(chars) > 0 {
		chars = chars[:len(chars)-1]
	}
	return quoted(map[int]string{1: "", 2: "u", 4: "U"}[width], chars, cut)
}

// charWidth guesses as undname does: by the zeros at the end of a whole string,
// by the share of zeros in a truncated one.
func charWidth(data []byte, size uint64) int {
	if size%2 == 1 {
		return 1
	}
	zeros := strings.Count(string(data), "\x00")
	four, two := zeros >= 2*len(data)/3, zeros >= len(data)/3
	if size < 32 {
		end := len(data) - len(strings.TrimRight(string(data), "\x00"))
		four, two = end >= 4, end >= 2
	}
	switch {
	case four && size%4 == 0:
		return 4
	case two:
		return 2
	}
	return 1
}

// quoted writes a literal in C++. Dots behind it say that it is not there whole.
func quoted(prefix string, chars []uint32, cut bool) string {
	var out strings.Builder
	out.WriteString(prefix + `"`)
	for _, c := range chars {
		out.WriteString(escape(c))
	}
	out.WriteString(`"`)
	if cut {
		out.WriteString("...")
	}
	return out.String()
}

// escapes are the characters with an escape of their own in C++.
var escapes = map[uint32]string{
	0: `\0`, '\'': `\'`, '"': `\"`, '\\': `\\`, '\a': `\a`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\v': `\v`,
}

// escape writes a character: as it is, or by its number with an even count of digits, as
// undname does.
func escape(c uint32) string {
	if text, ok := escapes[c]; ok {
		return text
	}
	if c > 0x1f && c < 0x7f {
		return string(rune(c))
	}
	digits := fmt.Sprintf("%X", c)
	if len(digits)%2 == 1 {
		digits = "0" + digits
	}
	return `\x` + digits
}
