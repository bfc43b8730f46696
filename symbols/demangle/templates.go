package demangle

import (
	"strconv"
	"strings"
)

// An argument is one of a template: a type, a name, a symbol's address or a
// number.
type argument struct {
	typ     *typ
	name    qualified // of an alias
	text    string    // a number
	pointer bool      // & in front
	symbol  *symbol   // may be nil
	offsets []string  // of a pointer to a member: {symbol, offsets}
}

// template reads the name of an instance. Within it, digits refer only to what
// is within it. A class can be referred back to as a whole.
func (p *parser) template(class bool) *ident {
	defer p.leave()
	if !p.enter() {
		return &ident{}
	}
	p.take("?$")
	names, params := p.names, p.params
	p.names, p.params = nil, nil
	// The template's own name may be one that was referred to: names are
	// shared, and what is shared is not changed.
	id := *p.symbolIdent()
	id.args, id.isTmpl = p.arguments(), true
	p.names, p.params = names, params
	if class {
		if id.kind == constructor || id.kind == destructor || id.kind == conversion {
			p.fail("a constructor or conversion where a class should be")
		}
		p.rememberWritten(&id)
	}
	return &id
}

// separators stand between packs of arguments, or for empty ones.
var separators = []string{"$$$V", "$$V", "$$Z", "$S"}

// arguments reads a template's arguments up to an @. Separators of packs are not shown.
func (p *parser) arguments() (args []argument) {
	for !p.failed() && !p.take("@") {
		if p.takeAny(separators) {
			continue
		}
		args = append(args, p.argument())
	}
	return args
}

// takeAny reads one of some texts if one comes next.
func (p *parser) takeAny(texts []string) bool {
	for _, text := range texts {
		if p.take(text) {
			return true
		}
	}
	return false
}

// argument reads one argument. $M says that its type was deduced, and has the type first.
func (p *parser) argument() argument {
	deduced := p.take("$M")
	if deduced {
		p.typ(dropped) // of a parameter declared auto; it is not shown
	}
	switch {
	case p.take("$$Y"): // an alias
		return argument{name: p.typeName()}
	case p.take("$$B"): // an array
		return argument{typ: p.typ(dropped)}
	case p.take("$$C"): // a type with qualifiers
		return argument{typ: p.typ(leading)}
	case p.has("$E?"):
		p.take("$E")
		return argument{symbol: p.symbol()}
	}
	if kind, ok := p.valueKind(deduced); ok {
		return p.value(kind)
	}
	return argument{typ: p.typ(dropped)}
}

// valueKind reads what kind of value comes next: a dollar, unless the type is
// deduced, and one of the letters that value knows.
func (p *parser) valueKind(deduced bool) (kind byte, ok bool) {
	prefix := "$"
	if deduced {
		prefix = ""
	}
	rest, ok := strings.CutPrefix(p.rest, prefix)
	if !ok || rest == "" || !strings.Contains("01FGHIJ", rest[:1]) {
		return 0, false
	}
	p.rest = rest[1:]
	return rest[0], true
}

// offsetsOf says how many numbers follow: those that describe a pointer to a
// member of a class with one base, several, virtual or unknown ones.
var offsetsOf = map[byte]int{'H': 1, 'I': 2, 'J': 3, 'F': 2, 'G': 3}

// value reads a number, an address, or a pointer to a member.
func (p *parser) value(kind byte) argument {
	if kind == '0' {
		value, negative := p.number()
		text := strconv.FormatUint(value, 10)
		if negative {
			text = "-" + text
		}
		return argument{text: text}
	}
	arg := argument{pointer: true}
	if kind != 'F' && kind != 'G' && p.peek() == '?' {
		arg.symbol = p.symbol()
		if len(arg.symbol.name) == 0 {
			p.fail("the address of something without a name")
		}
		if !p.failed() {
			p.rememberWritten(arg.symbol.name.last())
		}
	}
	for range offsetsOf[kind] {
		arg.offsets = append(arg.offsets, strconv.FormatInt(p.signed(), 10))
	}
	return arg
}

// pointerAuth reads the key, discrimination and extra value of a signed pointer.
func (p *parser) pointerAuth() string {
	if !p.take("__ptrauth") {
		return ""
	}
	var values []string
	for range 3 {
		values = append(values, strconv.FormatUint(p.unsigned(), 10))
	}
	return "__ptrauth(" + strings.Join(values, ", ") + ")"
}
