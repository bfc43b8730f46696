// Package gopclntab reads the table of functions that every Go program has, because its runtime needs
// it: names, files, lines, inlined calls and the size of the stack frame at every instruction. Stripped
// programs have it, too.
//
//	t, err := gopclntab.Open(data, gopclntab.Options{Arch: "amd64", Addr: 0x4b4208, Base: 0x400000})
//	t.Locate(rel)    // function, file, line and inlined calls
//	t.CallFrame(rel) // unwind rules
//
// The table is read in pages. A lookup bisects the list of functions and decodes the tables of one
// function, so a large program costs no more than a small one. Damaged records are left out; a
// [bin.Budget] bounds the work of all lookups.
//
// The layouts are those of Go 1.2, 1.16, 1.18 and 1.20. Sources: Go, src/runtime (pcHeader, moduledata,
// pcvalue, _func, inlinedCall), src/internal/abi (magic numbers and flags), src/cmd/link/internal/ld
// (pclntab), and the same of older releases. In Go 1.26 the start of the text is no longer in the table,
// but in moduledata.
//
// Read this file first, then function.go; value.go decodes tables, locate.go, rules.go and
// list.go use them, moduledata.go finds what the table refers to.
package gopclntab

import (
	"encoding/binary"
	"fmt"
	"sync"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/stack/unwind"
)

// The magic numbers, by the first release that has them.
const (
	magic2  = 0xfffffffb
	magic16 = 0xfffffffa
	magic18 = 0xfffffff0
	magic20 = 0xfffffff1
)

// Options say where a table is. All addresses are those of the linker.
type Options struct {
	Arch string // the CPU, as package cpu names it
	Addr uint64 // of the table
	Base uint64 // of the module: results are relative to it
	Image
}

// An Image reads the module around the table.
type Image interface {
	// Initial copies what a module has at an address when it is loaded, and returns the number of bytes.
	Initial(addr uint64, p []byte) int

	// Pointers calls add for each word of the module's initialized data, as it is when the module is loaded, until add
	// returns false. It may leave out zeros.
	Pointers(add func(at, value uint64) bool)
}

// A Table is an open table. It may be used from several goroutines at once.
type Table struct {
	unwind.NoWinFrames
	opt   Options
	arch  *cpu.Arch // nil if it is not known
	pages *bin.Pager
	order binary.ByteOrder
	magic uint32
	min   uint64 // the size of the smallest instruction
	word  int

	count                         uint64 // of functions
	names, units, files, pcs, fns uint64 // offsets of parts
	text                          uint64 // address of the first function, which others are relative to
	gofunc                        uint64 // address of what functions refer to; 0 if it is not known

	work  *bin.Budget
	notes bin.Notes
	first func() *unwind.CallFrameTable
}

// mostWork bounds the steps of all lookups: entries of tables.
const mostWork = 1 << 28

// inCache bounds the pages of a table in memory.
const inCache = 16 << 20

const what = "gopclntab"

// identify reports whether bytes are the beginning of a table: a magic number, two zeros, and possible sizes of instructions and pointers.
func identify(head []byte) (magic uint32, order binary.ByteOrder, ok bool) {
	if len(head) < 8 || head[4] != 0 || head[5] != 0 || head[6] != 1 && head[6] != 2 && head[6] != 4 || head[7] != 4 && head[7] != 8 {
		return 0, nil, false
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		switch m := order.Uint32(head); m {
		case magic2, magic16, magic18, magic20:
			return m, order, true
		}
	}
	return 0, nil, false
}

// Open reads the header of a table.
func Open(data bin.Source, opt Options) (*Table, error) {
	t := &Table{opt: opt, arch: cpu.ByName(opt.Arch), pages: bin.NewPager(what, data, inCache), work: bin.NewBudget(mostWork)}
	head, err := data.ReadUpTo(what, 0, 8+8*8)
	if err != nil {
		return nil, err
	}
	var ok bool
	if t.magic, t.order, ok = identify(head); !ok {
		return nil, &bin.Error{What: what, Why: fmt.Sprintf("begins with %x, not with a known magic number", head[:min(8, len(head))])}
	}
	t.min, t.word = uint64(head[6]), int(head[7])
	c := bin.NewOrderedCursor(what, 8, head[8:], t.order)
	t.count = t.cursorWord(c)
	if t.magic == magic2 {
		t.fns = uint64(c.Offset()) // the list of functions follows, and everything is relative to the table
	} else {
		c.Skip(t.word) // the number of files
		if t.magic >= magic18 && t.magic < magic16 {
			t.text = t.cursorWord(c)
		}
		for _, at := range []*uint64{&t.names, &t.units, &t.files, &t.pcs, &t.fns} {
			*at = t.cursorWord(c)
		}
	}
	if c.Err() != nil {
		return nil, c.Err()
	}
	if size := uint64(data.Size()); t.fns > size || t.count == 0 || t.count > (size-t.fns)/t.entry() {
		return nil, &bin.Error{What: what, Off: int64(min(t.fns, size)), Why: fmt.Sprintf("%d functions at %#x do not fit into %d bytes", t.count, t.fns, size)}
	}
	if t.magic == magic2 {
		t.files = uint64(t.u32(t.fns + t.count*t.entry() + uint64(t.word)))
	}
	t.first = sync.OnceValue(t.firstRules)
	t.findModuleData()
	return t, nil
}

// entry is the size of an entry of the list of functions: start and record.
func (t *Table) entry() uint64 {
	if t.relative() {
		return 8
	}
	return uint64(2 * t.word)
}

// relative reports whether starts of functions are relative to the text, which they are since Go 1.18.
func (t *Table) relative() bool { return t.magic == magic18 || t.magic == magic20 }

func (t *Table) cursorWord(c *bin.Cursor) uint64 {
	if t.word == 8 {
		return c.U64()
	}
	return uint64(c.U32())
}

// number decodes a word, or 4 bytes.
func (t *Table) number(b []byte) uint64 {
	if len(b) == 8 {
		return t.order.Uint64(b)
	}
	return uint64(t.order.Uint32(b))
}

// u32 reads 4 bytes of the table, 0 if it does not have them.
func (t *Table) u32(off uint64) uint32 {
	b, err := t.pages.Bytes(int64(off), 4)
	if err != nil {
		return 0
	}
	return t.order.Uint32(b)
}

// maxName bounds names of functions and files. The name of a generic function has its type arguments.
const maxName = 64 << 10

func (t *Table) text0(part, off uint64) string {
	name, err := t.pages.String(int64(part+off), maxName)
	if err != nil {
		return ""
	}
	return name
}

// Len is the number of functions, 0 of a nil Table.
func (t *Table) Len() int {
	if t == nil {
		return 0
	}
	return int(t.count)
}

// Notes lists the damage.
func (t *Table) Notes() []string {
	if t == nil {
		return nil
	}
	out, _ := t.notes.List()
	return out
}
