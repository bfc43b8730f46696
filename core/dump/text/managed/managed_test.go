package managed

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/process"
	"crashglass/core/testkit/textreport"
)

const (
	java = `Exception in thread "worker-1" java.lang.IllegalStateException: no dock
	at com.example.Dock.slot(Dock.java:14)
	at java.base/java.lang.Thread.run(Thread.java:840)
Caused by: java.lang.NullPointerException
	at com.example.Dock.<init>(Native Method)
	... 2 more
`
	android = `FATAL EXCEPTION: main
Process: com.example.game, PID: 1234
java.lang.RuntimeException: Unable to start
	at com.example.game.MainActivity.onCreate(SourceFile:3)
`
	dotnet = `Unhandled exception. System.InvalidOperationException: outer
 ---> System.NullReferenceException: inner
   at Game.Dock.<Slot>b__0(Int32 n) in C:\src\Dock.cs:line 14
   --- End of inner exception stack trace ---
   at Game.Dock.Open() in /src/Dock.cs:line 20
   at Program.<Main>$(String[] args)
`
	python = `Traceback (most recent call last):
  File "/opt/dock.py", line 3, in slot
    return [1][n]
           ~~~^^^
IndexError: list index out of range

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/opt/dock.py", line 13, in <module>
  File "/opt/dock.py", line 6, in outer
ValueError: no dock
`
	faulthandler = `Fatal Python error: Segmentation fault

Thread 0x00007f13 (most recent call first):
  File "/lib/threading.py", line 982 in run

Current thread 0x00007f14 (most recent call first):
  File "/opt/dock.py", line 7 in <module>
`
)

const (
	collecting = `Fatal Python error: Segmentation fault

Thread 0x00007f2c31c1c740 [pool] (most recent call first):
  <no Python frame>

Current thread 0x0000322c (most recent call first):
  Garbage-collecting
  File "/opt/dock.py", line ??? in slot
  ...

Current thread's C stack trace (most recent call first):
  Binary file "/usr/bin/python3.14", at _Py_DumpStack+0x42 [0x5b27f7d7147e]
`
	oneThread = `Fatal Python error: Aborted

Stack (most recent call first):
  File "/opt/dock.py", line 7 in <module>
`
)

// describe writes a report: what happened, then the stacks with their frames.
func describe(p *process.Process) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s", p.Problem.Kind, p.Problem.Text)
	for i, t := range p.Threads {
		fmt.Fprintf(&b, "\n%d %d %q", t.Role, t.ID, t.Name)
		for _, f := range p.Threads[i].Frames {
			fmt.Fprintf(&b, " %s %s:%d", f.Stated.Function, f.Stated.File, f.Stated.Line)
		}
	}
	return b.String()
}

func TestReports(t *testing.T) {
	thrown, of := fmt.Sprint(process.Exception), fmt.Sprint(process.OfThread)
	uncaught := fmt.Sprint(process.Uncaught)
	for log, want := range map[string]string{
		java: uncaught + ` java.lang.IllegalStateException: no dock
` + of + ` 0 "worker-1" com.example.Dock.slot Dock.java:14 java.lang.Thread.run Thread.java:840
` + thrown + ` 0 "java.lang.NullPointerException" com.example.Dock.<init> :0`,
		android: uncaught + " java.lang.RuntimeException: Unable to start\n" + of + ` 0 "main" com.example.game.MainActivity.onCreate SourceFile:3`,
		dotnet: uncaught + ` System.InvalidOperationException: outer
` + of + ` 0 "" Game.Dock.Open() /src/Dock.cs:20 Program.<Main>$(String[] args) :0
` + thrown + ` 0 "System.NullReferenceException: inner" Game.Dock.<Slot>b__0(Int32 n) C:\src\Dock.cs:14`,
		python: uncaught + ` ValueError: no dock
` + of + ` 0 "" outer /opt/dock.py:6 <module> /opt/dock.py:13
` + thrown + ` 0 "IndexError: list index out of range" slot /opt/dock.py:3`,
		faulthandler: fmt.Sprint(process.Panic) + " Segmentation fault\n" + of + ` 32532 "" <module> /opt/dock.py:7
` + of + ` 32531 "" run /lib/threading.py:982`,
		collecting: fmt.Sprint(process.Panic) + " Segmentation fault\n" + of + ` 12844 "" slot /opt/dock.py:0
` + of + ` 0 "pool"`,
		oneThread: fmt.Sprint(process.Panic) + " Aborted\n" + of + ` 0 "" <module> /opt/dock.py:7`,
		"java.lang.Error: at the beginning of a file\n\tat a.B.c(B.java:1)\n": uncaught + " java.lang.Error: at the beginning of a file\n" + of + ` 0 "" a.B.c B.java:1`,
		"Unhandled Exception: System.Exception: x\n  at (wrapper managed-to-native) A.B (int) [0x00012] in /src/a.cs:7\n": uncaught +
			" System.Exception: x\n" + of + ` 0 "" A.B (int) /src/a.cs:7`,
	} {
		all := textreport.Open(Family, log+"next line\n")
		if len(all) != 1 || all[0].Subject != 0 {
			t.Errorf("%s%d reports", log, len(all))
		} else if got := describe(all[0]); got != want {
			t.Errorf("%s\n%s\n%s", log, got, want)
		}
	}
}

