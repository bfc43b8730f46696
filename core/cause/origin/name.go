package origin

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/report"
	"crashglass/core/values/variables"
)

// name names the values, from the outermost link on, because a member has the name of the pointer that led
// to it.
func (t *tracer) name() {
	var outer variables.Part // the value of the link before, further out
	for i := len(t.links) - 1; i >= 0; i-- {
		l := &t.links[i]
		indexed, off := l.from.Kind != 0 && l.from.Mem.Index != cpu.None, int64(l.index)+l.from.Mem.Disp
		value := variables.Part{}
		switch {
		case l.Kind == report.OriginLoad && l.there.Text != "":
			value = l.there
		case l.Kind == report.OriginLoad && l.slot, l.Kind == report.OriginCopy:
			value = outer
		case l.Kind == report.OriginLoad && l.plain:
			value = outer.Deref(off, t.Arch.Word, indexed)
		case l.Kind == report.OriginSum && l.plain:
			value = outer.Plus(off)
		}
		if static := t.Frames[l.Frame].Static; l.Kind == report.OriginLoad && l.Placed && !l.slot && value.Text == "" && static != nil {
			value, l.Rule = static(l.Memory) // an element or a member of a variable outside of functions
		}
		if l.Kind == report.OriginLoad && (!l.slot || l.there.Text != "") {
			l.Source = value.Shown()
		}
		if l.held.Text != "" {
			value = l.held
			l.Variable = value.Shown()
		}
		outer = value
	}
}
