package swift

import "strings"

// A form is an operator that takes operands off the stack and says something
// of them. Its operands are in the order in which they are taken:
//
//	t type, k type with a name, e entity, x context, d name, m module, n any, p protocol,
//	c conformance, a associated type, A path of them, g signature if there is one,
//	G the same with a space behind it
type form struct{ operands, text string }

// forms are those by their letters, the operands before the text.
var forms = tableOf(`
	HP=p |
	Hp=p |
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

// form reads the form whose first letter has been read.
// It reads one more letter, or two. Where neither is a form, nothing is read.
func (p *parser) form(letter string) (f form, ok bool) {
	start := p.pos
	for range 2 {
		letter += string(p.next())
		if entry, ok := forms[letter]; ok {
			f.operands, f.text, _ = strings.Cut(entry, " ")
			return f, true
		}
	}
	p.pos = start
	return f, false
}

// simple makes the node of a form.
func (p *parser) simple(f form) *node {
	n := &node{kind: kForm, text: f.text}
	for i := range len(f.operands) {
		if !n.add(p.operand(f.operands[i])) {
			return nil
		}
	}
	return n
}

// operand takes one operand off the stack, nil where another kind of node is on top.
func (p *parser) operand(what byte) *node {
	switch what {
	case 't':
		return p.pop(kType)
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
