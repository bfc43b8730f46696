package crash

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

// Which frame a verdict names, by what happened and by what is known of the frames.
func TestBlamedFrame(t *testing.T) {
	abort := func(functions ...string) *scene {
		return crashAt(t, "").raise("linux", sigABRT, siTkill).stack(functions...)
	}
	jump := func(frames ...Row) *scene {
		s := crashAt(t, "").reg(cpu.RIP, 0x5000_0000).fault(0x5000_0000)
		s.Frames = append(rows([]spot{{Address: 0x5000_0000, ModuleIndex: -1}}), frames...)
		return s
	}
	system := spot{Address: libBase, ModuleIndex: 1, Module: "libc.so.6", Function: "start_thread", System: true}.row()
	own := spot{Address: codeAddr, Module: "app", Function: "work"}.row()
	nowhere := spot{Address: 0x6000_0000, ModuleIndex: -1}.row()
	tests := []struct {
		name  string
		s     *scene
		frame int
	}{
		{"own code at the top", crashAt(t, movStore).reg(cpu.RAX, 0).stack("work", "main"), 0},
		{"behind the system", crashAt(t, movStore).reg(cpu.RAX, 0).stack("!memcpy", "!strdup", "work"), 2},
		{"behind a library that is compiled in", crashAt(t, movStore).reg(cpu.RAX, 0).stack("std::sort", "work"), 1},
		{"nothing but the system", crashAt(t, movStore).reg(cpu.RAX, 0).stack("!memcpy", "!start_thread"), 0},
		{"the library, if there is nothing else", crashAt(t, movStore).reg(cpu.RAX, 0).stack("!memcpy", "std::sort", "!start_thread"), 1},
		{"not the code that ends programs, though it is in the program", crashAt(t, movStore).reg(cpu.RAX, 0).stack("!memcpy", "abort", "std::sort"), 2},
		{"a jump: the first frame in a module", jump(nowhere, own), 2},
		{"a jump from the system's code", jump(system, own), 2},
		{"a jump, and only the thread's beginning is left", jump(system), -1},
		{"a jump, and no other frame", jump(), 0},
		{"the innermost frame is in no module, without a jump", crashAt(t, movLoad).reg(cpu.RBX, 0).fault(0x10).with(func(in *Input) { in.Frames = []Row{nowhere, own} }), 1},
		{"the same, and it is the only frame", crashAt(t, movLoad).reg(cpu.RBX, 0).fault(0x10).with(func(in *Input) { in.Frames = []Row{nowhere} }), 0},
		{"abort: the frame behind it", abort("!raise", "!abort", "work"), 2},
		{"abort in the system's own code", abort("!raise", "!abort", "!pthread_mutex_lock"), 0},
		{"abort behind a scanned frame", func() *scene {
			s := abort("!raise", "!abort", "work")
			s.Frames[1].Guess, s.Frames[2].Guess = true, true
			return s
		}(), 2},
		{"a null pointer below abort is the program's", crashAt(t, movStore).reg(cpu.RAX, 0).stack("handler", "!abort", "work"), 0},
		{"no frames", crashAt(t, movStore).reg(cpu.RAX, 0).stack(), -1},
	}
	for _, tt := range tests {
		if got := Verdict(tt.s.Input, Analyze(tt.s.Input)); got.Frame != tt.frame {
			t.Errorf("%s: frame %d (%s in %s), want %d", tt.name, got.Frame, got.What, got.Where, tt.frame)
		}
	}
}

// An uncaught Objective-C exception is the caller's of the runtime, behind the frames of the crash
// handler.
func TestBlamedThrow(t *testing.T) {
	throw := func(os process.OS, modules ...string) *scene {
		s := crashAt(t, "").raise(os, nsException, 0)
		s.Frames = nil
		for _, m := range modules {
			s.Frames = append(s.Frames, spot{Address: codeAddr, Module: m, Function: "in " + m, System: m != "App"}.row())
		}
		return s
	}
	tests := []struct {
		name  string
		s     *scene
		frame int
	}{
		{"behind the runtime", throw("ios", "App", "App", "libobjc.A.dylib", "CoreFoundation", "App"), 4},
		{"the outermost of several frames of the runtime", throw("mac", "App", "libobjc.A.dylib", "App", "libobjc.A.dylib", "App"), 4},
		{"the eighth frame is the last that is looked at", throw("ios", "App", "App", "App", "App", "App", "App", "App", "libobjc.A.dylib", "App"), 8},
		{"the ninth", throw("ios", "App", "App", "App", "App", "App", "App", "App", "App", "libobjc.A.dylib", "App"), 0},
		{"the runtime is the last frame", throw("ios", "App", "libobjc.A.dylib"), 0},
		{"no runtime", throw("ios", "App", "App"), 0},
	}
	for _, tt := range tests {
		if got := Verdict(tt.s.Input, Analyze(tt.s.Input)); got.Frame != tt.frame || got.What != "Objective-C exception" {
			t.Errorf("%s: %s in frame %d, want %d", tt.name, got.What, got.Frame, tt.frame)
		}
	}
}

