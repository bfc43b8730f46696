package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
)

// A runtime's last message counts only for the kind of end that it belongs to, and only behind a
// register or one of the first words of the stack.
func TestMessagesOfRuntimes(t *testing.T) {
	const sp, corrupt = stackLow + 0x1000, "corrupted size vs. prev_size"
	end := func(sign string) *scene {
		return crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", sign, "work")
	}
	heap := func() *scene { return end("!malloc_printerr") }
	fill := func(s *scene, words int) *scene {
		for i := range words {
			s.put(sp+8*uint64(i), 0)
		}
		return s
	}
	x86 := heap().on(&cpu.X86).reg(cpu.ESP, sp&0xffff_ffff).text(heapBase, corrupt)
	x86.put(sp&0xffff_ffff, heapBase<<32) // the second word of four bytes
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"behind a register", corrupt, heap().reg(cpu.RSI, heapBase).text(heapBase, corrupt)},
		{"behind the first word of the stack", corrupt, heap().put(sp, heapBase).text(heapBase, corrupt)},
		{"behind the last word that is looked at", corrupt, fill(heap(), messageWords).put(sp+8*(messageWords-1), heapBase).text(heapBase, corrupt)},
		{"behind the next one", "", fill(heap(), messageWords+1).put(sp+8*messageWords, heapBase).text(heapBase, corrupt)},
		{"the words in front of it are not captured", "", heap().put(sp+16, heapBase).text(heapBase, corrupt)},
		{"behind a word of 32 bits", corrupt, x86},
		{"a message of another kind of end", "", heap().reg(cpu.RSI, heapBase).text(heapBase, "*** stack smashing detected ***: terminated")},
		{"text that only contains the message", "", heap().reg(cpu.RSI, heapBase).text(heapBase, "x "+corrupt)},
		{"the smashed stack's", "*** stack smashing detected ***: terminated", end("!__stack_chk_fail").reg(cpu.RSI, heapBase).text(heapBase, "*** stack smashing detected ***: terminated")},
		{"a pure virtual call's", "Pure virtual function called!", end("!__cxa_pure_virtual").reg(cpu.RSI, heapBase).text(heapBase, "Pure virtual function called!")},
		{"an exception's", "terminate called after throwing an instance of 'E'", end("!std::terminate()").reg(cpu.RSI, heapBase).text(heapBase, "terminate called after throwing an instance of 'E'")},
		{"out of memory has no message", "", end("!mozalloc_handle_oom").reg(cpu.RSI, heapBase).text(heapBase, corrupt)},
		{"a low address is no pointer", "", heap().reg(cpu.RSI, nullZone-1).text(nullZone-1, corrupt)},
		{"the first address that can be one", corrupt, heap().reg(cpu.RSI, nullZone).text(nullZone, corrupt)},
		{"text that is not all printable", "", heap().reg(cpu.RSI, heapBase).text(heapBase, corrupt+"\x07")},
		{"a letter beyond ASCII", "", heap().reg(cpu.RSI, heapBase).text(heapBase, corrupt+"\x7f")},
		{"no memory", "", heap().with(func(in *Input) { in.Memory = nil })},
		{"no CPU", "", heap().reg(cpu.RSI, heapBase).text(heapBase, corrupt).with(func(in *Input) { in.Arch = nil })},
		{"no stack pointer", "", heap().put(0, heapBase).text(heapBase, corrupt).with(func(in *Input) { in.Regs = &cpu.Regs{} })},
		{"the program's own message counts first", "the assertion", heap().reg(cpu.RSI, heapBase).text(heapBase, corrupt).with(func(in *Input) { in.Assertion = "the assertion" })},
	}
	for _, tt := range tests {
		text := strings.TrimPrefix(Analyze(tt.s.Input).Findings[0].Evidence[0], "The message is: ")
		if tt.want == "" && (strings.Contains(text, "corrupted") || strings.Contains(text, "smashing")) || tt.want != "" && strings.TrimSuffix(text, ".") != strings.TrimSuffix(tt.want, ".") {
			t.Errorf("%s: %q, want %q", tt.name, text, tt.want)
		}
	}
}

