package elf

import (
	debugelf "debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
	"crashglass/core/machine/isa"
	"crashglass/core/process/module"
	"crashglass/core/stack/unwind"
)

// A compiler makes programs for one CPU.
type compiler struct {
	arch    *cpu.Arch
	set     *isa.Set
	command string
	flate   [][]string // any one of each list
}

var (
	levels  = []string{"-O0", "-O1", "-O2", "-O3", "-Os"}
	pointer = []string{"-fomit-frame-pointer", "-fno-omit-frame-pointer"}
	guard   = []string{"-fno-stack-protector", "-fstack-protector-strong"}
	signing = []string{"-mbranch-protection=none", "-mbranch-protection=standard", "-mbranch-protection=pac-ret+leaf"}
)

var compilers = []compiler{
	{&cpu.AMD64, isa.AMD64, "gcc", [][]string{levels, pointer, guard, {"-fcf-protection=none", "-fcf-protection=full"}}},
	{&cpu.AMD64, isa.AMD64, "clang", [][]string{levels, pointer, guard}},
	{&cpu.X86, isa.X86, "i686-linux-gnu-gcc", [][]string{levels, pointer, guard}},
	{&cpu.X86, isa.X86, "clang --target=i686-linux-gnu -fuse-ld=lld", [][]string{levels, pointer, guard}},
	{&cpu.ARM64, isa.ARM64, "aarch64-linux-gnu-gcc", [][]string{levels, pointer, guard, signing}},
	{&cpu.ARM64, isa.ARM64, "clang --target=aarch64-linux-gnu -fuse-ld=lld", [][]string{levels, pointer, guard, signing}},
	{&cpu.ARM, isa.ARM, "arm-linux-gnueabihf-gcc -marm", [][]string{levels, pointer, guard}},
	{&cpu.ARM, isa.Thumb, "arm-linux-gnueabihf-gcc -mthumb", [][]string{levels, pointer, guard}},
	{&cpu.ARM, isa.Thumb, "clang --target=arm-linux-gnueabihf -march=armv7-a -mthumb -fuse-ld=lld", [][]string{levels, pointer, guard}},
	{&cpu.RISCV64, isa.RISCV64, "riscv64-linux-gnu-gcc", [][]string{levels, pointer, guard}},
	{&cpu.RISCV64, isa.RISCV64, "clang --target=riscv64-linux-gnu -march=rv64gc -fuse-ld=lld", [][]string{levels, pointer, guard}},
	{&cpu.MIPS, isa.MIPS, "mipsel-linux-gnu-gcc", [][]string{levels, pointer, guard}},
	{&cpu.MIPS, isa.MIPS, "clang --target=mipsel-linux-gnu -fuse-ld=lld", [][]string{levels, pointer, guard}},
	{&cpu.MIPS64, isa.MIPS64, "mips64el-linux-gnuabi64-gcc", [][]string{levels, pointer, guard}},
}

