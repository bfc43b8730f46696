package apple

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/textreport"
)

const example = `Process:               Game [1710]
Path:                  /Users/frida/Game
Code Type:             X86-64 (Native)
OS Version:            macOS 12.4 (21F79)

Exception Type:        EXC_BAD_ACCESS (SIGSEGV)
Exception Codes:       KERN_INVALID_ADDRESS at 0x0000000000000001
Exception Codes:       0x0000000000000001, 0x0000000000000001
Error Code:      0x00000006 (no mapping for user data write)

Application Specific Information:
it stopped

Thread 0 Crashed:: com.apple.main-thread  Dispatch queue: com.apple.main-thread
0   Game                  	       0x10e311e45 0x10e30e000 + 15941
1   My Kit                	       0x11beb451e start it + 462 (a b.mm:7)

Thread 1 name:  Dispatch queue: worker
Thread 1:
0   ???                           	    0x7ff81f34e245 ???

Thread 0 crashed with X86 Thread State (64-bit):
  rax: 0xa5ff0907b303003b  rbx: 0x000060000145c010
  rip: 0x000000010e311e45  rfl: 0x0000000000010206  cr2: 0x0000000000000001

Binary Images:
       0x10e30e000 -        0x10e311fff +Game (*) <01d2a9d5-1f8a-35c8-9228-7c7cca13c5fc> /Users/frida/Game
       0x11beaf000 -        0x11bf1afff com.my.Kit (1.0) <b70ce1ecb9023852826805de00bfa8d5> /Users/frida/My Kit
               0x0 - 0xffffffffffffffff ??? (*) <00000000-0000-0000-0000-000000000000> ???
`

func TestCrash(t *testing.T) {
	all := textreport.Open(Family, example)
	if len(all) != 1 || len(all[0].Threads) != 2 || all[0].Subject != 0 || *all[0].PID != 1710 || all[0].System.OS != process.Mac || all[0].Arch != &cpu.AMD64 {
		t.Fatalf("%+v", all)
	}
	p := all[0]
	if e := p.Event; e.Code != 1 || e.Flags != 1 || e.Address != 1 || e.NoAddress || e.Access != process.Write || p.Message != "it stopped" {
		t.Errorf("%+v, %q", e, p.Message)
	}
	frames := p.Threads[0].Frames
	if f := frames[0]; f.Instruction != 0x10e311e45 || f.Stated.Module != "Game" || f.Stated.Function != "" ||
		p.Threads[0].Registers.Regs.Value(cpu.AMD64.PC) != 0x10e311e45 {
		t.Errorf("%+v", f)
	}
	if f := frames[1]; f.Instruction != 0x11beb451d || f.Stated.Module != "My Kit" || f.Stated.Function != "start it" ||
		f.Stated.Offset != 462 || f.Stated.File != "a b.mm" || f.Stated.Line != 7 {
		t.Errorf("%+v %+v", f, f.Stated)
	}
	if m := p.Modules; len(m) != 2 || m[0].DebugID != "01D2A9D51F8A35C892287C7CCA13C5FC0" || m[1].Base != 0x11beaf000 || m[1].Size != 0x6c000 ||
		m[1].CodeFile != "/Users/frida/My Kit" {
		t.Errorf("%+v", m)
	}
}

const ips = `{"app_name":"game","bug_type":"309","os_version":"iPhone OS 16.0 (20A362)"}
{"pid": 7, "procName": "game", "cpuType": "ARM-64", "faultingThread": 1,
 "exception": {"type": "EXC_CRASH", "signal": "SIGABRT", "codes": "0x0, 0x0"},
 "asi": {"CoreFoundation": ["*** Terminating app due to uncaught exception 'E', reason: 'r'"], "libsystem_c.dylib": ["abort() called"]},
 "lastExceptionBacktrace": [{"imageOffset": 16, "imageIndex": 0, "symbol": "raise", "symbolLocation": 4}],
 "threads": [{"id": 1, "frames": []}, {"id": 2, "queue": "q", "triggered": true, "threadState": {"x": [{"value": 5}], "pc": {"value": 4352}},
   "frames": [{"imageOffset": 256, "imageIndex": 0, "symbol": "in", "inline": true, "sourceFile": "a.c", "sourceLine": 3},
              {"imageOffset": 256, "imageIndex": 0, "symbol": "f", "symbolLocation": 8}, {"imageOffset": 512, "imageIndex": 9}]}],
 "usedImages": [{"base": 4096, "size": 4096, "uuid": "15147572-bf8d-359e-a6bb-97f4489e7f78", "path": "/a/game", "name": "game"}]}
trailing text
`

