package demangle

import (
	"errors"
	"strconv"
)

// A printer writes a name. It stops where it is too long.
type printer struct {
	short   bool // as a stack shows it
	buf     []byte
	limit   int
	tooLong bool
}

// errOutput is for names that become too long.
var errOutput = errors.New("demangle: the readable name is longer than 65536 bytes")

// print writes something, and takes what was written off the work that is left.
func (p *parser) print(write func(*printer), short bool) (string, error) {
	pr := &printer{short: short, limit: min(maxOutput, p.work)}
	write(pr)
	p.work -= len(pr.buf)
	if pr.tooLong {
		return "", errOutput
	}
	return string(pr.buf), nil
}

// mustPrint is print within a name, which fails with it.
func (p *parser) mustPrint(write func(*printer), short bool) string {
	if p.failed() {
		return ""
	}
	text, err := p.print(write, short)
	if err != nil {
		p.fail("a part of the readable name is longer than %d bytes", min(maxOutput, p.work))
	}
	return text
}

// text writes a text, all of it or, beyond the limit, none.
func (pr *printer) text(s string) {
	if pr.tooLong || len(s) > pr.limit-len(pr.buf) {
		pr.tooLong = true
		return
	}
	pr.buf = append(pr.buf, s...)
}

// space writes a space after a word or the end of a template.
func (pr *printer) space() {
	if pr.endsWord() {
		pr.text(" ")
	}
}

// endsWord reports whether a word may not follow at once.
func (pr *printer) endsWord() bool {
	if len(pr.buf) == 0 {
		return false
	}
	b := pr.buf[len(pr.buf)-1]
	return isDigit(b) || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b == '>'
}

// qualifiers writes those of a type, with a space before each if it is wanted.
func (pr *printer) qualifiers(q quals, spaced bool) {
	for _, word := range []struct {
		is   quals
		text string
	}{{isConst, "const"}, {isVolatile, "volatile"}, {isRestrict, "__restrict"}} {
		if q&word.is == 0 {
			continue
		}
		if spaced {
			pr.text(" ")
		}
		pr.text(word.text)
		spaced = true
	}
}

func (pr *printer) qualified(q qualified) {
	for i, id := range q {
		if i > 0 {
			pr.text("::")
		}
		id.write(pr)
	}
}

// A constructor has its class's name, with the class's arguments: A<int>::A<int>.
func (id *ident) write(pr *printer) {
	switch id.kind {
	case named:
		if pr.short && id.short != "" {
			pr.text(id.short)
		} else {
			pr.text(id.text)
		}
	case destructor:
		pr.text("~")
		id.class.write(pr)
	case constructor:
		id.class.write(pr)
	case conversion:
		pr.text("operator")
	case literal:
		pr.text(`operator ""` + id.text)
	case local:
		pr.text("`")
		id.inner.write(pr)
		pr.text("'::`" + strconv.FormatUint(id.number, 10) + "'")
	case dynamic:
		id.writeDynamic(pr)
	}
	if id.isTmpl {
		pr.arguments(id.args)
	}
	if id.kind == conversion {
		pr.text(" ")
		id.target.write(pr)
	}
}

// writeDynamic writes what an initialiser is for: a variable with its type, or
// the name of a function, between undname's quotation marks.
func (id *ident) writeDynamic(pr *printer) {
	pr.text(id.text)
	if id.inner.kind == variableSymbol {
		pr.text("`")
		id.inner.write(pr)
	} else {
		pr.text("'")
		pr.qualified(id.inner.name)
	}
	pr.text("''")
}

func (pr *printer) arguments(args []argument) {
	pr.text("<")
	for i := range args {
		if i > 0 {
			pr.text(", ")
		}
		args[i].write(pr)
	}
	// A short name is closed as the libraries for other names close it.
	if n := len(pr.buf); pr.short && n > 0 && pr.buf[n-1] == '>' {
		pr.text(" ")
	}
	pr.text(">")
}

// write writes an argument of a template: a type, a name, an address or a number.
func (a *argument) write(pr *printer) {
	switch {
	case a.typ != nil:
		a.typ.write(pr)
	case a.name != nil:
		pr.qualified(a.name)
	case len(a.offsets) > 0:
		a.writeMember(pr)
	default:
		if a.pointer {
			pr.text("&")
		}
		pr.text(a.text)
		if a.symbol != nil {
			a.symbol.write(pr)
		}
	}
}

// writeMember writes a pointer to a member as undname does, {symbol, offsets}.
func (a *argument) writeMember(pr *printer) {
	pr.text("{")
	if a.symbol != nil {
		a.symbol.write(pr)
		pr.text(", ")
	}
	for i, offset := range a.offsets {
		if i > 0 {
			pr.text(", ")
		}
		pr.text(offset)
	}
	pr.text("}")
}

// write writes a whole symbol. In short it leaves out what a stack does not show.
func (s *symbol) write(pr *printer) {
	switch s.kind {
	case functionSymbol:
		s.sig.before(pr, !pr.short)
		pr.space()
		pr.qualified(s.name)
		s.sig.after(pr, !pr.short)
	case variableSymbol:
		s.writeVariable(pr)
	case typeSymbol:
		s.typ.before(pr)
		pr.space()
		pr.qualified(s.name)
		s.typ.after(pr)
	case tableSymbol:
		s.writeTable(pr)
	case textSymbol, hashSymbol:
		pr.text(s.text)
	}
}

// writeVariable writes the type around the name: int (*x)[3].
func (s *symbol) writeVariable(pr *printer) {
	if pr.short {
		pr.qualified(s.name)
		return
	}
	if s.access != "" {
		pr.text(s.access + ": static ")
	}
	if s.typ != nil {
		s.typ.before(pr)
	}
	pr.space()
	pr.qualified(s.name)
	if s.typ != nil {
		s.typ.after(pr)
	}
}

// writeTable writes a table, and for which base it is where a class has several.
func (s *symbol) writeTable(pr *printer) {
	if s.quals != 0 && !pr.short {
		pr.qualifiers(s.quals, false)
		pr.text(" ")
	}
	pr.qualified(s.name)
	for i, target := range s.targets {
		if i == 0 {
			pr.text("{for `")
		} else {
			pr.text("'s `")
		}
		pr.qualified(target)
	}
	if len(s.targets) > 0 {
		pr.text("'}")
	}
}
