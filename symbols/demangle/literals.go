package demangle

import (
	"fmt"
	"slices"
	"strconv"
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

// The name does not say how large its characters are, so charWidth guesses.
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

// An argument is one of a template: a type, a name, a symbol's address or a
// number.
type argument struct {
	typ     *typ
	name    qualified // of an alias
	text    string    // a number
	pointer bool      // & in front
	symbol  *symbol   // may be nil
	offsets []string  // of a pointer to a member: {symbol, offsets}
}

// Within it, digits refer only to what is within it. A class can be referred back to as a whole.
func (p *parser) template(class bool) *ident {
	defer p.leave()
	if !p.enter() {
		return &ident{}
	}
	p.take("?$")
	names, params := p.names, p.params
	p.names, p.params = nil, nil
	// The template's own name may be one that was referred to: names are
	// shared, and what is shared is not changed.
	id := *p.symbolIdent()
	id.args, id.isTmpl = p.arguments(), true
	p.names, p.params = names, params
	if class {
		if id.kind == constructor || id.kind == destructor || id.kind == conversion {
			p.fail("a constructor or conversion where a class should be")
		}
		p.rememberWritten(&id)
	}
	return &id
}

// separators stand between packs of arguments, or for empty ones.
var separators = []string{"$$$V", "$$V", "$$Z", "$S"}

// arguments reads a template's arguments up to an @. Separators of packs are not shown.
func (p *parser) arguments() (args []argument) {
	for !p.failed() && !p.take("@") {
		if slices.ContainsFunc(separators, p.take) {
			continue
		}
		args = append(args, p.argument())
	}
	return args
}

// argument reads one argument. $M says that its type was deduced, and has the type first.
func (p *parser) argument() argument {
	deduced := p.take("$M")
	if deduced {
		p.typ(dropped) // of a parameter declared auto; it is not shown
	}
	switch {
	case p.take("$$Y"): // an alias
		return argument{name: p.typeName()}
	case p.take("$$B"): // an array
		return argument{typ: p.typ(dropped)}
	case p.take("$$C"): // a type with qualifiers
		return argument{typ: p.typ(leading)}
	case p.has("$E?"):
		p.take("$E")
		return argument{symbol: p.symbol()}
	}
	if kind, ok := p.valueKind(deduced); ok {
		return p.value(kind)
	}
	return argument{typ: p.typ(dropped)}
}

// valueKind reads what kind of value comes next: a dollar, unless the type is
// deduced, and one of the letters that value knows.
func (p *parser) valueKind(deduced bool) (kind byte, ok bool) {
	prefix := "$"
	if deduced {
		prefix = ""
	}
	rest, ok := strings.CutPrefix(p.rest, prefix)
	if !ok || rest == "" || !strings.Contains("01FGHIJ", rest[:1]) {
		return 0, false
	}
	p.rest = rest[1:]
	return rest[0], true
}

// offsetsOf says how many numbers follow: those that describe a pointer to a
// member of a class with one base, several, virtual or unknown ones.
var offsetsOf = map[byte]int{'H': 1, 'I': 2, 'J': 3, 'F': 2, 'G': 3}

// value reads a number, an address, or a pointer to a member.
func (p *parser) value(kind byte) argument {
	if kind == '0' {
		value, negative := p.number()
		text := strconv.FormatUint(value, 10)
		if negative {
			text = "-" + text
		}
		return argument{text: text}
	}
	arg := argument{pointer: true}
	if kind != 'F' && kind != 'G' && p.peek() == '?' {
		arg.symbol = p.symbol()
		if len(arg.symbol.name) == 0 {
			p.fail("the address of something without a name")
		}
		if !p.failed() {
			p.rememberWritten(arg.symbol.name.last())
		}
	}
	for range offsetsOf[kind] {
		arg.offsets = append(arg.offsets, strconv.FormatInt(p.signed(), 10))
	}
	return arg
}

// pointerAuth reads the key, discrimination and extra value of a signed pointer.
func (p *parser) pointerAuth() string {
	if !p.take("__ptrauth") {
		return ""
	}
	var values []string
	for range 3 {
		values = append(values, strconv.FormatUint(p.unsigned(), 10))
	}
	return "__ptrauth(" + strings.Join(values, ", ") + ")"
}
