package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// Why std::terminate was called without an exception is only said if the dump has the heap, in which exceptions are.
func TestTerminateWithoutException(t *testing.T) {
	ended := func(heap bool, frames ...string) *scene {
		s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack(append([]string{"!raise", "!abort", "!std::terminate()"}, frames...)...)
		s.put(stackLow+0x1000, 0)
		if heap {
			s.put(heapBase, 0)
		}
		return s
	}
	thrown := func(s *scene) *scene {
		const header = heapBase + 0x100
		s.put(stackLow+0x1008, header).put(header, classGNU).put(header-typeBefore, heapBase+0x400)
		return s.put(heapBase+0x408, heapBase+0x500).text(heapBase+0x500, "i").half(header+objectBehind, 7)
	}
	for _, tt := range []struct {
		name, text, says string
		s                *scene
	}{
		{"a joinable thread", "A joinable std::thread was destroyed", "neither join nor detach", ended(true, "std::thread::~thread()", "work")},
		{"a joinable thread of libc++", "A joinable std::thread was destroyed", "neither join nor detach", ended(true, "std::__1::thread::~thread()", "work")},
		{"a thread that is replaced", "A joinable std::thread was destroyed", "neither join nor detach", ended(true, "std::thread::operator=(std::thread&&)", "work")},
		{"a rethrow", "Rethrow, probably without an exception", "`throw;`", ended(true, "!__cxa_rethrow", "work")},
		{"a call", "std::terminate was called", "No exception was found", ended(true, "work")},
		{"without the heap", "std::terminate was called", "An exception was not caught or left", ended(false, "work")},
		{"a throw whose object is not found", "C++ exception", "It was not caught", ended(true, "!__cxa_throw", "work")},
		{"an exception", "C++ exception: int", "of type int. Its value is probably 7.", thrown(ended(true, "!__cxa_throw", "work"))},
		{"a pointer to the object alone, as in libc++abi's frames", "C++ exception: int", "of type int. Its value is probably 7.",
			thrown(ended(true, "!__cxa_throw", "work")).put(stackLow+0x1008, heapBase+0x100+objectBehind)},
		{"out of a noexcept function, with an object that is not found", "C++ exception", "declared noexcept",
			ended(true, "!__gxx_personality_v0", "!_Unwind_RaiseException", "!__cxa_throw", "work")},
		{"out of a noexcept function that calls the end", "std::terminate was called", "reached code of `work` that is declared noexcept", ended(true, "!__clang_call_terminate", "work")},
		{"out of a destructor", "std::terminate was called", "reached `app::Guard::~Guard`, which is declared noexcept", ended(true, "!__clang_call_terminate", "app::Guard::~Guard")},
		{"out of code without a name", "std::terminate was called", "reached a function that is declared noexcept", ended(true, "!__clang_call_terminate", "")},
		{"out of a noexcept function", "C++ exception: int", "declared noexcept", thrown(ended(true, "!__gxx_personality_v0", "!_Unwind_RaiseException", "!__cxa_throw", "work"))},
	} {
		f := Analyze(tt.s.Input).Findings[0]
		if e := strings.Join(f.Evidence, " "); f.Text != tt.text || !strings.Contains(e, tt.says) {
			t.Errorf("%s: %s: %s", tt.name, f.Text, e)
		}
	}
}

