package crash

const panicWhy = "The program panicked."

// rustSigns are the functions of a panic. They exclude std::panicking::try, which is below main and
// below each thread's function. Source: library/std/src/panicking.rs and
// library/core/src/panicking.rs.
var rustSigns = []sign{
	{"core::panicking::*", Panic, "Rust panic", panicWhy},
	{"std::panicking::begin_panic*", Panic, "Rust panic", panicWhy},
	{"std::panicking::rust_panic*", Panic, "Rust panic", panicWhy},
	{"std::panicking::panic_handler*", Panic, "Rust panic", panicWhy},
	{"std::panicking::default_hook*", Panic, "Rust panic", panicWhy},
	{"rust_begin_unwind", Panic, "Rust panic", panicWhy},
	{"rust_panic*", Panic, "Rust panic", panicWhy},
	{"__rustc::rust_begin_unwind", Panic, "Rust panic", panicWhy},
	{"core::option::unwrap_failed", Panic, "Rust panic", panicWhy},
	{"core::option::expect_failed", Panic, "Rust panic", panicWhy},
	{"core::result::unwrap_failed", Panic, "Rust panic", panicWhy},
}

// rustMessage is the beginning of a panic message of the default hook. The hook first writes it
// into a buffer of 512 bytes on the stack, which is not cleared (default_hook of
// library/std/src/panicking.rs).
const rustMessage = "panicked at "

// rustBuffer is the range above the stack pointer that is searched for that buffer.
const rustBuffer = 16 << 10

// rustPanic returns the message of a panic, if it is still on the stack: "src/main.rs:4:5: index out of
// bounds".
func (s *state) rustPanic() string {
	sp, ok := s.sp()
	if !ok || s.in.Memory == nil {
		return ""
	}
	low := max(s.in.StackLow, sp-min(sp, nullPage))
	high := min(s.in.StackHigh, sp+rustBuffer)
	if low >= high {
		return ""
	}
	return behindText(s.bytes(low, int(high-low)), rustMessage)
}
