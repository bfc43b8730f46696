package swift

import "slices"

// The annotations of a function type, in the order in which they are on the
// stack, and printed.
const (
	annSending = iota
	annIsolation
	annDifferentiable
	annThrows
	annSendable
	annAsync
	annotations
)

// annotation is what a letter behind a function type says: async, throws, @Sendable.
// Most are not printed, because dump_syms leaves effects out.
func annotation(which int, text string, kids ...*node) *node {
	n := withText(kAnnotation, text, kids...)
	if n != nil {
		n.index = which
	}
	return n
}

// functionType makes a function type. Its parameters and its result are the
// last two nodes in it.
// In the name the result comes first: SiSSc is (String) -> Int. Annotations stand behind
// the parameters, each kind at most once and in the order of the constants, reversed.
// Source: Mangling.rst, function-signature.
func (p *parser) functionType(k kind, before string, clang bool) *node {
	f := &node{kind: k, text: before}
	if clang {
		f.add(p.clangType())
	}
	for which := range annotations {
		if top := len(p.stack) - 1; top >= 0 && p.stack[top].kind == kAnnotation && p.stack[top].index == which {
			f.add(p.pop(kAnnotation))
		}
	}
	f.kids = nonisolatedLast(f.kids)
	if !f.add(p.parameters(kArguments)) || !f.add(p.parameters(kResult)) {
		return nil
	}
	return typeOf(f)
}

// nonisolated is the only isolation that Swift prints behind the kind of derivative.
const nonisolated = "nonisolated(nonsending) "

// nonisolatedLast swaps the two where both are there.
func nonisolatedLast(annotations []*node) []*node {
	for i := range max(len(annotations)-1, 0) {
		if annotations[i].text == nonisolated && annotations[i+1].index == annDifferentiable {
			annotations[i], annotations[i+1] = annotations[i+1], annotations[i]
		}
	}
	return annotations
}

// parameters takes off the parameters or the result: a type, or a mark for ().
func (p *parser) parameters(k kind) *node {
	if p.pop(kEmpty) != nil {
		return with(k, typeOf(&node{kind: kTuple}))
	}
	return with(k, p.pop(kType))
}

// clangType reads the C type of a function pointer, in Itanium's mangling, with its
// length in front. It is printed as it is.
func (p *parser) clangType() *node {
	n := p.natural()
	if n <= 0 || n > len(p.text)-p.pos {
		return nil
	}
	p.pos += n
	return &node{kind: kClangType, text: p.text[p.pos-n : p.pos]}
}

// labels takes the labels of a function's parameters off the stack; nil where
// it has no parameters that could have one.
// Swift 4.0 has them in the tuple of parameters instead. Later versions write y for none
// at all, or one label for each parameter, with an underscore where there is none.
func (p *parser) labels(t *node) *node {
	if !p.labelsInTypes && p.pop(kEmpty) != nil {
		return &node{kind: kLabels}
	}
	params := parametersOf(t)
	if params == nil {
		return nil
	}
	count := 1
	if params.kind == kTuple {
		count = len(params.kids)
	}
	switch {
	case count == 0:
		return nil
	case p.labelsInTypes:
		return labelsOf(params)
	}
	out, named := &node{kind: kLabels}, false
	for range count {
		label := p.popAny()
		if label == nil || label.kind != kIdentifier && label.kind != kFirst {
			return nil
		}
		out.add(label)
		named = named || label.kind == kIdentifier
	}
	if !named {
		return &node{kind: kLabels}
	}
	slices.Reverse(out.kids)
	return out
}

// parametersOf is the tuple of a function type's parameters, or the only one.
func parametersOf(t *node) *node {
	if !t.is(kType) {
		return nil
	}
	f := t.kid(0)
	if f.is(kDependent) {
		f = f.kid(1).kid(0)
	}
	if !f.is(kFunctionType) {
		return nil
	}
	return f.kid(len(f.kids) - 2).kid(0).kid(0)
}

// labelsOf moves labels out of a tuple.
func labelsOf(tuple *node) *node {
	out, named := &node{kind: kLabels}, false
	if tuple.kind != kTuple {
		return out
	}
	for _, element := range tuple.kids {
		label := &node{kind: kFirst}
		if name := element.find(kTupleName); name != nil {
			label, named = &node{kind: kIdentifier, text: name.text}, true
		}
		out.add(label)
	}
	if !named {
		return &node{kind: kLabels}
	}
	for i, element := range tuple.kids {
		tuple.kids[i] = withoutName(element)
	}
	return out
}

// withoutName copies an element of a tuple: nodes are shared, so none is changed.
func withoutName(element *node) *node {
	out := &node{kind: element.kind}
	for _, kid := range element.kids {
		if kid.kind != kTupleName {
			out.add(kid)
		}
	}
	return out
}

// function makes a function of its type, labels, name and context.
//
//	$s 4main 3FooV 3bar 1x Si Si_t F: module, type, name, label, result, parameters
func (p *parser) function() *node {
	sig := p.pop(kSignature)
	t := p.functionType(kFunctionType, "", false)
	labels := p.labels(t)
	if sig != nil {
		t = typeOf(with(kDependent, sig, t))
	}
	name := p.popIf(isName)
	return declare(kFunction, p.context(), name, labels, t)
}

// declare makes a declaration. It need not have labels.
func declare(k kind, ctx, name, labels, t *node) *node {
	if labels == nil {
		return with(k, ctx, name, t)
	}
	return with(k, ctx, name, labels, t)
}
