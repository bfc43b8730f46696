package minidump

// LinuxDSODebugStream is the number of the stream that this file reads.
const LinuxDSODebugStream StreamType = 0x4767_000a

// A DSODebug is the dynamic linker's r_debug, with its list of libraries.
type DSODebug struct {
	Version uint32
	Break   uint64 // address of the function that is called on changes
	Base    uint64 // of the dynamic linker
	Dynamic uint64 // address of the program's dynamic section
	Links   []LinkMap
}

// A LinkMap is one library in the dynamic linker's list.
type LinkMap struct {
	Addr    uint64 // difference between addresses in memory and in the file
	Name    string
	Dynamic uint64 // address of its dynamic section
}

// DSODebug reads stream 0x4767000A, LinuxDsoDebug.
//
// Source: Breakpad's minidump_format.h, MDRawDebug32/64 and MDRawLinkMap32/64, with the alignment
// of C.
func (f *File) DSODebug() (*DSODebug, error) {
	s, err := f.section(LinuxDSODebugStream)
	if err != nil {
		return nil, err
	}
	word := f.wordSize()
	s.Names("version map dso_count brk ldbase dynamic")
	if word == 8 {
		s.Names("version map dso_count padding brk ldbase dynamic")
	}
	d := &DSODebug{Version: s.U32()}
	list, count := s.U32(), uint64(s.U32())
	at := s.Offset() - 4
	if word == 8 {
		s.Skip(4)
	}
	d.Break, d.Base, d.Dynamic = s.word(word), s.word(word), s.word(word)
	s.Names("dynamic_section") // a copy, up to its end, which Breakpad appends
	s.Skip(s.Len())
	if s.Cursor.Err() != nil || count == 0 {
		return d, s.err()
	}
	size := 3 * word
	links := f.sectionAt(s.what, Location{RVA: uint64(list), Size: min(count, maxStream/uint64(size)) * uint64(size)})
	if links.damage.first != nil {
		s.damagef(at, "count %d of libraries exceeds the file", count)
	}
	for links.Len() >= size {
		d.Links = append(d.Links, links.linkMap(word))
	}
	s.merge(links.damage.err())
	return d, s.err()
}

func (s *section) linkMap(word int) LinkMap {
	s.Record("library", "addr name ld")
	if word == 8 {
		s.Names("addr name padding ld")
	}
	l := LinkMap{Addr: s.word(word)}
	name := s.U32()
	if word == 8 {
		s.Skip(4)
	}
	l.Dynamic = s.word(word)
	l.Name = s.textAt(uint64(name))
	return l
}

// DebugSlot returns the address of the value of DT_DEBUG, which leads debuggers to r_debug: it is in the program's dynamic
// section, a copy of which is behind the stream's structure. It returns 0 if that is missing.
func (f *File) DebugSlot() uint64 {
	const debug = 21 // DT_DEBUG
	s, err := f.section(LinuxDSODebugStream)
	if err != nil {
		return 0
	}
	word := f.wordSize()
	s.Skip(3*4 + (word - 4) + 2*word) // up to the address of the dynamic section
	for at := s.word(word); s.Len() >= 2*word; at += uint64(2 * word) {
		if tag := s.word(word); tag == debug {
			return at + uint64(word)
		}
		s.word(word)
	}
	return 0
}
