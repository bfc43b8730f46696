package swift

import "slices"

// list takes elements off the stack down to the first one, which has a mark,
// or a mark that there are none.
// The mark is behind the first element, as elements come off the stack in reverse:
// Si_SSSbt is (Int, String, Bool), and yt is ().
func (p *parser) list(k kind, text string, element func() *node) *node {
	out := &node{kind: k, text: text}
	if p.pop(kEmpty) != nil {
		return out
	}
	for first := false; !first; {
		first = p.pop(kFirst) != nil
		if !out.add(element()) {
			return nil
		}
	}
	slices.Reverse(out.kids)
	return out
}

// popType takes off a type, as an element of a list.
func (p *parser) popType() *node { return p.pop(kType) }

// typeList takes off types of which the first has a mark behind it.
func (p *parser) typeList() *node { return p.list(kTypeList, "", p.popType) }

// tuple makes the type of a tuple, which is also that of several parameters.
func (p *parser) tuple() *node { return typeOf(p.list(kTuple, "", p.tupleElement)) }

// tupleElement takes off an element: a type, its label, and d where it is "Int...".
func (p *parser) tupleElement() *node {
	out := &node{kind: kTupleElement}
	out.add(p.pop(kVariadic))
	if id := p.pop(kIdentifier); id != nil {
		out.add(&node{kind: kTupleName, text: id.text})
	}
	if !out.add(p.pop(kType)) {
		return nil
	}
	return out
}

// protocol takes off a protocol, as a type, or its name and context.
func (p *parser) protocol() *node {
	if t := p.pop(kType); t != nil {
		if t.kid(0).is(kProtocol) {
			return t
		}
		return nil
	}
	name := p.popIf(isName)
	return typeOf(with(kProtocol, p.context(), name))
}

// protocolList takes off protocols, for a type that conforms to all: P & Q.
func (p *parser) protocolList() *node {
	return with(kProtocolList, p.list(kTypeList, "", p.protocol))
}

// isAnyConformance reports whether a node says that a type conforms to a protocol.
func isAnyConformance(k kind) bool { return k == kConformance || k == kDependentConformance }

// conformances takes off a list of conformances of types to protocols.
func (p *parser) conformances() *node {
	return p.list(kSilent, "", func() *node { return p.popIf(isAnyConformance) })
}

// concrete reads the conformance of a type to a protocol. None is printed.
// HC follows the type, the protocol, and who declared the conformance: HP the type's
// module, Hp the protocol's, or another one by its name.
func (p *parser) concrete() *node {
	conditions := p.conformances()
	ref := p.pop(kConformanceHere)
	if ref == nil {
		module := p.module()
		ref = with(kSilent, p.protocol(), module)
	}
	return with(kConformance, p.pop(kType), ref, conditions)
}

// dependentConformance reads a conformance that follows from another one.
// HD is a parameter's own, HA an associated type's, HI an inherited one, HO of an
// opaque result. An index of 0 is an error, as in Swift.
func (p *parser) dependentConformance(what byte) *node {
	if what == 'O' {
		t := p.pop(kType)
		return with(kDependentConformance, p.pop(kDependentConformance), t)
	}
	if p.number() <= 0 {
		return nil
	}
	protocol := p.protocol()
	switch what {
	case 'A':
		associated := with(kSilent, p.pop(kType), protocol)
		return with(kDependentConformance, p.pop(kDependentConformance), associated)
	case 'D':
		return with(kDependentConformance, p.pop(kType), protocol)
	}
	return with(kDependentConformance, p.pop(kDependentConformance), protocol)
}

// retroactives takes off conformances that another module declares.
func (p *parser) retroactives() *node {
	var out *node
	for n := p.pop(kRetroactive); n != nil; n = p.pop(kRetroactive) {
		if out == nil {
			out = &node{kind: kTypeList}
		}
		out.add(n)
	}
	return out
}

// conformance takes off the conformance that a witness is for. Only its type is printed.
func (p *parser) conformance() *node {
	sig := p.pop(kSignature)
	module := p.module()
	protocol := p.protocol()
	t, behaviour := p.pop(kType), (*node)(nil)
	if t == nil {
		behaviour = p.pop(kIdentifier)
		t = p.pop(kType)
	}
	if sig != nil {
		t = typeOf(with(kDependent, sig, t))
	}
	n := withText(kForm, "$0", t, protocol, module)
	if n.add(behaviour) {
		n.text = "property behavior storage of $2 in $0 : $1"
	}
	return n
}
