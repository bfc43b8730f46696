package macho

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
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

// armPairStep is stp or ldp of two registers at an offset from sp, or of floating
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
			unwind: unwindInfoOf(t, uint32(0x1020+len(code)), 0x1000, 0, 0x1020, fn.encoding()), starts: asm.ULEB(0x1000, 0x20, 0)}
		runFunction(t, fmt.Sprintf("%+v", *fn), m.open(t), &cpu.ARM64, fn.steps(), at, func(m *machine) { m.regs["lr"] = 0xcafe }, stackTop)
	}
}

// armJumps has code from 0x1020 on, behind another function.
func armJumps(t *testing.T, encoding uint32, words []uint32) *File {
	t.Helper()
	code := bytes.Repeat(le32(armNop), 8)
	for _, w := range words {
		code = append(code, le32(int64(w))...)
	}
	m := &testImage{cpu: cpuARM64, kind: 2, code: code, starts: asm.ULEB(0x1000, 0x20, 0), unwind: unwindInfoOf(t, uint32(0x1000+len(code)), 0x1000, 0, 0x1020, encoding)}
	return m.open(t)
}

// Instructions of tests.
const (
	armNop     = 0xaa0003f3 // mov x19, x0
	armUndo    = 0xa8c17bfd // ldp x29, x30, [sp], #16
	armAutibsp = 0xd50323ff
	armEor     = 0xca1e07d0 // eor x16, x30, x30, lsl #1
	armTbz     = 0xb6f00050 // tbz x16, #62, .+8
	armBrk     = 0xd4388e20 // brk #0xc471
	armBr      = 0xd61f0200 // br x16
	armSpilled = 0xf94007f0 // ldr x16, [sp, #8]
)

func TestArmJumps(t *testing.T) {
	const b, undo, ret, nop = 0x17fffff8, armUndo, 0xd65f03c0, armNop
	for _, tt := range []struct {
		name string
		code []uint32 // from 0x1020 on, with a frame
		at   uint64
		cfa  string
	}{
		{"to another function", []uint32{undo, b - 1, nop}, 4, "sp 0 +"},
		{"before it", []uint32{undo, b - 1, nop}, 0, "sp 16 +"},
		{"to a cold part", []uint32{nop, b - 1, nop}, 4, "x29 16 +"},
		{"to a cold part behind a spilled value", []uint32{nop, armSpilled, b - 2, nop}, 4, "x29 16 +"},
		{"in the function", []uint32{undo, 0x17ffffff, nop}, 4, "x29 16 +"},
		{"to nowhere", []uint32{undo, 0x15ffffff, nop}, 4, "x29 16 +"},
		{"a load of something else", []uint32{nop, 0xf94003e0, 0xf94003e0, nop}, 4, "x29 16 +"},
		{"a load that moves down", []uint32{nop, 0xa8ff7bfd, ret}, 4, "x29 16 +"},
		{"behind a check of the signature", []uint32{undo, armAutibsp, b - 2, nop}, 8, "sp 0 +"},
	} {
		cf, ok := armJumps(t, armFrame, tt.code).CallFrame(0x1020 + tt.at)
		if !ok || cf.Rules[0].Text() != tt.cfa {
			t.Errorf("%s: %+v, %v, want %s", tt.name, cf, ok, tt.cfa)
		}
	}
}

// TestArmTailCalls has tail calls through registers, and what looks like one.
// The frame is of x29 and x30; others are without, of 32 bytes.
func TestArmTailCalls(t *testing.T) {
	const frameless = armFrameless | 2<<12
	for _, tt := range []struct {
		name     string
		encoding uint32
		code     []uint32 // behind an instruction of the body
		cfa      []string // at each instruction
	}{
		{"ldp x29, x30, [sp], #16; br x16", armFrame, []uint32{armUndo, armBr}, []string{"sp 16 +", "sp 0 +"}},
		{"ldp x29, x30, [sp], #16; braa x1, x2", armFrame, []uint32{armUndo, 0xd71f0822}, []string{"sp 16 +", "sp 0 +"}},
		{"ldp x29, x30, [sp], #16; braaz x3", armFrame, []uint32{armUndo, 0xd61f087f}, []string{"sp 16 +", "sp 0 +"}},
		{"ldp x29, x30, [sp, #16]; add sp, sp, #32; br x16", armFrame, []uint32{0xa9417bfd, 0x910083ff, armBr}, []string{"sp 32 +", "sp 32 +", "sp 0 +"}},
		{"ldp x29, x30, [sp], #16; autibsp; br x16", armFrame, []uint32{armUndo, armAutibsp, armBr}, []string{"sp 16 +", "sp 0 +", "sp 0 +"}},
		{"the same, checked", armFrame, []uint32{armUndo, armAutibsp, armEor, armTbz, armBrk, armBr},
			[]string{"sp 16 +", "sp 0 +", "sp 0 +", "sp 0 +", "sp 0 +", "sp 0 +"}},
		{"the same, to a function: b 0x1000", armFrame, []uint32{armUndo, armAutibsp, armEor, armTbz, armBrk, 0x17fffff2},
			[]string{"sp 16 +", "sp 0 +", "sp 0 +", "sp 0 +", "sp 0 +", "sp 0 +"}},
		{"a switch", armFrame, []uint32{armNop, armBr}, []string{"", "x29 16 +"}},
		{"a switch by a spilled value", armFrame, []uint32{armNop, armSpilled, armBr}, []string{"", "x29 16 +", "x29 16 +"}},
		{"brk #1; b 0x1000", armFrame, []uint32{armNop, 0xd4200020, 0x17fffff5}, []string{"", "x29 16 +", "x29 16 +"}},
		{"add sp, sp, #32; br x16", frameless, []uint32{0x910083ff, armBr}, []string{"sp 32 +", "sp 0 +"}},
		{"ldp x20, x19, [sp], #16; add sp, sp, #16; br x16", frameless, []uint32{0xa8c14ff4, 0x910043ff, armBr}, []string{"sp 32 +", "sp 16 +", "sp 0 +"}},
		{"add sp, sp, #16; br x16: not all of the frame", frameless, []uint32{armNop, 0x910043ff, armBr}, []string{"", "sp 32 +", "sp 32 +"}},
		{"a switch in a function without a frame", armFrameless, []uint32{armNop, armBr}, []string{"sp 0 +", "sp 0 +"}},
	} {
		f := armJumps(t, tt.encoding, append([]uint32{armNop}, tt.code...))
		for i, cfa := range tt.cfa {
			if cf, ok := f.CallFrame(0x1024 + 4*uint64(i)); cfa != "" && (!ok || cf.Rules[0].Text() != cfa) {
				t.Errorf("%s: instruction %d: %+v, %v, want %s", tt.name, i, cf, ok, cfa)
			}
		}
	}
}
