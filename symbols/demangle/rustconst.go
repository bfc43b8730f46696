package demangle

import (
	"encoding/hex"
	"strconv"
	"strings"

	"crashglass/core/decimal"
)

// constant reads the value of a parameter or a length.
func (r *rustName) constant() {
	defer r.leave()
	if !r.enter() {
		return
	}
	switch c := r.next(); c {
	case 'p':
		r.write("_")
	case 'B':
		r.backref(r.constant)
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
		r.write("&")
		r.constant()
	case 'Q':
		r.write("&mut ")
		r.constant()
	case 'A':
		r.write("[")
		r.each(", ", r.constant)
		r.write("]")
	case 'T':
		r.tuple(r.constant)
	case 'e':
		r.text()
	default:
		r.fail("%q begins no constant", c)
	}
}

// hex reads hexadecimal digits up to an underscore.
func (r *rustName) hex() string {
	digits, _, ok := strings.Cut(r.in[r.at:], "_")
	if !ok || strings.Trim(digits, "0123456789abcdef") != "" {
		r.fail("a value is not hexadecimal")
		return ""
	}
	r.at += len(digits) + 1
	return digits
}

// maxDigits is the length of an integer of 128 bits.
const maxDigits = 32

func (r *rustName) integer() {
	digits := r.hex()
	if len(digits) == 0 || len(digits) > maxDigits {
		r.fail("a value of %d digits", len(digits))
		return
	}
	b, _ := hex.DecodeString("0"[:len(digits)%2] + digits)
	r.write(decimal.New(b).String())
}

func (r *rustName) boolean() {
	switch digits := r.hex(); digits {
	case "0":
		r.write("false")
	case "1":
		r.write("true")
	default:
		r.fail("%q is neither true nor false", digits)
	}
}

func (r *rustName) character() {
	n, err := strconv.ParseInt(r.hex(), 16, 32)
	if err != nil {
		r.fail("a character: %v", err)
		return
	}
	r.write(strconv.QuoteRune(rune(n)))
}

// text reads a string, two digits for each byte.
func (r *rustName) text() {
	digits := r.hex()
	b, err := hex.DecodeString(digits)
	if err != nil || len(digits) > maxInput {
		r.fail("a text of %d digits", len(digits))
		return
	}
	r.write(strconv.Quote(string(b)))
}
