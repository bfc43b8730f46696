package crash

const (
	goPanicWhy = "A goroutine panicked, and nothing recovered."
	goFatalWhy = "The Go runtime detected an inconsistent state."
	goDieWhy   = "The Go runtime ended the program after a signal. Its handler has a stack of its own; what failed is on the goroutine's stack, which is another one."
)

// goSigns are the functions with which a Go program ends.
// Sources: src/runtime/panic.go and src/runtime/signal_unix.go.
var goSigns = []sign{
	{"runtime.gopanic", Panic, "Go panic", goPanicWhy},
	{"runtime.fatalpanic", Panic, "Go panic", goPanicWhy},
	{"runtime.panicIndex", Panic, "Go panic: index out of range", goPanicWhy},
	{"runtime.panicdivide", Panic, "Go panic: division by zero", goPanicWhy},
	{"runtime.sigpanic", Panic, "Go panic after a signal", goPanicWhy},
	{"runtime.throw", Panic, "Fatal error of the Go runtime", goFatalWhy},
	{"runtime.fatal", Panic, "Fatal error of the Go runtime", goFatalWhy},
	{"runtime.fatalthrow", Panic, "Fatal error of the Go runtime", goFatalWhy},
	{"runtime.badsystemstack", Panic, "Fatal error of the Go runtime", goFatalWhy},
	{"runtime.dieFromSignal", Panic, "Go runtime ended by a signal", goDieWhy},
}