// A panic message lies in a buffer on the stack, with lines that are joined, and ends where the
// buffer's rest begins.
func TestPanicMessage(t *testing.T) {
	const sp = stackLow + 0x1000
	at := func(addr uint64, text string) *scene {
		return crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "core::panicking::panic", "work").text(addr, text)
	}
	long := strings.Repeat("x", 400)
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"two lines", "main.rs:4:5: out of range", at(sp+0x100, "panicked at main.rs:4:5:\nout  of range")},
		{"a NUL ends it", "main.rs", at(sp+0x100, "panicked at main.rs\x00old text")},
		{"a DEL ends it", "main.rs", at(sp+0x100, "panicked at main.rs\x7fold text")},
		{"a byte that is no text ends it", "main.rs", at(sp+0x100, "panicked at main.rs\xffold text")},
		{"below the stack pointer, where the hook's frame was", "main.rs", at(sp-0x800, "panicked at main.rs")},
		{"a page below it, not quite", "main.rs", at(sp-nullPage, "panicked at main.rs")},
		{"below the captured stack", "", at(stackLow-0x100, "panicked at main.rs").reg(cpu.RSP, stackLow)},
		{"16 KiB above", "", at(sp+rustBuffer, "panicked at main.rs")},
		{"just within them", "main.rs", at(sp+rustBuffer-0x40, "panicked at main.rs")},
		{"at the end of the stack", "ma", at(stackHigh-14, "panicked at main.rs").reg(cpu.RSP, stackHigh-0x100)},
		{"300 bytes are enough", long[:messageMax], at(sp+0x100, "panicked at "+long)},
		{"no stack was captured", "", at(sp+0x100, "panicked at main.rs").with(func(in *Input) { in.StackLow, in.StackHigh = 0, 0 })},
		{"the stack pointer is in no stack", "", at(heapBase, "panicked at main.rs").reg(cpu.RSP, heapBase)},
		{"no memory", "", at(sp, "").with(func(in *Input) { in.Memory = nil })},
		{"no stack pointer", "", at(sp, "panicked at main.rs").with(func(in *Input) { in.Regs = &cpu.Regs{} })},
	}
	for _, tt := range tests {
		text, ok := strings.CutPrefix(Analyze(tt.s.Input).Findings[0].Evidence[0], "The message is: ")
		if !ok {
			text = ""
		}
		if strings.TrimSuffix(text, ".") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, text, tt.want)
		}
	}
}

