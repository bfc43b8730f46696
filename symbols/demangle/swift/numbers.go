package swift

const bad = -1000 // a number that is none: operators add small numbers to it

// The letters of names are ASCII's.
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// natural reads a decimal number.
// It returns bad where there is none, or one of more than 2^30.
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
