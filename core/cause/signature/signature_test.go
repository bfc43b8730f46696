package signature

import (
	"strings"
	"testing"

	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
)

// own is a stack of rows as text: "module!function", with a mark if the name is not certain, "module@start", or "system:" before
// a module of the system. "!" at the end says that the function never returns.
func own(rows ...string) *report.Report {
	t := report.Thread{}
	for i, text := range rows {
		f := report.Frame{Index: i, ModuleIndex: ptr(0), ModuleOffset: ptr(report.Address("0x0000000000000777")), Certainty: report.NameInside}
		text, f.NeverReturns = strings.CutSuffix(text, "!")
		text, f.System = strings.CutPrefix(text, "system:")
		module, name, named := strings.Cut(text, "!")
		if named {
			name, near := strings.CutPrefix(name, symbolize.Mark)
			f.Function = ptr(name)
			if near {
				f.Certainty = report.NameNearest
			}
		}
		module, start, ok := strings.Cut(module, "@")
		if ok {
			f.CodeStart = ptr(report.Address(start))
		}
		f.Module = ptr(module)
		t.Frames = append(t.Frames, f)
	}
	r := crashed(t)
	r.CrashInfo.Type = ptr("SIGABRT")
	r.Verdict.Finding = "abort"
	return r
}

func TestOf(t *testing.T) {
	for name, tt := range map[string]struct {
		rows []string
		want string
	}{
		"a function":                            {[]string{"app!desk::find<int>(int) const", "app!main"}, "app!desk::find<int>(int) const"},
		"behind the system":                     {[]string{"system:libc.so.6!raise", "system:libc.so.6!abort", "app!f()", "app!main"}, "app!f()"},
		"behind the system without names":       {[]string{"system:libc.so.6", "app!f()", "app!main"}, "app!f()"},
		"a part of it":                          {[]string{"app!f() [clone .cold]"}, "app!f()"},
		"a hash":                                {[]string{"app!desk::find::h0123456789abcdef"}, "app!desk::find"},
		"no certain name":                       {[]string{"app@0x0000000000000700!~ f", "app!main"}, "app@0x700"},
		"no name":                               {[]string{"app@0x0000000000000700", "app!main"}, "app@0x700"},
		"no name and no rules":                  {[]string{"app", "app!main"}, "app@0x777"},
		"a library's version":                   {[]string{"libdesk.so.1.2!f"}, "libdesk.so!f"},
		"a library of C++":                      {[]string{"app!std::vector<int>::at(unsigned long)", "app!f()"}, "app!f()"},
		"Rust's machinery":                      {[]string{"app!std::process::abort", "app!core::panicking::panic_fmt", "app!desk::open"}, "app!desk::open"},
		"Go's runtime":                          {[]string{"app!runtime.raise.abi0", "app!runtime.gopanic", "app!main.(*desk).open"}, "app!main.(*desk).open"},
		"functions that never return":           {[]string{"system:libc.so.6", "app@0x0000000000000100!", "app@0x0000000000000200!", "app@0x0000000000000300", "app!main"}, "app@0x300"},
		"own functions that never return":       {[]string{"system:libc.so.6!abort", "app!die(char const*)!", "app!f()", "app!main"}, "app!f()"},
		"static ones below them":                {[]string{"app@0x0000000000000100", "app@0x0000000000000150", "app@0x0000000000000200!", "app@0x0000000000000300"}, "app@0x300"},
		"a loop further out":                    {[]string{"app!f()", "app!a()", "app!b()", "app!c()", "app!d()", "app!e()", "app!g()", "app!h()", "app!loop()!", "app!main"}, "app!f()"},
		"the start of the program":              {[]string{"system:libc.so.6!abort", "system:libc.so.6!__libc_start_main", "app!_start"}, "SIGABRT | libc.so"},
		"the system alone":                      {[]string{"system:libc.so.6!raise", "system:libc.so.6!abort", "system:libfoo.so.2!foo_check"}, "SIGABRT | libfoo.so!foo_check"},
		"the system alone, without names":       {[]string{"system:libc.so.6", "system:libc.so.6"}, "SIGABRT | libc.so"},
		"an uncertain name of the system alone": {[]string{"system:libc.so.6!~ strlen"}, "SIGABRT | libc.so"},
		"nothing":                               {nil, "SIGABRT"},
	} {
		if got := Of(own(tt.rows...)); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// A place in a goroutine is in the program, whose runtime is on the crashing thread's stack.
// Code that the program registered with debuggers has its file in place of a module. Other code without a module is not the program's.
func TestOfGeneratedCode(t *testing.T) {
	for file, want := range map[string]string{"/srv/made/query.c": "query.c!f", "": "app!main"} {
		r := own("!f", "app!main")
		f := &r.Threads[0].Frames[0]
		f.Module, f.ModuleIndex = nil, nil
		if file != "" {
			f.File = &file
		}
		if got := Of(r); got != want {
			t.Errorf("%q: %s, want %s", file, got, want)
		}
	}
}

// Reports that are text name functions, and perhaps modules and files. Their frames count without a place in a module.
func TestOfStated(t *testing.T) {
	for _, tt := range []struct{ module, function, file, want string }{
		{"dock", "Slot::write", "", "dock!Slot::write"}, {"", "com.example.Dock.slot", "Dock.java", "com.example.Dock.slot"},
		{"", "slot", "/opt/dock.py", "dock.py!slot"}, {"dock", "~ Slot::write", "", "dock!Slot::write"}, {"dock", "", "", "Uncaught exception | dock"},
		{"", "java.lang.Thread.run", "", "Uncaught exception | java.lang.Thread.run"}, {"system:KERNEL32", "RaiseException", "", "Uncaught exception | KERNEL32"},
	} {
		r := own(tt.module + "!" + tt.function)
		r.CrashInfo.Type, r.Verdict.What, r.Verdict.Finding = nil, "Uncaught exception: no 7", "exception"
		f := &r.Threads[0].Frames[0]
		f.ModuleIndex, f.ModuleOffset, f.FoundBy = nil, nil, report.ByFile
		if tt.file != "" {
			f.File = &tt.file
		}
		if got := Of(r); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

func TestOfGoroutine(t *testing.T) {
	r := own("app!runtime.raise", "app!runtime.fatal", "app!runtime.checkdead")
	r.Verdict.Finding, r.Verdict.Where, r.Verdict.Goroutine = "panic", ptr("main.collect"), ptr(uint64(1))
	if got := Of(r); got != "app!main.collect" {
		t.Errorf("%q", got)
	}
}

// A recursion of several functions has one signature, whichever of them reached the end of the stack, and whatever it called there.
func TestOfRecursion(t *testing.T) {
	loop := func(names ...string) (out []string) {
		for range 60 {
			out = append(out, names...)
		}
		return append(out, "app!main")
	}
	for name, tt := range map[string]struct {
		rows []string
		want string
	}{
		"the first":              {loop("app!f()", "app!g()"), "app!f()"},
		"the second":             {loop("app!f()", "app!g()")[1:], "app!f()"},
		"a helper":               {append([]string{"app!a()"}, loop("app!f()", "app!g()")...), "app!f()"},
		"a library in between":   {loop("app!std::function<void ()>::operator()() const", "app!f()"), "app!f()"},
		"functions without name": {loop("app@0x0000000000000900", "app@0x0000000000000700"), "app@0x700"},
		"no recursion":           {[]string{"app!f()", "app!main"}, "app!f()"},
	} {
		r := own(tt.rows...)
		r.Verdict.Finding = report.FindingStackOverflow
		if got := Of(r); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// A thread whose function always ends it has no caller of the program.
func TestOfThreadThatEnds(t *testing.T) {
	r := own("system:libc.so.6!abort", "app!desk::work::{{closure}}!", "app!std::sys::thread_start!", "system:libc.so.6!start_thread")
	r.Verdict.Row = ptr(1)
	if got, want := Of(r), "app!desk::work::{{closure}}"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The verdict's function counts if it is the program's own.
func TestOfFollowsTheVerdict(t *testing.T) {
	rows := []string{"app!inner()", "app!outer()", "system:libc.so.6!start_thread"}
	for row, want := range map[int]string{0: "app!inner()", 1: "app!outer()", 2: "app!inner()", 3: "app!inner()", -1: "app!inner()"} {
		r := own(rows...)
		r.Verdict.Row = &row
		if got := Of(r); got != want {
			t.Errorf("row %d: %q, want %q", row, got, want)
		}
	}
}

// A fault in a function that never returns is its own, and one that ends the program is not to blame.
func TestOfFaults(t *testing.T) {
	r := own("app!a()", "app!loop()!", "app!main")
	r.Verdict.Finding = report.FindingNullPointer
	if got := Of(r); got != "app!a()" {
		t.Error(got)
	}
	if got := Of(own("app!a()", "app!loop()!", "app!main")); got != "app!main" {
		t.Error(got)
	}
}

// Long names stay different, and a report without a crash has no signature.
func TestOfBounds(t *testing.T) {
	long := strings.Repeat("x", 300)
	a, b := Of(own("app!"+long+"a")), Of(own("app!"+long+"b"))
	if a == b || len(a) != longest || !strings.HasPrefix(a, "app!xxx") {
		t.Errorf("%q and %q", a, b)
	}
	if got := Of(&report.Report{}); got != "" {
		t.Errorf("no crash: %q", got)
	}
	for _, i := range []int{-1, 5} {
		r := own("app!f")
		r.CrashInfo.CrashingThread = &i
		if got := Of(r); got != "SIGABRT" {
			t.Errorf("thread %d: %q", i, got)
		}
	}
	r := own("App.DLL!f")
	r.SystemInfo.OS = ptr("Windows NT")
	if got := Of(r); got != "app.dll!f" {
		t.Error(got)
	}
}
