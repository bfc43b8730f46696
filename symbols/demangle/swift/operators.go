package swift

import (
	"strconv"
	"strings"
)

// operators are what the first letter of an operator means, and longOperators what two or three
// letters mean that are no form. They are set in init, because some of them read further ones.
var (
	operators     [256]func(*parser) *node
	longOperators map[string]func(*parser) *node
)

func init() {
	say := func(k kind) func(*parser) *node { return func(*parser) *node { return &node{kind: k} } }
	operators = [256]func(*parser) *node{
		'A': (*parser).substitutions, 'B': (*parser).builtin, 'C': nominal(kClass), 'D': (*parser).typeMangling,
		'E': (*parser).extension, 'F': (*parser).function, 'G': (*parser).bound, 'H': (*parser).further,
		'I': (*parser).impl, 'L': (*parser).localName, 'M': (*parser).further,
		'O': nominal(kEnum), 'P': nominal(kProtocol), 'Q': (*parser).further, 'R': (*parser).requirement,
		'S': (*parser).standard, 'T': (*parser).further, 'V': nominal(kStruct), 'W': (*parser).further,
		'X': (*parser).further, 'Y': (*parser).further, 'a': nominal(kAlias), 'f': (*parser).further,
		'i': (*parser).subscript, 'o': (*parser).operatorName, 't': (*parser).tuple, 'w': (*parser).valueWitness,
		'd': say(kVariadic), 'y': say(kEmpty), '_': say(kFirst), '.': (*parser).suffix, '$': (*parser).integer,
		'K': func(*parser) *node { return annotation(annThrows, "") },
		'N': func(p *parser) *node { return withText(kForm, "type metadata for $0", p.pop(kType)) },
		'Z': func(p *parser) *node { return with(kStatic, p.popIf(isEntity)) },
		'c': func(p *parser) *node { return p.functionType(kFunctionType, "", false) },
		'g': func(p *parser) *node {
			n := p.numberNode()
			return with(kRetroactive, n, p.popIf(isAnyConformance))
		},
		'h': func(p *parser) *node { return formType("__shared $0", p.inner()) },
		'n': func(p *parser) *node { return formType("__owned $0", p.inner()) },
		'z': func(p *parser) *node { return typeOf(withText(kInOut, "inout $0", p.inner())) },
		'l': func(p *parser) *node { return p.signature(false) },
		'r': func(p *parser) *node { return p.signature(true) },
		'm': func(p *parser) *node { return typeOf(with(kMetatype, p.pop(kType))) },
		'p': func(p *parser) *node { return typeOf(p.protocolList()) },
		'q': func(p *parser) *node { return typeOf(p.paramIndex()) },
		'x': func(*parser) *node { return typeOf(param(0, 0)) },
		's': func(*parser) *node { return &node{kind: kModule, text: "Swift"} },
		'u': func(p *parser) *node {
			sig := p.pop(kSignature)
			return typeOf(with(kDependent, sig, p.pop(kType)))
		},
		'v': func(p *parser) *node {
			n := p.entity(kVariable)
			if n == nil {
				return nil
			}
			return p.accessor(n)
		},
	}
}

func nominal(k kind) func(*parser) *node { return func(p *parser) *node { return p.nominal(k) } }

