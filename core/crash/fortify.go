package crash

// smashed and overrun describe what the compiler's checks found.
const (
	smashed = "The guard value between the locals and the return address was overwritten."
	overrun = "A function of the C library noticed that it would write beyond a buffer."
)

// fortifySigns are the functions that the checks of compilers call: the stack
// protector (-fstack-protector, /GS) and _FORTIFY_SOURCE.
// Sources: glibc debug/stack_chk_fail.c and debug/chk_fail.c, bionic
// libc/bionic/fortify.cpp, Visual C++ gs_report.c.
var fortifySigns = []sign{
	{"__stack_chk_fail*", StackSmashed, "Stack buffer overrun", smashed},
	{"__stack_smash_handler", StackSmashed, "Stack buffer overrun", smashed},
	{"__fortify_fail*", StackSmashed, "Buffer overrun", overrun},
	{"__chk_fail", StackSmashed, "Buffer overrun", overrun},
	{"__fortify_chk_fail", StackSmashed, "Buffer overrun", overrun},
	{"__fortify_fatal", StackSmashed, "Buffer overrun", overrun},
	{"__report_gsfailure", StackSmashed, "Stack buffer overrun", smashed},
	{"__report_rangecheckfailure", StackSmashed, "Index out of range", "A check of the compiler noticed an index beyond an array."},
	{"__report_securityfailure*", StackSmashed, "Buffer overrun", "A security check of the compiler failed."},
}
