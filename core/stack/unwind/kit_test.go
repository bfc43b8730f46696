package unwind

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/testkit/asm"
)

// A picture is one stack drawn beside the frames it should give.
type picture struct {
	arch    *cpu.Arch
	os      process.OS
	regs    map[string]uint64 // of the innermost frame
	stack   *asm.Section
	code    *asm.Section // other captured memory
	library *asm.Section // captured code of a second module, which has no symbols
	shadow  *asm.Section // the shadow stack from its pointer to its end
	symbols symbols      // of the one module, see image
	want    []string     // "pc trust" for each frame
	end     string       // how the walk ends, as endText writes it

	// What frames 1 and 2 know of their registers: these, and no others. Nil
	// for frames that are not compared.
	caller, grandcaller map[string]uint64

	says   string // a line of the evidence for frame 1, or the beginning of one
	ranges bool   // the memory can distinguish its pieces
}

// image is where the pictures' module lies: 64 KiB, low enough for every CPU.
// A library lies right behind it.
const (
	image   = 0x4000_0000
	library = image + 0x1_0000
)

// input is what a walk of the picture is given. The picture is drawn, too, see walksFile.
func (p picture) input(t testing.TB) Input {
	p.draw(t)
	return p.plain(t)
}

func (p picture) plain(t testing.TB) Input {
	modules := []module.Module{{Base: image, Size: 0x1_0000}}
	if p.library != nil {
		modules = append(modules, module.Module{Base: library, Size: 0x1_0000})
	}
	in := Input{Arch: p.arch, OS: p.os, Modules: module.NewMap(modules)}
	mem := captured{}
	for _, s := range []*asm.Section{p.stack, p.code, p.library} {
		if s != nil {
			mem = append(mem, piece{s.Base(), s.Build(t)})
		}
	}
	if p.shadow != nil {
		words := p.shadow.Build(t)
		mem = append(mem, piece{p.shadow.Base(), words})
		in.Shadow = Shadow{Pointer: p.shadow.Base(), End: p.shadow.Base() + uint64(len(words))}
	}
	in.Memory = mem
	if p.ranges {
		in.Memory = ranged{mem}
	}
	in.Regs = registers(t, p.arch, p.regs)
	if p.symbols.any() {
		var rules Rules = p.symbols
		in.Rules = func(m *module.Module) Rules {
			if m.Base == library {
				return nil
			}
			return rules
		}
	}
	return in
}

