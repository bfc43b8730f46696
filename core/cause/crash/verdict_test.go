package crash

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// sentence returns a verdict as text, followed by its badges.
func sentence(s *scene) string {
	a := Analyze(s.Input)
	v := Verdict(s.Input, a)
	text := v.What
	if v.Where != "" {
		text += " in " + v.Where
	}
	if v.At != "" {
		text += " at " + v.At
	}
	for _, b := range v.Badges {
		text += fmt.Sprintf(" [%s: %s", b.Kind, b.Text)
		if b.HasConfidence {
			text += fmt.Sprintf(" %.2f", b.Confidence)
		}
		text += "]"
	}
	return text
}

const (
	movStore = "c7 00 05 00 00 00" // mov dword [rax], 0x5
	movLoad  = "48 8b 43 10"       // mov rax, qword [rbx + 0x10]
	callReg  = "ff d0"             // call rax
	push     = "55"                // push rbp
	ret      = "c3"
)

// Old microdumps have a crash of unknown kind. Their zeros mean nothing, but evidence from the
// stack counts.
func TestVerdictUnknown(t *testing.T) {
	for _, os := range []process.OS{"linux", "android", "windows", "mac", ""} {
		s := crashAt(t, movStore).reg(cpu.RAX, 0)
		s.OS, s.Exception = os, &Exception{Unknown: true}
		a := Analyze(s.Input)
		if a.Reason != "" || a.HasAddress || a.Note != "" || len(a.BitFlips) > 0 || len(a.Parameters) > 0 {
			t.Errorf("%s: %+v", os, a)
		}
		if got, want := sentence(s), "Crash of an unknown kind in middle at threads.cpp:12"; got != want {
			t.Errorf("%s: %s, want %s", os, got, want)
		}
	}
	s := crashAt(t, "")
	s.Exception = &Exception{Unknown: true}
	s.Frames = append(rows([]spot{{Address: libBase + 0x1000, Module: "libc.so.6", ModuleIndex: 1, Function: "__stack_chk_fail", System: true}}), s.Frames...)
	if got, want := sentence(s), "Stack buffer overrun in middle"; !strings.HasPrefix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestVerdictMemory(t *testing.T) {
	tests := []struct {
		name string
		s    *scene
		want string
	}{
		{"null", crashAt(t, movStore).reg(cpu.RAX, 0),
			"Null pointer write in middle at threads.cpp:12 [cause: Null pointer]"},
		{"a field of null", crashAt(t, movLoad).reg(cpu.RBX, 0).fault(0x10),
			"Null pointer read in middle at threads.cpp:12 [cause: Null pointer + 0x10]"},
		{"a field of null, where the system's address was not passed on", crashAt(t, movLoad).reg(cpu.RBX, 0).fault(0),
			"Null pointer read in middle at threads.cpp:12 [cause: Null pointer + 0x10]"},
		{"in front of null", crashAt(t, "48 8b 43 f0").reg(cpu.RBX, 0).fault(^uint64(0) - 15),
			"Null pointer read in middle at threads.cpp:12 [cause: Null pointer - 0x10]"},
		{"a low address in a register", crashAt(t, movLoad).reg(cpu.RBX, 0xf83).fault(0xf93),
			"Null pointer read in middle at threads.cpp:12 [cause: Null pointer + 0xf93 0.80]"},
		{"without code", crashAt(t, "").fault(8),
			"Null pointer access in middle at threads.cpp:12 [cause: Null pointer + 0x8 0.80]"},
		{"call of null", crashAt(t, "").reg(cpu.RIP, 0).stack("").stackUnknown(0).add("caller"),
			"Null pointer call in caller [cause: Null pointer]"},
		{"unmapped, behind the heap", crashAt(t, movStore).reg(cpu.RAX, heapBase+0x1_0008).fault(heapBase + 0x1_0008),
			"Write to unmapped address 0x610008 in middle at threads.cpp:12 [cause: Unmapped address]"},
		{"read only", crashAt(t, movStore).reg(cpu.RAX, appBase+0x20).fault(appBase + 0x20),
			"Write to read-only memory in middle at threads.cpp:12 [cause: Write to read-only memory]"},
		{"a register that was not saved", crashAt(t, movLoad).fault(0xa000_0000),
			"Read from unmapped address 0xa0000000 in middle at threads.cpp:12 [cause: Unmapped address]"},
		{"non-canonical", crashAt(t, movStore).reg(cpu.RAX, 0x1234_5678_9abc_def0).gpf(),
			"Write to a non-canonical address in middle at threads.cpp:12 [cause: Non-canonical address 0.95]"},
		{"general protection without code", crashAt(t, "").gpf(),
			"General protection fault in middle at threads.cpp:12 [cause: General protection fault 0.50]"},
		{"general protection of an instruction without memory", crashAt(t, "89 c8").gpf(),
			"General protection fault in middle at threads.cpp:12 [cause: General protection fault 0.50]"},
		{"general protection of an access at an unknown address", crashAt(t, movLoad).gpf(),
			"Invalid pointer read in middle at threads.cpp:12 [cause: General protection fault 0.90]"},
		{"freed", crashAt(t, movStore).reg(cpu.RAX, 0xdddd_dddd_dddd_dddd).gpf(),
			"Use of freed memory in middle at threads.cpp:12 [cause: Use of freed memory 0.90]"},
		{"uninitialised, with an offset", crashAt(t, movLoad).reg(cpu.RBX, 0xcdcd_cdcd_cdcd_cdcd).gpf(),
			"Use of uninitialised memory in middle at threads.cpp:12 [cause: Use of uninitialised memory 0.90]"},
		{"half a register of poison", crashAt(t, movStore).reg(cpu.RAX, 0xfeee_feee).fault(0xfeee_feee),
			"Use of freed memory in middle at threads.cpp:12 [cause: Use of freed memory 0.60]"},
		{"text", crashAt(t, movStore).reg(cpu.RAX, 0x6172_7473_2074_6f6e).gpf(),
			"Text used as a pointer in middle at threads.cpp:12 [cause: Text used as a pointer 0.90]"},
		{"jump to nowhere", crashAt(t, "").reg(cpu.RIP, 0x1234_5678).fault(0x1234_5678).stackUnknown(0x1234_5678).add("caller"),
			"Jump to a bad address in caller [cause: Jump to a bad address 0.95]"},
		{"jump to the heap", crashAt(t, "").reg(cpu.RIP, heapBase).fault(heapBase).stackUnknown(heapBase).add("caller"),
			"Execution of data in caller [cause: Execution of data 0.95]"},
		{"jump to the stack", crashAt(t, "").reg(cpu.RIP, stackLow+8).fault(stackLow + 8).stackUnknown(stackLow + 8).add("caller"),
			"Execution on the stack in caller [cause: Execution on the stack 0.95]"},
		{"call of a bad register", crashAt(t, callReg).reg(cpu.RAX, 0x4141_0000_0000_0001).gpf(),
			"Jump to a bad address in middle at threads.cpp:12 [cause: Jump to a bad address 0.95]"},
		{"return to a bad address", crashAt(t, ret).put(stackLow+0x1000, 0x4141_0000_0000_0001).gpf(),
			"Return address overwritten in middle at threads.cpp:12 [cause: Return address overwritten 0.95]"},
		{"zeros", crashAt(t, "00 00 00 00").reg(cpu.RAX, 0),
			"Execution of zeros in middle at threads.cpp:12 [cause: Execution of zeros 0.90]"},
		{"the header of ELF", crashAt(t, "00 00 00 00").put(appBase, 0x0001_0102_464c_457f).put(appBase+0x47, 0x40_0000).reg(cpu.RIP, appBase+0x47).reg(cpu.RAX, 0).stackUnknown(appBase + 0x47).add("caller"),
			"Execution of a header in caller [cause: Execution of a header 0.90]"},
		{"misaligned", crashAt(t, "0f 29 00").reg(cpu.RAX, heapBase+8).gpf(),
			"Misaligned address in middle at threads.cpp:12 [cause: Misaligned address 0.95]"},
		{"bus error", crashAt(t, movStore).reg(cpu.RAX, heapBase+1).fault(heapBase+1).raise("linux", sigBUS, busAdrAln),
			"Misaligned address in middle at threads.cpp:12 [cause: Misaligned address]"},
	}
	for _, tt := range tests {
		if got := sentence(tt.s); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// gpf makes the exception a general protection fault of Linux.
func (s *scene) gpf() *scene {
	s.Exception = &Exception{Code: sigSEGV, Flags: siKernel}
	return s
}

// stackUnknown makes the innermost frame one in no module.
func (s *scene) stackUnknown(pc uint64) *scene {
	s.Frames = rows([]spot{{Address: pc, ModuleIndex: -1}})
	return s
}

// add adds a frame of the program.
func (s *scene) add(function string) *scene {
	s.Frames = append(s.Frames, spot{Address: codeAddr, Module: "app", Function: function, Guess: true}.row())
	return s
}

func TestVerdictStackOverflow(t *testing.T) {
	below := func() *scene { return crashAt(t, push).reg(cpu.RSP, stackLow).fault(stackLow - 8) }
	deep := below()
	deep.Frames = nil
	for range 400 {
		deep.add("deep")
	}
	noMaps := below()
	noMaps.Regions, noMaps.Frames = nil, deep.Frames
	windows := crashAt(t, "85 00").reg(cpu.RAX, stackLow-0x1000)
	windows.raise("windows", stackOverflow, 0, 1, stackLow-0x1000)
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"push below the stack", "Stack overflow in middle at threads.cpp:12 [cause: Stack overflow 0.95]", below()},
		{"Windows says so", "Stack overflow in middle at threads.cpp:12 [cause: Stack overflow]", windows},
		{"no regions, but deep", "Stack overflow in deep [cause: Stack overflow 0.70] [doubt: Stack is a guess]", noMaps},
		{"no regions, and not deep", "Write to unmapped address 0x7ffcfffffff8 in middle at threads.cpp:12 [cause: Unmapped address]",
			func() *scene { s := below(); s.Regions = nil; return s }()},
		{"far from the stack pointer", "Write to unmapped address 0x7ffcffffff00 in middle at threads.cpp:12 [cause: Unmapped address]",
			crashAt(t, movStore).reg(cpu.RAX, stackLow-0x100).reg(cpu.RSP, stackHigh-8).fault(stackLow - 0x100)},
	}
	for _, tt := range tests {
		if got := sentence(tt.s); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
	if got := Verdict(deep.Input, Analyze(deep.Input)).Detail; !strings.Contains(got, "`deep` is on the stack 400 times") {
		t.Errorf("recursion is not told: %s", got)
	}
}

func TestVerdictReasons(t *testing.T) {
	abort := func(functions ...string) *scene {
		return crashAt(t, "").raise("linux", sigABRT, siTkill).stack(functions...)
	}
	said := abort("!raise", "!abort", "work", "main")
	said.Assertion = "terminating: bad state"
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"abort", "abort() called in work [cause: abort() called] [plain: First own code: work]",
			abort("!raise", "!abort", "work", "main")},
		{"assertion", "Assertion failed in check [cause: Assertion failed] [plain: First own code: check]",
			abort("!raise", "!abort", "!__assert_fail_base", "!__assert_fail", "check", "main")},
		{"C++ exception", "C++ exception in parse(char const*) [cause: C++ exception] [plain: First own code: parse(char const*)]",
			abort("!raise", "!abort", "!__gnu_cxx::__verbose_terminate_handler()", "!std::terminate()", "!__cxa_throw", "std::vector<int>::at(unsigned long)", "parse(char const*)")},
		{"pure virtual", "Pure virtual function called in Shape::~Shape() [cause: Pure virtual function called] [plain: First own code: Shape::~Shape()]",
			abort("!raise", "!abort", "!std::terminate()", "!__cxa_pure_virtual", "Shape::~Shape()")},
		{"Rust panic", "Rust panic in app::run::h0123456789abcdef [cause: Rust panic] [plain: First own code: app::run::h0123456789abcdef]",
			abort("!raise", "std::sys::abort", "rust_panic", "core::panicking::panic_fmt::h0123456789abcdef", "core::option::Option<T>::unwrap", "app::run::h0123456789abcdef")},
		{"Rust without a panic", "abort() called in app::main::h0123456789abcdef [cause: abort() called] [plain: First own code: app::main::h0123456789abcdef]",
			abort("!raise", "!abort", "std::process::abort", "app::main::h0123456789abcdef", "core::ops::function::FnOnce::call_once", "std::panicking::try::do_call", "std::panicking::catch_unwind::do_call::h0123456789abcdef", "std::panicking::try", "std::rt::lang_start", "main")},
		{"Go panic", "Go panic in main.handler [cause: Go panic]",
			abort("runtime.raise", "runtime.fatalpanic", "runtime.gopanic", "main.handler")},
		{"stack smashed", "Stack buffer overrun in copy [cause: Stack buffer overrun] [plain: First own code: copy]",
			abort("!raise", "!abort", "!__libc_message", "!__fortify_fail", "!__stack_chk_fail", "copy")},
		{"heap", "Heap corruption in free_all [cause: Heap corruption] [plain: First own code: free_all]",
			abort("!raise", "!abort", "!__libc_message", "!malloc_printerr", "!_int_free", "!free", "free_all")},
		{"out of memory", "Out of memory in load [cause: Out of memory]",
			abort("base::internal::OnNoMemoryInternal(unsigned long)", "base::debug::Crash", "load")},
		{"a message", "abort() called in work [cause: abort() called] [plain: First own code: work]", said},
		{"fast fail", "Heap corruption in middle at threads.cpp:12 [cause: Heap corruption]",
			crashAt(t, "cd 29").raise("windows", stackBufferOverrun, 0, 50)},
		{"another fast fail", "Fail fast: FAST_FAIL_LPAC_ACCESS_DENIED in middle at threads.cpp:12 [cause: Fail fast: FAST_FAIL_LPAC_ACCESS_DENIED]",
			crashAt(t, "cd 29").raise("windows", stackBufferOverrun, 0, 43)},
		{"Windows heap", "Heap corruption in middle at threads.cpp:12 [cause: Heap corruption]",
			crashAt(t, "").raise("windows", heapCorruption, 0)},
		{"C++ of Windows", "C++ exception in middle at threads.cpp:12 [cause: C++ exception]",
			crashAt(t, "").raise("windows", cppException, 0, 0x19930520, 0, 0, 0)},
		{"file gone", "File could not be read in middle at threads.cpp:12 [cause: File could not be read]",
			crashAt(t, movLoad).reg(cpu.RBX, heapBase).raise("windows", inPageError, 0, 0, heapBase+0x10, 0xc000009c)},
		{"division", "Division by zero in middle at threads.cpp:12 [cause: Division by zero]",
			crashAt(t, "f7 f9").reg(cpu.RCX, 0).raise("linux", sigFPE, fpeIntDiv)},
		{"trap", "Compiler trap in middle at threads.cpp:12 [cause: Compiler trap]",
			crashAt(t, "0f 0b").raise("linux", sigILL, 2)},
		{"illegal", "Illegal instruction in middle at threads.cpp:12 [cause: Illegal instruction]",
			crashAt(t, "ff ff").raise("linux", sigILL, 2)},
		{"killed", "SIGTERM was sent to the program; this thread was running in middle at threads.cpp:12 [cause: SIGTERM was sent to the program; this thread was running]",
			crashAt(t, "").raise("linux", 15, siUser)},
		{"kill -SEGV", "SIGSEGV was sent by process 24248 of user 1000; this thread was running in middle at threads.cpp:12 [cause: SIGSEGV was sent by process 24248 of user 1000; this thread was running 0.90]",
			crashAt(t, "89 df").fault(0x3e8_0000_5eb8).raise("linux", sigSEGV, siUser)},
		{"guarded", "Guarded resource in middle at threads.cpp:12 [cause: Guarded resource]",
			crashAt(t, "").raise("mac", excGuard, 2<<29, 12, 1<<32|3, 0)},
		{"Mach", "Null pointer write in middle at threads.cpp:12 [cause: Null pointer]",
			crashAt(t, movStore).reg(cpu.RAX, 0).raise("mac", excBadAccess, kernInvalidAddress)},
		{"simulated", "No crash: the dump was written on request [plain: Written on request]",
			crashAt(t, "").raise("windows", simulatedWindows, 0)},
		{"asked for", "No crash: the dump was written on request [plain: Written on request]",
			crashAt(t, "").raise("linux", dumpRequested, 0)},
		{"unknown", "Exception 0x12345678 in middle at threads.cpp:12 [cause: Exception 0x12345678]",
			crashAt(t, "").raise("windows", 0x12345678, 0)},
		{"unknown system", "Crash: SIGSEGV in middle at threads.cpp:12",
			crashAt(t, "").raise("solaris", 11, 1)},
	}
	for _, tt := range tests {
		if got := sentence(tt.s); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func TestVerdictWithoutException(t *testing.T) {
	s := crashAt(t, "")
	s.Exception, s.File = nil, File{Threads: 1, System: true}
	if got, want := sentence(s), "No exception in this dump"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	s.Requested = true
	v := Verdict(s.Input, Analyze(s.Input))
	if v.Crashed || v.What != "No exception in this dump: written on request" || v.Detail != "The requesting thread was in `middle` of app." {
		t.Errorf("requested: %+v", v)
	}
	if v := Verdict(&Input{Lost: true}, Analyze(&Input{Lost: true})); v.What != "The exception cannot be read" || v.Crashed {
		t.Errorf("got %+v", v)
	}
	if v := Verdict(&Input{}, Analyze(&Input{})); v.What != "The dump is damaged or empty" || v.Frame != -1 {
		t.Errorf("nothing at all: %+v", v)
	}
}

func TestVerdictModules(t *testing.T) {
	s := crashAt(t, movStore).reg(cpu.RAX, 0).windows(1, 0)
	s.Modules = module.NewMap([]module.Module{
		{Base: appBase, Size: 0x1_0000, CodeFile: `C:\Program Files\App\app.exe`},
		{Base: libBase, Size: 0x1_0000, CodeFile: `C:\Program Files\VPN\ASProxy64.dll`},
	})
	s.Frames[0].ModuleIndex, s.Frames[0].Module, s.Frames[0].Function = new(1), new("ASProxy64.dll"), nil
	got := sentence(s)
	want := "Null pointer write in ASProxy64.dll + 0x1000 at threads.cpp:12 [cause: Null pointer] [plain: Third-party module: ASProxy64.dll 0.70]"
	if got != want {
		t.Errorf("injected:\n got %s\nwant %s", got, want)
	}

	gone := crashAt(t, "").reg(cpu.RIP, 0x5000_1000).fault(0x5000_1000).stackUnknown(0x5000_1000).add("caller")
	gone.Unloaded = []module.Module{{Base: 0x5000_0000, Size: 0x1_0000, CodeFile: `C:\x\plugin.dll`}}
	if got, want := sentence(gone), "Call into an unloaded module in caller [cause: Call into an unloaded module 0.95]"; got != want {
		t.Errorf("unloaded:\n got %s\nwant %s", got, want)
	}

	inLibrary := crashAt(t, movStore).reg(cpu.RAX, 0).stack("!memcpy", "copy", "main")
	if got, want := sentence(inLibrary), "Null pointer write in copy [cause: Null pointer] [plain: First own code: copy]"; got != want {
		t.Errorf("in a library:\n got %s\nwant %s", got, want)
	}
}

func TestVerdictARM64(t *testing.T) {
	arm := func(code string) *scene {
		s := crashAt(t, code)
		s.Arch, s.Regs = &cpu.ARM64, &cpu.Regs{}
		return s.reg(cpu.A64PC, codeAddr).reg(cpu.A64SP, stackLow+0x1000)
	}
	const ldr = "01 08 40 f9" // ldr x1, [x0, #16]
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"null", "Null pointer read in middle at threads.cpp:12 [cause: Null pointer + 0x10]", arm(ldr).reg(0, 0).fault(0x10)},
		{"failed authentication", "Pointer authentication failed in middle at threads.cpp:12 [cause: Pointer authentication failed 0.90]",
			arm(ldr).reg(0, 0x2000<<48|heapBase).fault(0x2000<<48 | heapBase + 0x10)},
		{"the same, said by the system", "Pointer authentication failed in middle at threads.cpp:12 [cause: Pointer authentication failed]",
			arm(ldr).reg(0, heapBase).raise("ios", excBadAccess, armPACFail)},
		{"signed pointer", "Signed pointer used without authentication in middle at threads.cpp:12 [cause: Signed pointer used without authentication 0.60]",
			arm(ldr).reg(0, 0x5b37<<48|heapBase).fault(0x5b37<<48 | heapBase + 0x10)},
		{"memory tag", "Memory tag mismatch in middle at threads.cpp:12 [cause: Memory tag mismatch]",
			arm(ldr).reg(0, heapBase).fault(heapBase+0x10).raise("android", sigSEGV, segvMTESync)},
		{"brk", "Compiler trap in middle at threads.cpp:12 [cause: Compiler trap]", arm("20 00 20 d4").raise("linux", sigTRAP, 1)},
		{"undefined on purpose", "Compiler trap in middle at threads.cpp:12 [cause: Compiler trap]", arm("00 00 00 00").raise("linux", sigILL, 1)},
	}
	for _, tt := range tests {
		if got := sentence(tt.s); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}
