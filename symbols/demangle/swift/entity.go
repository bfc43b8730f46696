package swift

import "strconv"

// entity reads a variable, a macro or a parameter of a generic declaration.
// Its type is on top of the stack, under it labels, its name and what it is in.
func (p *parser) entity(k kind) *node {
	t := p.pop(kType)
	labels := p.labels(t)
	name := p.popIf(isName)
	return declare(k, p.context(), name, labels, t)
}

// subscript reads a subscript and which of its accessors is meant.
// It has no name: in $s4main1SVyS2icig the context, a mark of no labels, the type and
// the accessor's letter follow each other.
func (p *parser) subscript() *node {
	private := p.pop(kPrivateName)
	t := p.pop(kType)
	labels := p.labels(t)
	n := with(kSubscript, p.context())
	if n == nil || t == nil {
		return nil
	}
	n.add(labels)
	n.add(t)
	n.add(private)
	return p.accessor(n)
}

// accessors are the functions of a variable or a subscript. p is the
// variable itself.
var accessors = tableOf(`
		m=materializeForSet|s=setter|g=getter|G=getter|w=willset|W=didset|r=read|y=read2|M=modify|x=modify2|i=init|
		b=borrow|z=mutate|aO=owningMutableAddressor|ao=nativeOwningMutableAddressor|aP=nativePinningMutableAddressor|
		au=unsafeMutableAddressor|lO=owningAddressor|lo=nativeOwningAddressor|lp=nativePinningAddressor|
		lu=unsafeAddressor|p=`)

// accessor reads which function of a variable or subscript is meant, by one letter or
// two: vg is the getter, vau an addressor, vp the variable itself.
func (p *parser) accessor(of *node) *node {
	code := string(p.next())
	if code == "a" || code == "l" {
		code += string(p.next())
	}
	switch which, ok := accessors[code]; {
	case !ok:
		return nil
	case which == "":
		return of
	default:
		return withText(kAccessor, which, of)
	}
}

// members are functions that have neither a name nor a type of their own. In
// a class deinit has another name.
var members = tableOf(`D=__deallocating_deinit|Z=__isolated_deallocating_deinit|d=deinit|E=__ivar_destroyer|e=__ivar_initializer|
	i=variable initialization expression|P=property wrapper backing initializer|F=property wrapped field init accessor|
	W=property wrapper init from projected value`)

// memberKind says how a member is printed: with the name of its class, as a function
// without one, or in words before what it initializes.
func memberKind(c byte) kind {
	switch c {
	case 'D', 'Z':
		return kDeinit
	case 'd', 'E', 'e':
		return kMember
	}
	return kInitializer
}

// member reads what follows an f.
//
//	fC and fc initializers, fD a deinit, fU0_ the second closure, fA_ the first default argument
func (p *parser) member() *node {
	c := p.next()
	if text, ok := members.of(c); ok {
		return withText(memberKind(c), text, p.context())
	}
	switch c {
	case 'C':
		return p.initializer(kAllocator)
	case 'c':
		return p.initializer(kConstructor)
	case 'U':
		return p.closure("closure #")
	case 'u':
		return p.closure("implicit closure #")
	case 'A':
		i := p.number()
		if i < 0 {
			return nil
		}
		return withText(kInitializer, "default argument "+strconv.Itoa(i), p.context())
	case 'm':
		return p.entity(kMacro)
	case 'M':
		return p.expansion()
	}
	return nil
}

// initializer reads init, or __allocating_init of a class. A private one has its name
// last, on top of the stack.
func (p *parser) initializer(k kind) *node {
	private := p.pop(kPrivateName)
	t := p.pop(kType)
	labels := p.labels(t)
	n := with(k, p.context())
	n.add(labels)
	if !n.add(t) {
		return nil
	}
	n.add(private)
	return n
}

// closure reads a closure by its number in what it is in. They are counted from 0 and
// shown from 1, as Swift's own demangler does.
func (p *parser) closure(text string) *node {
	i := p.number()
	t := p.pop(kType)
	ctx := p.context()
	if i < 0 {
		return nil
	}
	return withText(kClosure, text+strconv.Itoa(i+1), ctx, t)
}
