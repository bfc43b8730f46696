package dwarf

import (
	"fmt"
	"slices"
	"sort"

	"crashglass/core/base/ranges"
)

// A row is where the code of a line begins.
type row struct {
	addr       uint64
	file, line uint32
}

// A sequence is a run of code whose rows are in order.
type sequence struct {
	span
	from, to int32 // of rows
}

// lines is the line program of a unit, run.
type lines struct {
	unit *unit
	head lineHeader
	rows []row
	seqs []sequence // in the order of the program

	byAddr ranges.Table // of seqs

	paths []string // of the files, as far as they were requested
	data  []byte   // the program

	of lineKey // what was read; programs that units share are read once
}

// A lineKey is what the rows of a unit depend on.
type lineKey struct {
	group *group
	off   uint64
	addr  uint8
}

// lineKey says which line program the unit has. Units with the same one share its rows.
func (u *unit) lineKey() lineKey { return lineKey{u.group, u.lines, u.addr} }

// withLines is the unit that names the line program: of a split one its skeleton.
func (u *unit) withLines() *unit {
	if u.skeleton != nil {
		return u.skeleton
	}
	return u
}

// lineHeader is the header of a line program (section 6.2.4).
type lineHeader struct {
	sizes
	minInstruction uint8
	maxOps         uint8
	base           int8
	lineRange      uint8
	opcodeBase     uint8
	lengths        []byte
	dirs           []ref
	files          []fileEntry
}

// A fileEntry is a file of a line program: its name, the number of its folder, and where its MD5 sum is in the section, 0 for none.
type fileEntry struct {
	name ref
	dir  uint64
	sum  uint64
}

// maxRows bounds what a program makes; a byte of it makes a row of 16.
const maxRows = 1 << 23

// reset prepares l for the line program of another unit, and keeps its memory.
func (l *lines) reset(u *unit) {
	u = u.withLines()
	clear(l.paths)
	if u.hasLines && l.of == u.lineKey() {
		l.unit, l.paths = u, l.paths[:0]
		return
	}
	*l = lines{
		unit: u, rows: l.rows[:0], seqs: l.seqs[:0], paths: l.paths[:0], data: l.data,
		head: lineHeader{dirs: l.head.dirs[:0], files: l.head.files[:0]},
	}
}

// read runs the line program of the unit. What comes before a defect is kept.
func (l *lines) read() error {
	u := l.unit
	if !u.hasLines || l.of == u.lineKey() {
		return nil
	}
	l.of = u.lineKey()
	s := u.group.section("line")
	start, err := s.upTo(u.lines, 12)
	if err != nil {
		return err
	}
	r := buffer{b: start, big: u.group.big}
	n, offsetSize := r.length()
	if rest := s.size() - u.lines; r.bad || n > rest-uint64(r.at) {
		return fmt.Errorf("dwarf: .debug_line at %#x: program of %d bytes, the section has %d more", u.lines, n, rest)
	}
	size := r.at + int(n)
	if !u.group.file.spend(uint64(size)) {
		return errWork
	}
	l.data = slices.Grow(l.data[:0], size)[:size]
	if got, err := s.src.ReadAt(l.data, int64(u.lines)); got < size {
		return fmt.Errorf("dwarf: .debug_line at %#x: reading failed: %w", u.lines+uint64(max(got, 0)), err)
	}
	r.b = l.data
	l.head.offset, l.head.addr = offsetSize, u.addr
	if err := l.header(&r); err != nil {
		return err
	}
	err = l.run(&r)
	for i, s := range l.seqs {
		l.byAddr.Add(s.start, s.end-s.start, int64(i))
	}
	l.byAddr.Finish()
	return err
}

// damaged makes the error of a defect at an offset of the program.
func (l *lines) damaged(at int, format string, args ...any) error {
	return fmt.Errorf("dwarf: .debug_line at %#x: %s", l.unit.lines+uint64(at), fmt.Sprintf(format, args...))
}

// header reads what follows the length of a program (section 6.2.4). The program begins where the header
// says, also if its tables of files are damaged: then lines have no file.
func (l *lines) header(r *buffer) error {
	h := &l.head
	if h.version = r.u16(); r.bad || h.version < 2 || h.version > 5 {
		return l.damaged(0, "version %d, known are 2 to 5", h.version)
	}
	if h.version == 5 {
		h.addr = r.u8()
		r.u8() // size of a segment's selector
	}
	n := r.word(h.offset)
	program := uint64(r.at) + n
	h.minInstruction = r.u8()
	h.maxOps = 1
	if h.version >= 4 {
		h.maxOps = max(r.u8(), 1)
	}
	r.u8() // whether rows are statements at first
	h.base, h.lineRange, h.opcodeBase = int8(r.u8()), r.u8(), r.u8()
	h.lengths = r.take(max(int(h.opcodeBase), 1) - 1)
	if r.bad || program > uint64(len(r.b)) || program < uint64(r.at) {
		return l.damaged(0, "the header of %d bytes is damaged", n)
	}
	tables := *r
	tables.b = r.b[:program]
	if h.version == 5 {
		l.tables5(&tables)
	} else {
		l.tables(&tables)
	}
	if tables.bad {
		l.unit.group.file.note("%v", l.damaged(0, "the tables of files are damaged"))
	}
	r.at = int(program)
	return nil
}

