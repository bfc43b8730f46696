package crash

const (
	virtualWhy   = "A virtual function was called while the object was being constructed or destroyed."
	uncaughtWhy  = "It was not caught."
	terminateWhy = "An exception was not caught or left a noexcept function, or a thread was not joined."
)

// virtualSigns are calls of virtual functions that have no body.
// Sources: the Itanium C++ ABI, 3.2.6; Visual C++ purevirt.cpp.
var virtualSigns = []sign{
	{"__cxa_pure_virtual", PureVirtual, "Pure virtual function called", virtualWhy},
	{"_purecall", PureVirtual, "Pure virtual function called", virtualWhy},
	{"purecall", PureVirtual, "Pure virtual function called", virtualWhy},
	{"__cxa_deleted_virtual", PureVirtual, "Deleted virtual function called", "A virtual function was called that was declared as deleted."},
}

// throwSigns are the functions of C++ exceptions.
// Sources: the Itanium C++ ABI, Exception Handling; libstdc++, libc++abi, Visual C++.
var throwSigns = []sign{
	{"_CxxThrowException", Thrown, "C++ exception", uncaughtWhy},
	{"__cxa_throw", Thrown, "C++ exception", uncaughtWhy},
	{"__cxa_rethrow", Thrown, "C++ exception", uncaughtWhy},
	{"__cxa_throw_bad_array_new_length", Thrown, "C++ exception", uncaughtWhy},
	{"__cxa_bad_cast", Thrown, "C++ exception", uncaughtWhy},
	{"std::__throw_*", Thrown, "C++ exception", uncaughtWhy},
	{"std::terminate*", Thrown, "std::terminate was called", terminateWhy},
	{"std::__terminate*", Thrown, "std::terminate was called", terminateWhy},
	{"terminate", Thrown, "std::terminate was called", terminateWhy},
	{"__gnu_cxx::__verbose_terminate_handler", Thrown, "std::terminate was called", terminateWhy},
	{"__cxxabiv1::__terminate", Thrown, "std::terminate was called", terminateWhy},
	{"demangling_terminate_handler*", Thrown, "std::terminate was called", terminateWhy},
	{"__clang_call_terminate", Thrown, "std::terminate was called", "An exception reached a function that is declared noexcept."},
}

// throwMessages are the messages of the runtimes about the thrown object. Sources: libstdc++
// vterminate.cc, libc++abi cxa_default_handlers.cpp.
var throwMessages = []message{
	{"terminate called after throwing an instance of ", Thrown}, {"terminating due to uncaught exception", Thrown},
	{"terminating with uncaught exception", Thrown}, {"terminate called without an active exception", Thrown},
	{"pure virtual method called", PureVirtual}, {"Pure virtual function called!", PureVirtual},
}