func TestIPS(t *testing.T) {
	all := textreport.Open(Family, "before\n"+ips)
	if len(all) != 1 || len(all[0].Threads) != 3 || all[0].Subject != 1 || *all[0].PID != 7 || all[0].System.OS != process.IOS {
		t.Fatalf("%+v", all)
	}
	p := all[0]
	if want := int64(strings.Index(ips, "\ntrailing")); p.Origin.Size != want {
		t.Errorf("%d bytes, want %d", p.Origin.Size, want)
	}
	if e, pr := p.Event, p.Problem; e.Code != 10 || e.Flags != 6<<24 || pr == nil || pr.Kind != process.Uncaught || pr.Text != "*** Terminating app due to uncaught exception 'E', reason: 'r'" {
		t.Errorf("%+v %+v", e, pr)
	}
	th := p.Threads[1]
	if th.Name != "q" || th.Registers.Regs.Value(cpu.ARM64.PC) != 4352 || len(th.Frames) != 2 || p.Threads[2].Role != process.Exception {
		t.Fatalf("%+v", th)
	}
	if f := th.Frames[0]; f.Instruction != 4352 || f.Stated.Function != "f" || f.Stated.Offset != 8 || len(f.Stated.Inlines) != 1 || f.Stated.Inlines[0].Line != 3 {
		t.Errorf("%+v %+v", f, f.Stated)
	}
	if f := p.Threads[2].Frames[0]; f.Instruction != 4096+15 {
		t.Errorf("%+v", f)
	}
	var prefixed strings.Builder
	for line := range strings.Lines(ips) {
		prefixed.WriteString("Nov 23 05:09:58 server dock[12]: " + line)
	}
	behind := textreport.Open(Family, prefixed.String())
	if len(behind) != 1 || !reflect.DeepEqual(behind[0].Threads, p.Threads) || !reflect.DeepEqual(behind[0].Event, p.Event) {
		t.Errorf("behind a log's prefix: %+v", behind)
	}
	if len(behind) > 0 && behind[0].Origin.Size != int64(strings.Index(prefixed.String(), "Nov 23 05:09:58 server dock[12]: trailing")) {
		t.Errorf("behind a log's prefix: %d bytes", behind[0].Origin.Size)
	}
	for _, log := range []string{`{"bug_type":"309"}`, `{"bug_type":"309"}` + "\n{", `{"bug_type":"309"}` + "\n" + `{"threads": []}`, `"bug_type":"309"`} {
		if got := textreport.Open(Family, log); len(got) > 0 {
			t.Errorf("%q: %+v", log, got[0])
		}
	}
}

const sampled = `Analysis of sampling Game (pid 1828) every 1 millisecond
Process:         Game [1828]
Code Type:       ARM64

Call graph:
    100 Thread_1   DispatchQueue_1: com.apple.main-thread  (serial)
    + 100 start  (in dyld) + 462  [0x1077c151e]
    +   40 a  (in Game) + 4  [0x103c0d004]
    +   60 ???  (in Game)  load address 0x103c0a000 + 0x3eb0  [0x103c0deb0]
    +     60 wait  (in libsystem_kernel.dylib) + 8  [0x18f000008]
    100 Thread_2: worker
      100 thread_start  (in libsystem_pthread.dylib) + 8  [0x18f100008]

Total number in stack:
`

