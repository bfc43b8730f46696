package pdb

import (
	"cmp"
	"encoding/binary"
	"slices"
	"testing"

	"crashglass/core/testkit/asm"
)

// A program is what a test wants in a PDB. Streams are laid out in blocks that
// lie in the file in reverse order, so that none is in one piece.
type program struct {
	machine  uint16
	sections [][3]uint32 // address, size, flags
	modules  []object
	publics  []symbolAt
	types    [][]byte // records from 0x1000 on
	ids      [][]byte
	text     []string       // of /names; where each is: nameAt
	optional map[int][]byte // optional debug streams by their index
	marks    [][2]uint32    // of the types; {0x1000, 0} when nil
	hashed   []string       // what the hash of each type is of
	extra    map[int][]byte // streams to replace, when all is laid out
	dbiAge   uint32
	features []uint32 // of the info stream, behind that for ids
	globals  []byte   // the stream of the table of global symbols; none when nil
	block    int      // the size of a block, where that is not blockSize
	ordered  bool     // publics, which are in the order of addresses, are listed in it
}

// An object is a module: its records, its lines, and what it contributed.
type object struct {
	name     string
	symbols  *asm.Section // from 4 on
	c13      *asm.Section
	contribs [][3]uint32 // section, offset, size
}

// archive is the object file or archive that the module is of; the linker's own is of none.
func (o *object) archive() string {
	if o.name == linkerModule {
		return ""
	}
	return o.name
}

type symbolAt struct {
	name string
	sect uint16
	off  uint32
}

const (
	codeFlags = 0x6000_0020
	dataFlags = 0x4000_0040
	blockSize = 512
)

// nameAt is where a string of program.text is in /names.
func (p *program) nameAt(name string) uint32 {
	at := uint32(1)
	for _, s := range p.text {
		if s == name {
			return at
		}
		at += uint32(len(s)) + 1
	}
	panic("no such text: " + name)
}

// Numbers of the streams that a program is laid out in. Optional debug streams
// and modules follow.
const (
	hasSections = 5 + iota
	hasRecords
	hasNames
	hasTypeHash
	hasIDHash
	hasOthers
)

// build lays a program out.
func (p *program) build(t testing.TB) []byte {
	t.Helper()
	streams := make([][]byte, hasOthers)
	add := func(b []byte) uint16 {
		streams = append(streams, b)
		return uint16(len(streams) - 1)
	}
	optional := make([]uint16, 11)
	for i := range optional {
		optional[i] = noStream
		if b, ok := p.optional[i]; ok {
			optional[i] = add(b)
		}
	}
	optional[optSections] = hasSections
	globals := uint16(noStream)
	if p.globals != nil {
		globals = add(p.globals)
	}
	order := uint16(noStream)
	if p.ordered {
		order = add(p.orderStream(t))
	}
	streams[streamInfo] = p.infoStream(t)
	streams[streamTPI] = typesStream(t, p.types, hasTypeHash, p.marks, 4*uint32(len(p.hashed)))
	streams[streamIPI] = typesStream(t, p.ids, hasIDHash, nil, 0)
	streams[hasSections] = p.sectionStream(t)
	streams[hasRecords] = p.recordStream(t)
	streams[hasNames] = p.nameStream(t)
	streams[hasTypeHash] = slices.Concat(marksStream(t, p.marks), p.hashes(t))
	streams[hasIDHash] = marksStream(t, nil)
	mods, contribs := asm.At(0), asm.At(0).U32(0xeffe0000+19970605)
	for i, m := range p.modules {
		sym, c13 := m.symbols.Build(t), m.c13.Build(t)
		n := noStream
		if len(sym) > 4 {
			n = int(add(slices.Concat(sym, c13)))
		}
		mods.U32(0).Zeros(28).U16(0, uint16(n)).U32(uint32(len(sym)), 0, uint32(len(c13))).
			U16(0, 0).U32(0, 0, 0).Text(m.name).U8(0).Text(m.archive()).U8(0).Align(4)
		for _, c := range m.contribs {
			contribs.U16(uint16(c[0]), 0).U32(c[1], c[2], codeFlags).U16(uint16(i), 0).U32(0, 0)
		}
	}
	streams[streamDBI] = p.dbiStream(t, mods, contribs, optional, globals, order)
	for i, b := range p.extra {
		streams[i] = b
	}
	return inBlocks(t, streams, cmp.Or(p.block, blockSize))
}

