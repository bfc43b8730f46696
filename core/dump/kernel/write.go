package kernel

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"unicode/utf16"

	"crashglass/core/process"
)

// ErrTooLarge is returned for memory that no small dump has room for: its offsets have 32 bits.
var ErrTooLarge = errors.New("kernel: a small dump has no room for 4 GiB of memory")

// Small returns a process of any kernel dump as a small one (triage dump): its threads, drivers and event, and the memory that it lists. Nothing
// else comes from the original file but numbers of its header. The parts that were removed are at the offsets of the process's own
// file.
func Small(p *process.Process, removed process.Removed) ([]byte, error) {
	d, ok := p.Origin.Detail.(*Detail)
	if !ok {
		return nil, errors.New("kernel: not a dump of the kernel")
	}
	if p.Memory.Total() > math.MaxUint32>>1 {
		return nil, ErrTooLarge
	}
	w := &writer{p: p, head: d.Header, layout: d.Header.layout, word: d.Header.layout.word, blocks: p.Memory}
	if whole := p.Memory.Placeholders(); whole != nil {
		w.blocks = whole
	}
	w.header()
	w.triage(removed)
	return w.out, w.own()
}

type writer struct {
	p      *process.Process
	head   *header
	layout *layout
	word   int
	blocks *process.Memory
	out    []byte
	lost   []process.Location // parts of the new file
}

func (w *writer) here() uint32 { return uint32(len(w.out)) }

func (w *writer) u32(vs ...uint32) {
	for _, v := range vs {
		w.out = order.AppendUint32(w.out, v)
	}
}

func (w *writer) words(vs ...uint64) {
	for _, v := range vs {
		w.out = order.AppendUint64(w.out, v)[:len(w.out)+w.word]
	}
}

func (w *writer) put(at int64, v uint32) { order.PutUint32(w.out[at:], v) }

func (w *writer) putWord(at int64, v uint64) { w.putBytes(at, order.AppendUint64(nil, v)[:w.word]) }

func (w *writer) putBytes(at int64, data []byte) { copy(w.out[at:], data) }

// header writes the header. Fields without a value have the bytes of an absent one.
func (w *writer) header() {
	l, h := w.layout, w.head
	w.out = bytes.Repeat(absent, int(l.size)/len(absent))
	w.putBytes(0, []byte(l.magic))
	const free = 15 // MajorVersion of builds that are not checked ones
	w.put(8, free)
	w.put(0xc, h.Build)
	w.putWord(l.root, h.PageTables)
	w.putWord(l.modules, h.ModuleList)
	w.putWord(l.modules+int64(w.word), h.ProcessList)
	w.put(l.machine, h.Machine)
	w.put(l.machine+4, h.Processors)
	w.put(l.code, h.BugCheck)
	for i := range h.Parameters {
		w.putWord(l.parameters+int64(i*w.word), w.p.Event.Parameters[i])
	}
	w.putWord(l.debug, h.DebuggerData)
	w.put(l.kind, triageDump)
	for at, v := range map[int64]uint64{l.time: h.SystemTime, l.uptime: h.UpTime} {
		if v != 0 {
			w.putBytes(at, order.AppendUint64(nil, v))
		}
	}
	w.put(l.product, h.ProductType)
	w.put(l.product+4, h.Suite)
	if w.word == 4 {
		w.out[paeAt] = 0
		if h.PAE {
			w.out[paeAt] = 1
		}
	}
	if len(w.p.Threads) > 0 && w.p.Threads[0].Registers != nil {
		const all = 0xf // groups of registers
		regs := w.p.Threads[0].Registers.Regs
		w.putBytes(l.context, contextOf(h.Machine).Encode(&regs, all, order))
	}
}

// triage writes TRIAGE_DUMP, the lists and the memory.
func (w *writer) triage(removed process.Removed) {
	t := &triage{Options: math.MaxUint32, Context: uint32(w.layout.context)}
	at := len(w.out)
	w.out = append(w.out, make([]byte, triageSize)...)
	t.Unloaded = w.here()
	w.unloaded()
	w.drivers(t)
	w.memory(t, removed)
	t.Valid = w.here()
	w.out = append(w.out, "TRGD"...)
	t.Size = w.here()

	end := w.out
	w.out = nil
	for _, f := range t.first() {
		w.u32(*f)
	}
	w.words(t.StackTop)
	if w.word == 8 {
		w.out = append(w.out, make([]byte, ofItanium)...)
	}
	w.words(t.DataPage)
	for _, f := range t.last() {
		w.u32(*f)
	}
	copy(end[at:], w.out)
	w.out = end
	w.put(w.layout.space, t.Size)
	w.put(w.layout.space+4, 0)
}

