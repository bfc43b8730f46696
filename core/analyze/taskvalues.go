package analyze

import (
	"fmt"
	"slices"

	"crashglass/core/base/bug"
	"crashglass/core/process"
	"crashglass/core/report"
	"crashglass/core/runtimes"
	"crashglass/core/values/variables"
)

// A TaskQuery is a query for one frame of a goroutine that no thread runs. The registers that its runtime saved are few, but variables are in
// memory where a goroutine waits.
type TaskQuery struct {
	Task  int // an index into the report's tasks
	Frame int // an index into the task's frames, of which inlined calls are frames of their own
}

// TaskVariables reads the variables of a frame. Frames of other tasks have none. opt.Variables must be set.
func (s *Session) TaskVariables(syms Symbols, q TaskQuery, opt Options) ([]report.Variable, error) {
	read := opt.Variables
	opt.Variables = nil
	a := s.analysis(syms, opt)
	f, frame, scope, err := a.taskFrame(q)
	if err != nil || f == nil {
		return nil, err
	}
	a.opt.Variables = read
	return a.answer(f, frame, variables.Limits{Elements: firstElements}).Scopes[scope].Variables, nil
}

// TaskEvaluate evaluates expressions in a frame, as [Session.Evaluate] does in one of a thread.
func (s *Session) TaskEvaluate(syms Symbols, q TaskQuery, expressions []string, elements int, opt Options) (out []report.Variable, err error) {
	a := s.analysis(syms, opt)
	f, _, scope, err := a.taskFrame(q)
	if err == nil && f == nil {
		err = fmt.Errorf("analyze: task %d has no registers, which variables need", q.Task)
	}
	if err != nil {
		return nil, err
	}
	defer bug.Catch(&err)
	return a.evaluate(f, scope, expressions, elements), nil
}

// taskFrame returns the physical frame of a query, and the scope of its row in it. There is none for a task with frames that were not walked.
func (a *analysis) taskFrame(q TaskQuery) (f *variables.Context, frame *report.Frame, scope int, err error) {
	g, err := a.goroutine(q.Task)
	if err != nil || g == nil {
		return nil, nil, 0, err
	}
	input := a.taskInput(g)
	walked, frames, _ := a.follow(input, nil, a.ofThread(input.Arch))
	row := q.Frame
	for i := range frames {
		calls := len(frames[i].Inlines) // innermost first, and before the function
		if row > calls {
			row -= calls + 1
			continue
		}
		all := a.valueFrames(&process.Registers{Arch: a.p.Arch, Regs: g.Regs}, input, walked)
		return &all[i], &frames[i], calls - row, nil
	}
	return nil, nil, 0, fmt.Errorf("analyze: no frame %d of task %d", q.Frame, q.Task)
}

// goroutine finds a task of the report; nil if its frames are those of a thread, or of an interpreter.
func (a *analysis) goroutine(task int) (*runtimes.Task, error) {
	row, _, g := a.taskAt(task)
	switch {
	case g == nil:
		return nil, fmt.Errorf("analyze: no task %d", task)
	case row.Native != "" || g.Running || g.Regs.Known() == 0:
		return nil, nil
	}
	return g, nil
}

// taskAt finds a task of the report by its index, nil if there is none, with its runtime and what that found.
func (a *analysis) taskAt(index int) (runtimes.Runtime, *runtimes.Found, *runtimes.Task) {
	for _, row := range a.runtimes() {
		found := a.find(&row)
		if found == nil {
			continue
		}
		if index >= 0 && index < len(found.Tasks) {
			return row, found, &found.Tasks[index]
		}
		index -= len(found.Tasks)
	}
	return runtimes.Runtime{}, nil, nil
}

// CallVariables reads the variables of a call that an interpreter runs, its locals and the globals of its module. A call is the frame of a task, by
// [TaskQuery]. Others have none.
func (s *Session) CallVariables(syms Symbols, q TaskQuery, elements int, opt Options) (locals, globals []report.Variable, err error) {
	defer bug.Catch(&err)
	a := s.analysis(syms, opt)
	_, found, task := a.taskAt(q.Task)
	if task == nil || found.Variables == nil {
		return nil, nil, nil
	}
	calls := slices.Concat(task.Runs...)
	if q.Frame < 0 || q.Frame >= len(calls) {
		return nil, nil, nil
	}
	own, others := found.Variables(&calls[q.Frame], Elements(elements), a.read.bytes)
	return a.callValues(own, report.Local), a.callValues(others, report.Global), nil
}

// ofCall reads the variables of a call that an interpreter runs, without the globals of its module.
func (a *analysis) ofCall(found *runtimes.Found, call *runtimes.Call, elements int) []report.Variable {
	if found.Variables == nil {
		return nil
	}
	own, _ := found.Variables(call, elements, a.read.bytes)
	return a.callValues(own, report.Local)
}

// addCalls adds the scopes of the calls that interpreters run in a native frame, outermost first, as the report of the process has them.
func (a *analysis) addCalls(out *FrameVariables, q *VariablesQuery, frames []report.Frame) {
	for _, row := range a.runtimes() {
		found := a.found[row.Name]
		if found == nil || found.Variables == nil {
			continue
		}
		for i := range found.Tasks {
			t := &found.Tasks[i]
			if t.Thread == 0 || !t.Whole || a.p.ThreadIndex(t.Thread) != q.Thread {
				continue
			}
			if n := slices.Index(a.runningFrames(&row, t, q.Thread, frames), out.Frame); n >= 0 {
				for _, call := range slices.Backward(t.Runs[n]) {
					out.Known = true
					out.Scopes = append(out.Scopes, ScopeVariables{q.selected(len(out.Scopes), a.ofCall(found, &call, Elements(q.Elements)))})
				}
			}
		}
	}
}

// selected returns those variables of a scope that a query selects.
func (q *VariablesQuery) selected(scope int, list []report.Variable) []report.Variable {
	switch {
	case q.Elements == 0:
		return append([]report.Variable{}, list...)
	case scope == q.Scope && q.Number >= 0 && q.Number < len(list):
		return list[q.Number : q.Number+1]
	}
	return []report.Variable{}
}

func (a *analysis) callValues(list []runtimes.Value, kind report.VariableKind) (out []report.Variable) {
	for i := range list {
		v := &list[i]
		a.budget.values--
		a.budget.valueText -= valueText + len(v.Name) + len(v.Type) + len(v.Text)
		one := report.Variable{Name: v.Name, Type: v.Type, Kind: kind, State: "known", Value: some(v.Text), More: v.More, Children: a.callValues(v.Children, "")}
		if v.Argument {
			one.Kind = report.Argument
		}
		if v.Unknown != "" {
			one.State, one.Value, one.Why = "unreadable", nil, &v.Unknown
		}
		if v.Unbound {
			one.Content = report.NoContent
		} else if v.Empty {
			one.Content = report.EmptyContent
		}
		if v.Address != 0 {
			one.Location = some(string(a.addr(v.Address)))
		}
		out = append(out, one)
	}
	return out
}
