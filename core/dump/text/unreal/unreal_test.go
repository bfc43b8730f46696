package unreal

import (
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/textreport"
)

const head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<FGenericCrashContext>\n<RuntimeProperties>\n<ProcessId>7716</ProcessId>\n"

const tail = "</RuntimeProperties>\n<PlatformProperties>\n<PlatformIsRunningWindows>1</PlatformIsRunningWindows>\n</PlatformProperties>\n</FGenericCrashContext>\n"

// crash is a context of version 3.
const crash = head + `<PlatformName>WindowsNoEditor</PlatformName>
<CrashType>Crash</CrashType>
<ErrorMessage>Unhandled Exception: EXCEPTION_ACCESS_VIOLATION writing address 0x0000000000000010</ErrorMessage>
<CallStack>Hangar_Win64_Shipping!Ship::Tick(float) [D:\a b\Ship.cpp:12]
kernel32</CallStack>
<PCallStack>

Hangar-Win64-Shipping    0x00007ff6b2a40000 + 1004
kernel32                 0x00007ffc11a70000 + 17374
</PCallStack>
<Threads>
<Thread><CallStack>ntdll 0x00007ffc12d10000 + 9d494 KERNELBASE 0x00007ffc10900000 + 76ed1</CallStack><IsCrashed>false</IsCrashed><ThreadID>9120</ThreadID><ThreadName>RenderThread 1</ThreadName></Thread>
<Thread><CallStack>Hangar-Win64-Shipping 0x00007ff6b2a40000 + 1004</CallStack><IsCrashed>true</IsCrashed><ThreadID>9044</ThreadID><ThreadName>GameThread</ThreadName></Thread>
</Threads>
` + tail

