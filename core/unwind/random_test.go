package unwind

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"crashglass/core/cpu"
	"crashglass/core/module"
	"crashglass/core/testkit/asm"
)

// Random programs: a chain of calls through functions that are unwound in
// different ways, laid out as a stack with noise between, and walked. The walk
// must find every frame as it was built, and nothing beyond.

// A kind is how a frame of a random program is unwound.
type kind int

const (
	byRules kind = iota // call frame information
	byFP                // a frame record
	byNoise             // neither: it has to be scanned for
	numKinds
)

// A program is a random program and what a walk of it should find.
type program struct {
	arch  *cpu.Arch
	os    string
	rng   *rand.Rand
	stack *asm.Section
	regs  map[string]string // registers of the innermost frame: values or labels
	syms  symbols
	want  []uint64 // instruction of each frame
	kinds []kind
}

const (
	functionSize = 0x100
	programStack = 0x1000_0000
)

// newProgram makes a random program for a CPU.
func newProgram(arch *cpu.Arch, seed uint64) *program {
	p := &program{
		arch: arch, os: "linux", rng: rand.New(rand.NewPCG(seed, uint64(len(arch.Name)))),
		stack: asm.At(programStack), regs: map[string]string{},
	}
	for range 2 + p.rng.IntN(10) {
		p.kinds = append(p.kinds, p.nextKind())
	}
	for i := range p.kinds {
		p.function(i)
	}
	p.frames()
	return p
}

// nextKind chooses a kind that can follow: only a rule or a record hands the
// next record's frame pointer on.
func (p *program) nextKind() kind {
	k := kind(p.rng.IntN(int(numKinds)))
	last := byRules
	if n := len(p.kinds); n > 0 {
		last = p.kinds[n-1]
	}
	if k == byFP && (p.arch.FP == cpu.None || p.arch.Name == "mips" || p.arch.Name == "mips64" || last == byNoise) {
		return byRules
	}
	return k
}

// word is a random word that is no address of code or stack.
func (p *program) word() uint64 { return p.rng.Uint64N(0x10_0000) }

func (p *program) noise(words int) {
	for range words {
		p.stack.Word(p.arch.Word, p.word())
	}
}

// pc is where function i is executing, or goes on behind its call.
func (p *program) pc(i int) uint64 {
	return image + uint64(i+1)*functionSize + 0x40 + p.arch.Align*uint64(i%5)
}

func (p *program) function(i int) {
	p.syms.functions = append(p.syms.functions, Function{
		Name: fmt.Sprint("f", i), Start: uint64(i+1) * functionSize, Size: functionSize,
	})
	instruction := p.pc(i)
	if i > 0 {
		instruction -= p.arch.CallSize
	}
	p.want = append(p.want, instruction)
}

// frames lays the frames out, innermost first.
func (p *program) frames() {
	p.regs[p.arch.RegName(p.arch.SP)] = "#sp"
	p.stack.Mark("#sp")
	if p.arch.FP != cpu.None {
		p.regs[p.arch.RegName(p.arch.FP)] = p.fpOf(0)
	}
	for i, k := range p.kinds {
		switch k {
		case byRules:
			p.ruleFrame(i)
		case byFP:
			p.recordFrame(i)
		case byNoise:
			p.noiseFrame(i)
		}
	}
	p.noise(300)
}

// fpOf is what the frame pointer is in frame i: its record, or noise.
func (p *program) fpOf(i int) string {
	if i < len(p.kinds) && p.kinds[i] == byFP {
		return fmt.Sprint("rec", i)
	}
	return ""
}

func (p *program) last(i int) bool { return i == len(p.kinds)-1 }

// ret appends the return address of frame i: into frame i+1, or 0.
func (p *program) ret(i int) {
	if p.last(i) {
		p.stack.Word(p.arch.Word, 0)
	} else {
		p.stack.Word(p.arch.Word, p.pc(i+1))
	}
}

// put appends a label's address, or noise for no label.
func (p *program) put(label string) {
	if label == "" {
		p.stack.Word(p.arch.Word, p.word())
	} else {
		p.stack.RefN(p.arch.Word, label)
	}
}