// A terminate handler with many variables hides no exception and is not to blame. The frame that the unwinder has reached is the function
// that is declared noexcept: its return address follows its stack pointer in the unwinder's frames.
func TestTerminateHandlers(t *testing.T) {
	const header, info = heapBase + 0x100, heapBase + 0x400
	ended := func(frames ...string) *scene {
		s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack(frames...).standing()
		for i := range s.Frames {
			w := s.Frames[i].Walked()
			w.Regs.Set(cpu.RSP, stackLow+0x1000+0x1000*uint64(i))
			w.ReturnAddress = appBase + 0x100*uint64(i)
		}
		for at := uint64(stackLow + 0x1000); at < stackLow+0x5000; at += 8 {
			s.put(at, 1)
		}
		return s.put(header, classGNU).put(header-typeBefore, info).put(info+8, heapBase+0x500).text(heapBase+0x500, "i\x00").half(header+objectBehind, 7)
	}
	for _, tt := range []struct {
		name, want, says string
		s                *scene
	}{
		{"a handler", "C++ exception: int in work", "Its value is probably 7.",
			ended("!raise", "!abort", "handler", "!std::terminate()", "!__cxa_throw", "work").put(stackLow+0x4010, header)},
		{"out of a noexcept function", "C++ exception in thrower", "It reached code of `safe` that is declared noexcept",
			ended("!abort", "!std::terminate()", "!__gxx_personality_v0", "!_Unwind_RaiseException", "!__cxa_throw", "thrower", "safe", "main").
				put(stackLow+0x4040, stackLow+0x7000).put(stackLow+0x4048, appBase+0x600)},
		{"another address behind the stack pointer", "C++ exception in thrower", "It reached a function that is declared noexcept",
			ended("!abort", "!std::terminate()", "!__gxx_personality_v0", "!_Unwind_RaiseException", "!__cxa_throw", "thrower", "safe", "main").
				put(stackLow+0x4040, stackLow+0x7000).put(stackLow+0x4048, appBase+0x608)},
	} {
		a := Analyze(tt.s.Input)
		r := Verdict(tt.s.Input, a)
		if got := r.What + " in " + r.Where; got != tt.want || !strings.Contains(r.Detail, tt.says) {
			t.Errorf("%s: %s: %s", tt.name, got, r.Detail)
		}
	}
}

