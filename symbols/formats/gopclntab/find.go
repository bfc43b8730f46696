package gopclntab

import (
	"encoding/binary"
	"io"

	"crashglass/core/base/bin"
)

// InMemory opens the table of a program in the memory of its process, nil if there is none. The first byte of memory is that of the module, at base, and
// addresses are those of the process.
func InMemory(memory io.ReaderAt, size int64, base uint64, arch string) *Table {
	part := bin.NewSource(memory, size)
	return Find(part, Options{Arch: arch, Addr: base, Base: base, Image: mapped{part, base}})
}

// A mapped image is one in the memory of a process: its words are relocated.
type mapped struct {
	bin.Source
	base uint64
}

// Initial implements Image.
func (m mapped) Initial(addr uint64, p []byte) int {
	n, _ := m.ReadAt(p, int64(addr-m.base))
	return n
}

// Pointers implements Image. The CPUs whose goroutines are found are little-endian.
func (m mapped) Pointers(add func(at, value uint64) bool) {
	EachWord(m.Source, binary.LittleEndian, 8, m.base, add)
}

// mostSearched bounds the bytes in which tables are searched, and mostFound the places that are tried.
const (
	mostSearched = 256 << 20
	mostFound    = 16
)

// Find opens the table in a part of a file that begins at opt.Addr; nil if there is none.
func Find(part bin.Source, opt Options) *Table {
	start := opt.Addr
	for _, at := range places(part) {
		opt.Addr = start + uint64(at)
		rest := part.Size() - at
		if t, err := Open(bin.NewSource(io.NewSectionReader(part, at, rest), rest), opt); err == nil && t.Len() > 0 {
			return t
		}
	}
	return nil
}

// places are where tables may begin: linkers align them. Memory may have gaps.
func places(data bin.Source) (found []int64) {
	for off := int64(0); off < min(data.Size(), mostSearched) && len(found) < mostFound; off += bin.PageSize {
		page, err := data.ReadUpTo(what, off, bin.PageSize)
		if err != nil {
			continue
		}
		for at := 0; at+8 <= len(page) && len(found) < mostFound; at += 8 {
			if _, _, ok := identify(page[at:]); ok {
				found = append(found, off+int64(at))
			}
		}
	}
	return found
}

// mostData bounds the data that is searched for pointers.
const mostData = 64 << 20

// EachWord calls add for the words of data that are not zero, with their addresses; data begins at addr. When add returns false, it stops and returns false.
func EachWord(data bin.Source, order binary.ByteOrder, word int, addr uint64, add func(at, value uint64) bool) (more bool) {
	for off := int64(0); off < min(data.Size(), mostData); off += bin.PageSize {
		page, err := data.ReadUpTo(what, off, bin.PageSize)
		if err != nil {
			continue
		}
		for c := bin.NewOrderedCursor(what, off, page, order); c.Len() >= word; {
			at, v := addr+uint64(c.Offset()), uint64(0)
			if word == 8 {
				v = c.U64()
			} else {
				v = uint64(c.U32())
			}
			if v != 0 && !add(at, v) {
				return false
			}
		}
	}
	return true
}
