package crash

const swiftWhy = "The Swift runtime detected an inconsistent state."

// swiftSigns are the functions with which Swift ends a program.
// Sources: stdlib/public/runtime/Errors.cpp, stdlib/public/core/AssertCommon.swift.
var swiftSigns = []sign{
	{"swift::fatalError*", Panic, "Swift runtime error", swiftWhy},
	{"swift::crash", Panic, "Swift runtime error", swiftWhy},
	{"_swift_runtime_on_report", Panic, "Swift runtime error", swiftWhy},
	{"swift_dynamicCastFailure*", Panic, "Swift cast failed", "A value is not of the type that it was cast to."},
	{"swift_unexpectedError", Panic, "Swift error not handled", "try! got an error."},
	{"swift_deletedMethodError", Panic, "Swift runtime error", swiftWhy},
	{"_assertionFailure*", Panic, "Swift fatal error", "A check of Swift failed: fatalError, precondition, an index, or a nil that was unwrapped."},
	{"Swift._assertionFailure*", Panic, "Swift fatal error", "A check of Swift failed: fatalError, precondition, an index, or a nil that was unwrapped."},
	{"_fatalErrorMessage*", Panic, "Swift fatal error", "A check of Swift failed."},
}
