package swift

import "strconv"

// attributes are operators that say something of the whole symbol. An
// empty text is one that dump_syms leaves out.
var attributes = tableOf(`
		HF=|To=@objc |TO=@nonobjc |TD=dynamic |Td=super |TE=|TF=|Tm=|TX=|Tx=|TI=|Tu=async function pointer to |Twb=|
		TwB=back deployment fallback for |Twc=coro function pointer to |Twd=default override of |
		TwS=#_hasSymbol query for `)

// attribute reads one or two letters behind another one; where they are none, it reads
// nothing and returns nil.
func (p *parser) attribute(letter string) *node {
	start := p.pos
	for range 2 {
		letter += string(p.next())
		if text, ok := attributes[letter]; ok {
			return &node{kind: kAttribute, text: text}
		}
	}
	p.pos = start
	return nil
}

// metadata reads what follows an M.
func (p *parser) metadata() *node {
	if f, ok := p.form("M"); ok {
		return p.simple(f)
	}
	return nil
}

// record reads what follows an H.
func (p *parser) record() *node {
	if f, ok := p.form("H"); ok {
		n := p.simple(f)
		if n != nil && f.text == "" {
			n.kind = kConformanceHere
		}
		return n
	}
	if attr := p.attribute("H"); attr != nil {
		return attr
	}
	switch c := p.next(); c {
	case 'C':
		return p.concrete()
	case 'X':
		return with(kConformance, p.conformances())
	case 'A', 'D', 'I', 'O':
		return p.dependentConformance(c)
	}
	return nil
}

// thunk reads what follows a T.
// It tries attributes first, then forms, then what has letters or numbers behind it.
func (p *parser) thunk() *node {
	if attr := p.attribute("T"); attr != nil {
		return attr
	}
	if f, ok := p.form("T"); ok {
		return p.simple(f)
	}
	switch c := p.next(); c {
	case 'a', 'A':
		return &node{kind: kPartialApply}
	case 'Y', 'Q':
		return withText(kAttribute, "", p.numberNode())
	case 'z', 'Z':
		return p.completion(c == 'Z')
	case 'g', 'G', 'B', 's', 'i', 't', 'p', 'P', 'f':
		return p.specialization(c)
	case 'K', 'k':
		return p.keyPath(c == 'K')
	case 'H':
		return p.keyPathOperator("equality")
	case 'h':
		return p.keyPathOperator("hash")
	case 'v':
		return p.outlined()
	case 'e':
		return p.bridged()
	case 'J':
		return p.derivative()
	}
	return nil
}

// outlined reads a variable, or an object that is not written to, that the
// optimizer moved out of a function.
func (p *parser) outlined() *node {
	i := p.number()
	if i < 0 {
		return nil
	}
	text := "outlined variable #"
	if p.next() == 'r' {
		text = "outlined read-only object #"
	}
	return &node{kind: kAttribute, text: text + strconv.Itoa(i) + " of "}
}

// bridged reads a call of Objective-C with the conversions around it.
func (p *parser) bridged() *node {
	start := p.pos
	for c := p.next(); c != '_'; c = p.next() {
		if !isLower(c) {
			return nil
		}
	}
	if p.pos == start+1 {
		return nil
	}
	return &node{kind: kAttribute, text: "outlined bridged method (" + p.text[start:p.pos-1] + ") of "}
}

// completion reads the block that an asynchronous function of Objective-C
// calls at its end.
// The index says how an error is told: 0 not at all, 1 by a flag that is not zero, 2 by
// one that is zero.
func (p *parser) completion(checked bool) *node {
	flag := p.number()
	if flag < 0 {
		return nil
	}
	text := "@objc completion handler block implementation for $0$2 with result type $1"
	if checked {
		text = "checked " + text
	}
	if flag == 1 {
		text += " nonzero on error"
	} else if flag == 2 {
		text += " zero on error"
	} else if flag > 2 {
		text += " <invalid error flag>"
	}
	return p.simple(form{"gtt", text})
}
