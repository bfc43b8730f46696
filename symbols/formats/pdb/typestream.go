package pdb

import (
	"fmt"
	"sort"

	"crashglass/core/base/bin"
	"crashglass/core/base/recent"
)

// tpiVersion is V80, the only one that PDBs of format 7.00 have.
const tpiVersion = 20040203

// A typeStream has the records of types (TPI) or ids (IPI) by their numbers. Records have no fixed
// size; the hash stream has a mark for about every eight kilobytes of records, so that few are read
// to find one.
//
// Spec: https://llvm.org/docs/PDB/TpiStream.html
type typeStream struct {
	s          *stream
	at, size   int64  // of the records
	begin, end uint32 // numbers that it has
	marks      []typeMark
	chunks     recent.Cache[int, *typeChunk]
	hashes     typeHashes
}

// A typeMark says that record number first begins at off.
type typeMark struct{ first, off uint32 }

const tpiHeaderSize = 56

func (f *File) openTypes(i int, what string) *typeStream {
	if !f.msf.has(i) || f.msf.sizes[i] == 0 {
		return nil // mini PDBs have no ids, old ones no such stream
	}
	t, err := f.readTypes(i, what)
	if err != nil {
		f.notes.error(err)
		return nil
	}
	return t
}

func (f *File) readTypes(i int, what string) (*typeStream, error) {
	s, err := f.msf.stream(i, what)
	if err != nil {
		return nil, err
	}
	c, err := s.cursor(0, tpiHeaderSize)
	if err != nil {
		return nil, err
	}
	version, header := c.U32(), c.U32()
	t := &typeStream{s: s, begin: c.U32(), end: c.U32()}
	t.chunks.Limit = typeCache
	t.at, t.size = int64(header), int64(c.U32())
	hash := int(c.U16())
	c.Skip(2 + 4) // a stream of other hashes, the size of one
	t.hashes = typeHashes{stream: hash, buckets: c.U32(), at: c.U32(), size: c.U32(), work: bin.NewBudget(hashWork)}
	marksAt, marksSize := c.U32(), c.U32()
	if version != tpiVersion || header < tpiHeaderSize || t.at+t.size > s.size || t.end < t.begin {
		return nil, &bin.Error{What: s.what, Why: fmt.Sprintf(
			"version %d, %d bytes of records at %#x and numbers %#x to %#x; want version %d, it has %d bytes", version, t.size, t.at, t.begin, t.end, tpiVersion, s.size)}
	}
	t.marks = f.readMarks(t, hash, int64(marksAt), marksSize)
	return t, nil
}

// readMarks reads the list of marks, or nothing if it is inconsistent: then the records are counted
// instead.
func (f *File) readMarks(t *typeStream, hash int, at int64, size uint32) []typeMark {
	if hash == noStream {
		return nil
	}
	s, err := f.msf.stream(hash, "hashes of "+t.s.what)
	if err != nil {
		f.notes.error(err)
		return nil
	}
	c, err := s.cursor(at, uint64(size))
	if err != nil {
		f.notes.error(err)
		return nil
	}
	var marks []typeMark
	for c.Len() >= 8 {
		m := typeMark{c.U32(), c.U32()}
		if len(marks) == 0 && m != (typeMark{t.begin, 0}) || len(marks) > 0 && !m.follows(marks[len(marks)-1], t) {
			f.notes.add("%s at %#x: type %#x is said to begin at %#x, which cannot be", s.what, c.Offset()-8, m.first, m.off)
			return nil
		}
		marks = append(marks, m)
	}
	if n := len(marks); n == 0 || t.size-int64(marks[n-1].off) > maxChunk {
		return nil
	}
	return marks
}

// Places are 8 KB apart, and a record has up to 64.
const maxChunk = 80 << 10

func (m typeMark) follows(prev typeMark, t *typeStream) bool {
	return m.first > prev.first && m.first < t.end && m.off > prev.off && m.off-prev.off <= maxChunk && int64(m.off) < t.size
}

// count makes the list of places by looking at all records.
func (t *typeStream) count() error {
	number, last := t.begin, int64(-1)
	t.marks = []typeMark{{t.begin, 0}}
	sub := &stream{m: t.s.m, what: t.s.what, size: t.at + t.size, blocks: t.s.blocks}
	return sub.eachRecordFrom(t.at, func(r record) {
		off := r.at - t.at
		if last < 0 {
			last = 0
		}
		if off-last >= 8<<10 {
			t.marks = append(t.marks, typeMark{number, uint32(off)})
			last = off
		}
		number++
	})
}

func (t *typeStream) find(number uint32) (r record, err error) {
	if t == nil {
		return r, &bin.Error{What: "types", Why: fmt.Sprintf("type %#x is asked for, but there are none", number)}
	}
	if number < t.begin || number >= t.end {
		return r, &bin.Error{What: t.s.what, Why: fmt.Sprintf("type %#x is asked for, it has %#x to %#x", number, t.begin, t.end)}
	}
	if t.marks == nil {
		if err := t.count(); err != nil {
			return r, err
		}
	}
	i := sort.Search(len(t.marks), func(i int) bool { return t.marks[i].first > number }) - 1
	chunk, err := t.chunk(i)
	if err != nil {
		return r, err
	}
	base, nth := t.at+int64(t.marks[i].off), number-t.marks[i].first
	if uint64(nth) < uint64(len(chunk.starts)) {
		r, _, _ = nextRecord(chunk.data, int64(chunk.starts[nth]), base)
		return r, nil
	}
	return r, &bin.Error{What: t.s.what, Off: base + int64(chunk.end), Why: fmt.Sprintf("type %#x is not where it is said to be", number)}
}

// A typeChunk is the records from one mark to the next.
type typeChunk struct {
	data   []byte
	starts []uint32 // of each record
	end    uint32   // of the last
}

// typeCache is about how many bytes of records are kept.
const typeCache = 2 << 20

// chunk reads the records from one mark to the next.
func (t *typeStream) chunk(i int) (*typeChunk, error) {
	if c, ok := t.chunks.Get(i); ok {
		return c, nil
	}
	from, to := int64(t.marks[i].off), t.size
	if i+1 < len(t.marks) {
		to = int64(t.marks[i+1].off)
	}
	data, err := t.s.read(t.at+from, uint64(min(to-from, maxChunk)))
	if err != nil {
		return nil, err
	}
	c := &typeChunk{data: data}
	for {
		_, next, ok := nextRecord(data, int64(c.end), 0)
		if !ok {
			break
		}
		c.starts = append(c.starts, c.end)
		c.end = uint32(next)
	}
	t.chunks.Put(i, c, len(data)+4*len(c.starts))
	return c, nil
}

// fork is the stream for another goroutine.
func (t *typeStream) fork() *typeStream {
	if t == nil {
		return nil
	}
	g := *t
	g.chunks = recent.Cache[int, *typeChunk]{Limit: typeCache}
	g.hashes.found = nil
	return &g
}
