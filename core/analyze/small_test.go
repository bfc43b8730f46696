package analyze

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/dump"
)

func TestIsSystemPath(t *testing.T) {
	tests := []struct {
		os, path string
		want     bool
	}{
		{os: "windows", path: `C:\Windows\System32\ntdll.dll`, want: true},
		{os: "windows", path: `D:\WINDOWS\WinSxS\x86_microsoft\comctl32.dll`, want: true},
		{os: "windows", path: `\SystemRoot\System32\win32k.sys`, want: true},
		{os: "windows", path: `C:\Program Files\App\app.exe`},
		{os: "windows", path: `C:\app\windows\ntdll.dll`},
		{os: "windows", path: "ntdll.dll", want: true},
		{os: "windows", path: "app.dll"},
		{os: "windows", path: "KERNEL32", want: true},
		{os: "windows", path: "app"},
		{os: "linux", path: "/lib/x86_64-linux-gnu/libc.so.6", want: true},
		{os: "linux", path: "/usr/lib/libc.so.6", want: true},
		{os: "linux", path: "/usr/lib64/libstdc++.so.6", want: true},
		{os: "linux", path: "/usr/lib/chromium/chromium"},
		{os: "linux", path: "/usr/lib/x86_64-linux-gnu/app/plugin.so"},
		{os: "linux", path: "/usr/bin/app"},
		{os: "linux", path: "linux-gate.so", want: true},
		{os: "linux", path: "linux-vdso.so.1", want: true},
		{os: "linux", path: ""},
		{os: "android", path: "/apex/com.android.runtime/lib64/bionic/libc.so", want: true},
		{os: "android", path: "/data/app/x/lib/arm64/libx.so"},
		{os: "mac", path: "/usr/lib/system/libsystem_c.dylib", want: true},
		{os: "mac", path: "/System/Library/Frameworks/AppKit.framework/AppKit", want: true},
		{os: "mac", path: "/Systematic/app"},
		{os: "mac", path: "/Applications/App.app/Contents/MacOS/App"},
		{os: "", path: "/lib64/ld-linux-x86-64.so.2", want: true},
	}
	for _, tt := range tests {
		if got := isSystemPath(process.OS(tt.os), tt.path); got != tt.want {
			t.Errorf("isSystemPath(%q, %q) = %v, want %v", tt.os, tt.path, got, tt.want)
		}
	}
}

func TestThreadState(t *testing.T) {
	tests := []struct {
		frames []string // "" is a frame without a name
		want   string
	}{
		{nil, ""},
		{[]string{""}, ""},
		{[]string{"", "pthread_join"}, ""},
		{[]string{"main"}, "Running"},
		{[]string{"__futex_abstimed_wait_common64", "pthread_cond_wait@@GLIBC_2.3.2", "wait()"}, "Waiting"},
		{[]string{"__futex_abstimed_wait_common", "__pthread_clockjoin_ex", "main"}, "Joining a thread"},
		{[]string{"__GI___poll", "g_main_loop_run"}, "Polling"},
		{[]string{"clock_nanosleep@GLIBC_2.17", "sleep"}, "Sleeping"},
		{[]string{"ZwWaitForSingleObject", "WaitForSingleObjectEx"}, "Waiting"},
		{[]string{"__select$NOCANCEL", "run"}, "Polling"},
		{[]string{"a", "b", "c", "d", "e", "f", "poll"}, "Running"}, // too far out to be the present activity
	}
	for _, tt := range tests {
		var frames []report.Frame
		for _, name := range tt.frames {
			frames = append(frames, report.Frame{Function: some(name)})
		}
		if got := deref(threadState(frames)); got != tt.want {
			t.Errorf("threadState(%q) = %q, want %q", tt.frames, got, tt.want)
		}
	}
}

// A wait by a name that may be that of another function is none, but the thread may wait.
func TestThreadStateOfUncertainNames(t *testing.T) {
	for _, tt := range []struct {
		names []string // uncertain ones with a mark
		want  string
	}{
		{[]string{"~ poll", "main"}, ""},
		{[]string{"~ f", "main"}, ""},
		{[]string{"syscall", "~ poll", "main"}, ""},
		{[]string{"syscall", "~ f", "main"}, "Running"},
		{[]string{"syscall", "~ poll", "pthread_join"}, "Joining a thread"},
	} {
		var frames []report.Frame
		for _, name := range tt.names {
			name, near := strings.CutPrefix(name, symbolize.Mark)
			frames = append(frames, report.Frame{Function: ptr(name), Certainty: map[bool]report.Certainty{true: report.NameNearest, false: report.NameInside}[near]})
		}
		if got := deref(threadState(frames)); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.names, got, tt.want)
		}
	}
}

// An inlined wait counts, before the function around it.
func TestThreadStateInline(t *testing.T) {
	frames := []report.Frame{{Function: ptr("run"), Inlines: []report.Inline{{Function: ptr("epoll_wait")}, {}}}}
	if got := deref(threadState(frames)); got != "Polling" {
		t.Errorf("threadState = %q, want Polling", got)
	}
}

