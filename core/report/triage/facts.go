package triage

import (
	"path"

	"crashglass/core/report"
	"crashglass/core/stack/funcname"
)

// A row is a frame of the crashing thread, or a call that was inlined into it or that an interpreter runs there.
type row struct {
	*report.Frame
	call *report.Inline // nil for the frame itself
}

// firstOwn returns the innermost row of the crashing thread that is the program's own and, if that is native, the innermost one that an interpreter runs:
// a native module may fail for many callers, and a function of a script in many modules. Without an own row it is the innermost frame outside of the
// system's libraries.
func firstOwn(r *report.Report) (out []row) {
	subject := r.Subject()
	if subject < 0 {
		return nil
	}
	frames := r.Threads[subject].Frames
	for i := range frames {
		f := &frames[i]
		for n := range f.Inlines {
			call := &f.Inlines[n]
			if call.Function != nil && !call.Library && (call.Interpreted() || len(out) == 0 && f.Module != nil && !f.System) {
				if out = append(out, row{f, call}); call.Interpreted() {
					return out
				}
			}
		}
		if len(out) == 0 && (f.Module != nil && !f.System && !f.Library || f.Generated()) {
			out = append(out, row{Frame: f})
		}
	}
	for i := range frames {
		if f := &frames[i]; len(out) == 0 && f.Module != nil && !f.System {
			out = append(out, row{Frame: f})
		}
	}
	return out
}

// name returns the module and the function of a row, or its offset in the module. An interpreted call has its language in place of a module, and code
// that the program made, its file. Like a signature it has no suffix of a copy or a part.
func (f *row) name() string {
	name, function := report.Text(f.Module), report.Text(f.Function)
	if f.Generated() {
		name = path.Base(*f.File)
	}
	if f.call != nil {
		if function = report.Text(f.call.Function); f.call.Interpreted() {
			name = string(f.call.Kind)
		}
	}
	switch {
	case function != "":
		return name + "!" + f.Mark(f.call != nil) + funcname.WithoutClone(function)
	case f.ModuleOffset != nil:
		return name + " + " + string(*f.ModuleOffset)
	}
	return name
}

// version returns a module with its version or, without one, its debug ID.
func version(r *report.Report, index int) string {
	if index < 0 || index >= len(r.Modules) {
		return ""
	}
	m := &r.Modules[index]
	if m.Version != nil && *m.Version != "" {
		return m.CodeFile + " " + *m.Version
	}
	return m.CodeFile + " " + m.DebugID
}

func system(s *report.SystemInfo) string {
	name := report.Text(s.OS)
	if cpu := report.Text(s.CPU); cpu != "" {
		return name + " " + cpu
	}
	return name
}
