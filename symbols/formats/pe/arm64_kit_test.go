package pe

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
)

// An armProgram is a function for ARM64 in assembly, and what says how to
// unwind it: the second word of its entry, or an .xdata record.
type armProgram struct {
	prolog, epilog []string
	packed         uint32
	record         []byte
}

// bodySize is how many instructions are between prolog and epilog.
const bodySize = 3

func (p *armProgram) size() int { return 4 * (len(p.prolog) + bodySize + len(p.epilog)) }

// file is an image with the function at text+0x10.
func (p *armProgram) file(t testing.TB) *File {
	data := p.packed
	if p.record != nil {
		data = xdata
	}
	im := newImage(machineARM64).
		section(t, ".text", code, asm.At(text).Zeros(p.size()+0x40)).
		section(t, ".xdata", readOnly, asm.At(xdata).Bytes(p.record)).
		section(t, ".pdata", readOnly, asm.At(pdata).U32(text+0x10, data)).
		dir(dirException, pdata, 8)
	return open(t, im.build(t))
}

// run executes the function and asks at each instruction for the caller.
func (p *armProgram) run(t testing.TB) error {
	f := p.file(t)
	rnd := rand.New(rand.NewPCG(7, 7))
	now := &fake{regs: map[string]uint64{}, mem: map[uint64]uint64{}}
	want := map[string]uint64{".cfa": 0x7000_0000, ".ra": 0x1_8000_1234}
	for i := range 31 {
		r := "x" + strconv.Itoa(i)
		now.regs[r], now.regs["d"+strconv.Itoa(i)] = rnd.Uint64(), rnd.Uint64()
		if i >= 19 && i <= 29 {
			want[r] = now.regs[r]
		}
	}
	now.regs["sp"], now.regs["x30"] = want[".cfa"], want[".ra"]
	table := tables(t, f)[0]
	rel := uint64(text + 0x10)
	check := func(what string) error {
		cf, ok := f.CallFrame(rel)
		switch {
		case !ok:
			return fmt.Errorf("%s at %#x: no rules; %v", what, rel, f.Notes())
		case !same(t, now, cf.Rules, want):
			return fmt.Errorf("%s at %#x: %s gives %#x, want %#x", what, rel, unwind.RuleText(cf.Rules), now.caller(t, cf.Rules), want)
		case !same(t, now, rulesIn(table, rel), want):
			return fmt.Errorf("%s at %#x: listed %s", what, rel, unwind.RuleText(rulesIn(table, rel)))
		}
		return nil
	}
	saved := map[string]bool{}
	for i, insn := range p.insns() {
		if err := check(insn); err != nil {
			return err
		}
		now.arm(insn)
		rel += 4
		if strings.HasPrefix(insn, "st") {
			for _, r := range operands(insn)[:1+strings.Count(insn[:3], "p")] {
				saved[r] = true
			}
		}
		if i == len(p.prolog) { // the first instruction of the body
			for r := range saved {
				if r != "x29" && r != "sp" {
					now.regs[r] = rnd.Uint64()
				}
			}
		}
	}
	return nil
}

func (p *armProgram) insns() []string {
	all := append([]string(nil), p.prolog...)
	for range bodySize {
		all = append(all, "nop")
	}
	return append(all, p.epilog...)
}

func operands(insn string) []string {
	_, rest, _ := strings.Cut(insn, " ")
	return strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" ,[]!#", r) })
}

// arm executes the instructions that prologs and epilogs are made of.
func (f *fake) arm(insn string) {
	name, _, _ := strings.Cut(insn, " ")
	op := operands(insn)
	number := func(i int) uint64 {
		if i >= len(op) {
			return 0
		}
		v, err := strconv.ParseInt(op[i], 10, 64)
		if err != nil {
			panic(insn)
		}
		return uint64(v)
	}
	switch name {
	case "stp", "str", "ldp", "ldr":
		n := 1 + strings.Count(name, "p")
		at, by := f.regs["sp"], number(n+1)
		after := strings.Contains(insn, "],")
		if !after {
			at += by
		}
		if after || strings.HasSuffix(insn, "!") {
			f.regs["sp"] += by
		}
		for i, r := range op[:n] {
			if name[0] == 's' {
				f.mem[at+8*uint64(i)] = f.regs[r]
			} else {
				f.regs[r] = f.mem[at+8*uint64(i)]
			}
		}
	case "sub":
		f.regs[op[0]] = f.regs[op[1]] - number(2)
	case "add":
		f.regs[op[0]] = f.regs[op[1]] + number(2)
	case "mov":
		f.regs[op[0]] = f.regs[op[1]]
	case "nop", "pacibsp", "autibsp", "ret":
	default:
		panic("no instruction: " + insn)
	}
}

// armXdata writes a record with one epilog, by a scope or, when it can, in the header.
func armXdata(t testing.TB, words int, epilogStart uint32, codes []byte, epilogIndex int, inHeader bool) []byte {
	n := uint32(len(codes)+3) / 4
	s := asm.At(0)
	switch {
	case inHeader && epilogIndex < 32 && n < 32:
		s.U32(uint32(words) | 1<<21 | uint32(epilogIndex)<<22 | n<<27)
	case n < 32:
		s.U32(uint32(words)|1<<22|n<<27, epilogStart|uint32(epilogIndex)<<22)
	default:
		s.U32(uint32(words), 1|n<<16, epilogStart|uint32(epilogIndex)<<22)
	}
	return s.Bytes(codes).Align(4).Build(t)
}
