package sanitize

import "crashglass/core/report"

// maskVariables finishes what masking did to values: out is the masked copy of
// in. A text of which a part was taken out may be there again, character by
// character, in its elements, in the members that a library stores it in, and
// in the words that it was read from. So these go with it.
func maskVariables(in, out []report.Thread) {
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

// maskValues does that to some variables, and reports whether anything was
// taken out of one.
func maskValues(in, out []report.Variable) (found bool) {
	for i := range in {
		masked := !sameText(in[i].Value, out[i].Value)
		if masked {
			out[i].Children, out[i].More = nil, 0
		} else {
			masked = maskValues(in[i].Children, out[i].Children)
		}
		if e := out[i].Evidence; masked && e != nil {
			e.Reads, e.Registers, e.More = nil, nil, 0
		}
		found = found || masked
	}
	return found
}

func sameText(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

// AddVariables adds the values of variables to a checklist: how many frames have
// symbols that know some. They are memory, and in a report only when asked for.
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
