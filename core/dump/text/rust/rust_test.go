package rust

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/process"
	"crashglass/core/testkit/textreport"
)

const example = `thread 'main' (31157) panicked at ferry.rs:4:75:
index out of bounds: the len is 3 but the index is 3
stack backtrace:
   0:     0x55cc941feeea - std[e28293b1aa0f68bd]::rt::inner
                               at /rustc/59807616/library/std/src/rt.rs:117:9
   1:     0x55cc941feeea - <ferry::Dock as ferry::Route>::next
                               at ./ferry.rs:5:80
   2:     0x55cc9420f20a - <unknown>
   3:                0x0 - <unknown>
note: Some details are omitted, run with ` + "`RUST_BACKTRACE=full`" + ` for a verbose backtrace.
`

func TestPanic(t *testing.T) {
	all := textreport.Open(Family, "x\n"+example)
	if len(all) != 1 || len(all[0].Threads) != 1 {
		t.Fatalf("%+v", all)
	}
	p := all[0]
	if th := p.Threads[0]; th.ID != 31157 || th.Name != "main" || len(th.Frames) != 2 {
		t.Fatalf("%+v", th)
	}
	if pr := p.Problem; pr.Kind != process.Panic || pr.Text != "index out of bounds: the len is 3 but the index is 3" {
		t.Errorf("%+v", pr)
	}
	f := p.Threads[0].Frames[0]
	if n := f.Stated; n.Function != "<ferry::Dock as ferry::Route>::next" || n.Line != 5 || len(n.Inlines) != 1 || n.Inlines[0].Function != "std::rt::inner" || f.ReturnAddress != 0x55cc941feeea || f.Instruction != 0x55cc941feee9 {
		t.Errorf("%+v %+v", f, n)
	}
	if n := p.Threads[0].Frames[1].Stated; n.Function != "" {
		t.Errorf("%+v", n)
	}
}

// Lines that a mail program wrapped behind the address, inside of a name, and before the place are those of the frame.
func TestWrappedStack(t *testing.T) {
	want := textreport.Open(Family, example)[0].Threads[0].Frames
	wrapped := strings.NewReplacer(" - std[", " -\nstd[", "Dock as ", "Dock\nas ", "at ./ferry", "at\n./ferry").Replace(example)
	if all := textreport.Open(Family, wrapped); len(all) != 1 || !reflect.DeepEqual(all[0].Threads[0].Frames, want) {
		t.Errorf("%+v, want %+v", all, want)
	}
	cut := strings.Replace(example, "Route>::next", "Route", 1)
	if frames := textreport.Open(Family, cut)[0].Threads[0].Frames; len(frames) != len(want) || frames[0].Stated.Line != 5 {
		t.Errorf("%+v", frames)
	}
}

// Without a stack, the place of the panic is the only frame. Before Rust 1.73 all is in one line.
func TestWithoutStack(t *testing.T) {
	for _, log := range []string{
		"thread 'io' panicked at 'no, never', src/main.rs:2:5\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
		"thread 'io' panicked at 'no,\n never', src/main.rs:2:5\n==7== ERROR: libFuzzer: deadly signal\n",
		"thread 'io' panicked at src/main.rs:2:5:\nno, never\n==7== ERROR: libFuzzer: deadly signal\n",
		"thread 'io' panicked at src/main.rs:2:5:\nno, never\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
	} {
		all := textreport.Open(Family, log)
		if len(all) != 1 || all[0].Problem.Text != "no, never" || all[0].Threads[0].Frames[0].Stated.File != "src/main.rs" || all[0].Threads[0].Frames[0].Stated.Line != 2 {
			t.Errorf("%s: %+v", log, all)
		}
	}
	if got := textreport.Open(Family, "thread 'main' has overflowed its stack\n"); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}

