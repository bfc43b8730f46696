package pe

import (
	"cmp"
	"encoding/binary"
	"fmt"

	"crashglass/symbols/archives/decompress"
	"crashglass/symbols/formats/dwarf"
	"crashglass/symbols/tables/cfi"
)

// DWARF returns the debug information, which is empty if there is none.
func (f *File) DWARF() *dwarf.File { return f.info() }

// openDebugInfo finds the DWARF that MinGW's compilers and Go's linker put into images. It is
// empty where there is none.
func (f *File) openDebugInfo() *dwarf.File {
	sections := dwarf.Sections{}
	unpacked := decompress.NewSections(f.src.Size(), func(format string, args ...any) { f.notes.Add(fmt.Sprintf(format, args...)) })
	for _, name := range dwarf.SectionNames {
		if src, ok := f.Section(".debug_" + name); ok {
			sections[name] = src
		} else if packed, ok := f.Section(".zdebug_" + name); ok {
			sections[name] = unpacked.OpenGNU("pe: section .zdebug_"+name, packed)
		}
	}
	return dwarf.Open(sections, dwarf.Options{Base: f.h.imageBase, Progress: f.opt.Progress, Linkage: f.linkage})
}

// linkage is the linker's name of the function that begins at an address: of
// several the one that DWARF has, if there is one.
func (f *File) linkage(rel uint64, wanted string) (found string) {
	for _, s := range f.names().at(rel) {
		if s.limit == 0 {
			continue
		}
		name := f.plain(f.nameOf(s))
		if name == wanted {
			return name
		}
		found = cmp.Or(found, name)
	}
	return found
}

// openFrames finds the call frame information that MinGW's images for x86 have
// instead of unwind codes; nil where there is none.
func (f *File) openFrames() *cfi.Table {
	if f.h.machine != machineI386 {
		return nil
	}
	place := func(name string) cfi.Section {
		s := f.named(name)
		if s == nil {
			return cfi.Section{}
		}
		return cfi.Section{Data: f.bytesOf(s), Addr: f.h.imageBase + uint64(s.rva)}
	}
	s := cfi.Sections{EHFrame: place(".eh_frame"), DebugFrame: place(".debug_frame"), Base: f.h.imageBase, Arch: "x86", Word: 4, Order: binary.LittleEndian}
	if s.EHFrame.Data.Size() == 0 && s.DebugFrame.Data.Size() == 0 {
		return nil
	}
	t, err := cfi.Open(s, cfi.Options{Progress: f.opt.Progress})
	if err != nil {
		f.notes.add(err)
		return nil
	}
	return t
}
