package expr

import "strings"

// keywords are the words of C's own types.
var keywords = map[string]bool{
	"void": true, "bool": true, "char": true, "short": true, "int": true, "long": true, "signed": true, "unsigned": true, "float": true, "double": true,
	"wchar_t": true, "char8_t": true, "char16_t": true, "char32_t": true,
}

// ignored are the words around a type's name that say nothing of its values.
var ignored = map[string]bool{"const": true, "volatile": true, "struct": true, "class": true, "union": true, "enum": true}

// typeIn takes a type in parentheses. Where it may be an expression as well, it is a type if an operand
// follows. The type behind sizeof has none.
func (p *parser) typeIn(alone bool) (name, suffix string, ok bool) {
	p.blanks()
	inside, rest, ok := parenthesized(p.text)
	if !ok {
		return "", "", false
	}
	name, suffix = p.typeName(inside)
	switch first, _, _ := strings.Cut(name, " "); {
	case name == "" || name[0] == '$' && p.isType != nil: // a register
		return "", "", false
	case name[0] == '$' && suffix == "" && !alone && (rest == "" || strings.IndexByte(")],:?=!<>|/%^+.", rest[0]) >= 0): // a number of the template
		return "", "", false
	case keywords[first] || suffix != "" || name[0] == '$' || name[len(name)-1] == '>': // of a template
	case p.isType != nil && p.isType(name):
	case alone || rest == "" || !isWord(rest[0]) && strings.IndexByte(`("'$~`, rest[0]) < 0:
		return "", "", false
	}
	p.text = rest
	return name, suffix, true
}

// namedCast reads what follows "static_cast<". A cast of C converts in the same way, but a pointer is
// reinterpreted by way of void *.
func (p *parser) namedCast(kind string, deep int) *Expr {
	i := strings.IndexByte(p.text, '(')
	end := strings.LastIndexByte(p.text[:max(i, 0)], '>')
	name, suffix := p.typeName(p.text[:max(end, 0)])
	if name == "" || kind == "dynamic_cast" || strings.TrimSpace(p.text[end+1:i]) != "" {
		return p.fail(kind + " is not supported here")
	}
	p.text = p.text[i:]
	e := of(Cast, p.primary(deep+1))
	if e == nil {
		return nil
	}
	if kind == "reinterpret_cast" && strings.HasSuffix(suffix, "*") {
		e = &Expr{Op: Cast, Name: "void", Suffix: "*", Args: e.Args}
		e = of(Cast, e)
	}
	e.Name, e.Suffix = name, suffix
	return e
}

// parenthesized divides a text behind its first parentheses.
func parenthesized(text string) (inside, rest string, ok bool) {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return text[min(1, i):i], strings.TrimLeft(text[i+1:], " \t\r\n"), i > 0
		}
	}
	return "", "", false
}

// typeName is the function of that name. In a view, a type may have its module's name before it: "Qt5Core.dll!QDirPrivate *".
func (p *parser) typeName(text string) (name, suffix string) {
	text = strings.TrimLeft(text, " \t\r\n")
	if n := moduleIn(text); n > 0 && p.isType == nil {
		text = text[n+1:]
	}
	return typeName(text)
}

// typeName divides a type into its name, and "*" and "&" behind it. The name is "" if it is none.
func typeName(text string) (name, suffix string) {
	for {
		text = strings.TrimSpace(text)
		first, rest, _ := strings.Cut(text, " ")
		before, last := "", text
		if i := strings.LastIndexAny(text, " *&"); i >= 0 {
			before, last = text[:i+1], text[i+1:]
		}
		switch end := len(before) - 1; {
		case ignored[first]:
			text = rest
		case ignored[last]:
			text = before
		case last == "" && end >= 0:
			text, suffix = text[:end], text[end:]+suffix
		case isName(text):
			return text, suffix
		default:
			return "", ""
		}
	}
}

// isName reports whether a text may be the name of a type. The arguments of a template may be any text.
func isName(text string) bool {
	depth := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '<':
			depth++
		case c == '>':
			depth--
		case depth < 0 || depth == 0 && !isWord(c) && strings.IndexByte(":. $", c) < 0:
			return false
		}
	}
	return depth == 0 && text != "" && (isWord(text[0]) || text[0] == '$') && (text[0] < '0' || text[0] > '9')
}