// maxFiles bounds files and folders of a unit.
const maxFiles = 1 << 20

// tables reads the files and folders of versions 2 to 4. Texts lie in the
// program itself.
func (l *lines) tables(r *buffer) {
	h := &l.head
	for !r.bad && len(h.dirs) < maxFiles {
		at := r.at
		if r.skipText(); r.at == at+1 {
			break
		}
		h.dirs = append(h.dirs, ref{l.unit.lines + uint64(at), formString, refText})
	}
	for !r.bad && len(h.files) < maxFiles {
		at := r.at
		if r.skipText(); r.at <= at+1 {
			break
		}
		l.addFile(r, at)
	}
}

// addFile reads what follows the name of a file, which is at an offset.
func (l *lines) addFile(r *buffer, at int) {
	dir := r.uleb()
	r.uleb() // time of its last change
	r.uleb() // size
	if !r.bad {
		l.head.files = append(l.head.files, fileEntry{name: ref{l.unit.lines + uint64(at), formString, refText}, dir: dir})
	}
}

// tables5 reads the files and folders of version 5.
func (l *lines) tables5(r *buffer) {
	h := &l.head
	l.table5(r, func(e fileEntry) { h.dirs = append(h.dirs, e.name) })
	l.table5(r, func(e fileEntry) { h.files = append(h.files, e) })
}

// table5 reads a table: the format of its entries and the entries
// (section 6.2.4.1). Sizes and times are skipped.
func (l *lines) table5(r *buffer, add func(fileEntry)) {
	type field struct{ content, form uint64 }
	format := make([]field, r.u8())
	for i := range format {
		format[i] = field{r.uleb(), r.uleb()}
	}
	n := r.uleb()
	for i := uint64(0); i < min(n, maxFiles) && !r.bad && len(format) > 0; i++ {
		var e fileEntry
		for _, f := range format {
			at := r.at
			v := l.head.read(r, uint16(f.form), 0)
			switch f.content {
			case contentMD5:
				e.sum = l.unit.lines + uint64(at)
			case contentPath:
				if v.form == formString {
					v.v += l.unit.lines
				}
				e.name = ref{v.v, v.form, refText}
			case contentDirectory:
				e.dir = v.v
			}
		}
		if !r.bad {
			add(e)
		}
	}
}

// rowsIn calls add for each row of a run of code, cut to it, in the order of
// addresses. Where sequences overlap the one that begins last counts.
//
// A row that begins before the range belongs to another function, whose code lies directly before.
// GCC leaves parts that it split off without a row of their own (a ".cold" that is one jump).
func (l *lines) rowsIn(s span, add func(span, row)) {
	for i := max(l.byAddr.UpTo(s.start)-1, 0); i < l.byAddr.Len(); i++ {
		r := l.byAddr.Range(i)
		if r.Start >= s.end {
			return
		}
		if part := (span{max(r.Start, s.start), min(r.Start+r.Size, s.end)}); part.start < part.end {
			l.inSequence(l.seqs[r.Value], part, s.start, add)
		}
	}
}

// inSequence is rowsIn for a part of one sequence and rows that do not begin
// before an address.
func (l *lines) inSequence(q sequence, s span, first uint64, add func(span, row)) {
	rows := l.rows[q.from:q.to]
	i := max(sort.Search(len(rows), func(i int) bool { return rows[i].addr > s.start })-1, 0)
	for ; i < len(rows) && rows[i].addr < s.end; i++ {
		end := s.end
		if i+1 < len(rows) {
			end = min(end, rows[i+1].addr)
		}
		if start := max(rows[i].addr, s.start); start < end && rows[i].addr >= first {
			add(span{start, end}, rows[i])
		}
	}
}

// rowAt takes as long in a function of a million rows as in one of ten.
func (l *lines) rowAt(in span, addr uint64) (found row, start uint64, ok bool) {
	r, ok := l.byAddr.Find(addr)
	if !ok {
		return row{}, 0, false
	}
	q := l.seqs[r.Value]
	rows := l.rows[q.from:q.to]
	i := sort.Search(len(rows), func(i int) bool { return rows[i].addr > addr }) - 1
	if i < 0 || rows[i].addr < in.start {
		return row{}, 0, false
	}
	return rows[i], max(rows[i].addr, r.Start), true
}
