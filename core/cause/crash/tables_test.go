package crash

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/stack/funcname"
)

// said returns the whole text of a scene's verdict, and checks its form: sentences, without fmt's
// error marks.
func said(t *testing.T, s *scene) string {
	t.Helper()
	v := Verdict(s.Input, Analyze(s.Input))
	text := v.What + ". " + v.Detail
	for _, b := range v.Badges {
		for _, e := range b.Evidence {
			if !strings.HasSuffix(e, ".") && e != s.Assertion || strings.Contains(e, "%!") || strings.Contains(e, "  ") {
				t.Errorf("%q is no sentence", e)
			}
		}
		if b.Text == "" || len(b.Evidence) == 0 {
			t.Errorf("a badge without text or evidence: %+v", b)
		}
	}
	if v.What == "" || strings.Contains(text, "%!") {
		t.Errorf("the verdict is %q", text)
	}
	return text
}

// Each exception of Windows that explains itself does so.
func TestWindowsReasons(t *testing.T) {
	for _, n := range codes()[windowsReasons] {
		code := n.code
		r, _ := windowsReasons.reason(uint64(code))
		if code == inPageError {
			continue // has its own test, with an address
		}
		text := said(t, crashAt(t, "").fault(codeAddr).raise("windows", code, 0))
		want := r.text
		if r.kind == OnRequest {
			want = "No crash: the dump was written on request"
		}
		if !strings.HasPrefix(text, want) {
			t.Errorf("%#x: %s, want %s", code, text, want)
		}
	}
}

// A page that could not be read is not the program's fault, and the verdict says so.
func TestInPageError(t *testing.T) {
	s := crashAt(t, movLoad).reg(cpu.RBX, heapBase)
	text := said(t, s.raise("windows", inPageError, 0, 0, heapBase+0x10, 0xc000_009c))
	if !strings.HasPrefix(text, "File could not be read. ") || !strings.Contains(text, "a removed disk") || !strings.Contains(text, "It was to be read at 0x600010; the status is STATUS_DEVICE_DATA_ERROR.") {
		t.Error(text)
	}
}

// Every code of __fastfail gives a verdict with the code's name in it.
func TestFastFailVerdicts(t *testing.T) {
	for _, n := range codes()[fastFails] {
		text := said(t, crashAt(t, "cd 29").raise("windows", stackBufferOverrun, 0, uint64(n.code)))
		if !strings.Contains(text, n.text) {
			t.Errorf("%d: %s does not name %s", n.code, text, n.text)
		}
	}
}

// Each function that ends a program is recognized, at any depth and with any other names in its
// frame.
func TestSigns(t *testing.T) {
	for _, m := range functions() {
		if m.kind == "" {
			continue
		}
		for _, pattern := range m.names {
			if pattern[0] == '*' {
				t.Errorf("%s has no first letter, which endings needs", pattern)
			}
			name := strings.ReplaceAll(pattern, "*", "X")
			s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "!"+name, "work", "main")
			v := Verdict(s.Input, Analyze(s.Input))
			if v.Where != "work" || v.Badges[0].Kind != "cause" {
				t.Errorf("%s: %s in %s", pattern, v.What, v.Where)
			}
			if want := firstMeaning(funcname.Plain(name)); v.What != want {
				t.Errorf("%s: %s, want %s", pattern, v.What, want)
			}
			said(t, s)
		}
	}
}

// firstMeaning returns the text of a function: several patterns may match it, and the first of them counts.
func firstMeaning(name string) string {
	for _, m := range functions() {
		if m.kind != "" && slices.ContainsFunc(m.names, func(pattern string) bool { return matches(pattern, name) }) {
			return m.text
		}
	}
	return ""
}

// A scanned frame proves nothing: the word may be old.
func TestSignsBehindAScan(t *testing.T) {
	s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "!__stack_chk_fail", "work")
	s.Frames[2].Guess = true
	if v := Verdict(s.Input, Analyze(s.Input)); v.What != "abort() called" {
		t.Errorf("%s", v.What)
	}
}

// A return into a function of a static program that never returns is proof: nothing took it off the stack.
func TestScannedAssertion(t *testing.T) {
	for name, want := range map[string]string{"__assert_fail": "Assertion failed in work", "assert_fail": "abort() called in work"} {
		s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("raise", "abort", "fprintf", name, "work").with(static)
		for i := 2; i < 5; i++ {
			s.Frames[i].Guess = true
		}
		seven := uint32(7)
		s.Frames[4].Line = &seven
		if v := Verdict(s.Input, Analyze(s.Input)); v.What+" in "+v.Where != want {
			t.Errorf("%s: %s in %s", name, v.What, v.Where)
		}
	}
}

// Each pattern of poison is recognized as a pointer, with its writer.
func TestPoisonVerdicts(t *testing.T) {
	for _, p := range poisons() {
		v := uint64(p.value)<<32 | uint64(p.value)
		s := crashAt(t, movStore).reg(cpu.RAX, v).fault(v)
		text := said(t, s)
		if !strings.HasPrefix(text, poisonTexts[p.state]) || !strings.Contains(text, p.by) {
			t.Errorf("%#x: %s", p.value, text)
		}
	}
}

// Every signal of Linux, with and without a code, gives a sentence.
func TestSignals(t *testing.T) {
	for _, n := range codes()[signals] {
		for _, code := range []uint32{0, 1, 2, 3, siKernel, siTkill, siQueue} {
			text := said(t, crashAt(t, "90").raise("linux", n.code, code))
			if strings.HasPrefix(text, "Crash of an unknown kind") {
				t.Errorf("%s, code %#x: %s", n.text, code, text)
			}
		}
	}
}

// Every Mach exception gives a sentence, too.
func TestMachExceptions(t *testing.T) {
	for code := uint32(1); code < 14; code++ { // 0 says nothing
		for _, flags := range []uint32{0, 1, 2, 0x101, 0x103, 0x105} {
			text := said(t, crashAt(t, "90").raise("mac", code, flags))
			if strings.HasPrefix(text, "Crash of an unknown kind") {
				t.Errorf("%d, %d: %s", code, flags, text)
			}
		}
	}
}

// The verdict does not depend on the order of equal findings.
func TestVerdictIsStable(t *testing.T) {
	make := func() string {
		return said(t, crashAt(t, "48 87 07").reg(cpu.RDI, 0xdddd_dddd_dddd_dddd).reg(cpu.RAX, 0xdddd_dddd_dddd_dddd).gpf())
	}
	first := make()
	for range 50 {
		if again := make(); again != first {
			t.Fatalf("%s\n%s", first, again)
		}
	}
}
