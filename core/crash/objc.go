package crash

const objcWhy = "It was not caught."

// objcSigns are the functions of an Objective-C exception.
// Sources: objc4 runtime/objc-exception.mm, CoreFoundation's __exceptionPreprocess.
var objcSigns = []sign{
	{"objc_exception_throw", Thrown, "Objective-C exception", objcWhy},
	{"__exceptionPreprocess", Thrown, "Objective-C exception", objcWhy},
	{"_objc_terminate", Thrown, "Objective-C exception", objcWhy},
	{"_objc_fatal*", Asserted, "Fatal error of the Objective-C runtime", "The runtime detected an inconsistent state."},
}
