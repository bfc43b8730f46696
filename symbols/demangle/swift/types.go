package swift

import "strconv"

// builtins are the types of the compiler.
var builtins = tableOf(`
		A=ImplicitActor|b=BridgeObject|B=UnsafeValueBuffer|e=Executor|I=IntLiteral|O=UnknownObject|o=NativeObject|
		p=RawPointer|j=Job|D=DefaultActorStorage|d=NonDefaultDistributedActorStorage|c=RawUnsafeContinuation|t=SILToken|
		w=Word|P=PackIndex`)

// maxBits bounds the size of a builtin type, in Swift, too.
const maxBits = 4096

// builtin reads a type of the compiler, such as Bi64_ for Builtin.Int64. A size is
// one less than its index, and the element of a vector is on top of the stack.
func (p *parser) builtin() *node {
	c := p.next()
	switch c {
	case 'f':
		return p.sized("FPIEEE")
	case 'i':
		return p.sized("Int")
	case 'v':
		n := p.number() - 1
		element := p.inner()
		if n <= 0 || n > maxBits || !element.is(kBuiltin) {
			return nil
		}
		return typeOf(&node{kind: kBuiltin, text: "Vec" + strconv.Itoa(n) + "x" + element.text})
	case 'V':
		element := p.pop(kType)
		return plainType("Builtin.FixedArray<$0, $1>", p.pop(kType), element)
	case 'T':
		return typeOf(&node{kind: kBuiltinTuple})
	}
	if name, ok := builtins.of(c); ok {
		return typeOf(&node{kind: kBuiltin, text: name})
	}
	return nil
}

// sized reads a type with a size in bits.
func (p *parser) sized(name string) *node {
	n := p.number() - 1
	if n <= 0 || n > maxBits {
		return nil
	}
	return typeOf(&node{kind: kBuiltin, text: name + strconv.Itoa(n)})
}

// differentiable are the words for kinds of derivatives.
var differentiable = tableOf("f=@differentiable(_forward) |r=@differentiable(reverse) |d=@differentiable |l=@differentiable(_linear) ")

// inTypes are what one word says of a type.
var inTypes = tableOf("i=isolated $0|k=@noDerivative $0|t=_const $0|g=@const $0|u=sending $0")

// annotate reads what follows a Y.
// Some say something of a type, the others of the function type that follows.
func (p *parser) annotate() *node {
	c := p.next()
	if text, ok := inTypes.of(c); ok {
		return formType(text, p.inner())
	}
	switch c {
	case 'a':
		return annotation(annAsync, "")
	case 'b':
		return annotation(annSendable, "@Sendable ")
	case 'A':
		return annotation(annIsolation, "@isolated(any) ")
	case 'C':
		return annotation(annIsolation, nonisolated)
	case 'c':
		return annotation(annIsolation, "@$0 ", p.inner())
	case 'j':
		if text, ok := differentiable.of(p.next()); ok {
			return annotation(annDifferentiable, text)
		}
	case 'K':
		return annotation(annThrows, "", p.inner())
	case 'T':
		return annotation(annSending, "")
	}
	return nil
}

// functionTypes are the kinds of functions behind an X.
var functionTypes = tableOf("E=|U=|f=@convention(thin) |A=@autoclosure |K=@autoclosure |L=@escaping @convention(block|B=@convention(block|C=@convention(c")

// functionKind says how such a function is printed: only as its parameters, or behind a
// convention with a space.
func functionKind(c byte) kind {
	switch c {
	case 'E':
		return kFunctionType
	case 'U':
		return kUncurried
	case 'f', 'C':
		return kPointer
	}
	return kOtherFunc
}

// specials are the types behind an X that are made of one other type.
var specials = tableOf("o=unowned $0|u=unowned(unsafe) $0|w=weak $0")

// representations are how a metatype is kept.
var representations = tableOf("t=@thin |T=@thick |o=@objc_metatype ")

// special reads what follows an X.
// Source: Mangling.rst, "type ::= ... 'X'".
func (p *parser) special() *node {
	c := p.next()
	if text, ok := functionTypes.of(c); ok {
		return p.functionType(functionKind(c), text, false)
	}
	if text, ok := specials.of(c); ok {
		return formType(text, p.pop(kType))
	}
	switch c {
	case 'z':
		if c := p.next(); c == 'B' || c == 'C' {
			text, _ := functionTypes.of(c)
			return p.functionType(functionKind(c), text, true)
		}
		return nil
	case 'b':
		return plainType("@box $0", p.pop(kType))
	case 'D':
		return plainType("Self", p.pop(kType))
	case 'e':
		return plainType("<ERROR TYPE>")
	case 'Y':
		return p.nominal(kOtherNominal)
	case 'Z':
		types := p.typeList()
		name := p.pop(kIdentifier)
		return with(kAnonymous, p.context(), name, types)
	case 'X', 'x':
		return p.box(c == 'X')
	case 'S':
		return p.sugar()
	}
	return p.existential(c)
}

// existential reads metatypes and compositions of protocols.
//
//	p_XmT @thick P.Type, pXp P.Type, Xc with a class, Xl with AnyObject, XP any P<A == Int>
func (p *parser) existential(c byte) *node {
	switch c {
	case 'M', 'm':
		how, ok := representations.of(p.next())
		if !ok {
			return nil
		}
		k := kMetatype
		if c == 'm' {
			k = kExistentialMetatype
		}
		return typeOf(withText(k, how, p.pop(kType)))
	case 'p':
		return typeOf(with(kExistentialMetatype, p.pop(kType)))
	case 'P':
		all := p.list(kForm, "$,", func() *node { return p.popIf(isRequirement) })
		if all == nil || len(all.kids) == 0 {
			return nil
		}
		return formType("any $0<$1>", p.pop(kType), all)
	case 'c':
		class := p.pop(kType)
		return typeOf(with(kProtocolsWithClass, p.protocolList(), class))
	case 'l':
		return typeOf(with(kProtocolsWithObject, p.protocolList()))
	}
	return nil
}

// sugar reads types as a debugger names them.
func (p *parser) sugar() *node {
	switch p.next() {
	case 'q':
		return plainType("$(0?", p.pop(kType))
	case 'a':
		return plainType("[$0]", p.pop(kType))
	case 'A':
		element := p.pop(kType)
		return plainType("[$0 of $1]", p.pop(kType), element)
	case 'D':
		value := p.pop(kType)
		return plainType("[$0 : $1]", p.pop(kType), value)
	case 'p':
		return plainType("($0)", p.pop(kType))
	}
	return nil
}

// box reads the type of a box for captured variables.
// A variable that is captured by reference is inout in the name, and "var" in the text.
func (p *parser) box(generic bool) *node {
	var sig, args *node
	if generic {
		if sig, args = p.pop(kSignature), p.typeList(); sig == nil || args == nil {
			return nil
		}
	}
	fields := p.typeList()
	if fields == nil {
		return nil
	}
	out := &node{kind: kForm, text: "{ $, }"}
	for _, t := range fields.kids {
		field := withText(kForm, "let $0", t)
		if in := t.kid(0); in.is(kInOut) {
			field = withText(kForm, "var $0", typeOf(in.kid(0)))
		}
		if !out.add(field) {
			return nil
		}
	}
	if len(out.kids) == 0 {
		out.text = "{ }"
	}
	if sig == nil {
		return plainType("$0", out)
	}
	args = &node{kind: kForm, text: "$,", kids: args.kids}
	return plainType("$0 $1 <$2>", sig, out, args)
}
