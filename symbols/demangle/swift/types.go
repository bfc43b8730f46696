package swift

import "strconv"

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

// anonymous reads a context without a name, which has types.
func (p *parser) anonymous() *node {
	types := p.typeList()
	name := p.pop(kIdentifier)
	return with(kAnonymous, p.context(), name, types)
}

// constrained reads a protocol type whose associated types are given: any P<A == Int>.
func (p *parser) constrained() *node {
	all := p.list(kForm, "$,", func() *node { return p.popIf(isRequirement) })
	if all == nil || len(all.kids) == 0 {
		return nil
	}
	return formType("any $0<$1>", p.pop(kType), all)
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
