package elf

import (
	"io"

	"crashglass/core/base/bin"
	"crashglass/symbols/formats/gopclntab"
)

// goTables are the names of the section with Go's table of functions, in programs without and with relocations.
var goTables = []string{".gopclntab", ".data.rel.ro.gopclntab"}

// openGo opens Go's table of functions, nil if there is none. A file without section headers is searched for it, and a movable program
// that a C compiler's linker made, which joins the table with other data.
func (f *File) openGo() *gopclntab.Table {
	for _, name := range goTables {
		if s := f.find(name); s != nil && s.flags&secCompressed == 0 {
			t, err := gopclntab.Open(f.raw(s), f.goOptions(s.addr))
			if err != nil {
				f.note("%v", err)
			}
			return t
		}
	}
	if len(f.sects) > 0 && f.find(".go.buildinfo") == nil {
		return nil
	}
	for _, s := range f.segs {
		if s.kind != segLoad || !f.src.Has(int64(s.off), s.size) {
			continue
		}
		if t := gopclntab.Find(f.bytesOf(&s), f.goOptions(s.addr)); t != nil {
			return t
		}
	}
	return nil
}

// bytesOf returns the bytes of a segment that are in the file.
func (f *File) bytesOf(s *segment) bin.Source {
	return bin.NewSource(io.NewSectionReader(f.src, int64(s.off), int64(s.size)), int64(s.size))
}

func (f *File) goOptions(addr uint64) gopclntab.Options {
	return gopclntab.Options{Arch: f.arch(), Addr: addr, Base: f.base, Image: goImage{f}}
}

// A goImage is the file as package gopclntab reads it.
type goImage struct{ *File }

// Initial implements gopclntab.Image.
func (f goImage) Initial(addr uint64, p []byte) int {
	return f.src.CopyParts(p, func(n uint64) (int64, uint64) { return f.loaded(addr+n, true) })
}

// Types of relocations that add the module's address to a word: R_X86_64_RELATIVE and the same of other CPUs.
var relativeTypes = map[uint16]uint32{62: 8, 3: 8, 40: 23, 183: 1027, 243: 3}

// mostRelocations bounds the bytes of a section of relocations that are searched for pointers.
const mostRelocations = 64 << 20

// Pointers implements gopclntab.Image. Words of a program that can be moved may be in relocations only.
func (f goImage) Pointers(add func(at, value uint64) bool) {
	for i := range f.sects {
		if s := &f.sects[i]; s.kind == secRela && !f.relative(s, add) {
			return
		}
	}
	for _, s := range f.segs {
		if s.kind != segLoad || s.flags&segWritable == 0 {
			continue
		}
		if !gopclntab.EachWord(f.bytesOf(&s), f.h.order, f.h.wordSize(), s.addr, add) {
			return
		}
	}
}

// relative goes through the relocations of a section that add the module's address.
func (f goImage) relative(s *section, add func(at, value uint64) bool) (more bool) {
	more = true
	if want, ok := relativeTypes[f.h.machine]; ok {
		_ = f.eachRelocation(s, mostRelocations, func(r relocation) bool {
			more = r.kind != want || add(r.at, r.addend)
			return more
		})
	}
	return more
}
