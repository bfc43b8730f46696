package elf

import (
	"encoding/binary"

	"crashglass/symbols/formats/dwarf"
)

// sections collects debug information: .debug_info and the others, or those of
// split units.
func (f *File) sections(suffix string) dwarf.Sections {
	out := dwarf.Sections{}
	for _, name := range dwarf.SectionNames {
		if src := f.Section(".debug_" + name + suffix); src.Size() > 0 {
			out[name] = src
		}
	}
	if suffix == "" {
		return out
	}
	if src := f.Section(".debug_cu_index"); src.Size() > 0 {
		out["cu_index"] = src
	}
	return out
}

// UnitIDs returns the IDs that tie a program to its split DWARF: of its skeleton units, or of the
// units in a .dwo or .dwp file.
func (f *File) UnitIDs() ([]uint64, error) {
	suffix := ""
	if f.IsSplit() {
		suffix = ".dwo"
	}
	return dwarf.UnitIDs(f.sections(suffix), dwarf.Options{BigEndian: f.h.order == binary.BigEndian, Progress: f.opt.Progress})
}

// has reports whether a section has bytes, compressed or not.
func (f *File) has(name string) bool {
	if f.find(name) != nil {
		return true
	}
	rest, ok := cutDebug(name)
	return ok && f.find(".zdebug_"+rest) != nil
}

// DWARF returns the debug information, which is empty if there is none.
func (f *File) DWARF() *dwarf.File { return f.info() }

// openDebugInfo joins the DWARF of this file and of those attached. The first file that has any is
// used.
func (f *File) openDebugInfo() *dwarf.File {
	all := append([]*File{f}, f.attached...)
	from := f
	for i := len(all) - 1; i >= 0; i-- {
		if !all[i].supplement && all[i].has(".debug_info") {
			from = all[i]
		}
	}
	info := dwarf.Open(from.sections(""), dwarf.Options{
		BigEndian: f.h.order == binary.BigEndian, Base: from.base, Progress: f.opt.Progress, Ask: f.opt.Ask, Later: f.opt.Later,
		Linkage: func(rel uint64, name string) string { return f.names().linkage(rel, name) },
	})
	for _, file := range all {
		if file.supplement {
			info.Supplement(file.sections(""))
		}
		if file.has(splitInfo) {
			info.AddSplit(file.sections(".dwo"))
		}
	}
	return info
}
