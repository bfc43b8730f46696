package swift

// The conventions of a function as the compiler lowers it: of itself, of its
// parameters and of its results.
var (
	calleeConventions    = tableOf("y=@callee_unowned|g=@callee_guaranteed|x=@callee_owned|t=@convention(thin)")
	languageConventions  = tableOf("B=block|C=c|M=method|O=objc_method|K=closure|W=witness_method")
	parameterConventions = tableOf(`
		i=@in|c=@in_constant|l=@inout|b=@inout_aliasable|n=@in_guaranteed|X=@in_cxx|x=@owned|g=@guaranteed|
		e=@deallocating|y=@unowned|v=@pack_owned|p=@pack_guaranteed|m=@pack_inout`)
	parameterFlags    = tableOf("w=@noDerivative |T=sending |I=isolated |L=sil_implicit_leading_param ")
	resultConventions = tableOf(`
		r=@out|o=@owned|d=@unowned|u=@unowned_inner_pointer|a=@autoreleased|k=@pack_out|l=@guaranteed_address|
		g=@guaranteed|m=@inout`)
)

// convention reads one of some conventions, if it is there.
func (p *parser) convention(of table) string {
	text, _ := of.of(p.peek())
	if text != "" {
		p.pos++
	}
	return text
}

// impl reads the type of a function as the compiler lowers it.
//
//	Si SS Ie g n o _: Int and String are the types, e escaping, g the callee's convention, n and o the values'
//
// Source: Mangling.rst, impl-function-type; the names of conventions are Demangler.cpp's.
func (p *parser) impl() *node {
	f := &node{kind: kImplFunction}
	if !p.implSubstitutions(f) {
		return nil
	}
	sig := p.pop(kSignature)
	if sig != nil {
		p.take('P')
	}
	if !p.implAttributes(f) {
		return nil
	}
	f.add(sig)
	attributes := len(f.kids)
	if !p.implValues(f) {
		return nil
	}
	for i := len(f.kids) - 1; i >= attributes; i-- {
		if !f.kids[i].add(p.pop(kType)) {
			return nil
		}
	}
	return typeOf(f)
}

// implSubstitutions reads what generic parameters of the type stand for.
// Both kinds are lists of arguments: s of the pattern, with a signature, and I of the call.
func (p *parser) implSubstitutions(f *node) bool {
	if p.take('s') {
		lists, _, ok := p.argumentLists()
		if !ok || !f.add(withText(kImplSubstitutions, "@substituted ", lists[0], p.pop(kSignature))) {
			return false
		}
	}
	if p.take('I') {
		lists, _, ok := p.argumentLists()
		if !ok || len(lists) != 1 {
			return false
		}
		f.add(with(kImplSubstitutions, lists[0]))
	}
	return true
}

// implAttributes reads what is said of the function as a whole. Each letter comes at most
// once, in this order; only the convention of the callee has to be there.
func (p *parser) implAttributes(f *node) bool {
	say := func(text string) { f.add(&node{kind: kForm, text: text}) }
	for _, flag := range []struct {
		c    byte
		text string
	}{{'e', "@escaping"}, {'A', "@isolated(any)"}, {'d', "@differentiable"}, {'l', "@differentiable(_linear)"},
		{'f', "@differentiable(_forward)"}, {'r', "@differentiable(reverse)"}} {
		if p.take(flag.c) {
			say(flag.text)
		}
	}
	callee := p.convention(calleeConventions)
	if callee == "" {
		return false
	}
	say(callee)
	p.implLanguage(f)
	for _, flag := range []struct {
		c    byte
		text string
	}{{'A', "@yield_once"}, {'I', "@yield_once_2"}, {'G', "@yield_many"}, {'h', "@Sendable"}, {'H', "@async"}} {
		if p.take(flag.c) {
			say(flag.text)
		}
	}
	if p.take('T') {
		f.index = 1 // its result is sent
	}
	return true
}

// implLanguage reads whose convention it is, with the C type if that is said.
func (p *parser) implLanguage(f *node) {
	clang := p.peek() == 'z' && p.pos+1 < len(p.text) && (p.text[p.pos+1] == 'B' || p.text[p.pos+1] == 'C')
	if clang {
		p.pos++
	}
	name := p.convention(languageConventions)
	if name == "" {
		return
	}
	if c := p.peek(); clang && isDigit(c) {
		if t := p.clangType(); t != nil {
			f.add(withText(kForm, "@convention("+name+", mangledCType: \"$0\")", t))
			return
		}
	}
	f.add(&node{kind: kForm, text: "@convention(" + name + ")"})
}

// implValues reads parameters, results, what is yielded, and the error. Their
// types are on the stack.
func (p *parser) implValues(f *node) bool {
	for text := p.convention(parameterConventions); text != ""; text = p.convention(parameterConventions) {
		f.add(&node{kind: kImplParameter, text: text + " " + p.implFlags("wTIL")})
	}
	for text := p.convention(resultConventions); text != ""; text = p.convention(resultConventions) {
		f.add(&node{kind: kImplResult, text: text + " " + p.implFlags("w")})
	}
	for p.take('Y') {
		text := p.convention(parameterConventions)
		if text == "" {
			return false
		}
		f.add(&node{kind: kImplResult, text: "@yields " + text + " "})
	}
	if p.take('z') {
		text := p.convention(resultConventions)
		if text == "" {
			return false
		}
		f.add(&node{kind: kImplResult, text: "@error " + text + " "})
	}
	return p.take('_')
}

// implFlags reads what else is said of a parameter.
func (p *parser) implFlags(allowed string) (text string) {
	for i := range len(allowed) {
		if p.take(allowed[i]) {
			flag, _ := parameterFlags.of(allowed[i])
			text += flag
		}
	}
	return text
}