// Names of types are read as the C++ ABI has them; others stay as they are.
func TestTypeNames(t *testing.T) {
	for in, want := range map[string]string{
		"7MyError": "MyError", "St9exception": "std::exception", "N3app5ErrorE": "app::Error", "NSt8ios_base7failureE": "std::ios_base::failure", "": "",
		"Dn": "std::nullptr_t", "PDs": "char16_t*", "D": "D", "Dt": "Dt",
		"i": "int", "PKc": "char const*", "RKSs": "std::string const&", "y": "unsigned long long", "PPv": "void**",
		"NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE": "std::string",
		"N3app5WrongIiEE":                          "app::Wrong<int>",
		"St17_Nested_exceptionISt13runtime_errorE": "std::_Nested_exception<std::runtime_error>",
		"St6vectorIiSaIiEE":                        "std::vector<int, std::allocator<int>>",
		"St3mapINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEiSt4lessIS5_ESaISt4pairIKS5_iEEE": "std::map<std::string, int, std::less<std::string>, std::allocator<std::pair<std::string const, int>>>",
		"N12_GLOBAL__N_15InnerE":    "(anonymous namespace)::Inner",
		"3ArrILi3ELb1ELin2EE":       "Arr<3, true, -2>",
		"St5tupleIJidEE":            "std::tuple<int, double>",
		"N3app4PairINS_1AENS_1BEEE": "app::Pair<app::A, app::B>",
		"0x":                        "0x", "9short": "9short", "5Error1": "5Error1", "St12out_of_rangeI": "St12out_of_rangeI", "99999999999999999999x": "99999999999999999999x",
		"S_": "S_", "SZZZZ_": "SZZZZ_", "N": "N", "P": "P", "S": "S", "1AIL": "1AIL", "FvvE": "FvvE",
		strings.Repeat("P", 40) + "i": strings.Repeat("P", 40) + "i",
	} {
		if got := typeText(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// The exception object is found by its class, in the layouts of both runtimes; an object thrown
// again is behind a pointer. Sources: libstdc++ unwind-cxx.h, libc++abi cxa_exception.h.
func TestExceptionObjects(t *testing.T) {
	const sp, header, object, info, name, message = stackLow + 0x1000, heapBase + 0x100, heapBase + 0x800, heapBase + 0x400, heapBase + 0x500, heapBase + 0x600
	thrown := func(class uint64) *scene {
		s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "!std::terminate()", "!__cxa_throw", "work")
		return s.put(sp, 1).put(sp+8, header).put(header, class).put(info+8, name).text(name, "7MyError")
	}
	direct := func(class uint64) *scene { return thrown(class).put(header-typeBefore, info) }
	again := func(class, at uint64) *scene {
		return thrown(class).put(at, object).put(object-objectBehind-typeBefore, info)
	}
	const yes, no = true, false // __cxa_throw names the exception without its type
	tests := []struct {
		name string
		want bool
		s    *scene
	}{
		{"libstdc++", yes, direct(classGNU)},
		{"libc++", yes, direct(classLLVM)},
		{"libstdc++, thrown again", yes, again(classGNU|dependent, header-typeBefore)},
		{"libc++, thrown again: the pointer is in front of the type", yes, again(classLLVM|dependent, header-typeBefore-8)},
		{"another class: not of C++", no, direct(0x474e_5543_4a41_5600)},
		{"another letter of the vendor", no, direct(classGNU + 1<<56)},
		{"the type is not captured", no, thrown(classGNU)},
		{"the name is not captured", no, thrown(classGNU).put(header-typeBefore, info+0x80)},
		{"an object thrown again that is not captured", no, thrown(classGNU | dependent)},
		{"a word of the stack is missing in front", no, direct(classGNU).with(func(in *Input) { delete(in.Memory.(*scene).bytes, sp) })},
		{"32 bits have another layout", no, direct(classGNU).of(&cpu.X86).reg(cpu.ESP, sp&0xffff_ffff)},
		{"no memory", no, direct(classGNU).with(func(in *Input) { in.Memory = nil })},
	}
	for _, tt := range tests {
		if got := Analyze(tt.s.Input).Findings[0].Text; (got == "C++ exception: MyError") != tt.want {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
	for text, want := range map[string]string{"bad index": "probably with the message: bad index.", "ab": "The thrown object is of type MyError.",
		"abc": "probably with the message: abc."} {
		s := direct(classGNU).put(header+objectBehind, 1).put(header+objectBehind+8, message).text(message, text)
		if got := Analyze(s.Input).Findings[0].Evidence[0]; !strings.Contains(got, want) {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// The type of a Visual C++ exception, on 64 bits by offsets from the module, on 32 by pointers.
// Each missing part leaves the type out. Source: ehdata.h.
func TestThrownTypeOfVisualC(t *testing.T) {
	const info, list, first, descriptor = 0x100, 0x200, 0x300, 0x400
	lay := func(s *scene, base, pointers uint64) *scene {
		for at, v := range map[uint64]uint64{info + 12: list, list + 4: first, first + 4: descriptor} {
			for i := range uint64(4) {
				s.bytes[appBase+at+i] = byte((v + base) >> (8 * i))
			}
		}
		return s.text(appBase+descriptor+pointers, ".?AVbad_alloc@std@@")
	}
	amd64 := func() *scene {
		return lay(crashAt(t, ""), 0, 16).raise("windows", cppException, 0, 0x1993_0520, stackLow, appBase+info, appBase)
	}
	x86 := lay(crashAt(t, "").on(&cpu.X86), appBase, 8).raise("windows", cppException, 0, 0x1993_0520, stackLow, appBase+info)
	without := func(at uint64) *scene {
		s := amd64()
		delete(s.bytes, appBase+at)
		return s
	}
	zero := func(at uint64) *scene {
		s := amd64()
		for i := range uint64(4) {
			s.bytes[appBase+at+i] = 0
		}
		return s
	}
	const yes, no = "C++ exception: std::bad_alloc", "C++ exception"
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"64 bits", yes, amd64()},
		{"32 bits", yes, x86},
		{"the module is not a parameter", no, amd64().with(func(in *Input) { in.Exception.Params = in.Exception.Params[:3] })},
		{"no throw information", no, amd64().with(func(in *Input) { in.Exception.Params = in.Exception.Params[:2] })},
		{"the list is not captured", no, without(info + 12)},
		{"no list", no, zero(info + 12)},
		{"the first type is not captured", no, without(list + 4)},
		{"no first type", no, zero(list + 4)},
		{"the descriptor is not captured", no, without(first + 4)},
		{"no descriptor", no, zero(first + 4)},
		{"a name with a line feed", no, amd64().text(appBase+descriptor+16, ".?AVbad\nalloc@@")},
		{"no memory", no, amd64().with(func(in *Input) { in.Memory = nil })},
		{"no CPU", no, amd64().with(func(in *Input) { in.Arch = nil })},
	}
	for _, tt := range tests {
		if got := Analyze(tt.s.Input).Findings[0].Text; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	s := amd64().with(func(in *Input) { in.Assertion = "no more room" })
	if e := strings.Join(Analyze(s.Input).Findings[0].Evidence, " "); e != "A C++ exception was thrown. The thrown object is of type std::bad_alloc. no more room" {
		t.Errorf("evidence: %s", e)
	}
}

// A file descriptor that is too large for a set of them is a write beyond a buffer, too.
func TestDescriptorSet(t *testing.T) {
	if m := messageOf("*** bit out of range 0 - FD_SETSIZE on fd_set ***: terminated"); m.kind != StackSmashed || m.title != "Buffer overrun" {
		t.Errorf("%+v", m)
	}
}
