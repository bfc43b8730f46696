package render

import (
	"strings"
	"testing"

	"crashglass/core/report"
)

func TestMachineReason(t *testing.T) {
	tests := []struct{ reason, flags, want string }{
		{"SIGSEGV / SEGV_MAPERR", "0x00000001", "SIGSEGV /SEGV_MAPERR"},
		{"SIGSEGV", "0x00000000", "SIGSEGV /0x00000000"},
		{"SIGILL", "0x00000000", "SIGILL / 0x00000000"},
		{"SIGFPE / FPE_INTDIV", "0x00000001", "SIGFPE / FPE_INTDIV"},
		{"SIGABRT", "0x00000000", "SIGABRT"},
		{"SIGSEGV", "", "SIGSEGV"},
		{"EXC_BAD_ACCESS / KERN_INVALID_ADDRESS", "0x00000001", "EXC_BAD_ACCESS / KERN_INVALID_ADDRESS"},
		{"EXCEPTION_STACK_BUFFER_OVERRUN / FAST_FAIL_FATAL_APP_EXIT", "", "FAST_FAIL_FATAL_APP_EXIT"},
		{"unknown 0x12345678 / 0x00000000", "", "0x12345678 / 0x00000000"},
		{"EXCEPTION_ACCESS_VIOLATION_READ", "0x00000000", "EXCEPTION_ACCESS_VIOLATION_READ"},
	}
	for _, tt := range tests {
		r := &report.Report{CrashInfo: report.CrashInfo{Type: &tt.reason}}
		if tt.flags != "" {
			r.CrashInfo.Flags = ptr(report.Address(tt.flags))
		}
		if got := machineReason(r); got != tt.want {
			t.Errorf("machineReason(%q, %s) = %q, want %q", tt.reason, tt.flags, got, tt.want)
		}
	}
}

func TestMachineCrash(t *testing.T) {
	tests := []struct {
		name string
		info report.CrashInfo
		want string
	}{
		{"nothing", report.CrashInfo{}, "Crash|No crash||\n"},
		{"requested", report.CrashInfo{CrashingThread: ptr(0)}, "Crash|No crash||0\n"},
		{"crash", report.CrashInfo{Type: ptr("SIGABRT"), Address: addr(0), CrashingThread: ptr(0)}, "Crash|SIGABRT|0x0|0\n"},
		{"crash of an unknown kind", report.CrashInfo{CrashingThread: ptr(0)}, "Crash||0x0|0\n"},
		{"assertion alone", report.CrashInfo{Assertion: ptr("a|b"), CrashingThread: ptr(0)}, "Crash|ab||0\n"},
		{"thread that is not there", report.CrashInfo{CrashingThread: ptr(5)}, "Crash|No crash||\n"},
	}
	for _, tt := range tests {
		r := &report.Report{CrashInfo: tt.info, Threads: []report.Thread{{ID: 1}}}
		r.Verdict.Crashed = tt.name == "crash of an unknown kind"
		var b strings.Builder
		if err := Machine(&b, r, Options{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), tt.want) {
			t.Errorf("%s: output has no %q:\n%s", tt.name, tt.want, b.String())
		}
	}
}