func (p picture) check(t *testing.T) Stack {
	t.Helper()
	in := p.input(t)
	in.Explain = p.says != ""
	stack := Walk(in)
	var got []string
	for _, f := range stack.Frames {
		got = append(got, hexTrust(f))
	}
	if strings.Join(got, "\n") != strings.Join(p.want, "\n") {
		t.Errorf("frames\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(p.want, "\n  "))
	}
	if got := endText(stack.End); got != p.end {
		t.Errorf("end %q, want %q", got, p.end)
	}
	p.checkRegisters(t, &stack)
	if p.says != "" && len(stack.Frames) > 1 && !says(stack.Frames[1].Evidence, p.says) {
		t.Errorf("the evidence does not say %q", p.says)
	}
	return stack
}

func (p picture) checkRegisters(t *testing.T, stack *Stack) {
	t.Helper()
	for i, want := range []map[string]uint64{1: p.caller, 2: p.grandcaller} {
		if want != nil && i < len(stack.Frames) {
			if got, want := known(p.arch, &stack.Frames[i].Regs), regsOf(t, p.arch, want); got != want {
				t.Errorf("frame %d knows\n  %s\nwant\n  %s", i, got, want)
			}
		}
	}
}

// known are the registers that are known, in the CPU's order.
func known(arch *cpu.Arch, regs *cpu.Regs) string {
	var text []string
	for reg, v := range regs.All() {
		text = append(text, fmt.Sprintf("%s %#x", arch.RegName(reg), v))
	}
	return strings.Join(text, ", ")
}

// regsOf writes registers as known does.
func regsOf(t testing.TB, arch *cpu.Arch, values map[string]uint64) string {
	regs := registers(t, arch, values)
	return known(arch, &regs)
}

func registers(t testing.TB, arch *cpu.Arch, values map[string]uint64) (regs cpu.Regs) {
	for name, v := range values {
		reg, ok := arch.Reg(name)
		if !ok {
			t.Fatalf("%s has no register %q", arch.Name, name)
		}
		regs.Set(reg, v)
	}
	return regs
}

func says(steps []Step, line string) bool {
	for _, s := range steps {
		for _, text := range s.Text {
			if strings.HasPrefix(text, line) {
				return true
			}
		}
	}
	return false
}

// captured is memory in pieces.
type captured []piece

type piece struct {
	base uint64
	data []byte
}

func (m captured) Word(addr uint64, size int) (uint64, bool) {
	for _, p := range m {
		off := addr - p.base
		if off < uint64(len(p.data)) && uint64(len(p.data))-off >= uint64(size) {
			switch size {
			case 2:
				return uint64(binary.LittleEndian.Uint16(p.data[off:])), true
			case 4:
				return uint64(binary.LittleEndian.Uint32(p.data[off:])), true
			}
			return binary.LittleEndian.Uint64(p.data[off:]), true
		}
	}
	return 0, false
}

// ranged is memory that can distinguish its pieces.
type ranged struct{ captured }

func (m ranged) Range(addr uint64) (base, size uint64, ok bool) {
	for _, p := range m.captured {
		if addr-p.base < uint64(len(p.data)) {
			return p.base, uint64(len(p.data)), true
		}
	}
	return 0, 0, false
}

// listing is code as a disassembler prints it: an instruction a line, as
// bytes, halfwords or words in hexadecimal, two spaces, and its text. "=> "
// marks the one that is called "pc".
func listing(at uint64, lines ...string) *asm.Section {
	s := asm.At(at)
	for _, line := range lines {
		if rest, ok := strings.CutPrefix(line, "=> "); ok {
			s.Mark("pc")
			line = rest
		}
		code, _, _ := strings.Cut(line, "  ")
		for _, number := range strings.Fields(code) {
			v, err := strconv.ParseUint(number, 16, 32)
			if err != nil {
				panic(err)
			}
			switch len(number) {
			case 2:
				s.U8(uint8(v))
			case 4:
				s.U16(uint16(v))
			default:
				s.U32(uint32(v))
			}
		}
	}
	return s
}

// symbols are the symbols of the module at image; addresses are relative to it.
type symbols struct {
	functions []Function
	frames    []CallFrame
	win       []WinFrame
	nameless  bool // a file without any names
}

func (s symbols) any() bool {
	return len(s.functions)+len(s.frames)+len(s.win) > 0 || s.nameless
}

func (s symbols) HasNames() bool { return !s.nameless }

func (s symbols) HasCode() bool { return false }

func (s symbols) Function(rel uint64) (Function, bool) {
	for _, f := range s.functions {
		if rel-f.Start < f.Size || f.Public && rel-f.Start < 0x100 {
			return f, true
		}
	}
	return Function{}, false
}

func (s symbols) CallFrame(rel uint64) (CallFrame, bool) {
	for _, f := range s.frames {
		if rel-f.Start < f.Size {
			return f, true
		}
	}
	return CallFrame{}, false
}

func (s symbols) WinFrame(rel uint64) (WinFrame, bool) {
	for _, f := range s.win {
		if rel-f.Start < f.Size {
			return f, true
		}
	}
	return WinFrame{}, false
}

// fn is a function of 0x100 bytes.
func fn(start uint64, name string) Function { return Function{Name: name, Start: start, Size: 0x100} }

// cfi is call frame information for 0x100 bytes, rules given as in a .sym:
// ".cfa: $rsp 8 + .ra: .cfa 8 - ^".
func cfi(start uint64, text string) CallFrame {
	var rules []Rule
	var exprs [][]string
	for _, word := range strings.Fields(text) {
		if reg, ok := strings.CutSuffix(word, ":"); ok {
			rules, exprs = append(rules, Rule{Reg: reg}), append(exprs, nil)
			continue
		}
		exprs[len(exprs)-1] = append(exprs[len(exprs)-1], word)
	}
	for i := range rules {
		rules[i].From = ParseValue(strings.Join(exprs[i], " "))
	}
	return CallFrame{Start: start, Size: 0x100, Rules: rules}
}

// endText is a walk's end: its kind, addresses and function.
func endText(e End) string {
	text := e.Kind.String()
	for _, n := range []uint64{e.Address, e.To} {
		if n != 0 {
			text += fmt.Sprintf(" %#x", n)
		}
	}
	return strings.TrimSpace(text + " " + e.Function)
}

func hexTrust(f Frame) string { return fmt.Sprintf("%#x %s", f.Instruction, f.Trust) }
