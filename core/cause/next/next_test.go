package next

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/report"
)

func ptr[T any](v T) *T { return &v }

// picture writes one line for each step, with its fields.
func picture(steps []report.NextStep) (out []string) {
	for _, s := range steps {
		words := []string{string(s.Kind)}
		for _, w := range []string{s.File, s.ID, string(s.Origin), s.Function, s.At, s.Register, s.Vendor, s.Path} {
			if w != "" {
				words = append(words, w)
			}
		}
		if s.Value != nil {
			words = append(words, string(*s.Value))
		}
		if s.Row != nil {
			words = append(words, fmt.Sprint("row ", *s.Row))
		}
		out = append(out, strings.Join(words, ", "))
	}
	return out
}

// frame is one of module i; a name makes it named, "?" a guess, "!" the system's.
func frame(index, module int, marks string, name string) report.Frame {
	f := report.Frame{Index: index, ModuleIndex: &module, Guess: strings.Contains(marks, "?"), System: strings.Contains(marks, "!")}
	if name != "" {
		f.Function = &name
	}
	return f
}

func wanted(module int, file, state string) report.Wanted {
	return report.Wanted{Module: module, DebugFile: file, DebugID: "ABC1", State: state}
}

// windows is a crash in app.exe, called by ntdll.dll.
func windows(frames ...report.Frame) *report.Report {
	return &report.Report{
		SystemInfo: report.SystemInfo{OS: ptr("Windows NT")},
		CrashInfo:  report.CrashInfo{CrashingThread: ptr(0), Instruction: ptr("mov rax, qword [rdi + rcx * 8]"), Address: ptr(report.Address("0x8")), PointerRegister: ptr("rdi")},
		Threads:    []report.Thread{{ID: 7, Crashed: true, Frames: frames}},
		Modules: []report.Module{
			{CodeFile: "app.exe", DebugFile: "app.pdb", Path: `C:\app\app.exe`},
			{CodeFile: "ntdll.dll", DebugFile: "ntdll.pdb", Path: `C:\Windows\System32\ntdll.dll`, System: true},
			{CodeFile: "nvwgf2umx.dll", DebugFile: "nvwgf2umx.pdb", Path: `C:\Windows\System32\nvwgf2umx.dll`, System: true},
		},
		Verdict: report.Verdict{Crashed: true, Finding: report.FindingNullPointer, Where: ptr("f"), Row: ptr(0)},
	}
}

