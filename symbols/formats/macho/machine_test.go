package macho

import (
	"encoding/binary"
	"fmt"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/postfix"
	"crashglass/core/stack/unwind"
)

// A machine has registers and a stack. Tests run functions on it that they
// made up, and ask for the caller's registers at every instruction.
type machine struct {
	arch *cpu.Arch
	regs map[string]uint64
	mem  map[uint64]uint64
	cfa  *uint64
}

const stackTop = 0x7000_0000

func newMachine(arch *cpu.Arch) *machine {
	m := &machine{arch: arch, regs: map[string]uint64{}, mem: map[uint64]uint64{}}
	for i, name := range arch.Regs {
		m.regs[name] = uint64(0x1111_0000 + i) // what the caller has
	}
	m.regs[arch.RegName(arch.SP)] = stackTop
	return m
}

func (m *machine) sp() uint64         { return m.regs[m.arch.RegName(m.arch.SP)] }
func (m *machine) move(n int64)       { m.regs[m.arch.RegName(m.arch.SP)] += uint64(n) }
func (m *machine) word() int64        { return int64(m.arch.Word) }
func (m *machine) push(v uint64)      { m.move(-m.word()); m.mem[m.sp()] = v }
func (m *machine) pop(reg string)     { m.regs[reg] = m.mem[m.sp()]; m.move(m.word()) }
func (m *machine) clobber(reg string) { m.regs[reg] = 0xdead }

// Get implements postfix.Env.
func (m *machine) Get(name string) (uint64, bool) {
	if name == ".cfa" {
		if m.cfa == nil {
			return 0, false
		}
		return *m.cfa, true
	}
	reg, ok := m.arch.Reg(name)
	return m.regs[m.arch.RegName(reg)], ok
}

// Set implements postfix.Env.
func (m *machine) Set(string, uint64) {}

// Word implements postfix.Env.
func (m *machine) Word(addr uint64) (uint64, bool) { v, ok := m.mem[addr]; return v, ok }

// callerOf evaluates rules, and says in which way they are wrong: every register
// that functions keep has to have the caller's value.
func (m *machine) callerOf(rules []unwind.Rule, caller *machine, ra, cfa uint64) error {
	m.cfa = nil
	got := map[string]uint64{}
	for _, r := range rules {
		eval := postfix.Machine{Env: m, Size: m.arch.Word}
		v, err := eval.Value(r.Text())
		if err != nil {
			return fmt.Errorf("%s: %s: %w", r.Reg, r.Text(), err)
		}
		if r.Reg == ".cfa" {
			m.cfa = &v
		}
		name := r.Reg
		if reg, ok := m.arch.Reg(name); ok {
			name = m.arch.RegName(reg)
		}
		got[name] = v
	}
	if got[".cfa"] != cfa || got[returnAddress] != ra {
		return fmt.Errorf("CFA %#x and return address %#x, want %#x and %#x", got[".cfa"], got[returnAddress], cfa, ra)
	}
	for i, name := range m.arch.Regs {
		if !m.arch.CalleeSaved.Has(cpu.Reg(i)) {
			continue
		}
		v, ok := got[name]
		if !ok {
			v = m.regs[name]
		}
		if v != caller.regs[name] {
			return fmt.Errorf("%s is %#x, want %#x", name, v, caller.regs[name])
		}
	}
	return nil
}

// A step is an instruction, and what it does.
type step struct {
	code []byte
	do   func(*machine)
}

// program lays steps out, with the offset of each.
func program(steps []step) (code []byte, at []int) {
	for _, s := range steps {
		at = append(at, len(code))
		code = append(code, s.code...)
	}
	return code, at
}

func le32(n int64) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(n)) }
