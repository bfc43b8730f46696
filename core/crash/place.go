package crash

import (
	"fmt"

	"crashglass/core/module"
)

// trustedName reports whether a frame has a function with a trustworthy name.
func (f *Frame) trustedName() bool { return f.Function != "" && !f.Far }

// name returns a frame's name: function, or module and offset, or address.
func (f *Frame) name() string {
	switch {
	case f.trustedName():
		return f.Function
	case f.Module != "":
		return fmt.Sprintf("%s + %#x", f.Module, f.ModuleOffset)
	case f.Function != "":
		return f.Function // of an unloaded module
	case f.Unloaded != "":
		return f.Unloaded + " (unloaded)"
	}
	return hex(f.Address)
}

// place returns a frame's name with its module and its uncertainty, for a sentence.
func (f *Frame) place() string {
	text := fmt.Sprintf("`%s`", f.name())
	if f.trustedName() && f.Module != "" {
		text += " of " + f.Module
	}
	if f.Guess {
		text = "probably " + text
	}
	return text
}

// sourceLine returns a frame's source location: "threads.cpp:12", or "".
func (f *Frame) sourceLine() string {
	file := module.Basename(f.File)
	if file == "" || f.Line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, f.Line)
}
