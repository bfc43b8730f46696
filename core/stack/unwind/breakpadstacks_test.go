package unwind

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process/module"
	"crashglass/core/testkit/asm"
)

// Random stacks as Breakpad's walkers expect them on CPUs whose calls do not push the return address: a record at the frame pointer has
// the caller's link register, so that a frame's return address stands in the record of its callee, and again on the stack if the frame has
// no record of its own. Unlike those of random_test.go, the words between are hostile: pointers to the stack, to data, to the first bytes
// of functions, to the ends of modules.

// A layout is a random stack with the expected walk.
type layout struct {
	arch  *cpu.Arch
	rng   *rand.Rand
	stack *asm.Section
	mods  []module.Module
	syms  map[uint64]*symbols
	regs  map[cpu.Reg]value
	want  []uint64
	order []int // of the functions: each is called once
}

// The modules of a layout: one has functions and rules, one has no symbols.
const (
	layoutNamed    = image
	layoutNameless = image + 0x8_0000
	layoutSize     = 0x4000
	layoutTop      = 0x1000_0000
	layoutSpread   = 0x180 // from one function to the next; the last third is in none
)

func newLayout(arch *cpu.Arch, seed uint64) *layout {
	l := &layout{
		arch: arch, rng: rand.New(rand.NewPCG(seed, 31)), stack: asm.At(layoutTop), regs: map[cpu.Reg]value{arch.SP: {label: "sp0"}},
		mods: []module.Module{{Base: layoutNamed, Size: layoutSize}, {Base: layoutNameless, Size: layoutSize}},
		syms: map[uint64]*symbols{layoutNamed: {}},
	}
	l.order = l.rng.Perm(20)
	for i := range uint64(20) {
		l.syms[layoutNamed].functions = append(l.syms[layoutNamed].functions, fn(0x1000+i*layoutSpread, fmt.Sprint("f", i)))
	}
	return l
}

// pc returns a new frame's program counter or return address. Only the named module has rules.
func (l *layout) pc(named bool) uint64 {
	base := uint64(layoutNameless)
	if named || l.rng.IntN(2) == 0 {
		base = layoutNamed
	}
	pc := base + 0x1000 + uint64(l.order[len(l.want)])*layoutSpread + 0x20 + 4*l.rng.Uint64N(0x30)
	if len(l.want) == 0 {
		l.want = append(l.want, pc)
	} else {
		l.want = append(l.want, pc-l.arch.CallSize)
	}
	return pc
}

// hostile appends words that are no return addresses.
func (l *layout) hostile(words int) {
	for range words {
		n := l.rng.Uint64N(0x40)
		l.stack.Word(l.arch.Word, []uint64{
			0, n, -n & l.arch.Mask(), layoutTop + 8*n, layoutTop + 16*n, layoutNamed - n, layoutNamed + 0x3f00 + n,
			layoutNamed + 0x1000 + n%20*layoutSpread, layoutNamed + 0x1000 + n%20*layoutSpread + 0x110, 0x6100_0000 + 4*n,
		}[l.rng.IntN(10)])
	}
}

// records lays out n frames with records. Each record has its function's frame pointer and link register.
func (l *layout) records(n int) (slot uint64) {
	l.regs[l.arch.LR] = value{number: l.pc(false)}
	l.regs[l.arch.FP] = value{label: "rec0"}
	for i := range n {
		l.hostile(1 + l.rng.IntN(10))
		l.stack.Mark(fmt.Sprint("rec", i))
		if i < n-1 {
			l.stack.RefN(l.arch.Word, fmt.Sprint("rec", i+1))
		} else {
			l.stack.Word(l.arch.Word, 0xbad1e40)
		}
		slot = l.pc(i == n-1)
		l.stack.Word(l.arch.Word, slot)
	}
	return slot
}

// ruled gives the frame behind a return address rules: its own return address lies some words up.
func (l *layout) ruled(ra uint64) {
	words, next := 1+l.rng.IntN(30), l.pc(true)
	l.hostile(words)
	l.stack.Word(l.arch.Word, next)
	start := (ra - l.arch.CallSize - layoutNamed - 0x1000) / layoutSpread * layoutSpread
	l.syms[layoutNamed].frames = append(l.syms[layoutNamed].frames,
		cfi(0x1000+start, fmt.Sprintf(".cfa: %s %d + .ra: .cfa %d - ^", l.arch.RegName(l.arch.SP), (words+1)*l.arch.Word, l.arch.Word)))
}

func (l *layout) walk(t *testing.T) {
	t.Helper()
	l.stack.Zeros(l.arch.Word * 60)
	in := Input{Arch: l.arch, OS: "linux", Modules: module.NewMap(l.mods), Memory: ranged{captured{{layoutTop, l.stack.Build(t)}}}}
	in.Rules = func(m *module.Module) Rules {
		if s := l.syms[m.Base]; s != nil {
			return *s
		}
		return nil
	}
	for reg, v := range l.regs {
		if v.label != "" {
			v.number = l.stack.Addr(v.label)
		}
		in.Regs.Set(reg, v.number)
	}
	var got []uint64
	for _, f := range Walk(in).Frames {
		got = append(got, f.Instruction)
	}
	if !slices.Equal(got, l.want) {
		t.Errorf("frames %#x, want %#x", got, l.want)
	}
}

// Frames with records, one whose return address stands again some words up, one with rules that count from there, and one more.
func TestBreakpadRecords(t *testing.T) {
	for _, arch := range []*cpu.Arch{&cpu.ARM64, &cpu.RISCV, &cpu.RISCV64} {
		for seed := range uint64(1000) {
			l := newLayout(arch, seed)
			l.regs[arch.PC] = value{number: l.pc(false)}
			l.stack.Mark("sp0")
			slot := l.records(1 + l.rng.IntN(4))
			l.hostile(l.rng.IntN(40))
			l.stack.Word(arch.Word, slot)
			if l.rng.IntN(2) == 0 {
				l.ruled(slot)
			}
			l.hostile(l.rng.IntN(40))
			l.stack.Word(arch.Word, l.pc(false))
			if l.walk(t); t.Failed() {
				t.Fatalf("%s, seed %d", arch.Name, seed)
			}
		}
	}
}

// On MIPS a scanned return address has its function's frame pointer below, wherever the scan began.
func TestBreakpadMIPS(t *testing.T) {
	for _, arch := range []*cpu.Arch{&cpu.MIPS, &cpu.MIPS64} {
		for seed := range uint64(500) {
			l := newLayout(arch, seed)
			l.regs[arch.PC] = value{number: l.pc(false)}
			l.stack.Mark("sp0")
			for i := range 2 + l.rng.IntN(3) {
				l.hostile(4 + l.rng.IntN(112))
				l.stack.RefN(arch.Word, fmt.Sprint("fp", i))
				l.stack.Word(arch.Word, l.pc(false))
				l.stack.Mark(fmt.Sprint("fp", i))
			}
			if l.walk(t); t.Failed() {
				t.Fatalf("%s, seed %d", arch.Name, seed)
			}
		}
	}
}
