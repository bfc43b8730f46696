package crash

import (
	"fmt"
	"slices"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/funcname"
)

// A Row is one row of the crashing thread's stack: a frame of the report, or a call that was inlined into it.
type Row struct {
	*report.Frame
	Inline *report.Inline // nil for the frame itself
}

// Rows returns the rows of a stack, innermost first: inlined calls before the frame that holds them.
func Rows(frames []report.Frame) []Row {
	out := make([]Row, 0, len(frames))
	for i := range frames {
		f := &frames[i]
		for n := range f.Inlines {
			out = append(out, Row{f, &f.Inlines[n]})
		}
		out = append(out, Row{Frame: f})
	}
	return out
}

func (r *Row) function() string {
	if r.Inline != nil {
		return report.Text(r.Inline.Function)
	}
	return report.Text(r.Function)
}

func (r *Row) source() (file string, line uint32) {
	at, number := r.File, r.Line
	if r.Inline != nil {
		at, number = r.Inline.File, r.Inline.Line
	}
	if number != nil {
		line = *number
	}
	return report.Text(at), line
}

// module is the name of the row's module without folders, "" for none: an interpreted call has none.
func (r *Row) module() string {
	if r.Inline.Interpreted() {
		return ""
	}
	return report.Text(r.Module)
}

// index is the module's place in Input.Modules, or -1.
func (r *Row) index() int {
	if r.ModuleIndex == nil {
		return -1
	}
	return *r.ModuleIndex
}

// address is the address of the instruction, inside the call.
func (r *Row) address() uint64 { return r.Walked().Instruction }

// offset is the address relative to the module, 0 without a listed one.
func (r *Row) offset() uint64 {
	if r.ModuleIndex == nil {
		return 0
	}
	return r.Walked().Rel()
}

// unloaded is the name of a module that was unloaded from the address, or "".
func (r *Row) unloaded() string {
	if len(r.Unloaded) == 0 {
		return ""
	}
	return module.Basename(r.Unloaded[0].Module)
}

// OwnFunction returns the innermost function of the program in a stack, if its name is certain. Of the input it needs the system and the modules.
func OwnFunction(in *Input, frames []report.Frame) string {
	thread := *in
	thread.Frames = Rows(frames)
	i := slices.IndexFunc(thread.Frames, func(r Row) bool { return r.Own() })
	if i < 0 {
		return ""
	}
	row := &thread.Frames[behindLinked(&thread, i, false)]
	if row.Uncertain(row.Inline != nil) {
		return ""
	}
	return row.Name()
}

// certain reports whether a frame has a name that is proved to be that of its function. A name that
// is not certain proves nothing by itself, and is marked where it is shown.
func (f *Row) certain() bool { return f.function() != "" && !f.Uncertain(f.Inline != nil) }

// name returns a frame's name: function, or module and offset, or address.
func (f *Row) name() string {
	switch {
	case f.function() != "":
		return f.Mark(f.Inline != nil) + funcname.Short(f.function())
	case f.Inline.Interpreted(): // the runtime's memory is not in the dump
		return "(no name)"
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
		text = "the " + f.Inline.Kind.Language() + " function " + text
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
