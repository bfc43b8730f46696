package crash

const (
	assertWhy = "The function that reports a failed assertion was called."
	fatalLog  = "The program wrote a fatal message to its log: a CHECK or LOG(FATAL)."
	qtFatal   = "qFatal ends the program."
)

// assertSigns are the functions that report a failed assertion: those of C
// libraries, of GLib, Qt, Chromium, glog and Abseil.
var assertSigns = []sign{
	{"__assert_fail*", Asserted, "Assertion failed", assertWhy},
	{"__assert_perror_fail", Asserted, "Assertion failed", assertWhy},
	{"__assert_rtn", Asserted, "Assertion failed", assertWhy},
	{"__assert2", Asserted, "Assertion failed", assertWhy},
	{"__assert", Asserted, "Assertion failed", assertWhy},
	{"_wassert", Asserted, "Assertion failed", assertWhy},
	{"common_assert_to_*", Asserted, "Assertion failed", assertWhy},
	{"_CrtDbgReport*", Asserted, "Assertion failed", "The debug C library of Visual C++ reported an error."},
	{"std::__glibcxx_assert_fail*", Asserted, "Assertion of the C++ library failed", "A check of the standard library failed: an index, an iterator, an empty container."},
	{"std::__1::__libcpp_verbose_abort*", Asserted, "Assertion of the C++ library failed", "A check of the standard library failed: an index, an iterator, an empty container."},
	{"g_assertion_message*", Asserted, "Assertion failed", assertWhy},
	{"g_log*", Asserted, "Fatal log message", "GLib ends the program after a message of that level."},
	{"logging::LogMessage::*", Asserted, "Fatal log message", fatalLog},
	{"logging::LogMessageFatal::*", Asserted, "Fatal log message", fatalLog},
	{"logging::CheckFailure", Asserted, "Check failed", "A CHECK failed."},
	{"logging::CheckError::*", Asserted, "Check failed", "A CHECK failed."},
	{"logging::NotReachedError::*", Asserted, "Check failed", "NOTREACHED was reached."},
	{"google::LogMessageFatal::*", Asserted, "Fatal log message", fatalLog},
	{"google::LogMessage::Fail", Asserted, "Fatal log message", fatalLog},
	{"absl::*LogMessageFatal::*", Asserted, "Fatal log message", fatalLog},
	{"qt_message_fatal", Asserted, "Fatal message of Qt", qtFatal},
	{"QMessageLogger::fatal", Asserted, "Fatal message of Qt", qtFatal},
	{"qt_assert*", Asserted, "Assertion failed", "Q_ASSERT failed."},
	{"_invalid_parameter*", Asserted, "Invalid argument to the C library", "A function of the C library refused its arguments."},
	{"_invoke_watson", Asserted, "Invalid argument to the C library", "A function of the C library refused its arguments."},
	{"node::Assert", Asserted, "Assertion failed", assertWhy},
	{"node::OnFatalError", Asserted, "Fatal error of Node", "Node or V8 detected an inconsistent state."},
	{"V8_Fatal", Asserted, "Fatal error of V8", "A check of V8 failed."},
}
