package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process/module"
)

// text puts a string into memory.
func (s *scene) text(addr uint64, text string) *scene {
	for i, c := range []byte(text + "\x00") {
		s.bytes[addr+uint64(i)] = c
	}
	return s
}

// Messages that runtimes left in memory.
func TestLastWords(t *testing.T) {
	abort := func(functions ...string) *scene {
		return crashAt(t, "").raise("linux", sigABRT, siTkill).stack(append([]string{"!raise", "!abort"}, functions...)...)
	}
	const sp = stackLow + 0x1000
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"Rust", "Rust panic in app::run. The message is: src/main.rs:4:5: index out of bounds: the len is 3 but the index is 7",
			abort("core::panicking::panic_fmt", "app::run").text(sp+0x200, "\nthread 'main' panicked at src/main.rs:4:5:\nindex out of bounds: the len is 3 but the index is 7\n")},
		{"glibc's malloc", "Heap corruption in work. The message is: double free or corruption (fasttop)",
			abort("!malloc_printerr", "!_int_free", "work").put(sp, heapBase).text(heapBase, "double free or corruption (fasttop)")},
		{"the stack protector", "Stack buffer overrun in work. The message is: *** stack smashing detected ***: terminated",
			abort("!__fortify_fail", "!__stack_chk_fail", "work").reg(cpu.RSI, heapBase).put(sp, 0).text(heapBase, "*** stack smashing detected ***: terminated")},
		{"libc++", "std::terminate was called in work. The message is: terminating due to uncaught exception of type Error",
			abort("!demangling_terminate_handler", "!std::__terminate", "work").put(sp, heapBase).text(heapBase, "terminating due to uncaught exception of type Error")},
		{"nothing was left", "Heap corruption in work. The allocator found its bookkeeping damaged.", abort("!malloc_printerr", "work").put(sp, heapBase).text(heapBase, "something else")},
	}
	for _, tt := range tests {
		v := Verdict(tt.s.Input, Analyze(tt.s.Input))
		if got := v.What + " in " + v.Where + ". " + v.Detail; !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// The object of a C++ exception names its type, and a standard one its message.
func TestExceptionObject(t *testing.T) {
	const sp, header, info, name, message = stackLow + 0x1000, heapBase + 0x100, heapBase + 0x400, heapBase + 0x500, heapBase + 0x600
	s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "!std::terminate()", "!__cxa_throw", "parse", "main")
	s.put(sp, 0).put(sp+8, header).put(header, classGNU).put(header-typeBefore, info).put(info+8, name).text(name, "St12out_of_range").
		put(header+objectBehind, 0x1234).put(header+objectBehind+8, message).text(message, "vector::_M_range_check")
	v := Verdict(s.Input, Analyze(s.Input))
	if v.What != "C++ exception: std::out_of_range" || v.Where != "parse" || !strings.Contains(v.Detail, "The thrown object is of type std::out_of_range, probably with the message: vector::_M_range_check") {
		t.Errorf("%s in %s. %s", v.What, v.Where, v.Detail)
	}
}

