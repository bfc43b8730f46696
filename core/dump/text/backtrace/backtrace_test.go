package backtrace

import (
	"fmt"
	"testing"

	"crashglass/core/process"
	"crashglass/core/testkit/textreport"
)

const example = `caught signal 11 (Segmentation fault)
./tracer(+0x11ac)[0x5597384cb1ac]
/lib/x86_64-linux-gnu/libc.so.6(+0x3c050)[0x7fc423a10050]
./tracer(+0x1189)[0x5597384cb189]
./tracer(main+0x1c) [0x5597384cb25f]
`

// The frame behind the trampoline is where the signal struck: its address is exact.
func TestGlibc(t *testing.T) {
	all := textreport.Open(Family, "app | "+"x\n"+example)
	if len(all) != 1 || all[0].Event == nil || all[0].Event.Code != 11 || !all[0].Event.NoAddress || all[0].Subject != 0 {
		t.Fatalf("%+v", all)
	}
	for i, w := range []struct {
		at, back    uint64
		interrupted bool
	}{
		{at: 0x5597384cb1ab, back: 0x5597384cb1ac},
		{at: 0x7fc423a10050, back: 0x7fc423a10050},
		{at: 0x5597384cb189, back: 0x5597384cb189, interrupted: true},
		{at: 0x5597384cb25e, back: 0x5597384cb25f},
	} {
		f := all[0].Threads[0].Frames[i]
		if f.Instruction != w.at || f.ReturnAddress != w.back || f.Interrupted != w.interrupted {
			t.Errorf("frame %d: %#x %#x %t, want %+v", i, f.Instruction, f.ReturnAddress, f.Interrupted, w)
		}
	}
	if m := all[0].Modules; len(m) != 2 || m[0].Base != 0x5597384ca000 || m[1].CodeFile != "/lib/x86_64-linux-gnu/libc.so.6" {
		t.Errorf("%+v", m)
	}
}

func TestBoost(t *testing.T) {
	all := textreport.Open(Family, "12:00 INFO  0# 0x000055DA3DE80370 in ./boosted\n 1# abort in /lib/libc.so.6\n 2# f(int) at a b/c.cc:12\n")
	if len(all) != 1 || all[0].Event != nil || all[0].Problem.Kind != process.Printed || all[0].Subject != -1 || len(all[0].Threads[0].Frames) != 3 {
		t.Fatalf("%+v", all)
	}
	if n := all[0].Threads[0].Frames[2].Stated; n.Function != "f(int)" || n.File != "a b/c.cc" || n.Line != 12 {
		t.Errorf("%+v", n)
	}
	for _, log := range []string{"./tracer(+0x11ac)[0x5597384cb1ac]\n", " 0# one in a\nx\n", "(+0x1)[0x2]\n(+0x1)[0x2]\n", "a() [0xz]\na() [0x2]\n"} {
		if got := textreport.Open(Family, log); len(got) > 0 {
			t.Errorf("%q: %+v", log, got[0].Threads[0].Frames)
		}
	}
}

