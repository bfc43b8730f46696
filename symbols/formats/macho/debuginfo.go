package macho

import (
	"bytes"
	"encoding/binary"

	"crashglass/core/base/bin"
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
		} else if packed := debugName("__zdebug_", name); f.find(packed) != nil {
			sections[name] = f.unpacked.OpenGNU("macho: section "+packed, f.section(packed))
		}
	}
	base := f.base
	if f.IsObject() {
		base = objectBase
	}
	return dwarf.Open(sections, dwarf.Options{
		BigEndian: f.h.order == binary.BigEndian, Base: base, Progress: f.opt.Progress, Waits: f.opt.Search, BeforeRead: f.opt.BeforeRead,
		Linkage: func(rel uint64, name string) string {
			if linkage := f.names().linkage(rel, name); name == "" || !IsHidden(linkage) {
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

const (
	relocSize      = 8
	relocScattered = 0x8000_0000 // R_SCATTERED, in the address
	relocUnsigned  = 0           // of all CPUs: GENERIC_RELOC_VANILLA, X86_64_RELOC_UNSIGNED, ARM64_RELOC_UNSIGNED

	// objectBase is where an object file is linked to, to read its DWARF: there, the address 0 means dropped code.
	objectBase = 1 << 24
)

// relocated links a section with DWARF to objectBase. Only addresses have relocations: what refers to other sections
// has offsets. Source: struct relocation_info of <mach-o/reloc.h>.
func (f *File) relocated(name string) bin.Source {
	src := f.section(name)
	s := f.find(name)
	if !f.IsObject() || s == nil || s.relocs.size == 0 || f.h.order != binary.LittleEndian {
		return src
	}
	data, err := src.Read("macho: section "+name, 0, uint64(src.Size()))
	if err != nil {
		f.note("%v", err)
		return src
	}
	data = bytes.Clone(data)
	table := f.source("relocations of "+name, s.relocs)
	relocs, err := table.Read("macho: relocations of "+name, 0, uint64(table.Size()))
	if err != nil {
		f.note("%v", err)
		return src
	}
	values := f.symbolValues(relocs)
	for c := bin.NewCursor("macho: relocations of "+name, 0, relocs); c.Len() >= relocSize; {
		at, how := c.U32(), parseReloc(c.U32())
		wide := 4 << (how.length & 1)
		if at&relocScattered != 0 || how.kind != relocUnsigned || how.length < 2 || uint64(at)+uint64(wide) > uint64(len(data)) {
			continue
		}
		by := uint64(objectBase)
		if how.symbol {
			by += values[how.number]
		}
		if wide == 8 {
			binary.LittleEndian.PutUint64(data[at:], binary.LittleEndian.Uint64(data[at:])+by)
		} else {
			binary.LittleEndian.PutUint32(data[at:], binary.LittleEndian.Uint32(data[at:])+uint32(by))
		}
	}
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}

// A reloc is how a relocation changes a place.
type reloc struct {
	number uint32 // of a symbol or a section
	length uint32 // of the place: 1 << length bytes
	symbol bool   // the symbol's value is added; otherwise the section's address has been
	kind   uint32
}

func parseReloc(v uint32) reloc {
	return reloc{number: v & 0xff_ffff, length: v >> 25 & 3, symbol: v>>27&1 != 0, kind: v >> 28}
}

func (f *File) symbolValues(relocs []byte) map[uint32]uint64 {
	values := map[uint32]uint64{}
	for c := bin.NewCursor("macho: relocations", 0, relocs); c.Len() >= relocSize; {
		c.U32()
		if r := parseReloc(c.U32()); r.symbol {
			values[r.number] = 0
		}
	}
	if len(values) == 0 {
		return nil
	}
	number := uint32(0)
	f.eachSymbol(func(c *bin.Cursor) {
		c.Skip(8)
		value := f.h.word(c)
		if _, wanted := values[number]; wanted {
			values[number] = value
		}
		number++
	})
	return values
}
