package swift

import "strconv"

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
