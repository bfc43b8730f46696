package cpu

import "encoding/binary"

// A Layout describes a context in a dump: the offset of each register of a CPU, and how to
// recognize a context of that CPU.
type Layout struct {
	Name string // of the structure in C
	Arch *Arch
	Size int // of the structure; real contexts may be shorter or longer

	// Processors are the numbers of processors whose dumps hold this structure
	// (PROCESSOR_ARCHITECTURE_* of winnt.h, Breakpad's from 0x8000 on).
	Processors []uint16

	FlagsAt    int    // offset of the context's flags
	FlagsWidth int    // 4 or 8
	Flags      uint32 // the bits of the flags that name the CPU

	Slots []Slot
}

// A Slot is one register's place in a context.
type Slot struct {
	Reg       Reg
	At, Width int // offset and size in bytes
}

// FlagsMask selects the bits of a context's flags that name the CPU. The bits below name the groups
// of registers that are filled in.
const FlagsMask = 0xffff_ff00

// ReadFlags returns the flags of a context that is read as l.
func (l *Layout) ReadFlags(data []byte, order binary.ByteOrder) (uint32, bool) {
	v, ok := word(data, l.FlagsAt, l.FlagsWidth, order)
	return uint32(v), ok
}

// Decode returns the registers of a context. A register whose bytes are missing is unknown. Bytes
// after the last register (vectors, the tail that XSAVE writes) are ignored.
func (l *Layout) Decode(data []byte, order binary.ByteOrder) Regs {
	var regs Regs
	for _, s := range l.Slots {
		if v, ok := word(data, s.At, s.Width, order); ok {
			// MIPS and SPARC have slots of eight bytes for registers of four.
			regs.Set(s.Reg, v&l.Arch.Mask())
		}
	}
	return regs
}

// Encode returns a context with the known registers; every other byte is zero. groups sets the low
// bits of its flags, which name the groups that are filled in.
func (l *Layout) Encode(regs *Regs, groups uint32, order binary.ByteOrder) []byte {
	data := make([]byte, l.Size)
	put(data[l.FlagsAt:], l.FlagsWidth, uint64(l.Flags|groups), order)
	for _, s := range l.Slots {
		put(data[s.At:], s.Width, regs.Value(s.Reg), order)
	}
	return data
}

func put(data []byte, width int, v uint64, order binary.ByteOrder) {
	if width == 8 {
		order.PutUint64(data, v)
		return
	}
	order.PutUint32(data, uint32(v))
}

func word(data []byte, at, width int, order binary.ByteOrder) (uint64, bool) {
	if at+width > len(data) {
		return 0, false
	}
	if width == 8 {
		return order.Uint64(data[at:]), true
	}
	return uint64(order.Uint32(data[at:])), true
}

// run returns the slots of n registers with consecutive numbers.
func run(first Reg, n, at, width int) []Slot {
	slots := make([]Slot, n)
	for i := range slots {
		slots[i] = Slot{first + Reg(i), at + i*width, width}
	}
	return slots
}

// row returns the slots of registers that are stored in the given order.
func row(at, width int, regs ...Reg) []Slot {
	slots := make([]Slot, len(regs))
	for i, r := range regs {
		slots[i] = Slot{r, at + i*width, width}
	}
	return slots
}