// A report that is truncated has the frames before the end, without images.
func TestTruncatedIPS(t *testing.T) {
	all := textreport.Open(Family, ips[:strings.Index(ips, `"inline": true`)])
	if len(all) != 1 || len(all[0].Threads) != 3 || len(all[0].Threads[1].Frames) != 0 || len(all[0].Threads[2].Frames) != 1 || len(all[0].Notes) != 1 ||
		!strings.Contains(fmt.Sprint(all[0].Notes[0]), "line 7") {
		t.Errorf("%+v", all)
	}
}

func TestSample(t *testing.T) {
	all := textreport.Open(Family, sampled)
	if len(all) != 1 || len(all[0].Threads) != 2 || all[0].Problem.Kind != process.Sample || all[0].Subject != -1 {
		t.Fatalf("%+v", all)
	}
	frames := all[0].Threads[0].Frames
	if len(frames) != 3 || frames[0].Stated.Function != "wait" || frames[0].Instruction != 0x18f000008 || frames[1].Stated.Module != "Game" ||
		frames[1].Instruction != 0x103c0deaf || frames[2].Stated.Function != "start" || all[0].Threads[1].Name != "worker" {
		t.Errorf("%+v, %q", frames, all[0].Threads[1].Name)
	}
}

// Lines of calls that a mail program wrapped are whole again, also where the rest begins with a number or a sign of the tree.
func TestWrappedSample(t *testing.T) {
	want := textreport.Open(Family, sampled)[0]
	wrapped := strings.NewReplacer("  (serial)", "\n(serial)", " 0x103c0a000 +", "\n0x103c0a000\n+", " + 8  [0x18f000008", " +\n8  [0x18f000008", "(in libsystem_pthread", "(in\nlibsystem_pthread").Replace(sampled)
	all := textreport.Open(Family, wrapped)
	if len(all) != 1 || len(all[0].Threads) != 2 {
		t.Fatalf("%+v", all)
	}
	for i, th := range all[0].Threads {
		if !reflect.DeepEqual(th.Frames, want.Threads[i].Frames) {
			t.Errorf("%+v, want %+v", th.Frames, want.Threads[i].Frames)
		}
	}
}

// A line that only looks like the beginning of a report costs no more than its share.
func TestManyHeads(t *testing.T) {
	log := strings.Repeat("{\"bug_type\":\"309\"}\n{\n", 1<<14)
	if got := textreport.Open(Family, log); len(got) > 0 {
		t.Errorf("%+v", got[0])
	}
}

const spindump = `Date/Time:        2019-10-01 22:25:42 -0400
OS Version:       Mac OS X 10.14.6 (Build 18G103)
Event:            hang
Duration:         1.50s

Process:         Game [30313]
UUID:            E302FB8D-F27D-3532-9EA9-76ADD4DC07B0
Path:            /opt/Game
Architecture:    x86_64
Num samples:     15 (1-15)
CPU Time:        0.031s (84.9M cycles, 31.2M instructions, 2.72c/i)

  Thread 0x18ef8    DispatchQueue "com.apple.main-thread"(1)    15 samples (1-15)    priority 31 (base 31)
  15  start + 1 (libdyld.dylib + 91093) [0x7fff7e82a3d5]
    15  ??? (Game + 10774) [0x104010a16]
      4   ??? (Game + 99) [0x10400e063] 1-4
      11  wait (a b.c:12 in Game + 116850) [0x10402a872] (blocked by turnstile) 5-15
       *11  ??? (kernel + 5678) [0xffffff8000215678]

  Thread 0x18ef9    15 samples (1-15)
  15  _pthread_start (libsystem_pthread.dylib + 5) [0x7fff7e900005]

  Binary Images:
           0x10400e000 -        0x1040c0fff  Game (118)  <E302FB8D-F27D-3532-9EA9-76ADD4DC07B0>  /opt/Game
        0x7fff7e814000 -     0x7fff7e831ff7  libdyld.dylib (655.1.1)  <002418CC-AD11-3D10-865B-015591D24E6C>  /usr/lib/system/libdyld.dylib

Process:         sh [7]
Num samples:     1 (1)
  Thread 0x2    1 sample (1)
  1  main (sh + 16) [0x5010]
`

