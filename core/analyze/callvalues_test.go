package analyze

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/process"
	"crashglass/core/report"
	"crashglass/core/runtimes"
)

// A call is found by the task's place among those of all runtimes, and by its frame's. Calls of others have no variables.
func TestCallVariables(t *testing.T) {
	s := deadlocked(t)
	s.found["goroutines"] = &runtimes.Found{Tasks: make([]runtimes.Task, 2)}
	found := &runtimes.Found{Tasks: []runtimes.Task{{}, {Runs: [][]runtimes.Call{{{Function: "a"}}, {{Function: "b"}}}}}}
	found.Variables = func(c *runtimes.Call, elements int, bytes func(uint64, int) []byte) (locals, globals []runtimes.Value) {
		return []runtimes.Value{{Name: "of", Text: c.Function, Argument: true}, {Name: "word", Text: fmt.Sprint(bytes(0x5000, 1), elements)},
			{Name: "empty", Text: "[]", Empty: true, Address: 0x10}, {Name: "unset", Unbound: true}}, []runtimes.Value{{Name: "g", Unknown: "damaged"}}
	}
	opt := Options{Runtimes: []runtimes.Runtime{{Name: "Python", Native: "eval", Find: func(*process.Process) *runtimes.Found { return found }}}}
	text := func(list []report.Variable) string {
		var out []string
		for _, v := range list {
			out = append(out, fmt.Sprintf("%s %s %s=%s %s%s", v.Kind, v.State, v.Name, deref(v.Value), v.Content, deref(v.Location)))
		}
		return strings.Join(out, ", ")
	}
	for _, tt := range []struct {
		q    TaskQuery
		want string
	}{
		{TaskQuery{Task: 3, Frame: 1}, "argument known of=b , local known word=[2] 16 , local known empty=[] empty0x0000000000000010, local known unset= no_value | global unreadable g= "},
		{TaskQuery{Task: 3, Frame: 2}, " | "}, {TaskQuery{Task: 2}, " | "}, {TaskQuery{Task: 1}, " | "}, {TaskQuery{Task: 9}, " | "}, {TaskQuery{Task: 3, Frame: -1}, " | "},
	} {
		locals, globals, err := s.CallVariables(nil, tt.q, 0, opt)
		if got := text(locals) + " | " + text(globals); got != tt.want || err != nil {
			t.Errorf("%+v: %s (%v), want %s", tt.q, got, err, tt.want)
		}
	}
}
