package swift

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
