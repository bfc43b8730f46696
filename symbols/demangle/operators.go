package demangle

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
