package symbols

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// A strip is a range of a file, or of addresses.
type strip struct{ from, to int64 }

// tables are where a file has its tables for unwinding, found without the
// readers that are tested, and what the rules of an address are made of.
type tables struct {
	strips []strip

	// record returns where the records of an address are, by the section
	// that they are said to be from. It is nil where that is not simple.
	record map[string]func(rel uint64) []strip

	// silent reports whether rules may be lost and nothing be said of it.
	silent func(data []byte) bool
}

func tablesOf(t testing.TB, whole []byte) tables {
	t.Helper()
	r := bytes.NewReader(whole)
	if f, err := elf.NewFile(r); err == nil {
		return elfTables(f, whole)
	}
	if f, err := pe.NewFile(r); err == nil {
		return windowsTables(t, f, whole)
	}
	f, err := macho.NewFile(r)
	if err != nil {
		t.Fatal(err)
	}
	out := tables{silent: func([]byte) bool { return false }}
	for _, s := range f.Sections {
		if s.Name == "__unwind_info" || s.Name == "__eh_frame" {
			out.strips = append(out.strips, strip{int64(s.Offset), int64(s.Offset) + int64(s.Size)})
		}
	}
	return out
}

// elfTables are all that an ELF file has. An .eh_frame_hdr that leads to a neighbour says no more
// than that an address has no rules, as code between functions has none. A length that became 0 is
// an end, and a larger one may make the next entries part of a program that no test looks up.
func elfTables(f *elf.File, whole []byte) tables {
	out := tables{record: map[string]func(uint64) []strip{}, silent: func(data []byte) bool {
		for _, s := range f.Sections {
			if s.Type == elf.SHT_NOBITS {
				continue
			}
			was, is := whole[s.Offset:][:s.FileSize], data[s.Offset:][:s.FileSize]
			if s.Name == ".eh_frame_hdr" && !bytes.Equal(was, is) || strings.HasSuffix(s.Name, "_frame") && !slices.Equal(entries(f, was), entries(f, is)) {
				return true
			}
		}
		return false
	}}
	for _, s := range f.Sections {
		switch s.Name {
		case ".eh_frame", ".debug_frame":
			out.record[s.Name] = dwarfRecord(f, s, whole)
		case ".eh_frame_hdr", ".ARM.exidx", ".ARM.extab":
		default:
			continue
		}
		out.strips = append(out.strips, strip{int64(s.Offset), int64(s.Offset + s.FileSize)})
	}
	return out
}

// entries are where the entries of a section begin, up to its terminator.
func entries(f *elf.File, data []byte) (out []int) {
	for off := 0; off+4 <= len(data); {
		out = append(out, off)
		n := int(f.ByteOrder.Uint32(data[off:]))
		if n == 0 {
			break
		}
		off += 4 + n
	}
	return out
}

// dwarfRecord finds the FDE of an address, and its CIE, in a section with
// addresses as GCC encodes them: four bytes relative to themselves in .eh_frame
// (DW_EH_PE_pcrel|sdata4), whole ones in .debug_frame.
func dwarfRecord(f *elf.File, s *elf.Section, whole []byte) func(uint64) []strip {
	base := uint64(1<<64 - 1)
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD {
			base = min(base, p.Vaddr&^0xfff)
		}
	}
	data := whole[s.Offset : s.Offset+s.FileSize]
	word := func(off uint64) uint64 { return uint64(f.ByteOrder.Uint32(data[off:])) }
	entry := func(off uint64) strip {
		return strip{int64(s.Offset + off), int64(s.Offset + off + 4 + word(off))}
	}
	return func(rel uint64) (out []strip) {
		for off := uint64(0); off+8 <= uint64(len(data)) && word(off) != 0; off += 4 + word(off) {
			id := word(off + 4)
			var cie, start, size uint64
			switch {
			case s.Name == ".eh_frame":
				cie = off + 4 - id
				start, size = s.Addr+off+8+uint64(int32(word(off+8))), word(off+12)
			case f.Class == elf.ELFCLASS64:
				cie = id
				start, size = f.ByteOrder.Uint64(data[off+8:]), f.ByteOrder.Uint64(data[off+16:])
			default:
				cie, start, size = id, word(off+8), word(off+12)
			}
			isCIE := id == 0 && s.Name == ".eh_frame" || id == 1<<32-1
			if !isCIE && rel-(start-base) < size {
				out = append(out, entry(off), entry(cie))
			}
		}
		return out
	}
}

// windowsTables are the exception directory and the records that it leads to.
func windowsTables(t testing.TB, f *pe.File, whole []byte) tables {
	t.Helper()
	s := f.Section(".pdata")
	out := tables{strips: []strip{{int64(s.Offset), int64(s.Offset + min(s.VirtualSize, s.Size))}}, silent: func([]byte) bool { return false }}
	data := whole[out.strips[0].from:out.strips[0].to]
	width := 12
	if f.Machine == pe.IMAGE_FILE_MACHINE_ARM64 {
		width = 8
	}
	var entries []strip // as addresses
	var records []strip
	for i := 0; i+width <= len(data); i += width {
		info, ok := unwindInfo(f, whole, binary.LittleEndian.Uint32(data[i+width-4:]))
		if ok {
			out.strips = append(out.strips, info)
		}
		entries = append(entries, strip{int64(binary.LittleEndian.Uint32(data[i:])), int64(binary.LittleEndian.Uint32(data[i+4:]))})
		records = append(records, info)
	}
	if width == 8 {
		return out
	}
	out.record = map[string]func(uint64) []strip{"unwind codes": func(rel uint64) []strip {
		i := slices.IndexFunc(entries, func(e strip) bool { return e.from <= int64(rel) && int64(rel) < e.to })
		if i < 0 {
			return nil
		}
		at := out.strips[0].from + int64(i*width)
		return []strip{{at, at + int64(width)}, records[i]}
	}}
	return out
}

// unwindInfo is where an UNWIND_INFO with its codes is, and what follows them
// (12 bytes where it is chained). Of ARM64 these are the first bytes of an .xdata record.
func unwindInfo(f *pe.File, whole []byte, rva uint32) (strip, bool) {
	for _, s := range f.Sections {
		if at := int64(rva) - int64(s.VirtualAddress); rva&3 == 0 && at >= 0 && at+4 < int64(s.Size) {
			at += int64(s.Offset)
			size := 4 + 2*(int64(whole[at+2])+1)&^1 + 12
			return strip{at, min(at+size, int64(s.Offset+s.Size))}, true
		}
	}
	return strip{}, false
}
