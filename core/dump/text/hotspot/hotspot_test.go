package hotspot

import (
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/textreport"
)

// log is a log of Linux: a fault in a library that Java called.
const log = `#
# A fatal error has been detected by the Java Runtime Environment:
#
#  SIGSEGV (0xb) at pc=0x00007f2c31c1c10c, pid=31735, tid=31736
#
# JRE version: OpenJDK Runtime Environment (17.0.15+6) (build 17.0.15+6)
# Java VM: OpenJDK 64-Bit Server VM (17.0.15+6, mixed mode, g1 gc, linux-amd64)
# Problematic frame:
# C  [libturbine.so+0x110c]  blade+0x3
#
# No core dump will be written.
#

---------------  S U M M A R Y ------------

---------------  T H R E A D  ---------------

Current thread (0x00007f2c2c017e50):  JavaThread "main" [_thread_in_native, id=31736, stack(0x00007f2c31c20000,0x00007f2c31d20000)]

Stack: [0x00007f2c31c20000,0x00007f2c31d20000],  sp=0x00007f2c31d1e848,  free space=1018k
Native frames: (J=compiled Java code, j=interpreted, Vv=VM code, C=native code)
C  [libturbine.so+0x110c]  blade+0x3  (turbine.c:4)
C  [libturbine.so+0x1135]
j  Turbine.spin([II)I+0
J 12% c2 Turbine.run(I)I java.base@17 (49 bytes) @ 0x00007f2c15400a1c [0x00007f2c15400a00+0x1c]
v  ~StubRoutines::call_stub 0x00007f2c1c938cc9
V  [libjvm.so+0x8282d2]  JavaCalls::operator+(JavaValue*)+0x302

Java frames: (J=compiled Java code, j=interpreted, Vv=VM code)
j  Turbine.spin([II)I+0

siginfo: si_signo: 11 (SIGSEGV), si_code: 1 (SEGV_MAPERR), si_addr: 0x0000000000000010

Registers:
RAX=0x00007f2c31c1c12a, RBX=0x00007f2bb3400318, RCX=0x0000000000000000, RDX=0x00007f2c31d1e8f0
RSP=0x00007f2c31d1e848, RIP=0x00007f2c31c1c10c, EFLAGS=0x0000000000010202, CSGSFS=0x002b000000000033

Top of Stack: (sp=0x00007f2c31d1e848)
0x00007f2c31d1e848:   00007f2c31c1c125 00007f2c31d1e860

Instructions: (pc=0x00007f2c31c1c10c)
=>0x00007f2c31c1c10c:   8b 04 b7 c3

Dynamic libraries:
7f2c31c1b000-7f2c31c1c000 r--p 00000000 fe:01 1000                       /home/build/my app/libturbine.so
7f2c31c1c000-7f2c31c1d000 r-xp 00001000 fe:01 1000                       /home/build/my app/libturbine.so
7f2c31c20000-7f2c31d20000 rw-p 00000000 00:00 0
7f2c32000000-7f2c32100000 r--p 00000000 fe:01 1000                       /usr/lib/locale/locale-archive
7f2c33000000-7f2c34000000 r-xp 00000000 fe:01 1000                       /usr/lib/jvm/libjvm.so (deleted)

END.
`

