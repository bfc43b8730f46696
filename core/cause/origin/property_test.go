package origin

import (
	"math/rand"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
	"crashglass/core/report"
	"crashglass/core/testkit/sample"
)

// A step is an instruction of a random program, and what it does.
type step struct {
	code []byte
	do   func(m *machine)
	jump int // the index of the step to which a conditional jump goes; -1 for none
	to   cpu.Reg
}

// A machine executes steps, and knows which one wrote each register last.
type machine struct {
	regs  map[cpu.Reg]uint64
	mem   map[uint64]uint64
	trail []event
}

// An event is a write of a register, or of the word at from.
type event struct {
	step  int
	reg   cpu.Reg
	value uint64
	from  uint64 // the address of a load
}

func (m *machine) load(addr uint64) uint64 {
	if _, ok := m.mem[addr]; !ok {
		m.mem[addr] = 0x10_0000 + (addr*2654435761)%0x400*8
	}
	return m.mem[addr]
}

func (m *machine) store(addr, v uint64) {
	m.mem[addr] = v
	m.trail = append(m.trail, event{reg: cpu.None, from: addr})
}

// general are the registers of the programs, by their numbers in instructions.
var general = []byte{0, 1, 2, 3, 6, 7}

const base = 0x40_0000

// randomStep makes one of several instructions.
func randomStep(r *rand.Rand, steps int) step {
	a, b := general[r.Intn(len(general))], general[r.Intn(len(general))]
	ra, rb := cpu.AMD64Numbers[a], cpu.AMD64Numbers[b]
	disp := byte(r.Intn(8) * 8)
	slot := byte(-8 - 8*r.Intn(4))
	off := func(d byte) uint64 { return uint64(int64(int8(d))) }
	s := step{jump: -1, to: ra}
	loads := func(from cpu.Reg, d byte) {
		s.do = func(m *machine) {
			at := m.regs[from] + off(d)
			m.regs[ra] = m.load(at)
			m.trail[len(m.trail)-1].from = at
		}
	}
	switch r.Intn(9) {
	case 0:
		s.code, s.do = []byte{0x48, 0x89, 0xc0 | b<<3 | a}, func(m *machine) { m.regs[ra] = m.regs[rb] }
	case 1:
		s.code = []byte{0x48, 0x8b, 0x40 | a<<3 | b, disp}
		loads(rb, disp)
	case 2:
		s.code = []byte{0x48, 0x8b, 0x45 | a<<3, slot}
		loads(cpu.RBP, slot)
	case 3:
		s.to, s.code = cpu.None, []byte{0x48, 0x89, 0x45 | b<<3, slot}
		s.do = func(m *machine) { m.store(m.regs[cpu.RBP]+off(slot), m.regs[rb]) }
	case 4:
		s.to, s.code = cpu.None, []byte{0x48, 0x89, 0x40 | b<<3 | a, disp}
		s.do = func(m *machine) { m.store(m.regs[ra]+off(disp), m.regs[rb]) }
	case 5:
		s.code, s.do = []byte{0x48, 0x8d, 0x40 | a<<3 | b, disp}, func(m *machine) { m.regs[ra] = m.regs[rb] + off(disp) }
	case 6:
		s.code, s.do = []byte{0x31, 0xc0 | a<<3 | a}, func(m *machine) { m.regs[ra] = 0x0 }
	case 7:
		s.code, s.do = []byte{0x48, 0x01, 0xc0 | b<<3 | a}, func(m *machine) { m.regs[ra] += m.regs[rb] }
	default:
		s.to, s.code, s.jump, s.do = cpu.None, []byte{0x74, 0}, r.Intn(steps), func(*machine) {}
	}
	return s
}

// program makes a random program, with the addresses of its steps.
func program(r *rand.Rand) (steps []step, at []uint64, code []byte) {
	n := 4 + r.Intn(24)
	for range n {
		steps = append(steps, randomStep(r, n))
	}
	for _, s := range steps {
		at = append(at, base+uint64(len(code)))
		code = append(code, s.code...)
	}
	at = append(at, base+uint64(len(code)))
	for i, s := range steps {
		if s.jump >= 0 {
			code[at[i]-base+1] = byte(at[s.jump] - at[i+1])
		}
	}
	return steps, at, append(code, 0xc3)
}

