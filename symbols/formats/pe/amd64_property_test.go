package pe

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
)

// A step is an instruction: its code, what it does, and, in a prolog, its
// unwind code without the offset in front.
type step struct {
	code   []byte
	do     func(*fake)
	unwind []byte
}

// A program is a function for x64, made step by step.
type program struct {
	prolog, body, epilog []step
	fp                   uint8 // frame register, 0 for none
	fpOff                int   // from rsp to it, when it is set
}

var nonvolatile = []uint8{3, 5, 6, 7, 12, 13, 14, 15}

func rex(reg uint8, b byte) []byte {
	if reg >= 8 {
		return []byte{0x41, b | reg&7}
	}
	return []byte{b | reg&7}
}

// with32 appends a number.
func with32(b []byte, n int) []byte { return binary.LittleEndian.AppendUint32(b, uint32(n)) }

func pushStep(reg uint8) step {
	return step{rex(reg, 0x50), func(f *fake) {
		f.regs["$rsp"] -= 8
		f.mem[f.regs["$rsp"]] = f.regs[amd64Regs[reg]]
	}, []byte{reg << 4}}
}

func popStep(reg uint8) step {
	return step{code: rex(reg, 0x58), do: func(f *fake) {
		f.regs[amd64Regs[reg]] = f.mem[f.regs["$rsp"]]
		f.regs["$rsp"] += 8
	}}
}

// move is mov [rsp+off], reg or the other way round.
func move(reg uint8, off int, store bool) step {
	op, prefix := byte(0x8b), byte(0x48)
	if store {
		op = 0x89
	}
	if reg >= 8 {
		prefix = 0x4c
	}
	s := step{code: with32([]byte{prefix, op, 0x84 | reg&7<<3, 0x24}, off)}
	s.do = func(f *fake) {
		at := f.regs["$rsp"] + uint64(off)
		if store {
			f.mem[at] = f.regs[amd64Regs[reg]]
		} else {
			f.regs[amd64Regs[reg]] = f.mem[at]
		}
	}
	return s
}

func addRSP(n int) step {
	c := []byte{0x48, 0x83, 0xc4, byte(n)}
	if n < -128 || n > 127 {
		c = with32([]byte{0x48, 0x81, 0xc4}, n)
	}
	return step{code: c, do: func(f *fake) { f.regs["$rsp"] += uint64(n) }}
}

// alloc is sub rsp with its unwind code.
func alloc(rnd *rand.Rand, n int) step {
	s := addRSP(-n)
	switch {
	case n <= 128 && rnd.IntN(4) > 0:
		s.unwind = []byte{opAllocSmall | byte(n/8-1)<<4}
	case rnd.IntN(3) > 0:
		s.unwind = []byte{opAllocLarge, byte(n / 8), byte(n / 8 >> 8)}
	default:
		s.unwind = with32([]byte{opAllocLarge | 1<<4}, n)
	}
	return s
}

// keep is a store with its unwind code.
func keep(rnd *rand.Rand, reg uint8, off int) step {
	s := move(reg, off, true)
	if rnd.IntN(2) == 0 {
		s.unwind = []byte{opSaveNonvol | reg<<4, byte(off / 8), byte(off / 8 >> 8)}
	} else {
		s.unwind = with32([]byte{opSaveNonvolFar | reg<<4}, off)
	}
	return s
}

// setFP is lea fp, [rsp+off].
func setFP(reg uint8, off int) step {
	return step{[]byte{0x48 | reg>>3<<2, 0x8d, 0x44 | reg&7<<3, 0x24, byte(off)}, func(f *fake) {
		f.regs[amd64Regs[reg]] = f.regs["$rsp"] + uint64(off)
	}, []byte{opSetFPReg}}
}

// leaRSP is lea rsp, [fp+off].
func leaRSP(reg uint8, off int) step {
	return step{code: with32([]byte{0x48 | reg>>3, 0x8d, 0xa0 | reg&7}, off), do: func(f *fake) {
		f.regs["$rsp"] = f.regs[amd64Regs[reg]] + uint64(off)
	}}
}

// random makes a function as compilers do: pushes, an allocation, perhaps a
// frame register, saves; a body that spoils everything that was saved; and an
// epilog that undoes it, with some way out.
func random(rnd *rand.Rand) program {
	var p program
	regs := append([]uint8(nil), nonvolatile...)
	rnd.Shuffle(len(regs), func(i, j int) { regs[i], regs[j] = regs[j], regs[i] })
	pushed := regs[:rnd.IntN(5)]
	for _, r := range pushed {
		p.prolog = append(p.prolog, pushStep(r))
	}
	size := 8 * rnd.IntN(600)
	if size > 0 {
		p.prolog = append(p.prolog, alloc(rnd, size))
	}
	if len(pushed) > 0 && rnd.IntN(3) == 0 && pushed[0]&7 != 4 { // r12 would need another encoding
		p.fp = pushed[0]
		p.fpOff = 16 * rnd.IntN(min(size/16+1, 8))
		p.prolog = append(p.prolog, setFP(p.fp, p.fpOff))
	}
	var stored []step
	for i, r := range regs[len(pushed):] {
		if 8*i+8 <= size && rnd.IntN(3) == 0 {
			p.prolog = append(p.prolog, keep(rnd, r, 8*i))
			stored = append(stored, move(r, 8*i, false))
		}
	}
	p.body = append(p.body, step{code: []byte{0x90}, do: func(*fake) {}})
	if p.fp != 0 {
		p.body = append(p.body, addRSP(-64), addRSP(64)) // alloca, and undone: the saves are found by rsp below
	}
	p.epilog = stored
	switch {
	case p.fp != 0:
		p.epilog = append(p.epilog, leaRSP(p.fp, size-p.fpOff))
	case size > 0:
		p.epilog = append(p.epilog, addRSP(size))
	}
	for i := range pushed {
		p.epilog = append(p.epilog, popStep(pushed[len(pushed)-1-i]))
	}
	exits := [][]byte{{0xc3}, {0xf3, 0xc3}, {0xf2, 0xc3}, {0xe9, 0, 0, 0, 0x10}, {0xff, 0x25, 0, 0, 0, 0}, {0x48, 0xff, 0xe0}, {0x49, 0xff, 0x63, 8}}
	p.epilog = append(p.epilog, step{code: exits[rnd.IntN(len(exits))], do: func(*fake) {}})
	return p
}