// The thread that wrote the dump has no number, and the crashing one comes first.
func TestMachineThreads(t *testing.T) {
	frames := func(at uint64) []report.Frame { return []report.Frame{{Offset: *addr(at)}} }
	r := &report.Report{
		CrashInfo: report.CrashInfo{CrashingThread: ptr(2)},
		Threads: []report.Thread{
			{ID: 1, Frames: frames(0x10)}, {ID: 2, Writer: true, Frames: frames(0x20)}, {ID: 3, Frames: frames(0x30)}, {ID: 4, Frames: frames(0x40)},
		},
	}
	var b strings.Builder
	if err := Machine(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	if want := "\n\n1|0|||||0x30\n0|0|||||0x10\n2|0|||||0x40\n"; !strings.HasSuffix(b.String(), want) {
		t.Errorf("%q does not end in %q", b.String(), want)
	}
}

// Offsets count from the closest thing known: line, function, module, zero.
func TestMachineOffsets(t *testing.T) {
	frame := func(change func(*report.Frame)) report.Frame {
		f := report.Frame{Offset: *addr(0x40_0fff), ReturnAddress: addr(0x40_1000), Module: ptr("m"), ModuleOffset: addr(0xfff)}
		change(&f)
		return f
	}
	function := func(f *report.Frame) { f.Function, f.FunctionOffset = ptr("f"), addr(0x2f) }
	tests := []struct {
		name  string
		cpu   string
		frame report.Frame
		want  string
	}{
		{"module", "amd64", frame(func(f *report.Frame) {}), "m||||0x1000"},
		{"function", "amd64", frame(function), "m|f|||0x30"},
		{"line", "amd64", frame(func(f *report.Frame) {
			function(f)
			f.File, f.Line, f.LineOffset = ptr("a.c"), ptr(uint32(3)), addr(0x1)
		}), "m|f|a.c|3|0x2"},
		{"file without a line", "amd64", frame(func(f *report.Frame) {
			function(f)
			f.File = ptr("a.c")
		}), "m|f|a.c|0|0x30"},
		{"innermost", "amd64", frame(func(f *report.Frame) { function(f); f.ReturnAddress = nil }), "m|f|||0x2f"},
		{"arm64 counts to the call", "arm64", frame(function), "m|f|||0x2f"},
		{"x86", "x86", frame(function), "m|f|||0x30"},
		{"nowhere", "amd64", frame(func(f *report.Frame) { f.Module, f.ModuleOffset = nil, nil }), "||||0x401000"},
		{"unloaded", "amd64", frame(func(f *report.Frame) {
			f.Module, f.ModuleOffset = nil, nil
			f.Unloaded = []report.UnloadedModule{{Module: `C:\old.dll`, Offsets: []report.Address{*addr(0xf)}}}
		}), "old.dll||||0x10"},
	}
	for _, tt := range tests {
		r := &report.Report{
			SystemInfo: report.SystemInfo{CPU: &tt.cpu},
			Threads:    []report.Thread{{Frames: []report.Frame{tt.frame}}},
		}
		var b strings.Builder
		if err := Machine(&b, r, Options{}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(b.String(), "\n0|0|"+tt.want+"\n") {
			t.Errorf("%s: the row is not 0|0|%s:\n%s", tt.name, tt.want, b.String())
		}
	}
}

func TestMachineVersion(t *testing.T) {
	tests := []struct {
		info report.SystemInfo
		want string
	}{
		{report.SystemInfo{}, ""},
		{report.SystemInfo{OSVersion: ptr("6.1.0")}, "6.1.0"},
		{report.SystemInfo{OSVersion: ptr("6.1.0"), OSRaw: ptr("0.0.0 Linux 6.1.0")}, "0.0.0 Linux 6.1.0"},
	}
	for _, tt := range tests {
		if got := machineVersion(&tt.info); got != tt.want {
			t.Errorf("machineVersion(%+v) = %q, want %q", tt.info, got, tt.want)
		}
	}
}

// Breakpad sorts modules by their ends, and a microdump has no main module.
func TestMachineModules(t *testing.T) {
	mod := func(name string, base, end uint64) report.Module {
		return report.Module{CodeFile: name, DebugFile: name, DebugID: "ID", Base: *addr(base), End: *addr(end)}
	}
	r := &report.Report{Modules: []report.Module{mod("long", 0x1000, 0x9000), mod("inside", 0x2000, 0x3000), mod("same end", 0x2000, 0x9000)}}
	for kind, flag := range map[string]string{"minidump": "1", "microdump": "0"} {
		r.Dump.Kind = kind
		var b strings.Builder
		if err := Machine(&b, r, Options{}); err != nil {
			t.Fatal(err)
		}
		want := "Module|inside||inside|ID|0x00002000|0x00002fff|0\n" +
			"Module|long||long|ID|0x00001000|0x00008fff|" + flag + "\n" +
			"Module|same end||same end|ID|0x00002000|0x00008fff|0\n"
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s: output has no\n%s:\n%s", kind, want, b.String())
		}
	}
}
