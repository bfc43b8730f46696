package sanitizer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/textreport"
)

func TestFrames(t *testing.T) {
	for line, want := range map[string]string{
		"#0 0x5564d7e17bcb  (/home/build/curve+0x2bcb) (BuildId: f609aa00)": "0 0x5564d7e17bcb /home/build/curve+0x2bcb f609aa00 ::0",
		"#1 0x7fc235648060  (/lib/libasan.so.8+0x48060)":                    "1 0x7fc235648060 /lib/libasan.so.8+0x48060  ::0",
		"#2 0x401242 in put(Point*, int, int) /home/a b/curve.cc:6:3":       "2 0x401242 +0x0  put(Point*, int, int):/home/a b/curve.cc:6",
		"#3 0x7f in malloc (/lib/libc.so.6+0x27249) (BuildId: ab)":          "3 0x7f /lib/libc.so.6+0x27249 ab malloc::0",
		"#4 0x7f in std::map<int, long>::operator[](int&&) const map.h:7":   "4 0x7f +0x0  std::map<int, long>::operator[](int&&) const:map.h:7",
		"#5 0x7f in operator new(unsigned long) C:\\src\\new.cpp:12":        "5 0x7f +0x0  operator new(unsigned long):C:\\src\\new.cpp:12",
		"#6 <null> <null> (counter+0x1224)":                                 "6 0x0 counter+0x1224  ::0",
		"#7 main /home/build/counter.cc:14 (counter+0x134d) (BuildId: ab)":  "7 0x0 counter+0x134d ab main:/home/build/counter.cc:14",
		"#8 0x55 (<unknown module>)":                                        "8 0x55 +0x0  ::0",
		"#9 0x55 in (anonymous namespace)::f() a.cc:1 (x+0x5)":              "9 0x55 x+0x5  (anonymous namespace)::f():a.cc:1",
		"#10 0x55 in malloc _asan_rtl_":                                     "10 0x55 +0x0  malloc::0",
		"#11 0x55  frame":                                                   "11 0x55 +0x0  frame::0",
		"#12 0x55 in GetHandle+0x15a (C:\\a b\\x.dll+0x5)":                  "12 0x55 C:\\a b\\x.dll+0x5  GetHandle::0",
		"#13 0x55 in libpthread.so.0":                                       "13 0x55 +0x0  ::0",
		"#14 0x55 in f(int) ../a.cc:12 <liba.so>+0x5":                       "14 0x55 liba.so+0x5  f(int):../a.cc:12",
	} {
		f, ok := text.ParseNumbered(line)
		got := fmt.Sprintf("%d %#x %s+%#x %s %s:%s:%d", f.Number, f.Address, f.Image, f.Offset, f.BuildID, f.Names.Function, f.Names.File, f.Names.Line)
		if !ok || got != want {
			t.Errorf("%s\n%s, %t\n%s", line, got, ok, want)
		}
	}
	for _, line := range []string{"", "#", "#x 0x1 (a+0x1)", "#0", "0 0x1 (a+0x1)", "#1. not a frame", "#0x12"} {
		if f, ok := text.ParseNumbered(line); ok {
			t.Errorf("%q is a frame: %+v", line, f)
		}
	}
}

