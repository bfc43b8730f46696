package demangle

import (
	"strconv"
	"strings"

	"crashglass/symbols/demangle/punycode"
)

// punycodeDigits are those of RFC 3492, as Rust has them.
const punycodeDigits = "abcdefghijklmnopqrstuvwxyz0123456789"

// base62 reads a number: _ is 0, 0_ is 1. Source: RFC 2603, <base-62-number>.
func (r *rustName) base62() (n uint64) {
	if r.has('_') {
		return 0
	}
	for r.err == nil {
		c := r.next()
		digit := strings.IndexByte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", c)
		switch {
		case c == '_':
			return n + 1
		case digit < 0 || n > (1<<64-1)/62-1:
			r.fail("%q in a number", c)
		}
		n = 62*n + uint64(digit)
	}
	return 0
}

// decimal reads a number without zeros in front: 0 ends after its one digit.
func (r *rustName) decimal() (n int) {
	if r.has('0') {
		return 0
	}
	from := r.at
	for r.at < len(r.in) && isDigit(r.in[r.at]) {
		r.at++
	}
	n, err := strconv.Atoi(r.in[from:r.at])
	if err != nil {
		r.fail("%.20q is no length", r.in[from:r.at])
	}
	return n
}

// identifier reads a name and, if it has one, its number among those of that name.
func (r *rustName) identifier() (name string, number uint64) {
	if r.has('s') {
		number = r.base62() + 1
	}
	return r.plainIdentifier(), number
}

// plainIdentifier reads a name without a number. An underscore separates the length from
// a name that begins with a digit or an underscore.
func (r *rustName) plainIdentifier() string {
	encoded := r.has('u')
	n := r.decimal()
	r.has('_')
	if r.err != nil || n > len(r.in)-r.at {
		r.fail("a name of %d bytes, %d are left", n, len(r.in)-r.at)
		return ""
	}
	name := r.in[r.at : r.at+n]
	r.at += n
	if !encoded {
		return name
	}
	decoded, ok := punycode.Decode(name, punycodeDigits)
	if !ok {
		r.fail("the name %.60q is not encoded right", name)
	}
	return string(decoded)
}