// Codes and annotations of runtimes.
func TestRuntimeCodes(t *testing.T) {
	attached := func(name, value string) *scene {
		s := crashAt(t, "").raise("windows", 0x8000_0003, 0)
		s.Annotations = []Annotation{{name, value}}
		return s
	}
	moz := crashAt(t, "c7 04 25 00 00 00 00 24 00 00 00").raise("linux", sigSEGV, segvMapErr)
	moz.Frames[0].Module = new("libxul.so")
	own := crashAt(t, "c7 04 25 00 00 00 00 24 00 00 00").raise("linux", sigSEGV, segvMapErr)
	tests := []struct {
		name, want, detail string
		s                  *scene
	}{
		{".NET", ".NET exception", "System.InvalidOperationException", crashAt(t, "").raise("windows", clrException, 0, 0x8013_1509)},
		{".NET, another", ".NET exception", "Its HRESULT is 0x80131599.", crashAt(t, "").raise("windows", clrException, 0, 0x8013_1599)},
		{"Unreal", "Unreal assertion failed", "A check of Unreal failed.", crashAt(t, "").raise("windows", unrealAssert, 0)},
		{"Electron", "Out of memory: JavaScript heap", "electron.v8-oom.location: Reached heap limit", attached("electron.v8-oom.location", "Reached heap limit")},
		{"Chromium's code", "Out of memory", "An allocation failed", crashAt(t, "").raise("windows", outOfMemory, 0, 4096)},
		{"Windows' heap", "Heap corruption", "damaged", crashAt(t, "").raise("windows", heapCorruption, 0)},
		{"MOZ_CRASH", "Deliberate crash: MOZ_CRASH at line 36, a null pointer write", "most likely MOZ_CRASH", moz},
		{"the same in another program", "Null pointer write", "writes 4 bytes at 0x0", own},
		{"Go", "Go runtime ended by a signal", "on the goroutine's stack", crashAt(t, "").raise("linux", sigABRT, siTkill).stack("runtime.raise", "runtime.dieFromSignal", "main.main")},
	}
	for _, tt := range tests {
		v := Verdict(tt.s.Input, Analyze(tt.s.Input))
		if v.What != tt.want || !strings.Contains(v.Detail, tt.detail) {
			t.Errorf("%s: %s. %s", tt.name, v.What, v.Detail)
		}
		said(t, tt.s)
	}
}

// Code that a virtual machine compiled at run time is in no module.
func TestManaged(t *testing.T) {
	s := crashAt(t, movLoad).reg(cpu.RBX, 0).fault(0x10)
	s.Modules = module.NewMap([]module.Module{{Base: libBase, Size: 0x1000, CodeFile: "/usr/share/dotnet/shared/libcoreclr.so"}})
	s.Frames[0].ModuleIndex, s.Frames[0].Module = nil, nil
	found := false
	for _, f := range Analyze(s.Input).Findings {
		found = found || f.Kind == Managed && f.Text == "Probably compiled .NET code"
	}
	if !found {
		t.Errorf("%+v", Analyze(s.Input).Findings)
	}
}

// An exception of std::rethrow_exception has no object of its own: it points to the object that was
// thrown first. Sources: libstdc++'s unwind-cxx.h and libc++abi's cxa_exception.h, struct
// __cxa_dependent_exception.
func TestRethrownException(t *testing.T) {
	const (
		sp, header, object       = stackLow + 0x1000, heapBase + 0x100, heapBase + 0x300
		info, name, text, method = heapBase + 0x500, heapBase + 0x600, heapBase + 0x700, heapBase + 0x800
	)
	thrown := func(class uint64) *scene {
		s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "!std::terminate()", "!std::rethrow_exception", "work")
		s.put(sp, header).put(header, class)
		s.put(object-objectBehind-typeBefore, info).put(info+8, name).text(name, "St13runtime_error") // of the first exception
		return s.put(object, method).put(object+8, text).text(text, "disk is full")
	}
	const first = "C++ exception: std::runtime_error"
	for _, tt := range []struct {
		what string
		s    *scene
		want string
	}{
		{"libstdc++: in the place of the type", thrown(classGNU|1).put(header-typeBefore, object), first},
		{"libc++abi: before the type", thrown(classLLVM|1).put(header-typeBefore-8, object).put(header-typeBefore, info), first},
		{"not captured", thrown(classGNU | 1), "C++ exception"},
	} {
		v := Verdict(tt.s.Input, Analyze(tt.s.Input))
		if v.What != tt.want || tt.want == first && !strings.Contains(v.Detail, "The thrown object is of type std::runtime_error, probably with the message: disk is full") {
			t.Errorf("%s: %s, want %s. %s", tt.what, v.What, tt.want, v.Detail)
		}
	}
}