func TestHeads(t *testing.T) {
	for line, want := range map[string]string{
		"==29001==ERROR: AddressSanitizer: heap-use-after-free on address 0x50 at pc 0x55 bp 0x7f sp 0x7e":   "0 AddressSanitizer 29001 heap-use-after-free on address 0x50 1",
		"out | ==7==WARNING: MemorySanitizer: use-of-uninitialized-value":                                    "6 MemorySanitizer 7 use-of-uninitialized-value 11",
		"WARNING: ThreadSanitizer: data race (pid=29017)":                                                    "0 ThreadSanitizer 29017 data race 12",
		"==1==ERROR: AddressSanitizer: memcpy-param-overlap: memory ranges [0x1,0x2) and [0x1, 0x2) overlap": "0 AddressSanitizer 1 memcpy-param-overlap: memory ranges [0x1,0x2) and [0x1, 0x2) overlap 10",
		"==5==ERROR: LeakSanitizer: detected memory leaks":                                                   "0 LeakSanitizer 5 detected memory leaks 15",
		"==7== ERROR: libFuzzer: timeout after 5 seconds":                                                    "0 libFuzzer 7 timeout after 5 seconds 23",
		"==7==AddressSanitizer: CHECK failed: a.cc:1":                                                        "0 AddressSanitizer 7 CHECK failed: a.cc:1 19",
		"12:00 shift.cc:6:12: runtime error: signed integer overflow":                                        "6 UndefinedBehaviorSanitizer 0 signed integer overflow 16",
	} {
		h, ok := headOf(line)
		got := fmt.Sprintf("%d %s %d %s %d", h.column, h.tool, h.pid, h.text, h.kind)
		if !ok || got != want {
			t.Errorf("%s\n%s, %t\n%s", line, got, ok, want)
		}
	}
	for line, want := range map[string]process.Event{
		"==2==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000010 (pc 0x55 bp 0x7f sp 0x7f T0)": {Code: 11, Address: 0x10},
		"==2==ERROR: AddressSanitizer: SEGV on unknown address (pc 0x55 bp 0x7f sp 0x7f T0)":                {Code: 11, NoAddress: true},
		"==2==ERROR: AddressSanitizer: FPE on unknown address 0x55 (pc 0x55 bp 0x7f sp 0x7f T0)":            {Code: 8, Address: 0x55},
		"==2==ERROR: AddressSanitizer: ABRT (pc 0x55 bp 0x7f sp 0x7f T0)":                                   {Code: 6, NoAddress: true},
		"==2==ERROR: AddressSanitizer: access-violation on unknown address 0x08 (pc 0x55)":                  {Code: 0xc0000005, Address: 8},
	} {
		h, ok := headOf(line)
		if e := h.event; !ok || e == nil || e.Code != want.Code || e.Address != want.Address || e.NoAddress != want.NoAddress {
			t.Errorf("%s: %+v", line, h.event)
		}
	}
	for _, line := range []string{"", "SUMMARY: AddressSanitizer: heap-use-after-free", "AddressSanitizer:DEADLYSIGNAL", "ERROR: Sanitize: x", "ERROR: a Sanitizer: x", "runtime error: x", "panic: runtime error: index out of range"} {
		if h, ok := headOf(line); ok {
			t.Errorf("%q is a headline: %+v", line, h)
		}
	}
}

// A report as ci systems have it: a prefix, two stacks, calls that were inlined, a wrapped line, and a second report.
const race = `ci WARNING: ThreadSanitizer: data race (pid=7)
ci   Write of size 8 at 0x7fffffffecb0 by main thread:
ci     #0 Counter::bump() counter.cc:6 (counter+0x1224)
ci
ci     #1 worker(Counter*) counter.cc:9 (counter+0x1224)
ci     #2 main
ci counter.cc:14 (counter+0x134d)
ci
ci   Previous read of size 8 at 0x7fffffffecb0 by thread T1:
ci     #0 <null> <null> (counter+0x1233)
ci
ci   Thread T1 (tid=29019, finished) created by main thread at:
ci     #0 <null> <null> (libtsan.so.2+0x5e686)
ci
ci SUMMARY: ThreadSanitizer: data race (/opt/counter+0x1224) in Counter::bump()
`

