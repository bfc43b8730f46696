package analyze

import (
	"cmp"

	"crashglass/core/machine/cpu"
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