// A stack whose heading is lost is one of Rust if it has source lines.
func TestWithoutHeading(t *testing.T) {
	const stack = "   0: core::panicking::panic_fmt\n             at /rustc/5980/library/core/src/panicking.rs:80:14\n   1: r::slot\n             at ./r.rs:1:42\n"
	for log, want := range map[string]int{
		stack + "words\n": 2, "> " + strings.ReplaceAll(stack, "\n", "\n> "): 2, "   0: one\n   1: two\n": 0, "   0: words\nand more\n": 0, "at 10: a\n": 0,
	} {
		got := 0
		for _, p := range textreport.Open(Family, log) {
			got += len(p.Threads[0].Frames)
		}
		if got != want {
			t.Errorf("%q: %d frames, want %d", log, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	textreport.Fuzz(f, Family, example, crashed+"\nMessage:  a\nLocation: a.rs:4\n  ━ BACKTRACE ━\n   1: f\n      at a.rs:4\n")
}

// A panic in a destructor ends the program, and the first one is the cause.
func TestPanicInPanic(t *testing.T) {
	const frames = "stack backtrace:\n   0: ferry::main\n             at ./ferry.rs:4:5\n"
	all := textreport.Open(Family, "thread 'a 'b'' (7) panicked at ferry.rs:4:5:\nfirst\n"+frames+"note: more\n\nthread 'a 'b'' (7) panicked at ferry.rs:9:5:\nin drop\n"+frames+
		"thread 'a 'b'' (7) panicked at /rustc/59/library/core/src/panicking.rs:233:5:\npanic in a destructor during cleanup\nthread caused non-unwinding panic. aborting.\n")
	if len(all) != 1 || all[0].Problem.Text != "first" || all[0].Subject != 0 || len(all[0].Threads) != 3 {
		t.Fatalf("%+v", all)
	}
	if th := all[0].Threads; th[0].Name != "a 'b'" || th[1].Name != "in drop" || len(th[1].Frames) != 1 || th[2].Frames[0].Stated.Line != 233 {
		t.Errorf("%+v", th)
	}
}

// Stacks of errors and of failed allocations have no panic.
func TestStacks(t *testing.T) {
	const frames = "   0: ferry::slot\n             at ./ferry.rs:4:5\n   1: ferry::main\n             at ./ferry.rs:9:5\n"
	for log, kind := range map[string]process.ProblemKind{
		"Error: full\n\nStack backtrace:\n" + frames:                              process.Printed,
		"memory allocation of 99 bytes failed\nstack backtrace:\n" + frames + "x": process.OutOfMemory,
	} {
		all := textreport.Open(Family, log)
		if len(all) != 1 || all[0].Problem.Kind != kind || len(all[0].Threads[0].Frames) != 2 || all[0].Threads[0].Frames[1].Stated.Line != 9 {
			t.Errorf("%q: %+v", log, all)
		}
	}
}

// A message may have empty lines, and an error in it the stack that anyhow kept.
func TestMessage(t *testing.T) {
	const frames = "   0: ferry::slot\n             at ./ferry.rs:4:5\n   1: ferry::main\n             at ./ferry.rs:9:5\n"
	for log, want := range map[string]string{
		"one\n\ntwo\nstack backtrace:\n" + frames:                                                     "one two: 2",
		"one\n\ntwo\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n": "one two: 1",
		"one\n\nanother line\n": "one: 1",
		"an `Err` value: full\n\nCaused by:\n    no berth\n\nStack backtrace:\n" + frames + "   2: _start\n\nstack backtrace:\n" + frames: "an `Err` value: full Caused by: no berth: 2, 3",
	} {
		all := textreport.Open(Family, "thread 'main' (7) panicked at ferry.rs:4:5:\n"+log)
		if len(all) != 1 {
			t.Errorf("%q: %+v", log, all)
			continue
		}
		got := all[0].Problem.Text + ": " + strconv.Itoa(len(all[0].Threads[0].Frames))
		for _, th := range all[0].Threads[1:] {
			got += ", " + strconv.Itoa(len(th.Frames))
		}
		if got != want {
			t.Errorf("%q: %s, want %s", log, got, want)
		}
	}
}

// A thread that caught a panic may panic again.
func TestCaught(t *testing.T) {
	all := textreport.Open(Family, "thread 'main' (7) panicked at ferry.rs:4:5:\ncaught\nnote: run\n\nthread 'main' (7) panicked at ferry.rs:9:5:\nlast\nnote: run\n")
	if len(all) != 2 || all[0].Problem.Text != "caught" || all[1].Problem.Text != "last" {
		t.Errorf("%+v", all)
	}
}

// color-eyre prints panics and errors in sections, with what it hides in between, and lines of the source.
func TestColored(t *testing.T) {
	const (
		rule   = "\n  \x1b[1m━━━━━ BACKTRACE ━━━━━\x1b[0m\n                ⋮ 8 frames hidden ⋮\n"
		frames = "   9: \x1b[91mferry::slot\x1b[0m\x1b[90m::h30e9dccc7afc43cd\x1b[0m\n      at \x1b[35m/src/ferry.rs\x1b[0m:\x1b[35m4\x1b[0m\n" +
			"         3 │ fn slot() {\n         4 > panic!()\n  10: core::panicking::panic_fmt<unknown>\n      at /rustc/5980/panicking.rs:80\n\n" +
			"Run with COLORBT_SHOW_HIDDEN=1 environment variable to disable frame filtering.\n"
		failed = "\n   0: cannot read /etc/ferry\n   1: No such file\n\nLocation:\n   src/load.rs:3\n"
	)
	for log, want := range map[string]string{
		crashed + "\nMessage:  one\n\ntwo\nLocation: src/ferry.rs:4\n" + rule + frames + "words\n":                             "one two 0: ferry::slot 4 core::panicking::panic_fmt 80",
		crashed + "\nMessage:  one\nLocation: src/ferry.rs:4\n\nBacktrace omitted. Run with RUST_BACKTRACE=1\n":                "one 0:  4",
		crashed + "\nMessage:  an Err: " + failed + rule + frames + "Location: src/ferry.rs:9\n" + rule + "   5: f\n   6: g\n": "an Err: 0: cannot read /etc/ferry 1: No such file 0: f 0 g 0 | ferry::slot 4 core::panicking::panic_fmt 80",
		"Error: " + failed + "\n  ━━━━ SPANTRACE ━━━━\n\n   0: ferry::load with n=4\n      at src/load.rs:3\n" + rule + frames: "0: cannot read /etc/ferry 1: No such file -1: ferry::slot 4 core::panicking::panic_fmt 80",
	} {
		all := textreport.Open(Family, log)
		if len(all) != 1 {
			t.Errorf("%q: %+v", log, all)
			continue
		}
		got := all[0].Problem.Text + " " + strconv.Itoa(all[0].Subject) + ":"
		for i, th := range all[0].Threads {
			if i > 0 {
				got += " |"
			}
			for _, f := range th.Frames {
				got += " " + f.Stated.Function + " " + strconv.Itoa(int(f.Stated.Line))
			}
		}
		if got != want {
			t.Errorf("%q:\n%s\n%s", log, got, want)
		}
	}
	for _, log := range []string{"Error: no\n   0: f\n", "Error:\nnothing\n", crashed + "\n"} {
		if got := textreport.Open(Family, log); len(got) > 0 {
			t.Errorf("%q: %+v", log, got)
		}
	}
}

// A worker that catches its panics has many of them. None is lost because the lines behind each of them are searched.
func TestManyPanics(t *testing.T) {
	const count = 600
	var b strings.Builder
	for i := range count {
		b.WriteString("thread 'worker' panicked at src/dock.rs:" + strconv.Itoa(i+1) + ":5:\nno dock\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n")
	}
	if all := textreport.Open(Family, b.String()); len(all) != count {
		t.Errorf("%d panics of %d", len(all), count)
	}
}