// A std::string has its length and a zero behind its text; a text of another length is none.
func TestThrownTexts(t *testing.T) {
	const header, object, info = heapBase + 0x100, heapBase + 0x120, heapBase + 0x400
	thrown := func(mangled string) *scene {
		s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "!std::terminate()", "!__cxa_throw", "work")
		s.put(stackLow+0x1000, 0).put(stackLow+0x1008, header).put(header, classGNU).put(header-typeBefore, info).put(info+8, heapBase+0x500)
		return s.text(heapBase+0x500, mangled).text(heapBase+0x600, "no route\x00")
	}
	const view = "St17basic_string_viewIcSt11char_traitsIcEE"
	enumeration := func(in *Input) {
		in.Enumerator = func(module int, typ string, addr uint64) string {
			return map[string]string{"app::Rot": "app::deep"}[typ]
		}
	}
	const text = "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
	for _, tt := range []struct {
		name, want string
		s          *scene
	}{
		{"char const*", "of type char const*, probably with the message: no route.", thrown("PKc").put(object, heapBase+0x600)},
		{"std::string", "of type std::string, probably with the message: no route.", thrown(text).put(object, heapBase+0x600).put(object+8, 8)},
		{"a wrong length", "of type std::string.", thrown(text).put(object, heapBase+0x600).put(object+8, 5)},
		{"a short text of libc++", "of type std::string, probably with the message: dry up.", thrown(text).text(object, "\x0cdry up\x00").put(object+16, 0)},
		{"a long text of libc++", "of type std::string, probably with the message: no route.", thrown(text).put(object, 0x31).put(object+8, 8).put(object+16, heapBase+0x600)},
		{"bool", "of type bool. Its value is probably true.", thrown("b").half(object, 1)},
		{"no bool", "of type bool.", thrown("b").half(object, 7)},
		{"char", "of type char. Its value is probably 'x'.", thrown("c").half(object, 'x')},
		{"double", "of type double. Its value is probably 2.5.", thrown("d").put(object, 0x4004_0000_0000_0000)},
		{"a member behind the virtual table, of libc++", "of type Failure, probably with the message: dry up.", thrown("7Failure").put(header, classLLVM).put(object, appBase).text(object+8, "\x0cdry up\x00").put(object+24, 0)},
		{"numbers that look like a text of libc++, in a program of libstdc++", "of type Failure.", thrown("7Failure").put(object, 0x4342_4108).put(object+8, 0)},
		{"numbers in a program of libc++", "of type Failure.", thrown("7Failure").put(header, classLLVM).put(object, 0x4342_4108).put(object+8, 0)},
		{"a first member", "of type Failure, probably with the message: no route.", thrown("7Failure").put(object, heapBase+0x600).put(object+8, 8)},
		{"behind an object of the library", "of type std::bad_alloc.", thrown("St9bad_alloc").put(object, appBase).text(object+8, "\x0cdry up\x00").put(object+24, 0)},
		{"a pointer to an exception", "of type std::runtime_error*, probably with the message: no route.", thrown("PSt13runtime_error").put(object, heapBase+0x700).put(heapBase+0x708, heapBase+0x600)},
		{"a file's error", "of type std::filesystem::filesystem_error, probably with the message: no route.",
			thrown("NSt10filesystem7__cxx1116filesystem_errorE").put(object+32, heapBase+0x700).put(heapBase+0x750, heapBase+0x600).put(heapBase+0x758, 8)},
		{"a file's error of libc++", "of type std::filesystem::filesystem_error, probably with the message: no route.",
			thrown("NSt3__14__fs10filesystem16filesystem_errorE").put(header, classLLVM).put(object+32, heapBase+0x700).put(heapBase+0x730, 0x31).put(heapBase+0x738, 8).put(heapBase+0x740, heapBase+0x600)},
		{"unsigned char", "of type unsigned char. Its value is probably 200.", thrown("h").half(object, 200)},
		{"unsigned long", "of type unsigned long. Its value is probably 18446744073709551615.", thrown("m").put(object, ^uint64(0))},
		{"float", "of type float. Its value is probably 2.5.", thrown("f").half(object, 0x4020_0000)},
		{"a view of libstdc++", "probably with the message: no ro.", thrown(view).put(object, 5).put(object+8, heapBase+0x600)},
		{"a view of libc++", "probably with the message: no ro.", thrown(view).put(header, classLLVM).put(object, heapBase+0x600).put(object+8, 5)},
		{"a pointer of the library, which has no text", "of type std::shared_ptr<app::Door>.", thrown("St10shared_ptrIN3app4DoorEE").put(object+8, heapBase+0x600)},
		{"an enumeration", "of type app::Rot. Its value is probably app::deep.", thrown("N3app3RotE").half(object, 3).with(enumeration)},
		{"a class that is no enumeration", "of type app::Door.", thrown("N3app4DoorE").half(object, 3).with(enumeration)},
		{"a lambda", "of type main::{lambda()#1}.", thrown("ZN4mainEvEUlvE_").with(func(in *Input) {
			in.Datum = func(addr uint64) string { return map[uint64]string{info: "typeinfo for main::{lambda()#1}"}[addr] }
		})},
		{"a lambda without symbols", "of type ZN4mainEvEUlvE_.", thrown("ZN4mainEvEUlvE_")},
		{"a negative short", "of type short. Its value is probably -2.", thrown("s").half(object, 0xfffe)},
	} {
		if e := Analyze(tt.s.Input).Findings[0].Evidence[0]; !strings.HasSuffix(e, tt.want) {
			t.Errorf("%s: %s", tt.name, e)
		}
	}
}

// A long has 32 bits on Windows and on 32-bit CPUs.
func TestThrownLong(t *testing.T) {
	const object = heapBase + 0x120
	for _, tt := range []struct {
		name string
		arch *cpu.Arch
		os   process.OS
		want string
	}{
		{"long", &cpu.AMD64, process.Linux, "21474836478"},
		{"long", &cpu.AMD64, process.Windows, "-2"},
		{"long", &cpu.X86, process.Linux, "-2"},
		{"unsigned long", &cpu.AMD64, process.Windows, "4294967294"},
		{"long long", &cpu.X86, process.Windows, "21474836478"},
	} {
		s := crashAt(t, "").put(object, 4<<32|0xffff_fffe).of(tt.arch)
		s.OS = tt.os
		if got := (&facts{in: s.Input}).valueText(tt.name, object); got != tt.want {
			t.Errorf("%s of %s on %s: %s, want %s", tt.name, tt.arch.Name, tt.os, got, tt.want)
		}
	}
}

