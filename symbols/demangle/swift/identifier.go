package swift

import (
	"strings"

	"crashglass/symbols/demangle/punycode"
)

// maxWordCount is how many words letters can stand for.
const maxWordCount = 26

// identifier reads a name with its length before it. After a 0, letters stand
// for words of names that came before; after 00 the name is in Punycode.
//
//	3foo, 0aB3Baz (words a and B, then "Baz"), 0014JavaScript_oya (Punycode)
//
// Source: Mangling.rst, identifier and substitutions.
func (p *parser) identifier() *node {
	words, encoded := false, false
	if p.take('0') {
		encoded = p.take('0')
		words = !encoded
	}
	var name strings.Builder
	for again := true; again; again = words {
		if words && !p.repeatWords(&name, &words) {
			return nil
		}
		if p.take('0') {
			break
		}
		part, ok := p.part(encoded)
		if !ok {
			return nil
		}
		name.WriteString(part)
	}
	if p.spelt += name.Len(); name.Len() == 0 || p.spelt > maxWords {
		return nil
	}
	return p.substitute(&node{kind: kIdentifier, text: name.String()})
}

// repeatWords reads letters for words. The last of them is a capital.
// Lower-case letters have others behind them. It reports false for a word that there
// is not.
func (p *parser) repeatWords(name *strings.Builder, more *bool) bool {
	for *more && (isLower(p.peek()) || isUpper(p.peek())) {
		c := p.next()
		i := int(c - 'a')
		if isUpper(c) {
			i, *more = int(c-'A'), false
		}
		if i >= len(p.words) || name.Len() > maxWords {
			return false
		}
		name.WriteString(p.words[i])
	}
	return true
}

// part reads a length and as many bytes.
func (p *parser) part(encoded bool) (string, bool) {
	n := p.natural()
	if encoded {
		p.take('_')
	}
	if n <= 0 || n > len(p.text)-p.pos {
		return "", false
	}
	part := p.text[p.pos : p.pos+n]
	p.pos += n
	if encoded {
		return fromPunycode(part)
	}
	p.learnWords(part)
	return part, true
}

// learnWords keeps the words of a name: they begin with a letter, and end
// before an underscore, or before a capital behind something else.
func (p *parser) learnWords(s string) {
	start := -1
	for i := 0; i <= len(s) && len(p.words) < maxWordCount; i++ {
		c := byte(0)
		if i < len(s) {
			c = s[i]
		}
		if start >= 0 && (c == '_' || c == 0 || !isUpper(s[i-1]) && isUpper(c)) {
			if i-start >= 2 {
				p.words = append(p.words, s[start:i])
			}
			start = -1
		}
		if start < 0 && !isDigit(c) && c != '_' && c != 0 {
			start = i
		}
	}
}

// operatorLetters spell operators: a is &, c is @ and so on.
const operatorLetters = "& @/= >    <*!|+?%-~   ^ ."

// operatorKinds say where an operator stands.
var operatorKinds = tableOf("i= infix|p= prefix|P= postfix")

// operatorName reads the name of an operator, whose signs are spelt with letters: 2eeoi
// is == between its operands. Other letters than ASCII's stand for themselves.
func (p *parser) operatorName() *node {
	id := p.pop(kIdentifier)
	if id == nil {
		return nil
	}
	var name []byte
	for i := range len(id.text) {
		c := id.text[i]
		if c < 0x80 {
			if !isLower(c) || operatorLetters[c-'a'] == ' ' {
				return nil
			}
			c = operatorLetters[c-'a']
		}
		name = append(name, c)
	}
	where, ok := operatorKinds.of(p.next())
	if !ok {
		return nil
	}
	return &node{kind: kOperator, text: string(name) + where}
}

// localName reads what tells a name from others like it: where it is private,
// or which one it is in a function.
func (p *parser) localName() *node {
	switch c := p.peek(); {
	case p.take('L'):
		id := p.pop(kIdentifier)
		return with(kPrivateName, id, p.popIf(isName))
	case p.take('l'):
		return with(kPrivateName, p.pop(kIdentifier))
	case c >= 'a' && c <= 'j' || c >= 'A' && c <= 'J':
		p.pos++
		return withText(kRelatedName, "related decl '"+string(c)+"' for $0", p.popAny())
	}
	n := p.numberNode()
	return with(kLocalName, n, p.popIf(isName))
}

// Characters of ASCII that no symbol may have are mapped to where surrogates would be.
const (
	mappedASCII = 0xd800
	asciiEnd    = 0x80
)

// fromPunycode decodes a name. Source: Swift's lib/Demangling/Punycode.cpp.
func fromPunycode(s string) (string, bool) {
	out, ok := punycode.Decode(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ")
	for i, r := range out {
		if r >= mappedASCII && r < mappedASCII+asciiEnd {
			out[i] = r - mappedASCII
		}
	}
	return string(out), ok
}

const bad = -1000 // a number that is none: operators add small numbers to it

// The letters of names are ASCII's.
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// natural returns bad where there is none, or one of more than 2^30.
func (p *parser) natural() int {
	if !isDigit(p.peek()) {
		return bad
	}
	n := 0
	for isDigit(p.peek()) {
		n = 10*n + int(p.next()-'0')
		if n > 1<<30 {
			return bad
		}
	}
	return n
}

// number reads an index: _ is 0, 0_ is 1.
// It returns bad where there is no underscore behind it. Source: Mangling.rst, INDEX.
func (p *parser) number() int {
	if p.take('_') {
		return 0
	}
	if n := p.natural(); n >= 0 && p.take('_') {
		return n + 1
	}
	return bad
}

// numberNode is an index as a node, nil for none.
func (p *parser) numberNode() *node {
	if n := p.number(); n >= 0 {
		return &node{kind: kNumber, index: n}
	}
	return nil
}
