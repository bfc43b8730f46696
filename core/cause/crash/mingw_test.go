package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// Crashes of programs that mingw-w64 and clang built, as Wine's MiniDumpWriteDump wrote them: without a list of mappings, and with zeros for
// the code at an address where nothing is mapped.
func TestMinGW(t *testing.T) {
	const (
		fatalExit    = 0x4000_0015
		data         = appBase + 0x4010
		load, call   = "8b 40 08", "ff 11" // mov eax, [rax + 8]; call [rcx]
		jump, reason = "Jump to a bad address", "the target is not canonical"
	)
	fault := func(code string, kind, addr uint64, functions ...string) *scene {
		s := crashAt(t, code).windows(kind, addr).stack(functions...)
		s.Regions = nil
		return s
	}
	at := func(pc uint64, functions ...string) *scene {
		s := fault("", 8, pc, append([]string{"nowhere"}, functions...)...).reg(cpu.RIP, pc).put(stackLow+0x1000, codeAddr)
		s.Frames[0] = spot{Address: pc, ModuleIndex: -1}.row()
		return s
	}
	inNTDLL := func(s *scene) *scene {
		for i := range s.Frames {
			if s.Frames[i].System {
				s.Frames[i].Module = new("ntdll.dll")
			}
		}
		return s
	}
	for _, tt := range []struct {
		name, want, says string
		s                *scene
	}{
		{"a call of data", "Execution of data in work", "cannot be executed", at(data, "work", "main").put(data, 0xc3)},
		{"a call of memory that was allocated", "Execution of data in work", "cannot be executed", at(heapBase, "work", "main").put(heapBase, 0xc3)},
		{"a call of nothing", "Jump to a bad address in work", "", at(heapBase, "work", "main").put(heapBase, 0)},
		{"a call of null", "Null pointer call in work", "", at(0, "work", "main").put(0, 0).reg(cpu.RAX, 0)},
		{"a call of what is not canonical", jump + " in work", reason, fault(call, 0, ^uint64(0), "work", "main").reg(cpu.RCX, heapBase)},
		{"a call through a pointer that is not canonical", "Read from a non-canonical address in work", "", fault(call, 0, ^uint64(0), "work", "main").reg(cpu.RCX, 0x1234_5678_9abc_def0)},
		{"a write to a constant", "Write to read-only memory in work", "The address is in app, whose constants", fault(movStore, 1, data, "work").reg(cpu.RAX, data)},
		{"a freed number", "Invalid pointer freed in work", "`RtlFreeHeap` failed", inNTDLL(fault(load, 0, 0x1238, "!", "!RtlFreeHeap", "!free", "work").reg(cpu.RAX, 0x1230))},
		{"a freed number of musl, in the program", "Invalid pointer freed in work", "`__libc_free` failed", crashAt(t, load).stack("get_meta", "__libc_free", "free", "work").reg(cpu.RAX, 0).fault(8)},
		{"a handler of SIGABRT", "Assertion failed in work", "`_assert` is on the stack",
			fault("90", 0, 0, "handler", "!raise", "!_wassert", "!_assert", "work").raise("windows", fatalExit, 0)},
		{"a pure virtual function", "Pure virtual function called in work", "",
			fault("90", 0, 0, "handler", "!raise", "!abort", "!std::terminate()", "!__cxa_pure_virtual", "work").raise("windows", fatalExit, 0)},
		{"a destructor that ends the program", "C++ exception in ~loud", "",
			fault("90", 0, 0, "!abort", "!std::terminate()", "~loud", "!_Unwind_Resume", "!__cxa_throw", "work").raise("windows", fatalExit, 0)},
		{"an exception in a function that is noexcept", "C++ exception in work", "declared noexcept",
			fault("90", 0, 0, "handler", "!abort", "!std::terminate()", "!__cxa_call_terminate", "", "!__gxx_personality_seh0", "!RaiseException", "!__cxa_throw", "work").raise("windows", fatalExit, 0)},
	} {
		a := Analyze(tt.s.Input)
		v := Verdict(tt.s.Input, a)
		if got := v.What + " in " + v.Where; got != tt.want || !strings.Contains(v.Detail+strings.Join(a.Findings[0].Evidence, " "), tt.says) {
			t.Errorf("%s: %s: %s", tt.name, got, v.Detail)
		}
	}
}

// With the exceptions of Windows, the thrown object is further behind the class of the exception.
func TestThrownOnWindows(t *testing.T) {
	const header, info = heapBase + 0x100, heapBase + 0x400
	for os, want := range map[process.OS]string{"windows": "7", "linux": "9"} {
		s := crashAt(t, "90").raise(os, sigABRT, siTkill).stack("!raise", "!abort", "!std::terminate()", "!__cxa_throw", "work")
		if os.IsWindows() {
			s.raise(os, 0x4000_0015, 0)
		}
		s.put(stackLow+0x1000, header).put(header, classGNU).put(header-typeBefore, info).put(info+8, heapBase+0x500).text(heapBase+0x500, "i\x00")
		s.half(header+objectBehind, 9).half(header+objectBehindSEH, 7)
		if e := Analyze(s.Input).Findings[0].Evidence[0]; !strings.HasSuffix(e, "of type int. Its value is probably "+want+".") {
			t.Errorf("%s: %s", os, e)
		}
	}
}