func TestStorePaths(t *testing.T) {
	const id = "0123456789ABCDEF0123456789ABCDEF1a"
	tests := []struct {
		os   process.OS
		mod  module.Module
		want []string
	}{
		{"windows", module.Module{CodeFile: `C:\app.exe`, CodeID: "4a5bdbde100000", DebugFile: `C:\build\app.pdb`, DebugID: id}, []string{
			"app.pdb/" + id + "/app.sym", "app.pdb/" + id + "/app.pdb", "app.exe/4A5BDBDE100000/app.exe",
		}},
		{"windows", module.Module{CodeFile: `C:\app.PDB`, CodeID: "4a5bdbde1ab000", DebugFile: "app.PDB", DebugID: id}, []string{
			"app.PDB/" + id + "/app.sym", "app.PDB/" + id + "/app.PDB", "app.PDB/4A5BDBDE1ab000/app.PDB",
		}},
		{"linux", module.Module{CodeFile: "/lib/libc.so.6", CodeID: "ab12", DebugFile: "/lib/libc.so.6", DebugID: id}, []string{
			"libc.so.6/" + id + "/libc.so.6.sym", "buildid/ab12/debuginfo", "buildid/ab12/executable",
		}},
		{"linux", module.Module{CodeFile: "/x", CodeID: "00000000385000", DebugFile: "x", DebugID: id}, []string{"x/" + id + "/x.sym"}}, // without a build ID
		{"mac", module.Module{CodeFile: "/usr/bin/app", CodeID: "ab12", DebugFile: "app", DebugID: id}, []string{"app/" + id + "/app.sym"}},
		{"linux", module.Module{CodeFile: "/x", DebugFile: "/x", DebugID: noID}, []string{}},
		{"linux", module.Module{}, []string{}},
	}
	for _, tt := range tests {
		if got := storePaths(tt.os, &tt.mod); !slices.Equal(got, tt.want) {
			t.Errorf("storePaths(%q, %+v)\n got %q\nwant %q", tt.os, tt.mod, got, tt.want)
		}
	}
}

func TestNotes(t *testing.T) {
	var n notes
	n.file(process.Note{Err: &bin.Error{What: "thread list", Off: 0x20, Why: "count 9 exceeds stream size 4"}, More: 2})
	n.file(process.Note{Err: &bin.Error{What: "thread list", Off: 0x20, Why: "count 9 exceeds stream size 4"}, More: 2})
	n.file(process.Note{Err: errors.New("disk gone")})
	n.odd("module list", "strange")
	n.odd("module list", process.Brief("a\x1b\n"+strings.Repeat("ä", 200))+" is long")
	want := []string{
		"thread list: count 9 exceeds stream size 4 at 0x20, 3 times",
		"dump: disk gone at -, 1 times",
		"module list: strange at -, 1 times",
		`module list: a\u001b\u000a` + strings.Repeat("ä", 97) + "… is long at -, 1 times",
	}
	var got []string
	for _, note := range n.all() {
		at := "-"
		if note.Offset != nil {
			at = fmt.Sprintf("%#x", *note.Offset)
		}
		got = append(got, fmt.Sprintf("%s: %s at %s, %d times", note.Where, note.Text, at, note.Count))
	}
	if !slices.Equal(got, want) {
		t.Errorf("notes\n got %q\nwant %q", got, want)
	}
}

func TestNotesBounded(t *testing.T) {
	var n notes
	for i := range maxNotes + 5 {
		n.odd("module list", fmt.Sprint(i))
	}
	all := n.all()
	last := all[len(all)-1]
	if len(all) != maxNotes+1 || last.Count != 5 || last.Text != "further notes are left out" {
		t.Errorf("%d notes, the last %+v; want %d, the last counting 5", len(all), last, maxNotes+1)
	}
}

// A dropped module without a name is identified by its address.
func TestNoteOfNamelessModule(t *testing.T) {
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	b.Module(dump.Module{Base: 0x40_0000, Size: 0})
	var got []string
	for _, note := range reportOf(t, b).Notes {
		got = append(got, note.Text)
	}
	if want := "a module without a name has the impossible range of 0x0 bytes at 0x400000 and is left out"; !slices.Contains(got, want) {
		t.Errorf("notes %q, want %q", got, want)
	}
}

// TestMarkLibrary: a module of the program also has functions of libraries, of runtimes, and what starts it.
func TestMarkLibrary(t *testing.T) {
	tests := []struct {
		function, file string
		inlined, want  bool // whether it is inlined, and of a library
	}{
		{function: "work::process(int)", file: "/src/work.cpp"},
		{function: "std::vector<int>::at(unsigned long)", want: true},
		{function: "std::rt::lang_start", want: true},
		{function: "<core::option::Option<T>>::unwrap", want: true},
		{function: "rust_begin_unwind", file: "/rustc/0123/library/std/src/panicking.rs", want: true},
		{function: "sync.(*Mutex).Lock", file: "/usr/lib/go/src/sync/mutex.go", want: true},
		{function: "_start", want: true},
		{function: "__scrt_common_main_seh", file: "exe_common.inl", want: true},
		{function: "main"},
		{function: "each", file: "/usr/include/each.h", inlined: true, want: true},
		{function: "each", file: "/usr/include/each.h"}, // symbols without inlined calls have this file for a function of the program
		{},
	}
	for _, tt := range tests {
		f := report.Frame{Module: ptr("app"), ModuleIndex: ptr(0)}
		call := report.Inline{Function: some(tt.function), File: some(tt.file)}
		if f.Inlines = []report.Inline{call}; !tt.inlined {
			f.Function, f.File, f.Inlines = call.Function, call.File, nil
		}
		markLibrary(&f)
		if got := f.Library || len(f.Inlines) > 0 && f.Inlines[0].Library; got != tt.want {
			t.Errorf("%q of %q, inlined: %v: %v", tt.function, tt.file, tt.inlined, got)
		}
	}
	system := report.Frame{System: true, Module: ptr("libc.so.6"), ModuleIndex: ptr(0), Function: ptr("abort")}
	if markLibrary(&system); system.Library {
		t.Error("a module of the system is marked as such, and not as a library of the program")
	}
}
