package unwind

import (
	"slices"
	"strings"

	"crashglass/core/stack/funcname"
)

// An End says how a walk ended.
type End struct {
	Kind     EndKind
	Address  uint64 // the address that Kind is about
	To       uint64 // the caller's stack pointer, if it did not advance
	Function string // of ThreadStart and GuessedStart
	Evidence []Step // the methods that were tried last; only with Input.Explain
}

// An EndKind is the reason why a walk ended.
type EndKind uint8

// The reasons; 0 is none. Only the first four prove that the outermost frame was reached.
const (
	Undefined        EndKind = iota + 1 // the call frame information has no caller here
	ThreadStart                         // Function is where threads begin
	ZeroReturn                          // a proved rule found the return address 0
	ShadowEnd                           // the shadow stack, which has each call that has not returned, ends
	GuessedStart                        // Function is where threads begin, but a guess led there
	GuessedUndefined                    // the call frame information has no caller here, but a guess led there
	GuessedZero                         // the call frame information leads to the return address 0, but a guess led there
	ChainEnd                            // the chain of frame records or back links ends, and nothing was found behind it
	NoReturn                            // no plausible return address in the words above Address
	MemoryEnds                          // no plausible return address up to Address, where the captured memory ends
	NotCaptured                         // the stack at Address was not captured
	NoStack                             // the stack pointer is not known
	NoProgress                          // the caller's stack pointer To does not lie above Address
	NoCode                              // no code can be at the return address Address
	FrameLimit                          // Address frames were found
	NoPC                                // the file does not have the program counter
	NoCPU                               // the CPU is not known
)

// Complete reports whether the outermost frame was reached, with proof.
func (k EndKind) Complete() bool { return k >= Undefined && k <= ShadowEnd }

var endNames = [...]string{"", "undefined", "thread_start", "zero_return", "shadow_end", "guessed_start", "guessed_undefined", "guessed_zero", "chain_end", "no_return",
	"memory_ends", "not_captured", "no_stack", "no_progress", "no_code", "frame_limit", "no_pc", "no_cpu"}

// String returns the code in reports.
func (k EndKind) String() string { return endNames[k] }

// outermostFunctions are the functions at which threads begin. They have no caller, and the words
// above them on the stack belong to no frame. Windows on x86 has two: the one with one underscore
// calls the other.
var outermostFunctions = map[string]bool{
	"_start": true,                                                                           // ELF entry point
	"clone":  true, "__clone": true, "clone3": true, "__clone3": true, "__clone_start": true, // glibc, musl, bionic: a thread's first instruction
	"__bionic_clone": true, "__thread_start": true, // bionic (mips)
	"RtlUserThreadStart": true, "_RtlUserThreadStart": true, "__RtlUserThreadStart": true, // Windows
	"_RtlUserThreadStart@8": true, "__RtlUserThreadStart@8": true,
	"BaseThreadStart": true, "_BaseThreadStart@8": true, "BaseProcessStart": true, "_BaseProcessStart@4": true, // Windows XP
}

// appleFunctions are the outermost functions of macOS and iOS: of dyld and crt1.o, and of work queues. Elsewhere ordinary
// functions may have these names.
var appleFunctions = map[string]bool{"start": true, "_dyld_start": true, "thread_start": true, "start_wqthread": true}

// isOutermost reports whether threads of the walk's system begin in a function with that name.
func (w *walk) isOutermost(name string) bool {
	return outermostFunctions[name] || w.in.OS.IsApple() && appleFunctions[name]
}

// maxThunk bounds the size of these functions: they are all short, and the nearest linker symbol
// below may belong to another function.
const maxThunk = 256

// startAt returns the function at an instruction, if threads begin there.
func (w *walk) startAt(f *Frame) (Function, bool) {
	if f.Interrupted {
		return Function{}, false
	}
	fn, rel, ok := w.functionAt(f.Module, f.Instruction)
	if !ok || !w.isOutermost(funcname.Bare(fn.Name)) || fn.Public && rel-fn.Start > maxThunk {
		return Function{}, false
	}
	return fn, true
}

// callsMain reports whether a frame is glibc's function that calls main. It was called by _start, and the words above belong to no frame.
// Names: glibc, csu/libc-start.c; since 2.34 the symbol is that of a version, and the function has the suffix.
func (w *walk) callsMain(f *Frame) bool {
	fn, _, ok := w.functionAt(f.Module, f.Instruction)
	name, _, _ := strings.Cut(fn.Name, "@")
	return ok && !fn.Public && (name == "__libc_start_main" || name == "__libc_start_main_impl")
}

// isStart reports whether a function where threads begin has made the call before a return address.
func (w *walk) isStart(ra uint64) bool {
	fn, _, ok := w.functionAt(w.moduleAt(ra-1), ra-1)
	return ok && w.isOutermost(funcname.Bare(fn.Name))
}

// atStart returns the end of a walk at a function where threads begin.
func atStart(f *Frame, fn Function) End {
	if f.Guess {
		return End{Kind: GuessedStart, Function: fn.Name}
	}
	return End{Kind: ThreadStart, Function: fn.Name}
}

// lost returns the reason why there is no further frame after every method has failed.
func (w *walk) lost(f *Frame) End {
	sp, ok := f.Regs.Get(w.SP)
	if !ok {
		sp = f.base
	}
	switch _, captured := w.word(sp); {
	case !ok && sp == 0:
		return End{Kind: NoStack}
	case w.failed.Kind != 0:
		return w.failed
	case !captured:
		return End{Kind: NotCaptured, Address: sp}
	case w.hasUncaptured:
		return End{Kind: MemoryEnds, Address: w.uncaptured}
	}
	return End{Kind: NoReturn, Address: sp}
}

// Withhold returns the name for a function in a symbol file without names, so that walks stay the
// same. Names that a walk looks for stay, because every program of the system has them, and the
// name of a split-off part still marks a part. Any other name becomes instead.
func Withhold(name, instead string) string {
	if bare := funcname.Bare(name); outermostFunctions[bare] || appleFunctions[bare] || returnsFromSignal(name) {
		return name
	}
	if fn := (Function{Name: name}); fn.isPart() {
		return instead + ".cold"
	}
	return instead
}

// returnsFromSignal reports whether signal handlers of any system return to a function with that
// name.
func returnsFromSignal(name string) bool {
	for _, t := range targets {
		for i := range t.trampolines {
			if t.trampolines[i].isNamed(name) {
				return true
			}
		}
	}
	return false
}

// isNamed reports whether a function with that name is the trampoline. Linkers of some systems add
// an underscore in front.
func (t *trampoline) isNamed(function string) bool {
	return slices.ContainsFunc(t.names, func(name string) bool { return strings.TrimPrefix(function, "_") == strings.TrimPrefix(name, "_") })
}
