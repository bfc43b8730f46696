package crash

import (
	"crashglass/core/process/module"
	"crashglass/core/report"
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

// function is the name of the row's function, "" when unknown.
func (r *Row) function() string {
	if r.Inline != nil {
		return text(r.Inline.Function)
	}
	return text(r.Function)
}

// source is the row's place in the source, "" and 0 when unknown.
func (r *Row) source() (file string, line uint32) {
	at, number := r.File, r.Line
	if r.Inline != nil {
		at, number = r.Inline.File, r.Inline.Line
	}
	if number != nil {
		line = *number
	}
	return text(at), line
}

// module is the name of the row's module without folders, "" for none: an interpreted call has none.
func (r *Row) module() string {
	if r.Inline.Interpreted() {
		return ""
	}
	return text(r.Module)
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

// text is an optional text.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// OwnFunction returns the innermost function of the program in a stack, if its name is certain.
func OwnFunction(frames []report.Frame) string {
	rows := Rows(frames)
	for i := range rows {
		if row := &rows[i]; row.Own() {
			if row.Uncertain(row.Inline != nil) {
				return ""
			}
			return row.Name()
		}
	}
	return ""
}
