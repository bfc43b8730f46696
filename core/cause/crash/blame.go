package crash

import (
	"slices"
	"strings"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/funcname"
)

// blame returns the frame to name: the innermost frame of the program's own code, behind the
// functions that ended the program. It names a standard library only if there is no other frame,
// and the system only if it did not merely report the failure.
func blame(in *Input, cause *Finding) int {
	if len(in.Frames) == 0 {
		return -1
	}
	from := blameFrom(in, cause)
	if i := firstOwn(in, from); i >= 0 {
		return behindLinked(in, i, cause != nil && EndedByCall(report.FindingKind(cause.Kind)))
	}
	for i := from; i < len(in.Frames); i++ {
		if f := &in.Frames[i]; (f.index() >= 0 || f.Inline.Interpreted()) && !systemFrame(in, f) && !isMachinery(f) && !isStart(f) {
			return i
		}
	}
	if f := &in.Frames[from]; isJump(cause) && systemFrame(in, f) || isStart(f) {
		return -1 // the function that starts a thread or a program did not jump
	}
	if f := &in.Frames[from]; cause != nil && isMachinery(f) && (cause.Kind == Panic || strings.HasPrefix(f.function(), "runtime.")) {
		return -1 // a runtime's own functions report what happened elsewhere
	}
	return from
}

// behindLinked returns the frame that called the code of a library which was linked into a static program, if a frame is one: a function without
// a source line, such as strcmp, behind which the same module has a function with one. That may be a scanned frame if the program
// ended itself by a call. In other programs a function without a line is as likely the program's own.
func behindLinked(in *Input, i int, called bool) int {
	f := &in.Frames[i]
	if _, line := f.source(); line != 0 || f.function() == "" || f.Inline != nil || f.index() < 0 || !isStatic(in) {
		return i
	}
	for n := i + 1; n < min(len(in.Frames), i+endDepth) && (called || !in.Frames[n].Guess); n++ {
		g := &in.Frames[n]
		if _, line := g.source(); line != 0 && g.index() == f.index() && ownFrame(in, g) {
			return n
		}
	}
	return i
}

// isStatic reports whether a process of Linux has no library of the system, so that its C library is part of the program. The kernel maps its
// own module into static programs, too.
func isStatic(in *Input) bool {
	if !in.OS.IsLinux() || in.System == nil {
		return false
	}
	return !slices.ContainsFunc(in.Modules.Modules(), func(m module.Module) bool {
		return in.System(&m) && !module.IsVDSO(m.CodeFile)
	})
}

// isJump reports whether execution jumped to a bad address. The frames on the stack then called it,
// but are not where it went.
func isJump(cause *Finding) bool {
	return cause != nil && (cause.Kind == BadJump || cause.Kind == UnloadedCode)
}

func blameFrom(in *Input, cause *Finding) int {
	switch {
	case isJump(cause) && len(in.Frames) > 1 && in.inData(in.Frames[0].address()) && ownFrame(in, &in.Frames[1]):
		return 1
	case isJump(cause) || !in.Frames[0].placed() && len(in.Frames) > 1:
		return caller(in.Frames)
	case in.Frames[0].FoundBy == report.ByFile && interruptedFrame(in.Frames) > 0:
		return interruptedFrame(in.Frames)
	case cause != nil && (raisedKinds[cause.Kind] || cause.Kind == Asserted && in.OS.IsWindows()): // raise calls the handler there
		return behindAbort(in.Frames)
	case cause != nil && cause.Kind == Thrown && in.OS.IsApple():
		return behindThrow(in.Frames)
	case cause != nil && (cause.Kind == Thrown || cause.Kind == PureVirtual):
		return behindHandler(in.Frames)
	case cause != nil && cause.Kind == StackOverflow:
		if loop := Repeated(in.Frames); len(loop) > 0 {
			return loop[0]
		}
	case cause != nil && cause.Kind == HeapCorrupt:
		return behindAllocator(in.Frames)
	}
	return 0
}

