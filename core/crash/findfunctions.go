package crash

import (
	"strings"
)

// A sign is a function whose presence near the top of the stack says why the
// program ended.
type sign struct {
	function string // a whole plain name, or a beginning that ends in '*'
	kind     Kind
	text     string
	why      string
}

// signs, most telling first: a failed assertion ends in abort, a C++ exception
// in std::terminate and then in abort.
var signs = []sign{
	{"__stack_chk_fail*", StackSmashed, "Stack buffer overrun", "The guard value between the locals and the return address was overwritten."},
	{"__fortify_fail*", StackSmashed, "Buffer overrun", "A function of the C library noticed that it would write beyond a buffer."},
	{"__chk_fail", StackSmashed, "Buffer overrun", "A function of the C library noticed that it would write beyond a buffer."},
	{"__fortify_chk_fail", StackSmashed, "Buffer overrun", "A function of the C library noticed that it would write beyond a buffer."},
	{"__report_gsfailure", StackSmashed, "Stack buffer overrun", "The guard value between the locals and the return address was overwritten."},
	{"__report_rangecheckfailure", StackSmashed, "Index out of range", "A check of the compiler noticed an index beyond an array."},

	{"malloc_printerr", HeapCorrupt, "Heap corruption", "The allocator found its bookkeeping damaged. What damaged it ran earlier."},
	{"malloc_error_break", HeapCorrupt, "Heap corruption", "The allocator found its bookkeeping damaged, or a pointer that it does not own."},
	{"RtlReportFatalFailure", HeapCorrupt, "Heap corruption", "The allocator found its bookkeeping damaged. What damaged it ran earlier."},
	{"RtlpHeapHandleError", HeapCorrupt, "Heap corruption", "The allocator found its bookkeeping damaged. What damaged it ran earlier."},
	{"scudo::reportError*", HeapCorrupt, "Heap corruption", "The allocator found its bookkeeping damaged, or a pointer that it does not own."},
	{"scudo::report*", HeapCorrupt, "Heap corruption", "The allocator found its bookkeeping damaged, or a pointer that it does not own."},

	{"__cxa_pure_virtual", PureVirtual, "Pure virtual function called", "A virtual function was called while the object was being made or taken apart."},
	{"_purecall", PureVirtual, "Pure virtual function called", "A virtual function was called while the object was being made or taken apart."},
	{"__cxa_deleted_virtual", PureVirtual, "Deleted virtual function called", "A virtual function was called that was declared as deleted."},

	{"partition_alloc::*OutOfMemory*", OutOfMemory, "Out of memory", "An allocation failed, and the program gave up."},
	{"base::TerminateBecauseOutOfMemory", OutOfMemory, "Out of memory", "An allocation failed, and the program gave up."},
	{"base::internal::OnNoMemoryInternal", OutOfMemory, "Out of memory", "An allocation failed, and the program gave up."},
	{"blink::*OutOfMemory*", OutOfMemory, "Out of memory", "An allocation failed, and the program gave up."},
	{"v8::internal::V8::FatalProcessOutOfMemory", OutOfMemory, "Out of memory", "JavaScript used up its heap."},
	{"v8::Utils::ReportOOMFailure", OutOfMemory, "Out of memory", "JavaScript used up its heap."},
	{"mozalloc_handle_oom", OutOfMemory, "Out of memory", "An allocation failed, and the program gave up."},
	{"NS_ABORT_OOM", OutOfMemory, "Out of memory", "An allocation failed, and the program gave up."},
	{"rust_oom", OutOfMemory, "Out of memory", "An allocation failed, and the program gave up."},
	{"__rust_alloc_error_handler", OutOfMemory, "Out of memory", "An allocation failed, and the program gave up."},
	{"std::alloc::rust_oom", OutOfMemory, "Out of memory", "An allocation failed, and the program gave up."},
	{"alloc::alloc::handle_alloc_error", OutOfMemory, "Out of memory", "An allocation failed, and the program gave up."},

	{"core::panicking::*", Panic, "Rust panic", "The functions of a Rust panic are on the stack."},
	// Not all of std::panicking: its try is below main and below each thread's function.
	{"std::panicking::begin_panic*", Panic, "Rust panic", "The functions of a Rust panic are on the stack."},
	{"std::panicking::rust_panic*", Panic, "Rust panic", "The functions of a Rust panic are on the stack."},
	{"std::panicking::panic_handler*", Panic, "Rust panic", "The functions of a Rust panic are on the stack."},
	{"std::panicking::default_hook*", Panic, "Rust panic", "The functions of a Rust panic are on the stack."},
	{"rust_begin_unwind", Panic, "Rust panic", "The functions of a Rust panic are on the stack."},
	{"rust_panic*", Panic, "Rust panic", "The functions of a Rust panic are on the stack."},
	{"core::option::unwrap_failed", Panic, "Rust panic", "The functions of a Rust panic are on the stack."},
	{"core::result::unwrap_failed", Panic, "Rust panic", "The functions of a Rust panic are on the stack."},
	{"runtime.gopanic", Panic, "Go panic", "The functions of a Go panic are on the stack."},
	{"runtime.fatalpanic", Panic, "Go panic", "The functions of a Go panic are on the stack."},
	{"runtime.throw", Panic, "Fatal error of the Go runtime", "The Go runtime found something that must not be."},
	{"runtime.fatalthrow", Panic, "Fatal error of the Go runtime", "The Go runtime found something that must not be."},
	{"swift::fatalError", Panic, "Swift runtime error", "The Swift runtime found something that must not be."},
	{"_swift_runtime_on_report", Panic, "Swift runtime error", "The Swift runtime found something that must not be."},
	{"_assertionFailure", Panic, "Swift runtime error", "A check of Swift failed."},

	{"__assert_fail*", Asserted, "Assertion failed", "The function that reports a failed assertion is on the stack."},
	{"__assert_rtn", Asserted, "Assertion failed", "The function that reports a failed assertion is on the stack."},
	{"__assert2", Asserted, "Assertion failed", "The function that reports a failed assertion is on the stack."},
	{"__assert", Asserted, "Assertion failed", "The function that reports a failed assertion is on the stack."},
	{"_wassert", Asserted, "Assertion failed", "The function that reports a failed assertion is on the stack."},
	{"g_assertion_message*", Asserted, "Assertion failed", "The function that reports a failed assertion is on the stack."},
	{"logging::LogMessage::*", Asserted, "Fatal log message", "The program wrote a fatal message to its log: a CHECK or LOG(FATAL)."},
	{"logging::CheckFailure", Asserted, "Check failed", "A CHECK failed."},
	{"google::LogMessageFatal::*", Asserted, "Fatal log message", "The program wrote a fatal message to its log: a CHECK or LOG(FATAL)."},
	{"absl::*LogMessageFatal::*", Asserted, "Fatal log message", "The program wrote a fatal message to its log: a CHECK or LOG(FATAL)."},
	{"qt_message_fatal", Asserted, "Fatal message of Qt", "qFatal ends the program."},
	{"QMessageLogger::fatal", Asserted, "Fatal message of Qt", "qFatal ends the program."},
	{"_invalid_parameter*", Asserted, "Invalid argument to the C library", "A function of the C library refused its arguments."},

	{"_CxxThrowException", Thrown, "C++ exception", "Nobody caught it."},
	{"__cxa_throw", Thrown, "C++ exception", "Nobody caught it."},
	{"__cxa_rethrow", Thrown, "C++ exception", "Nobody caught it."},
	{"__cxa_throw_bad_array_new_length", Thrown, "C++ exception", "Nobody caught it."},
	{"std::__throw_*", Thrown, "C++ exception", "Nobody caught it."},
	{"objc_exception_throw", Thrown, "Objective-C exception", "Nobody caught it."},
	{"std::terminate*", Thrown, "std::terminate was called", "An exception was not caught, or must not leave where it did, or a thread was not joined."},
	{"__gnu_cxx::__verbose_terminate_handler", Thrown, "std::terminate was called", "An exception was not caught, or must not leave where it did, or a thread was not joined."},
	{"__cxxabiv1::__terminate", Thrown, "std::terminate was called", "An exception was not caught, or must not leave where it did, or a thread was not joined."},
}

