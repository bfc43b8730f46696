package demangle

import "fmt"

// A symbolKind says which fields of a symbol are set.
type symbolKind uint8

const (
	functionSymbol symbolKind = iota // sig and name
	variableSymbol                   // typ, which may be nil, and name
	typeSymbol                       // typ and name: what is said of a type
	tableSymbol                      // quals, name and targets
	textSymbol                       // text, without a name: a string
	hashSymbol                       // text: what is left of a name that was too long
)

// A symbol has the parts of a whole decorated name.
type symbol struct {
	kind    symbolKind
	name    qualified
	sig     *signature  // of a function
	typ     *typ        // of a variable, or what a descriptor describes
	access  string      // of a static member
	quals   quals       // of a table
	targets []qualified // the path to the base that a table is for
	text    string      // instead of a name
}

// symbol reads a whole name: the outermost, or one within another.
func (p *parser) symbol() *symbol {
	defer p.leave()
	if !p.enter() {
		return &symbol{}
	}
	switch {
	case p.take("."):
		return p.typeDescriptorName()
	case p.has("??@"):
		return p.hash()
	case !p.take("?"):
		p.fail("a name that does not begin with a question mark")
		return &symbol{}
	}
	for _, s := range specials {
		if p.take(s.code) {
			return s.read(p, s.text)
		}
	}
	return p.declaration()
}

// specials are the names that are no declaration. They are set in init, because
// reading some of them reads a symbol again.
var specials []special

// A special is a kind of name that begins with a code instead of an identifier.
type special struct {
	code string // behind the first question mark
	text string // undname's name of it
	read func(p *parser, text string) *symbol
}

func init() {
	specials = []special{
		{"?_7", "`vftable'", (*parser).table},
		{"?_8", "`vbtable'", (*parser).table},
		{"?_S", "`local vftable'", (*parser).table},
		{"?_R4", "`RTTI Complete Object Locator'", (*parser).table},
		{"?_9", "", (*parser).vcall},
		{"?_B", "`local static guard'", (*parser).guard},
		{"?__J", "`local static thread guard'", (*parser).guard},
		{"?_C", "", (*parser).stringLiteral},
		{"?_R0", "`RTTI Type Descriptor'", (*parser).typeDescriptor},
		{"?_R1", "`RTTI Base Class Descriptor at ", (*parser).baseClass},
		{"?_R2", "`RTTI Base Class Array'", (*parser).untyped},
		{"?_R3", "`RTTI Class Hierarchy Descriptor'", (*parser).untyped},
		{"?__E", "`dynamic initializer for ", (*parser).dynamic},
		{"?__F", "`dynamic atexit destructor for ", (*parser).dynamic},
	}
}

// declaration reads the name and type of a function or variable.
func (p *parser) declaration() *symbol {
	name := p.symbolName()
	if p.failed() {
		return &symbol{}
	}
	var s *symbol
	if b := p.peek(); b >= '0' && b <= '4' {
		s = p.variable()
	} else {
		s = p.functionSymbol()
	}
	s.name = name
	if id := name.last(); id.kind == conversion {
		if s.sig == nil || s.sig.result == nil {
			p.fail("a conversion to no type")
			return s
		}
		id.target = s.sig.result
	}
	return s
}

// variable reads the storage class and type of a variable. The qualifiers of
// what a pointer points to come a second time.
func (p *parser) variable() *symbol {
	s := &symbol{kind: variableSymbol}
	if class := int(p.next("a storage class") - '0'); class < len(accesses) {
		s.access = accesses[class]
	}
	s.typ = p.typ(dropped)
	if s.typ.kind != pointer {
		s.typ.quals = p.qualifiers()
		return s
	}
	s.typ.quals |= p.pointerQualifiers()
	q := p.qualifiers()
	if s.typ.name != nil {
		p.typeName() // the class, once more
	}
	if !p.failed() {
		s.typ.elem.quals |= q
	}
	return s
}

// hash reads what the compiler makes of a name of more than 4,096 bytes: an
// MD5 sum. A complete object locator has its own mark behind that.
func (p *parser) hash() *symbol {
	before := p.rest
	p.take("??@")
	p.until('@', "a hash")
	p.take("??_R4@")
	return &symbol{kind: hashSymbol, text: before[:len(before)-len(p.rest)]}
}

