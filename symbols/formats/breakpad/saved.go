package breakpad

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"

	"crashglass/core/base/bin"
	"crashglass/core/base/ranges"
)

// A saved index is one part or several, one after another, little-endian:
//
//	magic, version u32, checksum u32 of all that follows in the part
//	size of the file u64, size of a unit u8, what there is u8
//	where the part begins and ends in the text u64, its lines i64
//	offsets of MODULE and INFO CODE_ID i64
//	notes: count u32, and for each line i64, offset i64, count i64, length u32, text
//	each grid: rows u32, width u8, whether it is wide u8, values of 4 bytes or, where it is wide, 8
//
// It is a cache and not an exchange format: other versions are discarded, never converted. It holds
// numbers only, and the texts of notes are constants: no text of a symbol file is ever written to a
// disk.
const (
	savedMagic   = "cgindex\n"
	savedVersion = 3
	savedHead    = len(savedMagic) + 4 + 4
)

// Flags of a part of a saved index.
const (
	savedLines = 1 << iota
	savedInlines
	savedLost // something belongs to a record in the part before
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Index returns the index in a form that [Options.Index] takes, to save the
// scan the next time. It is about as large as Stats.IndexBytes.
//
// It returns nil for a file that was only searched.
func (f *File) Index() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.searched != nil {
		return nil
	}
	return f.save()
}

func (f *File) save() []byte {
	s := &scanner{t: f.t, index: f.x, notes: notes{list: f.scanned}}
	return s.save(0, f.t.size())
}

func (s *scanner) save(from, to int64) []byte {
	le := binary.LittleEndian
	out := make([]byte, savedHead, savedHead+s.index.bytes()+4096)
	copy(out, savedMagic)
	le.PutUint32(out[len(savedMagic):], savedVersion)
	out = le.AppendUint64(out, uint64(s.t.src.Size()))
	out = append(out, byte(s.t.unit), s.what())
	for _, v := range []int64{from, to, s.line, s.module, s.codeID} {
		out = le.AppendUint64(out, uint64(v))
	}
	out = le.AppendUint32(out, uint32(len(s.notes.list)))
	for _, n := range s.notes.list {
		out = le.AppendUint64(le.AppendUint64(le.AppendUint64(out, uint64(n.Line)), uint64(n.Offset)), uint64(n.Count))
		out = append(le.AppendUint32(out, uint32(len(n.Text))), n.Text...)
	}
	for _, g := range s.grids() {
		wide := byte(0)
		if g.Wide() {
			wide = 1
		}
		out = append(le.AppendUint32(out, uint32(g.Len())), byte(g.Width()), wide)
		out = g.AppendTo(out)
	}
	le.PutUint32(out[savedHead-4:], crc32.Checksum(out[savedHead:], castagnoli))
	return out
}

func (s *scanner) what() (flags byte) {
	for i, is := range []bool{s.lines, s.inlines, s.lost} {
		if is {
			flags |= 1 << i
		}
	}
	return flags
}

// grids lists the parts of an index in the order in which they are saved.
func (x *index) grids() []*ranges.Grid {
	return []*ranges.Grid{
		x.funcs.Rows(), x.inits.Rows(), x.frames.Rows(), x.fpo.Rows(),
		&x.publics.Grid, &x.rest.Grid, &x.files.Grid, &x.origins.Grid,
	}
}

// loadIndex reports false unless the index has this version, is complete, and covers a whole file of this size; the caller then scans the file.
func loadIndex(t text, saved bin.Source) (x index, list []Note, ok bool) {
	l := &loader{src: saved, t: t, all: newScanner(t)}
	for l.at < t.size() || l.parts == 0 {
		if !l.part() {
			return x, nil, false
		}
	}
	if l.off != saved.Size() || len(l.buf) > 0 {
		return x, nil, false
	}
	l.all.index.finish(&l.all.notes)
	return l.all.index, l.all.notes.sorted(), true
}

// A loader reads the parts of a saved index and joins them as they come: it
// holds no more of them than it adds to the index.
type loader struct {
	src   bin.Source
	off   int64  // of what comes after buf
	room  []byte // that buf lies in
	buf   []byte // was read, and not used
	sum   uint32
	bad   bool // cut, or not to be read
	t     text
	all   *scanner
	parts int
	at    int64 // where the next part has to begin in the text
}

// loadStep is how much of a saved index is read at once.
const loadStep = 256 << 10

// take returns the next n bytes, of which there are at most loadStep, and adds
// them to the checksum. They are overwritten by the next call.
func (l *loader) take(n int) []byte {
	if len(l.buf) < n {
		l.fill(n)
	}
	if l.bad {
		return make([]byte, n)
	}
	b := l.buf[:n]
	l.buf = l.buf[n:]
	l.sum = crc32.Update(l.sum, castagnoli, b)
	return b
}