// The forms of other programs: the frames have these names, places and addresses.
func TestForms(t *testing.T) {
	for log, want := range map[string]string{
		"12:00 FATAL\n    @     0x5605  f()\n    @     0x5606        48  g(int)\n    @     0x5607  (unknown)\n":           "f() :0 0x5605, g(int) :0 0x5606,  :0 0x5607, ",
		"0   a b       0x000000010a99b743 _ZN4baseEv + 19\n1   ???       0x000000010a9dd9e8 0x0 + 48\n":                   "_ZN4baseEv :0 0x10a99b743,  :0 0x10a9dd9e8, ",
		"x\n #0 0x55d7 llvm::f(int) (/usr/bin/clang+0x5)\n #1 0x55d8 main a.cc:3:1\n #0 0x1 in x\n":                       "llvm::f(int) :0 0x55d7, main a.cc:3 0x55d8, ",
		"#0  0x55 in ???\n#1  0x56 in parse\n\tat b.f90:3\n":                                                              " :0 0x55, parse b.f90:3 0x56, ",
		"Backtrace:\n\tbase::F [0x61C20814+20] (base\\a.cc:215)\n\tG [0x61B0EB84+292]\n":                                  "base::F base\\a.cc:215 0x61c20814, G :0 0x61b0eb84, ",
		"signal 11\n   0# f() at a.cc:5\n   1#      at b.cc:9\n   2# _start at :0\n   3#\n":                               "f() a.cc:5 0x0,  b.cc:9 0x0, _start :0 0x0, ",
		"0> C:\\a b\\q.cpp(41): q!Q::lift+0x5D\n1> ntdll!Start+0x28\n":                                                    "Q::lift C:\\a b\\q.cpp:41 0x0, Start :0 0x0, ",
		"0x401136 f(int, char)\n\t/src/a.cc:5\n0x7f55 ???\n\t???:0\nwords\n":                                              "f(int, char) /src/a.cc:5 0x401136,  :0 0x7f55, ",
		"./a[0x401136]\n./a[0x401150]\n/lib/libc.so.6(+0x5)[0x7f55]\n":                                                    " :0 0x401136,  :0 0x401150,  :0 0x7f55, ",
		"x\n#0 0x55d7 in f(int) at /src/a.cc:7:28\n#1 0x55d8 in _start at /src/a\n":                                       "f(int) /src/a.cc:7 0x55d7, _start /src/a:0 0x55d8, ",
		"   0# f() at a.cc:5 [0x401136]\n   1# main at a.cc:9 [0x401150]\n":                                               "f() a.cc:5 0x401136, main a.cc:9 0x401150, ",
		"C:\n    /a/libv8.so(v8::Heap::Fail(char const*, ...)+0x26e) [0x7f87]\n    [0x7f88]\n    /a b/x(+0x5) [0x7f89]\n": "v8::Heap::Fail(char const*, ...) :0 0x7f87,  :0 0x7f88,  :0 0x7f89, ",
		"x\n 1: 0xb8d11b node::Abort() [node]\n 2: 0xb8 v8::F(int)+5 [/usr/bin/node]:L7\n10: ??\n11: main\n":              "node::Abort() :0 0xb8d11b, v8::F(int) :0 0xb8,  :0 0x0, main :0 0x0, ",
		"x\n 1: 00007FF655E1542D node::Reset+17693\n 2: 00007FF5F696D8D0\n ELIFECYCLE\n":                                  "node::Reset :0 0x7ff655e1542d,  :0 0x7ff5f696d8d0, ",
	} {
		all := textreport.Open(Family, log)
		if len(all) == 0 {
			t.Errorf("%q is no stack", log)
			continue
		}
		got := ""
		for _, f := range all[0].Threads[0].Frames {
			got += fmt.Sprintf("%s %s:%d %#x, ", f.Stated.Function, f.Stated.File, f.Stated.Line, f.ReturnAddress)
		}
		if got != want {
			t.Errorf("%q\n%s\n%s", log, got, want)
		}
	}
	for _, log := range []string{"0   words 0x0000 + 5\n0  more\n", "a [0x12]\nb [0x13]\n", "mail@   x\n@   y\n", "10# 0x5 in a\n"} {
		if got := textreport.Open(Family, log); len(got) > 0 {
			t.Errorf("%q: %+v", log, got[0].Threads[0].Frames)
		}
	}
}

const outOfMemory = `<--- JS stacktrace --->

==== JS stack trace =========================================

    0: ExitFrame [pc: 0x157a810]
Security context: 0x36490005 <JSObject>#0#
    2: join [0x364887b5] [/app/a.js:7] [bytecode=0x1 offset=4](this=0x3d206b5d <JSArray[1]>#1#)

FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
----- Native stack trace -----

 1: 0xb8d11b node::OOMErrorHandler(char const*, v8::OOMDetails const&) [node]
 2: 0xf01b70  [node]
Aborted
`

// What V8 says before its stack is the problem. A report without a stack has the place of the failure.
func TestHeads(t *testing.T) {
	for log, want := range map[string]string{
		outOfMemory: "node::OOMErrorHandler(char const*, v8::OOMDetails const&) :0, f01b70; JavaScript: ExitFrame :0, join /app/a.js:7; problem: Reached heap limit Allocation failed - JavaScript heap out of memory",
		"#\n# Fatal error in ../../src/a b.h, line 54\n# Check failed: x.\n#\n#\n#FailureMessage Object: 0x7f\n==== C stack trace ====\n\n 1: 0xb2\n20: main\nE: x\n": "b2, main :0; problem: Check failed: x.",
		"# Fatal error in ../../src/a b.h, line 54\n# Check failed: x.\n#\nCaught: y\n":                                                                               " ../../src/a b.h:54; problem: Check failed: x.",
		"#\n# Fatal error in v8::Local()\n# no scope\n#":                                                                                                              "v8::Local() :0; problem: no scope",
		"#\n# Fatal error in , line 0\n# Check failed: x.\n#FailureMessage Object: 0x3f#0 0x2a (/chrome+0x5)\n#1 0x2b f\n":                                            "2a, f :0; problem: Check failed: x.",
		"Received signal 11 SEGV_MAPERR 7f58\n==== C stack trace ====\n[0x7f6b13882bf1]\n[0x7f5]\n[end of stack trace]\n":                                             "7f6b13882bf1, 7f5; signal 11 at 0x7f58",
		"FATAL ERROR: the disk is full\nx\n": "",
		"# Fatal error in ":                  "",
	} {
		got := ""
		for _, p := range textreport.Open(Family, log) {
			for i, thread := range p.Threads {
				if i > 0 {
					got += "; " + thread.Name + ": "
				}
				for n, f := range thread.Frames {
					if n > 0 {
						got += ", "
					}
					if f.Stated.Function == "" && f.Stated.File == "" {
						got += fmt.Sprintf("%x", f.ReturnAddress)
						continue
					}
					got += fmt.Sprintf("%s %s:%d", f.Stated.Function, f.Stated.File, f.Stated.Line)
				}
			}
			if p.Event != nil {
				got += fmt.Sprintf("; signal %d at %#x", p.Event.Code, p.Event.Address)
			} else {
				got += "; problem: " + p.Problem.Text
			}
		}
		if got != want {
			t.Errorf("%q\n%s\n%s", log, got, want)
		}
	}
}