// A log has many exceptions that were caught, and words that are no exceptions.
func TestNoReport(t *testing.T) {
	for _, log := range []string{
		"a line\njava.lang.Error: was caught\n\tat a.B.c(B.java:1)\n", "Traceback (most recent call last):\nx\n", "Exception in thread \"main\" none\n",
		"Error: a.b: c\n at a.B.c(B.java:1)\n", "Fatal Python error: none\nother\n", "Fatal Python error: \nother\n",
	} {
		if all := textreport.Open(Family, log); len(all) > 0 {
			t.Errorf("%q: %s", log, describe(all[0]))
		}
	}
}

// An exception group is the problem, and the exceptions in it are further stacks.
func TestGroup(t *testing.T) {
	all := textreport.Open(Family, `12:00 x
  + Exception Group Traceback (most recent call last):
  |   File "/opt/dock.py", line 14, in <module>
  |     raise ExceptionGroup("docks", errors)
  | ExceptionGroup: docks (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/opt/dock.py", line 9, in slot
    |     raise ValueError("full")
    | ValueError: full
    +---------------- 2 ----------------
    | TypeError: closed
    +------------------------------------
done
`)
	if len(all) != 1 || len(all[0].Threads) != 3 || all[0].Subject != 0 || all[0].Problem.Text != "ExceptionGroup: docks (2 sub-exceptions)" {
		t.Fatalf("%+v", all)
	}
	for i, want := range []string{"<module>", "slot", ""} {
		thread := all[0].Threads[i]
		if (len(thread.Frames) == 0) != (want == "") || want != "" && (len(thread.Frames) != 1 || thread.Frames[0].Stated.Function != want) {
			t.Errorf("%d: %+v", i, thread)
		}
	}
	if all[0].Threads[1].Name != "ValueError: full" || all[0].Threads[2].Name != "TypeError: closed" {
		t.Errorf("%+v", all[0].Threads)
	}
}

// Jazzer has its own heading.
func TestJazzer(t *testing.T) {
	const log = "== Java Exception: java.lang.IllegalStateException: mustNeverBeCalled has been called\n\tat a.Dock.slot(Dock.java:51)\n\tat a.Dock.main(Dock.java:43)\nDEDUP_TOKEN: b67dcd8309cda923\n"
	all := textreport.Open(Family, log)
	if len(all) != 1 || len(all[0].Threads[0].Frames) != 2 || all[0].Problem.Text != "java.lang.IllegalStateException: mustNeverBeCalled has been called" {
		t.Errorf("%+v", all)
	}
}

// What .NET says when a program ends itself, an exception that wraps another one in its line, code compiled ahead of time, and Node.js without a place.
func TestOtherForms(t *testing.T) {
	for _, tt := range []struct {
		log    string
		kind   process.ProblemKind
		text   string
		stacks int
		frame  string
		offset uint64
	}{
		{"x\nProcess terminated. it failed\n   at System.Environment.FailFast(System.String)\n   at Dock.Main(System.String[])\n", process.Panic, "it failed", 1, "System.Environment.FailFast(System.String)", 0},
		{"x\nStack overflow.\nRepeat 24042 times:\n--------------------------------\n   at Dock.Slot(Int32)\n--------------------------------\n   at Dock.Main(System.String[])\n",
			process.StackExhausted, "Stack overflow.", 1, "Dock.Slot(Int32)", 0},
		{"[ERROR] FATAL UNHANDLED EXCEPTION: System.InvalidOperationException: outer ---> System.IndexOutOfRangeException: full\n  at Dock.Slot (System.Int32 n) [0x0005b] in /opt/a.cs:5 \n" +
			"   --- End of inner exception stack trace ---\n  at Dock.Main (System.String[] a) [0x00076] in /opt/a.cs:9 \n", process.Uncaught, "System.InvalidOperationException: outer", 2, "Dock.Main (System.String[] a)", 0},
		{"Unhandled exception. System.InvalidCastException: no ---> way\n   at Dock.Slot(String, Option`1) + 0x12c7\n", process.Uncaught, "System.InvalidCastException: no ---> way", 1, "Dock.Slot(String, Option`1)", 0x12c7},
		{"ReferenceError: ship is not defined\n    at moor (/opt/dock.js:2:1)\n    at /opt/dock.js:9:3\n", process.Uncaught, "ReferenceError: ship is not defined", 1, "moor", 0},
	} {
		all := textreport.Open(Family, tt.log)
		if len(all) != 1 || len(all[0].Threads) != tt.stacks || all[0].Problem.Kind != tt.kind || all[0].Problem.Text != tt.text {
			t.Errorf("%s: %+v", tt.log, all)
		} else if f := all[0].Threads[0].Frames[0]; f.Stated.Function != tt.frame || f.Stated.Offset != tt.offset {
			t.Errorf("%s: %+v", tt.log, f.Stated)
		}
	}
	mono := "app-1  | [ERROR] FATAL UNHANDLED EXCEPTION: System.E: x\napp-1  |   at Dock.Slot () [0x0] in /opt/a.cs:5 \napp-1  |   at Dock.Main () [0x0] in /opt/a.cs:9 \n"
	if all := textreport.Open(Family, mono); len(all) != 1 || len(all[0].Threads[0].Frames) != 2 {
		t.Errorf("%+v", all)
	}
	for _, log := range []string{"Stack overflow.\nno frame\n", "TypeError: x\n  at noon\n", "TypeError: x\n"} {
		if all := textreport.Open(Family, log); len(all) > 0 {
			t.Errorf("%q: %+v", log, all[0])
		}
	}
}