// signDepth is how far out signs are looked for: the machinery of a panic is
// a dozen frames, its inlined calls as many again.
const signDepth = 40

// reporting are the kinds of signs that explain a fault further in, too: to
// report a smashed stack glibc walks it, and crashes on what it was smashed
// with. No code of the program runs below these functions.
var reporting = map[Kind]bool{StackSmashed: true}

// findFunctions recognises the machinery with which programs end themselves.
// Where the processor refused an access, such functions further out are no
// explanation: destructors run under std::terminate, too.
func (s *state) findFunctions() {
	if s.caused() {
		return
	}
	for i := range signs {
		if s.fault.memory && !reporting[signs[i].kind] {
			continue
		}
		if f := s.frameOf(signs[i].function); f != nil {
			sign := &signs[i]
			finding := Finding{Kind: sign.kind, Text: sign.text, Confidence: 1, Evidence: []string{
				sign.why, "On the stack: `" + f.Function + "`."}}
			if s.in.Assertion != "" {
				finding.Evidence = append(finding.Evidence, s.in.Assertion)
			}
			s.cause(finding)
			return
		}
	}
}

// frameOf is the innermost frame whose function matches, or nil.
func (s *state) frameOf(pattern string) *Frame {
	for i := range s.in.Frames[:min(len(s.in.Frames), signDepth)] {
		f := &s.in.Frames[i]
		if f.Guess && i > 0 && !f.Inline {
			return nil // a word that lay around proves nothing
		}
		if matches(pattern, plainName(f.Function)) {
			return f
		}
	}
	return nil
}