// A process of spindump's report has the heaviest branch of each thread.
func TestSpindump(t *testing.T) {
	all := textreport.Open(Family, spindump)
	if len(all) != 2 || *all[0].PID != 30313 || *all[1].PID != 7 || all[0].Problem.Kind != process.Hang ||
		all[0].Subject != -1 || all[0].Arch != &cpu.AMD64 || all[0].System.Version != "Mac OS X 10.14.6 (Build 18G103)" || len(all[0].Threads) != 2 {
		t.Fatalf("%+v", all)
	}
	var got strings.Builder
	for _, p := range all {
		for _, thread := range p.Threads {
			fmt.Fprintf(&got, "%x %q\n", thread.ID, thread.Name)
			for _, f := range thread.Frames {
				fmt.Fprintf(&got, "  %#x %s %s %s:%d\n", f.Instruction, f.Stated.Module, f.Stated.Function, f.Stated.File, f.Stated.Line)
			}
		}
	}
	const want = `18ef8 "com.apple.main-thread"
  0xffffff8000215678 kernel  :0
  0x10402a871 Game wait a b.c:12
  0x104010a15 Game  :0
  0x7fff7e82a3d4 libdyld.dylib start :0
18ef9 ""
  0x7fff7e900005 libsystem_pthread.dylib _pthread_start :0
2 ""
  0x5010 sh main :0
`
	if got.String() != want {
		t.Errorf("%s\nwant\n%s", got.String(), want)
	}
	if m := all[0].Modules; len(m) != 4 || m[0].Base != 0x10400e000 || m[0].CodeFile != "/opt/Game" || m[0].DebugID != "E302FB8DF27D35329EA976ADD4DC07B00" {
		t.Errorf("%+v", m)
	}
}

func FuzzRead(f *testing.F) { textreport.Fuzz(f, Family, example, spindump) }

// Reports of the whole system have no threads: a panic has a stack in its text, and one of memory has the largest process.
func TestSystemReports(t *testing.T) {
	panicked := `{"bug_type":"210","os_version":"iPhone OS 17.4 (21E236)"}
{ "product": "iPhone14,4", "panicString": "panic(cpu 0 caller 0xfffffff04bd34530): \"SEP monitor error\"\nKernel text base:  0xfffffff007004000\n\t\t  lr: 0xfffffff0089a7b20  fp: 0xff50\n" }
`
	all := textreport.Open(Family, panicked)
	if len(all) != 1 || all[0].Problem.Kind != process.Panic || all[0].Problem.Text != "SEP monitor error" || !all[0].OS().IsApple() ||
		len(all[0].Threads[0].Frames) != 1 || all[0].Threads[0].Frames[0].ReturnAddress != 0xfffffff0089a7b20 {
		t.Errorf("%+v", all)
	}
	older := strings.Replace(panicked, "panicString", "string", 1)
	if all = textreport.Open(Family, older); len(all) != 1 || all[0].Problem.Text != "SEP monitor error" {
		t.Errorf("%+v", all)
	}
	all = textreport.Open(Family, "{\"bug_type\":\"298\"}\n{ \"largestProcess\": \"Game\", \"processes\": [] }\n")
	if len(all) != 1 || all[0].Problem.Kind != process.Killed || all[0].Problem.Text != "memory ran out; the largest process was Game" {
		t.Errorf("%+v", all)
	}
	if all = textreport.Open(Family, "{\"bug_type\":\"298\"}\n{ \"processes\": [] }\n"); len(all) > 0 {
		t.Errorf("%+v", all)
	}
}

