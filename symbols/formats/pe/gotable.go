package pe

import (
	"bytes"
	"encoding/binary"

	"crashglass/symbols/formats/gopclntab"
)

// linkerGo is the major version of Go's own linker. Programs with C are linked by GNU ld or, for MinGW, by LLVM's linker.
const linkerGo = 3

// buildInfo begins what Go's linker writes about a build, in the first section of variables. Other linkers have their start code's before.
var buildInfo = []byte("\xff Go buildinf:")

// mostBuildInfo bounds the variables in which it is searched.
const mostBuildInfo = 64 << 10

// openGo opens Go's table of functions, which lies among the constants; nil if there is none.
func (f *File) openGo() *gopclntab.Table {
	if f.opt.Mapped || !f.isGo() {
		return nil
	}
	for i := range f.sections {
		if s := &f.sections[i]; s.flags&(flagInitialised|flagWrite|flagExecute|flagDiscardable) == flagInitialised {
			opt := gopclntab.Options{Arch: archs[f.h.machine], Addr: f.h.imageBase + uint64(s.rva), Base: f.h.imageBase, Image: goImage{f}}
			if t := gopclntab.Find(f.bytesOf(s), opt); t != nil {
				return t
			}
		}
	}
	return nil
}

func (f *File) isGo() bool {
	if f.h.linker == linkerGo {
		return true
	}
	if f.h.dirs[dirDebug].size != 0 { // Microsoft's
		return false
	}
	for i := range f.sections {
		if s := &f.sections[i]; s.flags&(flagInitialised|flagWrite) == flagInitialised|flagWrite {
			data, err := f.bytesOf(s).ReadUpTo("build information", 0, mostBuildInfo)
			return err == nil && bytes.Contains(data, buildInfo)
		}
	}
	return false
}

// A goImage is the file as package gopclntab reads it.
type goImage struct{ *File }

// Initial implements gopclntab.Image.
func (f goImage) Initial(addr uint64, p []byte) int {
	return f.src.CopyParts(p, func(n uint64) (int64, uint64) {
		off, size, _ := f.offset(addr + n - f.h.imageBase)
		return off, size
	})
}

// Pointers implements gopclntab.Image.
func (f goImage) Pointers(add func(at, value uint64) bool) {
	for i := range f.sections {
		s := &f.sections[i]
		if s.flags&flagWrite != 0 && !gopclntab.EachWord(f.bytesOf(s), binary.LittleEndian, f.h.wordSize(), f.h.imageBase+uint64(s.rva), add) {
			return
		}
	}
}
