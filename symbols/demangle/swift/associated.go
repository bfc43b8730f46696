package swift

import "slices"

// associated takes off the name of an associated type, and the protocol that
// it is of where that is said.
func (p *parser) associated() *node {
	protocol := p.pop(kType)
	if protocol != nil && !protocol.kid(0).is(kProtocol) {
		return nil
	}
	id := p.pop(kIdentifier)
	if protocol == nil {
		return withText(kForm, "$0", id)
	}
	return withText(kForm, "$0.$1", protocol, id)
}

// associatedPath takes off the names behind each other in T.A.B, down to the first,
// which has a mark behind it: 1A_1BQZ is A.A.B.
func (p *parser) associatedPath() *node {
	out := &node{kind: kForm, text: "$."}
	for first := false; !first; {
		first = p.pop(kFirst) != nil
		if !out.add(p.associated()) {
			return nil
		}
	}
	slices.Reverse(out.kids)
	return out
}

// base is what an associated type is of: a parameter that is read, or a type
// on the stack.
func (p *parser) base(read func() *node) func() *node {
	if read == nil {
		return func() *node { return p.pop(kType) }
	}
	n := typeOf(read())
	return func() *node { return n }
}

// memberType reads an associated type of a parameter or of a type.
//
//	1AQz is A.A of the first parameter, Si1AQx is Int.A
func (p *parser) memberType(of func() *node) *node {
	base := p.base(of)
	name := p.associated()
	return plainType("$0.$1", base(), name)
}

// memberPath reads an associated type of an associated type.
func (p *parser) memberPath(of func() *node) *node {
	base := p.base(of)
	path := p.associatedPath()
	if path == nil {
		return nil
	}
	t := base()
	for _, name := range path.kids {
		if t = plainType("$0.$1", t, name); t == nil {
			return nil
		}
	}
	return t
}

// opaque reads the type that a function with an opaque result has.
// Its arguments are not printed: QOySiQo_ is "<<opaque return type of f()>>.0".
func (p *parser) opaque() *node {
	i := p.numberNode()
	if _, _, ok := p.argumentLists(); !ok {
		return nil
	}
	return p.substitute(formType("$0.$1", p.popAny(), i))
}
