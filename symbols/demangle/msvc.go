package demangle

import (
	"fmt"
	"strings"
)

const (
	// maxDepth bounds how deep types, names and scopes lie within each other.
	maxDepth = 256

	// maxWork bounds what is written for one name, in bytes: for every class
	// template that later ones may refer to, and for the name itself.
	maxWork = 4 << 20
)

// undecorate reads a name as Microsoft's compiler decorates it. Microsoft has
// never published how; the grammar here is what LLVM's compiler writes and its
// undname reads, which is the reference of this package's tests.
//
// In full, what follows the name is ignored, as undname does. In short it has
// to be a suffix that a compiler gives to a part of a function.
func undecorate(name string, short bool) (string, error) {
	p := &parser{in: name, rest: name, short: short, work: maxWork}
	s := p.symbol()
	if p.why != "" {
		return "", fmt.Errorf("demangle: %.80q at %d: %s", name, p.at, p.why)
	}
	if !short {
		return p.print(s.write, false)
	}
	if s.kind == hashSymbol {
		return "", fmt.Errorf("demangle: %.80q: the compiler has replaced the name by a hash", name)
	}
	readable, err := p.print(s.write, true)
	if err != nil || p.rest == "" {
		return readable, err
	}
	if p.rest[0] != '.' {
		return "", fmt.Errorf("demangle: %.80q at %d: %d bytes after the end of the name", name, len(name)-len(p.rest), len(p.rest))
	}
	return readable + " [clone " + p.rest + "]", nil
}

// A parser reads one decorated name from left to right. It remembers its
// first error, and from then on finds nothing more to read.
type parser struct {
	in, rest string
	short    bool // what is wanted
	depth    int
	work     int // bytes that may still be written

	// What digits refer back to: the first ten names, and the first ten
	// parameter types that take more than one letter.
	names  []*ident
	params []*typ

	why string // the first error
	at  int    // where
}

// fail notes the first error, and leaves nothing to read.
func (p *parser) fail(format string, args ...any) {
	if p.why == "" {
		p.why, p.at = fmt.Sprintf(format, args...), len(p.in)-len(p.rest)
	}
	p.rest = ""
}

func (p *parser) failed() bool { return p.why != "" }

// enter goes one level down, or fails where that is too deep. A caller that
// enters leaves, whatever the answer is.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxDepth {
		p.fail("nests deeper than %d levels", maxDepth)
	}
	return !p.failed()
}

func (p *parser) leave() { p.depth-- }

// peek is the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

// next reads one byte. At the end it fails.
func (p *parser) next(what string) byte {
	if p.rest == "" {
		p.fail("the name ends where %s should be", what)
		return 0
	}
	b := p.rest[0]
	p.rest = p.rest[1:]
	return b
}

// take reads a text if it comes next.
func (p *parser) take(text string) bool {
	rest, ok := strings.CutPrefix(p.rest, text)
	p.rest = rest
	return ok
}

func (p *parser) has(text string) bool { return strings.HasPrefix(p.rest, text) }

// until reads up to a mark and past it; it fails if the mark never comes.
func (p *parser) until(mark byte, what string) string {
	end := strings.IndexByte(p.rest, mark)
	if end < 0 {
		p.fail("%s does not end with %q", what, mark)
		return ""
	}
	text := p.rest[:end]
	p.rest = p.rest[end+1:]
	return text
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// digit reads a decimal digit if one comes next.
func (p *parser) digit() (int, bool) {
	if !isDigit(p.peek()) {
		return 0, false
	}
	return int(p.next("a digit") - '0'), true
}

// number reads a number and its sign: a digit is one less than its value, and
// letters from A to P are the hexadecimal digits of others, up to an @.
func (p *parser) number() (value uint64, negative bool) {
	negative = p.take("?")
	if d, ok := p.digit(); ok {
		return uint64(d) + 1, negative
	}
	for {
		b := p.next("a number's digit")
		switch {
		case b == '@' || p.failed():
			return value, negative
		case b < 'A' || b > 'P':
			p.fail("%q is no digit of a number", b)
		default:
			value = value<<4 | uint64(b-'A')
		}
	}
}

// unsigned reads a number that cannot be negative, such as a length.
func (p *parser) unsigned() uint64 {
	value, negative := p.number()
	if negative {
		p.fail("a negative number where there can be none")
	}
	return value
}

// signed reads an offset. Old compilers wrote negative ones with all of their 32 bits.
func (p *parser) signed() int64 {
	value, negative := p.number()
	if value > 1<<63-1 {
		p.fail("the number %#x has more than 63 bits", value)
	}
	if negative {
		return -int64(value)
	}
	return int64(value)
}