func (p *program) infoStream(t testing.TB) []byte {
	return asm.At(0).U32(20000404, 0x5f000000, 1).
		U32(0x33221100).U16(0x5544, 0x7766).U8(0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff).
		U32(7).Text("/names\x00").
		U32(1, 4, 1, 1, 0). // one entry of four, in the first bucket; nothing deleted
		U32(0, hasNames, 0, 20140508).U32(p.features...).Build(t)
}

func (p *program) sectionStream(t testing.TB) []byte {
	s := asm.At(0)
	for _, c := range p.sections {
		s.Text(".section").U32(c[1], c[0], c[1]).Zeros(16).U32(c[2])
	}
	return s.Build(t)
}

func (p *program) recordStream(t testing.TB) []byte {
	s := asm.At(0)
	for _, pub := range p.publics {
		s.Bytes(rec(t, 0x110e, asm.At(0).U32(2, pub.off).U16(pub.sect).Text(pub.name).U8(0)))
	}
	return s.Build(t)
}

// orderStream is the stream of publics: a header, a hash table that nothing reads
// but for its size, and where the record of each is.
func (p *program) orderStream(t testing.TB) []byte {
	n := uint32(len(p.publics))
	s := asm.At(0).U32(16+8*n, 4*n, 0, 0, 0, 0, 0).U32(0xffffffff, 0xeffe0000+19990810, 8*n, 0).Zeros(int(8 * n))
	at := uint32(0)
	for _, pub := range p.publics {
		s.U32(at)
		at += uint32(len(rec(t, 0x110e, asm.At(0).U32(2, pub.off).U16(pub.sect).Text(pub.name).U8(0))))
	}
	return s.Build(t)
}

func (p *program) nameStream(t testing.TB) []byte {
	s := asm.At(0).U8(0)
	for _, text := range p.text {
		s.Text(text).U8(0)
	}
	b := s.Build(t)
	return asm.At(0).U32(0xeffeeffe, 1, uint32(len(b))).Bytes(b).Build(t)
}

func (p *program) dbiStream(t testing.TB, mods, contribs *asm.Section, optional []uint16, globals, order uint16) []byte {
	m, c := mods.Build(t), contribs.Build(t)
	return asm.At(0).U32(0xffffffff, 19990903, max(p.dbiAge, 1)).U16(globals, 0, order, 0, hasRecords, 0).
		U32(uint32(len(m)), uint32(len(c)), 0, 0, 0, 0, 22, 0).U16(0, p.machine).U32(0).
		Bytes(m).Bytes(c).U16(optional...).Build(t)
}

func (p *program) hashes(t testing.TB) []byte {
	s := asm.At(0)
	for _, name := range p.hashed {
		s.U32(hashName(name) % 0x3ffff)
	}
	return s.Build(t)
}

func typesStream(t testing.TB, records [][]byte, hash uint16, marks [][2]uint32, hashes uint32) []byte {
	marksSize := uint32(len(marksStream(t, marks)))
	b := slices.Concat(records...)
	return asm.At(0).U32(20040203, 56, 0x1000, 0x1000+uint32(len(records)), uint32(len(b))).
		U16(hash, noStream).U32(4, 0x3ffff, marksSize, hashes, 0, marksSize, 0, 0).Bytes(b).Build(t)
}

func marksStream(t testing.TB, marks [][2]uint32) []byte {
	if marks == nil {
		marks = [][2]uint32{{0x1000, 0}}
	}
	s := asm.At(0)
	for _, m := range marks {
		s.U32(m[0], m[1])
	}
	return s.Build(t)
}

// rec is a record: length, kind, and what follows, padded.
func rec(t testing.TB, kind uint16, s *asm.Section) []byte {
	body := s.Align(4).Build(t)
	if len(body)%4 != 2 {
		body = append(body, 0, 0)[:len(body)+2-len(body)%4]
	}
	return asm.At(0).U16(uint16(len(body)+2), kind).Bytes(body).Build(t)
}

// container puts streams into blocks.
func container(t testing.TB, streams [][]byte) []byte { return inBlocks(t, streams, blockSize) }

