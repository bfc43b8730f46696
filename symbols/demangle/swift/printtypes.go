package swift

import "strconv"

// paramName is the name of a generic parameter: A, B, of an inner declaration
// A1.
// Source: genericParameterName in NodePrinter.cpp. Behind Z comes AB.
func paramName(depth, index int) (name string) {
	for {
		name += string(rune('A' + index%26))
		if index /= 26; index == 0 {
			break
		}
	}
	if depth > 0 {
		name += strconv.Itoa(depth)
	}
	return name
}

// functionType prints a type that stands for itself, which has no labels.
func (pr *printer) functionType(n *node) { pr.function(nil, n) }

// function prints a function type without its result.
func (pr *printer) function(labels, n *node) {
	if n == nil || len(n.kids) < 2 {
		pr.failed = true
		return
	}
	pr.say(n.text)
	kids := n.kids[:len(n.kids)-2]
	if n.text != "" && n.text[len(n.text)-1] != ' ' { // a convention
		if len(kids) > 0 && kids[0].kind == kClangType {
			pr.say(`, mangledCType: "` + kids[0].text + `"`)
		}
		pr.say(") ")
	}
	for _, kid := range kids {
		if kid.kind == kAnnotation {
			pr.node(kid)
		}
	}
	pr.parameters(labels, n.kids[len(n.kids)-2])
}

// Where one parameter has a label the others have an underscore: (x: Int, _: String).
func (pr *printer) parameters(labels, n *node) {
	params := n.kid(0).kid(0)
	if n.kind != kArguments || params == nil {
		pr.failed = true
		return
	}
	pr.say("(")
	if params.kind != kTuple {
		pr.node(params)
		pr.say(")")
		return
	}
	for i, param := range params.kids {
		if i > 0 {
			pr.say(", ")
		}
		if label := labels.kid(i); label.is(kIdentifier) {
			pr.say(label.text + ": ")
		} else if labels != nil && len(labels.kids) > 0 {
			pr.say("_: ")
		}
		pr.node(param)
	}
	pr.say(")")
}

// tupleElement prints a label, the type, and dots for "Int...".
func (pr *printer) tupleElement(n *node) {
	if name := n.find(kTupleName); name != nil {
		pr.say(name.text + ": ")
	}
	pr.node(n.find(kType))
	if n.find(kVariadic) != nil {
		pr.say("...")
	}
}

// bound prints a type with generic arguments: String?, [Int], Foo<Int>.
func (pr *printer) bound(n *node) {
	of, args := n.kid(0).kid(0), n.kid(1)
	if of == nil || args == nil {
		pr.failed = true
		return
	}
	if of.kind == kProtocol && len(n.kids) == 2 {
		pr.list(args.kids, "")
		pr.say(" as ")
		pr.node(n.kids[0])
		return
	}
	form := ""
	if name := of.kid(1); len(n.kids) == 2 && of.kid(0).is(kModule) && of.kids[0].text == "Swift" && name.is(kIdentifier) {
		form = sugar[sugared{of.kind, name.text, len(args.kids)}]
	}
	if form != "" {
		pr.template(form, args)
		return
	}
	pr.node(n.kids[0])
	pr.template("<$,>", args)
}

// A sugared type of the library has a form of its own. Only types of Swift's own module have
// one, as in NodePrinter::findSugar.
type sugared struct {
	kind kind
	name string
	args int
}

var sugar = map[sugared]string{
	{kEnum, "Optional", 1}: "$(0?", {kEnum, "ImplicitlyUnwrappedOptional", 1}: "$(0!", {kStruct, "Array", 1}: "[$0]", {kStruct, "Dictionary", 2}: "[$0 : $1]",
}

// maxParams bounds how many generic parameters are printed, as in Swift.
const maxParams = 128

