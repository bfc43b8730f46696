package swift

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
	reverse(out.kids)
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

// archetype reads what follows a Q.
// Associated types are known to substitutions, and so is a bound opaque type; QO, Qr and
// QR are not (Demangler::demangleArchetype).
func (p *parser) archetype() *node {
	first := func() *node { return param(0, 0) }
	switch p.next() {
	case 'a':
		id := p.pop(kIdentifier)
		return p.substitute(formType("$0.$1", p.inner(), id))
	case 'x':
		return p.substitute(p.memberType(nil))
	case 'X':
		return p.substitute(p.memberPath(nil))
	case 'y':
		return p.substitute(p.memberType(p.paramIndex))
	case 'Y':
		return p.substitute(p.memberPath(p.paramIndex))
	case 'z':
		return p.substitute(p.memberType(first))
	case 'Z':
		return p.substitute(p.memberPath(first))
	case 'O':
		return withText(kOpaqueOf, "<<opaque return type of $0>>", p.context())
	case 'o':
		return p.opaque()
	case 'r':
		return formType("some")
	case 'R':
		if p.number() < 0 {
			return nil
		}
		return formType("some")
	}
	p.pos--
	return p.pack()
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

// pack reads a parameter pack, or what is made of one.
//
//	xq_Qp is "repeat A", as often as B; xQe_ one element of A; Si_SSQP a list
func (p *parser) pack() *node {
	switch p.next() {
	case 'p':
		if p.inner() == nil { // of how many
			return nil
		}
		return formType("repeat $0", p.inner())
	case 'e':
		of := p.inner()
		level := p.numberNode()
		return formType("/* level: $1 */ each $0", of, level)
	case 'P':
		return typeOf(p.list(kPlain, "Pack{$,}", p.popType))
	case 'S':
		switch p.next() {
		case 'd':
			return typeOf(p.list(kPlain, "@direct Pack{$,}", p.popType))
		case 'i':
			return typeOf(p.list(kPlain, "@indirect Pack{$,}", p.popType))
		}
	}
	return nil
}
