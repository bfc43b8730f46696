package demangle

// quals are the qualifiers of a type, a pointer or a member function.
type quals uint8

const (
	isConst quals = 1 << iota
	isVolatile
	isRestrict
	isUnaligned
)

// A typeKind says which fields of a type are set.
type typeKind uint8

const (
	primitive typeKind = iota // word
	tag                       // word ("class") and name
	custom                    // name: a placeholder, as in ?T@
	pointer                   // sign, elem and, to a member, name of the class
	array                     // dims and elem
	function                  // sig
)

// A typ is a type: C++ writes some of it before a name and the rest after it.
type typ struct {
	kind  typeKind
	quals quals
	word  string     // of a primitive type, or in front of a name
	name  qualified  // of a type, or of the class of what a pointer to a member points to
	sign  string     // * & or &&
	auth  string     // __ptrauth(...)
	elem  *typ       // what is pointed to, or an element
	dims  []uint64   // of an array, the outermost first; 0 is not known
	sig   *signature // of a function
}

// A qualMode says where a type's qualifiers are.
type qualMode uint8

const (
	dropped  qualMode = iota // nowhere
	leading                  // in front: of what a pointer points to
	ofResult                 // in front, after a question mark: of what a function returns
)

// primitives are the types of one letter. Source: LLVM's MicrosoftMangle.cpp.
var primitives = map[byte]string{
	'C': "signed char", 'D': "char", 'E': "unsigned char", 'F': "short", 'G': "unsigned short", 'H': "int", 'I': "unsigned int",
	'J': "long", 'K': "unsigned long", 'M': "float", 'N': "double", 'O': "long double", 'X': "void",
}

// underPrimitives are those of an underscore and a letter.
var underPrimitives = map[byte]string{
	'J': "__int64", 'K': "unsigned __int64", 'N': "bool", 'P': "auto", 'Q': "char8_t", 'S': "char16_t", 'T': "decltype(auto)", 'U': "char32_t", 'W': "wchar_t",
}

// tags are the words in front of types with a name.
var tags = map[byte]string{'T': "union", 'U': "struct", 'V': "class", 'W': "enum"}

// typ reads a type. What it returns is not nil and belongs to the caller alone.
func (p *parser) typ(mode qualMode) *typ {
	defer p.leave()
	if !p.enter() {
		return &typ{}
	}
	var q quals
	if mode == leading || mode == ofResult && p.take("?") {
		q = p.qualifiers()
	}
	t := p.unqualified()
	t.quals |= q
	return t
}

// unqualified reads a type behind its own qualifiers, by its first letters.
func (p *parser) unqualified() *typ {
	switch b := p.peek(); {
	case tags[b] != "":
		return p.tagged()
	case b == 'A' || b >= 'P' && b <= 'S' || p.has("$$Q"):
		return p.pointer()
	case b == 'Y':
		return p.array()
	case p.take("$$A6"):
		return &typ{kind: function, sig: p.function(false)}
	case p.take("$$A8@@"):
		return &typ{kind: function, sig: p.function(true)}
	case b == '?':
		return p.placeholder()
	case p.take("$$T"):
		return &typ{word: "std::nullptr_t"}
	}
	return p.primitive()
}

// primitive reads a type of one letter, or of an underscore and one.
func (p *parser) primitive() *typ {
	table, b := primitives, p.next("a type")
	if b == '_' {
		table, b = underPrimitives, p.next("a type")
	}
	if table[b] == "" {
		p.fail("%q is no type", b)
	}
	return &typ{word: table[b]}
}

// tagged reads a class, struct or union, or an enumeration, whose underlying
// type is a digit that is always 4.
func (p *parser) tagged() *typ {
	b := p.next("a type")
	if b == 'W' && !p.take("4") {
		p.fail("an enumeration of an unknown kind")
	}
	return &typ{kind: tag, word: tags[b], name: p.typeName()}
}

// placeholder reads a type that was not known yet, by the name of its parameter.
func (p *parser) placeholder() *typ {
	p.next("a type")
	t := &typ{kind: custom, name: qualified{p.typeIdent()}}
	if !p.take("@") {
		p.fail("the name of a type does not end")
	}
	return t
}

// pointers are the signs and qualifiers of pointers and references.
var pointers = map[byte]typ{
	'A': {kind: pointer, sign: "&"},
	'P': {kind: pointer, sign: "*"},
	'Q': {kind: pointer, sign: "*", quals: isConst},
	'R': {kind: pointer, sign: "*", quals: isVolatile},
	'S': {kind: pointer, sign: "*", quals: isConst | isVolatile},
}

// pointer reads a pointer or a reference: to a function (6), to a method (8), to a member
// (qualifiers from Q to T) or to anything else.
func (p *parser) pointer() *typ {
	t := typ{kind: pointer, sign: "&&"}
	if !p.take("$$Q") {
		t = pointers[p.next("a pointer")]
	}
	mayBeMember := t.sign == "*"
	switch {
	case p.take("6"):
		t.elem = &typ{kind: function, sig: p.function(false)}
		return &t
	case mayBeMember && p.take("8"):
		t.name = p.typeName()
		t.elem = &typ{kind: function, sig: p.function(true)}
		return &t
	}
	t.quals |= p.pointerQualifiers()
	t.auth = p.pointerAuth()
	if b := p.peek(); !mayBeMember || b < 'Q' || b > 'T' {
		t.elem = p.typ(leading)
		return &t
	}
	q := p.qualifiers()
	t.name = p.typeName()
	t.elem = p.typ(dropped)
	t.elem.quals = q
	return &t
}

// pointerQualifiers reads what any pointer may have: E, which says that it has
// 64 bits and is not shown, I and F.
func (p *parser) pointerQualifiers() (q quals) {
	p.take("E")
	if p.take("I") {
		q |= isRestrict
	}
	if p.take("F") {
		q |= isUnaligned
	}
	return q
}

// qualifiers reads the letter for const and volatile; the second four are of
// what pointers to members point to.
func (p *parser) qualifiers() quals {
	switch b := p.next("qualifiers"); {
	case b >= 'A' && b <= 'D':
		return quals(b - 'A') // bit 0 is const and bit 1 volatile, as here
	case b >= 'Q' && b <= 'T':
		return quals(b - 'Q')
	default:
		p.fail("%q is no qualifier", b)
		return 0
	}
}

// array reads the number of dimensions and each of them; the outermost may be
// 0, which is one that is not known.
func (p *parser) array() *typ {
	p.next("an array")
	t := &typ{kind: array}
	rank := p.unsigned()
	if rank == 0 {
		p.fail("an array without dimensions")
	}
	for i := uint64(0); i < rank && !p.failed(); i++ {
		t.dims = append(t.dims, p.unsigned())
	}
	if p.take("$$C") {
		t.quals = p.qualifiers()
	}
	t.elem = p.typ(dropped)
	return t
}
