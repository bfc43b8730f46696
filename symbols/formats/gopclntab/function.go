package gopclntab

import (
	"sort"

	"crashglass/core/stack/unwind"
)

type function struct {
	start, end     uint64 // addresses
	name           uint64 // offset in the names
	sp, file, line uint64 // offsets of tables of values
	unit           uint64
	flags          uint8
	npc            uint64 // tables of further values
	nfunc          uint64 // references
	tables, refs   uint64 // offsets of both
}

// Flags of functions, since Go 1.17.
const (
	flagTop   = 1 // nothing called it
	flagMoves = 2 // it sets the stack pointer in a way that its table does not have
	flagAsm   = 4 // it is written in assembly
	tableInl  = 2 // PCDATA_InlTreeIndex
	refInl    = 3 // FUNCDATA_InlTree
	noRef     = 1<<32 - 1
)

// start is the address of a function, and end that of the code behind the last one.
func (t *Table) start(i uint64) uint64 {
	at := t.fns + i*t.entry()
	if t.relative() {
		return t.text + uint64(t.u32(at))
	}
	return t.wordAt(at)
}

func (t *Table) wordAt(off uint64) uint64 {
	b, err := t.pages.Bytes(int64(off), uint64(t.word))
	if err != nil {
		return 0
	}
	return t.number(b)
}

func (t *Table) at(addr uint64) (function, bool) {
	if t == nil || addr < t.start(0) {
		return function{}, false
	}
	i := sort.Search(int(t.count), func(i int) bool { return t.start(uint64(i)+1) > addr })
	if uint64(i) == t.count {
		return function{}, false
	}
	f, ok := t.function(uint64(i))
	return f, ok && addr >= f.start && addr < f.end // the list may be out of order
}

func (t *Table) function(i uint64) (f function, ok bool) {
	f.start, f.end = t.start(i), t.start(i+1)
	size := t.entry() / 2
	b, err := t.pages.Bytes(int64(t.fns+i*t.entry()+size), size)
	if err != nil || f.end <= f.start || f.start < t.opt.Base {
		return f, false
	}
	record := t.number(b)
	if t.magic != magic2 {
		record += t.fns
	}
	at := record + size // behind the start
	field := func() uint64 { v := t.u32(at); at += 4; return uint64(v) }
	if f.name = field(); f.name == 0 && t.magic == magic2 {
		return f, false
	}
	at += 8 // sizes of arguments, place of the call of deferreturn
	f.sp, f.file, f.line, f.npc = field(), field(), field(), field()
	if t.magic != magic2 {
		f.unit = field()
	}
	if t.magic == magic20 {
		at += 4 // line of the function's first token
	}
	if b, err = t.pages.Bytes(int64(at), 4); err != nil {
		return f, false
	}
	if t.magic != magic2 {
		f.flags = b[1]
	}
	f.nfunc = uint64(b[3])
	f.tables = at + 4
	f.refs = f.tables + 4*f.npc
	if !t.relative() {
		f.refs = (f.refs + uint64(t.word) - 1) &^ (uint64(t.word) - 1)
	}
	return f, true
}

func (t *Table) nameOf(f *function) string { return t.text0(t.names, f.name) }

// Function implements unwind.Rules.
func (t *Table) Function(rel uint64) (unwind.Function, bool) {
	f, ok := t.at(rel + t.base())
	if !ok {
		return unwind.Function{}, false
	}
	return unwind.Function{Name: t.nameOf(&f), Start: f.start - t.opt.Base, Size: f.end - f.start}, true
}

func (t *Table) base() uint64 {
	if t == nil {
		return 0
	}
	return t.opt.Base
}