// build compiles a random program with flate that depend on its seed.
func (c *compiler) build(t *testing.T, seed int) string {
	dir := t.TempDir()
	text, out := filepath.Join(dir, "program.c"), filepath.Join(dir, fmt.Sprint("program", seed, ".so"))
	if err := os.WriteFile(text, []byte(randomSource(uint64(seed))), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append(strings.Fields(c.command), "-shared", "-nostdlib", "-fPIC", "-g", "-w", "-fasynchronous-unwind-tables", "-Wl,-z,undefs", "-o", out, text)
	for n, list := range c.flate {
		args = append(args, list[(seed/(n+1)+n)%len(list)])
	}
	if text, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil { //nolint:gosec // the rows above
		t.Skipf("%s: %v: %.300s", strings.Join(args, " "), err, text)
	}
	return out
}

// Where an image and a stack are. The word at each place of the stack leads to an address of its own.
const (
	aloneImage = 0x4000_0000
	aloneSize  = 0x3000_0000
	aloneStack = 0x7000_0000
	aloneSpan  = 0x8_0000
	aloneLink  = aloneImage + 0x20_0000 // in the link register
)

// An alone is the memory of a program: its code, and the words of a stack.
type alone struct {
	*File
	word int
}

func (m alone) Word(addr uint64, size int) (v uint64, ok bool) {
	if at := addr - aloneStack; at < aloneSpan {
		return aloneImage + 0x100_0000 + at, size == m.word && at%uint64(size) == 0
	}
	var b [8]byte
	if addr-aloneImage >= aloneSize || m.ReadImage(addr-aloneImage, b[:size]) < size {
		return 0, false
	}
	for i := range b {
		v |= uint64(b[i]) << (8 * i)
	}
	return v, true
}

// A proof compares frames that code alone shows with those of the program's unwind rules.
type proof struct {
	*compiler
	file                       *File
	name                       string
	mods                       *module.Map
	total, found, path, leaves int
	late, unknown              int
	last                       int64  // by what moved has found that the stack was released
	dies                       uint64 // the program's function that never returns
}

// Random programs of each compiler at hand: at every instruction the frame that code alone shows is the one of the unwind rules, or there is none.
// CRASHGLASS_PROGRAMS is the number of programs of each compiler.
func TestCodeAlone(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("CRASHGLASS_PROGRAMS"))
	if err != nil {
		n = 1 // a second or two for each compiler
	}
	for i := range compilers {
		c := &compilers[i]
		t.Run(c.command, func(t *testing.T) {
			if _, err := exec.LookPath(strings.Fields(c.command)[0]); err != nil {
				t.Skip("no such compiler: ", err)
			}
			p := proof{compiler: c, mods: module.NewMap([]module.Module{{Base: aloneImage, Size: aloneSize}})}
			for seed := range n {
				p.program(t, c.build(t, seed))
			}
			t.Logf("%s %s: %d instructions, caller found at %d, of these %d along branches and %d leaves; sp is not known at %d, and the rules were late at %d",
				c.arch.Name, c.set.Name, p.total, p.found, p.path, p.leaves, p.unknown, p.late)
			if p.found == 0 {
				t.Error("no caller was found")
			}
		})
	}
}

func (p *proof) program(t *testing.T, path string) {
	p.file, p.name = openFile(t, path), filepath.Base(path)
	functions := 0
	for _, r := range p.codeRanges(t, path) {
		functions++
		depths := p.depths(r)
		for at := r.start; at < r.end; {
			size, pads := p.instruction(at)
			if size == 0 {
				break
			}
			if !pads {
				p.check(t, at, depths)
			}
			at += uint64(size)
		}
	}
	if functions < functionsOfSource/2 {
		t.Errorf("%s has %d functions", path, functions)
	}
}

// even returns an address without the bit that marks Thumb.
func (p *proof) even(addr uint64) uint64 { return addr &^ uint64(p.set.Min-1) }

type codeRange struct {
	start, end uint64
	part       bool // of another function, in whose frame it begins
}

// codeRanges returns the code of a program's functions, without the constants that ARM's mapping symbols ($d) mark in them.
func (p *proof) codeRanges(t *testing.T, path string) (out []codeRange) {
	f, err := debugelf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	var marks []debugelf.Symbol
	for _, s := range symbols {
		if s.Name == "die" {
			p.dies = p.even(s.Value)
		}
		if strings.HasPrefix(s.Name, "$") {
			marks = append(marks, s)
		}
	}
	slices.SortFunc(marks, func(a, b debugelf.Symbol) int { return int(a.Value) - int(b.Value) })
	for _, s := range symbols {
		if debugelf.ST_TYPE(s.Info) != debugelf.STT_FUNC || s.Size == 0 || s.Section == debugelf.SHN_UNDEF {
			continue
		}
		r := codeRange{p.even(s.Value), p.even(s.Value) + s.Size, strings.Contains(s.Name, ".cold")}
		if n := slices.IndexFunc(marks, func(m debugelf.Symbol) bool {
			return m.Value >= r.start && m.Value < r.end && strings.HasPrefix(m.Name, "$d")
		}); n >= 0 {
			r.end = marks[n].Value // behind it only cold constants follow
		}
		out = append(out, r)
	}
	return out
}

// instruction returns the size of an instruction, and whether it only pads: rules for code that is never reached follow no path.
func (p *proof) instruction(at uint64) (size int, pads bool) {
	var b [16]byte
	n := p.file.ReadImage(at, b[:])
	inst, ok := disasm.Decode(p.arch, b[:n], at)
	lea := ok && inst.Mnemonic == "lea" && inst.Operands[1].Mem.Base == inst.Operands[0].Reg && inst.Operands[1].Mem.Disp == 0
	pads = ok && (strings.HasPrefix(inst.Mnemonic, "nop") || inst.Mnemonic == "xchg" || lea)
	if p.set.Min > 1 {
		insn := p.set.Decode(b[:n], at)
		return insn.Size, pads
	}
	return inst.Len, pads
}

