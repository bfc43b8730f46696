package demangle

import (
	"slices"
	"strings"
)

// A qualified name is its parts, the outermost scope first.
type qualified []*ident

// last is the innermost part, the name itself.
func (q qualified) last() *ident { return q[len(q)-1] }

// An identKind says what kind of name a part is.
type identKind uint8

const (
	named       identKind = iota // text
	constructor                  // of class
	destructor                   // of class
	conversion                   // to target
	literal                      // operator ""text
	local                        // what number counts in the scope of inner
	dynamic                      // text says what for: inner
)

// An ident is one part of a name.
type ident struct {
	kind   identKind
	text   string
	short  string // instead of text in a short name, where they differ
	args   []argument
	isTmpl bool // has args, maybe none
	class  *ident
	target *typ
	inner  *symbol
	number uint64
}

// typeName reads A@B@C@@, which is C::B::A, as the name of a type.
func (p *parser) typeName() qualified { return p.scopes(p.typeIdent()) }

// typeIdent reads the innermost part of a type's name: a reference, a template or a word.
func (p *parser) typeIdent() *ident {
	switch {
	case isDigit(p.peek()):
		return p.backReference()
	case p.has("?$"):
		return p.template(true)
	}
	return p.simple(true)
}

// symbolName reads the name of a function or variable, which may be an operator's.
func (p *parser) symbolName() qualified {
	q := p.scopes(p.symbolIdent())
	if id := q.last(); id.kind == constructor || id.kind == destructor {
		if len(q) < 2 {
			p.fail("a constructor without a class")
			return q
		}
		id.class = q[len(q)-2]
	}
	return q
}

// symbolIdent reads the innermost part of a symbol's name. Templates of
// functions cannot be referred back to, their arguments' names can.
func (p *parser) symbolIdent() *ident {
	switch {
	case isDigit(p.peek()):
		return p.backReference()
	case p.has("?$"):
		return p.template(false)
	case p.take("?"):
		return p.operator()
	}
	return p.simple(true)
}

// scopes reads the scopes of a name, from the innermost out, up to an @.
func (p *parser) scopes(innermost *ident) qualified {
	q := qualified{innermost}
	for !p.failed() && !p.take("@") {
		q = append(q, p.scope())
	}
	slices.Reverse(q)
	return q
}

// scope reads one scope: as in typeIdent, an anonymous namespace, or a function.
func (p *parser) scope() *ident {
	switch {
	case isDigit(p.peek()):
		return p.backReference()
	case p.has("?$"):
		return p.template(true)
	case p.take("?A"):
		return p.anonymous()
	case isLocalScope(p.rest):
		return p.localScope()
	}
	return p.simple(true)
}

// simple reads a plain name up to its @.
func (p *parser) simple(remember bool) *ident {
	text := p.until('@', "a name")
	if text == "" {
		p.fail("an empty name")
	}
	id := &ident{text: text}
	if remember {
		p.remember(id)
	}
	return id
}

// anonymous reads what follows ?A, the key of an anonymous namespace. undname
// shows a reference back to one as this key; a short name says what it is.
func (p *parser) anonymous() *ident {
	key := p.until('@', "the key of an anonymous namespace")
	const text = "`anonymous namespace'"
	p.remember(&ident{text: key, short: text})
	return &ident{text: text}
}

// remember keeps a name for digits to refer back to: the first ten different ones.
func (p *parser) remember(id *ident) {
	if len(p.names) >= 10 || p.failed() {
		return
	}
	for _, other := range p.names {
		if other.text == id.text {
			return
		}
	}
	p.names = append(p.names, id)
}

// rememberWritten remembers a name by what it looks like, so that what refers
// back to it cannot reach into what is still being read.
func (p *parser) rememberWritten(id *ident) {
	written := ident{text: p.mustPrint(id.write, false)}
	if p.short {
		written.short = p.mustPrint(id.write, true)
	}
	p.remember(&written)
}