// The header of an exception is longer on Windows, so that its class is further in front of the object.
func TestThrownViewOnWindows(t *testing.T) {
	const object = heapBase + 0x120
	s := crashAt(t, "").put(object-objectBehindSEH, classGNU).put(object, 5).put(object+8, heapBase+0x600).text(heapBase+0x600, "no route")
	s.OS = process.Windows
	if got := (&facts{in: s.Input}).viewAt(object); got != "no ro" {
		t.Errorf("%q", got)
	}
}

// A what() that only returns a constant address has its text.
func TestWhatLiterals(t *testing.T) {
	const header, object, table, info, base, what, text = heapBase + 0x100, heapBase + 0x120, appBase + 0x9000, appBase + 0x9100, appBase + 0x9200, codeAddr, appBase + 0x9300
	thrown := func(code string) *scene {
		s := crashAt(t, code).raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "!std::terminate()", "!__cxa_throw", "work")
		s.Regions[0].Last = appBase + 0x8fff
		s.Regions = append(s.Regions[:1:1], append([]process.Region{{Start: appBase + 0x9000, Last: appBase + 0xffff, Access: "r--"}}, s.Regions[1:]...)...)
		s.put(stackLow+0x1000, 0).put(stackLow+0x1008, header).put(header, classGNU).put(header-typeBefore, info).put(object, table).put(object+8, 1)
		s.put(table-8, info).put(table+16, what).put(info+8, appBase+0x9180).text(appBase+0x9180, "7NoPort_\x00").put(info+16, base).put(base+8, appBase+0x9280)
		return s.text(appBase+0x9280, "St9exception\x00").text(text, "there is no port\x00")
	}
	const found, lost = "of type NoPort_, probably with the message: there is no port.", "of type NoPort_."
	for _, tt := range []struct {
		name, want string
		s          *scene
	}{
		{"lea rax; ret", found, thrown("48 8d 05 f9 82 00 00 c3")},
		{"with a frame, for control flow checks", found, thrown("f3 0f 1e fa 55 48 89 e5 48 89 7d f8 48 8d 05 ed 82 00 00 5d c3")},
		{"mov eax; ret", found, thrown("b8 00 93 40 00 c3")},
		{"a function that does more", lost, thrown("48 8d 05 f9 82 00 00 48 03 07 c3")},
		{"a frame that is not left", lost, thrown("55 48 89 e5 48 89 7d f8 48 8d 05 f1 82 00 00 c3")},
		{"a text that can be written", lost, thrown("b8 00 06 60 00 c3").text(heapBase+0x600, "there is no port\x00")},
		{"another base", lost, thrown("48 8d 05 f9 82 00 00 c3").text(appBase+0x9280, "St9something\x00")},
		{"arm64", found, thrown("40 00 00 90 00 00 0c 91 c0 03 5f d6").of(&cpu.ARM64).reg(cpu.ARM64.SP, stackLow+0x1000)},
	} {
		if e := Analyze(tt.s.Input).Findings[0].Evidence[0]; !strings.HasSuffix(e, tt.want) {
			t.Errorf("%s: %s", tt.name, e)
		}
	}
}

