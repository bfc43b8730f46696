package expr

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// number reads an integer or a float. Their suffixes say how large they are, and remain in the name.
func (p *parser) number() *Expr {
	n := span(p.text, func(c byte) bool { return isWord(c) || c == '.' })
	if n > 1 && n < len(p.text) && strings.IndexByte("eE", p.text[n-1]) >= 0 && strings.IndexByte("+-", p.text[n]) >= 0 && !isHex(p.text) {
		n += 1 + span(p.text[n+1:], isWord)
	}
	text := p.text[:n]
	e := &Expr{Op: Number, Name: text}
	var err error
	if digits := strings.TrimRight(text, "uUlL"); isHex(text) || !strings.ContainsAny(text, ".eE") {
		e.Number, err = strconv.ParseUint(digits, 0, 64)
	} else {
		e.Op = Float
		e.Float, err = strconv.ParseFloat(strings.TrimRight(text, "fFlL"), 64)
	}
	if err != nil {
		return p.fail("this is no number")
	}
	p.text = p.text[n:]
	return e
}

// isHex reports whether an e may be a digit.
func isHex(text string) bool { return len(text) > 1 && (text[1] == 'x' || text[1] == 'X') }

// quoted reads a character or a text.
func (p *parser) quoted(quote byte) *Expr {
	var b []byte
	rest := p.text[1:]
	for rest != "" && rest[0] != quote {
		if len(rest) > 1 && rest[0] == '\\' && rest[1] == '0' { // package strconv wants three digits
			b, rest = append(b, 0), rest[2:]
			continue
		}
		c, wide, after, err := strconv.UnquoteChar(rest, quote)
		if err != nil {
			return p.fail("a character is not supported")
		}
		if rest = after; wide {
			b = utf8.AppendRune(b, c)
		} else {
			b = append(b, byte(c))
		}
	}
	if rest == "" {
		return p.fail(string(quote) + " is missing")
	}
	p.text = rest[1:]
	switch {
	case quote == '"':
		return &Expr{Op: Text, Name: string(b)}
	case len(b) != 1:
		return p.fail("a character is not supported")
	}
	return &Expr{Op: Char, Number: uint64(b[0])}
}
