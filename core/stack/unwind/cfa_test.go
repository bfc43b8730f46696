package unwind

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// oneRule is symbols with one rule for the CFA.
type oneRule struct {
	cfa     string
	atCalls bool
}

func (o oneRule) CallFrame(uint64) (CallFrame, bool) {
	return CallFrame{Rules: []Rule{{CFA, ParseValue(o.cfa)}}, AtCalls: o.atCalls}, o.cfa != ""
}
func (oneRule) WinFrame(uint64) (WinFrame, bool) { return WinFrame{}, false }
func (oneRule) Function(uint64) (Function, bool) { return Function{}, false }

func TestCFA(t *testing.T) {
	for _, test := range []struct {
		rules oneRule
		cfa   uint64
		base  string
		ok    bool
	}{
		{rules: oneRule{cfa: "$rsp 16 +"}, cfa: 0x8010, base: "$rsp", ok: true},
		{rules: oneRule{cfa: "$rbp 16 +"}, cfa: 0, base: "$rbp"}, // the walk does not know rbp
		{rules: oneRule{cfa: "$rsp 8 + $rsp +"}, cfa: 0x1_0008, base: "", ok: true},
		{rules: oneRule{cfa: "$rsp 16 +", atCalls: true}, cfa: 0, base: ""}, // holds at calls only, and the frame was interrupted
		{rules: oneRule{cfa: ""}, cfa: 0, base: ""},
	} {
		m := module.Module{Base: 0x1000, Size: 0x1000}
		f := Frame{Frame: process.Frame{Module: &m, Instruction: 0x1010, Interrupted: true}}
		f.Regs.Set(cpu.RSP, 0x8000)
		in := Input{Arch: &cpu.AMD64, Rules: func(*module.Module) Rules { return test.rules }}
		cfa, base, ok := in.CFA(&f)
		if ok != test.ok || ok && cfa != test.cfa || base != test.base {
			t.Errorf("%s: %#x from %q, %t; want %#x from %q, %t", test.rules.cfa, cfa, base, ok, test.cfa, test.base, test.ok)
		}
	}
}

func (oneRule) HasNames() bool { return true }
func (oneRule) HasCode() bool  { return true }