// registers returns registers that tell each other apart.
func (p *proof) registers(pc uint64) (regs cpu.Regs) {
	for reg := range cpu.Reg(len(p.arch.Regs)) {
		regs.Set(reg, aloneStack+0x2_0000+uint64(reg)*0x400)
	}
	regs.Set(p.arch.SP, aloneStack+0x1_0000)
	regs.Set(p.arch.PC, pc)
	if p.arch.LR != cpu.None {
		regs.Set(p.arch.LR, aloneLink)
	}
	if p.arch == &cpu.ARM {
		regs.Set(cpu.ARMCPSR, 0)
		if p.set == isa.Thumb {
			regs.Set(cpu.ARMCPSR, 1<<5)
		}
	}
	return regs
}

// walk finds a caller without rules and names.
func (p *proof) walk(regs cpu.Regs) (f unwind.Frame, ok bool) {
	s := unwind.Walk(unwind.Input{Arch: p.arch, OS: "linux", Regs: regs, Memory: alone{p.file, p.arch.Word}, Modules: p.mods, Decode: disasm.Decode, Frames: 2, Explain: true})
	if len(s.Frames) < 2 {
		return f, false
	}
	return s.Frames[1], true
}

// depths follows a function from its first instruction on, and returns by address how far the stack pointer is below its value there. What is
// behind a call comes last: the call may never return.
func (p *proof) depths(r codeRange) map[uint64]int64 {
	type place struct {
		at    uint64
		depth int64
	}
	found, todo, behind := map[uint64]int64{}, []place{{r.start, 0}}, []place(nil)
	for !r.part && (len(todo) > 0 || len(behind) > 0) {
		if len(todo) == 0 {
			todo, behind = append(todo, behind[0]), behind[1:]
		}
		here := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, seen := found[here.at]; seen || here.at < r.start || here.at >= r.end {
			continue
		}
		found[here.at] = here.depth
		var b [20]byte
		n := p.file.ReadImage(here.at, b[:])
		insn, next := p.set.Decode(b[:n], here.at), place{here.at, here.depth}
		size, _ := p.instruction(here.at)
		if size == 0 {
			continue
		}
		next.at += uint64(size)
		if insn.Delay && n >= 8 {
			slot := p.set.Decode(b[4:n], here.at+4)
			found[next.at] = next.depth
			next.at += 4
			next.depth -= slot.Stack.Move
		}
		if unknown := insn.Flow == isa.Unknown && p.namesSP(b[:n], here.at); unknown || insn.Stack.Kind == isa.SetsSP || insn.Stack.Kind == isa.Unreadable || insn.Target == p.dies {
			continue
		}
		next.depth -= insn.Stack.Move
		switch insn.Flow {
		case isa.CondBranch:
			todo = append(todo, next, place{insn.Target, next.depth})
		case isa.Jump:
			todo = append(todo, place{insn.Target, next.depth})
		case isa.Call:
			if insn.HasTarget && insn.Target == next.at && p.arch.LR == cpu.None { // it pushes its own address
				next.depth += int64(p.arch.Word)
			}
			behind = append(behind, next)
		case isa.Next, isa.Unknown:
			todo = append(todo, next)
		}
	}
	return found
}

func (p *proof) namesSP(code []byte, at uint64) bool {
	inst, _ := disasm.Decode(p.arch, code, at)
	return slices.ContainsFunc(inst.Operands, func(o cpu.Operand) bool { return o.Kind == cpu.Register && o.Reg == p.arch.SP })
}

// check compares the frame that code alone shows at an instruction with that of the unwind rules.
func (p *proof) check(t *testing.T, at uint64, depths map[uint64]int64) {
	rules, ok := p.file.CallFrame(at)
	if !ok {
		return
	}
	p.total++
	regs := p.registers(aloneImage + at)
	got, ok := p.walk(regs)
	if !ok {
		return
	}
	last := got.Evidence[len(got.Evidence)-1]
	if last.Method != unwind.FunctionCode {
		return
	}
	p.found++
	if strings.Contains(strings.Join(last.Text, " "), "can return at") {
		p.path++
	}
	if got.Trust == unwind.Leaf {
		p.leaves++
	}
	for _, fault := range p.faults(&regs, &got, rules.Rules, at, depths) {
		t.Errorf("%s %#x: %s: %q", p.name, at, fault, last.Text)
	}
}