func TestReport(t *testing.T) {
	log := "ci a line\n" + race + "ci ==================\n" + strings.ReplaceAll(race, "pid=7", "pid=8")
	all, found, err := text.OpenAll([]text.Family{Family})(bin.NewSource(strings.NewReader(log), int64(len(log))))
	if !found || err != nil || len(all) != 2 {
		t.Fatalf("%d reports, %v", len(all), err)
	}
	p := all[0]
	if *p.PID != 7 || *all[1].PID != 8 || p.Subject != 0 || len(p.Threads) != 3 || p.Event != nil {
		t.Fatalf("pid %d, %d threads, subject %d", *p.PID, len(p.Threads), p.Subject)
	}
	if pr := p.Problem; pr.Kind != process.DataRace || pr.Access != process.Write || pr.Size != 8 || pr.Text != "data race" {
		t.Errorf("%+v", pr)
	}
	if r := []process.Role{p.Threads[0].Role, p.Threads[1].Role, p.Threads[2].Role}; !slices.Equal(r, []process.Role{process.OfThread, process.Previous, process.Created}) {
		t.Errorf("roles %v", r)
	}
	frames := p.Threads[0].Frames
	if len(frames) != 2 || len(frames[0].Stated.Inlines) != 1 || frames[0].Stated.Inlines[0].Function != "Counter::bump()" ||
		frames[0].Stated.Function != "worker(Counter*)" || frames[1].Stated.Function != "main" || frames[1].Stated.Line != 14 {
		t.Errorf("%+v", frames)
	}
	if len(p.Modules) != 2 || p.Modules[0].CodeFile != "/opt/counter" || !p.Modules[0].Floating {
		t.Errorf("%+v", p.Modules)
	}
}

// Undefined behavior is reported while the program runs on. The last report is the subject, and a report
// without a stack has its source line.
func TestUndefined(t *testing.T) {
	log := "a.cc:1:2: runtime error: first\nb.cc:3:4: runtime error: second\n    #0 0x55  (/opt/x+0x5)\n\nSUMMARY: UndefinedBehaviorSanitizer: undefined-behavior b.cc:3:4\n"
	all, _, _ := text.OpenAll([]text.Family{Family})(bin.NewSource(strings.NewReader(log), int64(len(log))))
	if len(all) != 1 || len(all[0].Threads) != 2 || all[0].Subject != 1 || all[0].Problem.Text != "second" || all[0].Threads[0].Frames[0].Stated.Line != 1 {
		t.Fatalf("%+v", all)
	}
}

// A jump to a null pointer has no module.
func TestNullJump(t *testing.T) {
	all := textreport.Open(Family, "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x0 T0)\n    #0 0x000000000000  (<unknown module>)\n    #1 0x4f6b78 in f a.cc:7\n")
	if len(all) != 1 || len(all[0].Threads[0].Frames) != 2 || all[0].Threads[0].Frames[1].Stated.Line != 7 {
		t.Errorf("%+v", all)
	}
}

// Frames in LLVM's markup, whose modules were named before, perhaps by an earlier report.
func TestMarkup(t *testing.T) {
	const head = "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x502000000010 at pc 0x560824f48f08 bp 0x7ffe28ad02c0 sp 0x7ffe28ad02b8\nREAD of size 4 at 0x502000000010 thread T0\n"
	const stacks = "{{{bt:0:0x560824f48f07}}}\n{{{bt:1:0x560824f48f42}}}\n\nfreed by thread T0 here:\n{{{bt:0:0x560824f06336}}}\n\nSUMMARY: AddressSanitizer: heap-use-after-free {{{bt:0:0x560824f48f07}}}\n"
	const context = "{{{reset}}}\n{{{module:0:/opt/dock:elf:f7df76214babe59f}}}\n{{{mmap:0x560824e67000:0xe1fe5:load:0:rx:0x2c000}}}\n"
	all := textreport.Open(Family, head+context+stacks+"==7==ABORTING\nwords\n"+head+stacks)
	if len(all) != 2 {
		t.Fatalf("%d reports", len(all))
	}
	for _, p := range all {
		if len(p.Modules) != 1 || p.Modules[0].Base != 0x560824e3b000 || len(p.Threads) != 2 ||
			p.Threads[0].Frames[1].Instruction != 0x560824f48f42 || p.Threads[1].Role != process.Freed {
			t.Errorf("%+v %+v", p.Modules, p.Threads)
		}
	}
}

