package pe

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// An armStep is an instruction of a prolog, the one that undoes it, and its
// unwind code.
type armStep struct {
	insn, undo string
	code       []byte
}

func pair(z int, reg int, first, second uint8) []byte {
	v := int(first)<<8 | int(second) | reg<<6 | z
	return []byte{byte(v >> 8), byte(v)}
}

// stp is a store of x registers at an offset that is no push.
func stp(a, b, off int, code []byte) armStep {
	return armStep{fmt.Sprintf("stp x%d,x%d,[sp,#%d]", a, b, off), fmt.Sprintf("ldp x%d,x%d,[sp,#%d]", a, b, off), code}
}

// stpPush is one that makes room.
func stpPush(regs string, size int, code []byte) armStep {
	op := "tp"
	if len(regs) <= 3 {
		op = "tr"
	}
	return armStep{fmt.Sprintf("s%s %s,[sp,#-%d]!", op, regs, size), fmt.Sprintf("ld%s %s,[sp],#%d", op[1:], regs, size), code}
}

func armAllocStep(rnd *rand.Rand, size int) armStep {
	units := size / 16
	code := []byte{0xe0, byte(units >> 16), byte(units >> 8), byte(units)}
	switch {
	case units < 32 && rnd.IntN(3) > 0:
		code = []byte{byte(units)}
	case units < 1<<11 && rnd.IntN(3) > 0:
		code = []byte{0xc0 | byte(units>>8), byte(units)}
	}
	return armStep{fmt.Sprintf("sub sp,sp,#%d", size), fmt.Sprintf("add sp,sp,#%d", size), code}
}

// randomArm makes a prolog of every unwind code that stands for an instruction.
func randomArm(rnd *rand.Rand) (steps []armStep) {
	add := func(s ...armStep) { steps = append(steps, s...) }
	if rnd.IntN(4) == 0 {
		add(armStep{"pacibsp", "autibsp", []byte{0xfc}})
	}
	const area = 160
	next := 19 // the next register to save
	switch rnd.IntN(6) {
	case 0:
		add(stpPush("x19,x20", area, []byte{0x20 | area/8}))
		next = 21
		if rnd.IntN(2) == 0 {
			add(stp(21, 22, 16, []byte{0xe6}), stp(23, 24, 32, []byte{0xe6}))
			next = 25
		}
	case 1:
		add(stpPush("x19,x20", area, pair(area/8-1, 0, 0xcc, 0)))
		next = 21
	case 2:
		add(stpPush("x19", area, []byte{0xd4, area/8 - 1}))
		next = 20
	case 3:
		add(stpPush("d8,d9", area, []byte{0xda, area/8 - 1}))
	case 4:
		add(stpPush("d8", area, []byte{0xde, area/8 - 1}))
	case 5:
		add(armAllocStep(rnd, area))
	}
	slot := 48
	for next <= 26 && rnd.IntN(4) > 0 {
		x, z := next-19, slot/8
		switch kind := rnd.IntN(5); {
		case kind == 0:
			add(stp(next, next+1, slot, pair(z, x, 0xc8, 0)))
			if rnd.IntN(2) == 0 && next <= 24 {
				next, slot = next+2, slot+16
				add(stp(next, next+1, slot, []byte{0xe6}))
			}
			next++
		case kind == 1:
			add(armStep{fmt.Sprintf("str x%d,[sp,#%d]", next, slot), fmt.Sprintf("ldr x%d,[sp,#%d]", next, slot), pair(z, x, 0xd0, 0)})
		case kind == 2:
			add(stp(next, next+1, slot, []byte{0xe7, 0x40 | byte(next), byte(slot / 16)})) // save_any_reg
			next++
		case kind == 3:
			off := fmt.Sprintf("[sp,#%d]", slot)
			add(armStep{"stp d10,d11," + off, "ldp d10,d11," + off, pair(z, 2, 0xd8, 0)})
			next--
		default:
			add(armStep{"nop", "nop", []byte{0xe3}})
			next--
		}
		next, slot = next+1, slot+16
		if slot >= area-16 {
			break
		}
	}
	return append(steps, randomChain(rnd, next, area)...)
}

// randomChain saves fp and lr, or lr with another register, or nothing.
func randomChain(rnd *rand.Rand, next, area int) (steps []armStep) {
	add := func(s ...armStep) { steps = append(steps, s...) }
	off := 0
	size := 16 * (1 + rnd.IntN(60))
	switch rnd.IntN(5) {
	case 0:
		return nil
	case 1:
		if next%2 == 0 || next > 27 {
			return nil
		}
		add(stp(next, 30, area-16, pair((area-16)/8, (next-19)/2, 0xd6, 0)))
		return append(steps, armAllocStep(rnd, size))
	case 2:
		size = min(size, 512)
		add(stpPush("x29,x30", size, []byte{0x80 | byte(size/8-1)}))
	default:
		off = 8 * rnd.IntN(2) * (size/8 - 2)
		off = min(off, 504)
		add(armAllocStep(rnd, size), stp(29, 30, off, []byte{0x40 | byte(off/8)}))
	}
	if off == 0 {
		add(armStep{"mov x29,sp", "mov sp,x29", []byte{0xe1}})
	} else {
		add(armStep{fmt.Sprintf("add x29,sp,#%d", off), fmt.Sprintf("sub sp,x29,#%d", off), []byte{0xe2, byte(off / 8)}})
	}
	return append(steps, armAllocStep(rnd, 16*(1+rnd.IntN(5000))))
}

// TestARM64Recovers runs random functions instruction by instruction. Each has
// its epilog described by the codes of the prolog, or by codes of its own.
func TestARM64Recovers(t *testing.T) {
	t.Parallel()
	for seed := range uint64(600) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		steps := randomArm(rnd)
		var p armProgram
		var codes []byte
		for _, s := range slices.Backward(steps) {
			p.epilog = append(p.epilog, s.undo)
			codes = append(codes, s.code...)
		}
		for _, s := range steps {
			p.prolog = append(p.prolog, s.insn)
		}
		p.epilog = append(p.epilog, "ret")
		codes = append(codes, 0xe4)
		index := 0
		if rnd.IntN(2) == 0 { // codes of its own, behind those of the prolog
			index = len(codes)
			codes = append(codes, codes...)
		}
		start := uint32(len(p.prolog) + bodySize)
		p.record = armXdata(t, p.size()/4, start, codes, index, rnd.IntN(2) == 0)
		if err := p.run(t); err != nil {
			t.Fatalf("seed %d: %v\n%q\n% x", seed, err, p.insns(), codes)
		}
	}
}
