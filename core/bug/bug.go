// Package bug turns a panic into an error, so that a bug in a reader, or in a
// library that it uses, costs the file that shows it and nothing else.
//
//	func open(src bin.Source) (f *File, err error) {
//		defer bug.Catch(&err)
//		...
//	}
//
// The error says where the bug is. It has no bytes of the file, so that it can
// be sent to strangers. Stack overflow, running out of memory and concurrent
// writes to a map cannot be caught.
package bug

import (
	"fmt"
	"runtime"
	"strings"
)

// An Error is a panic that was caught.
type Error struct {
	What  string // what the panic said, as far as it tells no content
	Where string // the innermost function of ours, with its line
}

func (e *Error) Error() string {
	return fmt.Sprintf("this is a bug in Crashglass (%s in %s): please report this line, the file is not needed", e.What, e.Where)
}

// Catch stores a panic in *err. It must be deferred itself.
func Catch(err *error) {
	if p := recover(); p != nil {
		*err = Of(p)
	}
}

// Of makes an Error of what recover returned. It must be called by the deferred
// function. An Error stays as it is: it comes from another goroutine.
func Of(p any) *Error {
	if e, ok := p.(*Error); ok {
		return e
	}
	return &Error{what(p), where()}
}

// what leaves out values that are no errors of the runtime: libraries panic
// with what they read.
func what(p any) string {
	if err, ok := p.(runtime.Error); ok {
		return strings.TrimPrefix(err.Error(), "runtime error: ")
	}
	return fmt.Sprintf("panic of type %T", p)
}

// own is what the names of our functions begin with.
const own = "crashglass/"

// where is the function of ours that panicked, or that called a library which did.
func where() string {
	var stack [64]uintptr
	frames := runtime.CallersFrames(stack[:runtime.Callers(0, stack[:])])
	panicked := false
	for {
		frame, more := frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			panicked = true
		case panicked && strings.HasPrefix(frame.Function, own):
			return fmt.Sprintf("%s, line %d", strings.TrimPrefix(frame.Function, own), frame.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}