// spoil gives everything that was saved, and all that may change, other values.
func (p *program) spoil(rnd *rand.Rand, f *fake, saved map[string]bool) {
	for i, name := range amd64Regs {
		if i != regRSP && uint8(i) != p.fp && (saved[name] || !isNonvolatile(name)) {
			f.regs[name] = rnd.Uint64()
		}
	}
}

// record writes the UNWIND_INFO of version 1.
func (p *program) record(t testing.TB) []byte {
	var codes []byte
	at := 0
	for _, s := range p.prolog {
		at += len(s.code)
		if s.unwind != nil {
			c := append([]byte{byte(at)}, s.unwind...)
			codes = append(c, codes...)
		}
	}
	s := asm.At(0).U8(1, byte(at), byte(len(codes)/2), p.fp|byte(p.fpOff/16)<<4).Bytes(codes)
	return s.Align(4).Build(t)
}

func (p *program) steps() []step {
	return append(append(append([]step(nil), p.prolog...), p.body...), p.epilog...)
}

// amd64Image has one function, with code in front of and behind it.
func amd64Image(t testing.TB, functionCode, record []byte) []byte {
	const begin = text + 0x10
	c := asm.At(text).Bytes(bytes.Repeat([]byte{0xcc}, 0x10)).Bytes(functionCode).Bytes(bytes.Repeat([]byte{0xcc}, 0x20))
	return newImage(machineAMD64).
		section(t, ".text", code, c).
		section(t, ".xdata", readOnly, asm.At(xdata).Bytes(record)).
		section(t, ".pdata", readOnly, asm.At(pdata).U32(begin, begin+uint32(len(functionCode)), xdata)).
		dir(dirException, pdata, 12).build(t)
}

// TestAMD64Recovers runs random functions instruction by instruction. At each
// the rules have to give back the caller's registers; the listing has to have
// the same rules.
func TestAMD64Recovers(t *testing.T) {
	t.Parallel()
	for seed := range uint64(600) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		p := random(rnd)
		var all []byte
		for _, s := range p.steps() {
			all = append(all, s.code...)
		}
		// A jump has to lead out of the function, to code.
		f := open(t, amd64Image(t, retarget(all), p.record(t)))
		if err := p.run(t, f, rnd); err != nil {
			t.Fatalf("seed %d: %v; code % x", seed, err, all)
		}
	}
}

// retarget makes a jump at the end go 4 bytes behind the function.
func retarget(c []byte) []byte {
	if n := len(c); n >= 5 && c[n-5] == 0xe9 && c[n-1] == 0x10 {
		c[n-4], c[n-1] = 4, 0
	}
	return c
}

func (p *program) run(t *testing.T, f *File, rnd *rand.Rand) error {
	now := &fake{regs: map[string]uint64{}, mem: map[uint64]uint64{}}
	for _, r := range amd64Regs {
		now.regs[r] = rnd.Uint64()
	}
	now.regs["$rsp"] = 0x7000_0000
	now.mem[0x7000_0000] = 0x1_8000_1234
	want := map[string]uint64{".cfa": 0x7000_0008, ".ra": 0x1_8000_1234}
	for _, r := range nonvolatile {
		want[amd64Regs[r]] = now.regs[amd64Regs[r]]
	}
	saved := map[string]bool{}
	table := tables(t, f)[0]
	rel := uint64(text + 0x10)
	for i, s := range p.steps() {
		cf, ok := f.CallFrame(rel)
		if !ok {
			return fmt.Errorf("step %d: no rules; %v", i, f.Notes())
		}
		if listed := rulesIn(table, rel); !same(t, now, listed, want) {
			return fmt.Errorf("step %d: listed as %s, asked %s", i, unwind.RuleText(listed), unwind.RuleText(cf.Rules))
		}
		if !same(t, now, cf.Rules, want) {
			return fmt.Errorf("step %d at %#x: %s gives %#x, want %#x", i, rel, unwind.RuleText(cf.Rules), now.caller(t, cf.Rules), want)
		}
		s.do(now)
		if s.unwind != nil && s.unwind[0]&15 != opAllocSmall && s.unwind[0]&15 != opAllocLarge {
			saved[amd64Regs[s.unwind[0]>>4]] = true
		}
		rel += uint64(len(s.code))
		if i == len(p.prolog)-1 || i == len(p.prolog) {
			p.spoil(rnd, now, saved)
		}
	}
	return nil
}

// same evaluates rules; registers that they do not mention are as they are.
func same(t testing.TB, now *fake, rules []unwind.Rule, want map[string]uint64) bool {
	got := now.caller(t, rules)
	for name, v := range want {
		have, ok := got[name]
		if !ok {
			have = now.regs[name]
		}
		if have != v {
			return false
		}
	}
	return true
}
