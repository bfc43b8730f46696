package breakpad

import (
	"encoding/binary"
	"hash/crc32"

	"crashglass/core/bin"
)

// A saved index is little-endian:
//
//	magic, version u32, checksum u32 of all that follows
//	size of the file u64, size of a unit u8, what there is u8
//	offsets of MODULE and INFO CODE_ID i64
//	notes: count u32, and for each line i64, offset i64, count i64, length u32, text
//	each grid: rows u32, width u8, whether it is wide u8, low words, high words
//
// It is a cache and no format: another version is thrown away, never converted.
const (
	savedMagic   = "cgindex\n"
	savedVersion = 1
	savedHead    = len(savedMagic) + 4 + 4
)

// What there is, in a saved index.
const (
	savedLines = 1 << iota
	savedInlines
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Index returns the index in a form that [Options.Index] takes, to save the
// scan the next time. It is about as large as Stats.IndexBytes.
func (f *File) Index() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.x.save(f.t, f.scanned)
}

func (x *index) save(t text, scanned []Note) []byte {
	le := binary.LittleEndian
	out := make([]byte, savedHead, savedHead+x.bytes()+4096)
	copy(out, savedMagic)
	le.PutUint32(out[len(savedMagic):], savedVersion)
	out = le.AppendUint64(out, uint64(t.src.Size()))
	what := byte(0)
	if x.lines {
		what |= savedLines
	}
	if x.inlines {
		what |= savedInlines
	}
	out = append(out, byte(t.unit), what)
	out = le.AppendUint64(le.AppendUint64(out, uint64(x.module)), uint64(x.codeID))
	out = le.AppendUint32(out, uint32(len(scanned)))
	for _, n := range scanned {
		out = le.AppendUint64(le.AppendUint64(le.AppendUint64(out, uint64(n.Line)), uint64(n.Offset)), uint64(n.Count))
		out = append(le.AppendUint32(out, uint32(len(n.Text))), n.Text...)
	}
	for _, g := range x.grids() {
		out = g.grid.save(out)
	}
	le.PutUint32(out[savedHead-4:], crc32.Checksum(out[savedHead:], castagnoli))
	return out
}

// A part is one grid of an index and what its columns must be like.
type part struct {
	*grid
	columns int
	ranges  bool // the first two columns are ranges; otherwise the first is a key, where there are two
}

// grids lists the parts in the order in which they are saved.
func (x *index) grids() []part {
	return []part{
		{&x.funcs.grid, 3, true}, {&x.inits.grid, 3, true}, {&x.frames.grid, 3, true}, {&x.fpo.grid, 3, true},
		{&x.publics.grid, 2, false}, {&x.rest.grid, 2, false},
		{&x.files.dense, 1, false}, {&x.files.other.grid, 2, false},
		{&x.origins.dense, 1, false}, {&x.origins.other.grid, 2, false},
	}
}

func (g *grid) save(out []byte) []byte {
	wide := byte(0)
	if g.high != nil {
		wide = 1
	}
	out = binary.LittleEndian.AppendUint32(out, uint32(g.n))
	out = append(out, byte(g.width), wide)
	for _, words := range [][][]uint32{g.low, g.high} {
		left := g.n * g.width
		for _, block := range words {
			for _, w := range block[:min(left, len(block))] {
				out = binary.LittleEndian.AppendUint32(out, w)
			}
			left -= min(left, len(block))
		}
	}
	return out
}

// loadIndex reads a saved index of a file. It reports false for anything but
// an index of this version, of a file of this size, that is whole: whoever
// asked scans the file then.
func loadIndex(t text, saved []byte) (x index, notes []Note, ok bool) {
	c := bin.NewCursor("index", 0, saved)
	magic, version, sum := string(c.Bytes(len(savedMagic))), c.U32(), c.U32()
	if c.Err() != nil || magic != savedMagic || version != savedVersion || sum != crc32.Checksum(saved[savedHead:], castagnoli) {
		return x, nil, false
	}
	size, unit, what := int64(c.U64()), int64(c.U8()), c.U8()
	x.lines, x.inlines = what&savedLines != 0, what&savedInlines != 0
	x.module, x.codeID = int64(c.U64()), int64(c.U64())
	if size != t.src.Size() || unit != t.unit || x.module >= t.size() || x.codeID >= t.size() {
		return x, nil, false
	}
	for range min(c.U32(), maxNotes) {
		n := Note{Line: int64(c.U64()), Offset: int64(c.U64()), Count: int(c.U64())}
		n.Text = string(c.Bytes(int(c.U32())))
		notes = append(notes, n)
	}
	for _, p := range x.grids() {
		if !p.load(c) || !p.sound(t.size()) {
			return x, nil, false
		}
	}
	return x, notes, c.Err() == nil && c.Len() == 0
}

// load reads a grid. What the counts say must be there.
func (p part) load(c *bin.Cursor) bool {
	n, width, wide := int64(c.U32()), int64(c.U8()), c.U8()
	if n > 0 && width != int64(p.columns) || 4*n*width > int64(c.Len()) {
		return false
	}
	p.n, p.room, p.width = int(n), int(n), int(width)
	p.low = loadWords(c, int(n), int(width))
	if wide != 0 {
		if 4*n*width > int64(c.Len()) {
			return false
		}
		p.high = loadWords(c, int(n), int(width))
	}
	return c.Err() == nil
}

func loadWords(c *bin.Cursor, n, width int) (blocks [][]uint32) {
	for ; n > 0; n -= blockLen {
		block := make([]uint32, min(n, blockLen)*width)
		raw := c.Bytes(4 * len(block))
		for i := range block {
			block[i] = binary.LittleEndian.Uint32(raw[4*i : 4*i+4])
		}
		blocks = append(blocks, block)
	}
	return blocks
}

// sound reports whether a grid is one that a scan may have made: in order, and
// with offsets in the text.
func (p part) sound(size int64) bool {
	last := uint64(0)
	for i := range p.n {
		if off := p.at(i, p.columns-1); off >= uint64(size) {
			return false
		}
		if p.columns == 1 {
			continue // in no order
		}
		key := p.at(i, 0)
		if key < last || p.ranges && (p.at(i, 1) == 0 || lastOf(key, p.at(i, 1)) < key) {
			return false
		}
		last = key
	}
	return true
}
