package swift

import (
	"slices"
	"strconv"
	"strings"
)

// once reads what initializes global variables.
// Several come from one pattern: let (a, b) = f().
func (p *parser) once(text string) *node {
	vars := &node{kind: kForm, text: "($,)"}
	for p.pop(kFirst) != nil {
		if !vars.add(p.popIf(isName)) {
			return nil
		}
	}
	slices.Reverse(vars.kids)
	if len(vars.kids) == 1 {
		vars.text = "$0"
	}
	return withText(kForm, text, vars, p.context())
}

// keyPath reads the getter or setter of a key path's part.
// At least one type is under it, the root's; q behind it says that it is serialized.
func (p *parser) keyPath(text string) *node {
	switch rest := p.text[p.pos:]; {
	case strings.HasPrefix(rest, "mu"):
		p.pos += 2
		text = "key path unapplied method "
	case strings.HasPrefix(rest, "MA"):
		p.pos += 2
		text = "key path applied method "
	}
	serialized := p.take('q')
	types := &node{kind: kForm, text: "$*"}
	for t := p.pop(kType); t != nil; t = p.pop(kType) {
		types.add(t)
	}
	slices.Reverse(types.kids)
	var sig *node = &node{kind: kSilent}
	of := p.popAny()
	if of.is(kSignature) {
		sig, of = of, p.popAny()
	}
	if len(types.kids) == 0 {
		return nil
	}
	if text += "$0 : $1$2"; serialized {
		text += ", serialized"
	}
	return withText(kForm, text, of, sig, types)
}

// keyPathOperator reads what compares the indices of a key path.
func (p *parser) keyPathOperator(which string) *node {
	p.take('q')
	var sig *node = &node{kind: kSilent}
	if s := p.pop(kSignature); s != nil {
		sig = s
	}
	types := &node{kind: kForm, text: "($,)"}
	for n := p.popAny(); n != nil; n = p.popAny() {
		if n.kind != kType {
			return nil
		}
		types.add(n)
	}
	slices.Reverse(types.kids)
	return withText(kForm, "key path index "+which+" operator for $0$1", sig, types)
}

// derivatives are the functions that differentiate another one.
var derivatives = tableOf("f=forward-mode derivative|r=reverse-mode derivative|d=differential|p=pullback")

// derivative reads a function that differentiates another one, or the thunk
// of one.
func (p *parser) derivative() *node {
	switch {
	case p.take('O'):
		p.pop(kSignature)
		to := p.pop(kType)
		from := p.pop(kType)
		if _, ok := derivatives.of(p.next()); !ok {
			return nil
		}
		return withText(kForm, "autodiff self-reordering reabstraction thunk for $0", from, to)
	case p.take('S'):
		return p.differentiated("autodiff subset parameters thunk for ", " from ", "prP")
	case p.take('V'):
		return p.differentiated("vtable thunk for ", " of ", "pr")
	}
	return p.differentiated("", " of ", "pr")
}

// differentiated reads which derivative of everything on the stack is meant,
// and sets of parameters and results.
// The sets say by which parameters, of which results; they are not printed.
func (p *parser) differentiated(before, between, ends string) *node {
	of := p.everything()
	which, _ := derivatives.of(p.next())
	for i := range len(ends) {
		if p.indexes(ends[i]) == nil {
			return nil
		}
	}
	if n := len(of.kids); which == "" || n == 0 {
		return nil
	} else if n > 1 && (of.kids[n-1].kind == kSignature || ends == "prP") {
		of.kids = of.kids[:n-1] // a signature, or the type of the thunk
	}
	return withText(kForm, before+which+between+"$0", of)
}

// witnesses are the kinds of derivatives that a witness has.
var witnesses = tableOf("f=forward-mode|r=reverse-mode|d=normal|l=linear")

// differentiability reads a witness that a function can be differentiated.
func (p *parser) differentiability() *node {
	sig := p.pop(kSignature)
	of := p.everything()
	which, ok := witnesses.of(p.next())
	parameters, results := p.indexes('p'), p.indexes('r')
	if !ok || len(of.kids) == 0 {
		return nil
	}
	text := which + " differentiability witness for $0 with respect to parameters $1 and results $2"
	if sig == nil {
		return withText(kForm, text, of, parameters, results)
	}
	return withText(kForm, text+" with $3", of, parameters, results, sig)
}

// indexes reads a set: an S for each number that is in it and a U for each that is
// not, at least one of them, and a letter at its end.
func (p *parser) indexes(end byte) *node {
	set := &node{kind: kForm, text: "{$,}"}
	n := 0
	for ; p.peek() == 'S' || p.peek() == 'U'; n++ {
		if p.next() == 'S' {
			set.add(&node{kind: kPlain, text: strconv.Itoa(n)})
		}
	}
	if n == 0 || !p.take(end) {
		return nil
	}
	return set
}

// everything takes all off the stack.
func (p *parser) everything() *node {
	all := &node{kind: kForm, text: "$*"}
	for n := p.popAny(); n != nil; n = p.popAny() {
		all.add(n)
	}
	slices.Reverse(all.kids)
	return all
}
