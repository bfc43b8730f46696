package swift

import "strings"

// specialization reads that a function was made for certain types or
// arguments. dump_syms says only that it was.
//
//	Tg5 for types, pass 5; Tf4nd_n for arguments: the first as it was, the second dead, and the result
func (p *parser) specialization(c byte) *node {
	if c == 't' {
		p.pos--
		for p.take('t') {
			p.natural()
		}
		if c = p.next(); c != 'g' && c != 'G' && c != 'B' {
			return nil
		}
	}
	if !p.pass() {
		return nil
	}
	ok := false
	switch c {
	case 'p', 'P':
		ok = p.pop(kType) != nil
	case 'f':
		ok = p.changed || p.specialParameters()
	default:
		ok = p.typeList() != nil
	}
	if !ok {
		return nil
	}
	return &node{kind: kSpecialized}
}

// pass reads flags, and which pass of the optimizer made the function.
// m says that metatypes were removed, q that it is serialized, a that async was removed,
// r that the representation changed, which leaves out how each parameter differs.
func (p *parser) pass() bool {
	p.take('m')
	p.take('q')
	p.take('a')
	p.changed = p.take('r')
	return isDigit(p.next())
}

// specialParameters reads how each parameter and the result differ, and takes
// off the stack what they refer to.
func (p *parser) specialParameters() bool {
	var all []string // of each parameter, what it refers to
	for !p.take('_') {
		refs, ok := p.specialParameter()
		if !ok {
			return false
		}
		all = append(all, refs)
	}
	if !p.take('n') {
		if _, ok := p.specialParameter(); !ok {
			return false
		}
	}
	for i := len(all) - 1; i >= 0; i-- {
		for k := len(all[i]) - 1; k >= 0; k-- {
			if !p.referred(all[i][k]) {
				return false
			}
		}
	}
	return true
}

// referred takes off what a parameter refers to: a closure and the types of
// what it captures, a key path of two types, a struct, or a name.
func (p *parser) referred(what byte) bool {
	switch what {
	case 'c':
		for p.pop(kType) != nil {
		}
	case 'k':
		if p.pop(kType) == nil || p.pop(kType) == nil {
			return false
		}
	case 'S':
		return p.pop(kType) != nil
	}
	return p.pop(kIdentifier) != nil
}

// furtherChanges are what can also be true of a parameter that became generic, is dead,
// or has another owner: it is dead (D), has another owner (G, O), is split up (X). Each
// comes once and in this order: Demangler::demangleFuncSpecParam.
var furtherChanges = map[byte]string{'e': "DGOX", 'd': "GOX", 'g': "X", 'o': "X"}

// specialParameter reads how one parameter differs: it is dead, is a constant
// and so on. It returns what it refers to.
func (p *parser) specialParameter() (refs string, ok bool) {
	switch c := p.next(); c {
	case 'n', 'x', 'i', 's', 'r':
		return "", true
	case 'c':
		return "c", true
	case 'C':
		return "", p.natural() >= 0
	case 'p':
		return p.constants()
	case 'e', 'd', 'g', 'o':
		for _, change := range []byte(furtherChanges[c]) {
			p.take(change)
		}
		return "", true
	}
	return "", false
}

// Numbers stand in the name itself: i42. Functions, globals and texts are on the stack.
func (p *parser) constants() (refs string, ok bool) {
	for {
		switch c := p.next(); c {
		case 'f', 'g', 'k', 'S':
			refs += string(c)
		case 'i', 'd':
			if p.natural() < 0 && !p.longNumber() {
				return "", false
			}
		case 's':
			if strings.IndexByte("bwc", p.next()) < 0 {
				return "", false
			}
			refs += "s"
		default:
			p.back(c)
			return refs, true
		}
	}
}

// longNumber reads on in a number that is too large for an int.
func (p *parser) longNumber() (ok bool) {
	for isDigit(p.peek()) {
		p.pos++
		ok = true
	}
	return ok
}
