package sanitize

import "crashglass/core/report"

// maskVariables completes the masking of values; out is the masked copy of in. A masked text may
// occur again, character by character, in its elements or in the members of a library's type, so
// these are removed, too.
func maskVariables(in, out *report.Report) {
	maskThreads(in.Threads, out.Threads)
	if in.CrashingThread != nil {
		maskThreads([]report.Thread{in.CrashingThread.Thread}, []report.Thread{out.CrashingThread.Thread})
	}
	for i := range in.Globals {
		maskValues(in.Globals[i].Variables, out.Globals[i].Variables)
	}
}

func maskThreads(in, out []report.Thread) {
	for i := range in {
		for j := range in[i].Frames {
			was, now := &in[i].Frames[j], &out[i].Frames[j]
			maskValues(was.Variables, now.Variables)
			for k := range was.Inlines {
				maskValues(was.Inlines[k].Variables, now.Inlines[k].Variables)
			}
		}
	}
}

func maskValues(in, out []report.Variable) {
	for i := range in {
		if !sameText(in[i].Value, out[i].Value) {
			out[i].Children, out[i].More = nil, 0
		} else {
			maskValues(in[i].Children, out[i].Children)
		}
	}
}

func sameText(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

// AddVariables adds the values of variables to a checklist: the number of frames whose symbols
// describe some. The values are memory, and in a report only on request.
func (l *Checklist) AddVariables(r *report.Report) {
	n := 0
	for i := range r.Threads {
		for _, f := range r.Threads[i].Frames {
			if at := f.ModuleIndex; at != nil && *at < len(r.Modules) && r.Modules[*at].Symbols != nil && r.Modules[*at].Symbols.Variables {
				n++
			}
		}
	}
	if n > 0 {
		l.Items = append(l.Items, Item{"values of arguments and variables", n, "frames", false})
	}
}
