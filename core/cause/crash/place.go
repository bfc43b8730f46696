package crash

import (
	"fmt"

	"crashglass/core/process/module"
)

// certain reports whether a frame has a name that is proved to be that of its function. A name that
// is not certain proves nothing by itself, and is marked where it is shown.
func (f *Row) certain() bool { return f.function() != "" && !f.Uncertain(f.Inline != nil) }

// name returns a frame's name: function, or module and offset, or address.
func (f *Row) name() string {
	switch {
	case f.function() != "":
		return f.Mark(f.Inline != nil) + f.function()
	case f.module() != "" && f.index() < 0 && f.address() != 0:
		return fmt.Sprintf("%s at %#x", f.module(), f.address())
	case f.module() != "" && f.index() < 0:
		return f.module()
	case f.module() != "":
		return fmt.Sprintf("%s + %#x", f.module(), f.offset())
	case f.unloaded() != "":
		return f.unloaded() + " (unloaded)"
	}
	return hex(f.address())
}

// place returns a frame's name with its module and its uncertainty, for a sentence.
func (f *Row) place() string {
	text := fmt.Sprintf("`%s`", f.name())
	if f.Inline.Interpreted() {
		text = "the Python function " + text
	}
	if f.function() != "" && f.module() != "" {
		text += " of " + f.module()
	}
	if f.Guess {
		text = "probably " + text
	}
	return text
}

// sourceLine returns a frame's source location: "threads.cpp:12", or "".
func (f *Row) sourceLine() string {
	file, line := f.source()
	if file = module.Basename(module.SourcePath(file)); file == "" || line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}
