package v8

import "unicode"

// mostList bounds the source of a list of parameters.
const mostList = 1 << 10

// A signature is what the source of a function says of its parameters.
type signature struct {
	names []string // of the first ones: a pattern, a default value and a rest have none, and end them
	whole bool     // the names are all
	arrow bool     // the receiver is that of the function around it
	known bool
}

// signatureOf reads the parameters of a function from its source. That begins with them, but for classes without a constructor and for the code of a
// whole script, which have none: what does not look like a list is not known.
func (f *finder) signatureOf(fn *function) (s signature) {
	source, _ := f.field(fn.script.object, f.at[scriptSource])
	size, ok := f.half(source, f.at[stringLength])
	if !ok || fn.end <= fn.start || fn.end > int64(size) || fn.start == 0 && fn.end == int64(size) {
		return s
	}
	parts := mostParts
	units, ok := f.units(source, int(fn.start), int(min(fn.end-fn.start, mostList)), mostSource, &parts)
	if !ok {
		return s
	}
	text := make([]rune, len(units))
	for i, u := range units {
		text[i] = rune(u)
	}
	p := parser{text: text}
	return p.signature()
}

// A parser reads the source of a function from its parameters on.
type parser struct {
	text []rune
	at   int
}

func (p *parser) signature() (s signature) {
	if name := p.word(); name != "" { // x => x
		s = signature{names: []string{name}, whole: true, arrow: true}
		s.known = p.next("=>")
		return s
	}
	if !p.next("(") {
		return s
	}
	for s.whole = true; !p.next(")"); {
		name := p.word()
		if s.whole = name != "" && s.whole; s.whole {
			s.names = append(s.names, name)
		}
		if p.next(",") {
			continue
		}
		if p.next(")") {
			break
		}
		s.whole = false
		if !p.skipped() {
			return signature{}
		}
		break
	}
	s.arrow = p.next("=>")
	s.known = s.arrow || p.next("{")
	return s
}

// word reads a name, "" for something else.
func (p *parser) word() string {
	p.blank()
	from := p.at
	for p.at < len(p.text) && (p.text[p.at] == '$' || p.text[p.at] == '_' || unicode.IsLetter(p.text[p.at]) || p.at > from && unicode.IsDigit(p.text[p.at])) {
		p.at++
	}
	return string(p.text[from:p.at])
}

// next reads a mark, and reports whether it is there.
func (p *parser) next(mark string) bool {
	if p.blank(); !p.here(mark) {
		return false
	}
	p.at += len(mark)
	return true
}

func (p *parser) here(mark string) bool {
	return len(p.text)-p.at >= len(mark) && string(p.text[p.at:p.at+len(mark)]) == mark
}

// blank skips spaces and comments.
func (p *parser) blank() {
	for p.at < len(p.text) {
		switch {
		case p.here("//"):
			p.skip("\n")
		case p.here("/*"):
			p.skip("*/")
		case unicode.IsSpace(p.text[p.at]):
			p.at++
		default:
			return
		}
	}
}

// skip skips a comment, up to the mark behind it.
func (p *parser) skip(mark string) {
	for p.at += 2; p.at < len(p.text) && !p.here(mark); p.at++ {
	}
	p.at = min(p.at+len(mark), len(p.text))
}

// skipped skips the rest of a list with patterns and default values, and reports whether its end is certain: texts and divisions are not read.
func (p *parser) skipped() bool {
	for depth := 1; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				p.at++
				return true
			}
		case '\'', '"', '`', '/':
			return false
		}
	}
	return false
}