func open(t *testing.T, log string) []*process.Process {
	t.Helper()
	all, _, err := text.OpenAll([]text.Family{Family})(bin.NewSource(strings.NewReader(log), int64(len(log))))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestLog(t *testing.T) {
	for name, log := range map[string]string{"as it is": log, "in a log": strings.ReplaceAll("java: "+log, "\n", "\njava: "), "of Windows": strings.ReplaceAll(log, "\n", "\r\n")} {
		all := open(t, log+"\nanother line\n"+log)
		if len(all) != 2 {
			t.Fatalf("%s: %d reports", name, len(all))
		}
		check(t, all[1])
	}
}

func check(t *testing.T, p *process.Process) {
	t.Helper()
	if e := p.Event; e == nil || e.Code != 11 || e.Flags != 1 || e.Address != 0x10 || e.NoAddress || *p.PID != 31735 || p.Arch != &cpu.AMD64 || p.System.OS != process.Linux {
		t.Fatalf("%+v", p.Event)
	}
	if len(p.Threads) != 1 || p.Threads[0].Name != "main" || p.Threads[0].ID != 31736 {
		t.Fatalf("%+v", p.Threads)
	}
	want := []process.Frame{
		{Instruction: 0x7f2c31c1c10c, ReturnAddress: 0x7f2c31c1c10c, Interrupted: true,
			Stated: &process.Names{Module: "libturbine.so", Function: "blade", Offset: 3, File: "turbine.c", Line: 4}},
		{Instruction: 0x7f2c31c1c134, Stated: &process.Names{Module: "libturbine.so"}},
		{Stated: &process.Names{Place: process.Unplaced, Function: "Turbine.spin([II)I"}},
		{Instruction: 0x7f2c15400a1b, Stated: &process.Names{Function: "Turbine.run(I)I"}},
		{Instruction: 0x7f2c1c938cc8, Stated: &process.Names{Function: "StubRoutines::call_stub"}},
		{Instruction: 0x7f2c338282d1, Stated: &process.Names{Module: "libjvm.so", Function: "JavaCalls::operator+(JavaValue*)", Offset: 0x302}},
	}
	frames := p.Threads[0].Frames
	if len(frames) != len(want) {
		t.Fatalf("%d frames", len(frames))
	}
	for i := range want {
		got, names := frames[i], *want[i].Stated
		if got.Instruction != want[i].Instruction || got.Interrupted != want[i].Interrupted || got.Stated.Function != names.Function || got.Stated.Offset != names.Offset ||
			got.Stated.Module != names.Module || got.Stated.Place != names.Place || got.Stated.File != names.File || got.Stated.Line != names.Line {
			t.Errorf("frame %d: %+v, %+v", i, got, got.Stated)
		}
	}
	if m := p.Modules; len(m) != 2 || m[0].CodeFile != "/home/build/my app/libturbine.so" || m[0].Base != 0x7f2c31c1b000 || m[0].Size != 0x2000 || !m[0].ByName ||
		m[1].CodeFile != "/usr/lib/jvm/libjvm.so" {
		t.Errorf("%+v", p.Modules)
	}
	if v, ok := p.Threads[0].Registers.Regs.Get(p.Arch.SP); !ok || v != 0x7f2c31d1e848 {
		t.Errorf("sp %#x", v)
	}
	for at, want := range map[uint64]uint64{0x7f2c31d1e850: 0x7f2c31d1e860, 0x7f2c31d1e848: 0x7f2c31c1c125} {
		if v, ok := p.Memory.Word(at, 8); !ok || v != want {
			t.Errorf("%#x at %#x", v, at)
		}
	}
	if v, ok := p.Memory.Word(0x7f2c31c1c10c, 4); !ok || v != 0xc3b7048b {
		t.Errorf("code %#x", v)
	}
}

// What the head says of the end, and of the system.
func TestHeads(t *testing.T) {
	const begin, memory = "#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n", "#\n# There is insufficient memory for the Java Runtime Environment to continue.\n"
	for _, tt := range []struct {
		name, log string
		event     process.Event
		problem   process.Problem
		exact     bool
	}{
		{name: "a terminal", log: begin + "#  SIGSEGV (0xb) at pc=0x55 (sent by kill), pid=7, tid=8\n#\n# Problematic frame:\n# C  [libc.so.6+0x5]\n#\n\nother\n",
			event: process.Event{Code: 11, NoAddress: true}, problem: process.Problem{}, exact: true},
		{name: "Windows",
			log: begin + "#  EXCEPTION_ACCESS_VIOLATION (0xc0000005) at pc=0x55, pid=7, tid=8\n#\n# Java VM: x (x, windows-amd64)\n# Problematic frame:\n# V  [jvm.dll+0x5]\n#\n\n" +
				"--------------- T H R E A D\nsiginfo: EXCEPTION_ACCESS_VIOLATION (0xc0000005), writing address 0x10\n",
			event: process.Event{Code: 0xc0000005, Address: 0x10, Access: process.Write}, problem: process.Problem{}, exact: true},
		{name: "macOS", log: begin + "#  SIGBUS (0xa) at pc=0x55, pid=7, tid=8\n#\n# Java VM: x (x, bsd-aarch64)\n# Problematic frame:\n# C  [a.dylib+0x5]\n#\n",
			event: process.Event{Code: 1, NoAddress: true}, problem: process.Problem{}, exact: true},
		{name: "a signal that a process sent",
			log:   begin + "#  SIGSEGV (0xb) at pc=0x55, pid=7, tid=8\n#\n\n--- \nNative frames:\nC  [a+0x5]\n\nsiginfo: si_signo: 11 (SIGSEGV), si_code: 0 (SI_USER), si_pid: 9, si_uid: 1\n",
			event: process.Event{Code: 11, Address: 1<<32 | 9}, problem: process.Problem{}, exact: true},
		{name: "one of the kernel",
			log:   begin + "#  SIGSEGV (0xb) at pc=0x55, pid=7, tid=8\n#\n\n--- \nNative frames:\nC  [a+0x5]\n\nsiginfo:si_signo=SIGSEGV: si_errno=0, si_code=128 (SI_KERNEL), si_addr=0x0\n",
			event: process.Event{Code: 11, Flags: 0x80, NoAddress: true}, problem: process.Problem{}, exact: true},
		{name: "an error of the machine",
			log:   begin + "#  Internal Error (sharedRuntime.cpp:834), pid=7, tid=0x00007f\n#  fatal error: exception happened outside interpreter\n#\n\n--- \nNative frames:\nV  [libjvm.so+0x6]  VMError::report_and_die()+0x1\n",
			event: process.Event{}, problem: process.Problem{Kind: process.Panic, Text: "fatal error: exception happened outside interpreter"}, exact: false},
		{name: "no memory", log: memory + "# Native memory allocation (mmap) failed to map 16 bytes.\n# Possible reasons:\n#\n#  Out of Memory Error (os_linux.cpp:2827), pid=7, tid=8\n#\n\n--- \nNative frames:\nV  [libjvm.so+0x6]\n",

			event: process.Event{}, problem: process.Problem{Kind: process.OutOfMemory, Text: "Native memory allocation (mmap) failed to map 16 bytes."}, exact: false},
	} {
		all := open(t, tt.log)
		if len(all) != 1 || len(all[0].Threads) != 1 || len(all[0].Threads[0].Frames) != 1 || *all[0].PID != 7 {
			t.Errorf("%s: %+v", tt.name, all)
			continue
		}
		p := all[0]
		if e := p.Event; (e == nil) != (tt.event.Code == 0) ||
			e != nil && (e.Code != tt.event.Code || e.Flags != tt.event.Flags || e.Address != tt.event.Address || e.NoAddress != tt.event.NoAddress || e.Access != tt.event.Access) {
			t.Errorf("%s: %+v", tt.name, e)
		}
		if p.Problem == nil && tt.problem.Kind != 0 || p.Problem != nil && *p.Problem != tt.problem {
			t.Errorf("%s: %+v", tt.name, p.Problem)
		}
		if f := p.Threads[0].Frames[0]; f.Interrupted != tt.exact || f.Rel() != 0 && f.Instruction&0xf != 5 {
			t.Errorf("%s: %+v", tt.name, f)
		}
	}
}

// A stack that was printed a second time replaces the first one. Java's frames are a stack of their own where the other one has none.
func TestStacks(t *testing.T) {
	const head = "# A fatal error has been detected by the Java\n#  SIGSEGV (0xb) at pc=0x55, pid=7, tid=8\n#\n\n----\n"
	all := open(t, head+"Native frames: (x)\nC  [a+0x5]\nC  [b+0x5]\n[error occurred]\n\nRetrying call stack printing without source information...\nC  0x0000000000000055\n<more frames>\n\n"+
		"Java frames: (x)\nJ  a.b()V\nj  0x0000000000000077\n")
	if len(all) != 1 || len(all[0].Threads) != 2 || len(all[0].Threads[0].Frames) != 1 || len(all[0].Threads[1].Frames) != 2 || all[0].Threads[1].Name != "(Java frames)" {
		t.Fatalf("%+v", all[0].Threads)
	}
}

// A log that is truncated before it names the system is one of a signal.
func TestTruncatedHead(t *testing.T) {
	for signal, want := range map[string]bool{"SIGSEGV (0xb)": true, "EXCEPTION_ACCESS_VIOLATION (0xc0000005)": false} {
		all := open(t, "# A fatal error has been detected by the Java\n#  "+signal+" at pc=0x55, pid=7, tid=8\n#\n")
		if len(all) != 1 || (all[0].System != nil) != want {
			t.Errorf("%s: %+v", signal, all)
		}
	}
}

func FuzzRead(f *testing.F) {
	textreport.Fuzz(f, Family, log,
		"# There is insufficient memory for the Java\n#  Out of Memory Error (a), pid=1\n\n---\nNative frames:\nJ 1 c2 a(\nRegisters:\nR1=0x\nDynamic libraries:\n0x10 - 0x5 a\n")
}

// Markdown takes "#" for a heading, and a mail quotes what is left.
func TestBareHead(t *testing.T) {
	all := textreport.Open(Family, "I get:\n\n> A fatal error has been detected by the Java Runtime Environment:\n> SIGSEGV (0xb) at pc=0x122dc412f, pid=85490, tid=6915\n> \n"+
		"> JRE version: Java(TM) SE Runtime Environment (8.0_65-b17)\n> Java VM: Java HotSpot(TM) 64-Bit Server VM (25.65-b01 mixed mode bsd-amd64 compressed oops)\n"+
		"> Problematic frame:\n> C  [libserial.jnilib+0x312f]  interrupt+0x6b\n\nAny ideas?\n")
	if len(all) != 1 || !all[0].OS().IsMac() || len(all[0].Threads[0].Frames) != 1 || all[0].Threads[0].Frames[0].Stated.Function != "interrupt" {
		t.Errorf("%+v", all)
	}
}

// Java 8 on Windows writes the fields of the exception as numbers. The frames of Java are those of no address.
func TestOldWindows(t *testing.T) {
	all := textreport.Open(Family, "#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n#  EXCEPTION_ACCESS_VIOLATION (0xc0000005) at pc=0x7fffafc869a0, pid=27516, tid=0x6f58\n#\n"+
		"# Java VM: OpenJDK 64-Bit Server VM (25.322-b06 mixed mode windows-amd64 compressed oops)\n# Problematic frame:\n# C  0x00007fffafc869a0\n#\n\n---------------  T H R E A D  ---------------\n\n"+
		"siginfo: ExceptionCode=0xc0000005, ExceptionInformation=0x0000000000000008 0x00007fffafc869a0\n\nJava frames: (J=compiled Java code, j=interpreted, Vv=VM code)\nj  Main.main()V+12\n\n")
	if len(all) != 1 || !all[0].OS().IsWindows() || all[0].Event.Access != process.Execute || all[0].Event.Address != 0x7fffafc869a0 || len(all[0].Event.Parameters) != 2 {
		t.Fatalf("%+v", all)
	}
	if th := all[0].Threads; len(th) != 2 || th[1].Frames[0].Instruction != 0 {
		t.Errorf("%+v", th)
	}
}