// A panic of a Mac with Intel's CPU, as text and in an .ips file.
func TestIntelPanic(t *testing.T) {
	const panicked = `panic(cpu 0 caller 0xffffff7f83e24231): nvme: "Fatal error occurred. CSTS=0x1
. FW Revision=EXA7301Q"@IONVMeController.cpp:5320
Backtrace (CPU 0), Frame : Return Address
0xffffff8e0693b9e0 : 0xffffff800031868d mach_kernel : _panic + 0x54
0xffffff8e0693ba30 : 0xffffff7f83e24231
      Kernel Extensions in backtrace:
         com.apple.iokit.IONVMeFamily(2.1)[0F2B4321-0000-1111-2222-333344445555]@0xffffff7f83e00000->0xffffff7f83e3ffff

BSD process name corresponding to current thread: kernel_task
`
	ips := `{"bug_type":"210"}` + "\n" + `{"macOSPanicString": ` + strconv.Quote(panicked) + "}\n"
	for _, log := range []string{"Anonymous UUID: 32BC\n\n*** Panic Report ***\n" + panicked, ips} {
		all := textreport.Open(Family, log)
		if len(all) != 1 || all[0].Subject != 0 || all[0].Problem.Kind != process.Panic ||
			!strings.HasPrefix(all[0].Problem.Text, `nvme: "Fatal error`) || len(all[0].Threads[0].Frames) != 2 {
			t.Errorf("%s: %+v", log, all)
			continue
		}
		frames := all[0].Threads[0].Frames
		if f := frames[0]; f.ReturnAddress != 0xffffff800031868d || f.Stated.Function != "_panic" || f.Stated.Module != "mach_kernel" || f.Stated.Offset != 0x54 {
			t.Errorf("%+v %+v", f, f.Stated)
		}
		if m := all[0].Modules; log != ips && (len(m) != 1 || m[0].Base != 0xffffff7f83e00000 || m[0].DebugID != "0F2B43210000111122223333444455550") {
			t.Errorf("%+v", m)
		}
	}
	if all := textreport.Open(Family, "panic(cpu 0 caller 0x5): no stack\n"); len(all) > 0 {
		t.Errorf("%+v", all)
	}
}

// A report about the use of a resource has one tree, and is about its first process.
func TestResource(t *testing.T) {
	all := textreport.Open(Family, `{"bug_type":"145","os_version":"iPhone OS 16.5 (20F66)","app_name":"gamed"}
OS Version:       iPhone OS 16.5 (Build 20F66)
Architecture:     arm64e
Incident Identifier: 665783B8-D8C3-45E9-A2A1-AC7F362A3302

Event:            disk writes
Heaviest stack for the target process:
  102  ??? (libsystem_pthread.dylib + 2940) [0x221a5cb7c]

Powerstats for:   gamed [299]
Path:             /usr/libexec/gamed
Num samples:      102 (88%)
  102  ??? (libsystem_pthread.dylib + 2940) [0x221a5cb7c]
    102  ??? (gamed + 9816) [0x10276e658]
      1  ??? (gamed + 16) [0x10276c010]

  Binary Images:
           0x10276c000 -                ???  gamed                    <D2F695AB-CD14-3A45-AE80-9D0900550A63>  /usr/libexec/gamed
           0x221a5c000 -        0x221a67ff3  libsystem_pthread.dylib <8894310A-745F-3407-99F0-1FD54442561D>  /usr/lib/system/libsystem_pthread.dylib

Powerstats for:   sh [7]
Num samples:      3 (1%)
  3  ??? (sh + 16) [0x5010]
`)
	if len(all) != 1 || *all[0].PID != 299 || len(all[0].Threads) != 1 || len(all[0].Threads[0].Frames) != 3 || all[0].Problem.Kind != process.Sample {
		t.Fatalf("%+v", all)
	}
	if f := all[0].Threads[0].Frames[1]; f.Instruction != 0x10276e657 || f.Stated.Module != "gamed" {
		t.Errorf("%+v %+v", f, f.Stated)
	}
	if m := all[0].Modules; len(m) != 2 || m[0].Base != 0x10276c000 || m[0].DebugID != "D2F695ABCD143A45AE809D0900550A630" || m[0].CodeFile != "/usr/libexec/gamed" {
		t.Errorf("%+v", m)
	}
}
