package unwind

import (
	"fmt"
	"strings"
)

// outermostFunctions are where threads begin: nothing has called them, and
// what lies above them on the stack is not theirs.
var outermostFunctions = map[string]bool{
	"_start":                 true, // ELF entry point
	"start":                  true, // dyld and crt1.o of macOS
	"_dyld_start":            true,
	"clone":                  true, // glibc, musl, bionic: a thread's first instruction
	"__clone":                true,
	"clone3":                 true,
	"__clone3":               true,
	"__clone_start":          true,
	"thread_start":           true, // macOS
	"__thread_start":         true, // bionic (mips)
	"RtlUserThreadStart":     true, // Windows
	"_RtlUserThreadStart":    true,
	"__RtlUserThreadStart":   true,
	"_RtlUserThreadStart@8":  true,
	"__RtlUserThreadStart@8": true,
	"BaseThreadStart":        true, // Windows XP
	"_BaseThreadStart@8":     true,
	"BaseProcessStart":       true,
	"_BaseProcessStart@4":    true,
}

// maxThunk is how far behind a linker symbol its function can reasonably go on:
// the functions above are all short, and the nearest symbol below may be
// that of a neighbour.
const maxThunk = 256

// outermost reports whether the frame is a thread's first function, by its
// name. Where call frame information says so, it says so itself.
func outermost(w *walk, f *Frame) (End, bool) {
	if f.Trust == Scan || f.Trust == CFIScan || f.interrupted {
		return End{}, false
	}
	fn, rel, ok := w.functionAt(f.Module, f.Instruction)
	if !ok || !outermostFunctions[bareName(fn.Name)] || fn.Public && rel-fn.Start > maxThunk {
		return End{}, false
	}
	return complete(fmt.Sprintf("%s is where a thread begins", fn.Name)), true
}

// bareName removes the arguments that some symbol files put behind a name.
func bareName(name string) string {
	name, _, _ = strings.Cut(name, "(")
	return name
}

// lost says why there is no further frame when every method has failed.
func (w *walk) lost(f *Frame) End {
	sp, ok := f.Regs.Get(w.SP)
	switch {
	case !ok:
		return cut("the stack pointer is not known")
	case w.in.Memory == nil:
		return cut(fmt.Sprintf("stack not captured at %#x", sp))
	}
	if _, ok := w.in.Memory.Word(sp, w.Word); !ok {
		return cut(fmt.Sprintf("stack not captured at %#x", sp))
	}
	if w.hasUncaptured {
		return cut(fmt.Sprintf("no plausible return address up to %#x, where the captured memory ends", w.uncaptured))
	}
	return cut(fmt.Sprintf("no plausible return address in the words above %#x", sp))
}