// backReference reads a digit that stands for a name from before.
func (p *parser) backReference() *ident {
	i, _ := p.digit()
	if i >= len(p.names) {
		p.fail("refers to name %d of %d", i, len(p.names))
		return &ident{}
	}
	return p.names[i]
}

// isLocalScope reports whether the scope of a function comes next: a question
// mark, a number that does not begin with A, and another question mark.
func isLocalScope(s string) bool {
	s, ok := strings.CutPrefix(s, "?")
	number, _, found := strings.Cut(s, "?")
	if !ok || !found || number == "" {
		return false
	}
	if len(number) == 1 {
		return number == "@" || isDigit(number[0])
	}
	digits, ok := strings.CutSuffix(number, "@")
	return ok && digits[0] != 'A' && strings.Trim(digits, "ABCDEFGHIJKLMNOP") == ""
}

// localScope reads the scope of a function: `f(void)'::`2'.
func (p *parser) localScope() *ident {
	p.take("?")
	id := &ident{kind: local, number: p.unsigned()}
	p.take("?")
	id.inner = p.symbol()
	return id
}

// operators are the names of the operators and of the functions that the
// compiler makes, by what follows the question mark.
// Source: LLVM's MicrosoftMangle.cpp; the words are undname's.
var operators = map[string]string{
	"2": "operator new", "3": "operator delete", "4": "operator=", "5": "operator>>", "6": "operator<<", "7": "operator!", "8": "operator==", "9": "operator!=",
	"A": "operator[]", "C": "operator->", "D": "operator*", "E": "operator++", "F": "operator--", "G": "operator-", "H": "operator+", "I": "operator&",
	"J": "operator->*", "K": "operator/", "L": "operator%", "M": "operator<", "N": "operator<=", "O": "operator>", "P": "operator>=", "Q": "operator,",
	"R": "operator()", "S": "operator~", "T": "operator^", "U": "operator|", "V": "operator&&", "W": "operator||", "X": "operator*=", "Y": "operator+=",
	"Z": "operator-=",

	"_0": "operator/=", "_1": "operator%=", "_2": "operator>>=", "_3": "operator<<=", "_4": "operator&=", "_5": "operator|=", "_6": "operator^=",
	"_D": "`vbase dtor'",
	"_E": "`vector deleting dtor'",
	"_F": "`default ctor closure'",
	"_G": "`scalar deleting dtor'",
	"_H": "`vector ctor iterator'",
	"_I": "`vector dtor iterator'",
	"_J": "`vector vbase ctor iterator'",
	"_K": "`virtual displacement map'",
	"_L": "`eh vector ctor iterator'",
	"_M": "`eh vector dtor iterator'",
	"_N": "`eh vector vbase ctor iterator'",
	"_O": "`copy ctor closure'",
	"_T": "`local vftable ctor closure'",
	"_U": "operator new[]",
	"_V": "operator delete[]",

	"__A": "`managed vector ctor iterator'",
	"__B": "`managed vector dtor iterator'",
	"__C": "`EH vector copy ctor iterator'",
	"__D": "`EH vector vbase copy ctor iterator'",
	"__G": "`vector copy ctor iterator'",
	"__H": "`vector vbase copy constructor iterator'",
	"__I": "`managed vector vbase copy constructor iterator'",
	"__L": "operator co_await",
	"__M": "operator<=>",
}

// operator reads what follows the question mark of an operator.
func (p *parser) operator() *ident {
	code := ""
	for len(code) < 2 && p.take("_") {
		code += "_"
	}
	code += string(rune(p.next("an operator")))
	switch code {
	case "0":
		return &ident{kind: constructor}
	case "1":
		return &ident{kind: destructor}
	case "B":
		return &ident{kind: conversion}
	case "__K":
		id := p.simple(false)
		id.kind = literal
		return id
	}
	if operators[code] == "" {
		p.fail("?%s is no operator", code)
	}
	return &ident{text: operators[code], short: words.Replace(operators[code])}
}
