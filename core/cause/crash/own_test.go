package crash

import "testing"

// Whose code the headline names.
func TestBlame(t *testing.T) {
	in := func(s *scene, frame int, module string) *scene {
		s.Frames[frame].Module = new(module)
		return s
	}
	scanned := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "work")
	scanned.Frames[2].Guess = true
	unnamed := crashAt(t, "").fault(8).stack("", "main")
	unnamed.Frames[0].Walked().Instruction += 0x9c5a510
	near := crashAt(t, "").fault(8).stack("parse", "main")
	near.Frames[0].UsedAnyway = true
	tests := []struct {
		name, want string
		guess      bool
		s          *scene
	}{
		{name: "behind the C library", want: "work", s: crashAt(t, "").fault(8).stack("!memcpy", "!strdup", "work")},
		{name: "behind a C++ runtime that the program ships", want: "work", s: in(crashAt(t, "").fault(8).stack("?", "work"), 0, "libc++_shared.so")},
		{name: "behind Visual C++'s runtime", want: "work", s: in(crashAt(t, "").fault(8).stack("memcpy", "work"), 0, "VCRUNTIME140.dll")},
		{name: "behind the standard library of Rust", want: "ledger::post", s: crashAt(t, "").fault(8).stack("core::ptr::write_volatile", "ledger::post")},
		{name: "behind the runtime of Go", want: "main.handler",
			s: crashAt(t, "").raise("linux", sigABRT, siTkill).stack("runtime.raise", "runtime.dieFromSignal", "runtime.gopanic", "main.handler")},
		{name: "behind Swift", want: "App.load", s: in(crashAt(t, "").fault(8).stack("swift_retain", "App.load"), 0, "libswiftCore.dylib")},
		{name: "a scanned frame is probable", want: "work", guess: true, s: scanned},
		{name: "behind the end of the nearest symbol", want: "app + 0x9c5a510", s: unnamed},
		{name: "a symbol that is near", want: "~ parse", s: near},
		{name: "nothing but libraries", want: "std::sort", s: crashAt(t, "").fault(8).stack("!memcpy", "std::sort")},
		{name: "nothing but the system", want: "memcpy", s: crashAt(t, "").fault(8).stack("!memcpy", "!start_thread")},
		{name: "execution went astray, and only the thread's beginning is left", want: "", guess: false,
			s: func() *scene {
				s := crashAt(t, "").fault(0x9_0000_0000).stack("", "!start_thread")
				s.Frames[0] = spot{Address: 0x9_0000_0000, ModuleIndex: -1}.row()
				return s.regPC(0x9_0000_0000)
			}()},
	}
	for _, tt := range tests {
		v := Verdict(tt.s.Input, Analyze(tt.s.Input))
		if v.Where != tt.want || v.Guess != tt.guess {
			t.Errorf("%s: %s in %q, %v, want %q, %v", tt.name, v.What, v.Where, v.Guess, tt.want, tt.guess)
		}
	}
}

func (s *scene) regPC(v uint64) *scene { return s.reg(s.Arch.PC, v) }

// The caller of the Objective-C runtime threw the exception, and the frames before it belong to the
// crash handler.
func TestBlameObjectiveC(t *testing.T) {
	s := crashAt(t, "").raise("ios", nsException, 0).stack("handler", "handler", "!", "!", "viewDidLoad", "main")
	s.Frames[2].Module = new("libobjc.A.dylib")
	if v := Verdict(s.Input, Analyze(s.Input)); v.Where != "viewDidLoad" || v.What != "Objective-C exception" {
		t.Errorf("%s in %s", v.What, v.Where)
	}
}

// The handlers that Windows calls for an exception are no place of a crash, whichever compiler made them.
func TestBlameBehindHandlers(t *testing.T) {
	for _, handler := range []string{"__C_specific_handler", "_GCC_specific_handler"} {
		s := crashAt(t, "").raise("windows", 0xe06d_7363, 1).stack("!RaiseException", handler, "work", "main")
		if v := Verdict(s.Input, Analyze(s.Input)); v.Where != "work" {
			t.Errorf("%s: in %s", handler, v.Where)
		}
	}
}
