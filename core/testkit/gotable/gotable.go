// Package gotable makes Go's tables of functions (.gopclntab) for tests.
//
// A table has two functions, and is of any of the four layouts. It is made by hand, not by a linker.
package gotable

import (
	"bytes"
	"testing"

	"crashglass/core/testkit/asm"
)

// Addresses of the parts of a program.
const (
	TextAt, TableAt, TreeAt, DataAt = 0x401000, 0x500000, 0x600000, 0x700000
)

// The magic numbers, by the first release that has them.
const (
	Magic2, Magic16, Magic18, Magic20 = 0xfffffffb, 0xfffffffa, 0xfffffff0, 0xfffffff1
)

const (
	textWord, gofuncWord = 22, 38 // in moduledata
	none                 = 1<<32 - 1
)

// A Program is a table and what it refers to.
type Program struct {
	Table    []byte            // at TableAt
	Tree     []byte            // the inlined calls, at TreeAt
	Pointers map[uint64]uint64 // the words of moduledata, at DataAt, by address
}

// delta is an entry of a table of values: a change in zigzag encoding, and a distance.
func delta(change int64, distance uint64) []byte {
	return append(asm.ULEB(uint64(change<<1)^uint64(change>>63)), asm.ULEB(distance)...)
}

func deltas(of ...[]byte) []byte { return append(bytes.Join(of, nil), 0) }

// A made function of 0x40 bytes: a frame of 0x18 bytes from its fifth byte on; a.go:10, and from 0x10 to 0x20 the call
// of inlined at a.go:12, which is b.go:5.
var (
	spRows   = deltas(delta(1, 4), delta(0x18, 0x3c))
	fileRows = deltas(delta(1, 0x10), delta(1, 0x10), delta(-1, 0x20))
	lineRows = deltas(delta(11, 0x8), delta(2, 0x8), delta(-7, 0x10), delta(5, 0x20))
	inlRows  = deltas(delta(0, 0x10), delta(1, 0x10), delta(-1, 0x20))
)

// Build makes the table of a release, by its magic number: of main.f at TextAt, and of runtime.goexit behind it. text is what the
// header has as the start of the text; that of Go 1.26 has 0.
func Build(t testing.TB, magic uint32, text uint64) Program {
	names := asm.At(0).Text("\x00main.f\x00runtime.goexit\x00main.inlined\x00").Build(t)
	pcs := []byte{0}
	table := func(rows []byte) uint32 {
		at := len(pcs)
		pcs = append(pcs, rows...)
		return uint32(at)
	}
	numbers := fileRows
	if magic == Magic2 { // which numbers files from 1 on
		numbers = append(delta(2, 0x10), fileRows[2:]...)
	}
	sp, file, line, inl := table(spRows), table(numbers), table(lineRows), table(inlRows)
	files := "a.go\x00b.go\x00"

	record := func(s *asm.Section, entry uint64, name uint32, flags uint8) { // of Go 1.16 and later
		size := 4
		if magic == Magic16 {
			size = 8
		}
		s.Word(size, entry).U32(name, 0, 0, sp, file, line, 3, 0)
		if magic == Magic20 {
			s.U32(9)
		}
		s.U8(0, flags, 0, 4)
		s.U32(0, 0, inl)
		if size == 8 {
			s.Align(8).U64(0, 0, 0, TreeAt)
		} else {
			s.U32(none, none, none, 0)
		}
	}
	tree := asm.At(0)
	if magic == Magic20 {
		tree.U32(0, 23, 0x0c, 1)
	} else {
		tree.U32(0xffff, 1, 12, 23, 0x0c)
	}
	p := Program{Tree: tree.Build(t), Pointers: map[uint64]uint64{}}

	s := asm.At(0).U32(magic).U8(0, 0, 1, 8)
	start := func(i uint64) uint64 { return i * 0x40 }
	if magic == Magic2 {
		const strings, records = 0x100, 0x200
		s.U64(2, TextAt, records, TextAt+0x40, records+0x60, TextAt+0x80).U32(0x180)
		s.Zeros(strings - int(s.Here())).Bytes(names).Zeros(0x140 - strings - len(names)).Bytes(pcs).Zeros(0x180 - 0x140 - len(pcs))
		s.U32(3, 0x190, 0x195).Zeros(4).Text(files).Zeros(records - 0x190 - len(files))
		whole := func(entry uint64, name uint32) { // whose offsets count from the table
			s.U64(entry).U32(strings+name, 0, 0, 0x140+sp, 0x140+file, 0x140+line, 3).U8(0, 0, 0, 4).U32(0, 0, 0x140+inl).Align(8).U64(0, 0, 0, TreeAt).Zeros(0x60 - 0x58)
		}
		whole(TextAt, 1)
		s.Zeros(records + 0x60 - int(s.Here()))
		whole(TextAt+0x40, 8)
		p.Table = s.Build(t)
		return p
	}
	nameAt := uint64(8 + 7*8)
	if magic != Magic16 {
		nameAt += 8
	}
	unitAt := (nameAt + uint64(len(names)) + 7) &^ 7
	fileAt := unitAt + 8
	pcAt := (fileAt + uint64(len(files)) + 7) &^ 7
	fnAt := (pcAt + uint64(len(pcs)) + 7) &^ 7
	s.U64(2, 2)
	if magic != Magic16 {
		s.U64(text)
	}
	s.U64(nameAt, unitAt, fileAt, pcAt, fnAt)
	s.Bytes(names).Align(8).U32(0, 5).Text(files).Align(8).Bytes(pcs).Align(8)
	if magic == Magic16 {
		s.U64(TextAt, 0x30, TextAt+0x40, 0x90, TextAt+0x80).Align(16)
		s.Zeros(int(fnAt + 0x30 - s.Here()))
		record(s, TextAt, 1, 0)
		s.Zeros(int(fnAt + 0x90 - s.Here()))
		record(s, TextAt+0x40, 8, 1)
	} else {
		s.U32(uint32(start(0)), 0x18, uint32(start(1)), 0x70, uint32(start(2)), 0)
		record(s, start(0), 1, 0)
		s.Zeros(int(fnAt + 0x70 - s.Here()))
		record(s, start(1), 8, 1)
		gofunc := uint64(gofuncWord)
		if magic == Magic20 {
			gofunc += 2
		}
		p.Pointers[DataAt+0x1000] = TableAt // a pointer to the table is not enough
		p.Pointers[DataAt] = TableAt
		p.Pointers[DataAt+8] = TableAt + nameAt
		p.Pointers[DataAt+8*textWord] = TextAt
		p.Pointers[DataAt+8*gofunc] = TreeAt
	}
	p.Table = s.Build(t)
	return p
}
