package waits

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/report"
)

// A spot is a frame in few words.
type spot struct {
	Functions []string // innermost first
	Module    string
	System    bool
	Regs      *cpu.Regs
	Return    uint64
}

// row is the frame of a report.
func (s spot) row() report.Frame {
	walked := &process.Frame{ReturnAddress: s.Return}
	if s.Regs != nil {
		walked.Regs = *s.Regs
	}
	f := report.FrameOf(walked)
	f.Module, f.System = &s.Module, s.System
	for i := range s.Functions {
		if name := &s.Functions[i]; i == len(s.Functions)-1 {
			f.Function, f.Certainty = name, report.NameInside
		} else {
			f.Inlines = append(f.Inlines, report.Inline{Function: name})
		}
	}
	return f
}

// rows are the frames of a stack.
func rows(list []spot) (out []report.Frame) {
	for _, s := range list {
		out = append(out, s.row())
	}
	return out
}