// faults compares a frame with unwind rules.
func (p *proof) faults(regs *cpu.Regs, got *unwind.Frame, rules []unwind.Rule, at uint64, depths map[uint64]int64) (out []string) {
	cfa, ok := unwind.Find(rules, unwind.CFA)
	base, known := p.arch.Reg(strings.TrimPrefix(cfa.Base, "$"))
	if !ok || !known || cfa.Expr != nil || cfa.Load {
		return nil
	}
	top := got.Regs.Value(p.arch.SP)
	want := regs.Value(base) + uint64(cfa.Off)
	late := false
	if depth, ok := depths[at]; ok {
		entry := regs.Value(p.arch.SP) + uint64(depth)
		if p.arch.LR == cpu.None {
			entry += uint64(p.arch.Word)
		}
		late = base == p.arch.SP && want != entry
		want = entry
	} else if p.moved(at, cpu.None, isa.Loads) && top == want-uint64(p.last) {
		p.late++
		return nil
	} else if base != p.arch.SP {
		p.unknown++ // the stack pointer's distance from the frame pointer is nowhere
		want = top
	}
	if top != want && !(base != p.arch.SP && top == regs.Value(base)+uint64(cfa.Off)) {
		out = append(out, fmt.Sprintf("the caller's sp is %#x, want %#x (%s%+d)", top, want, cfa.Base, cfa.Off))
	}
	if late {
		p.late++
	}
	for reg := range cpu.Reg(len(p.arch.Regs)) {
		name := p.arch.RegName(reg)
		v, ok := got.Regs.Get(reg)
		if reg == p.arch.PC {
			name, v = unwind.RA, got.ReturnAddress
		} else if !ok || !p.arch.CalleeSaved.Has(reg) || reg == p.arch.SP {
			continue
		}
		rule, saved := p.ruleOf(rules, name)
		switch own := regs.Value(reg); {
		case saved && rule.Load && rule.Base == unwind.CFA:
			place := top + uint64(rule.Off)
			word, _ := alone{p.file, p.arch.Word}.Word(place, p.arch.Word)
			if reg == p.arch.PC && p.arch.LR != cpu.None {
				own, reg = aloneLink, p.arch.LR
			}
			if v == word || v == own && (place < regs.Value(p.arch.SP) || p.moved(at, reg, isa.Loads)) {
				continue
			}
			out = append(out, fmt.Sprintf("%s is %#x, want [cfa%+d]", name, v, rule.Off))
		case p.moved(at, reg, isa.Stores), reg == p.arch.PC && p.moved(at, p.arch.LR, isa.Stores): // rules say so some instructions later
		case reg == p.arch.PC && p.arch.LR != cpu.None && v != aloneLink, reg != p.arch.PC && !saved && v != own:
			out = append(out, fmt.Sprintf("%s is %#x, want its own", name, v))
		}
	}
	return out
}

// ruleOf finds a rule by any name of its register.
func (p *proof) ruleOf(rules []unwind.Rule, name string) (unwind.Value, bool) {
	want, _ := p.arch.Reg(name)
	for _, r := range rules {
		if reg, ok := p.arch.Reg(r.Reg); r.Reg == name || ok && reg == want && name != unwind.RA {
			return r.From, true
		}
	}
	return unwind.Value{}, false
}

// moved reports whether one of the instructions before an address has just loaded a register, or stored it: its value is in the register and on the
// stack. For no register it is whether an instruction has released the stack.
func (p *proof) moved(at uint64, reg cpu.Reg, kind isa.Kind) bool {
	var b [20]byte
	window := uint64(96)
	if reg == p.arch.LR && reg != cpu.None {
		window = 1 << 10 // GCC loads it early on MIPS
	}
	for back := range min(window, at-uint64(p.set.Min)) {
		from := at - back - uint64(p.set.Min)
		n := p.file.ReadImage(from, b[:])
		insn := p.set.Decode(b[:n], from)
		inst, ok := disasm.Decode(p.arch, b[:n], from)
		switch e := &insn.Stack; {
		case from+uint64(insn.Size) > at:
		case reg == cpu.None && e.Move > 0:
			p.last = e.Move
			return true
		case reg == cpu.None:
		case e.Kind == isa.LosesLR && reg == p.arch.LR && kind == isa.Loads, (e.Kind == kind || e.Kind == isa.SetsSP && kind == isa.Loads) && e.Has(reg):
			return true
		case ok && kind == isa.Loads && p.set.Min == 1 && inst.Mnemonic == "mov" && inst.Operands[0].Reg == reg && from+uint64(inst.Len) == at: // from a frame pointer on
			return true
		}
	}
	return false
}
