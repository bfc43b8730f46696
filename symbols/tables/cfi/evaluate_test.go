package cfi

import (
	"fmt"
	"math/rand/v2"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/postfix"
	"crashglass/core/stack/unwind"
)

// A machineState is random registers, and memory that is random everywhere: two sets of
// rules that find the same values in it say the same.
type machineState struct {
	arch *cpu.Arch
	seed uint64
	regs map[string]uint64
	cfa  *uint64
}

func newState(arch *cpu.Arch, seed uint64) *machineState {
	s := &machineState{arch: arch, seed: seed, regs: map[string]uint64{}}
	rnd := rand.New(rand.NewPCG(seed, 1))
	for _, name := range arch.Regs {
		s.regs[name] = rnd.Uint64() & arch.Mask()
	}
	return s
}

// Get implements postfix.Env.
func (s *machineState) Get(name string) (uint64, bool) {
	if name == ".cfa" {
		if s.cfa == nil {
			return 0, false
		}
		return *s.cfa, true
	}
	reg, ok := s.arch.Reg(name)
	if !ok {
		return 0, false
	}
	return s.regs[s.arch.RegName(reg)], true
}

// Set implements postfix.Env.
func (s *machineState) Set(string, uint64) {}

// Word implements postfix.Env.
func (s *machineState) Word(addr uint64) (uint64, bool) {
	return rand.New(rand.NewPCG(addr, s.seed)).Uint64() & s.arch.Mask(), true
}

// caller are the registers that rules find for the caller, by name; "lost"
// where there is no value. What is not mentioned is kept if the ABI says so.
func (s *machineState) caller(rules []unwind.Rule) map[string]string {
	out := map[string]string{}
	for i, name := range s.arch.Regs {
		if s.arch.CalleeSaved.Has(cpu.Reg(i)) {
			out[name] = fmt.Sprintf("%#x", s.regs[name])
		}
	}
	s.cfa = nil
	for _, r := range rules {
		if r.Reg == ".cfa" {
			if v, err := s.value(r.Text()); err == nil {
				s.cfa = &v
			}
		}
	}
	for _, r := range rules {
		name := r.Reg
		if reg, ok := s.arch.Reg(name); ok {
			name = s.arch.RegName(reg)
		} else if name != ".cfa" && name != ".ra" {
			continue
		}
		out[name] = "lost"
		if v, err := s.value(r.Text()); err == nil {
			out[name] = fmt.Sprintf("%#x", v)
		}
	}
	return out
}

func (s *machineState) value(expr string) (uint64, error) {
	m := postfix.Machine{Env: s, Size: s.arch.Word}
	return m.Value(expr)
}

// apply changes rules by those of a row, as readers of symbol files do.
func apply(rules, row []unwind.Rule) []unwind.Rule {
	out := append([]unwind.Rule(nil), rules...)
next:
	for _, c := range row {
		for i := range out {
			if out[i].Reg == c.Reg {
				out[i] = c
				continue next
			}
		}
		out = append(out, c)
	}
	return out
}
