package swift

import (
	"strconv"
	"strings"
)

// Nodes are shared, so what it writes and how many it visits have limits.
type printer struct {
	out     strings.Builder
	depth   int
	printed int
	failed  bool
	special bool // that the function is a specialization has been said
}

// say writes a text. Beyond the limit nothing more is written, and the name is an error.
func (pr *printer) say(s string) {
	if pr.out.Len()+len(s) > maxText {
		pr.failed = true
	}
	if !pr.failed {
		pr.out.WriteString(s)
	}
}

// node writes a node where it stands for itself.
func (pr *printer) node(n *node) { pr.inside(n, false) }

// inside prints a node, as what another one is in if prefix is set: "Foo" of
// "Foo.bar". It returns the part that has to follow in words: " in baz()".
func (pr *printer) inside(n *node, prefix bool) (rest *node) {
	if pr.depth++; n == nil || pr.depth > maxNesting {
		pr.failed = true
	}
	if pr.printed++; pr.printed > maxPrinted {
		pr.failed = true
	}
	if !pr.failed {
		rest = pr.write(n, prefix)
	}
	pr.depth--
	return rest
}

// write writes a node by its kind, and returns the part for later as inside does.
func (pr *printer) write(n *node, prefix bool) *node {
	if print := printers[n.kind]; print != nil {
		print(pr, n)
		return nil
	}
	if style, ok := entityStyle(n.kind); ok {
		if n.kind == kMacro && len(n.kids) == 3 { // without labels it is printed as a variable is
			style.typed = colon
		}
		return pr.entity(n, prefix, style)
	}
	if n.kind == kAccessor {
		of := n.kid(0)
		style, ok := entityStyle(of.kind)
		if !ok {
			pr.failed = true
			return nil
		}
		style.extra, style.typed = n.text, colon
		return pr.entity(of, prefix, style)
	}
	return nil // says nothing: modules, labels, marks
}

// printers is set in init, because they print again.
var printers [256]func(*printer, *node)

func init() {
	text := func(pr *printer, n *node) { pr.say(n.text) }
	form := func(text string) func(*printer, *node) {
		return func(pr *printer, n *node) { pr.template(text, n) }
	}
	own := func(pr *printer, n *node) { pr.template(n.text, n) }
	printers = [256]func(*printer, *node){
		kIdentifier: text, kOperator: text, kParam: text, kClangType: text,
		kOpaqueOf: own, kForm: own, kPlain: own, kInOut: own, kRelatedName: own, kAttribute: own, kAnnotation: own, kRequirement: own,
		kType: form("$0"), kStatic: form("static $0"), kTuple: form("($,)"), kTypeList: form("$*"), kResult: form("$*"),
		kBuiltinTuple: form("Builtin.TheTupleType"),
		kBound:        (*printer).bound, kSignature: (*printer).signature, kDependent: (*printer).dependent,
		kTupleElement: (*printer).tupleElement, kArguments: func(pr *printer, n *node) { pr.parameters(nil, n) },
		kFunctionType: (*printer).functionType, kUncurried: (*printer).functionType,
		kPointer: (*printer).functionType, kOtherFunc: (*printer).functionType,
		kProtocolList: (*printer).protocols, kProtocolsWithClass: (*printer).protocols, kProtocolsWithObject: (*printer).protocols,
		kMetatype: (*printer).metatype, kExistentialMetatype: (*printer).metatype,
		kImplFunction: (*printer).impl, kImplParameter: (*printer).implValue, kImplResult: (*printer).implValue,
		kNumber:  func(pr *printer, n *node) { pr.say(strconv.Itoa(n.index)) },
		kBuiltin: func(pr *printer, n *node) { pr.say("Builtin." + n.text) },
		kExtension: func(pr *printer, n *node) {
			pr.node(n.kid(1))
			pr.optional(n.kid(2))
		},
		kLocalName: func(pr *printer, n *node) {
			pr.node(n.kid(1))
			pr.say(" #" + strconv.Itoa(n.kid(0).index+1))
		},
		kPrivateName: func(pr *printer, n *node) { pr.optional(n.kid(1)) },
		kPartialApply: func(pr *printer, n *node) {
			pr.say("partial apply")
			if len(n.kids) > 0 {
				pr.template(" for $*", n)
			}
		},
		kSpecialized: func(pr *printer, _ *node) {
			if !pr.special {
				pr.say("specialized ")
			}
			pr.special = true
		},
	}
}

func (pr *printer) list(nodes []*node, between string) {
	for i, n := range nodes {
		if i > 0 {
			pr.say(between)
		}
		pr.node(n)
	}
}

// optional writes a node that may be missing.
func (pr *printer) optional(n *node) {
	if n != nil {
		pr.node(n)
	}
}

// template prints a node by a text. In it $0 is the first child and so on, $(0 the
// same in parentheses where it needs them, $* all children, and $, and $. all
// of them with that between.
func (pr *printer) template(rest string, n *node) {
	for {
		at := strings.IndexByte(rest, '$')
		if at < 0 || at+1 == len(rest) {
			pr.say(rest)
			return
		}
		pr.say(rest[:at])
		c := rest[at+1]
		rest = rest[at+2:]
		switch c {
		case '*':
			pr.list(n.kids, "")
		case ',':
			pr.list(n.kids, ", ")
		case '.':
			pr.list(n.kids, ".")
		case '(':
			pr.enclosed(n.kid(int(rest[0] - '0')))
			rest = rest[1:]
		default:
			pr.node(n.kid(int(c - '0')))
		}
	}
}

// enclosed prints a type in parentheses if a mark behind it needs them.
func (pr *printer) enclosed(n *node) {
	if n == nil || isSimple(n) {
		pr.node(n)
		return
	}
	pr.template("($*)", &node{kids: []*node{n}})
}
