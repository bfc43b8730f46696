package elfcore

import (
	"bytes"
	"fmt"

	"crashglass/core/base/bin"
)

// A segment is a PT_LOAD: a mapping of the process, with its captured bytes.
type segment struct {
	addr, size uint64 // of the mapping
	off        int64  // of the captured bytes
	have       uint64 // bytes captured from addr on, which may be none
	flags      uint32
}

// Bits of a segment's flags. Source: System V ABI, "Program Header".
const (
	flagExec  = 1
	flagWrite = 2
	flagRead  = 4
)

// end returns the address behind the segment, or the highest address if it would wrap.
func (s *segment) end() uint64 {
	if s.size > ^uint64(0)-s.addr {
		return ^uint64(0)
	}
	return s.addr + s.size
}

// Types of program headers that are read.
const (
	typeLoad        = 1
	typeDynamic     = 2
	typeInterpreter = 3
	typeNote        = 4
	typeTable       = 6 // PT_PHDR: the program headers themselves
)

type program struct {
	kind, flags                   uint32
	off, addr, have, size, aligns uint64
}

// parseProgram reads Elf32_Phdr or Elf64_Phdr, which differ in the offset of the flags.
func parseProgram(c *bin.Cursor, word int) program {
	p := program{kind: c.U32()}
	if word == 8 {
		p.flags = c.U32()
	}
	p.off, p.addr = address(c, word), address(c, word)
	address(c, word) // p_paddr
	p.have, p.size = address(c, word), address(c, word)
	if word == 4 {
		p.flags = c.U32()
	}
	p.aligns = address(c, word)
	return p
}

func programSize(word int) int {
	if word == 8 {
		return 56
	}
	return 32
}

// maxSegments bounds the list: vm.max_map_count is 65,530, or 1,048,576 on distributions that raise
// it for games.
const maxSegments = 1 << 20

// block is the number of bytes of a table that are read at once.
const block = 64 << 10

// readPrograms reads the program headers, and the notes that they point to.
func (c *core) readPrograms() {
	entry := max(c.head.entry, programSize(c.word))
	count := min(c.segmentCount(), maxSegments)
	need := addClipped(c.head.programs, count*uint64(entry))
	c.needs(need)
	if size := uint64(c.src.Size()); need > size {
		fit := (size - min(size, c.head.programs)) / uint64(entry)
		c.add(&bin.Error{What: "program headers", Off: int64(c.head.programs), Beyond: true,
			Why: fmt.Sprintf("count %d exceeds the %d that fit in the file", count, fit)})
		count = fit
	}
	perBlock := uint64(block / entry)
	for done := uint64(0); done < count; done += perBlock {
		if !c.readBlock(int64(c.head.programs)+int64(done)*int64(entry), int(min(perBlock, count-done)), entry) {
			break
		}
	}
	if c.lost.count > 0 {
		c.add(c.lost.note(c.src.Size()))
	}
	byAddress(c.segments, func(s *segment) uint64 { return s.addr })
}

func (c *core) readBlock(at int64, count, entry int) bool {
	data, err := c.src.Read("program headers", at, uint64(count*entry))
	if err != nil {
		c.add(err)
		return false
	}
	for i := range count {
		off := at + int64(i*entry)
		p := parseProgram(bin.NewOrderedCursor("program header", off, data[i*entry:(i+1)*entry], c.order), c.word)
		switch p.kind {
		case typeLoad:
			c.load(p, off)
		case typeNote:
			c.readNotes(p)
		}
	}
	return true
}

// load adds a mapping, truncated to the end of the file.
func (c *core) load(p program, at int64) {
	if p.size == 0 && p.have == 0 {
		return
	}
	s := segment{addr: p.addr, size: max(p.size, p.have), off: int64(p.off), have: p.have, flags: p.flags}
	if p.have > 0 && !c.src.Has(s.off, p.have) {
		c.needs(addClipped(p.off, p.have))
		s.have = uint64(max(0, c.src.Size()-max(s.off, 0)))
		if s.off < 0 {
			s.have = 0
		}
		c.lost.add(p)
	}
	if s.have > 0 && s.have-1 > ^uint64(0)-s.addr {
		c.note("program header", at, "%d bytes at %#x reach around the end of the address space", s.have, s.addr)
		s.have = -s.addr
	}
	c.share(&s, at)
	c.segments = append(c.segments, s)
}

