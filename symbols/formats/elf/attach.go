package elf

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"path"
	"slices"
	"strings"
	"sync"

	"crashglass/core/base/bin"
	"crashglass/symbols/archives/decompress"
)

// Attach joins a file that belongs to this one, so that both answer as one: the file with the debug
// information of a stripped program (Links().Debug), the file that dwz wrote (Links().Supplement),
// or a .dwo or .dwp file with split units. It must come before the first query. The other file
// must not be used on its own afterwards.
//
// It fails when the build ids show that the files do not belong together.
func (f *File) Attach(other *File) error {
	switch links := f.links(); {
	case links.Supplement.Valid && len(other.buildID) > 0 && fmt.Sprintf("%x", other.buildID) == links.Supplement.ID:
		other.supplement = true
	case other.has(splitInfo):
		// Units are tied to each other by ids of their own.
	case len(f.buildID) > 0 && len(other.buildID) > 0 && !bytes.Equal(f.buildID, other.buildID):
		return fmt.Errorf("elf: build id %x is not %x", other.buildID, f.buildID)
	case f.h.machine != other.h.machine || f.h.is64 != other.h.is64 || f.h.order != other.h.order:
		return fmt.Errorf("elf: machine %d is not %d", other.h.machine, f.h.machine)
	}
	f.attached = append(f.attached, other)
	f.forget()
	return nil
}

// links returns the links of this file, or of a file that was attached before: dwz may have
// processed the debug file of a program.
func (f *File) links() Links {
	l := f.Links()
	for _, file := range f.attached {
		if more := file.Links(); !l.Supplement.Valid {
			l.Supplement = more.Supplement
		}
	}
	return l
}

// forget discards everything that was read on demand.
func (f *File) forget() {
	f.names = sync.OnceValue(f.readSymbols)
	f.stubs = sync.OnceValue(f.readStubs)
	f.info = sync.OnceValue(f.openDebugInfo)
	f.frames = sync.OnceValue(f.openFrames)
	f.golang = sync.OnceValue(f.openGo)
	f.objects = sync.OnceValue(f.readData)
}

// A Link names another file that belongs to this one.
type Link struct {
	Name  string // of the file, at times with folders
	CRC   uint32 // of the whole file, in a Debug link
	ID    string // build id of the file in lower case hex, in a Supplement link
	Valid bool   // the file has such a link
}

// Links are the links of a file to others.
type Links struct {
	Debug      Link // .gnu_debuglink: the file that objcopy put debug information into
	Supplement Link // .gnu_debugaltlink or .debug_sup: the file that dwz wrote
}

const maxLink = 64 << 10

// Links reads the links to other files.
//
// Source: https://sourceware.org/gdb/current/onlinedocs/gdb.html/Separate-Debug-Files.html
func (f *File) Links() (l Links) {
	if name, rest, ok := f.linkIn(".gnu_debuglink"); ok {
		// The checksum is at the next multiple of four. Section data that was
		// compressed has lost its alignment, so it is counted from the start.
		if pad := -(len(name) + 1) & 3; len(rest) >= pad+4 {
			l.Debug = Link{Name: name, CRC: f.h.order.Uint32(rest[pad:]), Valid: true}
		} else {
			f.note("elf: section .gnu_debuglink: %d bytes after the name, %d are needed", len(rest), pad+4)
		}
	}
	if name, rest, ok := f.linkIn(".gnu_debugaltlink"); ok {
		l.Supplement = Link{Name: name, ID: hex.EncodeToString(rest), Valid: true}
	}
	return l
}

func (f *File) linkIn(name string) (file string, rest []byte, ok bool) {
	src := f.Section(name)
	if src.Size() == 0 {
		return "", nil, false
	}
	data, err := src.ReadUpTo("elf: section "+name, 0, maxLink)
	if err != nil {
		f.note("%v", err)
		return "", nil, false
	}
	before, rest, ok := bytes.Cut(data, []byte{0})
	if !ok {
		f.note("elf: section %s: its name has no end in %d bytes", name, len(data))
	}
	return string(before), rest, ok
}

// CRC returns the checksum of a whole file, as a Debug link (.gnu_debuglink) has it: zlib's CRC-32.
func CRC(src bin.Source) (uint32, error) {
	sum := crc32.NewIEEE()
	_, err := io.Copy(sum, io.NewSectionReader(src, 0, src.Size()))
	return sum.Sum32(), err
}

// Missing says which parts of the file's DWARF are in files that were not attached, as sentences
// that follow the file's name. The list is complete only after functions were looked up or listed.
func (f *File) Missing() (out []string) {
	if l := f.links().Supplement; l.Valid && !slices.ContainsFunc(f.attached, func(o *File) bool { return o.supplement }) {
		out = append(out, fmt.Sprintf("lacks what dwz moved to %s with the build ID %s: add that file for the names of shared functions", path.Base(l.Name), l.ID))
	}
	if m := f.info().Missing(); m.Units > 0 {
		out = append(out, fmt.Sprintf("lacks the split DWARF of %s: add %s, or a .dwp file with all of them", countOf(m.Units, "unit"), listed(m.Files, m.Units)))
	}
	return out
}

// MissingSplit names the first files of split DWARF that were not attached.
func (f *File) MissingSplit() []string { return f.info().Missing().Files }

// listed names the first files of so many.
func listed(names []string, all int) string {
	text := strings.Join(names, ", ")
	if more := all - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func countOf(n int, noun string) string {
	if n == 1 {
		return "one " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// maxMiniDebug bounds the file inside .gnu_debugdata, which has no more than a
// table of symbols.
const maxMiniDebug = 64 << 20

// miniDebug opens the file inside .gnu_debugdata: symbols of a stripped
// program, compressed with xz. nil when there is none.
//
// Source: https://sourceware.org/gdb/current/onlinedocs/gdb.html/MiniDebugInfo.html
func (f *File) miniDebug() *File {
	s := f.find(".gnu_debugdata")
	if s == nil {
		return nil
	}
	raw := f.raw(s)
	r, err := decompress.Xz(io.NewSectionReader(raw, 0, raw.Size()))
	if err == nil {
		var out bytes.Buffer
		if _, err = io.Copy(&out, io.LimitReader(r, maxMiniDebug)); err == nil {
			var mini *File
			src := bin.NewSource(bytes.NewReader(out.Bytes()), int64(out.Len()))
			if mini, err = Open(src, Options{}); err == nil {
				return mini
			}
		}
	}
	f.note("elf: section .gnu_debugdata at %#x: %v", s.off, err)
	return nil
}
