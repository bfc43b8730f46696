package crash

import (
	"testing"

	"crashglass/core/machine/cpu"
)

func TestMatches(t *testing.T) {
	tests := []struct {
		pattern, name string
		want          bool
	}{
		{pattern: "abort", name: "abort", want: true},
		{pattern: "abort", name: "abort2"},
		{pattern: "__assert_fail*", name: "__assert_fail_base", want: true},
		{pattern: "absl::*LogMessageFatal::*", name: "absl::lts::LogMessageFatal::Flush", want: true},
		{pattern: "absl::*LogMessageFatal::*", name: "absl::lts::LogMessage::Flush"},
		{pattern: "rust_panic*", name: ""},
	}
	for _, tt := range tests {
		if got := matches(tt.pattern, tt.name); got != tt.want {
			t.Errorf("matches(%q, %q) = %v", tt.pattern, tt.name, got)
		}
	}
}

// A scanned frame proves nothing about the end of a program, and neither does a function above a
// refused access.
func TestSignsIgnored(t *testing.T) {
	s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "__cxa_throw", "work")
	for i := 2; i < len(s.Frames); i++ {
		s.Frames[i].Guess = true
	}
	if a := Analyze(s.Input); a.Findings[0].Kind != Aborted {
		t.Errorf("scanned: %+v", a.Findings[0])
	}
	s = crashAt(t, movStore).stack("work", "__cxa_throw")
	if a := Analyze(s.Input); a.Findings[0].Kind != NullPointer {
		t.Errorf("refused access: %+v", a.Findings)
	}
}

// A name that may be that of another function proves nothing: what it would show is only probable, certain names come
// first, and neither how the program ended nor a refused access is explained by it.
func TestUncertainFunctions(t *testing.T) {
	near := func(s *scene, frames ...int) *scene {
		for _, i := range frames {
			s.Frames[i].UsedAnyway = true
		}
		return s
	}
	abort := func(functions ...string) *scene {
		return crashAt(t, "").raise("linux", sigABRT, siTkill).stack(functions...)
	}
	const other = ", and the name may be that of another function."
	for name, tt := range map[string]struct {
		s        *scene
		what     string
		evidence string // the first
		strength float32
		event    EventKind
	}{
		"certain":            {abort("!raise", "!abort", "work"), "abort() called", "`abort` is on the stack.", 1, Raised},
		"all near":           {near(abort("!raise", "!abort", "work"), 0, 1), "Abort signal (SIGABRT)", "The program probably called abort: `~ abort` is on the stack" + other, nearStrength, Unclear},
		"raise is certain":   {near(abort("!raise", "!abort", "work"), 1), "raise(SIGABRT) called", "`raise` is on the stack: the program raised the signal itself.", 1, Raised},
		"a near assertion":   {near(abort("!raise", "!abort", "!__assert_fail", "work"), 2), "Probably: Assertion failed", "`~ __assert_fail` is on the stack" + other, nearStrength, Raised},
		"a certain one, too": {near(abort("!raise", "!abort", "!malloc_printerr", "!__assert_fail", "work"), 2), "Assertion failed", "The function that reports a failed assertion was called.", 1, Raised},
		"a smashed stack":    {near(crashAt(t, movStore).stack("!__stack_chk_fail", "work"), 0), "Null pointer write", "`mov dword [rax], 0x5` writes 4 bytes at 0x0; rax is 0x0.", 1, Faulted},
		"a debugger's":       {near(crashAt(t, "cc").raise("windows", breakpoint, 0).stack("!DbgBreakPoint", "!DbgUiRemoteBreakin"), 1), "Breakpoint", "A breakpoint instruction ran.", 1, Faulted},
		"RaiseException":     {near(crashAt(t, "").raise("windows", intDivideByZero, 0).stack("!RaiseException", "work"), 0), "Division by zero", "An integer was divided by zero.", 1, Faulted},
	} {
		tt.s.reg(cpu.RAX, 0)
		a := Analyze(tt.s.Input)
		f := a.Findings[0]
		if v := Verdict(tt.s.Input, a); v.What != tt.what || f.Evidence[0] != tt.evidence || f.Confidence != tt.strength || a.Event.Kind != tt.event {
			t.Errorf("%s: %s, %q, %v, event %d", name, v.What, f.Evidence, f.Confidence, a.Event.Kind)
		}
	}
}

func TestTypeName(t *testing.T) {
	tests := map[string]string{
		".?AVbad_alloc@std@@":     "std::bad_alloc",
		".?AVruntime_error@std@@": "std::runtime_error",
		".?AUError@@":             "Error",
		".?AVInner@Outer@ns@@":    "ns::Outer::Inner",
		".?AV?$basic@D@std@@":     ".?AV?$basic@D@std@@",
		".H":                      ".H",
		"":                        "",
		".?AV@@":                  "",
		".PEAD":                   ".PEAD",
	}
	for in, want := range tests {
		if got := typeName(in); got != want {
			t.Errorf("typeName(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestThrownType lays out the throw information in a module of a 64-bit program.
func TestThrownType(t *testing.T) {
	s := crashAt(t, "").raise("windows", cppException, 0, 0x19930520, stackLow, appBase+0x100, appBase)
	s.put(appBase+0x100+12, 0x200) // ThrowInfo: catchable types
	s.put(appBase+0x200, 1|0x300<<32)
	s.put(appBase+0x300, 0|0x400<<32)
	for i, c := range []byte(".?AVbad_alloc@std@@\x00") {
		s.bytes[appBase+0x400+16+uint64(i)] = c
	}
	a := Analyze(s.Input)
	if got, want := a.Findings[0].Text, "C++ exception: std::bad_alloc"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	delete(s.bytes, appBase+0x204)
	if got, want := Analyze(s.Input).Findings[0].Text, "C++ exception"; got != want {
		t.Errorf("cut short: got %q, want %q", got, want)
	}
}

// Type descriptors of Visual C++ begin with a letter for the kind of type: class, struct, union or,
// with the size behind it, enum.
func TestTypeNameKinds(t *testing.T) {
	for in, want := range map[string]string{
		".?AVError@@":           "Error",
		".?AUError@app@@":       "app::Error",
		".?ATError@@":           "Error",
		".?AW4Error@@":          "Error",
		".?AW4Error@app@@":      "app::Error",
		".?AVE@?A0x12ab@@":      ".?AVE@?A0x12ab@@", // in an anonymous namespace
		".?AVE":                 ".?AVE",
		".?A":                   ".?A",
		".?AW4":                 ".?AW4",
		"St13runtime_error":     "St13runtime_error",
		".?AVA@B@C@D@E@F@@":     "F::E::D::C::B::A",
		".?AV<lambda_1>@main@@": "main::<lambda_1>",
	} {
		if got := typeName(in); got != want {
			t.Errorf("typeName(%q) = %q, want %q", in, got, want)
		}
	}
}
