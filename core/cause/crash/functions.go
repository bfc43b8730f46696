package crash

// A use is what a function near the top of a stack proves.
type use uint8

// The uses.
const (
	ends   use = 1 << iota // the end of the program: its caller is the frame to name
	aborts                 // SIGABRT was raised by the program itself
	raises                 // a signal was raised by the program itself
	throws                 // an exception of Windows was raised by the program itself
	stops                  // a debugger stopped the program
)

// A meaning is what functions near the top of a stack show.
type meaning struct {
	use       use
	names     []string // complete plain names, or patterns as in matches
	kind      Kind     // the finding; "" if they do not show why the program ended
	text, why string
}

// is reports whether the functions prove something. Those that show why a program ended do so by ending it.
func (m *meaning) is(u use) bool {
	return m.use&u != 0 || m.kind != "" && (u&ends != 0 || u&aborts != 0 && m.kind != Hang)
}

// Sentences of several rows.
const (
	asanWhy    = "It found an invalid access to memory; its report is in the program's output."
	goPanicWhy = "A goroutine panicked, and nothing recovered."
	unrealWhy  = "A check of Unreal failed; the message is in the game's log."
	mozWhy     = "MOZ_CRASH or a release assertion ended the program."
	goDied     = "The Go runtime ended the program after a signal. Its handler has a stack of its own; what failed is on the goroutine's stack, which is another one."
)