// typeDescriptorName reads the text inside of a type descriptor, which is no symbol.
func (p *parser) typeDescriptorName() *symbol {
	t := p.typ(ofResult)
	if p.rest != "" {
		p.fail("%d bytes after the end of the type", len(p.rest))
	}
	return &symbol{kind: typeSymbol, typ: t, name: qualified{{text: "`RTTI Type Descriptor Name'"}}}
}

// typeDescriptor reads the name of the object for typeid(T).
func (p *parser) typeDescriptor(text string) *symbol {
	t := p.typ(ofResult)
	if !p.take("@8") || p.rest != "" {
		p.fail("a type descriptor does not end")
	}
	return &symbol{kind: typeSymbol, typ: t, name: qualified{{text: text}}}
}

// table reads a table of virtual functions or bases, with the path to the base
// that it is for where a class has several.
func (p *parser) table(text string) *symbol {
	s := &symbol{kind: tableSymbol, name: p.scopes(&ident{text: text})}
	if b := p.next("the kind of a table"); b != '6' && b != '7' {
		p.fail("%q is no kind of tables", b)
	}
	s.quals = p.qualifiers()
	for !p.failed() && !p.take("@") {
		s.targets = append(s.targets, p.typeName())
	}
	return s
}

// untyped reads a variable without a type.
func (p *parser) untyped(text string) *symbol {
	s := &symbol{kind: variableSymbol, name: p.scopes(&ident{text: text})}
	if !p.take("8") {
		p.fail("a variable that should have no type has one")
	}
	return s
}

// baseClass reads the descriptor of a base: its offset, where its virtual base pointer
// is, its place in that table, and flags.
func (p *parser) baseClass(text string) *symbol {
	offset, vbptr, vbtable, flags := p.unsigned(), p.signed(), p.unsigned(), p.unsigned()
	id := &ident{text: fmt.Sprintf("%s(%d, %d, %d, %d)'", text, uint32(offset), int32(vbptr), uint32(vbtable), uint32(flags))}
	s := &symbol{kind: variableSymbol, name: p.scopes(id)}
	p.take("8")
	return s
}

// vcall reads a thunk that calls a virtual function by its offset in the table.
func (p *parser) vcall(string) *symbol {
	id := &ident{}
	s := &symbol{kind: functionSymbol, name: p.scopes(id), sig: &signature{thunk: true, bare: true}}
	if !p.take("$B") {
		p.fail("a vcall thunk without its mark")
	}
	id.text = fmt.Sprintf("`vcall'{%d, {flat}}", p.unsigned())
	if !p.take("A") {
		p.fail("a vcall thunk of an unknown model")
	}
	s.sig.conv = p.convention()
	return s
}

// guard reads the flag that says whether a static variable is initialised.
func (p *parser) guard(text string) *symbol {
	id := &ident{text: text}
	s := &symbol{kind: variableSymbol, name: p.scopes(id)}
	if !p.take("4IA") && !p.take("5") {
		p.fail("a guard of an unknown kind")
	}
	if p.rest != "" && !p.failed() {
		if scope := p.unsigned(); scope > 0 {
			id.text += fmt.Sprintf("{%d}", scope)
		}
	}
	return s
}

// dynamic reads the function that initialises a variable, or the one that
// destroys it at exit. Older clang wrote one @ and no question mark.
func (p *parser) dynamic(text string) *symbol {
	member := p.take("?")
	inner := p.declaration()
	if p.failed() {
		return &symbol{}
	}
	id := &ident{kind: dynamic, text: text, inner: inner}
	s := &symbol{kind: functionSymbol, sig: inner.sig, name: qualified{id}}
	if inner.kind == variableSymbol {
		end := "@"
		if member {
			end = "@@"
		}
		if !p.take(end) {
			p.fail("the name of a variable does not end")
			return s
		}
		s.sig = p.functionSymbol().sig
	} else if member {
		p.fail("a function where a variable should be")
	}
	return s
}
