package swift

import "strconv"

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
func (p *parser) completion(checked string) *node {
	flag := p.number()
	if flag < 0 {
		return nil
	}
	errors := []string{"", " nonzero on error", " zero on error", " <invalid error flag>"}[min(flag, 3)]
	return p.simple("gtt " + checked + "@objc completion handler block implementation for $0$2 with result type $1" + errors)
}
