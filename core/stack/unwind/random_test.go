package unwind

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/testkit/asm"
)

// Random programs: a chain of calls through functions that are unwound in
// different ways, laid out as a stack with noise between, and walked. The walk
// must find every frame as it was built, and nothing beyond. What it knows of a
// frame's registers must be right, and what rules restore must be known.

// A kind is how a frame of a random program is unwound.
type kind int

const (
	byRules kind = iota // call frame information
	byFP                // a frame record
	byNoise             // neither: it has to be scanned for
	numKinds
)

// A program is a random program with the expected walk.
type program struct {
	arch  *cpu.Arch
	os    process.OS
	rng   *rand.Rand
	stack *asm.Section
	syms  symbols
	want  []uint64 // instruction of each frame
	kinds []kind
	truth []registerFile // of each frame
	saved []cpu.Reg      // callee-saved registers that functions use, but for the frame pointer
}

// A registerFile has a frame's registers, and the set that the rules of its callee restore or
// preserve.
type registerFile struct {
	values map[cpu.Reg]value
	known  cpu.Set
}

// A value is the address of a label, or a number.
type value struct {
	label  string
	number uint64
}

const (
	functionSize = 0x100
	programStack = 0x1000_0000
)

// newProgram makes a random program for a CPU.
func newProgram(arch *cpu.Arch, seed uint64) *program {
	p := &program{
		arch: arch, os: "linux", rng: rand.New(rand.NewPCG(seed, uint64(len(arch.Name)))),
		stack: asm.At(programStack),
	}
	for reg := range cpu.Reg(len(arch.Regs)) {
		if arch.CalleeSaved.Has(reg) && reg != arch.FP && len(p.saved) < 4 {
			p.saved = append(p.saved, reg)
		}
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

// pc returns the program counter or the return address in function i.
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
	p.truth = []registerFile{p.innermost()}
	p.stack.Mark(p.spOf(0))
	for i, k := range p.kinds {
		caller := p.callee().caller()
		caller.values[p.arch.SP] = value{label: p.spOf(i + 1)}
		switch k {
		case byRules:
			p.ruleFrame(i, &caller)
		case byFP:
			p.recordFrame(i, &caller)
		case byNoise:
			p.noiseFrame(i, &caller)
		}
		p.stack.Mark(p.spOf(i + 1))
		p.truth = append(p.truth, caller)
	}
	p.noise(300)
}

// innermost is the registers of the dump.
func (p *program) innermost() registerFile {
	r := registerFile{values: map[cpu.Reg]value{p.arch.SP: {label: p.spOf(0)}}, known: cpu.SetOf(p.arch.SP)}
	if p.arch.FP != cpu.None {
		r.values[p.arch.FP] = p.fpOf(0)
		r.known |= cpu.SetOf(p.arch.FP)
	}
	for _, reg := range p.saved {
		r.values[reg] = value{number: p.word()}
		r.known |= cpu.SetOf(reg)
	}
	return r
}

// callee is the frame whose caller is being laid out.
func (p *program) callee() registerFile { return p.truth[len(p.truth)-1] }

// caller is the registers of a frame's caller, as far as the frame has left
// them alone.
func (r registerFile) caller() registerFile { return registerFile{values: maps.Clone(r.values)} }

func (p *program) spOf(i int) string { return fmt.Sprint("sp", i) }

// fpOf is what the frame pointer is in frame i: its record, or noise.
func (p *program) fpOf(i int) value {
	if i < len(p.kinds) && p.kinds[i] == byFP {
		return value{label: fmt.Sprint("rec", i)}
	}
	return value{number: p.word()}
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

func (p *program) put(v value) {
	if v.label == "" {
		p.stack.Word(p.arch.Word, v.number)
	} else {
		p.stack.RefN(p.arch.Word, v.label)
	}
}

// ruleFrame is a frame with call frame information: locals, saved registers,
// the return address, in random places. What no rule mentions is as it was.
func (p *program) ruleFrame(i int, caller *registerFile) {
	word, sp := p.arch.Word, p.arch.RegName(p.arch.SP)
	var rules strings.Builder
	caller.known = p.callee().known & p.arch.CalleeSaved
	words := p.rng.IntN(20)
	p.noise(words)
	for _, reg := range p.savedIn(i) {
		between := p.rng.IntN(4)
		p.noise(between)
		caller.values[reg] = p.valueOf(reg, i+1)
		p.put(caller.values[reg])
		fmt.Fprintf(&rules, " %s: %s ^", p.arch.RegName(reg), p.spell(sp, (words+between)*word))
		words += between + 1
		caller.known |= cpu.SetOf(reg)
	}
	p.ret(i)
	above := p.rng.IntN(4)
	p.noise(above)
	total := (words + 1 + above) * word
	p.loses(caller, &rules)
	ra := p.spell(".cfa", -(above+1)*word) + " ^"
	if p.last(i) && p.rng.IntN(2) == 0 {
		ra = ".undef"
	}
	caller.known |= cpu.SetOf(p.arch.SP)
	frame := cfi(uint64(i+1)*functionSize, fmt.Sprintf(".cfa: %s .ra: %s%s", p.spell(sp, total), ra, rules.String()))
	p.syms.frames = append(p.syms.frames, frame)
}

// savedIn returns the registers that frame i saves, in random order. The frame pointer is among
// them if the caller needs it.
func (p *program) savedIn(i int) []cpu.Reg {
	var regs []cpu.Reg
	if p.arch.FP != cpu.None && (p.fpOf(i+1).label != "" || p.rng.IntN(2) == 0) {
		regs = append(regs, p.arch.FP)
	}
	for _, reg := range p.saved {
		if p.rng.IntN(3) == 0 {
			regs = append(regs, reg)
		}
	}
	p.rng.Shuffle(len(regs), func(i, j int) { regs[i], regs[j] = regs[j], regs[i] })
	return regs
}

func (p *program) valueOf(reg cpu.Reg, i int) value {
	if reg == p.arch.FP {
		return p.fpOf(i)
	}
	return value{number: p.word()}
}

// loses has rules say now and then that a register is lost, or find it where
// no memory is. The callee's value is not the caller's.
func (p *program) loses(caller *registerFile, rules *strings.Builder) {
	reg := p.saved[p.rng.IntN(len(p.saved))]
	if p.rng.IntN(6) != 0 || strings.Contains(rules.String(), " "+p.arch.RegName(reg)+":") {
		return
	}
	fmt.Fprintf(rules, " %s: %s", p.arch.RegName(reg), []string{".undef", "16 ^", "1 0 /"}[p.rng.IntN(3)])
	caller.values[reg] = value{number: p.word()}
	caller.known &^= cpu.SetOf(reg)
}

// uses makes a frame without rules change registers, whose saved values no rule locates.
func (p *program) uses(caller *registerFile) {
	for _, reg := range p.saved {
		if p.rng.IntN(2) == 0 {
			caller.values[reg] = value{number: p.word()}
		}
	}
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

// recordFrame is a frame with a frame record as the CPU's convention has it. Some
// conventions are only followed where the next frame pointer is one of a record.
func (p *program) recordFrame(i int, caller *registerFile) {
	p.uses(caller)
	p.noise(1 + p.rng.IntN(20))
	p.stack.Mark(fmt.Sprint("rec", i))
	caller.known = cpu.SetOf(p.arch.SP)
	if p.last(i) {
		p.stack.Word(p.arch.Word, 0, 0)
		return
	}
	caller.values[p.arch.FP] = p.fpOf(i + 1)
	if caller.values[p.arch.FP].label != "" {
		caller.known |= cpu.SetOf(p.arch.FP)
	}
	p.put(caller.values[p.arch.FP])
	p.ret(i)
}

// noiseFrame has to be scanned for. Under MIPS' o32 ABI a caller's frame has
// room for four arguments at its bottom.
func (p *program) noiseFrame(i int, caller *registerFile) {
	p.uses(caller)
	if p.arch.Name == "mips" && i > 0 {
		p.noise(4)
	}
	p.noise(p.rng.IntN(38))
	caller.known = cpu.SetOf(p.arch.SP)
	p.ret(i)
}

func (p *program) resolve(v value) uint64 {
	if v.label != "" {
		return p.stack.Addr(v.label)
	}
	return v.number
}

func (p *program) input(t testing.TB) Input {
	in := Input{
		Arch: p.arch, OS: p.os,
		Memory:  captured{{p.stack.Base(), p.stack.Build(t)}},
		Modules: module.NewMap([]module.Module{{Base: image, Size: 0x1_0000}}),
		Rules:   func(*module.Module) Rules { return p.syms },
	}
	in.Regs.Set(p.arch.PC, p.pc(0))
	for reg, v := range p.truth[0].values {
		in.Regs.Set(reg, p.resolve(v))
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
		return
	}
	for i := range stack.Frames {
		p.checkRegisters(t, seed, i, &stack.Frames[i])
	}
}

// checkRegisters compares a frame's registers with those of the program: what
// is known must be right, and what was proved must be known.
func (p *program) checkRegisters(t testing.TB, seed uint64, i int, f *Frame) {
	t.Helper()
	for reg, v := range f.Regs.All() {
		if want, ok := p.truth[i].values[reg]; reg != p.arch.PC && (!ok || p.resolve(want) != v) {
			t.Errorf("%s, seed %d, kinds %v: frame %d (%s) has %s = %#x, want %#x", p.arch.Name, seed, p.kinds, i, f.Trust, p.arch.RegName(reg), v, p.resolve(want))
		}
	}
	if missing := p.truth[i].known &^ f.Regs.Known(); missing != 0 {
		t.Errorf("%s, seed %d, kinds %v: frame %d (%s) knows only %s", p.arch.Name, seed, p.kinds, i, f.Trust, known(p.arch, &f.Regs))
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
