package macho

import (
	"encoding/binary"

	"crashglass/symbols/formats/dwarf"
	"crashglass/symbols/tables/cfi"
)

// debugName is the section of a kind of debug information: names have room for
// 16 letters, so that __debug_str_offsets lacks its last three.
func debugName(prefix, name string) string {
	name = prefix + name
	return name[:min(len(name), 16)]
}

// DWARF returns the debug information, which is empty if there is none.
func (f *File) DWARF() *dwarf.File { return f.info() }

// openDebugInfo opens the DWARF of a dSYM, or of a program that kept its own.
func (f *File) openDebugInfo() *dwarf.File {
	sections := dwarf.Sections{}
	for _, name := range dwarf.SectionNames {
		if src := f.relocated(debugName("__debug_", name)); src.Size() > 0 {
			sections[name] = src
		} else if src := f.compressed(debugName("__zdebug_", name)); src.Size() > 0 {
			sections[name] = src
		}
	}
	base := f.base
	if f.IsObject() {
		base = objectBase
	}
	return dwarf.Open(sections, dwarf.Options{
		BigEndian: f.h.order == binary.BigEndian, Base: base, Progress: f.opt.Progress, Ask: f.opt.Ask, Later: f.opt.Later,
		Linkage: func(rel uint64, name string) string {
			if linkage := f.names().linkage(rel, name); name == "" || !isHidden(linkage) {
				return linkage
			}
			return ""
		},
	})
}

// openFrames opens __eh_frame and __debug_frame; nil for a CPU without a name.
func (f *File) openFrames() *cfi.Table {
	s := cfi.Sections{Base: f.base, Arch: f.arch(), Word: 4, Order: f.h.order, Mac: true}
	if f.h.is64 {
		s.Word = 8
	}
	if sect := f.find("__eh_frame"); sect != nil {
		s.EHFrame = cfi.Section{Data: f.section("__eh_frame"), Addr: sect.addr}
	}
	if sect := f.find("__debug_frame"); sect != nil {
		s.DebugFrame = cfi.Section{Data: f.section("__debug_frame"), Addr: sect.addr}
	}
	for i := range f.sects {
		switch sect := &f.sects[i]; sect.name {
		case "__text":
			s.Text = sect.addr
		case "__got":
			s.Got = sect.addr
		}
	}
	t, err := cfi.Open(s, cfi.Options{Progress: f.opt.Progress})
	if err != nil {
		f.note("macho: %v", err)
		return nil
	}
	return t
}