// std::throw_with_nested puts one exception into another one.
func TestNestedExceptions(t *testing.T) {
	const header, object, info, inner = heapBase + 0x100, heapBase + 0x120, heapBase + 0x400, heapBase + 0x800
	s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "!std::terminate()", "!__cxa_throw", "work")
	s.put(stackLow+0x1000, 0).put(stackLow+0x1008, header).put(header, classGNU).put(header-typeBefore, info).put(info+8, heapBase+0x500)
	s.text(heapBase+0x500, "St17_Nested_exceptionISt13runtime_errorE\x00").put(object, appBase).put(object+8, heapBase+0x600).text(heapBase+0x600, "loading failed\x00")
	s.put(object+16, appBase).put(object+24, inner+objectBehind).put(inner, classGNU).put(inner-typeBefore, heapBase+0x700).put(heapBase+0x708, heapBase+0x720)
	s.text(heapBase+0x720, "i\x00").half(inner+objectBehind, 7)
	const want = "of type std::_Nested_exception<std::runtime_error>, probably with the message: loading failed (inside it: int, 7)."
	if e := Analyze(s.Input).Findings[0].Evidence[0]; !strings.HasSuffix(e, want) {
		t.Errorf("%s", e)
	}
}

// The class of a pure virtual call is that of the object in the frames around it whose table has the function's address.
func TestPureClass(t *testing.T) {
	const object, table, info, pure = heapBase + 0x100, appBase + 0x9000, appBase + 0x9100, libBase + 0x7000
	called := func() *scene {
		s := aborted(t).stack("!abort", "!__cxa_pure_virtual", "work", "main").standing().exports("__cxa_pure_virtual", pure)
		for i := range s.Frames[:2] {
			s.Frames[i].ModuleIndex = new(1)
		}
		s.put(stackLow+0x1220, object).put(object, table).put(table, appBase+0x1000).put(table+8, pure)
		return s.put(table-8, info).put(info+8, appBase+0x9200).text(appBase+0x9200, "5Shape")
	}
	for _, tt := range []struct {
		name, want string
		s          *scene
	}{
		{name: "found", want: "The object is of class Shape.", s: called()},
		{name: "behind a pointer", want: "The object is probably of class Shape.", s: called().put(stackLow+0x1220, heapBase+0x300).put(heapBase+0x300, object)},
		{name: "on the stack", want: "The object is probably of class Shape.", s: called().put(stackLow+0x1220, table)},
		{name: "another table", s: called().put(table+8, appBase+0x2000)},
		{name: "no object", s: called().put(stackLow+0x1220, 0)},
		{name: "a table that is in no module", s: called().put(object, heapBase+0x200)},
		{name: "the function's address is not known", s: called().half(libBase, 0)},
	} {
		if e := strings.Join(Analyze(tt.s.Input).Findings[0].Evidence, " "); tt.want != "" && !strings.HasPrefix(e, tt.want) || tt.want == "" && strings.Contains(e, "of class") {
			t.Errorf("%s: %s", tt.name, e)
		}
	}
}

// What is left of an assertion's message on the stack is probable; one with a long name of a function keeps its condition.
func TestStaleAssertions(t *testing.T) {
	const sp = stackLow + 0x8000
	left := func(at uint64, text string, frames ...string) *scene {
		s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack(frames...).reg(cpu.RSP, sp)
		s.Regions = append([]process.Region{}, s.Regions...)
		return s.text(at, text)
	}
	long := "vector.h:9: " + strings.Repeat("x", 400) + ": Assertion 'n < size()' failed.\n"
	const musl, glibcxx = "Assertion failed: n < 3 (work.c: work: 17)\n", "vector.h:9: at: Assertion 'n < size()' failed.\n"
	for _, tt := range []struct {
		name, text, want string
		s                *scene
	}{
		{"musl", "Assertion failed", "Assertion failed: n < 3 (work.c: work: 17).", left(sp-0x800, musl, "!raise", "!abort", "work")},
		{"functions without names", "Assertion failed", "Assertion failed: n < 3 (work.c: work: 17).", left(sp-0x800, musl, "", "", "")},
		{"libstdc++", "Assertion of the C++ library failed", "vector.h:9: at: Assertion 'n < size()' failed.",
			left(sp-0x800, glibcxx, "!abort", "!std::__glibcxx_assert_fail(char const*, int)", "work")},
		{"a long name", "Assertion failed", "… Assertion 'n < size()' failed.", left(sp-0x800, long, "!abort", "work")},
		{"too far below", "abort() called", "", left(sp-staleBelow-0x100, musl, "!abort", "work")},
		{"too far above", "abort() called", "", left(sp+staleAbove, musl, "!abort", "work")},
		{"Rust without names", "Rust panic", "src/main.rs:4:5: no port.", left(sp-0x800, "panicked at src/main.rs:4:5:\nno port", "", "", "")},
		{"another text", "abort() called", "", left(sp-0x800, "panicked at the disco", "!abort", "work")},
	} {
		f := Analyze(tt.s.Input).Findings[0]
		if f.Text != tt.text || tt.want != "" && !(strings.HasPrefix(f.Evidence[0], "The message is probably: ") && strings.HasSuffix(f.Evidence[0], tt.want)) {
			t.Errorf("%s: %s: %q", tt.name, f.Text, f.Evidence)
		}
	}
}

