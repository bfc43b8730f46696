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

// wides are the prefixes of characters and texts, with the types of their characters.
var wides = []struct{ prefix, name string }{{"", ""}, {"L", "wchar_t"}, {"u8", "char8_t"}, {"u", "char16_t"}, {"U", "char32_t"}}

// quoted reads a character or a text. It returns nil without an error if there is none.
func (p *parser) quoted() *Expr {
	for _, w := range wides {
		if rest, ok := strings.CutPrefix(p.text, w.prefix); ok && rest != "" && (rest[0] == '"' || rest[0] == '\'') {
			p.text = rest
			return p.quotedBy(rest[0], w.name)
		}
	}
	return nil
}

// quotedBy reads a character, of a type, or a text.
func (p *parser) quotedBy(quote byte, name string) *Expr {
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
	case name != "" && utf8.RuneCount(b) == 1:
		c, _ := utf8.DecodeRune(b)
		return &Expr{Op: Char, Name: name, Number: uint64(c)}
	case p.isType == nil && name == "" && len(b) > 1 && len(b) <= 4: // 'RIFF', whose value is that of MSVC and GCC
		e := &Expr{Op: Number}
		for _, c := range b {
			e.Number = e.Number<<8 | uint64(c)
		}
		return e
	case len(b) != 1:
		return p.fail("a character is not supported")
	}
	return &Expr{Op: Char, Number: uint64(b[0])}
}