func init() {
	function := func(k kind, before string, clang bool) func(*parser) *node {
		return func(p *parser) *node { return p.functionType(k, before, clang) }
	}
	metatype := func(k kind, how string) func(*parser) *node {
		return func(p *parser) *node { return typeOf(withText(k, how, p.pop(kType))) }
	}
	note := func(which int, text string) func(*parser) *node {
		return func(*parser) *node { return annotation(which, text) }
	}
	list := func(text string) func(*parser) *node {
		return func(p *parser) *node { return typeOf(p.list(kPlain, text, p.popType)) }
	}
	of := func(k kind, text string) func(*parser) *node {
		return func(p *parser) *node { return withText(k, text, p.context()) }
	}
	first := func() *node { return param(0, 0) }
	longOperators = map[string]func(*parser) *node{}
	for _, o := range [...]struct {
		letters string
		read    func(*parser) *node
	}{
		{"HC", (*parser).concrete},
		{"HX", func(p *parser) *node { return with(kConformance, p.conformances()) }},

		{"Qx", func(p *parser) *node { return p.substitute(p.memberType(nil)) }},
		{"QX", func(p *parser) *node { return p.substitute(p.memberPath(nil)) }},
		{"Qy", func(p *parser) *node { return p.substitute(p.memberType(p.paramIndex)) }},
		{"QY", func(p *parser) *node { return p.substitute(p.memberPath(p.paramIndex)) }},
		{"Qz", func(p *parser) *node { return p.substitute(p.memberType(first)) }},
		{"QZ", func(p *parser) *node { return p.substitute(p.memberPath(first)) }},
		{"QO", of(kOpaqueOf, "<<opaque return type of $0>>")}, {"Qo", (*parser).opaque},
		{"QP", list("Pack{$,}")}, {"QSd", list("@direct Pack{$,}")}, {"QSi", list("@indirect Pack{$,}")},

		{"Ta", func(*parser) *node { return &node{kind: kPartialApply} }},
		{"TA", func(*parser) *node { return &node{kind: kPartialApply} }},
		{"Tz", func(p *parser) *node { return p.completion("") }},
		{"TZ", func(p *parser) *node { return p.completion("checked ") }},
		{"TK", func(p *parser) *node { return p.keyPath("key path getter for ") }},
		{"Tk", func(p *parser) *node { return p.keyPath("key path setter for ") }},
		{"TH", func(p *parser) *node { return p.keyPathOperator("equality") }},
		{"Th", func(p *parser) *node { return p.keyPathOperator("hash") }},
		{"Tv", (*parser).outlined}, {"Te", (*parser).bridged}, {"TJ", (*parser).derivative},

		{"WZ", func(p *parser) *node { return p.once("one-time initialization function for $0") }},
		{"Wz", func(p *parser) *node { return p.once("one-time initialization token for $0") }},
		{"WJ", (*parser).differentiability},

		{"XE", function(kFunctionType, "", false)}, {"XU", function(kUncurried, "", false)},
		{"XA", function(kOtherFunc, "@autoclosure ", false)}, {"XK", function(kOtherFunc, "@autoclosure ", false)},
		{"XL", function(kOtherFunc, "@escaping @convention(block", false)}, {"Xf", function(kPointer, "@convention(thin) ", false)},
		{"XB", function(kOtherFunc, "@convention(block", false)}, {"XzB", function(kOtherFunc, "@convention(block", true)},
		{"XC", function(kPointer, "@convention(c", false)}, {"XzC", function(kPointer, "@convention(c", true)},
		{"XMt", metatype(kMetatype, "@thin ")}, {"XMT", metatype(kMetatype, "@thick ")}, {"XMo", metatype(kMetatype, "@objc_metatype ")},
		{"Xmt", metatype(kExistentialMetatype, "@thin ")}, {"XmT", metatype(kExistentialMetatype, "@thick ")},
		{"Xmo", metatype(kExistentialMetatype, "@objc_metatype ")}, {"Xp", metatype(kExistentialMetatype, "")},
		{"XX", func(p *parser) *node { return p.box(true) }}, {"Xx", func(p *parser) *node { return p.box(false) }},
		{"XY", nominal(kOtherNominal)}, {"XZ", (*parser).anonymous}, {"XP", (*parser).constrained},
		{"Xl", func(p *parser) *node { return typeOf(with(kProtocolsWithObject, p.protocolList())) }},
		{"Xc", func(p *parser) *node {
			class := p.pop(kType)
			return typeOf(with(kProtocolsWithClass, p.protocolList(), class))
		}},

		{"Ya", note(annAsync, "")}, {"Yb", note(annSendable, "@Sendable ")}, {"YA", note(annIsolation, "@isolated(any) ")},
		{"YC", note(annIsolation, nonisolated)}, {"YT", note(annSending, "")},
		{"Yjf", note(annDifferentiable, "@differentiable(_forward) ")}, {"Yjr", note(annDifferentiable, "@differentiable(reverse) ")},
		{"Yjd", note(annDifferentiable, "@differentiable ")}, {"Yjl", note(annDifferentiable, "@differentiable(_linear) ")},
		{"Yc", func(p *parser) *node { return annotation(annIsolation, "@$0 ", p.inner()) }},
		{"YK", func(p *parser) *node { return annotation(annThrows, "", p.inner()) }},

		{"fC", func(p *parser) *node { return p.initializer(kAllocator) }},
		{"fc", func(p *parser) *node { return p.initializer(kConstructor) }},
		{"fU", func(p *parser) *node { return p.closure("closure #") }},
		{"fu", func(p *parser) *node { return p.closure("implicit closure #") }},
		{"fm", func(p *parser) *node { return p.entity(kMacro) }},
		{"fM", (*parser).expansion}, {"fA", (*parser).defaultArgument},
		{"fD", of(kDeinit, "__deallocating_deinit")}, {"fZ", of(kDeinit, "__isolated_deallocating_deinit")},
		{"fd", of(kMember, "deinit")}, {"fE", of(kMember, "__ivar_destroyer")}, {"fe", of(kMember, "__ivar_initializer")},
		{"fi", of(kInitializer, "variable initialization expression")}, {"fP", of(kInitializer, "property wrapper backing initializer")},
		{"fF", of(kInitializer, "property wrapped field init accessor")}, {"fW", of(kInitializer, "property wrapper init from projected value")},
	} {
		longOperators[o.letters] = o.read
	}
	for _, c := range []byte("ADIO") {
		longOperators["H"+string(c)] = func(p *parser) *node { return p.dependentConformance(c) }
	}
	for _, c := range []byte("gGBsitpPf") {
		longOperators["T"+string(c)] = func(p *parser) *node { return p.specialization(c) }
	}
}