// functions has the functions that this package knows by name, the most specific first: a failed assertion ends in abort, a C++ exception
// in std::terminate and then in abort.
var functions = []meaning{
	// The end itself: SIGABRT of any C library, signals that are sent to the own thread or process in C libraries of Linux, Android and
	// Apple, exceptions of Windows.
	{use: ends | aborts, names: []string{"abort", "__GI_abort", "__abort", "_abort", "abort_report_np", "abort_with_reason"}},
	{use: aborts, names: []string{"abort_with_payload", "abort_internal", "terminate_with_reason", "Abort", "android_set_abort_message"}},
	{use: ends | aborts, names: []string{"__abort_with_payload", "std::sys::abort_internal", "std::process::abort", "__libc_fatal", "__libc_message*"}},
	{use: ends | raises, names: []string{
		"raise", "__GI_raise", "gsignal", "pthread_kill", "__pthread_kill*", "__GI___pthread_kill", "tgkill", "__GI_kill", "__kill",
	}},
	{use: ends | throws, names: []string{"RaiseException", "RtlRaiseException"}},

	// Functions of ntdll that run int3 only while a debugger is attached: in the thread with which DebugBreakProcess and WinDbg break into
	// a process, and when a process starts under a debugger. Source of the first: Wine, dlls/ntdll/process.c, which tests PEB.BeingDebugged.
	{use: stops, names: []string{"DbgUiRemoteBreakin", "LdrpDoDebuggerBreak"}},

	// Functions around the end that explain nothing.
	{use: ends, names: []string{
		// C libraries and the kernel's interface
		"kill", "__assert_*", "fatalError*", "_exit", "exit", "__builtin_trap", "__kernel_vsyscall", "__restore_rt", "__restore",
		"_int_free*", "_int_malloc*", "_int_realloc", "__libc_free", "__GI___libc_free", "__libc_malloc", "malloc_consolidate", "_free_base",
		"malloc_report", "__libc_start_*", "__fortify_*", "__stack_chk_fail*", "malloc_printerr*", "unlink_chunk*", "sysmalloc", "tcache_*", "__pthread_kill_implementation",
		"__asan::*", "__sanitizer::*", "free", "malloc", "calloc", "realloc", "__free", "__malloc", "__calloc", "__realloc", "__libc_realloc", "__libc_calloc", "__GI___libc_*",
		// C++
		"abort_message", "__abort_message", "__cxa_*", "_Unwind_*", "__verbose_terminate_handler", "__gxx_personality_*", "__cxxabiv1::*",
		// Windows
		"RtlDispatchException", "KiUserExceptionDispatch*", "KiRaiseUserExceptionDispatcher", "RtlpExecuteHandler*",
		"RtlFailFast*", "__fastfail", "RtlReportException", "UnhandledExceptionFilter", "__C_specific_handler", "_C_specific_handler",
		"_except_handler*", "FatalExit", "__scrt_*", "DebugBreak", "DbgBreakPoint", "__debugbreak", "issue_debug_notification", "_seh_filter_exe",
		"_XcptFilter", "TerminateProcess", "NtTerminateProcess",
		// Chromium and Breakpad
		"base::debug::*", "base::ImmediateCrash", "logging::*", "google::*", "absl::*log_internal*", "crashpad::*", "google_breakpad::*",
		"electron::*V8*Callback", "v8::base::FatalOOM", "v8::base::OS::Abort",
		// Rust
		"std::panicking::*", "std::sys::*", "core::intrinsics::abort", "rust_*", "__rust_*",
		"core::ops::function::FnOnce::call_once", "__rustc::*", "std::alloc::*", "panic_abort::*", "panic_unwind::*", "std::rt::*",
		// Go and Swift
		"runtime.*", "swift_*", "_swift_*", "swift::*",
		// Apple
		"objc_exception_rethrow", "objc_terminate",
		// others
		"g_assert_*", "qAbort", "mozalloc_*", "MOZ_*", "NS_Debug*", "node::Abort", "node::DumpBacktrace",
	}},

	// The checks of compilers: the stack protector (-fstack-protector, /GS) and _FORTIFY_SOURCE. Sources: glibc debug/stack_chk_fail.c
	// and debug/chk_fail.c, bionic libc/bionic/fortify.cpp, Visual C++ gs_report.c.
	{kind: StackSmashed, text: "Stack buffer overrun", why: "The guard value between the locals and the return address was overwritten.", names: []string{
		"__stack_chk_fail*", "__stack_smash_handler", "__report_gsfailure",
	}},
	{kind: StackSmashed, text: "Buffer overrun", why: "A function of the C library noticed that it would write beyond a buffer.", names: []string{
		"__fortify_fail*", "__chk_fail", "__fortify_chk_fail", "__fortify_fatal",
	}},
	{kind: StackSmashed, text: "Index out of range", why: "A check of the compiler noticed an index beyond an array.", names: []string{
		"__report_rangecheckfailure",
	}},
	{kind: StackSmashed, text: "Buffer overrun", why: "A security check of the compiler failed.", names: []string{"__report_securityfailure*"}},

	// Sanitizers. Sources: compiler-rt/lib/{asan,tsan,msan,ubsan,hwasan,gwp_asan}.
	{kind: Sanitizer, text: "AddressSanitizer report", why: asanWhy, names: []string{
		"__asan::Report*", "__asan::ScopedInErrorReport::*", "__asan_report_*", "__asan::AsanDie",
	}},
	{kind: Sanitizer, text: "HWAddressSanitizer report", why: asanWhy, names: []string{"__hwasan::*"}},
	{kind: Sanitizer, text: "MemorySanitizer report", why: "It found a use of uninitialised memory; its report is in the program's output.", names: []string{
		"__msan::*Report*", "__msan_warning*",
	}},
	{kind: Sanitizer, text: "ThreadSanitizer report", why: "It found a race; its report is in the program's output.", names: []string{"__tsan::*Report*"}},
	{kind: Sanitizer, text: "UndefinedBehaviorSanitizer report", why: "It found undefined behaviour; its report is in the program's output.", names: []string{
		"__ubsan_handle_*", "__ubsan::*Die",
	}},
	{kind: Sanitizer, text: "Sanitizer report", why: "A sanitizer found an error; its report is in the program's output.", names: []string{"__sanitizer::Die"}},
	{kind: Sanitizer, text: "GWP-ASan report", why: "The allocator's guarded sample found an error of the heap.", names: []string{"gwp_asan::*"}},

	// Allocators that report damage. Sources: glibc malloc/malloc.c; Apple's libmalloc (malloc_printf.c); scudo
	// (compiler-rt/lib/scudo/standalone/report.cpp); ntdll's symbols; jemalloc; Chromium's partition_alloc; musl's mallocng.
	{kind: HeapCorrupt, text: "Heap corruption", why: "The allocator found its bookkeeping damaged. What damaged it ran earlier.", names: []string{
		"malloc_printerr*", "unlink_chunk*", "RtlReportFatalFailure", "RtlpReportHeapFailure", "RtlpHeapHandleError", "RtlpLogHeapFailure",
		"partition_alloc::internal::*Corruption*", "je_malloc_conf_error*",
	}},
	{kind: HeapCorrupt, text: "Heap corruption", why: "The allocator found its bookkeeping damaged, or a pointer that it does not own.", names: []string{
		"malloc_error_break", "malloc_vreport", "malloc_zone_error", "___BUG_IN_CLIENT_OF_LIBMALLOC_*", "scudo::report*",
	}},
	{kind: HeapCorrupt, text: "Double free", why: "The allocator was given memory that was freed already.", names: []string{
		"partition_alloc::internal::*DoubleFree*",
	}},
	{kind: HeapCorrupt, text: "Heap corruption", why: "The debug heap of Visual C++ found its bookkeeping damaged, or a pointer that it does not own.", names: []string{
		"_free_dbg*",
	}},

	// Virtual functions without a body. Sources: the Itanium C++ ABI, 3.2.6; Visual C++ purevirt.cpp.
	{kind: PureVirtual, text: "Pure virtual function called", why: "A virtual function was called while the object was being constructed or destroyed.", names: []string{
		"__cxa_pure_virtual", "_purecall", "purecall",
	}},
	{kind: PureVirtual, text: "Deleted virtual function called", why: "A virtual function was called that was declared as deleted.", names: []string{
		"__cxa_deleted_virtual",
	}},

	// No memory left. Sources: Chromium base/process/memory.cc and partition_alloc/oom.cc, V8 src/api/api.cc, Mozilla memory/mozalloc,
	// Rust library/alloc, Electron and Node node_errors.cc.
	{kind: OutOfMemory, text: "Out of memory", why: "An allocation failed, and the program gave up.", names: []string{
		"partition_alloc::*OutOfMemory*", "partition_alloc::*OnNoMemory*", "base::TerminateBecauseOutOfMemory", "base::internal::OnNoMemoryInternal",
		"blink::*OutOfMemory*", "mozalloc_handle_oom", "NS_ABORT_OOM", "rust_oom", "__rust_alloc_error_handler", "std::alloc::rust_oom",
		"alloc::alloc::handle_alloc_error", "FGenericPlatformMemory::OnOutOfMemory",
	}},
	{kind: OutOfMemory, text: "Out of memory", why: "JavaScript used up its heap.", names: []string{
		"v8::internal::V8::FatalProcessOutOfMemory", "v8::Utils::ReportOOMFailure", "node::OOMErrorHandler", "electron::*V8OOMErrorCallback",
	}},

	// Rust's handler of SIGSEGV, which aborts if the address is in the guard page of a stack. Source: library/std/src/sys/pal/unix/stack_overflow.rs.
	{kind: StackOverflow, text: "Stack overflow", why: "Rust's handler found that the thread used up its stack.", names: []string{"std::sys::*stack_overflow*"}},

	// Rust, without std::panicking::try, which is below main and below each thread's function. Source: library/std/src/panicking.rs
	// and library/core/src/panicking.rs.
	{kind: Panic, text: "Rust panic", why: "The program panicked.", names: []string{
		"core::panicking::*", "std::panicking::begin_panic*", "std::panicking::rust_panic*", "std::panicking::panic_handler*", "std::panicking::default_hook*",
		"rust_begin_unwind", "rust_panic*", "__rustc::rust_begin_unwind", "core::option::unwrap_failed", "core::option::expect_failed",
		"core::result::unwrap_failed",
	}},

	// Go. Sources: src/runtime/panic.go and src/runtime/signal_unix.go.
	{kind: Panic, text: "Go panic", why: goPanicWhy, names: []string{"runtime.gopanic", "runtime.fatalpanic"}},
	{kind: Panic, text: "Go panic: index out of range", why: goPanicWhy, names: []string{"runtime.panicIndex"}},
	{kind: Panic, text: "Go panic: division by zero", why: goPanicWhy, names: []string{"runtime.panicdivide"}},
	{kind: Panic, text: "Go panic after a signal", why: goPanicWhy, names: []string{"runtime.sigpanic"}},
	{kind: Panic, text: "Fatal error of the Go runtime", why: "The Go runtime detected an inconsistent state.", names: []string{
		"runtime.throw", "runtime.badsystemstack",
	}},
	{kind: Panic, text: "Fatal error of Go", why: "The Go runtime found an error of the program that nothing can recover.", names: []string{"runtime.fatal", "runtime.fatalthrow"}},
	{kind: Panic, text: "Go runtime ended by a signal", why: goDied, names: []string{"runtime.dieFromSignal"}},

	// Swift. Sources: stdlib/public/runtime/Errors.cpp, stdlib/public/core/AssertCommon.swift.
	{kind: Panic, text: "Swift runtime error", why: "The Swift runtime detected an inconsistent state.", names: []string{
		"swift::fatalError*", "swift::crash", "_swift_runtime_on_report", "swift_deletedMethodError",
	}},
	{kind: Panic, text: "Swift cast failed", why: "A value is not of the type that it was cast to.", names: []string{"swift_dynamicCastFailure*"}},
	{kind: Panic, text: "Swift error not handled", why: "try! got an error.", names: []string{"swift_unexpectedError"}},
	{kind: Panic, text: "Swift fatal error", why: "A check of Swift failed: fatalError, precondition, an index, or a nil that was unwrapped.", names: []string{
		"_assertionFailure*", "Swift._assertionFailure*",
	}},
	{kind: Panic, text: "Swift fatal error", why: "A check of Swift failed.", names: []string{"_fatalErrorMessage*"}},

	// Virtual machines of Java and Android. Sources: HotSpot src/hotspot/share/utilities/vmError.cpp and debug.cpp, ART runtime/runtime.cc.
	{kind: Asserted, text: "Fatal error of the Java virtual machine", why: "HotSpot found an error; its report is in the file hs_err_pid*.log.", names: []string{
		"VMError::report_and_die*", "report_vm_error*",
	}},
	{kind: Asserted, text: "Fatal error of the Android runtime", why: "ART aborted; its message is in the log.", names: []string{"art::Runtime::Abort*"}},
	{kind: Asserted, text: "Wrong use of JNI", why: "ART's check of JNI found a mistake; its message is in the log.", names: []string{
		"art::JavaVMExt::JniAbort*",
	}},

	// Failed assertions: of C libraries, of GLib, Qt, Chromium, glog and Abseil.
	{kind: Asserted, text: "Assertion failed", why: "The function that reports a failed assertion was called.", names: []string{
		"__assert_fail*", "__assert_perror_fail", "__assert_rtn", "__assert2", "__assert", "_wassert", "common_assert_to_*",
		"g_assertion_message*", "node::Assert",
	}},
	{kind: Asserted, text: "Assertion failed", why: "The debug C library of Visual C++ reported an error.", names: []string{"_CrtDbgReport*"}},
	{kind: Asserted, text: "Assertion of the C++ library failed", why: "A check of the standard library failed: an index, an iterator, an empty container.", names: []string{
		"std::__glibcxx_assert_fail*", "std::__1::__libcpp_verbose_abort*",
	}},
	{kind: Asserted, text: "Fatal log message", why: "GLib ends the program after a message of that level.", names: []string{"g_log*"}},
	{kind: Asserted, text: "Fatal log message", why: "The program wrote a fatal message to its log: a CHECK or LOG(FATAL).", names: []string{
		"logging::LogMessage::*", "logging::LogMessageFatal::*", "google::LogMessageFatal::*", "google::LogMessage::Fail", "absl::*LogMessageFatal::*",
	}},
	{kind: Asserted, text: "Check failed", why: "A CHECK failed.", names: []string{"logging::CheckFailure", "logging::CheckError::*"}},
	{kind: Asserted, text: "Check failed", why: "NOTREACHED was reached.", names: []string{"logging::NotReachedError::*"}},
	{kind: Asserted, text: "Fatal message of Qt", why: "qFatal ends the program.", names: []string{"qt_message_fatal", "QMessageLogger::fatal"}},
	{kind: Asserted, text: "Assertion failed", why: "Q_ASSERT failed.", names: []string{"qt_assert*"}},
	{kind: Asserted, text: "Invalid argument to the C library", why: "A function of the C library refused its arguments.", names: []string{
		"_invalid_parameter*", "_invoke_watson",
	}},
	{kind: Asserted, text: "Fatal error of Node", why: "Node or V8 detected an inconsistent state.", names: []string{"node::OnFatalError"}},
	{kind: Asserted, text: "Fatal error of V8", why: "A check of V8 failed.", names: []string{"V8_Fatal"}},

	// Unreal. Source: Engine/Source/Runtime/Core/Private/Misc/AssertionMacros.cpp.
	{kind: Asserted, text: "Unreal assertion failed", why: unrealWhy, names: []string{"FDebug::AssertFailed*", "FDebug::CheckVerifyFailed*"}},
	{kind: Asserted, text: "Unreal ensure failed", why: unrealWhy, names: []string{"FDebug::EnsureFailed*", "FDebug::OptionallyLogFormattedEnsure*"}},
	{kind: Asserted, text: "Unreal assertion failed", why: unrealWhy, names: []string{"ReportAssert"}},
	{kind: Asserted, text: "GPU crash", why: "The graphics device was lost; Unreal ended the program.", names: []string{"ReportGPUCrash"}},
	{kind: Asserted, text: "Fatal error of Unreal", why: unrealWhy, names: []string{"FWindowsErrorOutputDevice::Serialize"}},
	{kind: Asserted, text: "Unreal assertion failed", why: unrealWhy, names: []string{"StaticFailDebug"}},

	// Mozilla. Sources: mfbt/Assertions.h and mfbt/Assertions.cpp, mozalloc_abort.cpp, xpcom/base/nsDebugImpl.cpp.
	{kind: Asserted, text: "MOZ_CRASH", why: mozWhy, names: []string{"MOZ_Crash", "MOZ_CrashPrintf", "MOZ_CrashSequence"}},
	{kind: Panic, text: "Rust panic", why: "The program panicked; Mozilla's hook ended it.", names: []string{"RustMozCrash"}},
	{kind: Asserted, text: "Mozilla's allocator ended the program", why: mozWhy, names: []string{"mozalloc_abort"}},
	{kind: Asserted, text: "Fatal assertion of Mozilla", why: mozWhy, names: []string{"NS_DebugBreak"}},
	{kind: Hang, text: "Shutdown took too long", why: "Mozilla's watchdog ends a process that hangs while it shuts down.", names: []string{
		"mozilla::(anonymous namespace)::RunWatchdog",
	}},

	// Objective-C. Sources: objc4 runtime/objc-exception.mm, CoreFoundation's __exceptionPreprocess.
	{kind: Thrown, text: "Objective-C exception", why: "It was not caught.", names: []string{
		"objc_exception_throw", "__exceptionPreprocess", "_objc_terminate",
	}},
	{kind: Asserted, text: "Fatal error of the Objective-C runtime", why: "The runtime detected an inconsistent state.", names: []string{"_objc_fatal*"}},

	// C++ exceptions. Sources: the Itanium C++ ABI, Exception Handling; libstdc++, libc++abi, Visual C++.
	{kind: Thrown, text: "C++ exception", why: "It was not caught.", names: []string{
		"_CxxThrowException", "__cxa_throw", "__cxa_rethrow", "__cxa_throw_bad_array_new_length", "__cxa_bad_cast", "std::__throw_*", "std::rethrow_exception*",
	}},
	{kind: Thrown, text: "std::terminate was called", why: "An exception was not caught or left a noexcept function, or a thread was not joined.", names: []string{
		"std::terminate*", "std::__terminate*", "terminate", "__gnu_cxx::__verbose_terminate_handler", "__cxxabiv1::__terminate", "demangling_terminate_handler*",
	}},
	{kind: Thrown, text: "std::terminate was called", why: "An exception reached a function that is declared noexcept.", names: []string{
		"__clang_call_terminate",
	}},
}
