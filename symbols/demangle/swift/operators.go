package swift

import "strconv"

// operators are what the first letter of an operator means. It is set in init,
// because some of them read further ones.
var operators [256]func(*parser) *node

func init() {
	nominal := func(k kind) func(*parser) *node { return func(p *parser) *node { return p.nominal(k) } }
	say := func(k kind) func(*parser) *node { return func(*parser) *node { return &node{kind: k} } }
	for c, read := range map[byte]func(*parser) *node{
		'A': (*parser).substitutions, 'B': (*parser).builtin, 'C': nominal(kClass), 'D': (*parser).typeMangling,
		'E': (*parser).extension, 'F': (*parser).function, 'G': (*parser).bound, 'H': (*parser).record,
		'I': (*parser).impl, 'L': (*parser).localName, 'M': (*parser).metadata,
		'O': nominal(kEnum), 'P': nominal(kProtocol), 'Q': (*parser).archetype, 'R': (*parser).requirement,
		'S': (*parser).standard, 'T': (*parser).thunk, 'V': nominal(kStruct), 'W': (*parser).witness,
		'X': (*parser).special, 'Y': (*parser).annotate, 'a': nominal(kAlias), 'f': (*parser).member,
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
	} {
		operators[c] = read
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

// typeMangling reads the D behind a type, which makes a name of it. Labels are those of a
// function's type.
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
