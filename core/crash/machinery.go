package crash

// machinery are functions that end a program or lead to its end; their caller is the frame to name.
// The list is longer than signs, because some of them explain nothing.
var machinery = []string{
	// C libraries and the kernel's interface
	"abort", "__GI_abort", "__abort", "raise", "__GI_raise", "gsignal", "kill", "__GI_kill", "tgkill", "pthread_kill", "__pthread_kill*", "__GI___pthread_kill",
	"__libc_message*", "__libc_fatal", "__assert_*", "fatalError*", "_exit", "exit", "__builtin_trap", "__kernel_vsyscall",
	"__abort_with_payload", "abort_with_reason", "abort_report_np", "_abort", "__restore_rt", "__restore",
	"_int_free*", "_int_malloc*", "_int_realloc", "__libc_free", "__GI___libc_free", "__libc_malloc", "malloc_consolidate", "unlink_chunk", "_free_base",
	"malloc_vreport", "malloc_report", "__libc_start_*", "__fortify_*",
	// C++
	"abort_message", "__abort_message", "__cxa_*", "_Unwind_*", "__verbose_terminate_handler", "__gxx_personality_*", "std::__throw_*", "std::terminate*", "__cxxabiv1::*",
	// Windows
	"RaiseException", "RtlRaiseException", "RtlDispatchException", "KiUserExceptionDispatch*", "KiRaiseUserExceptionDispatcher", "RtlpExecuteHandler*",
	"RtlReportFatalFailure", "RtlFailFast*", "__fastfail", "RtlReportException", "UnhandledExceptionFilter", "__C_specific_handler", "_C_specific_handler",
	"_except_handler*", "FatalExit", "__scrt_*", "DebugBreak", "DbgBreakPoint", "__debugbreak", "issue_debug_notification", "_seh_filter_exe", "_XcptFilter", "TerminateProcess", "NtTerminateProcess",
	// Chromium and Breakpad
	"base::debug::*", "base::ImmediateCrash", "logging::*", "google::*", "absl::*log_internal*", "crashpad::*", "google_breakpad::*", "electron::*V8*Callback", "v8::base::FatalOOM", "v8::base::OS::Abort",
	// Rust
	"core::panicking::*", "std::panicking::*", "std::sys::*", "std::process::abort", "core::intrinsics::abort", "rust_*", "__rust_*",
	"core::ops::function::FnOnce::call_once", "__rustc::*", "std::alloc::*", "panic_abort::*", "panic_unwind::*", "std::rt::*",
	// Go and Swift
	"runtime.*", "swift_*", "_swift_*", "swift::*", "Swift._assertionFailure*",
	// Apple
	"objc_exception_rethrow", "objc_terminate",
	// others
	"g_assert_*", "g_log*", "qAbort", "mozalloc_*", "MOZ_*", "NS_Debug*", "node::Abort", "node::DumpBacktrace",
}
