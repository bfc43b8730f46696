package crash

const panicWhy = "The program panicked."

// rustSigns are the functions of a panic. Not all of std::panicking: its try is
// below main and below each thread's function.
// Source: library/std/src/panicking.rs and library/core/src/panicking.rs.
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

// rustMessage is how the default hook writes a panic. It does so into a buffer
// of 512 bytes on the stack first, which nothing clears (default_hook of
// library/std/src/panicking.rs).
const rustMessage = "panicked at "

// rustBuffer is how far above the stack pointer that buffer is looked for.
const rustBuffer = 16 << 10

// rustPanic is the message of a panic, if it is still on the stack: "src/main.rs:4:5: index out of bounds".
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
