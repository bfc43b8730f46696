package adapter

import (
	"fmt"
	"slices"

	"github.com/google/go-dap"

	"crashglass/core/report"
)

// threads lists the crashing thread first, then the others, then the tasks that are not on the stack of a thread.
func (s *session) threads(struct{}) (dap.ThreadsResponseBody, error) {
	out := dap.ThreadsResponseBody{Threads: []dap.Thread{}}
	for i := range s.report.Threads {
		name := s.threadName(i)
		if state := s.report.Threads[i].State; state != nil {
			name += ": " + *state
		}
		out.Threads = append(out.Threads, dap.Thread{Id: i + 1, Name: name})
	}
	if i := s.crashing(); i < len(out.Threads) {
		first := out.Threads[i]
		out.Threads = slices.Insert(slices.Delete(out.Threads, i, i+1), 0, first)
	}
	for i := range s.report.Tasks {
		if t := &s.report.Tasks[i]; t.Thread == nil || t.Kind.OnThread() && !s.hasCalls(*t.Thread) {
			out.Threads = append(out.Threads, dap.Thread{Id: len(s.report.Threads) + i + 1, Name: fmt.Sprintf("%s %d: %s", t.Kind, t.ID, t.State)})
		}
	}
	return out, nil
}

// hasCalls reports whether a thread's stack has the calls of an interpreter.
func (s *session) hasCalls(thread int) bool {
	return slices.ContainsFunc(rows(s.report.Threads[thread].Frames), func(r row) bool { return r.call >= 0 })
}

// threadName is the number of a thread, its ID and its name.
func (s *session) threadName(i int) string {
	th := &s.report.Threads[i]
	name := fmt.Sprintf("Thread %d (%d)", i, th.ID)
	if th.Name != nil {
		name += " " + *th.Name
	}
	return name
}

// A row is a row of a stack: a frame, or a call that was inlined into it.
type row struct {
	frame   *report.Frame
	inlined bool
	scope   int // of the frame: 0 for the function itself, then the inlined calls, outermost first
	call    int // of an interpreter's calls on this stack, -1 for none
	name    string
	file    *string
	line    *uint32
}

// rows are the rows of a stack, innermost first.
func rows(frames []report.Frame) (out []row) {
	calls := 0
	call := func(kind report.FrameKind) int {
		if kind.Language() == "" {
			return -1
		}
		calls++
		return calls - 1
	}
	for i := range frames {
		f := &frames[i]
		for k := range f.Inlines {
			in := &f.Inlines[k]
			out = append(out, row{
				frame: f, inlined: true, scope: len(f.Inlines) - k, call: call(in.Kind), name: named(in.Spelling, in.Function), file: in.File, line: in.Line,
			})
		}
		name := named(f.Spelling, f.Function)
		if name == "" {
			name = place(f)
		}
		out = append(out, row{frame: f, call: call(f.Kind), name: name, file: f.File, line: f.Line})
	}
	return out
}

func named(s report.Spelling, function *string) string {
	if s.Readable != nil {
		return *s.Readable
	}
	return text(function)
}

// place is an address as an offset in its module, if it is in one.
func place(f *report.Frame) string {
	if f.Module != nil && f.ModuleOffset != nil {
		return *f.Module + "+" + string(*f.ModuleOffset)
	}
	return string(f.Offset)
}

// maxRows bounds the rows of a stack that are shown: the number of a frame has the thread and the row.
const maxRows = 1 << 16

// stackTrace is a page of a stack.
func (s *session) stackTrace(args dap.StackTraceArguments) (dap.StackTraceResponseBody, error) {
	out := dap.StackTraceResponseBody{StackFrames: []dap.StackFrame{}}
	i, err := s.thread(args.ThreadId)
	if err != nil {
		return out, err
	}
	all := rows(s.frames(i))
	all = all[:min(len(all), maxRows)]
	out.TotalFrames = len(all)
	start := min(max(args.StartFrame, 0), len(all))
	for n, r := range page(all, start, args.Levels) {
		f := dap.StackFrame{Id: i*maxRows + start + n + 1, Name: r.frame.RowMark(r.inlined) + r.name}
		if r.call < 0 { // the code of an interpreter's calls is not the machine's
			f.InstructionPointerReference = string(r.frame.Offset)
		}
		if f.Source = s.rowSource(r); r.line != nil {
			f.Line = s.line(int(*r.line))
		}
		if r.frame.ModuleIndex != nil {
			f.ModuleId = *r.frame.ModuleIndex
		}
		if r.frame.Guess || r.frame.Trust.Scanned() || r.frame.System {
			f.PresentationHint = "subtle"
		}
		out.StackFrames = append(out.StackFrames, f)
	}
	return out, nil
}

// row returns the row of a stack that has the number of a frame, and the index of its thread. 0 is the first row of the crash.
func (s *session) row(id int) (thread int, at row, err error) {
	if id == 0 {
		id = s.crashing()*maxRows + 1
	}
	thread, err = s.thread((id-1)/maxRows + 1)
	if err != nil || id < 0 {
		return 0, row{}, fmt.Errorf("there is no frame %d", id)
	}
	all := rows(s.frames(thread))
	if n := (id - 1) % maxRows; n < len(all) {
		return thread, all[n], nil
	}
	return 0, row{}, fmt.Errorf("there is no frame %d", id)
}