// suffix takes what compilers append to a name: a point and anything.
func (p *parser) suffix() *node {
	p.pos = len(p.text)
	return &node{kind: kSuffix}
}

// integer reads a number that is a generic argument.
func (p *parser) integer() *node {
	sign := ""
	if p.take('n') {
		sign = "-"
	}
	n := p.number()
	if n < 0 {
		return nil
	}
	return plainType(sign + strconv.Itoa(n))
}

// Labels are those of a function's type.
func (p *parser) typeMangling() *node {
	t := p.pop(kType)
	labels := p.labels(t)
	if t == nil {
		return nil
	}
	if labels == nil {
		return withText(kForm, "$0", t)
	}
	return declare(kForm, &node{kind: kForm, text: ""}, labels, nil, t)
}

// valueWitnesses are the functions that a type has for its values:
// ValueWitnessMangling.def.
var valueWitnesses = tableOf(`
		al=allocateBuffer|ca=assignWithCopy|ta=assignWithTake|de=deallocateBuffer|xx=destroy|XX=destroyBuffer|
		Xx=destroyArray|CP=initializeBufferWithCopyOfBuffer|Cp=initializeBufferWithCopy|cp=initializeWithCopy|
		Tk=initializeBufferWithTake|tk=initializeWithTake|pr=projectBuffer|TK=initializeBufferWithTakeOfBuffer|
		Cc=initializeArrayWithCopy|Tt=initializeArrayWithTakeFrontToBack|tT=initializeArrayWithTakeBackToFront|
		xs=storeExtraInhabitant|xg=getExtraInhabitantIndex|ug=getEnumTag|up=destructiveProjectEnumData|
		ui=destructiveInjectEnumTag|et=getEnumTagSinglePayload|st=storeEnumTagSinglePayload`)

// valueWitness reads the two letters behind a w.
func (p *parser) valueWitness() *node {
	name, ok := valueWitnesses[string(p.next())+string(p.next())]
	if !ok {
		return nil
	}
	return withText(kForm, name+" for $0", p.pop(kType))
}

