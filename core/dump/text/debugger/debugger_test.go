package debugger

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/textreport"
)

// describe lists the stacks of a report.
func describe(p *process.Process) string {
	var b strings.Builder
	for i, t := range p.Threads {
		fmt.Fprintf(&b, "%d %q", t.ID, t.Name)
		if i == p.Subject {
			b.WriteString(" !")
		}
		for _, f := range t.Frames {
			fmt.Fprintf(&b, "\n  %#x %s %s %s:%d", f.Instruction, f.Stated.Module, f.Stated.Function, f.Stated.File, f.Stated.Line)
			for _, in := range f.Stated.Inlines {
				fmt.Fprintf(&b, " < %s %s:%d", in.Function, in.File, in.Line)
			}
			if f.Interrupted {
				b.WriteString(" !")
			}
		}
		b.WriteString("\n")
	}
	if e := p.Event; e != nil {
		fmt.Fprintf(&b, "event %d %d %#x %t\n", e.Code, e.Flags, e.Address, e.NoAddress)
	}
	return b.String()
}

const gdb = `Thread 1 "dock" received signal SIGSEGV, Segmentation fault.
0x000055d7 in Dock::slot (this=0x0) at dock.cc:12
12	  return ships[n];
(gdb) thread apply all bt full

Thread 2 (Thread 0x7f8d3 (LWP 1235) "pool"):
#0  0x00007f01 in poll () from /lib/libc.so.6
No symbol table info available.

Thread 1 (Thread 0x7f8d4 (LWP 1234)):
#0  0x00007f02 in __GI_raise (sig=sig@entry=6) at ../sysdeps/raise.c:54
        set = {__val = {0, 1}}
        other = {a = 0x0,
    words of a value,
	of two lines}
#1  <signal handler called>
No symbol table info available.
#2  Dock::at (n=3) at /home/a b/dock.h:9
#3  0x000055d7 in Dock::slot(int) const (this=0x0, name=0x5 "a (b) at c")
    at dock.cc:12
#4  0x000055d8 in (anonymous namespace)::run () from ./dock
(gdb) quit
`

func TestGDB(t *testing.T) {
	all := textreport.Open(Family, gdb)
	const want = `1235 "pool"
  0x7f01 /lib/libc.so.6 poll :0 !
1234 "" !
  0x7f02  __GI_raise ../sysdeps/raise.c:54 !
  0x0  <signal handler called> :0
  0x55d7  Dock::slot(int) const dock.cc:12 < Dock::at /home/a b/dock.h:9 !
  0x55d7 ./dock (anonymous namespace)::run :0
event 11 0 0x0 true
`
	if len(all) != 1 || describe(all[0]) != want {
		t.Errorf("%d reports\n%s\nwant\n%s", len(all), describe(all[0]), want)
	}
	for _, log := range []string{"#0  one line alone\n", "#0  f (a) at b\n#1  g (a) at c\n", "Thread 1 (a):\n", "frame #0: 0x5 a\n", "stop reason = x\n"} {
		if got := textreport.Open(Family, log); len(got) > 0 {
			t.Errorf("%q\n%s", log, describe(got[0]))
		}
	}
}

const lldb = `(lldb) bt all
* thread #1, queue = 'com.apple.main-thread', stop reason = EXC_BAD_ACCESS (code=1, address=0x18)
  * frame #0: 0x0000000100000f2a dock` + "`" + `Dock::slot(this=0x0000000000000000, n=3) at dock.cc:12:3 [opt]
    frame #1: 0x0000000100000f80 dock` + "`" + `main + 32 at dock.cc:20
    frame #2: 0x00007fff20421f3d libdyld.dylib` + "`" + `start + 1
  thread #2, name = 'pool'
    frame #0: 0x00007fff203f7c8a libsystem_kernel.dylib` + "`" + `__workq_kernreturn + 10
(lldb) quit
`

// Variables may have the names of what is before a place.
func TestNamesOfPlaces(t *testing.T) {
	all := textreport.Open(Family, "#0  0x0000000000005601 in f (n=3) at a.c:5\n        at = 7\n        from = 8\n#1  0x0000000000005603 in main ()\n    at a.c:9\n")
	const want = "0 \"\"\n  0x5601  f a.c:5 !\n  0x5602  main a.c:9\n"
	if len(all) != 1 || describe(all[0]) != want {
		t.Fatalf("%d reports\n%q", len(all), describe(all[0]))
	}
}

func TestLLDB(t *testing.T) {
	all := textreport.Open(Family, "> "+strings.ReplaceAll(lldb, "\n", "\n> "))
	const want = `1 "com.apple.main-thread" !
  0x100000f2a dock Dock::slot dock.cc:12 !
  0x100000f7f dock main dock.cc:20
  0x7fff20421f3c libdyld.dylib start :0
2 "pool"
  0x7fff203f7c8a libsystem_kernel.dylib __workq_kernreturn :0 !
event 1 1 0x18 false
`
	if len(all) != 1 || describe(all[0]) != want || !all[0].OS().IsMac() {
		t.Errorf("%d reports\n%s\nwant\n%s", len(all), describe(all[0]), want)
	}
}

func example(t testing.TB) string {
	data, err := os.ReadFile("../../container/testdata/reports/apport.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestApport(t *testing.T) {
	all := textreport.Open(Family, example(t))
	const want = `0 "" !
  0x55d4c76f913d  Dock::slot dock.cc:12 !
  0x7f52d3b1d7f6 /lib/x86_64-linux-gnu/libc.so.6  :0
1235 ""
  0x7f52d3b2d000  poll poll.c:29 !
event 11 0 0x0 true
`
	if len(all) != 1 || describe(all[0]) != want || *all[0].PID != 1234 || all[0].Arch != &cpu.AMD64 {
		t.Fatalf("%d reports\n%s\nwant\n%s", len(all), describe(all[0]), want)
	}
	if v, known := all[0].Threads[0].Registers.Regs.Get(cpu.RAX); !known || v != 5 {
		t.Errorf("rax = %#x, %t", v, known)
	}
	if m := all[0].Modules; len(m) != 2 || m[0].CodeFile != "/usr/bin/dock" || m[0].Base != 0x55d4c76f8000 {
		t.Errorf("%+v", m)
	}
	// Without GDB's part, the program counter is the stack.
	short := "ProblemType: Crash\nArchitecture: amd64\nRegisters:\n rip  0x55d4c76f913d\nSignal: 6\nCoreDump: base64\n H4sI\n"
	if all = textreport.Open(Family, short); len(all) != 1 || describe(all[0]) != "0 \"\" !\n  0x55d4c76f913d   :0 !\nevent 6 0 0x0 true\n" {
		t.Errorf("%+v", all)
	}
	if all = textreport.Open(Family, strings.Replace(short, "CoreDump", "Stacktrace:\n \n #0  0x5 in f ()\nCoreDump", 1)); len(all) != 1 {
		t.Errorf("an empty line: %+v", all)
	}
	if all = textreport.Open(Family, "ProblemType: Crash\nPackage: a\n"); len(all) > 0 {
		t.Errorf("%+v", all)
	}
}

func FuzzRead(f *testing.F) { textreport.Fuzz(f, Family, gdb, lldb, example(f)) }
