package swift

import "slices"

// An identifier is one, and so are s for Swift and So for C and Objective-C.
func (p *parser) module() *node {
	if id := p.pop(kIdentifier); id != nil {
		return &node{kind: kModule, text: id.text}
	}
	return p.pop(kModule)
}

// context takes off what a declaration is in.
func (p *parser) context() *node {
	if m := p.module(); m != nil {
		return m
	}
	if t := p.pop(kType); t != nil {
		if len(t.kids) == 1 && isContext(t.kids[0].kind) {
			return t.kids[0]
		}
		return nil
	}
	return p.popIf(isContext)
}

// inner takes off a type, and returns what is in it.
func (p *parser) inner() *node {
	if t := p.pop(kType); t != nil && len(t.kids) == 1 {
		return t.kids[0]
	}
	return nil
}

func (p *parser) nominal(k kind) *node {
	name := p.popIf(isName)
	ctx := p.context()
	return p.substitute(typeOf(with(k, ctx, name)))
}

// extension makes the context of what a type's extension declares.
//
//	Si 4main E: what module main adds to Int
func (p *parser) extension() *node {
	sig := p.pop(kSignature)
	module := p.module()
	t := p.inner()
	if t == nil || !isNominal(t.kind) {
		return nil
	}
	ext := with(kExtension, module, t)
	if sig != nil {
		ext.add(sig)
	}
	return ext
}

// argumentLists takes off lists of generic arguments, the innermost type's
// first, with their conformances on top.
// y begins the outermost type's list and _ the next one's: 1GV1HVySi_SSG is G<Int>.H<String>.
// It reports false where no mark ends them.
func (p *parser) argumentLists() (lists []*node, retroactive *node, ok bool) {
	retroactive = p.retroactives()
	for {
		list := &node{kind: kTypeList}
		for t := p.pop(kType); t != nil; t = p.pop(kType) {
			list.add(t)
		}
		slices.Reverse(list.kids)
		lists = append(lists, list)
		if p.pop(kEmpty) != nil {
			return lists, retroactive, true
		}
		if p.pop(kFirst) == nil {
			return nil, nil, false
		}
	}
}

func (p *parser) bound() *node {
	lists, retroactive, ok := p.argumentLists()
	nominal := p.inner()
	if !ok || nominal == nil || !isNominal(nominal.kind) {
		return nil
	}
	n := bind(nominal, lists)
	if n == nil {
		return nil
	}
	n.add(retroactive)
	return p.substitute(typeOf(n))
}

// bind gives a declaration the first of some lists, and those around it the
// others.
// The tree is copied on the way down, because substitutions share its nodes. It returns
// nil where there are more lists than declarations.
func bind(n *node, lists []*node) *node {
	if n == nil || len(lists) == 0 || len(n.kids) == 0 {
		return nil
	}
	args, takes := lists[0], takesArguments(n.kind)
	if takes {
		lists = lists[1:]
	}
	if len(lists) > 0 {
		parent := bindContext(n.kids[0], lists)
		if parent == nil {
			return nil
		}
		n = &node{n.kind, n.text, n.index, append([]*node{parent}, n.kids[1:]...)}
	}
	switch {
	case !takes || len(args.kids) == 0:
		return n
	case isNominal(n.kind):
		return with(kBound, typeOf(n), args)
	case n.kind == kFunction || n.kind == kConstructor:
		return with(kBoundFunction, n, args)
	}
	return nil
}

// bindContext binds arguments to what a declaration is in.
func bindContext(ctx *node, lists []*node) *node {
	if ctx.kind != kExtension {
		return bind(ctx, lists)
	}
	inner := bind(ctx.kid(1), lists)
	if inner == nil {
		return nil
	}
	return &node{kExtension, "", 0, append([]*node{ctx.kids[0], inner}, ctx.kids[2:]...)}
}
