package analyze

import (
	"cmp"

	"crashglass/core/machine/cpu"
	"crashglass/core/report"
)

// mostStack bounds the bytes of stacks that Pointers reads.
const mostStack = 64 << 20

// redZone is the space below the stack pointer that code may use: 128 bytes on amd64, 288 on
// PowerPC. Source: the psABIs.
const redZone = 288

// Pointers calls visit with the value of every register of every thread, and with each word of
// their stacks from the red zone on. These are the values that any unwinder may take for an address
// of code. Values may repeat. On arm64 each value also comes without the signature in its upper
// bits.
func (s *Session) Pointers(visit func(addr uint64)) {
	a := s.analysis(nil, Options{})
	left := mostStack
	for i := range s.p.Threads {
		ctx := s.p.Threads[i].Registers
		if ctx == nil || ctx.Arch == nil {
			continue
		}
		visitAddr := visit
		if ctx.Arch.IsARM64() {
			visitAddr = func(addr uint64) {
				visit(addr)
				visit(addr & (1<<48 - 1))
			}
		}
		for r := range ctx.Arch.Regs {
			if v, ok := ctx.Regs.Get(cpu.Reg(r)); ok {
				visitAddr(v)
			}
		}
		left -= a.stackWords(i, ctx.Arch.SP, left, visitAddr)
	}
}

// stackWords calls visit with the words of a stack, up to a number of bytes, and returns the number
// of bytes read.
func (a *analysis) stackWords(i int, sp cpu.Reg, most int, visit func(uint64)) int {
	base, size, ok := a.stackRange(i)
	word := uint64(max(a.width, 4))
	if !ok || most <= 0 {
		return 0
	}
	from := base
	if v := a.p.Threads[i].Registers.Regs.Value(sp); v >= base+redZone && v-base < size {
		from = (v - redZone) &^ (word - 1)
	}
	end := from + min(size-(from-base), uint64(most))
	memory := cmp.Or(a.blank, a.p.Memory)
	data := make([]byte, 64<<10)
	for at := from; at < end; at += uint64(len(data)) {
		n := memory.Read(at, data[:min(uint64(len(data)), end-at)])
		for off := 0; off+int(word) <= n; off += int(word) {
			visit(memory.Number(data[off : off+int(word)]))
		}
	}
	return int(end - from)
}

// MostPointers bounds the addresses that one call of NamedPointers names. A page shows fewer words
// of a stack.
const MostPointers = 512

// A Pointer names an address that a word of memory holds, as WinDbg's dps does. Function, File and
// Line are nil if symbols do not have them.
type Pointer struct {
	Address   report.Address   `json:"address"`
	Function  *string          `json:"function"`
	Certainty report.Certainty `json:"name_certainty"`
	Offset    *report.Address  `json:"offset"` // into the function
	File      *string          `json:"file"`
	Line      *int             `json:"line"`
}

// NamedPointers names addresses, in their order. It leaves out addresses outside of modules, and
// code that no symbol covers.
func (s *Session) NamedPointers(syms Symbols, addresses []uint64) []Pointer {
	a, out := s.analysis(syms, Options{}), []Pointer{}
	for _, addr := range addresses[:min(len(addresses), MostPointers)] {
		mod := s.moduleAt(addr)
		if mod == nil {
			continue
		}
		var f report.Frame
		a.name(&f, mod, addr)
		if f.Function == nil {
			continue
		}
		p := Pointer{Address: a.addr(addr), Function: f.Function, Certainty: f.Certainty, Offset: f.FunctionOffset, File: f.File}
		if f.Line != nil {
			p.Line = ptr(int(*f.Line))
		}
		out = append(out, p)
	}
	return out
}