func TestSteps(t *testing.T) {
	regs := report.Registers{{Name: "rdi", Value: "0x0"}, {Name: "rcx", Value: "0x7fff0000"}, {Name: "di", Value: "0x8"}}
	tests := []struct {
		name string
		r    func() *report.Report
		want []string
	}{
		{"an empty report", func() *report.Report { return &report.Report{} }, nil},
		{"own code without names, below the system's", func() *report.Report {
			r := windows(frame(0, 1, "!", ""), frame(1, 0, "", ""))
			r.WantedSymbols = []report.Wanted{wanted(1, "ntdll.pdb", "missing"), wanted(0, "app.pdb", "missing")}
			return r
		}, []string{"get_symbols, app.pdb, ABC1, build"}},
		{"the walk lost its way in the system's code", func() *report.Report {
			r := windows(frame(0, 1, "!", ""), frame(1, 0, "?", ""))
			r.WantedSymbols = []report.Wanted{wanted(0, "app.pdb", "missing"), wanted(1, "ntdll.pdb", "missing")}
			return r
		}, []string{"get_symbols, ntdll.pdb, ABC1, microsoft"}},
		{"everything is named: the line comes first", func() *report.Report {
			r := windows(frame(0, 0, "", "f"), frame(1, 1, "!", ""))
			r.Threads[0].Frames[0].Registers = regs
			r.Verdict.At = ptr("f.cc:3")
			r.WantedSymbols = []report.Wanted{wanted(1, "ntdll.pdb", "missing"), wanted(0, "app.pdb", report.SymbolsPublicOnly)}
			return r
		}, []string{"look_at, f, f.cc:3, rdi, 0x0, row 0", "get_symbols, app.pdb, ABC1, build"}},
		{"memory that may not be accessed", func() *report.Report {
			r := windows(frame(0, 0, "", "f"))
			r.CrashInfo.Address, r.Verdict.Finding = ptr(report.Address("0x4e3c9")), report.FindingInaccessible
			r.Threads[0].Frames[0].Registers = report.Registers{{Name: "rdi", Value: "0x4e389"}, {Name: "rcx", Value: "0x8"}}
			return r
		}, []string{"look_at, f, rdi, 0x4e389, row 0"}},
		{"any register could be wrong", func() *report.Report {
			r := windows(frame(0, 0, "", "f"))
			r.CrashInfo.PointerRegister = nil
			r.Threads[0].Frames[0].Registers = regs
			return r
		}, []string{"look_at, f, row 0"}},
		{"text as a pointer, and no code", func() *report.Report {
			r := windows(frame(0, 0, "", "f"))
			r.CrashInfo.Instruction, r.Verdict.Finding = nil, report.FindingText
			return r
		}, []string{"get_code, app.exe", "look_at, f, row 0"}},
		{"a stack overflow: no register is to blame", func() *report.Report {
			r := windows(frame(0, 0, "", "f"))
			r.Threads[0].Frames[0].Registers, r.Verdict.Finding = regs, "stack_overflow"
			return r
		}, []string{"look_at, f, row 0"}},
		{"names of the system's functions are enough", func() *report.Report {
			r := windows(frame(0, 0, "", "f"), frame(1, 1, "!", "RtlUserThreadStart"))
			r.WantedSymbols = []report.Wanted{wanted(1, "ntdll.pdb", report.SymbolsPublicOnly)}
			return r
		}, []string{"look_at, f, row 0"}},
		{"the instruction is not in the dump", func() *report.Report {
			r := windows(frame(0, 0, "", "f"))
			r.CrashInfo.Instruction = nil
			return r
		}, []string{"get_code, app.exe", "look_at, f, row 0"}},
		{"a driver crashed", func() *report.Report { return windows(frame(0, 2, "!", "")) }, []string{"tell_vendor, nvwgf2umx.dll, NVIDIA"}},
		{"something injected crashed", func() *report.Report {
			r := windows(frame(0, 0, "", ""))
			r.Verdict.Badges = []report.Badge{{Finding: report.FindingForeignModule}}
			return r
		}, []string{`tell_vendor, app.exe, C:\app\app.exe`}},
		{"the heap is damaged", func() *report.Report {
			r := windows(frame(0, 0, "", "f"))
			r.Verdict.Finding = report.FindingHeapCorrupt
			return r
		}, []string{"run_sanitizer", "look_at, f, row 0"}},
		{"a bit flipped", func() *report.Report {
			r := windows(frame(0, 0, "", "f"))
			r.Verdict.Badges = []report.Badge{{Finding: report.FindingBitFlip}}
			return r
		}, []string{"check_memory", "look_at, f, row 0"}},
		{"a signal was sent: no line is to blame", func() *report.Report {
			r := windows(frame(0, 0, "", "f"))
			r.Verdict.Finding = report.FindingFromOutside
			return r
		}, nil},
		{"the file is truncated", func() *report.Report {
			r := windows(frame(0, 0, "", "f"))
			r.Dump.Size, r.Streams = 100, []report.Stream{{Offset: 90, Size: 11}}
			return r
		}, []string{"get_dump", "look_at, f, row 0"}},
		{"its memory is cut off", func() *report.Report {
			r := windows(frame(0, 0, "", "f"))
			r.Notes = []report.Note{{Kind: report.NoteTruncated, Where: report.InMemory}}
			return r
		}, []string{"get_dump", "look_at, f, row 0"}},
		{"an offset in a stream is wrong: the same file would come again", func() *report.Report {
			r := windows(frame(0, 0, "", "f"))
			r.Notes = []report.Note{{Kind: report.NoteTruncated, Where: "string"}, {Kind: report.NoteOdd, Where: report.InMemory}}
			return r
		}, []string{"look_at, f, row 0"}},
		{"no more than three", func() *report.Report {
			r := windows(frame(0, 2, "", "f"))
			r.Dump.Size, r.Streams = 100, []report.Stream{{Offset: 90, Size: 11}}
			r.WantedSymbols = []report.Wanted{wanted(2, "nvwgf2umx.pdb", "missing")}
			r.CrashInfo.Instruction = nil
			return r
		}, []string{"get_dump", "get_symbols, nvwgf2umx.pdb, ABC1, microsoft", "get_code, nvwgf2umx.dll"}},
	}
	for _, tt := range tests {
		if got := picture(Steps(tt.r())); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

func TestOrigins(t *testing.T) {
	tests := []struct {
		os     string
		module report.Module
		want   report.Origin
	}{
		{"Windows NT", report.Module{CodeFile: "xul.dll", DebugFile: "xul.pdb"}, report.FromMozilla},
		{"Windows NT", report.Module{CodeFile: "chrome.dll", DebugFile: "chrome.dll.pdb"}, report.FromChromium},
		{"Windows NT", report.Module{CodeFile: "MyApp.exe", DebugFile: "electron.exe.pdb"}, report.FromElectron},
		{"Mac OS X", report.Module{CodeFile: "libsystem_c.dylib", System: true}, report.FromMac},
		{"Mac OS X", report.Module{CodeFile: "app"}, report.FromBuild},
		{"Android", report.Module{CodeFile: "libc.so", System: true}, report.FromDevice},
		{"Linux", report.Module{CodeFile: "libc.so.6", Path: "/lib/libc.so.6", System: true}, report.FromDistro},
		{"Linux", report.Module{CodeFile: "libglib-2.0.so.0", Path: "libglib-2.0.so.0"}, report.FromDistro}, // Crashpad's names without folders
		{"Linux", report.Module{CodeFile: "chromium", Path: "/usr/lib/chromium/chromium"}, report.FromDistro},
		{"Linux", report.Module{CodeFile: "app", Path: "/usr/local/bin/app"}, report.FromBuild},
		{"Linux", report.Module{CodeFile: "libxul.so", Path: "/opt/firefox/libxul.so"}, report.FromMozilla},
		{"", report.Module{CodeFile: "app"}, report.FromBuild},
	}
	for _, tt := range tests {
		c := newCrash(&report.Report{SystemInfo: report.SystemInfo{OS: &tt.os}})
		if got := c.origin(&tt.module, 1); got != tt.want {
			t.Errorf("%s on %s: %q, want %q", tt.module.CodeFile, tt.os, got, tt.want)
		}
	}
}

// A build ID is what debuginfod asks for; a time stamp and a size are none.
func TestFileID(t *testing.T) {
	for _, tt := range []struct{ code, debug, want string }{
		{"92813c15d66a708e91af32de82e6d4d13c2060d9", "153C81926AD68E7091AF32DE82E6D4D10", "92813c15d66a708e91af32de82e6d4d13c2060d9"},
		{"5A9832E52872", "153C81926AD68E7091AF32DE82E6D4D10", "153C81926AD68E7091AF32DE82E6D4D10"},
		{"", strings.Repeat("0", 33), ""},
	} {
		if got := fileID(&report.Wanted{CodeID: tt.code, DebugID: tt.debug}); got != tt.want {
			t.Errorf("%q, %q: %q, want %q", tt.code, tt.debug, got, tt.want)
		}
	}
}

// Every wanted file has its source, not only that of the first step.
func TestOriginsOfAll(t *testing.T) {
	r := windows()
	r.WantedSymbols = []report.Wanted{wanted(0, "app.pdb", "missing"), wanted(1, "ntdll.pdb", "missing"), wanted(9, "gone.pdb", "missing")}
	Origins(r)
	for i, want := range []report.Wanted{
		{Origin: report.FromBuild},
		{Origin: report.FromMicrosoft, Server: "https://msdl.microsoft.com/download/symbols"},
		{}, // no such module
	} {
		if got := r.WantedSymbols[i]; got.Origin != want.Origin || got.Server != want.Server {
			t.Errorf("%s: %q from %q, want %q from %q", got.DebugFile, got.Origin, got.Server, want.Origin, want.Server)
		}
	}
}