// share drops the memory of a mapping once all mappings together have more bytes than the file.
// Mappings of a real core do not overlap in the file. Thousands of overlapping ones would cost as
// much to search as a file of gigabytes.
func (c *core) share(s *segment, at int64) {
	before, size := c.inFile, uint64(c.src.Size())
	c.inFile = addClipped(before, s.have)
	if c.inFile > size && s.have > 0 {
		if before <= size {
			c.note("program header", at, "mappings have %d bytes together, the file has %d; those of this one and the next are left out", c.inFile, size)
		}
		s.have = 0
	}
}

// A loss is the memory beyond the end of the file. A truncated core lacks hundreds of mappings for
// one reason, so there is one note for all.
type loss struct {
	count int
	bytes uint64
	first program
}

func (l *loss) add(p program) {
	if l.count == 0 {
		l.first = p
	}
	l.count++
	l.bytes = addClipped(l.bytes, p.have)
}

func (l *loss) note(size int64) error {
	what := fmt.Sprintf("%d bytes of memory at %#x reach", l.bytes, l.first.addr)
	if l.count > 1 {
		what = fmt.Sprintf("%d bytes in %d mappings, the first at %#x, reach", l.bytes, l.count, l.first.addr)
	}
	return &bin.Error{What: "memory", Off: int64(l.first.off), Beyond: true, Why: fmt.Sprintf("%s beyond the end of the file at %#x", what, size)}
}

// needs records the end of a part of the file. It ignores numbers that no file can have, which say
// nothing about the missing size.
func (c *core) needs(end uint64) {
	const largest = 1 << 48
	if end < largest {
		c.need = max(c.need, int64(end))
	}
}

// addClipped returns a sum, or the largest number if the sum would wrap.
func addClipped(a, b uint64) uint64 {
	if a > ^uint64(0)-b {
		return ^uint64(0)
	}
	return a + b
}

// read copies captured memory into p and returns the number of bytes.
func (c *core) read(addr uint64, p []byte) int {
	done := 0
	for done < len(p) {
		s := c.segmentAt(addr + uint64(done))
		if s == nil {
			break
		}
		skip := addr + uint64(done) - s.addr
		n := min(uint64(len(p)-done), s.have-skip)
		got, _ := c.src.ReadAt(p[done:done+int(n)], s.off+int64(skip))
		done += got
		if uint64(got) < n {
			break
		}
	}
	return done
}

// segmentAt returns the segment with the byte at an address, or nil. Of overlapping segments it
// returns the one that starts last.
func (c *core) segmentAt(addr uint64) *segment {
	i := c.segmentFrom(addr)
	if i < 0 || addr-c.segments[i].addr >= c.segments[i].have {
		return nil
	}
	return &c.segments[i]
}

// segmentFrom returns the index of the last segment that begins at or before an address, or -1.
func (c *core) segmentFrom(addr uint64) int {
	return at(len(c.segments), addr, func(i int) uint64 { return c.segments[i].addr })
}

// bytes returns up to n bytes of captured memory.
func (c *core) bytes(addr uint64, n int) []byte {
	data := make([]byte, n)
	return data[:c.read(addr, data)]
}

func (c *core) wordAt(addr uint64) (uint64, bool) {
	var b [8]byte
	if c.read(addr, b[:c.word]) < c.word {
		return 0, false
	}
	return address(bin.NewOrderedCursor("word", 0, b[:c.word], c.order), c.word), true
}

// text reads a text that ends with a NUL, up to a limit.
func (c *core) text(addr uint64, limit int) (string, bool) {
	const piece = 256
	var out []byte
	for len(out) < limit {
		part := c.bytes(addr+uint64(len(out)), min(piece, limit-len(out)))
		if i := bytes.IndexByte(part, 0); i >= 0 {
			return string(append(out, part[:i]...)), true
		}
		if out = append(out, part...); len(part) < piece {
			break
		}
	}
	return string(out), false
}