func FuzzRead(f *testing.F) { textreport.Fuzz(f, Family, java, android, dotnet, python, faulthandler) }

// An exception that was suppressed has a stack of its own, and faulthandler prints all stacks when time is over.
func TestFurtherStacks(t *testing.T) {
	all := textreport.Open(Family, "Exception in thread \"main\" java.lang.IllegalStateException: full\n\tat Dock.slot(Dock.java:3)\n\tSuppressed: java.io.IOException: in close\n\t\tat Dock.close(Dock.java:5)\n")
	if len(all) != 1 || len(all[0].Threads) != 2 || len(all[0].Threads[0].Frames) != 1 || all[0].Threads[1].Name != "java.io.IOException: in close" {
		t.Errorf("%+v", all)
	}
	all = textreport.Open(Family, "Timeout (0:00:00.200000)!\nThread 0x00007f2c31c1c740 (most recent call first):\n  File \"/opt/dock.py\", line 29 in <module>\n")
	if len(all) != 1 || all[0].Problem.Kind != process.Hang || all[0].Threads[0].Frames[0].Stated.Line != 29 {
		t.Errorf("%+v", all)
	}
}

// Node.js shows the place before an exception that nothing caught. Messages have empty lines.
func TestScript(t *testing.T) {
	const log = "/opt/dock.js:2\n  throw new Full();\n  ^\n\nAssertionError [ERR_ASSERTION]: Expected values:\n\n1 !== 2\n\n    at slot (/opt/dock.js:2:31)\n    at async /opt/dock.js:5:9 {\n" +
		"  [cause]: Error: no\n      at fill (file:///opt/a b.mjs:7:9)\n}\n\nNode.js v20.20.2\n"
	all := textreport.Open(Family, log)
	if len(all) != 1 || len(all[0].Threads) != 2 || all[0].Threads[1].Name != "Error: no" {
		t.Fatalf("%+v", all)
	}
	f, cause := all[0].Threads[0].Frames, all[0].Threads[1].Frames
	if len(f) != 2 || f[0].Stated.Function != "slot" || f[0].Stated.File != "/opt/dock.js" || f[0].Stated.Line != 2 || cause[0].Stated.File != "file:///opt/a b.mjs" {
		t.Errorf("%+v, %+v", f, cause)
	}
	if all := textreport.Open(Family, "a line\nTypeError: no place before it\n    at slot (/opt/dock.js:2:31)\n"); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

// A message in Java may have empty lines. What was suppressed caused nothing, nor did its cause.
func TestMessage(t *testing.T) {
	all := textreport.Open(Family, "Exception in thread \"main\" java.lang.Error: one\n\ntwo\n\tat Dock.slot(Dock.java:3)\n\tSuppressed: java.io.IOException: in close\n\t\tat Dock.close(Dock.java:5)\n"+
		"\tCaused by: java.lang.Error: closed\n\t\tat Dock.shut(Dock.java:6)\nCaused by: java.lang.Error: first\n\tat Dock.open(Dock.java:7)\n")
	if len(all) != 1 || all[0].Problem.Text != "java.lang.Error: one two" || len(all[0].Threads) != 4 {
		t.Fatalf("%+v", all)
	}
	if th := all[0].Threads; th[1].Role != process.OfThread || th[2].Role != process.OfThread || th[3].Role != process.Exception {
		t.Errorf("%+v", th)
	}
	if all := textreport.Open(Family, "Exception in thread \"main\" java.lang.Error: one\n\nand another line\n"); len(all) > 0 {
		t.Errorf("%+v", all)
	}
}
