package variables

import "fmt"

// A State is the state of a value: known, or why it is not.
type State uint8

// The states.
const (
	Known        State = iota
	OptimizedOut       // the compiler did not keep it, or kept it in a register that callees may overwrite
	NotCaptured        // it is in memory that the dump lacks
	Unreadable         // debug information is damaged, not supported, or not proved to apply here
	Inconsistent       // a container that contradicts itself: what could be read of it is shown
)

var stateNames = [...]string{"known", "optimized_out", "not_captured", "unreadable", "inconsistent"}

// String returns the code in reports.
func (s State) String() string { return stateNames[s] }

// A Content says what a known value consists of, where its text and its children do not.
type Content uint8

// The contents.
const (
	Some    Content = iota // what the text and the children say
	Empty                  // no elements or members: an empty container, array or structure
	NoValue                // an optional without a value
	Byte                   // a number of one byte or of a wide character, which may be a character of a text
)

var contentNames = [...]string{"", "empty", "no_value", "byte"}

// String returns the code in reports.
func (c Content) String() string { return contentNames[c] }

// An Error is the reason why a value is unknown.
type Error struct {
	State State
	Why   string
}

// Error returns the reason as a sentence for users.
func (e *Error) Error() string { return e.Why }

// Gone is the error of a value that was not kept.
func Gone(format string, args ...any) *Error {
	return &Error{OptimizedOut, fmt.Sprintf(format, args...)}
}

// uncaptured is the error of a value in memory that the dump lacks.
func uncaptured(addr uint64) *Error {
	return &Error{NotCaptured, fmt.Sprintf("memory at %#x is not in the dump", addr)}
}

// Damaged is the error of a value that cannot be read.
func Damaged(format string, args ...any) *Error {
	return &Error{Unreadable, fmt.Sprintf(format, args...)}
}

// shown reports whether a value in a state has a text or children that can be shown in another value.
func (s State) shown() bool { return s == Known || s == Inconsistent }

// asError makes an *Error of any error.
func asError(err error) *Error {
	if e, ok := err.(*Error); ok {
		return e
	}
	return Damaged("%v", err)
}