// A frame is named by its function, or else by its module, then by what was
// loaded there before, then by its address.
func TestFrameNames(t *testing.T) {
	tests := []struct {
		f                  Row
		name, place, where string
	}{
		{spot{Function: "work", Module: "app", File: "/src/a.c", Line: 12}.row(), "work", "`work` of app", "a.c:12"},
		{spot{Function: "work"}.row(), "work", "`work`", ""},
		{spot{Module: "app", ModuleOffset: 0}.row(), "app + 0x0", "`app + 0x0`", ""},
		{spot{Unloaded: "plugin.so", Address: 0x10}.row(), "plugin.so (unloaded)", "`plugin.so (unloaded)`", ""},
		{spot{Address: 0x5000_1000}.row(), "0x50001000", "`0x50001000`", ""},
		{spot{Function: "work", Module: "app", Guess: true}.row(), "work", "probably `work` of app", ""},
		{spot{Function: "work", File: `C:\src\a.c`}.row(), "work", "`work`", "a.c"},
		{spot{Function: "work", File: "hg:hg.mozilla.org/app:src/a.c:5f2a7c1d9b3e", Line: 12}.row(), "work", "`work`", "a.c:12"},
		{spot{Function: "work", Line: 12}.row(), "work", "`work`", ""},
		{spot{Function: "work", Module: "app", Uncertain: true}.row(), "~ work", "`~ work` of app", ""},
	}
	for _, tt := range tests {
		if name, place, where := tt.f.name(), tt.f.place(), tt.f.sourceLine(); name != tt.name || place != tt.place || where != tt.where {
			t.Errorf("%+v: %q, %q, %q, want %q, %q, %q", tt.f, name, place, where, tt.name, tt.place, tt.where)
		}
	}
}

// Runtimes and standard libraries are not the program's own code, by the names of modules and
// functions.
func TestOwnCode(t *testing.T) {
	tests := []struct {
		module, function string
		want             bool
	}{
		{module: "app", function: "work", want: true}, {module: "", function: "work", want: true}, {module: "libwork.so", function: "work", want: true},
		{module: "VCRUNTIME140_1.dll", function: "memcpy"}, {module: "ucrtbased.dll", function: "free"},
		{module: "libstdc++.so.6", function: "x"}, {module: "libc++abi.1.dylib", function: "x"},
		{module: "libswiftCore.dylib", function: "x"},
		{module: "libjvm.so", function: "x"}, {module: "libclang_rt.asan-x86_64.so", function: "x"},
		{module: "mylibstdc++.so", function: "x", want: true}, {module: "libc++", function: "x", want: true},
		{module: "app", function: "std::sort"}, {module: "app", function: "<core::fmt::Arguments as core::fmt::Debug>::fmt"},
		{module: "app", function: "alloc::vec::push"}, {module: "app", function: "stdlib_init", want: true},
		{module: "app", function: "mystd::sort", want: true},
		{module: "app", function: "operator new(unsigned long)"}, {module: "app", function: "abort"},
		{module: "app", function: "__cxa_throw"}, {module: "app", function: "runtime.gopanic"},
		{module: "app", function: "main.handler", want: true},
		{module: "app", function: "raise_flag", want: true}, {module: "app", function: "", want: true},
	}
	for _, tt := range tests {
		f := spot{Module: tt.module, Function: tt.function}.row()
		if got := ownFrame(&Input{}, &f); got != tt.want {
			t.Errorf("%s in %s: %v", tt.function, tt.module, got)
		}
	}
	nowhere, system := spot{Function: "work", ModuleIndex: -1}.row(), spot{Function: "work", Module: "app", System: true}.row()
	if ownFrame(&Input{}, &nowhere) || ownFrame(&Input{}, &system) {
		t.Error("a frame in no module, or of the system, counts as own code")
	}
}

// Data of a module is no place in its code: the function that called it is to blame.
func TestBlameForExecutedData(t *testing.T) {
	const data = appBase + 0x8000
	s := crashAt(t, "").reg(cpu.RIP, data).fault(data)
	s.Exception.Flags = segvAccErr
	s.Regions[0].Last = data - 1
	s.region(process.Region{Start: data, Last: data + 0xfff, Access: "rw-"})
	s.Frames = append(rows([]spot{{Address: data, Module: "app", ModuleOffset: 0x8000}}), s.Frames...)
	if v := Verdict(s.Input, Analyze(s.Input)); v.What != "Execution of data" || v.Where != "middle" {
		t.Errorf("%s: %s", v.What, v.Where)
	}
	s.put(stackLow+0x1000-8, data)
	if v := Verdict(s.Input, Analyze(s.Input)); v.Where == "middle" {
		t.Errorf("a return into data of a function further in: %s", v.Where)
	}
	s.Frames = append(s.Frames[:1:1], spot{Address: libBase, Module: "libc.so.6", ModuleIndex: 1, System: true}.row())
	if v := Verdict(s.Input, Analyze(s.Input)); v.Where == "middle" || v.Frame > 0 {
		t.Errorf("a return into data: %s", v.Where)
	}
}

