package symbolsource

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// A fake answers with the test's values.
type fake struct {
	loc           symbolize.Location
	fn            unwind.Function
	cf            unwind.CallFrame
	win           unwind.WinFrame
	hasLoc, hasFn bool
	hasCF, hasWin bool
}

func (f *fake) Locate(uint64) (symbolize.Location, bool)  { return f.loc, f.hasLoc }
func (f *fake) Function(uint64) (unwind.Function, bool)   { return f.fn, f.hasFn }
func (f *fake) CallFrame(uint64) (unwind.CallFrame, bool) { return f.cf, f.hasCF }
func (f *fake) WinFrame(uint64) (unwind.WinFrame, bool)   { return f.win, f.hasWin }
func (f *fake) HasNames() bool                            { return true }
func (f *fake) HasCode() bool                             { return false }

// good is a source without a fault at 0x104.
func good() *fake {
	return &fake{
		loc: symbolize.Location{Function: "f", Start: 0x100, Size: 8, File: "a", Line: 1, LineStart: 0x104}, hasLoc: true,
		fn: unwind.Function{Name: "f", Start: 0x100, Size: 8}, hasFn: true,
		cf: unwind.CallFrame{Start: 0x100, Size: 8, Rules: []unwind.Rule{{Reg: unwind.CFA, From: unwind.ParseValue("1")}, {Reg: "$a", From: unwind.ParseValue("2")}}}, hasCF: true,
		win: unwind.WinFrame{Start: 0x100, Size: 8, Program: "p"}, hasWin: true,
	}
}

// TestComplaints breaks one contract at a time, to show that the suite finds it.
func TestComplaints(t *testing.T) {
	tests := []struct {
		want  string
		spoil func(*fake)
	}{
		{"", func(f *fake) {}},
		{"Locate and Function disagree on whether anything is there", func(f *fake) { f.hasFn = false }},
		{"Locate has no name; Function and Locate disagree", func(f *fake) { f.loc.Function = "" }},
		{"the function starts above the address; the function ends below the address; Function and Locate disagree", func(f *fake) { f.loc.Start = 0x105 }},
		{"a public symbol has an end or inlined calls", func(f *fake) { f.loc.Public, f.fn.Public = true, true }},
		{"the function ends below the address; Function and Locate disagree", func(f *fake) { f.loc.Size = 4 }},
		{"the line starts above the address", func(f *fake) { f.loc.LineStart = 0x105 }},
		{"Function and Locate disagree", func(f *fake) { f.fn.Size = 9 }},
		{"Locate knows nothing, but says something", func(f *fake) { f.hasLoc, f.hasFn = false, false }},
		{"CallFrame does not cover the address", func(f *fake) { f.cf.Size = 4 }},
		{"CallFrame has no rules", func(f *fake) { f.cf.Rules = nil }},
		{"CallFrame has a rule without a register or expression", func(f *fake) { f.cf.Rules[1].From = unwind.ParseValue(" ") }},
		{"CallFrame has two rules for cfa", func(f *fake) { f.cf.Rules[0].Reg = "$cfa"; f.cf.Rules[1].Reg = "cfa" }},
		{"WinFrame does not cover the address", func(f *fake) { f.win.Start = 0x105; f.win.Size = 2 }},
		{"WinFrame has both a program and a flag for when there is none", func(f *fake) { f.win.AllocatesEBP = true }},
	}
	for _, tt := range tests {
		f := good()
		tt.spoil(f)
		if got := strings.Join(complaints(f, 0x104), "; "); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestAddressesReachTheEnds(t *testing.T) {
	s := Suite{Top: 100, Known: []Known{{Rel: 77}}}
	for _, want := range []uint64{0, 76, 77, 78, ^uint64(0)} {
		if !slices.Contains(s.addresses(), want) {
			t.Errorf("%#x is not queried", want)
		}
	}
}
