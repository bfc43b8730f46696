package triage

import (
	"crashglass/core/report"
	"crashglass/core/stack/funcname"
)

// firstOwn returns the innermost frame of the crashing thread outside the system's libraries, or
// nil.
func firstOwn(r *report.Report) *report.Frame {
	subject := r.Subject()
	if subject < 0 {
		return nil
	}
	frames := r.Threads[subject].Frames
	for i := range frames {
		if frames[i].Module != nil && !frames[i].System {
			return &frames[i]
		}
	}
	return nil
}

// frameName returns a frame's module and function, or its offset in the module. Of inlined calls it
// names the innermost one. Like a signature it has no suffix of a copy or a part.
func frameName(f *report.Frame) string {
	name, function := report.Text(f.Module), report.Text(f.Function)
	inlined := len(f.Inlines) > 0 && f.Inlines[0].Function != nil
	if inlined {
		if function = *f.Inlines[0].Function; f.Inlines[0].Interpreted() {
			name = string(f.Inlines[0].Kind)
		}
	}
	switch {
	case function != "":
		return name + "!" + f.Mark(inlined) + funcname.WithoutClone(function)
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
