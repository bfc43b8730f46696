package pe

import (
	"cmp"
	"encoding/binary"
	"slices"

	"crashglass/core/base/bin"
	"crashglass/core/base/sorting"
	"crashglass/core/stack/symbolize"
)

// A span is a range of addresses, [start, end).
type span struct{ start, end uint64 }

// ReadImage copies code and constants, from sections that are not writable. It omits bytes that the
// loader changes: the import address table, which linkers may put between code, and the targets of
// base relocations, because the load address is unknown here.
//
// The headers are read, too, but for the base, which the loader notes there.
// MinGW's start code writes the addresses of imported variables into constants. Their places have a base
// relocation, too, so the constants of an image without relocations are left out.
func (f *File) ReadImage(rel uint64, p []byte) int {
	if s := f.sectionAt(rel); s != nil && !f.unwritten(s) {
		return 0
	}
	off, n, ok := f.offset(rel)
	if !ok {
		return 0
	}
	n = min(n, uint64(len(p)), f.unchanged(rel))
	for got := 0; got < int(n); {
		b, err := f.pages.From(off + int64(got))
		if err != nil {
			f.notes.add(err)
			return got
		}
		got += copy(p[got:n], b)
	}
	return int(n)
}

// ReadLoaded implements symbolize.Image. Of the words that base relocations change it has those of 32 and 64 bits that no other relocation
// overlaps, from their first byte on. An image in a dump's memory is as the loader left it already.
func (f *File) ReadLoaded(base, rel uint64, p []byte) int {
	n := 0
	for n < len(p) {
		at := rel + uint64(n)
		got := f.ReadImage(at, p[n:])
		if got == 0 {
			got = f.relocate(base, at, p[n:])
		}
		if got == 0 {
			break
		}
		n += got
	}
	return n
}

// relocate reads a word, and adds to it how far from the file's base the image is.
func (f *File) relocate(base, rel uint64, p []byte) int {
	size := int(f.relocated().wordAt(rel))
	s := f.sectionAt(rel)
	if f.opt.Mapped || size == 0 || size > len(p) || s == nil || !f.unwritten(s) {
		return 0
	}
	word, err := f.read("relocated word", rel, uint64(size))
	if err != nil {
		f.notes.add(err)
		return 0
	}
	if size == 4 {
		binary.LittleEndian.PutUint32(p, binary.LittleEndian.Uint32(word)+uint32(base-f.h.imageBase))
	} else {
		binary.LittleEndian.PutUint64(p, binary.LittleEndian.Uint64(word)+base-f.h.imageBase)
	}
	return size
}

// unwritten reports whether a section holds what a process does not change: code, or constants.
func (f *File) unwritten(s *section) bool {
	switch {
	case s.flags&flagWrite != 0:
		return false
	case s.flags&flagExecute != 0:
		return true
	}
	return s.flags&(flagInitialised|flagDiscardable) == flagInitialised && f.h.dirs[dirReloc].size != 0
}

// linkerGNU is the major version of GNU ld. Its images may have addresses in code that no table of the format lists, and the C
// library's start code changes them (MinGW-w64, crt/pseudo-reloc.c). LLVM's linker writes such images for MinGW, too: of x86 all are
// left out that have no debug directory.
const linkerGNU = 2

// dynamicRelocations64 is where the load configuration of a 64-bit image has DynamicValueRelocTableOffset, and its section behind it.
const dynamicRelocations64 = 0xe0

// CodeParts implements symbolize.Image, but not for images with code of two CPUs. Of managed code the runtime changes parts, and an image with dynamic relocations has code that
// Windows replaces by what the machine needs: one half of ARM64X, or calls without speculation.
func (f *File) CodeParts() (out []symbolize.Range) {
	dynamic := 0x88
	if f.h.wide {
		dynamic = dynamicRelocations64
	}
	relocs, err := f.loadConfig(dynamic, 4)
	if f.halves() != nil || relocs != 0 || err != nil || f.h.dirs[dirCLR].rva != 0 || f.h.linker == linkerGNU || f.h.machine == machineI386 && f.h.dirs[dirDebug].size == 0 {
		return nil
	}
	for _, s := range f.sections {
		if s.flags&(flagExecute|flagWrite) == flagExecute {
			out = append(out, symbolize.Range{Start: uint64(s.rva), Size: uint64(s.raw)})
		}
	}
	return out
}