// TestRandomPrograms executes programs and compares each link with what happened.
func TestRandomPrograms(t *testing.T) {
	links, loads, deep := 0, 0, 0
	for seed := range int64(sample.Of(3000)) {
		r := rand.New(rand.NewSource(seed))
		steps, at, code := program(r)
		m := &machine{regs: map[cpu.Reg]uint64{cpu.RBP: 0x7f_0000}, mem: map[uint64]uint64{}}
		for _, n := range general {
			m.regs[cpu.AMD64Numbers[n]] = 0x10_0000 + uint64(r.Intn(64))*8
		}
		for pc, left := 0, 200; pc < len(steps) && left > 0; left-- {
			s := &steps[pc]
			if s.to != cpu.None {
				m.trail = append(m.trail, event{step: pc, reg: s.to})
			}
			s.do(m)
			if s.to != cpu.None {
				m.trail[len(m.trail)-1].value = m.regs[s.to]
			}
			if pc++; s.jump >= 0 && r.Intn(2) == 0 {
				pc = s.jump
			}
			if left == 1 { // it may run for ever
				m = nil
				break
			}
		}
		if m == nil {
			continue
		}
		var regs cpu.Regs
		for reg, v := range m.regs {
			regs.Set(reg, v)
		}
		captured := r.Intn(4) > 0
		in := &Input{
			Arch: &cpu.AMD64, Decode: disasm.Decode,
			Code: func(addr uint64, p []byte) int {
				if addr-base >= uint64(len(code)) {
					return 0
				}
				return copy(p, code[addr-base:])
			},
			Word:   func(addr uint64) (uint64, bool) { v, ok := m.mem[addr]; return v, ok && captured },
			Frames: []Frame{{PC: at[len(steps)], Regs: regs, Start: base, End: at[len(steps)] + 1, Entry: true, Calls: true}},
		}
		reg := cpu.AMD64Numbers[general[r.Intn(len(general))]]
		got := Trace(in, reg)
		checkTrail(t, seed, got, m, at)
		links += len(got)
		for i := range got {
			if got[i].Kind == report.OriginLoad {
				loads++
			}
			if i > 2 {
				deep++
			}
		}
	}
	if links < sample.Of(2500) || loads < sample.Of(500) || deep < sample.Of(50) {
		t.Errorf("%d links, %d loads and %d of the fourth and later links are too few to show anything", links, loads, deep)
	}
}

// checkTrail follows the events backwards beside the links.
func checkTrail(t *testing.T, seed int64, links []Link, m *machine, at []uint64) {
	t.Helper()
	before := len(m.trail)
	for i := range links {
		l := &links[i]
		if l.Register == cpu.None || l.Kind == report.OriginUnknown {
			return
		}
		last := before - 1
		for last >= 0 && m.trail[last].reg != l.Register {
			last--
		}
		if l.Kind == report.OriginArgument {
			if last >= 0 {
				t.Fatalf("seed %d: link %d says that the caller passed %s, and step %d wrote it", seed, i, cpu.AMD64.RegName(l.Register), m.trail[last].step)
			}
			return
		}
		if last < 0 || at[m.trail[last].step] != l.At.Addr {
			t.Fatalf("seed %d: link %d says that %s set %s, which is not so", seed, i, l.At.Text, cpu.AMD64.RegName(l.Register))
		}
		e := m.trail[last]
		if l.Known && !l.Doubt && l.Value != e.value {
			t.Fatalf("seed %d: link %d: %s is %#x, want %#x", seed, i, cpu.AMD64.RegName(l.Register), l.Value, e.value)
		}
		if l.Placed && !l.Doubt && l.Memory != e.from {
			t.Fatalf("seed %d: link %d loaded from %#x, want %#x: %+v", seed, i, l.Memory, e.from, links)
		}
		for before = last; l.slot && (m.trail[before].reg != cpu.None || m.trail[before].from != e.from); {
			before--
		}
	}
}

// TestAnyBytes: any bytes as code, on every CPU, give an answer within the bounds.
func TestAnyBytes(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	for range sample.Of(60) {
		for _, arch := range cpu.All() {
			code := make([]byte, 8+r.Intn(120))
			for i := range code {
				code[i] = byte(r.Intn(256))
			}
			var regs cpu.Regs
			for reg := range arch.Regs {
				regs.Set(cpu.Reg(reg), uint64(r.Uint32()))
			}
			frame := Frame{PC: base + uint64(r.Intn(len(code))), Regs: regs, Start: base, End: base + uint64(len(code)), Entry: true, Calls: true}
			in := &Input{
				Arch: arch, Decode: disasm.Decode, Frames: []Frame{frame, frame},
				Code: func(addr uint64, p []byte) int {
					if addr-base >= uint64(len(code)) {
						return 0
					}
					return copy(p, code[addr-base:])
				},
				Word: func(addr uint64) (uint64, bool) { return addr, addr&1 == 0 },
			}
			for reg := range arch.Regs {
				if n := len(Trace(in, cpu.Reg(reg))); n > maxLinks+1 {
					t.Fatalf("%d links", n)
				}
			}
			TraceCall(in, base)
		}
	}
}
