package formats

import (
	"crashglass/core/bin"
	"crashglass/core/bug"
	"crashglass/symbols/elf"
)

// A Given is a file to open, with its options.
type Given struct {
	Source  bin.Source
	Options Options
}

// Links are the files that a file names; "" for none.
type Links struct {
	Supplement string // build id of what dwz found in several files
	Debug      string // name of the file with the debug information
	CRC        uint32 // checksum of all of that
}

// LinksOf returns the links of an open file, and reports whether its format has links.
func LinksOf(r Reader) (l Links, ok bool) {
	f, ok := Inside(r).(*elf.File)
	if !ok {
		return l, false
	}
	links := f.Links()
	if links.Supplement.Valid {
		l.Supplement = links.Supplement.ID
	}
	if links.Debug.Valid {
		l.Debug, l.CRC = links.Debug.Name, links.Debug.CRC
	}
	return l, true
}

// Checksum is the checksum of a whole file, as debug links have it.
func Checksum(src bin.Source) (uint32, error) { return elf.CRC(src) }

// OpenWhole opens a file together with its parts: what dwz found in several files, and split DWARF.
// All of them are opened anew, because a part must not be used alone once it is one. Files that
// prove to be no part are omitted.
func OpenWhole(main Given, parts []Given) (r Reader, err error) {
	defer bug.Catch(&err)
	whole, err := main.openELF()
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		if part, err := p.openELF(); err == nil {
			_ = whole.Attach(part) // a part of another file is ignored
		}
	}
	return newNative(whole, main.Source.Size())
}
