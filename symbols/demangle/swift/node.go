package swift

// A kind is the kind of a node, as far as operators or the printer need it.
type kind uint8

const (
	kForm  kind = iota // printed by the template in its text
	kPlain             // the same; a type that needs no parentheses

	kType
	kModule
	kIdentifier
	kLocalName
	kPrivateName
	kRelatedName
	kOperator

	kClass
	kStruct
	kEnum
	kProtocol
	kOtherNominal
	kAlias
	kBuiltinTuple

	kBound
	kBoundFunction
	kExtension
	kAnonymous
	kStatic
	kOpaqueOf

	kFunction
	kVariable
	kSubscript
	kAccessor    // text: which
	kAllocator   // __allocating_init
	kConstructor // init
	kDeinit      // text: its name in a class
	kMember      // text: its name; without a type
	kInitializer // text: its name; of a variable
	kClosure     // text: which, index
	kMacro
	kExpansion // text: of which macro

	kTuple
	kTupleElement
	kTupleName
	kVariadic
	kFirst
	kEmpty
	kFunctionType
	kUncurried
	kPointer   // a thin function, or one of C: text before it
	kOtherFunc // text before it
	kArguments
	kResult
	kAnnotation // of a function type; index: which
	kClangType
	kTypeList
	kLabels
	kNumber

	kSignature
	kParamCount
	kPackMarker
	kValueMarker
	kRequirement
	kParam
	kDependent

	kProtocolList
	kProtocolsWithClass
	kProtocolsWithObject
	kMetatype
	kExistentialMetatype
	kInOut
	kBuiltin

	kConformanceHere // of the type's or the protocol's module
	kConformance     // of a type to a protocol
	kDependentConformance
	kRetroactive

	kAttribute // of the whole symbol: text before it
	kSpecialized
	kPartialApply
	kSuffix

	kImplFunction
	kImplParameter
	kImplResult
	kImplSubstitutions
	kSilent // says nothing that is printed
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

func withText(k kind, text string, kids ...*node) *node {
	for _, kid := range kids {
		if kid == nil {
			return nil
		}
	}
	return &node{kind: k, text: text, kids: kids}
}

// typeOf wraps a node as a type.
func typeOf(n *node) *node { return with(kType, n) }

// plainType is a type that a template prints.
func plainType(template string, kids ...*node) *node {
	return typeOf(withText(kPlain, template, kids...))
}

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
