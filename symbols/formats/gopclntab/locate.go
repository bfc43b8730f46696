package gopclntab

import "crashglass/core/stack/symbolize"

const maxInlined = 256

// Locate implements symbolize.Source.
func (t *Table) Locate(rel uint64) (loc symbolize.Location, ok bool) {
	f, ok := t.at(rel + t.base())
	if !ok {
		return loc, false
	}
	loc = symbolize.Location{Function: t.nameOf(&f), Start: f.start - t.opt.Base, Size: f.end - f.start}
	addr, tree := rel+t.opt.Base, t.inlineTree(&f)
	line, _ := t.value(&f, f.line, addr)
	loc.LineStart = line.start - t.opt.Base
	loc.File, loc.Line = t.place(&f, addr)
	for len(loc.Inlines) < maxInlined {
		call, ok, lost := t.inlined(&f, tree, addr)
		if lost { // the line is that of a call whose name is not known
			loc.File, loc.Line = "", 0
		}
		if !ok {
			break
		}
		loc.Inlines = append(loc.Inlines, symbolize.Inline{Function: call.name, File: loc.File, Line: loc.Line})
		addr = f.start + call.from
		loc.File, loc.Line = t.place(&f, addr)
	}
	return loc, true
}

func (t *Table) place(f *function, addr uint64) (file string, line uint32) {
	n, ok := t.value(f, f.file, addr)
	if l, known := t.value(f, f.line, addr); known && l.value > 0 {
		line = uint32(l.value)
	}
	if !ok || n.value < 0 {
		return "", line
	}
	return t.fileOf(f, uint64(n.value)), line
}

// fileOf is the name of a file by its number: in the compilation unit since Go 1.16, and in the table before.
func (t *Table) fileOf(f *function, n uint64) string {
	if t.magic == magic2 {
		return t.text0(0, uint64(t.u32(t.files+4*n)))
	}
	off := t.u32(t.units + 4*(f.unit+n))
	if off == noRef {
		return ""
	}
	return t.text0(t.files, uint64(off))
}

// An inlinedCall is an entry of a function's tree of inlined calls.
type inlinedCall struct {
	name string
	from uint64 // an instruction of the place of the call, from the start of the function
}

// inlineTree is the address of a function's inlined calls, 0 if there are none, or they are not known. Tables before Go 1.16
// number their parts in another way in each release.
func (t *Table) inlineTree(f *function) uint64 {
	if t.magic == magic2 || f.npc <= tableInl || f.nfunc <= refInl {
		return 0
	}
	if !t.relative() {
		return t.wordAt(f.refs + refInl*uint64(t.word))
	}
	if off := t.u32(f.refs + 4*refInl); off != noRef && t.gofunc != 0 {
		return t.gofunc + uint64(off)
	}
	return 0
}

// inlined is the innermost inlined call at an address of a function. It is lost if there is one that cannot be read.
func (t *Table) inlined(f *function, tree, addr uint64) (call inlinedCall, ok, lost bool) {
	if t.magic == magic2 || f.npc <= tableInl {
		return call, false, false
	}
	index, ok := t.value(f, uint64(t.u32(f.tables+4*tableInl)), addr)
	if !ok || index.value < 0 {
		return call, false, false
	}
	call, ok = t.call(tree, uint64(index.value), f.end-f.start)
	return call, ok, !ok
}

// call reads an entry of a tree. Its fields are the offset of the name, and the place of the call; before Go 1.20
// the numbers of the parent, of the file and of the line are in front of them.
func (t *Table) call(tree, index, size uint64) (c inlinedCall, ok bool) {
	var b [20]byte
	entry, name, from := uint64(16), 4, 8
	if t.magic != magic20 {
		entry, name, from = 20, 12, 16
	}
	if tree == 0 || t.opt.Image == nil || t.opt.Initial(tree+index*entry, b[:entry]) < int(entry) {
		return c, false
	}
	c.from = uint64(t.order.Uint32(b[from:]))
	c.name = t.text0(t.names, uint64(t.order.Uint32(b[name:])))
	return c, c.from < size && c.name != ""
}
