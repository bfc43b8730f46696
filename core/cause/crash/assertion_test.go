package crash

import (
	"testing"

	"crashglass/core/machine/cpu"
)

// passing gives frame 1 arguments by their registers.
func (s *scene) passing(arguments map[cpu.Reg]uint64) *scene {
	s.Argument = func(frame int, reg cpu.Reg) (uint64, bool) {
		v, ok := arguments[reg]
		return v, ok && frame == 1
	}
	return s
}

// wide writes a text of UTF-16.
func (s *scene) wide(addr uint64, text string) *scene {
	for i, c := range []byte(text + "\x00") {
		s.bytes[addr+uint64(2*i)], s.bytes[addr+uint64(2*i)+1] = c, 0
	}
	return s
}

// assertionAt and fileAt are addresses of texts in the program.
const (
	assertionAt = appBase + 0x8000
	fileAt      = appBase + 0x9000
)

func TestPassedAssertion(t *testing.T) {
	narrow := func(function string) *scene {
		s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!abort", function, "work").text(assertionAt, "n < 10").text(fileAt, "src/a.c")
		for i := range s.Frames {
			s.Frames[i].Index = i
		}
		return s
	}
	windows := func(function string) *scene {
		s := narrow(function).raise("windows", 0x4000_0015, 0)
		return s.passing(map[cpu.Reg]uint64{cpu.RCX: assertionAt, cpu.RDX: fileAt, cpu.R8: 7})
	}
	elf := map[cpu.Reg]uint64{cpu.RDI: assertionAt, cpu.RSI: fileAt, cpu.RDX: 7}
	const want = "The assertion is `n < 10`, at src/a.c:7: so "
	for _, tt := range []struct {
		s    *scene
		want string
	}{
		{narrow("!__assert_fail").passing(elf), want + "`__assert_fail` was called."},
		{narrow("!__GI___assert_fail").passing(elf), want + "`__assert_fail` was called."},
		{narrow("!__assert2").passing(map[cpu.Reg]uint64{cpu.RDI: fileAt, cpu.RSI: 7, cpu.RCX: assertionAt}), want + "`__assert2` was called."},
		{narrow("!__assert_rtn").passing(map[cpu.Reg]uint64{cpu.RSI: fileAt, cpu.RDX: 7, cpu.RCX: assertionAt}), want + "`__assert_rtn` was called."},
		{windows("!_assert"), want + "`_assert` was called."},
		{windows("!_wassert").wide(assertionAt, "n < 10").wide(fileAt, "src/a.c"), want + "`_wassert` was called."},
		{windows("!_wassert"), ""}, // the texts are no UTF-16
		{narrow("!__assert_fail"), ""},
		{narrow("!__assert_fail").passing(map[cpu.Reg]uint64{cpu.RDI: assertionAt, cpu.RDX: 7}), ""},
		{narrow("!__assert_fail").passing(map[cpu.Reg]uint64{cpu.RDI: assertionAt, cpu.RSI: fileAt}), ""},
		{narrow("!raise").passing(elf), ""},
	} {
		s := facts{in: tt.s.Input}
		if got := s.passedAssertion(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.s.Frames[1].function(), got, tt.want)
		}
	}
}