func open(t *testing.T, log string) []*process.Process {
	t.Helper()
	all, _, err := text.OpenAll([]text.Family{Family})(bin.NewSource(strings.NewReader(log), int64(len(log))))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestCrash(t *testing.T) {
	all := open(t, crash+crash)
	if len(all) != 2 {
		t.Fatalf("%d reports", len(all))
	}
	p := all[1]
	if e := p.Event; e == nil || e.Code != 0xc0000005 || e.Address != 0x10 || e.Access != process.Write || len(e.Parameters) != 2 ||
		*p.PID != 7716 || p.Arch != &cpu.AMD64 || p.System.OS != process.Windows {
		t.Fatalf("%+v", p.Event)
	}
	if len(p.Threads) != 2 || p.Subject != 1 || p.Threads[1].ID != 9044 || p.Threads[1].Name != "GameThread" || len(p.Threads[0].Frames) != 2 || len(p.Notes) != 0 {
		t.Fatalf("%+v, %v", p.Threads, p.Notes)
	}
	frames := p.Threads[1].Frames
	if f := frames[0]; f.Instruction != 0x7ff6b2a41004 || !f.Interrupted || f.Stated.Function != "Ship::Tick(float)" || f.Stated.File != `D:\a b\Ship.cpp` || f.Stated.Line != 12 {
		t.Errorf("%+v, %+v", f, f.Stated)
	}
	if f := frames[1]; f.Instruction != 0x7ffc11a87373 || f.ReturnAddress != 0x7ffc11a87374 || f.Stated.Function != "" {
		t.Errorf("%+v", f)
	}
	if m := p.Modules[0]; m.Base != 0x7ffc12d10000 || m.CodeFile != "ntdll" || !m.ByName {
		t.Errorf("%+v", m)
	}
}

// Contexts say why the game ended, and have a stack of one thread in older versions.
func TestEvents(t *testing.T) {
	for _, tt := range []struct {
		name, fields string
		code         uint32
		problem      process.ProblemKind
		exact        bool
	}{
		{name: "an old context", fields: "<ErrorMessage>Access violation - code c0000005 (first/second chance not available)</ErrorMessage>",
			code: 0xc0000005, problem: 0, exact: true},
		{name: "a number", fields: "<ErrorMessage>Unhandled Exception: 0xc0000409</ErrorMessage>", code: 0xc0000409, problem: 0, exact: true},
		{name: "a signal", fields: "<PlatformName>Linux</PlatformName><ErrorMessage>Unhandled Exception: SIGSEGV: invalid attempt to read memory at address 0x0000000000000003</ErrorMessage>",
			code: 11, problem: 0, exact: true},
		{name: "an assertion", fields: "<IsAssert>true</IsAssert><CrashType>Assert</CrashType><ErrorMessage>Assertion failed: Ptr [File:d:\\a.cpp] [Line: 12]</ErrorMessage>",
			code: 0, problem: process.FailedCheck},
		{name: "an ensure", fields: "<IsEnsure>true</IsEnsure><CrashType>Ensure</CrashType><ErrorMessage>Ensure condition failed: a &lt; b</ErrorMessage>",
			code: 0, problem: process.FailedCheck},
		{name: "a hang", fields: "<CrashType>Hang</CrashType><ErrorMessage>Hang detected on GameThread</ErrorMessage>", code: 0, problem: process.Hang},
		{name: "no memory", fields: "<CrashType>OutOfMemory</CrashType>", code: 0, problem: process.OutOfMemory},
	} {
		all := open(t, head+tt.fields+"<PCallStack>Game 0x0000000025ca0000 + 703394 Unknown 0x0000000000000000 + 10</PCallStack>"+tail)
		if len(all) != 1 || all[0].Subject != 0 || len(all[0].Threads[0].Frames) != 2 {
			t.Errorf("%s: %+v", tt.name, all)
			continue
		}
		p := all[0]
		if (p.Event == nil) != (tt.code == 0) || p.Event != nil && p.Event.Code != tt.code || (p.Problem == nil) != (tt.code != 0) || p.Problem != nil && p.Problem.Kind != tt.problem {
			t.Errorf("%s: %+v, %+v", tt.name, p.Event, p.Problem)
		}
		if f := p.Threads[0].Frames; f[0].Interrupted != tt.exact || f[1].Instruction != 0xf || f[1].Stated.Module != "Unknown" {
			t.Errorf("%s: %+v", tt.name, f)
		}
	}
}

// A context without offsets has names alone, and one that is cut has what is before the cut.
func TestParts(t *testing.T) {
	all := open(t, head+"<CallStack>0x00007ff6b2a41004 Game.exe!UnknownFunction []\nGame!main() [a.cpp:3]\n</CallStack>"+tail)
	if len(all) != 1 || len(all[0].Threads[0].Frames) != 2 || all[0].Threads[0].Frames[1].Stated.Function != "main()" || all[0].Threads[0].Frames[0].ReturnAddress != 0x7ff6b2a41004 {
		t.Errorf("%+v", all)
	}
	all = open(t, crash[:strings.Index(crash, "<Threads>")])
	if len(all) != 1 || len(all[0].Threads) != 1 || len(all[0].Threads[0].Frames) != 2 || len(all[0].Notes) != 1 {
		t.Errorf("%+v", all)
	}
	if all := open(t, head+tail); len(all) != 0 {
		t.Errorf("an empty context is %d reports", len(all))
	}
}

func FuzzRead(f *testing.F) {
	textreport.Fuzz(f, Family, crash,
		head+"<CallStack>0x1 a!b [c:1]</CallStack><PCallStack>a 0x1 + 1 0x + b 0x2 + </PCallStack>"+tail)
}

// The log has a crash without a context. Further lines of a message have no prefix.
func TestLog(t *testing.T) {
	const stack = "[Callstack] 0x00007ffb3a4e1c52 UnrealEditor-Hangar.dll!ADoor::Open() [C:\\Hangar\\Door.cpp:88]\n[2026.11.23-14.22.07:511][812]LogWindows: Error: [Callstack] 0x00007ffbb1e7257d KERNEL32.DLL!UnknownFunction []\n"
	const at = "[2026.11.23-14.22.07:511][812]LogWindows: Error: "
	for _, tt := range []struct {
		log  string
		code uint32
	}{
		{log: at + "Unhandled Exception: EXCEPTION_ACCESS_VIOLATION writing address 0x0000000000000128\n" + at + "\n" + at + stack + at + "\n", code: 0xc0000005},
		{log: at + "appError called: Assertion failed: Index < Num [File:D:\\Array.h] [Line: 783] \nArray index out of bounds: 3 into an array of size 2\n" + at + "\n" + at + stack, code: 0},
	} {
		all := open(t, tt.log)
		if len(all) != 1 || len(all[0].Threads[0].Frames) != 2 || (all[0].Event == nil) != (tt.code == 0) || all[0].Event != nil && all[0].Event.Access != process.Write {
			t.Errorf("%q: %+v", tt.log, all)
			continue
		}
		if f := all[0].Threads[0].Frames[0]; f.ReturnAddress != 0x7ffb3a4e1c52 || f.Stated.Function != "ADoor::Open()" || f.Stated.Line != 88 || f.Interrupted != (tt.code != 0) {
			t.Errorf("%q: %+v, %+v", tt.log, f, f.Stated)
		}
	}
	if all := open(t, "Unhandled Exception: EXCEPTION_ACCESS_VIOLATION\n   at Game.Dock.Slot(Int32 n) in C:\\Dock.cs:line 14\n"); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}
