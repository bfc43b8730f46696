// Package symbolsource is a conformance suite for symbol readers: of .sym files, DWARF and PDB
// files. It checks the contracts of symbolize.Source and unwind.Rules, with a file whose content
// the test knows.
//
//	symbolsource.Test(t, symbolsource.Suite{
//		Open:  func(t *testing.T) symbolsource.Source { ... },
//		Known: []symbolsource.Known{{Rel: 0x1004, Location: ...}},
//	})
//
// The Suite names the properties that a format cannot have; nothing is skipped silently.
package symbolsource

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"

	"crashglass/core/process/module"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/values/variables"
)

// A Source is the tested reader.
type Source interface {
	symbolize.Source
	unwind.Rules
}

// A Known is an answer that the test expects.
type Known struct {
	Rel      uint64
	Location symbolize.Location
	None     bool // the address is unknown
}

// A Suite is a source with its expected properties.
type Suite struct {
	Open  func(t *testing.T) Source // a fresh one each time
	Known []Known
	Top   uint64 // random addresses are below this; 0 means 64 KiB

	// Overlaps says that functions of the file overlap, so that a function may
	// not own all of its range.
	Overlaps bool
}

// Test runs the suite.
func Test(t *testing.T, s Suite) {
	if s.Top == 0 {
		s.Top = 64 << 10
	}
	t.Run("known", func(t *testing.T) { s.known(t) })
	t.Run("sound", func(t *testing.T) { s.sound(t) })
	t.Run("whole functions", func(t *testing.T) { s.wholeFunctions(t) })
	t.Run("same again", func(t *testing.T) { s.sameAgain(t) })
	t.Run("answers belong to the caller", func(t *testing.T) { s.ownership(t) })
	t.Run("several goroutines", func(t *testing.T) { s.concurrent(t) })
}

// known compares the answers with those that the suite was given.
func (s *Suite) known(t *testing.T) {
	src := s.Open(t)
	if len(s.Known) == 0 {
		t.Error("the suite knows no answer")
	}
	for _, k := range s.Known {
		loc, ok := src.Locate(k.Rel)
		if ok == k.None || ok && !reflect.DeepEqual(loc, k.Location) {
			t.Errorf("Locate(%#x) = %+v, %v, want %+v, %v", k.Rel, loc, ok, k.Location, !k.None)
		}
	}
}

// addresses returns the addresses of known answers, the ends of the address space, and random ones
// from a fixed seed.
func (s *Suite) addresses() []uint64 {
	out := []uint64{0, 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 63, ^uint64(0) - 1, ^uint64(0)}
	for _, k := range s.Known {
		out = append(out, k.Rel-1, k.Rel, k.Rel+1)
	}
	rnd := rand.New(rand.NewPCG(5, s.Top))
	for range 2000 {
		out = append(out, rnd.Uint64N(s.Top))
	}
	return out
}

// sound checks what must be true of any answer, whatever the file says.
func (s *Suite) sound(t *testing.T) {
	src := s.Open(t)
	for _, rel := range s.addresses() {
		for _, complaint := range complaints(src, rel) {
			t.Errorf("%#x: %s", rel, complaint)
		}
	}
}

// complaints lists the contradictions between the answers for one address, and their violations of
// the contracts.
func complaints(src Source, rel uint64) (out []string) {
	check := func(ok bool, complaint string) {
		if !ok {
			out = append(out, complaint)
		}
	}
	loc, ok := src.Locate(rel)
	fn, fnOK := src.Function(rel)
	check(ok == fnOK, "Locate and Function disagree on whether anything is there")
	if ok {
		check(loc.Function != "", "Locate has no name")
		check(loc.Start <= rel, "the function starts above the address")
		check(!loc.Public || loc.Size == 0 && len(loc.Inlines) == 0, "a public symbol has an end or inlined calls")
		check(loc.Public || loc.Size == 0 || rel-loc.Start < loc.Size, "the function ends below the address")
		check(loc.File == "" && loc.Line == 0 || loc.LineStart <= rel, "the line starts above the address")
		check(fn.Name == loc.Function && fn.Start == loc.Start && fn.Size == loc.Size && fn.Public == loc.Public, "Function and Locate disagree")
	} else {
		check(reflect.DeepEqual(loc, symbolize.Location{}), "Locate knows nothing, but says something")
	}
	if cf, ok := src.CallFrame(rel); ok {
		check(cf.Start <= rel && rel-cf.Start < cf.Size, "CallFrame does not cover the address")
		check(len(cf.Rules) > 0, "CallFrame has no rules")
		seen := map[string]bool{}
		for _, r := range cf.Rules {
			name := strings.TrimPrefix(r.Reg, "$")
			check(name != "" && strings.TrimSpace(r.Text()) != "", "CallFrame has a rule without a register or expression")
			check(!seen[name], "CallFrame has two rules for "+r.Reg)
			seen[name] = true
		}
	}
	if w, ok := src.WinFrame(rel); ok {
		check(w.Start <= rel && rel-w.Start < w.Size, "WinFrame does not cover the address")
		check(w.Program == "" || !w.AllocatesEBP, "WinFrame has both a program and a flag for when there is none")
	}
	return out
}

