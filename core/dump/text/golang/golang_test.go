package golang

import (
	"testing"

	"crashglass/core/process"
	"crashglass/core/testkit/textreport"
)

const example = `panic: runtime error: index out of range [5] with length 3
	panic: again

goroutine 7 [running]:
main.(*store).label(0x3b79b0914420?, 0x4c5295?)
	example.com/inventory/main.go:24 +0x1a fp=0xc000 sp=0xc000 pc=0x49e33a
main.render.func1(...)
	example.com/inventory/main.go:29
main.render({0x3b79, 0x1})
	example.com/inventory/main.go:29 +0x96
...additional frames elided...
created by main.main in goroutine 1
	example.com/inventory/main.go:21 +0x8c

goroutine 1 [chan receive, 2 minutes]:
main.main()
  example.com/inventory/main.go:36 +0x9b
exit status 2
`

func TestTraceback(t *testing.T) {
	all := textreport.Open(Family, "a line\n"+example+"another line\n")
	if len(all) != 1 || len(all[0].Threads) != 2 || all[0].Subject != 0 {
		t.Fatalf("%+v", all)
	}
	p := all[0]
	if pr := p.Problem; pr.Kind != process.Panic || pr.Text != "runtime error: index out of range [5] with length 3 again" {
		t.Errorf("%+v", pr)
	}
	if th := p.Threads[0]; th.ID != 7 || th.Name != "goroutine [running]" || len(th.Frames) != 2 {
		t.Fatalf("%+v", th)
	}
	first, second := p.Threads[0].Frames[0], p.Threads[0].Frames[1]
	if n := first.Stated; n.Function != "main.(*store).label" || n.File != "example.com/inventory/main.go" || n.Line != 24 ||
		n.Offset != 0x1a || first.Instruction != 0x49e33a || n.Place != process.Absolute {
		t.Errorf("%+v %+v", first, n)
	}
	if n := second.Stated; n.Function != "main.render" || len(n.Inlines) != 1 || n.Inlines[0].Function != "main.render.func1" || n.Place != process.Unplaced {
		t.Errorf("%+v", n)
	}
	if frames := p.Threads[1].Frames; len(frames) != 1 || frames[0].Stated.Line != 36 {
		t.Errorf("%+v", frames)
	}
	if len(p.Notes) != 1 {
		t.Errorf("notes %v", p.Notes)
	}
}

// A deadlock is the fault of no goroutine, and the runtime's own stack is that of none.
func TestFatal(t *testing.T) {
	all := textreport.Open(Family, "fatal error: all goroutines are asleep - deadlock!\n\n"+
		"runtime stack:\nruntime.throw({0x1, 0x2})\n\truntime/panic.go:1 +0x5\n\ngoroutine 1 [select (no cases)]:\nmain.main()\n\tmain.go:3 +0x1\n")
	if len(all) != 1 || all[0].Problem.Kind != process.Deadlock || all[0].Problem.Text != "all goroutines are asleep - deadlock!" || len(all[0].Threads) != 1 {
		t.Fatalf("%+v", all)
	}
	for _, log := range []string{"panic: x\n", "goroutine 1 [running]:\n", "goroutine x [running]:\n", "goroutine 1 running\nmain.main()\n\tmain.go:1 +0x1\n", "panic: don't panic: a text\nother\n"} {
		if got := textreport.Open(Family, log); len(got) > 0 {
			t.Errorf("%q: %+v", log, got[0])
		}
	}
}

func FuzzRead(f *testing.F) { textreport.Fuzz(f, Family, example) }