// matches: a '*' stands for anything, at the end or once in between.
func matches(pattern, name string) bool {
	head, tail, star := strings.Cut(pattern, "*")
	switch {
	case name == "":
		return false
	case !star:
		return name == pattern
	case !strings.HasPrefix(name, head):
		return false
	}
	return strings.Contains(name[len(head):], strings.TrimSuffix(tail, "*"))
}

// plainName is a function's name without arguments, template arguments, a
// return type in front of it, versions and the hash that Rust adds.
func plainName(name string) string {
	if i := strings.LastIndex(name, "::h"); i > 0 && len(name)-i == len("::h")+16 {
		name = name[:i]
	}
	name, _, _ = strings.Cut(name, "@")
	depth, out := 0, make([]byte, 0, len(name))
	for i := range len(name) {
		switch c := name[i]; {
		case c == '<':
			depth++
		case c == '>' && depth > 0:
			depth--
		case depth > 0:
		case c == '(' && len(out) > 0 && !strings.HasPrefix(name[i:], "(anonymous"):
			return lastWord(string(out))
		default:
			out = append(out, c)
		}
	}
	return lastWord(string(out))
}

// lastWord drops a return type: "void foo" is foo, "(anonymous namespace)::f"
// and operators are kept.
func lastWord(name string) string {
	if strings.Contains(name, "operator") || strings.Contains(name, "(anonymous") {
		return name
	}
	return name[strings.LastIndexByte(name, ' ')+1:]
}

// machinery are functions that end a program, or bring it to its end; who
// called them is the one to name. More than signs: some say nothing.
var machinery = []string{
	"abort", "__GI_abort", "raise", "__GI_raise", "gsignal", "kill", "tgkill", "pthread_kill", "__pthread_kill*",
	"__libc_message*", "__libc_fatal", "__assert_*", "fatalError*", "_exit", "exit", "__builtin_trap",
	"__abort_with_payload", "abort_with_reason", "_abort", "__restore_rt", "demangling_terminate_handler",
	"abort_message", "__cxa_*", "_Unwind_*", "__verbose_terminate_handler", "_objc_terminate",
	"RaiseException", "RtlRaiseException", "RtlDispatchException", "KiUserExceptionDispatch*", "KiRaiseUserExceptionDispatcher",
	"RtlReportFatalFailure", "RtlFailFast*", "__fastfail", "RtlReportException", "RtlpLogHeapFailure", "RtlpHeapHandleError",
	"UnhandledExceptionFilter", "__C_specific_handler", "_invoke_watson", "_invalid_parameter*", "terminate",
	"FatalExit", "__scrt_*", "DebugBreak", "_CrtDbgReport*", "_wassert", "common_assert_to_*", "issue_debug_notification",
	"base::debug::*", "base::ImmediateCrash", "logging::*", "google::*", "absl::*log_internal*", "crashpad::*", "google_breakpad::*",
	"core::panicking::*", "std::panicking::*", "std::sys::*", "std::process::abort", "core::intrinsics::abort", "rust_*", "__rust_*", "core::option::expect_failed",
	"core::option::unwrap_failed", "core::result::unwrap_failed", "core::ops::function::FnOnce::call_once", "alloc::alloc::handle_alloc_error",
	"__rustc::*", "std::alloc::*", "panic_abort::*", "panic_unwind::*",
	"runtime.*", "swift_*", "_swift_*", "swift::*", "Swift._assertionFailure*", "std::__throw_*", "std::terminate*", "__gnu_cxx::__verbose_terminate_handler", "__cxxabiv1::*",
	"_CxxThrowException", "objc_exception_throw", "__exceptionPreprocess", "objc_exception_rethrow",
	"malloc_printerr", "malloc_error_break", "malloc_vreport", "malloc_report", "malloc_zone_error", "scudo::*",
	"__stack_chk_fail*", "__fortify_*", "__chk_fail", "__report_gsfailure", "__report_rangecheckfailure", "_purecall",
	"g_assertion_message*", "g_assert_*", "g_log*", "qt_message_fatal", "QMessageLogger::fatal", "qAbort", "mozalloc_*", "MOZ_Crash", "NS_Debug*",
	"_int_free", "_int_malloc", "__libc_free", "__GI___libc_free", "malloc_consolidate", "unlink_chunk", "_free_base",
}

// isLibrary reports whether a frame is of a standard library that is compiled
// into programs.
func isLibrary(f *Frame) bool {
	name := strings.TrimLeft(f.Function, "<")
	for _, prefix := range []string{"std::", "core::", "alloc::", "__gnu_cxx::", "boost::throw_exception"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// isMachinery reports whether a frame is part of how a program ends.
func isMachinery(f *Frame) bool {
	name := plainName(f.Function)
	for _, pattern := range machinery {
		if matches(pattern, name) {
			return true
		}
	}
	for i := range signs {
		if matches(signs[i].function, name) {
			return true
		}
	}
	return false
}