// wholeFunctions checks that all addresses of a function give the same function.
func (s *Suite) wholeFunctions(t *testing.T) {
	if s.Overlaps {
		t.Skip("functions overlap")
	}
	src := s.Open(t)
	for _, rel := range s.addresses() {
		fn, ok := src.Function(rel)
		if !ok || fn.Size == 0 {
			continue
		}
		for _, at := range []uint64{fn.Start, fn.Start + fn.Size - 1} {
			if other, ok := src.Function(at); !ok || other != fn {
				t.Errorf("%#x is in %+v, but %#x is in %+v", rel, fn, at, other)
			}
		}
	}
}

// An answers is every answer of a source for an address.
type answers struct {
	loc symbolize.Location
	fn  unwind.Function
	cf  unwind.CallFrame
	win unwind.WinFrame
	ok  [4]bool
}

// query returns all answers that there are about an address.
func query(src Source, rel uint64) (a answers) {
	a.loc, a.ok[0] = src.Locate(rel)
	a.fn, a.ok[1] = src.Function(rel)
	a.cf, a.ok[2] = src.CallFrame(rel)
	a.win, a.ok[3] = src.WinFrame(rel)
	return a
}

// sameAgain checks that an answer does not depend on earlier queries.
func (s *Suite) sameAgain(t *testing.T) {
	forward, backward := s.Open(t), s.Open(t)
	addrs := s.addresses()
	first := make([]answers, len(addrs))
	for i, rel := range addrs {
		first[i] = query(forward, rel)
	}
	for i := len(addrs) - 1; i >= 0; i-- {
		if got := query(backward, addrs[i]); !reflect.DeepEqual(got, first[i]) {
			t.Errorf("%#x: after others %+v, before them %+v", addrs[i], got, first[i])
		}
	}
}

// ownership checks that a change of one answer changes no other.
func (s *Suite) ownership(t *testing.T) {
	src := s.Open(t)
	for _, rel := range s.addresses() {
		before := query(src, rel)
		spoiled := query(src, rel)
		for i := range spoiled.loc.Inlines {
			spoiled.loc.Inlines[i] = symbolize.Inline{Function: "spoiled"}
		}
		for i := range spoiled.cf.Rules {
			spoiled.cf.Rules[i] = unwind.Rule{Reg: "spoiled"}
		}
		if after := query(src, rel); !reflect.DeepEqual(before, after) {
			t.Errorf("%#x: %+v became %+v", rel, before, after)
		}
	}
}

// concurrent queries from several goroutines at once, and expects the answers of one. Each queries other
// addresses, so that lazily read parts are read by several at once. The race detector sees the rest.
func (s *Suite) concurrent(t *testing.T) {
	src := s.Open(t)
	addrs := s.addresses()
	want := make([]answers, len(addrs))
	reference := s.Open(t)
	for i, rel := range addrs {
		want[i] = query(reference, rel)
	}
	var wait sync.WaitGroup
	for g := range 4 {
		wait.Go(func() {
			for i := g; i < len(addrs); i += 1 + g {
				if got := query(src, addrs[i]); !reflect.DeepEqual(got, want[i]) {
					t.Errorf("%#x: %+v, alone %+v", addrs[i], got, want[i])
				}
			}
		})
	}
	wait.Wait()
}

// A Bare is a reader as the symbols of a module that have names and unwind rules only: the Source of package analyze.
type Bare struct{ Source }

// ReadImage has no code.
func (Bare) ReadImage(uint64, []byte) int { return 0 }

// ReadLoaded has no code.
func (Bare) ReadLoaded(uint64, uint64, []byte) int { return 0 }

// CodeParts has no code.
func (Bare) CodeParts() []symbolize.Range { return nil }

// Rel has no layout.
func (Bare) Rel(module.Offsets, uint64) (uint64, bool) { return 0, false }

// Unanswered has no open queries.
func (Bare) Unanswered() int { return 0 }

// Variables has none.
func (Bare) Variables() variables.Symbols { return variables.Symbols{} }
