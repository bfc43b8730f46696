package analyze

import (
	"fmt"
	"slices"

	"crashglass/core/report"
	"crashglass/core/values/variables"
)

// A VariablesQuery is a query for variables of one thread.
type VariablesQuery struct {
	Thread int // its index
	Frame  int // of which physical frame; -1 for the arguments of all

	// Elements, unless it is 0, selects a single variable, by its scope and number, and asks for
	// that many of its elements.
	Elements, Scope, Number int
}

// FrameVariables are the variables of one physical frame.
type FrameVariables struct {
	Frame  int              `json:"frame"`
	Known  bool             `json:"known"`  // the symbols list the variables, possibly none
	Scopes []ScopeVariables `json:"scopes"` // first the function itself, then the calls inlined into it, outermost first
	Notes  []report.Note    `json:"notes"`  // what was wrong with the symbols
}

// ScopeVariables are the variables of a function, or of an inlined call.
type ScopeVariables struct {
	Variables []report.Variable `json:"variables"`
}

// The bounds of an answer. The page shows 16 elements before it asks for more, and truncates
// arguments to the row of a stack.
const (
	firstElements   = 16
	mostElements    = 1 << 12
	mostArguments   = 16 // of a frame, in a row
	mostRowElements = 3
	mostFrames      = 64 // whose arguments are read
)

// Variables walks one thread and reads the requested variables, and no others. opt.Variables must
// be set.
func (s *Session) Variables(syms Symbols, q VariablesQuery, opt Options) ([]FrameVariables, error) {
	a, frames, all, err := s.framesOf(syms, q.Thread, q.Frame, opt)
	if err != nil {
		return nil, err
	}
	a.extents = true
	out := []FrameVariables{}
	for i := range all {
		if i == q.Frame || q.Frame < 0 && i < mostFrames && all[i].Symbols.Scopes != nil {
			answer := a.answer(&all[i], &frames[i], q.limits())
			if q.Frame >= 0 {
				a.addCalls(&answer, &q, frames)
			}
			out = append(out, answer)
		}
	}
	return out, nil
}

// framesOf walks one thread, which has to have a frame of that number unless it is -1, and returns its frames for package variables.
func (s *Session) framesOf(syms Symbols, thread, frame int, opt Options) (*analysis, []report.Frame, []variables.Context, error) {
	if thread < 0 || thread >= len(s.p.Threads) {
		return nil, nil, nil, fmt.Errorf("analyze: no thread %d: the dump has %d", thread, len(s.p.Threads))
	}
	read := opt.Variables
	opt.Variables, opt.Threads = nil, One(thread)
	a := s.analysis(syms, opt)
	frames := a.thread(thread).Frames
	walked := a.walked[thread]
	if frame < -1 || frame >= len(walked) {
		return nil, nil, nil, fmt.Errorf("analyze: no frame %d: the stack has %d", frame, len(walked))
	}
	a.opt.Variables = read
	ctx := s.p.Threads[thread].Registers
	if ctx == nil {
		return a, frames, nil, nil
	}
	return a, frames, a.valueFrames(ctx, a.input(ctx), walked), nil
}

// WithVariables returns a copy of a report with the variables of the crashing thread. opt.Variables
// must be set.
func (s *Session) WithVariables(r *report.Report, syms Symbols, opt Options) *report.Report {
	out := *r
	i := max(s.p.Subject, 0)
	if i >= len(r.Threads) {
		return &out
	}
	opt.Threads = One(i)
	read := s.analysis(syms, opt).thread(i).Frames
	frames := slices.Clone(r.Threads[i].Frames)
	for n := range frames[:min(len(frames), len(read))] {
		frames[n].Variables = read[n].Variables
		if interpreted := len(frames[n].Inlines) - len(read[n].Inlines); interpreted >= 0 { // these come first
			frames[n].Inlines = slices.Clone(frames[n].Inlines)
			for k := range read[n].Inlines {
				frames[n].Inlines[interpreted+k].Variables = read[n].Inlines[k].Variables
			}
		}
	}
	out.Threads = slices.Clone(r.Threads)
	out.Threads[i].Frames = frames
	out.CrashingThread = crashingCopy(&out)
	return &out
}

// answer reads the variables that a query selects in one frame.
func (a *analysis) answer(f *variables.Context, frame *report.Frame, limits variables.Limits) FrameVariables {
	_, known := a.frameVariables(f, frame, limits)
	out := FrameVariables{Frame: frame.Index, Known: known, Notes: append([]report.Note{}, a.notes.list...)}
	add := func(list []report.Variable) {
		out.Scopes = append(out.Scopes, ScopeVariables{append([]report.Variable{}, list...)})
	}
	add(frame.Variables)
	for i := range frame.Inlines {
		add(frame.Inlines[len(frame.Inlines)-1-i].Variables)
	}
	return out
}

func (q *VariablesQuery) limits() variables.Limits {
	switch {
	case q.Frame < 0:
		return variables.Limits{Depth: 1, Elements: mostRowElements, Values: 4 * mostArguments, Bytes: 1 << 14, Wants: isRowArgument}
	case q.Elements != 0:
		return variables.Limits{
			Elements: Elements(q.Elements),
			Wants:    func(scope, number int, _ *variables.Variable) bool { return scope == q.Scope && number == q.Number },
		}
	}
	return variables.Limits{Elements: firstElements}
}

// Elements returns how many elements of an array are read for a page that wants n.
func Elements(n int) int { return min(max(n, firstElements), mostElements) }

// isRowArgument selects the variables of a row in the stack: the first arguments. Locals are read
// when the frame is opened.
func isRowArgument(_, number int, v *variables.Variable) bool {
	return v.Argument && number < mostArguments
}