// ruleFrame is a frame with call frame information: locals, the saved frame
// pointer, the return address, in random places.
func (p *program) ruleFrame(i int) {
	word := p.arch.Word
	sp := p.arch.RegName(p.arch.SP)
	below, between, above := p.rng.IntN(20), p.rng.IntN(4), p.rng.IntN(4)
	p.noise(below)
	p.put(p.fpOf(i + 1))
	p.noise(between)
	p.ret(i)
	p.noise(above)
	total := (below + between + above + 2) * word
	rules := fmt.Sprintf(".cfa: %s .ra: %s", p.spell(sp, total), p.spell(".cfa", -(above+1)*word)+" ^")
	if p.arch.FP != cpu.None {
		rules += fmt.Sprintf(" %s: %s ^", p.arch.RegName(p.arch.FP), p.spell(sp, below*word))
	}
	if p.last(i) && p.rng.IntN(2) == 0 {
		rules = fmt.Sprintf(".cfa: %s .ra: .undef", p.spell(sp, total))
	}
	frame := cfi(uint64(i+1)*functionSize, rules)
	p.syms.frames = append(p.syms.frames, frame)
}

// spell writes reg + n in one of several ways.
func (p *program) spell(reg string, n int) string {
	switch p.rng.IntN(4) {
	case 0:
		return fmt.Sprintf("%s %d +", reg, n)
	case 1:
		return fmt.Sprintf("%s %d -", reg, -n)
	case 2:
		return fmt.Sprintf("%d %s +", n, reg)
	}
	return fmt.Sprintf("%s %d + %d 7 * 2 / -", reg, n+7, 2)
}

// recordFrame is a frame with a frame record as the CPU's convention has it.
func (p *program) recordFrame(i int) {
	p.noise(1 + p.rng.IntN(20))
	p.stack.Mark(fmt.Sprint("rec", i))
	if p.last(i) {
		p.stack.Word(p.arch.Word, 0, 0)
		return
	}
	p.put(p.fpOf(i + 1))
	p.ret(i)
}

// noiseFrame has to be scanned for. Under MIPS' o32 ABI a caller's frame has
// room for four arguments at its bottom.
func (p *program) noiseFrame(i int) {
	if p.arch.Name == "mips" && i > 0 {
		p.noise(4)
	}
	p.noise(p.rng.IntN(38))
	p.ret(i)
}

func (p *program) input(t testing.TB) Input {
	in := Input{
		Arch: p.arch, OS: p.os,
		Memory:  captured{{p.stack.Base(), p.stack.Build(t)}},
		Modules: module.NewMap([]module.Module{{Base: image, Size: 0x1_0000}}),
		Rules:   func(*module.Module) Rules { return p.syms },
	}
	in.Regs.Set(p.arch.PC, p.pc(0))
	for name, label := range p.regs {
		reg, _ := p.arch.Reg(name)
		v := p.word()
		if label != "" {
			v = p.stack.Addr(label)
		}
		in.Regs.Set(reg, v)
	}
	return in
}

// check walks the program. A frame that is scanned for, and has return address
// 0, is followed by nothing; everything found must be as built.
func (p *program) check(t testing.TB, seed uint64) {
	t.Helper()
	stack := Walk(p.input(t))
	var got, want strings.Builder
	for _, f := range stack.Frames {
		fmt.Fprintf(&got, " %#x", f.Instruction)
	}
	for _, pc := range p.want {
		fmt.Fprintf(&want, " %#x", pc)
	}
	if got.String() != want.String() {
		t.Errorf("%s, seed %d, kinds %v: frames\n%s\nwant\n%s\nend: %s", p.arch.Name, seed, p.kinds, got.String(), want.String(), endText(stack.End))
	}
}

// randomCPUs are the CPUs whose stacks newProgram can lay out.
var randomCPUs = []*cpu.Arch{&cpu.X86, &cpu.AMD64, &cpu.ARM, &cpu.ARM64, &cpu.MIPS, &cpu.MIPS64, &cpu.RISCV, &cpu.RISCV64}

// TestRandomPrograms walks a fixed sample; FuzzRandomPrograms goes on from there.
func TestRandomPrograms(t *testing.T) {
	for _, arch := range randomCPUs {
		t.Run(arch.Name, func(t *testing.T) {
			for seed := range uint64(300) {
				newProgram(arch, seed).check(t, seed)
			}
		})
	}
}

func FuzzRandomPrograms(f *testing.F) {
	for i := range randomCPUs {
		f.Add(uint8(i), uint64(1000+i))
	}
	f.Fuzz(func(t *testing.T, which uint8, seed uint64) {
		newProgram(randomCPUs[int(which)%len(randomCPUs)], seed).check(t, seed)
	})
}