// inData reports whether an address is in memory that is listed as data, and a call went there: a return leaves the address below the stack
// pointer, and the next frame is not where it came from.
func (in *Input) inData(addr uint64) bool {
	s := &facts{in: in, regs: in.Regs}
	if in.Regs == nil || in.Arch == nil {
		return false
	}
	if in.OS.IsWindows() { // it puts the exception below the stack pointer
		return s.notExecutable(addr) || in.Exception != nil && s.windowsAccess() == execute && in.Exception.param(1) == addr
	}
	if !s.notExecutable(addr) {
		return false
	}
	sp, _ := s.sp()
	taken, ok := s.word(sp - uint64(in.Arch.Word))
	return !ok || taken != addr
}

// isStart reports whether a function is the one that calls main. Source: mingw-w64, crt/crtexe.c; Visual C++, exe_common.inl.
func isStart(f *Row) bool {
	return slices.Contains([]string{"__tmainCRTStartup", "mainCRTStartup", "WinMainCRTStartup", "__scrt_common_main_seh"}, f.function())
}

// terminates are the functions that call a terminate handler, which may be the program's own.
var terminates = []string{"std::terminate*", "std::__terminate*", "__cxxabiv1::__terminate*", "terminate"}

// throwers are the functions that throw an exception. Personality routines between them and std::terminate may have parts without names.
var throwers = []string{"__cxa_throw", "__cxa_rethrow", "std::rethrow_exception*", "_CxxThrowException"}

// behindHandler returns the frame that threw the exception or called the terminate handler, if it is on the stack.
func behindHandler(frames []Row) int {
	frames = frames[:min(len(frames), endDepth)]
	named := func(patterns []string) int {
		return max(0, slices.IndexFunc(frames, func(r Row) bool {
			name := funcname.Plain(r.function())
			return !r.Guess && r.certain() && slices.ContainsFunc(patterns, func(pattern string) bool { return matches(pattern, name) })
		}))
	}
	ends, throws := named(terminates), named(throwers)
	if ends < throws && !slices.ContainsFunc(frames[ends:throws], func(r Row) bool { return r.function() != "" && r.Own() }) {
		return throws
	}
	return ends
}

// interruptedFrame returns the frame that a signal interrupted, by the file: those before it are the handler's.
func interruptedFrame(frames []Row) int {
	return slices.IndexFunc(frames, func(r Row) bool { return r.Walked().Interrupted })
}

// raisedKinds are events that a program causes itself by a call. The frames of the system that it
// called are not to blame.
var raisedKinds = map[Kind]bool{
	Aborted: true, BadArgument: true, SystemCall: true, Locking: true, Hang: true, RaisedException: true, RaisedSignal: true,
	Arithmetic: true, OutOfBounds: true, // on Windows raised by a call, too
}

// abortDepth is how many frames abort and raise have in C libraries.
const abortDepth = 4

// behindAbort returns the frame that called abort or raise, if these are not the innermost frames.
// The function that makes the system call may have the name of any public symbol in front of it.
func behindAbort(frames []Row) int {
	for i := range frames[:min(len(frames), abortDepth)] {
		if frames[i].Guess || strings.HasPrefix(frames[i].function(), "__libc_start_") { // it called main
			break
		}
		if isMachinery(&frames[i]) && i+1 < len(frames) {
			return i
		}
	}
	return 0
}

// throwDepth is the number of frames that handle an uncaught Objective-C exception: those of the
// crash handler, which is part of the program, then the runtime's.
const throwDepth = 8

// behindThrow returns the frame that called the Objective-C runtime to throw.
func behindThrow(frames []Row) int {
	behind := 0
	for i := range frames[:min(len(frames), throwDepth)] {
		if strings.HasPrefix(frames[i].module(), "libobjc") && i+1 < len(frames) {
			behind = i + 1
		}
	}
	return behind
}

// caller returns the first frame in a module, or with a name by the file: the code that jumped to a bad address.
func caller(frames []Row) int {
	for i := range frames {
		if frames[i].placed() { // even a scanned one: the address was on top of the stack
			return i
		}
	}
	return 0
}

// EndedByCall reports whether a finding is an event that the program caused by a call, so that the caller of
// the functions that end it is to blame.
func EndedByCall(kind report.FindingKind) bool {
	k := Kind(kind)
	return raisedKinds[k] || endingKinds[k]
}

// endingKinds are the other findings about functions that end programs.
var endingKinds = map[Kind]bool{
	Panic: true, Asserted: true, Thrown: true, HeapCorrupt: true, StackSmashed: true, PureVirtual: true, OutOfMemory: true, Sanitizer: true,
}