func FuzzRead(f *testing.F) { textreport.Fuzz(f, Family, example, outOfMemory) }

// Abseil and glog print the program counter before the stack, which may lack it.
func TestProgramCounter(t *testing.T) {
	for _, log := range []string{
		"*** SIGSEGV received at time=1795913109 on cpu 1 ***\nPC: @     0x564fa1e36230  (unknown)  dock::moor()\n    @               0x31  (unknown)  (unknown)\n",
		"PC: @     0x564fa1e36230 dock::moor()\n*** SIGSEGV (@0x0) received by PID 18063 (TID 0x7fef) from PID 0; stack trace: ***\n    @     0x564fa1e36230 dock::moor()\n    @     0x564fa1e363ee main\n",
	} {
		all := textreport.Open(Family, log)
		if len(all) != 1 || all[0].Event == nil || all[0].Event.Code != 11 || len(all[0].Threads[0].Frames) != 2 {
			t.Errorf("%q: %+v", log, all)
			continue
		}
		if f := all[0].Threads[0].Frames[0]; f.Instruction != 0x564fa1e36230 || !f.Interrupted || f.Stated.Function != "dock::moor()" {
			t.Errorf("%q: %+v, %+v", log, f, f.Stated)
		}
	}
}

// glog prints the failed check before the stack, and glibc no offset for a program at a fixed address.
func TestCheckAndFixedAddress(t *testing.T) {
	all := textreport.Open(Family, "F20261129 00:45:09.135998 18089 b.cc:52] Check failed: c == 3 (2 vs. 3) no ships\n*** Check failure stack trace: ***\n    @     0x7faf01ab81ed  google::LogMessage::Fail()\n    @     0x556b9741d524  main\n")
	if len(all) != 1 || all[0].Problem.Kind != process.FailedCheck || all[0].Problem.Text != "Check failed: c == 3 (2 vs. 3) no ships" {
		t.Errorf("%+v", all)
	}
	all = textreport.Open(Family, "./b() [0x401256]\n./b() [0x4013fe]\n")
	if len(all) != 1 || all[0].Threads[0].Frames[1].Instruction != 0x4013fd || all[0].Modules[0].Base != 0 {
		t.Errorf("%+v", all)
	}
}

// libbacktrace knows the trampoline of a signal by its source file, and GCC says before the stack what went wrong.
func TestTraced(t *testing.T) {
	const stack = "0x5501 handler\n\t/src/a.cc:9\n0x7f04 ???\n\t./signal/../sysdeps/unix/sysv/linux/x86_64/libc_sigaction.c:0\n0x5502 quay::inner(int*)\n\t/src/a.cc:11\n"
	all := textreport.Open(Family, "signal 11\n"+stack)
	if len(all) != 1 || all[0].Event == nil || all[0].Event.Code != 11 || len(all[0].Threads[0].Frames) != 3 || !all[0].Threads[0].Frames[2].Interrupted {
		t.Errorf("%+v", all)
	}
	all = textreport.Open(Family, "a.c:1:2: internal compiler error: in fold, at gcc/fold.c:7\n    1 | int x;\n"+stack)
	if len(all) != 1 || all[0].Problem == nil || all[0].Problem.Kind != process.FailedCheck || all[0].Problem.Text != "in fold, at gcc/fold.c:7" {
		t.Errorf("%+v", all)
	}
}
