package render

import (
	"bytes"
	"strings"
	"testing"

	"crashglass/core/report"
)

// goroutines is a report of three goroutines, of which two have one stack.
func goroutines() *report.Report {
	name, creator, file, line := "main.worker", "main.main", "/src/a.go", uint32(7)
	frames := []report.Frame{
		{Offset: "0x10", Function: &name, File: &file, Line: &line, Certainty: report.NameInside, Kind: report.GoFrame, Inlined: true},
		{Offset: "0x10", Function: &creator, Certainty: report.NameInside, Kind: report.GoFrame},
	}
	task := func(id uint64, state report.TaskState, frames []report.Frame) report.Task {
		return report.Task{Kind: report.Goroutine, ID: id, State: state, Frames: frames, Creator: &creator, End: report.End{Complete: true, Kind: report.Undefined}}
	}
	return &report.Report{Tasks: []report.Task{task(1, "running", frames[1:]), task(7, "chan receive", frames), task(9, "chan receive", frames)}}
}

// Goroutines with one stack are written once, the largest group first.
func TestTasks(t *testing.T) {
	for name, write := range map[string]func(*bytes.Buffer, *report.Report) error{
		"text":     func(b *bytes.Buffer, r *report.Report) error { return Text(b, r, Options{}) },
		"Markdown": func(b *bytes.Buffer, r *report.Report) error { return Markdown(b, r, Options{}) },
		"HTML":     func(b *bytes.Buffer, r *report.Report) error { return HTML(b, r, Options{}) },
	} {
		var b bytes.Buffer
		if err := write(&b, goroutines()); err != nil {
			t.Fatal(err)
		}
		out := strings.NewReplacer("`", "", "<pre>", "", "<details class=\"thread\"><summary>", "", "text\n", "").Replace(b.String())
		for _, want := range []string{
			"2 goroutines [chan receive], created by main.main: 7, 9", "0  main.worker  a.go:7 (inlined)\n   1  main.main", "goroutine [running], created by main.main: 1",
		} {
			if !strings.Contains(out, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, out)
			}
		}
		if strings.Count(out, "main.worker") != 1 {
			t.Errorf("%s: a stack is not written once:\n%s", name, out)
		}
	}
}

// More groups than fit are counted, and a shortened report keeps its goroutines' threads.
func TestManyTasks(t *testing.T) {
	r := goroutines()
	thread := 5
	for i := range mostGroups {
		task := r.Tasks[0]
		name := strings.Repeat("f", i+1)
		task.Creator, task.Thread = &name, &thread
		r.Tasks = append(r.Tasks, task)
	}
	if groups, left := taskGroups(r); len(groups) != mostGroups || left != 2 {
		t.Errorf("%d groups, %d left out", len(groups), left)
	}
	relinkThreads(r, func(i int) int { return i - 5 })
	if n := r.Tasks[3].Thread; n == nil || *n != 0 {
		t.Errorf("thread %v", n)
	}
}

// Frames have one number if they have one text, whether they share it or not. A frame with inlined calls is not taken for the one without.
func TestFrameNumbers(t *testing.T) {
	n := newFrameNumbers()
	frame := func(name string, calls ...report.Inline) *report.Frame {
		return &report.Frame{Offset: "0x10", Function: &name, Inlines: calls}
	}
	one := frame("main.a")
	same := *one
	same.Index, same.Kind = 4, report.GoFrame
	inlined := *one
	inlined.Inlines = []report.Inline{{Function: one.Function}}
	numbers := []uint64{n.of(one), n.of(one), n.of(&same), n.of(frame("main.a")), n.of(frame("main.b")), n.of(&inlined), n.of(frame("main.a"))}
	for i, want := range []uint64{0, 0, 0, 0, 1, 2, 0} {
		if numbers[i] != want {
			t.Errorf("numbers %d, want %d at %d", numbers, want, i)
			break
		}
	}
	if n.stack([]report.Frame{*one, inlined}) == n.stack([]report.Frame{inlined, *one}) {
		t.Error("the order of frames does not count")
	}
}
