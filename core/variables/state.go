package variables

import "fmt"

// A State says whether a value is known.
type State uint8

// The states.
const (
	Known        State = iota
	OptimizedOut       // the compiler did not keep it, or kept it where callees may overwrite it
	NotCaptured        // it is in memory that the dump does not have
	Unreadable         // debug information is damaged, not supported, or not proved to apply here
)

var stateNames = [...]string{"known", "optimized_out", "not_captured", "unreadable"}

// String is the code that reports have for it.
func (s State) String() string { return stateNames[s] }

// An Error is why a value is not known.
type Error struct {
	State State
	Why   string
}

func (e *Error) Error() string { return e.Why }

// Gone says that a value was not kept.
func Gone(format string, args ...any) *Error {
	return &Error{OptimizedOut, fmt.Sprintf(format, args...)}
}

// Uncaptured says that a value is in memory that the dump lacks.
func Uncaptured(addr uint64) *Error {
	return &Error{NotCaptured, fmt.Sprintf("memory at %#x is not in the dump", addr)}
}

// Damaged says that a value cannot be read.
func Damaged(format string, args ...any) *Error {
	return &Error{Unreadable, fmt.Sprintf(format, args...)}
}

// asError makes an *Error of any error.
func asError(err error) *Error {
	if e, ok := err.(*Error); ok {
		return e
	}
	return Damaged("%v", err)
}
