package macho

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"crashglass/core/cpu"
)

// An armFunction is made up: which pairs of registers it saves, x29 and x30
// among them or not, and how.
type armFunction struct {
	framed  bool
	signed  bool // pacibsp and retab
	pairs   []int
	floats  int // pairs of d8 and up
	locals  int64
	grouped bool // one sub for all, instead of one store that moves the stack pointer
}

func armName2(n int) string { return cpu.ARM64.RegName(cpu.Reg(n)) }

// size is how much is saved, in bytes.
func (fn *armFunction) size() int64 {
	n := int64(len(fn.pairs) + fn.floats)
	if fn.framed {
		n++
	}
	return 16 * n
}

// pair is stp or ldp of two registers at an offset from sp, or of floating
// point ones for reg 0. With moves the offset is what sp moves by.
func armPairStep(load bool, reg int, off int64, moves bool) step {
	w := uint32(0xa900_03e0)
	lo, hi := reg+1, reg // the higher register has the lower address, except for x29 and x30
	if reg == 29 {
		lo, hi = 29, 30
	}
	if reg == 0 {
		w, lo, hi = 0x6d00_03e0, 9, 8
	}
	switch {
	case moves && load:
		w ^= 0x0180_0000 // after the load: 00 1 instead of 10
	case moves:
		w |= 0x0080_0000
	}
	if load {
		w |= 0x0040_0000
	}
	w |= uint32(lo) | uint32(hi)<<10 | uint32(off/8)&0x7f<<15
	return step{le32(int64(w)), func(m *machine) {
		at := off
		if moves && !load {
			m.move(off)
		}
		if moves {
			at = 0
		}
		for i, n := range []int{lo, hi} {
			addr := m.sp() + uint64(at) + uint64(8*i)
			switch {
			case reg == 0:
			case load:
				m.regs[armName2(n)] = m.mem[addr]
			default:
				m.mem[addr] = m.regs[armName2(n)]
			}
		}
		if moves && load {
			m.move(off)
		}
	}}
}

func armMove(op uint32, n int64, do func(*machine)) step {
	return step{le32(int64(op | uint32(n)<<10)), do}
}

// saves are the pairs from the highest address down.
func (fn *armFunction) saves() (out []int) {
	if fn.framed {
		out = append(out, 29)
	}
	out = append(out, fn.pairs...)
	for range fn.floats {
		out = append(out, 0)
	}
	return out
}

// steps are the whole function: it spoils what it has saved, and returns.
func (fn *armFunction) steps() (out []step) {
	saves, size := fn.saves(), fn.size()
	all := size + fn.locals
	if fn.signed {
		out = append(out, step{le32(0xd503237f), func(*machine) {}})
	}
	at := func(i int) int64 { return all - int64(16*(i+1)) }
	if fn.grouped && all > 0 {
		out = append(out, armMove(0xd10003ff, all, func(m *machine) { m.move(-all) }))
	}
	for i, reg := range saves {
		if fn.grouped {
			out = append(out, armPairStep(false, reg, at(i), false))
		} else {
			out = append(out, armPairStep(false, reg, -16, true))
		}
		if reg == 29 {
			to := int64(0)
			if fn.grouped {
				to = at(i)
			}
			out = append(out, armMove(0x910003fd, to, func(m *machine) { m.regs["fp"] = m.sp() + uint64(to) }))
		}
	}
	if !fn.grouped && fn.locals > 0 {
		out = append(out, armMove(0xd10003ff, fn.locals, func(m *machine) { m.move(-fn.locals) }))
	}
	out = append(out, step{le32(0xaa0003f3), func(m *machine) { // mov x19, x0
		for _, n := range fn.pairs {
			m.clobber(armName2(n))
			m.clobber(armName2(n + 1))
		}
	}}, step{le32(0xaa0003f3), func(*machine) {}})
	if !fn.grouped && fn.locals > 0 {
		out = append(out, armMove(0x910003ff, fn.locals, func(m *machine) { m.move(fn.locals) }))
	}
	for i := len(saves) - 1; i >= 0; i-- {
		if fn.grouped {
			out = append(out, armPairStep(true, saves[i], at(i), false))
		} else {
			out = append(out, armPairStep(true, saves[i], 16, true))
		}
	}
	if fn.grouped && all > 0 {
		out = append(out, armMove(0x910003ff, all, func(m *machine) { m.move(all) }))
	}
	ret := int64(0xd65f03c0)
	if fn.signed {
		ret = 0xd65f0fff
	}
	return append(out, step{le32(ret), nil})
}

func (fn *armFunction) encoding() uint32 {
	e := uint32(armFrameless | (fn.size()+fn.locals)/16<<12)
	if fn.framed {
		e = armFrame
	}
	for _, n := range fn.pairs {
		e |= 1 << ((n - 19) / 2)
	}
	for i := range fn.floats {
		e |= 0x100 << i
	}
	return e
}

// TestArmFunctions runs made-up functions, and unwinds them at every instruction.
func TestArmFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 72))
	for range 300 {
		fn := &armFunction{framed: r.IntN(2) == 0, signed: r.IntN(2) == 0, grouped: r.IntN(2) == 0, floats: r.IntN(3), locals: 16 * int64(r.IntN(9))}
		for _, n := range []int{19, 21, 23, 25, 27} {
			if r.IntN(2) == 0 {
				fn.pairs = append(fn.pairs, n)
			}
		}
		code, at := program(fn.steps())
		m := &testImage{cpu: cpuARM64, sub: 2, kind: 2, code: append(bytes.Repeat(le32(0xd4200000), 8), code...),
			unwind: unwindInfoOf(t, uint32(0x1020+len(code)), 0x1000, 0, 0x1020, fn.encoding()), starts: uleb(0x1000, 0x20, 0)}
		runFunction(t, fmt.Sprintf("%+v", *fn), m.open(t), &cpu.ARM64, fn.steps(), at, func(m *machine) { m.regs["lr"] = 0xcafe }, stackTop)
	}
}

func TestArmJumps(t *testing.T) {
	const b, undo, ret, nop = 0x17fffff8, 0xa8c17bfd, 0xd65f03c0, 0xaa0003f3
	for _, tt := range []struct {
		name string
		code []int64 // from 0x1020 on, with a frame
		at   uint64
		cfa  string
	}{
		{"to another function", []int64{undo, b - 1, nop}, 4, "sp 0 +"},
		{"before it", []int64{undo, b - 1, nop}, 0, "sp 16 +"},
		{"to a cold part", []int64{nop, b - 1, nop}, 4, "x29 16 +"},
		{"in the function", []int64{undo, 0x17ffffff, nop}, 4, "x29 16 +"},
		{"to nowhere", []int64{undo, 0x15ffffff, nop}, 4, "x29 16 +"},
		{"a load of something else", []int64{nop, 0xf94003e0, 0xf94003e0, nop}, 4, "x29 16 +"},
		{"a load that moves down", []int64{nop, 0xa8ff7bfd, ret}, 4, "x29 16 +"},
	} {
		code := bytes.Repeat(le32(nop), 8)
		for _, w := range tt.code {
			code = append(code, le32(w)...)
		}
		m := &testImage{cpu: cpuARM64, kind: 2, code: code, starts: uleb(0x1000, 0x20, 0), unwind: unwindInfoOf(t, uint32(0x1000+len(code)), 0x1000, 0, 0x1020, armFrame)}
		cf, ok := m.open(t).CallFrame(0x1020 + tt.at)
		if !ok || cf.Rules[0].Expr != tt.cfa {
			t.Errorf("%s: %+v, %v, want %s", tt.name, cf, ok, tt.cfa)
		}
	}
}
