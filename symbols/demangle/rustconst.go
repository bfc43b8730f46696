package demangle

import (
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// constant reads the value of a parameter or a length. It is written as Rust's own
// demangler does (rustc-demangle, src/v0.rs): a literal as it is, anything else in braces
// unless it is within another value.
func (r *rustName) constant(within bool) {
	defer r.leave()
	if !r.enter() {
		return
	}
	switch c := r.next(); c {
	case 'p':
		r.write("_")
	case 'B':
		r.backref(func() { r.constant(within) })
	case 'a', 's', 'l', 'x', 'n', 'i':
		if r.has('n') {
			r.write("-")
		}
		r.integer()
	case 'h', 't', 'm', 'y', 'o', 'j':
		r.integer()
	case 'b':
		r.boolean()
	case 'c':
		r.character()
	case 'R':
		if r.has('e') { // "text" instead of &*"text"
			r.text()
			return
		}
		r.expression(c, within)
	default:
		r.expression(c, within)
	}
}

// expression reads a value that is more than a literal.
func (r *rustName) expression(c byte, within bool) {
	if !within {
		r.write("{")
		defer r.write("}")
	}
	element := func() { r.constant(true) }
	switch c {
	case 'e': // a text has the type &str, so that one of the type str is *"text"
		r.write("*")
		r.text()
	case 'R':
		r.write("&")
		element()
	case 'Q':
		r.write("&mut ")
		element()
	case 'A':
		r.write("[")
		r.each(", ", element)
		r.write("]")
	case 'T':
		r.tuple(element)
	case 'V':
		r.structure(element)
	default:
		r.fail("%q begins no constant", c)
	}
}

// structure reads the value of a struct or of a variant of an enum: without fields, with
// fields in order or with named ones.
func (r *rustName) structure(element func()) {
	r.path(false, false)
	switch c := r.next(); c {
	case 'U':
	case 'T':
		r.write("(")
		r.each(", ", element)
		r.write(")")
	case 'S':
		r.write(" { ")
		r.each(", ", func() {
			name, _ := r.identifier()
			r.write(name + ": ")
			element()
		})
		r.write(" }")
	default:
		r.fail("%q is no kind of fields", c)
	}
}

// hex reads hexadecimal digits up to an underscore. There may be none.
func (r *rustName) hex() string {
	digits, _, ok := strings.Cut(r.in[r.at:], "_")
	if !ok || strings.Trim(digits, "0123456789abcdef") != "" {
		r.fail("a value is not hexadecimal")
		return ""
	}
	r.at += len(digits) + 1
	return digits
}

// number reads a value of up to 64 bits.
func (r *rustName) number() (n uint64, digits string, ok bool) {
	digits = r.hex()
	n, err := strconv.ParseUint("0"+digits, 16, 64)
	return n, digits, err == nil
}

// integer writes a value in decimal, one of more than 64 bits as it is in the name.
func (r *rustName) integer() {
	if n, digits, ok := r.number(); ok {
		r.write(strconv.FormatUint(n, 10))
	} else {
		r.write("0x" + digits)
	}
}

// boolean reads 0 or 1.
func (r *rustName) boolean() {
	n, digits, ok := r.number()
	if !ok || n > 1 {
		r.fail("%.20q is neither true nor false", digits)
		return
	}
	r.write(strconv.FormatBool(n == 1))
}

// character reads a character by its number, which has to be one of Unicode's.
func (r *rustName) character() {
	n, digits, ok := r.number()
	if !ok || n > unicode.MaxRune || !utf8.ValidRune(rune(n)) {
		r.fail("%.20q is no character", digits)
		return
	}
	r.write(quoteRust(string(rune(n)), '\''))
}

// text reads a string, two digits for each byte.
func (r *rustName) text() {
	digits := r.hex()
	b, err := hex.DecodeString(digits)
	if err != nil || !utf8.Valid(b) {
		r.fail("a text of %d digits is no UTF-8", len(digits))
		return
	}
	r.write(quoteRust(string(b), '"'))
}

// rustEscapes are the characters that Rust escapes by a letter of their own.
var rustEscapes = map[rune]string{0: `\0`, '\t': `\t`, '\n': `\n`, '\r': `\r`, '\\': `\\`}

// quoteRust writes a literal as char::escape_debug has it, except that the other kind of
// quotation marks stays as it is.
func quoteRust(text string, quote rune) string {
	var out strings.Builder
	out.WriteRune(quote)
	for _, c := range text {
		escape, ok := rustEscapes[c]
		switch {
		case ok:
			out.WriteString(escape)
		case c == quote:
			out.WriteString(`\` + string(c))
		case strconv.IsPrint(c) && !unicode.Is(unicode.Mn, c):
			out.WriteRune(c)
		default:
			out.WriteString(`\u{` + strconv.FormatInt(int64(c), 16) + "}")
		}
	}
	out.WriteRune(quote)
	return out.String()
}
