package swift

// A kind is the kind of a node, as far as operators or the printer need it. Behind it
// stand the children in their order. The order of the kinds matters: see isName and the functions after it.
type kind uint8

const (
	kForm  kind = iota // printed by the template in its text
	kPlain             // the same; a type that needs no parentheses

	kType        // wraps a type
	kModule      // text: its name
	kIdentifier  // text: the name
	kLocalName   // index in a function, name
	kPrivateName // of a file: discriminator, name
	kRelatedName // of a declaration that an importer made
	kOperator    // text: its signs and where it stands

	kClass // context, name; so are the next four
	kStruct
	kEnum
	kProtocol
	kOtherNominal // XY, of a kind that the name does not say
	kAlias        // a typealias
	kBuiltinTuple // the type of all tuples

	kBound         // type, arguments
	kBoundFunction // function, arguments
	kExtension     // module, type, signature if there is one
	kAnonymous     // a context without a name
	kStatic        // of what is a member of the type
	kOpaqueOf      // the declaration whose result is opaque

	kFunction    // context, name, labels if there are any, type
	kVariable    // context, name, labels if there are any, type
	kSubscript   // context, labels if there are any, type, private name
	kAccessor    // text: which
	kAllocator   // __allocating_init
	kConstructor // init
	kDeinit      // text: its name in a class
	kMember      // text: its name; without a type
	kInitializer // text: its name; of a variable
	kClosure     // text: which, index
	kMacro       // context, name, labels if there are any, type
	kExpansion   // text: of which macro

	kTuple        // elements
	kTupleElement // kVariadic and kTupleName if there are any, type
	kTupleName    // text: the label
	kVariadic     // mark: the element is repeated
	kFirst        // mark: the first of a list
	kEmpty        // mark: an empty list
	kFunctionType // annotations, kArguments, kResult
	kUncurried    // the same for a method before its call
	kPointer      // a thin function, or one of C: text before it
	kOtherFunc    // text before it
	kArguments    // a type, or a tuple of several
	kResult       // a type, not printed
	kAnnotation   // of a function type; index: which
	kClangType    // text: in Itanium's mangling
	kTypeList     // arguments of a type
	kLabels       // an identifier or kFirst for each parameter; none: no labels
	kNumber       // index

	kSignature   // kParamCount of each depth, then requirements
	kParamCount  // index: how many
	kPackMarker  // a parameter that is a pack
	kValueMarker // a parameter that is a value, and its type
	kRequirement // printed by the template in its text
	kParam       // text: A, B1
	kDependent   // signature, type

	kProtocolList        // kTypeList
	kProtocolsWithClass  // kProtocolList, class
	kProtocolsWithObject // kProtocolList
	kMetatype            // text: how it is kept; type
	kExistentialMetatype // text: how it is kept; type
	kInOut               // a parameter
	kBuiltin             // text: its name behind "Builtin."

	kConformanceHere      // of the type's or the protocol's module
	kConformance          // of a type to a protocol
	kDependentConformance // that follows from another one
	kRetroactive          // index, conformance that another module declares

	kAttribute    // of the whole symbol: text before it
	kSpecialized  // "specialized", said once
	kPartialApply // what it is for
	kSuffix       // what compilers append

	kImplFunction      // attributes, values; index 1: its result is sent
	kImplParameter     // text: convention and flags; type
	kImplResult        // text: convention and flags; type
	kImplSubstitutions // text: of the pattern; arguments, signature
	kSilent            // says nothing that is printed
)

// A node is a part of a name.
type node struct {
	kind  kind
	text  string
	index int
	kids  []*node
}

// with makes a node of others; nil when one of them is missing.
func with(k kind, kids ...*node) *node { return withText(k, "", kids...) }

// withText is with, for a node that has a text. So operators need no checks of their own:
// an operand that is missing makes the result nil, and that is the error.
func withText(k kind, text string, kids ...*node) *node {
	for _, kid := range kids {
		if kid == nil {
			return nil
		}
	}
	return &node{kind: k, text: text, kids: kids}
}

func typeOf(n *node) *node { return with(kType, n) }

// plainType is a type that a template prints.
func plainType(template string, kids ...*node) *node {
	return typeOf(withText(kPlain, template, kids...))
}

// formType is a type that a template prints, and that needs parentheses before ? or .Type.
func formType(template string, kids ...*node) *node {
	return typeOf(withText(kForm, template, kids...))
}

// add appends a child, and reports whether it was there.
func (n *node) add(kid *node) bool {
	if n == nil || kid == nil {
		return false
	}
	n.kids = append(n.kids, kid)
	return true
}

// kid is a child, or nil.
func (n *node) kid(i int) *node {
	if n == nil || i < 0 || i >= len(n.kids) {
		return nil
	}
	return n.kids[i]
}

// find is the first child of a kind, or nil.
func (n *node) find(k kind) *node {
	for _, kid := range n.kids {
		if kid.kind == k {
			return kid
		}
	}
	return nil
}

// is reports the kind of a node that may be missing.
func (n *node) is(k kind) bool { return n != nil && n.kind == k }

// isName reports whether a declaration can be named so.
func isName(k kind) bool { return k >= kIdentifier && k <= kOperator }

// isNominal reports whether a node is a type that has a name.
func isNominal(k kind) bool { return k >= kClass && k <= kBuiltinTuple }

// isContext reports whether declarations can be in a node.
// Operators and closures are in functions, and those in types or modules.
func isContext(k kind) bool {
	switch k {
	case kModule, kClass, kStruct, kEnum, kProtocol, kOtherNominal, kAlias, kBuiltinTuple, kExtension, kAnonymous, kStatic, kOpaqueOf:
		return true
	}
	return k >= kFunction && k <= kClosure
}

// isEntity reports whether attributes and thunks can be of a node.
func isEntity(k kind) bool { return k == kType || isContext(k) }

// isRequirement reports whether a node belongs to a generic signature.
func isRequirement(k kind) bool { return k >= kPackMarker && k <= kRequirement }

// isAttribute reports whether a node says something of the whole symbol, and
// so is printed before it.
func isAttribute(k kind) bool { return k >= kAttribute && k <= kPartialApply }

// takesArguments reports whether generic arguments can be bound to a node.
func takesArguments(k kind) bool {
	switch k {
	case kVariable, kSubscript, kClosure, kInitializer, kStatic:
		return false
	}
	return true
}

// isSimple reports whether a type needs no parentheses before a question mark.
func isSimple(n *node) bool {
	for n.kind == kType && len(n.kids) > 0 {
		n = n.kids[0]
	}
	switch n.kind {
	case kProtocolList:
		return n.kid(0) == nil || len(n.kids[0].kids) <= 1
	case kProtocolsWithObject:
		list := n.kid(0).kid(0)
		return list == nil || len(list.kids) == 0
	case kPlain, kModule, kBound, kBoundFunction, kDependent, kParam, kExistentialMetatype, kMetatype, kTuple, kBuiltin,
		kResult, kTupleName, kTypeList, kLabels:
		return true
	}
	return isNominal(n.kind)
}

// isExistential reports whether a type is that of values of any conforming type.
func isExistential(n *node) bool {
	switch n.kind {
	case kExistentialMetatype, kProtocolList, kProtocolsWithClass, kProtocolsWithObject:
		return true
	}
	return false
}

// isMark reports whether a node is a mark between operands.
func isMark(k kind) bool { return k == kVariadic || k == kFirst || k == kEmpty || k == kAnnotation }
