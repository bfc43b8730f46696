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

// defaultArgument reads the expression of a parameter's default value: fA_ is the first.
func (p *parser) defaultArgument() *node {
	i := p.number()
	if i < 0 {
		return nil
	}
	return withText(kInitializer, "default argument "+strconv.Itoa(i), p.context())
}

// A private one has its name last, on top of the stack.
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

// macroRoles are what an attached macro adds: MacroRoles.def.
var macroRoles = tableOf("a=accessor|r=memberAttribute|m=member|p=peer|c=conformance|e=extension|b=body|q=preamble")

// expansion reads the expansion of a macro.
//
//	4main 3FooV 3bar 1m fMm_: the first expansion of the member macro @m at bar in Foo
func (p *parser) expansion() *node {
	c := p.next()
	role, attached := macroRoles.of(c)
	switch {
	case c == 'X':
		return p.expansionPlace()
	case !attached && c != 'f' && c != 'u':
		return nil
	}
	macro := p.pop(kIdentifier)
	if c == 'f' {
		p.pop(kPrivateName)
	}
	name := macro
	if attached {
		if of := p.popIf(isName); of != nil {
			name = of
		}
	}
	ctx := p.pop(kExpansion)
	if ctx == nil {
		ctx = p.context()
	}
	i := p.number()
	if i < 0 || macro == nil {
		return nil
	}
	text := "freestanding macro expansion #"
	if c == 'u' {
		text = "unique name #"
	} else if attached {
		text = role + " macro @" + macro.text + " expansion #"
	}
	return withText(kExpansion, text+strconv.Itoa(i+1), ctx, name)
}

// expansionPlace reads where a macro stands in its source: module, file, line and column.
func (p *parser) expansionPlace() *node {
	line, column := p.number(), p.number()
	buffer := p.pop(kIdentifier)
	module := p.pop(kIdentifier)
	if line < 0 || column < 0 {
		return nil
	}
	return withText(kForm, "module $0 file $1 line "+strconv.Itoa(line)+" column "+strconv.Itoa(column), module, buffer)
}
