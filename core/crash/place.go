package crash

import (
	"fmt"

	"crashglass/core/module"
)

// trustedName reports whether a frame has a function that is worth its name.
func (f *Frame) trustedName() bool { return f.Function != "" && !f.Far }

// name is what a frame is called: function, or module and offset, or address.
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

// place is a frame's name with the module, in prose, and with its doubt.
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

// sourceLine is where a frame is in the source: "threads.cpp:12", or "".
func (f *Frame) sourceLine() string {
	file := module.Basename(f.File)
	if file == "" || f.Line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, f.Line)
}
