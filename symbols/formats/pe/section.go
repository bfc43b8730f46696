package pe

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"crashglass/core/base/bin"
)

// A section is a run of addresses and the bytes of the file that are mapped there.
type section struct {
	name  string
	rva   uint32
	size  uint32 // in memory
	off   int64  // in the file
	raw   uint32 // bytes that are both in the file and in memory
	flags uint32
}

// Flags of sections. Source: PE Format, "Section Flags".
const (
	flagInitialised = 0x40
	flagDiscardable = 0x0200_0000
	flagExecute     = 0x2000_0000
	flagWrite       = 0x8000_0000
)

// sectionSize is sizeof(IMAGE_SECTION_HEADER).
const sectionSize = 40

// readSections reads the section table, as far as there is one.
func (f *File) readSections() {
	const what = "section table"
	data, err := f.src.ReadUpTo(what, f.h.sectionsAt, uint64(f.h.sections)*sectionSize)
	if err != nil {
		f.notes.add(err)
		return
	}
	n := len(data) / sectionSize
	if n < f.h.sections {
		f.note(what, f.h.sectionsAt, "%d sections do not fit into %d bytes", f.h.sections, len(data))
	}
	c := bin.NewCursor(what, f.h.sectionsAt, data)
	for range n {
		f.sections = append(f.sections, f.readSection(c))
	}
	for i, s := range f.sections {
		f.byAddress.Add(uint64(s.rva), uint64(s.size), int64(i))
	}
	f.byAddress.Finish()
}

func (f *File) readSection(c *bin.Cursor) section {
	at := c.Offset()
	name := c.Bytes(8)
	s := section{size: c.U32(), rva: c.U32(), raw: c.U32(), off: int64(c.U32())}
	c.Skip(12)
	s.flags = c.U32()
	s.name = f.longName(bin.Text(name))
	if s.size == 0 {
		s.size = s.raw // linkers before VirtualSize was used
	}
	if f.opt.Mapped {
		s.off, s.raw = int64(s.rva), s.size
	}
	// The rest of the last page of the file is padding, and is not the section's.
	s.raw = min(s.raw, s.size)
	if s.raw > 0 && !f.src.Has(s.off, uint64(s.raw)) {
		f.note("section "+s.name, at, "%d bytes at %#x reach beyond the end of the file at %#x", s.raw, s.off, f.src.Size())
		s.raw = uint32(min(max(f.src.Size()-s.off, 0), int64(s.raw)))
	}
	return s
}

// maxName bounds names of sections and symbols that lie elsewhere.
const maxName = 1 << 12

// longName finds the name of a section of MinGW, which may be longer than the
// eight bytes of its header: "/123" is an offset into the string table.
// Source: PE Format, "Section Table", Name.
func (f *File) longName(name string) string {
	digits, ok := strings.CutPrefix(name, "/")
	at, err := strconv.ParseUint(digits, 10, 32)
	if !ok || err != nil || f.h.symbols == 0 {
		return name
	}
	long, err := f.pages.String(f.longStrings()+int64(at), maxName)
	if err != nil {
		f.notes.add(err)
		return name
	}
	return long
}

// findStrings is the file offset of the string table, right behind the symbols.
func (f *File) findStrings() int64 {
	return f.h.symbols + symbolSize*int64(f.h.symbolCount)
}

// sectionAt is the section that an address lies in, or nil. Windows loads no image with overlapping
// sections; here the one that begins last is used.
func (f *File) sectionAt(rva uint64) *section {
	r, ok := f.byAddress.Find(rva)
	if !ok {
		return nil
	}
	return &f.sections[r.Value]
}

// isCode reports whether an address lies in an executable section.
func (f *File) isCode(rva uint64) bool {
	s := f.sectionAt(rva)
	return s != nil && s.flags&flagExecute != 0
}

// offset is where the file has an address, and how many bytes follow there
// that belong to it.
func (f *File) offset(rva uint64) (off int64, n uint64, ok bool) {
	if rva < uint64(f.h.headerSize) && f.src.Has(0, uint64(f.h.headerSize)) && f.sectionAt(rva) == nil {
		return int64(rva), uint64(f.h.headerSize) - rva, true
	}
	s := f.sectionAt(rva)
	if s == nil || rva-uint64(s.rva) >= uint64(s.raw) {
		return 0, 0, false
	}
	in := rva - uint64(s.rva)
	return s.off + int64(in), uint64(s.raw) - in, true
}

// read returns n bytes at an address, which must not be changed.
func (f *File) read(what string, rva, n uint64) ([]byte, error) {
	off, have, ok := f.offset(rva)
	if !ok {
		return nil, defect(what, int64(rva), "this address is not in the file")
	}
	if n > have {
		return nil, defect(what, off, "need %d bytes, have %d", n, have)
	}
	if f.opt.Mapped { // a page that is not captured costs only what is in it
		data := f.captured(off, n)
		if uint64(len(data)) < n {
			return nil, defect(what, off, "need %d bytes, have %d", n, len(data))
		}
		return data, nil
	}
	return f.pages.Bytes(off, n)
}

// readUpTo is read for what may end before n bytes.
func (f *File) readUpTo(what string, rva, n uint64) ([]byte, error) {
	off, have, _ := f.offset(rva)
	n = max(min(n, have), 1)
	if f.opt.Mapped && have > 0 {
		if data := f.captured(off, n); len(data) > 0 {
			return data, nil
		}
	}
	return f.read(what, rva, n)
}

// capturedAtOnce is how many bytes of memory are read at once: a damaged size is larger than what was captured.
const capturedAtOnce = 1 << 16

// captured returns up to n bytes of an image in memory. Captured memory may end before.
func (f *File) captured(off int64, n uint64) (data []byte) {
	for n > uint64(len(data)) {
		want := min(n-uint64(len(data)), capturedAtOnce)
		data = slices.Grow(data, int(want))
		part := data[len(data):][:want]
		got, _ := f.src.ReadAt(part, off+int64(len(data)))
		data = data[:len(data)+got]
		if got < len(part) {
			break
		}
	}
	return data
}

// Section returns what the file has of the section of that name, and whether
// there is one: the DWARF sections of MinGW's images are meant. Long names are
// looked up, and padding is not part of it.
func (f *File) Section(name string) (bin.Source, bool) {
	s := f.named(name)
	if s == nil {
		return bin.Source{}, false
	}
	return f.bytesOf(s), true
}

// named is the first section of that name, or nil.
func (f *File) named(name string) *section {
	i := slices.IndexFunc(f.sections, func(s section) bool { return s.name == name })
	if i < 0 {
		return nil
	}
	return &f.sections[i]
}

func (f *File) bytesOf(s *section) bin.Source {
	return bin.NewSource(io.NewSectionReader(f.src, s.off, int64(s.raw)), int64(s.raw))
}
