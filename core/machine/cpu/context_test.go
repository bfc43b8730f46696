package cpu_test

import (
	"encoding/binary"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/dump"
)

// contexts pairs each layout with the CPU for which the test kit writes it; the kit has the
// structures from the C headers a second time.
var contexts = []struct {
	layout    *cpu.Layout
	processor uint16
	big       bool
}{
	{layout: &cpu.ContextX86, processor: dump.X86},
	{layout: &cpu.ContextAMD64, processor: dump.AMD64},
	{layout: &cpu.ContextARM, processor: dump.ARM},
	{layout: &cpu.ContextARM64, processor: dump.ARM64},
	{layout: &cpu.ContextARM64Old, processor: dump.ARM64Old},
	{layout: &cpu.ContextMIPS, processor: dump.MIPS},
	{layout: &cpu.ContextMIPS64, processor: dump.MIPS64, big: true},
	{layout: &cpu.ContextPPC, processor: dump.PPC, big: true},
	{layout: &cpu.ContextPPC64, processor: dump.PPC64, big: true},
	{layout: &cpu.ContextSPARC, processor: dump.SPARC, big: true},
	{layout: &cpu.ContextRISCV, processor: dump.RISCV},
	{layout: &cpu.ContextRISCV64, processor: dump.RISCV64},
}

// TestLayouts gives every register of every CPU a value of its own.
func TestLayouts(t *testing.T) {
	for _, c := range contexts {
		b, order := dump.New(), binary.ByteOrder(binary.LittleEndian)
		if c.big {
			b, order = b.BigEndian(), binary.BigEndian
		}
		arch := c.layout.Arch
		want := map[string]uint64{}
		for i, name := range arch.Regs {
			want[name] = 0x1122_3344_5566_0000 | uint64(i+1)
		}
		data := b.Context(t, c.processor, want)
		if len(data) != c.layout.Size {
			t.Errorf("%s has %d bytes, want %d", c.layout.Name, len(data), c.layout.Size)
		}
		if flags, ok := c.layout.ReadFlags(data, order); !ok || flags&cpu.FlagsMask != c.layout.Flags {
			t.Errorf("%s has the flags %#x, want %#x", c.layout.Name, flags, c.layout.Flags)
		}
		regs := c.layout.Decode(data, order)
		for i, name := range arch.Regs {
			v, ok := regs.Get(cpu.Reg(i))
			expect := want[name] & arch.Mask()
			if width(c.layout, cpu.Reg(i)) == 4 {
				expect &= 0xffff_ffff
			}
			if !ok || v != expect {
				t.Errorf("%s: %s is %#x (known: %v), want %#x", c.layout.Name, name, v, ok, expect)
			}
		}
	}
}

func width(l *cpu.Layout, r cpu.Reg) int {
	for _, s := range l.Slots {
		if s.Reg == r {
			return s.Width
		}
	}
	return 0
}

// TestLayoutSlots checks what must be true of every table: slots inside the
// structure, none over another, none twice, and PC and SP there.
func TestLayoutSlots(t *testing.T) {
	for _, l := range cpu.Layouts() {
		used := make([]bool, l.Size)
		mark := func(what string, at, width int) {
			for i := at; i < at+width; i++ {
				if i >= l.Size || used[i] {
					t.Errorf("%s: %s at %d overlaps or lies outside", l.Name, what, at)
					return
				}
				used[i] = true
			}
		}
		mark("flags", l.FlagsAt, l.FlagsWidth)
		var seen cpu.Set
		for _, s := range l.Slots {
			mark(l.Arch.RegName(s.Reg), s.At, s.Width)
			if seen.Has(s.Reg) {
				t.Errorf("%s: %s has two slots", l.Name, l.Arch.RegName(s.Reg))
			}
			seen |= cpu.SetOf(s.Reg)
		}
		if !seen.Has(l.Arch.PC) || !seen.Has(l.Arch.SP) {
			t.Errorf("%s: no slot for PC or SP", l.Name)
		}
	}
}

// TestDecodeShort truncates contexts after every byte: exactly the registers with all their bytes
// are known.
func TestDecodeShort(t *testing.T) {
	for _, l := range cpu.Layouts() {
		full := make([]byte, l.Size)
		for n := range l.Size {
			regs := l.Decode(full[:n:n], binary.LittleEndian)
			for _, s := range l.Slots {
				if _, ok := regs.Get(s.Reg); ok != (s.At+s.Width <= n) {
					t.Fatalf("%s of %d bytes: %s known: %v", l.Name, n, l.Arch.RegName(s.Reg), ok)
				}
			}
		}
	}
}