// forms are operators that take operands off the stack and say something of them, by their letters.
// The operands are in the order in which they are taken, with what the form is before them:
//
//	t type, I what is in one, k type with a name, e entity, x context, d name, w identifier, m module,
//	n any, p protocol, c conformance, a associated type, A path of them, i number,
//	g signature if there is one, G the same with a space behind it
//	! attribute of the whole symbol (an empty text is one that dump_syms leaves out), % conformance,
//	@ type, # type that needs no parentheses, & type that is known to substitutions
var forms = tableOf(`
	HF=!|HP=%p|Hp=%p|
	To=! @objc |TO=! @nonobjc |TD=! dynamic |Td=! super |TE=!|TF=!|Tm=!|TX=!|Tx=!|TI=!|TY=!i|TQ=!i|
	Tu=! async function pointer to |Twb=!|TwB=! back deployment fallback for |Twc=! coro function pointer to |
	Twd=! default override of |TwS=! #_hasSymbol query for |
	Qa=&wI $1.$0|Qr=@ some|QR=@i some|Qp=@II repeat $1|Qe=@Ii /* level: $1 */ each $0|
	Xo=@t unowned $0|Xu=@t unowned(unsafe) $0|Xw=@t weak $0|Xb=#t @box $0|XD=#t Self|Xe=# <ERROR TYPE>|
	XSq=#t $(0?|XSa=#t [$0]|XSA=#tt [$1 of $0]|XSD=#tt [$1 : $0]|XSp=#t ($0)|
	Yi=@I isolated $0|Yk=@I @noDerivative $0|Yt=@I _const $0|Yg=@I @const $0|Yu=@I sending $0|
	Hc=c protocol conformance descriptor runtime record for $0|
	Hn=t nominal type descriptor runtime record for $0|
	Ho=n opaque type descriptor runtime record for $0|
	Hr=p protocol descriptor runtime record for $0|
	Ma=t type metadata accessor for $0|
	MA=c reflection metadata associated type descriptor $0|
	Mb=t canonical specialized generic type metadata accessor for $0|
	MB=t reflection metadata builtin descriptor $0|
	Mc=c protocol conformance descriptor for $0|
	MC=k reflection metadata superclass descriptor $0|
	MD=t demangling cache variable for type metadata for $0|
	Mf=t full type metadata for $0|
	MF=t reflection metadata field descriptor $0|
	Mg=n opaque type descriptor accessor for $0|
	Mh=n opaque type descriptor accessor impl for $0|
	Mi=t type metadata instantiation function for $0|
	MI=t type metadata instantiation cache for $0|
	Mj=n opaque type descriptor accessor key for $0|
	MJ=n cache variable for noncanonical specialized generic type metadata for $0|
	Mk=n opaque type descriptor accessor var for $0|
	MK=n metadata instantiation cache for $0|
	Ml=t type metadata singleton initialization cache for $0|
	ML=t lazy cache variable for type metadata for $0|
	Mm=t metaclass for $0|
	MM=t specialized generic metaclass for $0|
	Mn=t nominal type descriptor for $0|
	MN=t noncanonical specialized generic type metadata for $0|
	Mo=t class metadata base offset for $0|
	Mp=p protocol descriptor for $0|
	MP=t generic type metadata pattern for $0|
	Mq=n uniquable $0|
	MQ=n opaque type descriptor for $0|
	Mr=t type metadata completion function for $0|
	Ms=t ObjC resilient class stub for $0|
	MS=p protocol self-conformance descriptor for $0|
	Mt=t full ObjC resilient class stub for $0|
	Mu=t method lookup function for $0|
	MU=t ObjC metadata update function for $0|
	MV=e property descriptor for $0|
	Mz=t flag for loading of canonical specialized generic type metadata for $0|
	MXE=x extension descriptor $0|
	MXM=m module descriptor $0|
	MXY=nx anonymous descriptor $1|
	MXX=x anonymous descriptor $0|
	MXA=At generic parameter reference for associated type $1$0|
	TTI=e identity thunk of $0|
	Tc=e curry thunk of $0|
	Tj=e dispatch thunk of $0|
	Tq=e method descriptor for $0|
	TC=t coroutine continuation prototype for $0|
	TV=ee vtable thunk for $0 dispatching to $1|
	TW=ec protocol witness for $0 in conformance $1|
	TS=e protocol self-conformance witness for $0|
	TR=gtt thunk for $2|
	Tr=gtt thunk for $2|
	Ty=Gttt reabstraction thunk $0from $3 to $2 self $1|
	TU=tn $1 with global actor constraint $0|
	Tl=a associated type descriptor for $0|
	TL=p protocol requirements base descriptor for $0|
	TM=a default associated type metadata accessor for $0|
	Tn=pAt associated conformance descriptor for $2.$1: $0|
	TN=pAt default associated conformance accessor for $2.$1: $0|
	Tb=pt base conformance descriptor for $1: $0|
	WC=e enum case for $0|
	WV=t value witness table for $0|
	Wvd=e direct field offset for $0|
	Wvi=e indirect field offset for $0|
	WS=p protocol self-conformance witness table for $0|
	WP=c protocol witness table for $0|
	Wp=c protocol witness table pattern for $0|
	WG=c generic protocol witness table for $0|
	Wr=c resilient protocol witness table for $0|
	WI=c instantiation function for generic protocol witness table for $0|
	Wl=ct lazy protocol witness table accessor for type $1 and conformance $0|
	WL=ct lazy protocol witness table cache variable for type $1 and conformance $0|
	Wa=c protocol witness table accessor for $0|
	Wt=dc associated type metadata accessor for $0 in $1|
	WT=tAc associated type witness table accessor for $1 : $0 in $2|
	Wb=tc base witness table accessor for $0 in $1|
	WOB=gt outlined init with take of $1|
	WOC=gt outlined init with copy of $1|
	WOD=gt outlined assign with take of $1|
	WOF=gt outlined assign with copy of $1|
	WOH=gt outlined destroy of $1|
	WOb=gt outlined init with take of $1|
	WOc=gt outlined init with copy of $1|
	WOd=gt outlined assign with take of $1|
	WOf=gt outlined assign with copy of $1|
	WOh=gt outlined destroy of $1|
	WOy=gt outlined copy of $1$0|
	WOe=gt outlined consume of $1$0|
	WOr=gt outlined retain of $1|
	WOs=gt outlined release of $1|
	WOg=gt outlined enum get tag of $1|
	WOi=igt outlined enum tag store of $2|
	WOj=igt outlined enum project data for load of $2`)