// GWP-ASan has the lines of glibc in C libraries, with return addresses.
func TestGuarded(t *testing.T) {
	all := textreport.Open(Family, `*** GWP-ASan detected a memory error ***
Use after free at 0x7feccab26000 (0 bytes into a 41-byte allocation at 0x7feccab26000) by thread 31027 here:
  #0 ./dock(+0x54b5a) [0x55585c0dab5a]
  #1 /lib/x86_64-linux-gnu/libc.so.6(+0x3c050) [0x7fecc969e050]
  #2 ./dock(use+0) [0x55585c0af7a0]
  #3 ./dock(main+0x9f) [0x55585c0af7cf]

0x7feccab26000 was deallocated by thread 31027 here:
  #0 ./dock(main+0x83) [0x55585c0af7b3]

0x7feccab26000 was allocated by thread 31027 here:
  #0 ./dock(main+0x57) [0x55585c0af787]
  #1 /lib/x86_64-linux-gnu/libc.so.6(__libc_start_main+0xeb) [0x7fecc966952b]

*** End GWP-ASan report ***
`)
	if len(all) != 1 || all[0].Problem.Kind != process.UseAfterFree || len(all[0].Threads) != 3 || all[0].Threads[1].Role != process.Freed ||
		all[0].Threads[2].Role != process.Allocated {
		t.Fatalf("%+v", all)
	}
	if f := all[0].Threads[0].Frames; len(f) != 4 || f[0].Instruction != 0x55585c0dab59 || f[3].Stated.Function != "main" || f[3].Stated.Offset != 0x9f ||
		f[0].Stated.Module != "dock" || f[2].Instruction != 0x55585c0af7a0 || !f[2].Interrupted {
		t.Errorf("%+v", f)
	}
}

// The registers of a fault are those of LLVM's tests (dump_registers_x86_64.cpp, dump_registers_aarch64.cpp), and the program counter is that of the headline.
func TestRegisters(t *testing.T) {
	const fault = "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x55d000001133 bp 0x7ffe00000010 sp 0x7ffe00000000 T0)\n    #0 0x55d000001133 in main /src/a.c:3:6\n\n"
	for lines, want := range map[string]*cpu.Arch{
		"==7==Register values:\nrax = 0x0000000000000005  rbx = 0x0000000000000118  \n r8 = 0x0000000000000000   r9 = 0x0000000000000009  \n": &cpu.AMD64,
		"==7==Register values:\nx0 = 0x0000000000000005   x1 = 0x0000000000000001\n":                                                          &cpu.ARM64,
		"==7==Register values:\n x[0] = 0x0000000000000005   x[1] = 0x0000000000000001\n":                                                     &cpu.ARM64,
		"==7==Register values:\nzz = 0x0000000000000005\n":                                                                                    nil, "rax = 0x0000000000000005\n": nil, "": nil,
	} {
		all := textreport.Open(Family, fault+lines+"AddressSanitizer can not provide additional info.\nSUMMARY: AddressSanitizer: SEGV /src/a.c:3:6 in main\n")
		if len(all) != 1 || all[0].Arch != want || (all[0].Threads[0].Registers != nil) != (want != nil) {
			t.Errorf("%q: %+v", lines, all)
			continue
		}
		if want == nil {
			continue
		}
		first, _ := want.Reg(map[*cpu.Arch]string{&cpu.AMD64: "rax", &cpu.ARM64: "x0"}[want])
		if regs := &all[0].Threads[0].Registers.Regs; regs.Value(first) != 5 || regs.Value(want.PC) != 0x55d000001133 {
			t.Errorf("%q: %+v", lines, regs)
		}
	}
}

func FuzzRead(f *testing.F) {
	textreport.Fuzz(f, Family, race,
		"==1==ERROR: AddressSanitizer: SEGV on unknown address (pc 0x5\n#0 0x5 in f a.c:1\n")
}

