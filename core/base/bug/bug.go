// Package bug turns a panic into an error, so that a bug in a reader, or in a
// library that it uses, costs the file that shows it and nothing else.
//
//	func open(src bin.Source) (f *File, err error) {
//		defer bug.Catch(&err)
//		...
//	}
//
// The error says where the bug is. It has no bytes of the file, so it is safe to publish. Go cannot
// recover from a stack overflow, from running out of memory and from concurrent writes to a map.
package bug

import (
	"fmt"
	"runtime"
	"strings"
)

// An Error is a panic that was caught.
type Error struct {
	What  string // the panic's message, if it cannot hold bytes of the file
	Where string // the innermost function of this project, with its line or its offset
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

// Of makes an Error from the result of recover. The deferred function must call it. It returns an
// Error unchanged, because that comes from another goroutine.
func Of(p any) *Error {
	if e, ok := p.(*Error); ok {
		return e
	}
	return &Error{what(p), where()}
}

// what returns the text of a runtime error, and only the type of any other value: libraries panic
// with data from the file.
func what(p any) string {
	if err, ok := p.(runtime.Error); ok {
		return strings.TrimPrefix(err.Error(), "runtime error: ")
	}
	return fmt.Sprintf("panic of type %T", p)
}

// own is the prefix of the names of this project's functions.
const own = "crashglass/"

// place names a function of this project and where it was. The page's program has no lines.
func place(f runtime.Frame) string {
	name := strings.TrimPrefix(f.Function, own)
	if f.Line == 0 {
		return fmt.Sprintf("%s + %#x", name, f.PC-f.Entry)
	}
	return fmt.Sprintf("%s, line %d", name, f.Line)
}

// where returns the function of this project that panicked, or that called a library which did.
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
			return place(frame)
		}
		if !more {
			return "an unknown place"
		}
	}
}