// In a dump without the heap, the type of an exception is that of the function that throws it, or what __cxa_throw was called with.
func TestTypeOfThrow(t *testing.T) {
	const info = appBase + 0x9000
	thrown := func(frames ...string) *scene {
		s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack(append([]string{"!abort", "!__cxa_throw"}, frames...)...)
		for i := range s.Frames {
			s.Frames[i].Index = i
		}
		s.Datum = func(addr uint64) string {
			return map[uint64]string{info: "typeinfo for std::__cxx11::basic_string<char>", info + 8: "table"}[addr]
		}
		return s
	}
	for _, tt := range []struct {
		name, want string
		s          *scene
	}{
		{"libstdc++'s function", "C++ exception: std::out_of_range", thrown("!std::__throw_out_of_range_fmt(char const*, ...)", "work")},
		{"libc++'s function", "C++ exception: std::length_error", thrown("std::__1::__throw_length_error(char const*)", "work")},
		{"another function of that beginning", "C++ exception", thrown("!std::__throw_up()", "work")},
		{"a function of the program before it", "C++ exception", thrown("work", "!std::__throw_out_of_range(char const*)")},
		{"an argument", "C++ exception: std::basic_string<char>", thrown("work").passing(map[cpu.Reg]uint64{cpu.RSI: info})},
		{"another argument", "C++ exception", thrown("work").passing(map[cpu.Reg]uint64{cpu.RSI: info + 8})},
		{"an unknown argument", "C++ exception", thrown("work").passing(nil)},
	} {
		if f := Analyze(tt.s.Input).Findings[0]; f.Text != tt.want {
			t.Errorf("%s: %s", tt.name, f.Text)
		}
	}
}

// The exception of a program without names, which calls abort itself, is known by a pointer to it on the stack.
func TestStaleException(t *testing.T) {
	const header = heapBase + 0x100
	ended := func(frames ...string) *scene {
		s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack(frames...).put(stackLow+0x1000, 0).put(stackLow+0x1008, header).put(header, classGNU).put(header-typeBefore, heapBase+0x400)
		return s.put(heapBase+0x408, heapBase+0x500).text(heapBase+0x500, "i\x00").half(header+objectBehind, 7)
	}
	for want, s := range map[string]*scene{
		"C++ exception: int": ended("", "", ""), "abort() called": ended("!raise", "!abort", "work"), "raise(SIGABRT) called": ended("!raise", "work"),
	} {
		if f := Analyze(s.Input).Findings[0]; f.Text != want {
			t.Errorf("%s %q, want %s", f.Text, f.Evidence, want)
		}
	}
}

// The constant in front of the name of the type is no message.
func TestConstantOfMessage(t *testing.T) {
	s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "!__cxa_throw", "work")
	s.reg(cpu.RDI, heapBase).text(heapBase, "terminate called after throwing an instance of '\x00")
	if e := Analyze(s.Input).Findings[0].Evidence; strings.Contains(e[0], "message") {
		t.Errorf("%q", e)
	}
}
