package unwind

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/cpu"
	"crashglass/core/module"
	"crashglass/core/testkit/asm"
)

// A picture is one stack drawn beside the frames it should give.
type picture struct {
	arch    *cpu.Arch
	os      string
	regs    map[string]uint64 // of the innermost frame
	stack   *asm.Section
	code    *asm.Section // other captured memory
	symbols symbols      // of the one module, see image
	want    []string     // "pc trust" for each frame
	end     string       // how the walk ends, as endText writes it
}

// image is where the pictures' module lies: 64 KiB, low enough for every CPU.
const image = 0x4000_0000

func (p picture) input(t testing.TB) Input {
	in := Input{Arch: p.arch, OS: p.os, Modules: module.NewMap([]module.Module{{Base: image, Size: 0x1_0000}})}
	mem := captured{}
	for _, s := range []*asm.Section{p.stack, p.code} {
		if s != nil {
			mem = append(mem, piece{s.Base(), s.Build(t)})
		}
	}
	in.Memory = mem
	for name, v := range p.regs {
		reg, ok := p.arch.Reg(name)
		if !ok {
			t.Fatalf("%s has no register %q", p.arch.Name, name)
		}
		in.Regs.Set(reg, v)
	}
	if p.symbols.any() {
		var rules Rules = p.symbols
		in.Rules = func(*module.Module) Rules { return rules }
	}
	return in
}

func (p picture) check(t *testing.T) Stack {
	t.Helper()
	stack := Walk(p.input(t))
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
	return stack
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
			if size == 4 {
				return uint64(binary.LittleEndian.Uint32(p.data[off:])), true
			}
			return binary.LittleEndian.Uint64(p.data[off:]), true
		}
	}
	return 0, false
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

func (s symbols) Function(rel uint64) (Function, bool) {
	for _, f := range s.functions {
		if rel-f.Start < f.Size {
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
