package pe

import (
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/process/module"
)

func (f *File) identify() module.Module {
	m := module.Module{
		Size:     uint64(f.h.imageSize),
		Arch:     archs[f.h.machine],
		CodeID:   fmt.Sprintf("%08X%x", f.h.stamp, f.h.imageSize),
		CodeFile: module.Basename(f.exportedName()),
	}
	if f.h.machine == machineARM64 && f.hybrid() != nil {
		m.Arch = "" // it is a program of each
	}
	m.DebugFile, m.DebugID = f.codeView()
	m.DebugFile = module.Basename(m.DebugFile)
	return m
}

func (f *File) exportedName() string {
	d := f.h.dirs[dirExport]
	if d.rva == 0 || d.size == 0 {
		return ""
	}
	data, err := f.read("export directory", uint64(d.rva), exportSize)
	if err != nil {
		return "" // noted when the exports are read
	}
	c := bin.NewCursor("export directory", 0, data)
	c.Skip(12)
	name, err := f.text("export directory", uint64(c.U32()))
	if err != nil {
		f.notes.add(err)
	}
	return name
}

// text is the text at an address, up to a zero byte.
func (f *File) text(what string, rva uint64) (string, error) {
	off, n, ok := f.offset(rva)
	if !ok {
		return "", defect(what, int64(rva), "the address of a name is not in the file")
	}
	return f.pages.String(off, int(min(n, maxName)))
}

const (
	// debugSize is sizeof(IMAGE_DEBUG_DIRECTORY).
	debugSize = 28
	// maxDebug bounds how many debug records are looked at. Linkers write up to six.
	maxDebug = 64
	// debugCodeView is IMAGE_DEBUG_TYPE_CODEVIEW.
	debugCodeView = 2
)

// codeView looks for the debug record that names a PDB. With several the first
// one that is understood counts, as for dbghelp.
func (f *File) codeView() (file, id string) {
	d := f.h.dirs[dirDebug]
	if d.rva == 0 || d.size < debugSize {
		return "", ""
	}
	const what = "debug directory"
	data, err := f.readUpTo(what, uint64(d.rva), uint64(min(d.size, maxDebug*debugSize)))
	if err != nil {
		f.notes.add(err)
		return "", ""
	}
	c := bin.NewCursor(what, 0, data)
	for c.Len() >= debugSize {
		c.Skip(12)
		kind, size, rva, off := c.U32(), c.U32(), c.U32(), int64(c.U32())
		if kind != debugCodeView {
			continue
		}
		// PointerToRawData counts; images that were rewritten have only the address.
		if at, _, ok := f.offset(uint64(rva)); off == 0 && ok {
			off = at
		}
		if file, id := f.readCodeView(off, size); id != "" {
			return file, id
		}
	}
	return "", ""
}

// Signatures of debug records, as little-endian words. Source: Microsoft's cvinfo.h.
const (
	sigPDB70 = 0x5344_5352 // "RSDS"
	sigPDB20 = 0x3031_424e // "NB10"
)

// readCodeView reads a record: "RSDS", GUID, age and path, or "NB10", offset,
// time stamp, age and path. The id is spelled as Breakpad does; a GUID of
// zeros identifies nothing.
func (f *File) readCodeView(off int64, size uint32) (file, id string) {
	const what = "debug record"
	data, err := f.src.Read(what, off, uint64(min(size, 24+maxName)))
	if err != nil {
		f.notes.add(err)
		return "", ""
	}
	c := bin.NewCursor(what, off, data)
	switch c.U32() {
	case sigPDB70:
		a, b, d, e := c.U32(), c.U16(), c.U16(), c.Bytes(8)
		age := c.U32()
		if a != 0 || b != 0 || d != 0 || string(e) != "\x00\x00\x00\x00\x00\x00\x00\x00" {
			id = fmt.Sprintf("%08X%04X%04X%X%x", a, b, d, e, age)
		}
	case sigPDB20:
		c.Skip(4)
		id = fmt.Sprintf("%08X%x", c.U32(), c.U32())
	default:
		return "", ""
	}
	file = bin.Text(c.Bytes(c.Len()))
	if err := c.Err(); err != nil {
		f.notes.add(err)
		return "", ""
	}
	return file, id
}
