package adapter

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"crashglass/core/process"
	"crashglass/core/report"
	"crashglass/core/runtimes"
)

// withCalls opens a dump whose first thread runs calls of an interpreter.
func withCalls(t *testing.T) *session {
	t.Helper()
	opened := linuxDump(t)
	find := func(p *process.Process) *runtimes.Found {
		found := &runtimes.Found{Tasks: []runtimes.Task{{
			ID: 1, Thread: p.Threads[0].ID, State: "holds the GIL", Whole: true,
			Runs: [][]runtimes.Call{{{Function: "inner", Frame: 1}}, {{Function: "outer", Frame: 2}}},
		}}}
		found.Variables = func(c *runtimes.Call, elements int, _ func(uint64, int) []byte) (locals, globals []runtimes.Value) {
			list := runtimes.Value{Name: "list", Type: "list", Text: "[…]", More: uint64(100 - elements), Address: 0x1000}
			for i := range elements {
				list.Children = append(list.Children, runtimes.Value{Name: fmt.Sprintf("[%d]", i), Type: "int", Text: fmt.Sprint(i)})
			}
			object := runtimes.Value{Name: "self", Type: "Worker", Text: "<Worker>", Argument: true, Children: []runtimes.Value{{Name: "size", Type: "int", Text: "7"}}}
			locals = []runtimes.Value{object, {Name: "of", Text: c.Function}, list, {Name: "unset", Unbound: true}, {Name: "gone", Unknown: "not in the dump"}}
			return locals, []runtimes.Value{{Name: "of", Text: "hidden"}, {Name: "LIMIT", Text: "17"}}
		}
		return found
	}
	opened.Options.Runtimes = []runtimes.Runtime{{Name: "Python", Task: string(report.PythonThread), Frame: string(report.PythonFrame), Native: "eval", Find: find}}
	s := &session{open: func(Launch, io.Writer) (Opened, error) { return opened, nil }, out: &bytes.Buffer{}, pending: map[int]bool{}}
	if _, err := s.start(Launch{Dump: "x"}); err != nil {
		t.Fatal(err)
	}
	return s
}

// shownIn are the scopes of a frame with their variables.
func (s *session) shownIn(t *testing.T, frame int) string {
	t.Helper()
	scopes, err := s.scopes(dap.ScopesArguments{FrameId: frame})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, scope := range scopes.Scopes {
		list, err := s.variables(dap.VariablesArguments{VariablesReference: scope.VariablesReference})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, scope.Name)
		for _, v := range list.Variables {
			out = append(out, fmt.Sprintf("%s=%s(%s)", v.Name, v.Value, v.EvaluateName))
		}
	}
	return strings.Join(out, " ")
}

// A thread whose native stack does not have the calls has them in a list of its own, with the variables of each. They have no registers and no
// code of the machine.
func TestCallsOfTask(t *testing.T) {
	s := withCalls(t)
	threads, _ := s.threads(struct{}{})
	last := threads.Threads[len(threads.Threads)-1]
	if last.Id != len(s.report.Threads)+1 || last.Name != "python_thread 1: holds the GIL" {
		t.Fatalf("%+v", threads.Threads)
	}
	stack, err := s.stackTrace(dap.StackTraceArguments{ThreadId: last.Id})
	if err != nil || len(stack.StackFrames) != 2 || stack.StackFrames[0].Name != "inner" || stack.StackFrames[0].InstructionPointerReference != "" {
		t.Fatalf("%+v, %v", stack, err)
	}
	const want = "Arguments self=<Worker>(self) Locals of=outer(of) list=[…](list) unset=no value(unset) gone=unreadable, not in the dump(gone) " +
		"Globals of=hidden() LIMIT=17(LIMIT)"
	if got := s.shownIn(t, stack.StackFrames[1].Id); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for expression, want := range map[string]string{
		"of": "inner", " self.size ": "7", "list[3]": "3", "LIMIT": "17", "self.none": "<", "none": "<", "list[3": "<", "gone": "<", "1+1": "<",
	} {
		v, err := s.evaluate(dap.EvaluateArguments{Expression: expression, FrameId: stack.StackFrames[0].Id})
		if v.Result != strings.TrimPrefix(want, "<") || (err != nil) != (want == "<") {
			t.Errorf("%s is %q, %v", expression, v.Result, err)
		}
	}
	list, _ := s.evaluate(dap.EvaluateArguments{Expression: "list", FrameId: stack.StackFrames[0].Id})
	page, err := s.variables(dap.VariablesArguments{VariablesReference: list.VariablesReference, Filter: "indexed", Start: 60, Count: 2})
	if err != nil || list.IndexedVariables != 100 || len(page.Variables) != 2 || page.Variables[1].Value != "61" {
		t.Errorf("%+v %+v, %v", list, page, err)
	}
}

// Calls in the native frames that run them are rows with the variables of the call. The thread has no second list.
func TestCallsOfThread(t *testing.T) {
	s := withCalls(t)
	native, inner, outer := "eval", "inner", "outer"
	call := func(name *string) []report.Inline {
		return []report.Inline{{Function: name, Kind: report.PythonFrame}, {Function: name}}
	}
	frames := s.report.Threads[0].Frames[:1]
	one, two := frames[0], frames[0]
	one.Function, two.Function, one.Inlines, two.Inlines = &native, &native, call(&inner), call(&outer)
	s.report.Threads[0].Frames = []report.Frame{one, frames[0], two}
	if threads, _ := s.threads(struct{}{}); len(threads.Threads) != len(s.report.Threads) {
		t.Errorf("%+v", threads)
	}
	var calls []int
	for _, r := range rows(s.report.Threads[0].Frames) {
		calls = append(calls, r.call)
	}
	if got := fmt.Sprint(calls); got != "[0 -1 -1 -1 1 -1 -1]" {
		t.Fatal(got)
	}
	if got := s.shownIn(t, 5); !strings.Contains(got, "of=outer(of)") || strings.Contains(got, "Registers") {
		t.Error(got)
	}
	if got := s.shownIn(t, 7); strings.Contains(got, "outer") || !strings.Contains(got, "Registers") {
		t.Error(got)
	}
}
