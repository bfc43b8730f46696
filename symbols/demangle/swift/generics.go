package swift

import (
	"slices"
	"strings"
)

// param is a generic parameter: depth and index.
func param(depth, index int) *node {
	if depth < 0 || index < 0 {
		return nil
	}
	return &node{kind: kParam, text: paramName(depth, index)}
}

// paramIndex reads which generic parameter is meant.
//
//	x is A, q_ is B, q0_ is C; qd__ is A1, the first of the next depth; qz is A, qs is Self
func (p *parser) paramIndex() *node {
	switch {
	case p.take('d'):
		depth := p.number() + 1
		return param(depth, p.number())
	case p.take('z'):
		return param(0, 0)
	case p.take('s'):
		return &node{kind: kPlain, text: "Self"}
	}
	return param(0, p.number()+1)
}

// signature reads how many parameters there are at each depth, and takes their
// requirements off the stack.
// l alone is one parameter. r counts them at each depth, z for none: r0_l are two.
func (p *parser) signature(counts bool) *node {
	sig := &node{kind: kSignature}
	for counts && !p.take('l') {
		n := 0
		if !p.take('z') {
			n = p.number() + 1
		}
		if n < 0 || p.pos >= len(p.text) {
			return nil
		}
		sig.add(&node{kind: kParamCount, index: n})
	}
	if !counts {
		sig.add(&node{kind: kParamCount, index: 1})
	}
	first := len(sig.kids)
	for r := p.popIf(isRequirement); r != nil; r = p.popIf(isRequirement) {
		sig.add(r)
	}
	slices.Reverse(sig.kids[first:])
	return sig
}

// A subject says how the type that a requirement is for is spelt.
type subject uint8

const (
	ofParam subject = iota
	ofMember
	ofPath
	ofStack
)

// A constraint is what a requirement says of it.
type constraint uint8

const (
	toProtocol constraint = iota
	toClass
	sameType
	sameShape
	layout
	inverse
	packMarker
	valueMarker
)

// requirements are the operators behind an R, for each constraint in the order
// of the subjects that it can have. A space stands for none.
var requirements = [...]string{
	toProtocol: " pPQ", toClass: "bcCB", sameType: "stTS", sameShape: "h", layout: "lmML", inverse: "i  I", packMarker: "v", valueMarker: "V",
}

// requirementOf finds what a letter requires, and of what. Other letters are the first of
// an index, and then a parameter conforms to a protocol.
func requirementOf(c byte) (constraint, subject, bool) {
	for which, letters := range requirements {
		if i := strings.IndexByte(letters, c); i >= 0 && c != ' ' {
			return constraint(which), subject(i), true
		}
	}
	return toProtocol, ofParam, false
}

// Requirements are parsed for what they take off the stack, although only those of "any P<...>" are printed.
func (p *parser) requirement() *node {
	c := p.next()
	what, how, ok := requirementOf(c)
	if !ok {
		p.back(c)
	}
	if what == inverse && p.number() < 0 {
		return nil
	}
	of := p.subject(how)
	switch what {
	case toProtocol:
		return withText(kRequirement, "$0: $1", of, p.protocol())
	case toClass:
		return withText(kRequirement, "$0: $1", of, p.pop(kType))
	case sameType:
		return withText(kRequirement, "$0 == $1", of, p.pop(kType))
	case sameShape:
		return withText(kRequirement, "$0.shape == $1.shape", of, p.pop(kType))
	case inverse:
		return withText(kRequirement, "$0: ~Copyable", of)
	case packMarker:
		return with(kPackMarker, of)
	case valueMarker:
		return with(kValueMarker, of, p.pop(kType))
	}
	return p.layout(of)
}

// subject is the type that a requirement is for: a parameter, or an associated type of one.
func (p *parser) subject(how subject) *node {
	switch how {
	case ofMember:
		return p.substitute(p.memberType(p.paramIndex))
	case ofPath:
		return p.substitute(p.memberPath(p.paramIndex))
	case ofStack:
		return p.pop(kType)
	}
	return typeOf(p.paramIndex())
}

// layouts are the kinds of layouts that a type can be required to have. Numbers
// follow some of them.
var layouts = tableOf(`U=_UnknownLayout|R=_RefCountedObject|N=_NativeRefCountedObject|C=AnyObject|D=_NativeClass|T=_Trivial|
	B=_BridgeObject|E=_Trivial|e=_Trivial|M=_TrivialAtMost|m=_TrivialAtMost|S=_TrivialStride`)

// E and M have a size and an alignment, e, m and S a size.
func (p *parser) layout(of *node) *node {
	c := p.next()
	name, ok := layouts.of(c)
	if !ok || strings.IndexByte("EeMmS", c) >= 0 && p.number() < 0 {
		return nil
	}
	if c == 'E' || c == 'M' {
		p.number()
	}
	return withText(kRequirement, "$0: "+name, of)
}
