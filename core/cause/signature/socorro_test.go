package signature

import (
	"strings"
	"testing"

	"crashglass/core/report"
)

func ptr[T any](v T) *T { return &v }

// calls is a thread that is in these functions, innermost first. A name with
// an @ is a place in a module that no symbols name.
func calls(names ...string) report.Thread {
	t := report.Thread{}
	for _, name := range names {
		f := report.Frame{Offset: "0x0000000000001000", Module: ptr("app"), ModuleOffset: ptr(report.Address("0x0000000000000010"))}
		if module, offset, ok := strings.Cut(name, "@"); ok {
			f.Module, f.ModuleOffset = ptr(module), ptr(report.Address(offset))
			if module == "" {
				f.Module, f.ModuleOffset, f.Offset = nil, nil, report.Address(offset)
			}
		} else {
			f.Function = ptr(name)
		}
		t.Frames = append(t.Frames, f)
	}
	return t
}

// crash is a report whose last thread crashed.
func crashed(threads ...report.Thread) *report.Report {
	r := &report.Report{Threads: threads, Verdict: report.Verdict{Crashed: true}}
	if len(threads) > 0 {
		r.CrashInfo.CrashingThread = ptr(len(threads) - 1)
	}
	return r
}

func TestFrames(t *testing.T) {
	for name, test := range map[string]struct {
		stack []string
		want  string
	}{
		"one that says enough":            {[]string{"desk::find(int)", "main"}, "desk::find"},
		"one that needs the next":         {[]string{"memcpy", "desk::copy<int>()", "main"}, "memcpy | desk::copy<T>"},
		"some that say nothing":           {[]string{"__pthread_kill_implementation", "__GI_raise", "abort", "desk::give_up", "main"}, "abort | desk::give_up"},
		"all of them say nothing":         {[]string{"__GI_raise", "__assert_fail"}, "__GI_raise"},
		"all of them need the next":       {[]string{"raise", "abort"}, "raise | abort"},
		"a panic of a newer Rust":         {[]string{"abort", "std::sys::pal::unix::abort_internal", "std::process::abort", "__rustc::rust_panic", "std::panicking::panic_with_hook", "core::panicking::panic", "desk::open"}, "abort | desk::open"},
		"a place in a module":             {[]string{"desk@0x0000000000001f26", "main"}, "desk@0x1f26"},
		"a place in a system library":     {[]string{"KERNELBASE.dll@0x12", "KERNELBASE.dll@0x9f", "app.exe@0x10"}, "KERNELBASE.dll | app.exe@0x10"},
		"a jump to nowhere":               {[]string{"@0x0000000000123456", "main"}, "main"},
		"a call of null":                  {[]string{"@0x0000000000000000", "main"}, "@0x0 | main"},
		"a sentinel":                      {[]string{"weird", "raise", "_purecall", "desk::open()"}, "_purecall | desk::open"},
		"whole names only where they are": {[]string{"handle_error", "handle_errorf", "main"}, "handle_errorf"},
		"nothing":                         {nil, "EMPTY: no frame data available"},
	} {
		if got := Socorro(crashed(calls(test.stack...))); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestWhereFramesAre(t *testing.T) {
	for name, test := range map[string]struct {
		frame report.Frame
		want  string
	}{
		"a line without a function": {report.Frame{File: ptr(`C:\src\desk.cc\`), Line: ptr(uint32(7)), Module: ptr("desk")}, "desk.cc#7"},
		"a file without a line":     {report.Frame{File: ptr("/src/desk.cc"), Module: ptr("desk"), ModuleOffset: ptr(report.Address("0x7"))}, "desk@0x7"},
		"an unloaded module": {report.Frame{Offset: "0x9", Unloaded: []report.UnloadedModule{{Module: "gone.dll", Offsets: []report.Address{"0x0010"}}}},
			"(unloaded gone.dll@0x10)"},
		"one without an offset": {report.Frame{Offset: "0x9", Unloaded: []report.UnloadedModule{{Module: "gone.dll"}}}, "(unloaded gone.dll)"},
		"nothing at all":        {report.Frame{}, "@0x0"},
		"Rust by its file": {report.Frame{Function: ptr("desk::find::h0123456789abcdef"), File: ptr("git:example.org/desk:src/find.rs:0123")},
			"desk::find"},
	} {
		if got := written(&test.frame, test.frame.Function, test.frame.File, test.frame.Line, false); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestInlinedCallsAreFrames(t *testing.T) {
	thread := calls("outer", "main")
	thread.Frames[0].Inlines = []report.Inline{{Function: ptr("std::__find(int)")}, {Function: ptr("inner(int)")}}
	if got := Socorro(crashed(thread)); got != "inner" {
		t.Errorf("%q, want inner", got)
	}
}

func TestWindowsModulesHaveOneSpelling(t *testing.T) {
	r := crashed(calls("App.EXE@0x10"))
	if got := Socorro(r); got != "App.EXE@0x10" {
		t.Errorf("elsewhere %q", got)
	}
	r.SystemInfo.OS = ptr("Windows NT")
	if got := Socorro(r); got != "app.exe@0x10" {
		t.Errorf("on Windows %q", got)
	}
}

func TestCircumstances(t *testing.T) {
	note := func(name, value string) func(*report.Report) {
		return func(r *report.Report) {
			r.Annotations = append(r.Annotations, report.Annotation{Name: name, Value: value})
		}
	}
	reason := func(s string) func(*report.Report) { return func(r *report.Report) { r.CrashInfo.Type = &s } }
	for name, test := range map[string]struct {
		change func(*report.Report)
		want   string
	}{
		"a stack overflow":         {reason("EXCEPTION_STACK_OVERFLOW"), "stackoverflow | f"},
		"a disk that fails":        {reason("EXCEPTION_IN_PAGE_ERROR_READ / STATUS_DEVICE_DATA_ERROR"), "bad hardware | f"},
		"no memory":                {reason("STATUS_NO_MEMORY"), "OOM | unknown | f"},
		"no memory, by its error":  {func(r *report.Report) { r.Threads[0].LastError = ptr("ERROR_COMMITMENT_LIMIT") }, "OOM | unknown | f"},
		"a small allocation":       {note("OOMAllocationSize", "262144"), "OOM | small"},
		"a large one":              {note("OOMAllocationSize", "262145"), "OOM | large | f"},
		"one of no size":           {note("OOMAllocationSize", "much"), "OOM | unknown | f"},
		"the program's last words": {note("AbortMessage", "[Child 1] ###!!! ABORT: no\tdesk: file /a/b.cc, line 7"), "Abort | nodesk | f"},
		"words without words":      {note("AbortMessage", "###!!! ABORT: file /a/b.cc, line 7"), "Abort | f"},
		"too many words":           {note("AbortMessage", strings.Repeat("a", 81)), "Abort | " + strings.Repeat("a", 77) + "... | f"},
		"a channel":                {note("ipc_channel_error", "ShutDownKill"), "IPCError-content | ShutDownKill"},
		"a message":                {note("IPCMessageName", "PDesk::Open"), "f | IPC_Message_Name=PDesk::Open"},
		"two builds":               {note("MozCrashReason", "MOZ_RELEASE_ASSERT(parentBuildID == childBuildID)"), "parentBuildID != childBuildID"},
		"nothing else":             {note("Version", "1"), "f"},
	} {
		r := crashed(calls("f", "main"))
		test.change(r)
		if got := Socorro(r); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestOutOfMemoryByFunction(t *testing.T) {
	if got := Socorro(crashed(calls("alloc::oom::oom", "main"))); got != "OOM | unknown | alloc::oom::oom" {
		t.Errorf("%q", got)
	}
}

// A watchdog crashes the program in its own thread because the first one hangs.
func TestShutdownHang(t *testing.T) {
	r := crashed(calls("read", "main"), calls("(anonymous namespace)::RunWatchdog(void*)", "start"))
	if got := Socorro(r); got != "shutdownhang | read" {
		t.Errorf("%q", got)
	}
}

func TestBounds(t *testing.T) {
	long := Socorro(crashed(calls("memcpy", strings.Repeat("ü", 300))))
	if chars := []rune(long); len(chars) != longest || !strings.HasSuffix(long, "ü...") {
		t.Errorf("%d characters: %q", len(chars), long)
	}
	deep := make([]string, 1000)
	for i := range deep {
		deep[i] = "__GI_deep"
	}
	if got := Socorro(crashed(calls(append(deep, "main")...))); got != "__GI_deep" {
		t.Errorf("frames beyond the first %d count: %q", mostFrames, got)
	}
	if got := Socorro(crashed(calls("a \t b", "main"))); got != "b" {
		t.Errorf("%q", got)
	}
}

func TestHalfReports(t *testing.T) {
	if got := Socorro(&report.Report{}); got != "" {
		t.Errorf("nothing crashed: %q", got)
	}
	if got := Socorro(crashed()); got != "EMPTY: no crashing thread identified" {
		t.Errorf("no thread: %q", got)
	}
	for _, i := range []int{-1, 7} {
		r := crashed()
		r.CrashInfo.CrashingThread = &i
		if got := Socorro(r); got != "EMPTY: no frame data available" {
			t.Errorf("thread %d: %q", i, got)
		}
	}
}

func TestLists(t *testing.T) {
	for name, list := range map[string][]pattern{"irrelevant": irrelevant(), "prefixes": prefixes()} {
		if len(list) < 200 {
			t.Errorf("%s has %d patterns", name, len(list))
		}
		seen := map[string]bool{}
		for _, p := range list {
			key := strings.Join(p.parts, "*")
			if key == "" || key == "*" || seen[key] || strings.TrimSpace(key) != key {
				t.Errorf("%s: the pattern %q matches everything, is there twice or has space around it", name, key)
			}
			seen[key] = true
			if p.whole && len(p.parts) != 1 {
				t.Errorf("%s: %q cannot be whole", name, key)
			}
		}
	}
}

func FuzzFunctions(f *testing.F) {
	f.Add("static std::vector<A<B>>& f<int>::operator()(int, char*) const& [clone .cold.1]")
	f.Add("<A as B>::c::{{closure}}::h0123456789abcdef")
	f.Fuzz(func(t *testing.T, name string) {
		Socorro(crashed(calls(name, "main")))
		rustFunction(name)
	})
}