// marksOf are what the signature says of single parameters, by their names: that one is
// a pack ("each ") or a value ("let "). Only marks in front of all requirements count, as
// in Swift's NodePrinter::printGenericSignature.
func marksOf(signature *node) (packs, values map[string]bool) {
	packs, values = map[string]bool{}, map[string]bool{}
	for _, kid := range signature.kids {
		switch kid.kind {
		case kPackMarker:
			packs[kid.kid(0).kid(0).textOf()] = true
		case kValueMarker:
			values[kid.kid(0).kid(0).textOf()] = true
		case kRequirement:
			return packs, values
		}
	}
	return packs, values
}

// signature prints generic parameters without what is required of them.
func (pr *printer) signature(n *node) {
	pr.say("<")
	packs, values := marksOf(n)
	for depth, kid := range n.kids {
		if kid.kind != kParamCount {
			break
		}
		if depth > 0 {
			pr.say("><")
		}
		for i := range kid.index {
			if i > 0 {
				pr.say(", ")
			}
			if i >= maxParams {
				pr.say("...")
				break
			}
			// Swift compares depth with index here, and so does what is to look the same.
			if packs[paramName(i, depth)] {
				pr.say("each ")
			}
			if values[paramName(i, depth)] {
				pr.say("let ")
			}
			pr.say(paramName(depth, i))
		}
	}
	pr.say(">")
}

// textOf is the text of a node that may be missing.
func (n *node) textOf() string {
	if n == nil {
		return ""
	}
	return n.text
}

// dependent prints a type with the generic parameters that it has itself: <A> (A).
func (pr *printer) dependent(n *node) {
	pr.node(n.kid(0))
	if spaceBefore(n.kid(1)) {
		pr.say(" ")
	}
	pr.node(n.kid(1))
}

// The metatype of a protocol's own type is P.Protocol, and P.Type is that of any type that conforms.
func (pr *printer) metatype(n *node) {
	pr.say(n.text)
	if n.kind == kExistentialMetatype {
		pr.template("$0.Type", n)
		return
	}
	t := n.kid(0).kid(0)
	pr.enclosed(t)
	if t != nil && isExistential(t) {
		pr.say(".Protocol")
	} else {
		pr.say(".Type")
	}
}

// protocols prints a composition of protocols, with a class.
func (pr *printer) protocols(n *node) {
	list := n
	if n.kind != kProtocolList {
		list = n.kid(0)
	}
	list = list.kid(0)
	if list == nil {
		pr.failed = true
		return
	}
	if n.kind == kProtocolsWithClass {
		pr.node(n.kid(1))
		pr.say(" & ")
	}
	pr.list(list.kids, " & ")
	switch {
	case n.kind == kProtocolsWithObject && len(list.kids) > 0:
		pr.say(" & Swift.AnyObject")
	case n.kind == kProtocolsWithObject:
		pr.say("Swift.AnyObject")
	case n.kind == kProtocolList && len(list.kids) == 0:
		pr.say("Any")
	}
}

// impl prints the type of a function as the compiler lowers it.
func (pr *printer) impl(n *node) {
	var parameters, results, substitutions []*node
	for _, kid := range n.kids {
		switch kid.kind {
		case kImplParameter:
			parameters = append(parameters, kid)
		case kImplResult:
			results = append(results, kid)
		case kImplSubstitutions:
			substitutions = append(substitutions, kid)
		default:
			pr.node(kid)
			pr.say(" ")
		}
	}
	for _, s := range substitutions {
		if s.text != "" {
			pr.template("@substituted $1 ", s)
		}
	}
	pr.template("($,) -> ", &node{kids: parameters})
	if n.index != 0 {
		pr.say("sending ")
	}
	pr.template("($,)", &node{kids: results})
	for _, s := range substitutions {
		pr.template(" for <$0>", s)
	}
}

// implValue prints a parameter or a result behind its convention: @owned String.
func (pr *printer) implValue(n *node) {
	pr.say(n.text)
	pr.node(n.kid(0))
}