// What libstdc++ puts in front of pthread's functions is no code of the program.
func TestBlameForThreadsOfLibstdcxx(t *testing.T) {
	s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!__lll_lock_wait", "!pthread_mutex_lock", "__gthread_mutex_lock(pthread_mutex_t*)", "std::mutex::lock()", "work()", "main")
	if v := Verdict(s.Input, Analyze(s.Input)); v.Where != "work()" {
		t.Error(v.Where)
	}
}

// static is a program that has its C library inside.
func static(in *Input) {
	in.Modules = module.NewMap([]module.Module{{Base: appBase, Size: 0x1_0000, CodeFile: "/opt/app/bin/app"}, {Base: libBase, Size: 0x1000, CodeFile: "linux-vdso.so.1"}})
	in.System = func(m *module.Module) bool { return m.Base == libBase }
}

// A function without a source line, in front of one with a line in the same module, is that of a library that was linked into a static program.
func TestLinkedLibrary(t *testing.T) {
	frames := func(guess bool, functions ...string) []Row {
		list := []spot{{Address: codeAddr, Module: "app", Function: "strcmp"}, {Address: codeAddr, Module: "app", Function: "msort"}}
		for i, name := range functions {
			list = append(list, spot{Address: codeAddr, Module: "app", Function: name, File: "app.c", Line: uint32(7 + i), Guess: guess})
		}
		return rows(list)
	}
	for _, tt := range []struct {
		name, want string
		s          *scene
	}{
		{"a fault", "find", crashAt(t, "").with(func(in *Input) { in.Frames = frames(false, "find", "main") })},
		{"a fault, and scanned frames", "strcmp", crashAt(t, "").with(func(in *Input) { in.Frames = frames(true, "find", "main") })},
		{"an end by a call, and scanned frames", "find", crashAt(t, "").raise("linux", sigABRT, siTkill).with(func(in *Input) {
			in.Frames = append(rows([]spot{{Address: codeAddr, Module: "app", Function: "abort"}}), frames(true, "find", "main")...)
		})},
		{"a name that is not certain", "find", crashAt(t, "").with(func(in *Input) {
			in.Frames = frames(false, "find", "main")
			in.Frames[0].Certainty = report.NameNearest
		})},
		{"no function with a line", "strcmp", crashAt(t, "").with(func(in *Input) { in.Frames = frames(false) })},
		{"another module", "strcmp", crashAt(t, "").with(func(in *Input) {
			in.Frames = frames(false, "find")
			other := 1
			in.Frames[2].ModuleIndex = &other
		})},
	} {
		tt.s.with(static)
		if got := Verdict(tt.s.Input, Analyze(tt.s.Input)).Where; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	for _, tt := range []struct {
		name string
		with func(in *Input)
	}{
		{"a C library of its own file", func(in *Input) { in.System = func(m *module.Module) bool { return m.Base == libBase } }},
		{"unknown modules", func(in *Input) { static(in); in.System = nil }},
		{"Windows", func(in *Input) { static(in); in.OS = "windows" }},
	} {
		s := crashAt(t, "").with(func(in *Input) { in.Frames = frames(false, "find", "main") }).with(tt.with)
		if got := Verdict(s.Input, Analyze(s.Input)).Where; got != "strcmp" {
			t.Errorf("%s: %s, want strcmp", tt.name, got)
		}
	}
}

// On Windows, the place of executed data of a module is its caller, and the function that calls main is no place.
func TestRefusedExecution(t *testing.T) {
	const accessViolation = 0xc000_0005
	refused := func(frames ...string) *scene {
		s := crashAt(t, "").raise("windows", accessViolation, 0).stack(frames...).with(func(in *Input) {
			in.Exception.Params, in.Exception.Address, in.Regions = []uint64{8, codeAddr}, codeAddr, nil
		})
		return s.put(stackLow+0xff8, codeAddr)
	}
	for _, tt := range []struct {
		name, want string
		s          *scene
	}{
		{"a caller", "call", refused("", "call", "main")},
		{"only the start of the program", "", refused("", "__tmainCRTStartup").with(func(in *Input) { in.Frames[1].File = new("/build/mingw-w64-crt/crt/crtexe.c") })},
	} {
		if got := Verdict(tt.s.Input, Analyze(tt.s.Input)); got.Where != tt.want && (tt.want != "" || got.Where == "__tmainCRTStartup") {
			t.Errorf("%s: %s in %q, want %q", tt.name, got.What, got.Where, tt.want)
		}
	}
}