// unchanged is how many bytes from an address on the loader leaves alone.
func (f *File) unchanged(rel uint64) uint64 {
	spans := f.relocated().spans
	i, _ := slices.BinarySearchFunc(spans, rel, func(s span, a uint64) int {
		if s.end <= a {
			return -1
		}
		return 1
	})
	switch {
	case i == len(spans):
		return ^uint64(0)
	case spans[i].start <= rel:
		return 0
	}
	return spans[i].start - rel
}

// relocSize is the number of bytes that each type of base relocation changes; 0 means none. Types
// that are not known count as the longest, two instructions. Source: PE Format, "Base Relocation
// Types".
var relocSize = [16]uint64{0, 2, 2, 4, 2, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8}

// The types of base relocations that add 32 and 64 bits.
const (
	relocHighLow = 3
	relocDir64   = 10
)

// A loaded is what the loader changes in code and constants, sorted.
type loaded struct {
	spans  []span // all of it, joined
	fixups []fixup
}

// A fixup is a base relocation.
type fixup struct {
	at   uint32
	kind uint8
}

// wordAt is the size of a word that only one relocation changes; 0 if there is none.
func (l *loaded) wordAt(rel uint64) uint64 {
	i, ok := slices.BinarySearchFunc(l.fixups, rel, func(r fixup, at uint64) int { return cmp.Compare(uint64(r.at), at) })
	if !ok || l.fixups[i].kind != relocHighLow && l.fixups[i].kind != relocDir64 {
		return 0
	}
	size := relocSize[l.fixups[i].kind]
	if i+1 < len(l.fixups) && uint64(l.fixups[i+1].at) < rel+size {
		return 0
	}
	if i > 0 && uint64(l.fixups[i-1].at)+relocSize[l.fixups[i-1].kind] > rel {
		return 0
	}
	return size
}

// readRelocated finds what the loader changes in code.
func (f *File) readRelocated() *loaded {
	out := loaded{spans: []span{f.h.baseAt}}
	if d := f.h.dirs[dirIAT]; d.size > 0 {
		out.spans = append(out.spans, span{uint64(d.rva), uint64(d.rva) + uint64(d.size)})
	}
	d := f.h.dirs[dirReloc]
	if d.rva != 0 && d.size != 0 {
		const what = "base relocations"
		at, _, _ := f.offset(uint64(d.rva))
		data, err := f.read(what, uint64(d.rva), uint64(d.size))
		if err != nil {
			f.notes.add(err)
		}
		c := bin.NewCursor(what, at, data)
		f.relocations(c, &out)
		if c.Err() != nil || err != nil {
			// Other changes are unknown.
			f.notes.add(cmp.Or(c.Err(), err))
			return &loaded{spans: []span{{0, ^uint64(0)}}}
		}
	}
	out.spans = merge(out.spans)
	sorting.Stable(out.fixups, func(a, b fixup) int { return cmp.Compare(a.at, b.at) })
	return &out
}

// relocations reads blocks: the address of a page, the size of the block, and
// words with four bits of type above twelve of offset.
func (f *File) relocations(c *bin.Cursor, out *loaded) {
	for c.Len() >= 8 {
		page, size := uint64(c.U32()), c.U32()
		if size == 0 {
			return // the rest is padding
		}
		if size < 8 || int64(size-8) > int64(c.Len()) {
			c.Fail("block of %d bytes with %d left", size, c.Len()+8)
			return
		}
		// Pages of variables are most of them.
		first, last := f.sectionAt(page), f.sectionAt(page+0xfff+8)
		read := first == nil || first != last || f.unwritten(first)
		words := bin.NewCursor("base relocations", c.Offset(), c.Bytes(int(size-8)))
		for read && words.Len() >= 2 {
			w := words.U16()
			if n := relocSize[w>>12]; n > 0 {
				start := page + uint64(w&0xfff)
				out.fixups = append(out.fixups, fixup{uint32(start), uint8(w >> 12)})
				if end := &out.spans[len(out.spans)-1].end; *end == start { // a table of addresses
					*end += n
				} else {
					out.spans = append(out.spans, span{start, start + n})
				}
			}
		}
	}
}

// merge sorts spans and joins those that touch.
func merge(spans []span) []span {
	sorting.Stable(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, s.end)
			continue
		}
		out = append(out, s)
	}
	return out
}