// unloaded writes the drivers that were unloaded. There is room for 12 characters of a name.
func (w *writer) unloaded() {
	list := w.p.Unloaded[:min(len(w.p.Unloaded), mostUnloaded)]
	w.words(uint64(len(list)))
	for i := range list {
		name := utf16.Encode([]rune(list[i].Name()))
		name = name[:min(len(name), unloadedName)]
		n := uint16(2 * len(name))
		w.out = order.AppendUint16(order.AppendUint16(w.out, n), n)
		w.out = append(w.out, make([]byte, 2*w.word-4)...)
		w.text(name, unloadedName)
		w.words(list[i].Base, list[i].Base+list[i].Size)
	}
}

// text writes characters and zeros up to a size.
func (w *writer) text(name []uint16, size int) {
	for _, c := range name {
		w.out = order.AppendUint16(w.out, c)
	}
	w.out = append(w.out, make([]byte, 2*(size-len(name)))...)
}

// drivers writes the drivers, and behind them the string pool with their names.
func (w *writer) drivers(t *triage) {
	list := w.p.Modules[:min(len(w.p.Modules), mostDrivers)]
	t.Drivers, t.DriverCount = w.here(), uint32(len(list))
	size, e := driverSize(w.word), entries[w.word]
	w.out = append(w.out, make([]byte, size*len(list))...)
	t.Strings = w.here()
	for i := range list {
		m := &list[i]
		entry := int64(t.Drivers) + int64(i*size)
		w.put(entry, w.here())
		entry += int64(w.word)
		stamp, length := m.Stamp()
		w.putWord(entry+e.base, m.Base)
		w.put(entry+e.size, length)
		w.put(entry+e.checkSum, w.checkSum(m.Base))
		w.put(entry+e.stamp, stamp)
		name := utf16.Encode([]rune(m.CodeFile))
		name = name[:min(len(name), mostName)]
		w.u32(uint32(len(name)))
		w.text(name, (len(name)+2)&^1) // ends with a zero, and at a multiple of 4 bytes
	}
	t.StringsSize = w.here() - t.Strings
}

func (w *writer) checkSum(base uint64) uint32 {
	for _, d := range w.p.Origin.Detail.(*Detail).Drivers {
		if d.Base == base {
			return d.CheckSum
		}
	}
	return 0
}

// memory writes the ranges of memory. The one with the stack pointer of the first thread is the call stack, the others are data blocks.
func (w *writer) memory(t *triage, removed process.Removed) {
	ranges := w.p.Memory.Ranges()
	stack := -1
	if len(w.p.Threads) > 0 && w.p.Threads[0].Registers != nil {
		sp, known := w.p.Threads[0].Registers.Regs.Get(w.p.Arch.SP)
		for i, r := range ranges {
			if known && sp-r.Base < r.Size {
				stack = i
			}
		}
	}
	t.DataBlocks = w.here()
	row := w.word + 8
	if t.DataBlocksCount = uint32(len(ranges)); stack >= 0 {
		t.DataBlocksCount--
	}
	w.out = append(w.out, make([]byte, row*int(t.DataBlocksCount))...)
	next := int64(t.DataBlocks)
	for i, r := range ranges {
		at := w.here()
		data := make([]byte, r.Size)
		w.out = append(w.out, data[:w.blocks.Read(r.Base, data)]...)
		size := w.here() - at
		w.lose(removed, r.RVA, uint64(at), uint64(size))
		if i == stack {
			t.StackTop, t.CallStack, t.CallStackSize = r.Base, at, size
			continue
		}
		w.putWord(next, r.Base)
		w.put(next+int64(w.word), at)
		w.put(next+int64(w.word)+4, size)
		next += int64(row)
	}
}

// lose records which parts of size bytes, which are now at an offset, were removed from the process's file.
func (w *writer) lose(removed process.Removed, from, at, size uint64) {
	for _, l := range removed {
		start, end := max(l.RVA, from), min(l.RVA+l.Size, from+size)
		if start < end {
			w.lost = append(w.lost, process.Location{RVA: at + start - from, Size: end - start})
		}
	}
}

// own writes what the structures have no place for.
func (w *writer) own() error {
	data, err := json.Marshal(factsOf(w.p, w.lost))
	if err != nil {
		return err
	}
	const fileHeader, partHeader = 0x10, 0x20
	w.out = append(w.out, "DumpBlob"...)
	w.u32(fileHeader, w.head.Build, partHeader)
	w.out = tagOwn.Append(w.out, order)
	w.u32(uint32(len(data)), 0, 0)
	w.out = append(w.out, data...)
	return nil
}