// UndefinedBehaviorSanitizer reports what does not end the program, and another report of the process says what does.
func TestOneProcess(t *testing.T) {
	const first = "a.cc:6:12: runtime error: shift exponent 42 is too large\n    #0 0x55 in shift(int) /src/a.cc:6:12\n\nSUMMARY: UndefinedBehaviorSanitizer: undefined-behavior a.cc:6:12 \n"
	const last = "UndefinedBehaviorSanitizer:DEADLYSIGNAL\n==7==ERROR: UndefinedBehaviorSanitizer: SEGV on unknown address 0x000000000000 (pc 0x66 bp 0x1 sp 0x2 T7)\n" +
		"==7==The signal is caused by a READ memory access.\n    #0 0x66 in deref(int*) /src/a.cc:8:28\n\nSUMMARY: UndefinedBehaviorSanitizer: SEGV /src/a.cc:8:28 in deref(int*)\n==7==ABORTING\n"
	for _, log := range []string{first + last, first + first + last, strings.ReplaceAll(first, "    #0 0x55 in shift(int) /src/a.cc:6:12\n", "") + last} {
		all := textreport.Open(Family, log)
		if len(all) != 1 || all[0].Event == nil || all[0].Event.Code != 11 || all[0].Subject != len(all[0].Threads)-1 || all[0].Threads[all[0].Subject].Frames[0].Instruction != 0x66 {
			t.Errorf("%q: %+v", log, all)
		}
	}
}

// Sanitizers of macOS write the CPU behind a module's name, and those of macOS and Windows the address that the linker gave.
func TestLinkedOffsets(t *testing.T) {
	all := textreport.Open(Family, "WARNING: ThreadSanitizer: data race (pid=7)\n  Write of size 8 at 0x0001092cbd88 by thread T3:\n    #0 push a.c:5028 (test:x86_64h+0x10000ede8)\n"+
		"    #1 pthread_create <null>:3 (libtsan.dylib:arm64+0x2bb6f)\n    #2 start+0x1c (C:\\a b\\KERNEL32.DLL+0x18001257c)\n")
	if len(all) != 1 || len(all[0].Modules) != 3 {
		t.Fatalf("%+v", all)
	}
	for i, want := range []struct {
		module, function string
		offset           uint64
	}{{"test", "push", 0xede8}, {"libtsan.dylib", "pthread_create", 0x2bb6f}, {"C:\\a b\\KERNEL32.DLL", "start", 0x1257c}} {
		f, m := all[0].Threads[0].Frames[i], all[0].Modules[i]
		if m.CodeFile != want.module || f.Stated.Function != want.function || f.Instruction-m.Base != want.offset {
			t.Errorf("%+v, %+v, %+v; want %+v", f, f.Stated, m, want)
		}
	}
}

// A jump has no stack if no code is there, and HWAddressSanitizer says what it concludes from tags. A source file may go without a line.
func TestFurtherFacts(t *testing.T) {
	all := textreport.Open(Family, "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000010 (pc 0x000000000010 bp 0x7ffc sp 0x7ffd T0)\n"+
		"==7==The signal is caused by a READ memory access.\nAddressSanitizer: nested bug in the same thread, aborting.\n")
	if len(all) != 1 || len(all[0].Threads[0].Frames) != 1 || all[0].Threads[0].Frames[0].Instruction != 0x10 || all[0].Event.Access != process.Execute {
		t.Errorf("%+v", all)
	}
	all = textreport.Open(Family, "==7==ERROR: HWAddressSanitizer: tag-mismatch on address 0x6804 at pc 0x55\nREAD of size 1 at 0x6804 tags: 05/8e (ptr/mem) in thread T0\n"+
		"    #0 0x55 in main /src/a.cc\n    #1 0x56 in f() const b.cc\n    #2 0x57 in operator new (a.so+0x5)\n\nCause: use-after-free\n")
	if len(all) != 1 || all[0].Problem.Kind != process.UseAfterFree || all[0].Problem.Text != "use-after-free on address 0x6804" {
		t.Fatalf("%+v", all)
	}
	got := ""
	for _, f := range all[0].Threads[0].Frames {
		got += f.Stated.Function + " " + f.Stated.File + ","
	}
	if want := "main /src/a.cc,f() const b.cc,operator new ,"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
