package kernel

import (
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/process"
)

// A Block is a part of a dump.
type Block struct {
	Name   string
	Offset int64
	Size   uint64
}

// A triage has the fields of TRIAGE_DUMP64 and TRIAGE_DUMP32, which follow the header. Offsets count from the start of the file.
//
// Sources: rizin, dmp_specs.h (dmp64_triage, dmp32_triage); TRIAGE_DUMP_HEADER of the SDK's metadata.
type triage struct {
	ServicePack, Size, Valid, Context, Exception, Mm, Unloaded, PRCB, Process, Thread  uint32
	CallStack, CallStackSize, Drivers, DriverCount, Strings, StringsSize, BrokenDriver uint32
	Options                                                                            uint32
	StackTop, DataPage                                                                 uint64
	DataPageOffset, DataPageSize, Debugger, DebuggerSize, DataBlocks, DataBlocksCount  uint32
}

// first are the fields before StackTop, last those behind DataPage, in the order of the file.
func (t *triage) first() []*uint32 {
	return []*uint32{
		&t.ServicePack, &t.Size, &t.Valid, &t.Context, &t.Exception, &t.Mm, &t.Unloaded, &t.PRCB, &t.Process, &t.Thread,
		&t.CallStack, &t.CallStackSize, &t.Drivers, &t.DriverCount, &t.Strings, &t.StringsSize, &t.BrokenDriver, &t.Options,
	}
}

func (t *triage) last() []*uint32 {
	return []*uint32{&t.DataPageOffset, &t.DataPageSize, &t.Debugger, &t.DebuggerSize, &t.DataBlocks, &t.DataBlocksCount}
}

// triageSize is the size of TRIAGE_DUMP64; TRIAGE_DUMP32 is shorter.
const triageSize = 0x80

// ofItanium is the size of the fields between StackTop and DataPage of 64-bit dumps.
const ofItanium = 16

func (r *reader) readTriage() {
	at := r.head.layout.size
	data, err := r.src.ReadUpTo("triage header", at, triageSize)
	if err != nil {
		r.Note(err)
		return
	}
	c := bin.NewCursor("triage header", at, data)
	t := &triage{}
	for _, f := range t.first() {
		*f = c.U32()
	}
	if t.StackTop = r.address(c); r.word == 8 {
		c.Skip(ofItanium)
	}
	t.DataPage = r.address(c)
	for _, f := range t.last() {
		*f = c.U32()
	}
	r.Note(c.Err())
	r.detail.Triage = t
	r.Origin.Need, r.end = int64(t.Size), int64(t.Size)
	if t.Valid != 0 {
		r.Origin.Need = max(r.Origin.Need, int64(t.Valid)+4)
	}
	r.listBlocks(t)
	r.Memory = process.NewMemory(r.pages, false, r.captured(t), r.Note)
}

func (r *reader) address(c *bin.Cursor) uint64 {
	if r.word == 4 {
		return uint64(c.U32())
	}
	return c.U64()
}

// mostBlocks bounds the data blocks; Windows writes up to some thousands.
const mostBlocks = 1 << 16

// captured returns the ranges of memory: the stack, the data page, the debugger's data, the current thread and the data blocks.
func (r *reader) captured(t *triage) []process.Range {
	out := []process.Range{
		memory(t.StackTop, t.CallStack, t.CallStackSize), memory(t.DataPage, t.DataPageOffset, t.DataPageSize),
		memory(r.head.DebuggerData, t.Debugger, t.DebuggerSize),
	}
	size := r.word + 8
	data := r.rows("data blocks", int64(t.DataBlocks), uint64(t.DataBlocksCount), mostBlocks, size)
	c := bin.NewCursor("data blocks", int64(t.DataBlocks), data)
	for range len(data) / size {
		out = append(out, memory(r.address(c), c.U32(), c.U32()))
	}
	return out
}

// rows reads at most most rows of a size, and notes how many of count are not there.
func (r *reader) rows(what string, at int64, count, most uint64, size int) []byte {
	if count == 0 {
		return nil
	}
	data, err := r.src.ReadUpTo(what, at, min(count, most)*uint64(size))
	r.Note(err)
	if have := uint64(len(data) / size); have < count {
		r.notef(what, at, "count %d exceeds the %d that are there or supported", count, have)
	}
	return data
}

// memory is a range of memory at an offset, none if one of its fields is absent.
func memory(addr uint64, off, size uint32) process.Range {
	if addr == 0 || off == 0 {
		return process.Range{}
	}
	return process.Range{Base: addr, Location: process.Location{RVA: uint64(off), Size: uint64(size)}}
}

// listBlocks lists the parts of the dump, as far as it says where they end.
func (r *reader) listBlocks(t *triage) {
	for _, b := range []struct {
		name      string
		off, size uint32
	}{
		{"context", t.Context, uint32(r.cpu.Size)}, {"exception record", t.Exception, uint32(r.exceptionSize())}, {"memory manager", t.Mm, 0},
		{"unloaded drivers", t.Unloaded, 0}, {"processor control block", t.PRCB, 0}, {"process", t.Process, 0}, {"thread", t.Thread, 0},
		{"call stack", t.CallStack, t.CallStackSize}, {"driver list", t.Drivers, t.DriverCount * uint32(driverSize(r.word))},
		{"string pool", t.Strings, t.StringsSize}, {"data page", t.DataPageOffset, t.DataPageSize},
		{"debugger data", t.Debugger, t.DebuggerSize}, {"data blocks", t.DataBlocks, t.DataBlocksCount * uint32(r.word+8)}, {"end marker", t.Valid, 4},
	} {
		if b.off != 0 {
			r.detail.Blocks = append(r.detail.Blocks, Block{b.name, int64(b.off), uint64(b.size)})
		}
	}
}

func (r *reader) exceptionSize() int { return 0x20 + 15*r.word - (8-r.word)*3 }

// mostName bounds the characters of a driver's path.
const mostName = 1 << 10

// text reads a text of the string pool: the number of characters and UTF-16.
func (r *reader) text(off uint32) (string, error) {
	head, err := r.src.Read("driver name", int64(off), 4)
	if err != nil {
		return "", err
	}
	n := order.Uint32(head)
	if n > mostName {
		return "", &bin.Error{What: "driver name", Off: int64(off), Why: fmt.Sprintf("%d characters are more than %d", n, mostName)}
	}
	data, err := r.src.Read("driver name", int64(off)+4, uint64(2*n))
	return wide(data), err
}
