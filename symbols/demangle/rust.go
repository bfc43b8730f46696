package demangle

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"crashglass/symbols/demangle/punycode"
)

// A rustName is a name in Rust's newer mangling while it is parsed. The library is not used: it
// reads two parts without a name ("00", a closure in a closure) as one number, so closures got
// wrong numbers and lost "()". The state is the offset in the name and the text written so far. A
// name has no substitution table: a back reference is an offset.
//
// Spec: https://doc.rust-lang.org/rustc/symbol-mangling/v0.html
type rustName struct {
	in    string // without _R
	at    int
	out   []byte
	quiet int // depth of what is read and not written

	bound int // lifetimes that binders around have
	depth int
	steps int
	err   error
}

// Limits of one name. References can double it with every few bytes.
const (
	maxRustDepth = 256
	maxRustSteps = 1 << 17
)

// errRustTooMuch is for both limits, which one reference can reach.
var errRustTooMuch = errors.New("demangle: the Rust name nests too deep, or is too long when it is written out")

// What compilers append to it (".llvm.123") is not shown, as with the older mangling.
func fromNewRust(name string) (string, error) {
	r := &rustName{in: strings.TrimPrefix(name, "_R")}
	r.path(false, false)
	if r.at < len(r.in) && r.in[r.at] >= 'A' && r.in[r.at] <= 'Z' { // the crate that made the copy
		r.quietly(func() { r.path(false, false) })
	}
	if rest := r.in[r.at:]; rest != "" && rest[0] != '.' && rest[0] != '$' {
		r.fail("%q follows the name", rest[0])
	}
	if len(r.out) == 0 {
		r.fail("it says nothing")
	}
	if r.err != nil {
		return "", r.err
	}
	return string(r.out), nil
}

// fail notes the first error. After it nothing is read or written.
func (r *rustName) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("demangle: Rust name at %d: %s", r.at+len("_R"), fmt.Sprintf(format, args...))
	}
}

// next takes a byte, 0 at the end and after a failure.
func (r *rustName) next() byte {
	if r.err != nil || r.at >= len(r.in) {
		r.fail("it ends")
		return 0
	}
	r.at++
	return r.in[r.at-1]
}

// has takes a byte if it is the next one.
func (r *rustName) has(c byte) bool {
	if r.err != nil || r.at >= len(r.in) || r.in[r.at] != c {
		return false
	}
	r.at++
	return true
}

// write writes a text, unless what is read is not shown.
func (r *rustName) write(text string) {
	if r.quiet > 0 || r.err != nil {
		return
	}
	if r.out = append(r.out, text...); len(r.out) >= maxOutput {
		r.err = errRustTooMuch
	}
}

// quietly reads something that is not shown.
func (r *rustName) quietly(read func()) {
	r.quiet++
	read()
	r.quiet--
}

// enter bounds recursion; leave is to be called in any case.
func (r *rustName) enter() bool {
	r.depth++
	if r.steps++; r.depth > maxRustDepth || r.steps > maxRustSteps {
		r.err = errRustTooMuch
	}
	return r.err == nil
}

func (r *rustName) leave() { r.depth-- }

// each reads one thing after another up to an E, with a separator between them, and
// returns how many there were.
func (r *rustName) each(separator string, read func()) (n int) {
	for ; r.err == nil && !r.has('E'); n++ {
		if n > 0 {
			r.write(separator)
		}
		read()
	}
	return n
}

// backref reads what begins at an earlier place once more. Where nothing is
// written it need not be.
func (r *rustName) backref(read func()) {
	before := r.at - 1
	to := r.base62()
	if to >= uint64(before) {
		r.fail("a reference to %d, which is not before it", to)
	}
	if r.err != nil || r.quiet > 0 {
		return
	}
	back := r.at
	r.at = int(to)
	read()
	r.at = back
}

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

// An underscore separates the length from a name that begins with a digit or an underscore.
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