// inBlocks puts streams into blocks of a size.
func inBlocks(t testing.TB, streams [][]byte, blockSize int) []byte {
	dir := asm.At(0).U32(uint32(len(streams)))
	next := uint32(3)
	var data []byte // of all blocks from 3 on
	take := func(b []byte) (list []uint32) {
		for len(b) > 0 {
			n := min(len(b), blockSize)
			block := make([]byte, blockSize)
			copy(block, b[:n])
			data = append(data, block...)
			list = append(list, next)
			b, next = b[n:], next+1
		}
		return list
	}
	for _, s := range streams {
		dir.U32(uint32(len(s)))
	}
	var lists [][]uint32
	for _, s := range streams {
		lists = append(lists, take(s))
	}
	total := next
	flip := func(list []uint32) []uint32 { // block n is stored where total+2-n would be
		for i := range list {
			list[i] = total + 2 - list[i]
		}
		return list
	}
	for _, l := range lists {
		dir.U32(flip(l)...)
	}
	blocks := make([]byte, len(data))
	for i := 0; i < len(data); i += blockSize {
		copy(blocks[len(data)-i-blockSize:], data[i:i+blockSize])
	}
	dirBytes := dir.Build(t)
	data, next = nil, total
	dirList := take(dirBytes)
	mapBlock := next
	mapData := asm.At(0).U32(dirList...)
	super := asm.At(0).Text("Microsoft C/C++ MSF 7.00\r\n\x1aDS\x00\x00\x00").
		U32(uint32(blockSize), 1, next+1, uint32(len(dirBytes)), 0, mapBlock)
	super.Zeros(3*blockSize - len(super.Build(t)))
	file := slices.Concat(super.Build(t), blocks, data, mapData.Zeros(blockSize-len(mapData.Build(t))).Build(t))
	if len(file) != int(next+1)*blockSize {
		t.Fatalf("%d bytes, want %d blocks", len(file), next+1)
	}
	return file
}

// Records of a module. The section that they are added to begins at the
// signature, so that its addresses are the places that records name.

func symbolRecords() *asm.Section { return asm.At(0).U32(4) }

// addProc adds S_GPROC32, and marks it with the function's name.
func addProc(t testing.TB, s *asm.Section, name string, typ uint32, sect uint16, off, size uint32) {
	s.Mark(name)
	s.Bytes(rec(t, 0x1110, asm.At(0).U32(0, 0, 0, size, 0, 0, typ, off).U16(sect).U8(0).Text(name).U8(0)))
}

func addEnd(t testing.TB, s *asm.Section, kind uint16) { s.Bytes(rec(t, kind, asm.At(0))) }

// addInline adds S_INLINESITE.
func addInline(t testing.TB, s *asm.Section, id uint32, annotations ...uint8) {
	s.Bytes(rec(t, 0x114d, asm.At(0).U32(0, 0, id).U8(annotations...)))
}

// addSeparated adds S_SEPCODE, for the function that was marked.
func addSeparated(t testing.TB, s *asm.Section, parent string, sect uint16, off, size uint32) {
	s.Bytes(rec(t, 0x1132, asm.At(0).U32(uint32(s.Addr(parent)), 0, size, 0, off, 0).U16(sect, sect)))
	addEnd(t, s, 6)
}

// Subsections of line information.

func sub(t testing.TB, kind uint32, s *asm.Section) []byte {
	b := s.Build(t)
	return asm.At(0).U32(kind, uint32(len(b))).Bytes(b).Align(4).Build(t)
}

// linesOf is DEBUG_S_LINES with one block: pairs of an offset and a line.
func linesOf(t testing.TB, sect uint16, off, size, file uint32, pairs ...uint32) []byte {
	s := asm.At(0).U32(off).U16(sect, 0).U32(size, file, uint32(len(pairs)/2), 12+uint32(len(pairs))*4)
	return sub(t, 0xf2, s.U32(pairs...))
}

// checksums is DEBUG_S_FILECHKSMS: entries of eight bytes.
func checksums(t testing.TB, names ...uint32) []byte {
	s := asm.At(0)
	for _, n := range names {
		s.U32(n).U8(0, 0).Align(4)
	}
	return sub(t, 0xf4, s)
}

// wordAt changes a number in a file.
func wordAt(data []byte, off int, v uint32) []byte {
	out := slices.Clone(data)
	binary.LittleEndian.PutUint32(out[off:], v)
	return out
}
