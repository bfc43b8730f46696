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

// A frame at its function's entry has no offset, and one that a signal interrupted has the program counter itself. A goroutine on another thread has no
// stack.
func TestSystemTraceback(t *testing.T) {
	all := textreport.Open(Family, "panic: again\n\ngoroutine 4 gp=0x1 m=0 mp=0x2 [running]:\nruntime.sigpanic()\n\t/go/signal_unix.go:931 +0x17 fp=0x3 sp=0x4 pc=0x47b518\n"+
		"main.lift()\n\t/src/main.go:18 fp=0x3 sp=0x4 pc=0x4a27a0\nmain.main()\n\t/src/main.go:24 +0x3 fp=0x3 sp=0x4 pc=0x4a2a18\n\n"+
		"goroutine 8 gp=0x5 m=2 mp=0x6 [running]:\n\tgoroutine running on other thread; stack unavailable\n"+
		"created by main.main in goroutine 1\n\t/src/main.go:31 +0xca5\n\n"+
		"goroutine 9 gp=0x7 m=nil [runnable]:\nmain.main.func1()\n\t/src/main.go:31 fp=0x8 sp=0x9 pc=0x4a3760\n")
	if len(all) != 1 || len(all[0].Threads) != 3 {
		t.Fatalf("%+v", all)
	}
	frames := all[0].Threads[0].Frames
	if f := frames[1]; f.Instruction != 0x4a27a0 || f.Stated.File != "/src/main.go" || f.Stated.Line != 18 || f.Stated.Offset != 0 {
		t.Errorf("%+v, %+v", f, f.Stated)
	}
	if f := frames[2]; f.Instruction != 0x4a2a17 || f.Stated.Offset != 3 {
		t.Errorf("%+v, %+v", f, f.Stated)
	}
	if f := all[0].Threads[2].Frames[0]; f.Instruction != 0x4a3760 || f.Stated.Line != 31 {
		t.Errorf("%+v, %+v", f, f.Stated)
	}
}

// A stack without a message is that of a panic that net/http caught, of debug.PrintStack, or of a panic whose first line is missing.
func TestUnsaid(t *testing.T) {
	const stack = "goroutine 34 [running]:\nmain.main()\n\t/src/main.go:24 +0x3\n"
	const printed = "goroutine 1 [running]:\nruntime/debug.Stack()\n\t/go/debug/stack.go:26 +0x5e\nmain.main()\n\t/src/main.go:24 +0x3\n"
	for _, tt := range []struct {
		log, text string
		kind      process.ProblemKind
		subject   int
	}{
		{log: "2026/11/23 05:09:58 http: panic serving 127.0.0.1:5555: boom: no\n" + stack, text: "boom: no", kind: process.Panic, subject: 0},
		{log: printed, text: "", kind: process.Printed, subject: -1},
		{log: stack, text: "", kind: process.Panic, subject: 0},
	} {
		all := textreport.Open(Family, tt.log)
		if len(all) != 1 || all[0].Problem.Text != tt.text || all[0].Problem.Kind != tt.kind || all[0].Subject != tt.subject {
			t.Errorf("%q: %+v", tt.log, all)
		}
	}
}

// The second line of a frame has a number, unless it is truncated.
func TestTruncatedFrame(t *testing.T) {
	const log = "panic: no\n\ngoroutine 1 [running]:\nmain.slot(0x1)\n\t/src/main.go:24 +0x3\nmain.main()\n"
	for end, want := range map[string]int{"\t/src/ma": 1, "\t/src/main.go:2": 2} {
		all := textreport.Open(Family, log+end+"\n")
		if len(all) != 1 || len(all[0].Threads[0].Frames) != want {
			t.Errorf("%q: %+v", end, all[0].Threads)
		}
	}
}

func TestRace(t *testing.T) {
	const race = "==================\nWARNING: DATA RACE\nWrite at 0x00c000094028 by goroutine 8:\n  main.f()\n      /src/main.go:52 +0x7b\n\n" +
		"Previous read at 0x00c000094028 by main goroutine:\n  [failed to restore the stack]\n\nGoroutine 8 (running) created at:\n  main.main()\n      /src/main.go:50 +0x12\n" +
		"==================\nFound 1 data race(s)\n"
	all := textreport.Open(Family, race+race)
	if len(all) != 2 || len(all[1].Threads) != 3 || all[1].Problem.Kind != process.DataRace || all[1].Problem.Access != process.Write {
		t.Fatalf("%+v", all)
	}
	th := all[1].Threads
	if f := th[0].Frames; th[0].ID != 8 || len(f) != 1 || f[0].Stated.Function != "main.f" || f[0].Stated.Line != 52 {
		t.Errorf("%+v", f)
	}
	if th[1].Role != process.Previous || th[2].Role != process.Created {
		t.Errorf("%+v", th)
	}
}

// A signal in C, or from another process, has no panic. Others end the program by an error of their own.
func TestSignal(t *testing.T) {
	const stack = "\ngoroutine 1 [syscall]:\nmain.main()\n\t/src/main.go:24 +0x3\n"
	for log, want := range map[string]process.Problem{
		"SIGSEGV: segmentation violation\nPC=0x4a0725 m=0 sigcode=1 addr=0x0\nsignal arrived during cgo execution\n": {
			Kind: process.Panic, Text: "SIGSEGV: segmentation violation PC=0x4a0725 m=0 sigcode=1 addr=0x0 signal arrived during cgo execution"},
		"SIGFPE: floating-point exception\nPC=0x4a0725 m=0 sigcode=1\n":                        {Kind: process.Panic, Text: "SIGFPE: floating-point exception PC=0x4a0725 m=0 sigcode=1"},
		"runtime: goroutine stack exceeds 250000000-byte limit\nfatal error: stack overflow\n": {Kind: process.StackExhausted, Text: "stack overflow"},
		"fatal error: runtime: out of memory\n":                                                {Kind: process.OutOfMemory, Text: "runtime: out of memory"},
	} {
		all := textreport.Open(Family, log+stack)
		if len(all) != 1 || all[0].Subject != 0 || *all[0].Problem != want {
			t.Errorf("%q: %+v", log, all)
		}
	}
	if all := textreport.Open(Family, "[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x1]\n"+stack); len(all) != 1 || all[0].Problem.Text != "" {
		t.Errorf("%+v", all)
	}
	all := textreport.Open(Family, "goroutine 9 [running]:\nruntime/pprof.writeGoroutineStacks({0x1, 0x2})\n\t/go/pprof.go:703 +0x6f\n"+stack)
	if len(all) != 1 || all[0].Problem.Kind != process.Printed {
		t.Errorf("%+v", all)
	}
}