func (l *loader) fill(n int) {
	more := min(loadStep, l.src.Size()-l.off)
	if int64(len(l.buf))+more < int64(n) {
		l.bad = true
		return
	}
	if l.room == nil {
		l.room = make([]byte, min(2*loadStep, l.src.Size()))
	}
	k := copy(l.room, l.buf)
	got, _ := l.src.ReadAt(l.room[k:int64(k)+more], l.off) // io.EOF may come with all of it
	l.bad = l.bad || int64(got) < more
	l.buf, l.off = l.room[:int64(k)+more], l.off+more
}

func (l *loader) u8() byte    { return l.take(1)[0] }
func (l *loader) u32() uint32 { return binary.LittleEndian.Uint32(l.take(4)) }
func (l *loader) i64() int64  { return int64(binary.LittleEndian.Uint64(l.take(8))) }

// part reads the next part and reports whether a scan of this file from here on may have made it.
func (l *loader) part() bool {
	magic, version, sum := string(l.take(len(savedMagic))), l.u32(), l.u32()
	if l.bad || magic != savedMagic || version != savedVersion {
		return false
	}
	l.sum = 0
	s := newScanner(l.t)
	size, unit, what := l.i64(), int64(l.u8()), l.u8()
	from, to := l.i64(), l.i64()
	s.line, s.module, s.codeID = l.i64(), l.i64(), l.i64()
	s.lines, s.inlines, s.lost = what&savedLines != 0, what&savedInlines != 0, what&savedLost != 0
	if l.bad || size != l.t.src.Size() || unit != l.t.unit || s.lost || s.module >= l.t.size() || s.codeID >= l.t.size() {
		return false
	}
	if from != l.at || to > l.t.size() || to <= from && l.t.size() > 0 {
		return false
	}
	l.notes(&s.notes)
	if !l.tables(from, to) || l.sum != sum {
		return false
	}
	if l.parts++; l.parts == 1 {
		l.all.module = s.module
	}
	l.all.joinFacts(s)
	l.at = to
	return true
}

func (l *loader) notes(n *notes) {
	for range min(l.u32(), maxNotes) {
		line, off, count, length := l.i64(), l.i64(), l.i64(), l.u32()
		if l.bad = l.bad || length > loadStep; l.bad {
			return
		}
		n.list = append(n.list, Note{Line: line, Offset: off, Count: int(count), Text: string(l.take(int(length)))})
	}
}

func (l *loader) tables(from, to int64) bool {
	x := &l.all.index
	spans := func(t *ranges.Table) bool {
		return l.rows(3, from, to, func(a, b, c uint64) bool {
			if b == 0 || wraps(a, b) {
				return false
			}
			t.Add(a, b, int64(c))
			return true
		})
	}
	keys := func(p *pairs) bool {
		return l.rows(2, from, to, func(a, b, _ uint64) bool { p.add(a, int64(b)); return true })
	}
	return spans(&x.funcs) && spans(&x.inits) && spans(&x.frames) && spans(&x.fpo) &&
		keys(&x.publics) && keys(&x.rest) && keys(&x.files) && keys(&x.origins)
}

// rows reads one grid. The last value of each row is an offset in the part.
func (l *loader) rows(width int, from, to int64, add func(a, b, c uint64) bool) bool {
	n, saved, wide := int64(l.u32()), int(l.u8()), l.u8()
	value := 4
	if wide != 0 {
		value = 8
	}
	if l.bad || n > 0 && saved != width {
		return false
	}
	for batch := int64(loadStep / 32); n > 0; n -= batch {
		batch = min(batch, n)
		b := l.take(int(batch) * width * value)
		if l.bad {
			return false
		}
		for ; len(b) > 0; b = b[width*value:] {
			var v [3]uint64
			for k := range width {
				v[k] = uint64(binary.LittleEndian.Uint32(b[k*value:]))
				if wide != 0 {
					v[k] |= uint64(binary.LittleEndian.Uint32(b[k*value+4:])) << 32
				}
			}
			if off := v[width-1]; off < uint64(from) || off >= uint64(to) || !add(v[0], v[1], v[2]) {
				return false
			}
		}
	}
	return true
}

// Key reads the beginning of a file, which has the MODULE record, its end, and blocks at equal
// distances between them. Each costs a call of the browser, almost a millisecond.
const (
	keyBlock  = 4 << 10
	keyBlocks = 16
)

// Key makes a file's key for a cache of indexes: from its size and from blocks spread over it.
// Inserting or removing bytes moves the rest, so the blocks after them differ. A replacement of
// equal size between two blocks is not noticed; so every record is compared with the file when it
// is used.
func Key(src bin.Source) (string, error) {
	sum := sha256.New()
	sum.Write(binary.LittleEndian.AppendUint64([]byte(savedMagic), uint64(src.Size())))
	last := max(src.Size()-keyBlock, 0)
	for i := range int64(keyBlocks) {
		at := last / (keyBlocks - 1) * i
		if i == keyBlocks-1 {
			at = last
		}
		block, err := src.Read("block of the file", at, uint64(min(keyBlock, src.Size())))
		if err != nil {
			return "", err
		}
		sum.Write(block)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