// further reads an operator of two or three letters, of which the first has been read.
func (p *parser) further() *node {
	first := p.pos - 1
	for end := first + 2; end <= min(first+3, len(p.text)); end++ {
		if form, ok := forms[p.text[first:end]]; ok {
			p.pos = end
			return p.simple(form)
		}
		if read, ok := longOperators[p.text[first:end]]; ok {
			p.pos = end
			return read(p)
		}
	}
	return nil
}

func (p *parser) simple(form string) *node {
	operands, text, _ := strings.Cut(form, " ")
	n, mark := &node{text: text}, byte(0)
	for i := range len(operands) {
		switch c := operands[i]; c {
		case '!':
			n.kind = kAttribute
		case '%':
			n.kind = kConformanceHere
		case '#':
			n.kind, mark = kPlain, c
		case '@', '&':
			mark = c
		default:
			if !n.add(p.operand(c)) {
				return nil
			}
		}
	}
	switch mark {
	case 0:
		return n
	case '&':
		return p.substitute(typeOf(n))
	}
	return typeOf(n)
}

// operand takes one operand off the stack, nil where another kind of node is on top.
func (p *parser) operand(what byte) *node {
	switch what {
	case 't':
		return p.pop(kType)
	case 'I':
		return p.inner()
	case 'w':
		return p.pop(kIdentifier)
	case 'k':
		if t := p.pop(kType); t != nil && len(t.kids) == 1 && isNominal(t.kids[0].kind) {
			return t
		}
		return nil
	case 'e':
		return p.popIf(isEntity)
	case 'x':
		return p.context()
	case 'd':
		return p.popIf(isName)
	case 'm':
		return p.module()
	case 'n':
		return p.popAny()
	case 'p':
		return p.protocol()
	case 'c':
		return p.conformance()
	case 'a':
		return p.associated()
	case 'A':
		return p.associatedPath()
	case 'i':
		return p.numberNode()
	}
	sig := p.pop(kSignature)
	switch {
	case sig == nil:
		return &node{kind: kSilent}
	case what == 'G':
		return withText(kForm, "$0 ", sig)
	}
	return sig
}

// table is written as text, "key=value|key=value", because as a map literal every entry is code.
type table map[string]string

// tableOf reads a table. Space around an entry does not count, so that it can have lines.
func tableOf(text string) table {
	t := table{}
	for entry := range strings.SplitSeq(text, "|") {
		if key, value, ok := strings.Cut(strings.Trim(entry, "\n\t"), "="); ok {
			t[key] = value
		}
	}
	return t
}

// of is what a letter means, and whether it means anything.
func (t table) of(c byte) (string, bool) {
	text, ok := t[string(rune(c))]
	return text, ok
}
