package formats

import (
	"crashglass/core/base/bin"
	"crashglass/core/base/bug"
	"crashglass/symbols/formats/elf"
	"crashglass/symbols/formats/macho"
	"crashglass/symbols/formats/sniff"
)

// An Input is a file to open, with its options.
type Input struct {
	Source  bin.Source
	Options Options
}

// Links are the files that a file names; "" for none.
type Links struct {
	Supplement string // build id of what dwz found in several files
	Common     string // path of that file
	Debug      string // name of the file with the debug information
	CRC        uint32 // checksum of all of that
	Parts      bool   // units may be in files of their own
}

func linksOf(f *elf.File) (l Links) {
	links := f.Links()
	if links.Supplement.Valid {
		l.Supplement, l.Common = links.Supplement.ID, links.Supplement.Name
	}
	if links.Debug.Valid {
		l.Debug, l.CRC = links.Debug.Name, links.Debug.CRC
	}
	l.Parts = f.Section(".debug_addr").Size() > 0 // skeleton units have their addresses there
	return l
}

// A Part is a unit that the compiler wrote to a file of its own.
type Part struct {
	ID   uint64 // of a skeleton unit and its split unit; 0 for an object file
	Path string // where the compiler wrote the file, "" in that file itself
}

// PartsOf returns the skeleton units of a program, the units of a .dwo or .dwp file, or the object files of a debug map.
func PartsOf(k sniff.Kind, b Build, file Input) (parts []Part, err error) {
	defer bug.Catch(&err)
	if k == sniff.MachO {
		files, err := openSlices(file.Source, file.Options, b)
		if err != nil {
			return nil, err
		}
		for _, p := range files[partOf(files, b)].ObjectPaths() {
			parts = append(parts, Part{Path: p})
		}
		return parts, nil
	}
	f, err := file.openELF()
	if err != nil {
		return nil, err
	}
	units, err := f.SplitUnits()
	for _, u := range units {
		parts = append(parts, Part(u))
	}
	return parts, err
}

// Checksum is the checksum of a whole file, as debug links have it.
func Checksum(src bin.Source) (uint32, error) { return elf.CRC(src) }

// OpenWhole opens a file together with its parts: what dwz found in several files, split DWARF, and the object files of
// a debug map. All of them are opened anew, because a part must not be used alone once it is one. Files that prove to be
// no part are omitted.
func OpenWhole(k sniff.Kind, b Build, main Input, parts []Input) (r Reader, err error) {
	defer bug.Catch(&err)
	if k == sniff.MachO {
		return openWholeMachO(b, main, parts)
	}
	whole, err := main.openELF()
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		if part, err := p.openELF(); err == nil {
			_ = whole.Attach(part) // a part of another file is ignored
		}
	}
	return nativeELF(whole).use(main.Source.Size())
}

func openWholeMachO(b Build, main Input, parts []Input) (r Reader, err error) {
	files, err := openSlices(main.Source, main.Options, b)
	if err != nil {
		return nil, err
	}
	whole := files[partOf(files, b)]
	var objects []macho.Object
	for _, p := range parts {
		all, _ := macho.OpenAll(p.Source, macho.Options{Progress: p.Options.Progress})
		for _, f := range all {
			objects = append(objects, macho.Object{Path: p.Options.Name, File: f})
		}
	}
	whole.Attach(objects)
	return nativeMachO(whole).use(main.Source.Size())
}
