package breakpad

import "math/bits"

// chunk is how much of the file is in memory at a time while it is scanned, in
// units. Larger ones are not faster, and it must exceed maxLine.
const chunk = 4 << 20

// lineStart marks the bytes that only a line record begins with. 'F' begins
// FUNC and FILE too.
var lineStart = func() (t [256]bool) {
	for c := range t {
		t[c] = hexDigit[c] != 0 && c != 'F'
	}
	return t
}()

// A scanner reads a file once and fills an index.
type scanner struct {
	index
	notes notes
	t     text
	room  []byte

	// line is the number of the current line, counted from 1.
	line int64

	// fn and cfi are the offsets of the records that lines and rows belong
	// to, or -1. body is the kind of the one that the previous record
	// belonged to: another kind in between needs an entry in rest.
	fn, cfi int64
	body    kind

	skipping  bool // inside a line that is too long
	open      bool // the last line of the file has no end
	continued bool // this is not the first part of a file
	lost      bool // something belongs to a record in the part before this one
}

func newScanner(t text) *scanner {
	return &scanner{t: t, index: index{module: -1, codeID: -1}, fn: -1, cfi: -1}
}

// run scans the units from at up to end. progress is called with the length of
// each chunk; its error ends the scan.
func (s *scanner) run(at, end int64, progress func(units int64) error) error {
	buf := s.buffer(int(min(chunk, end-at)))
	var scratch []byte
	if s.t.unit == 2 {
		scratch = make([]byte, mostRead)
	}
	for have := 0; at+int64(have) < end; {
		n := int(min(int64(len(buf)-have), end-at-int64(have)))
		if err := s.t.squeeze(buf[have:have+n], at+int64(have), scratch); err != nil {
			return err
		}
		have += n
		if at+int64(have) == s.t.size() && buf[have-1] != '\n' {
			s.open = true
		}
		used := s.chunk(buf[:have], at, at+int64(have) == end)
		have = copy(buf, buf[used:have])
		at += int64(used)
		if err := progress(int64(n)); err != nil {
			return err
		}
	}
	if s.open {
		s.note(NoteCut, end-1)
	}
	return nil
}

// The blocks of a search are scanned in the same room, one after another.
func (s *scanner) buffer(size int) []byte {
	if cap(s.room) < size {
		s.room = make([]byte, size)
	}
	return s.room[:size]
}

// chunk scans the lines of buf, which lies at the unit offset at, and returns
// how much of it was used: up to the start of a line that goes on beyond buf.
//
// Five lines of six are parts of a function or rows of call frame information. For these the first
// bytes suffice.
func (s *scanner) chunk(buf []byte, at int64, last bool) (used int) {
	pos := 0
	if s.skipping {
		if pos = newline(buf, 0) + 1; pos > len(buf) {
			return len(buf)
		}
		s.skipping = false
	}
	for pos < len(buf) {
		end := pos
		for { // newline, written out and twice as wide: 4 % of a scan in WebAssembly
			if end+16 > len(buf) {
				end = newline(buf, end)
				break
			}
			a, b := feeds(word(buf, end)), feeds(word(buf, end+8))
			if a|b == 0 {
				end += 16
				continue
			}
			if a == 0 {
				end, a = end+8, b
			}
			end += bits.TrailingZeros64(a) / 8
			break
		}
		if end == len(buf) && !last {
			if end-pos <= maxLine {
				return pos
			}
			s.skipping = true
		}
		s.line++
		switch c := buf[pos]; {
		case end-pos > maxLine:
			s.note("line is too long for a record", at+int64(pos))
		case s.body == kindFunc && lineStart[c]:
			s.lines = true
		case s.body == kindFunc && c == 'I' && end-pos >= 8 && word(buf, pos)<<8 == wordInline:
			s.inlines = true
		case s.body == kindInit && c == 'S' && end-pos >= 11 && word(buf, pos) == wordStack && word(buf, pos+2)>>40 == wordRow && buf[pos+10] != 'I':
		default:
			s.record(buf[pos:end], at+int64(pos))
		}
		pos = end + 1
	}
	return min(pos, len(buf))
}

// The words that the parts of records begin with, as word reads them.
const (
	wordInline = 'I'<<8 | 'N'<<16 | 'L'<<24 | 'I'<<32 | 'N'<<40 | 'E'<<48 | ' '<<56
	wordStack  = 'S' | 'T'<<8 | 'A'<<16 | 'C'<<24 | 'K'<<32 | ' '<<40 | 'C'<<48 | 'F'<<56
	wordRow    = 'F' | 'I'<<8 | ' '<<16
)

func (s *scanner) note(text string, at int64) { s.notes.add(text, s.line, s.t.offset(at), 1) }

// record checks only the fields that the index needs; bodies of functions are checked when they are read.
func (s *scanner) record(line []byte, at int64) {
	k, rest := kindOf(line)
	switch k {
	case kindLine, kindInline:
		s.part(k, at)
		return
	case kindCFI:
		s.row(at)
		return
	case kindNone:
		if len(trimCR(line)) > 0 {
			s.note("line is no known record", at)
		}
		return
	}
	f := fieldsOf(rest)
	if k == kindOrigin {
		s.number(&f, &s.origins, k, at)
		return // it may stand among the lines of a function
	}
	s.body = kindNone
	switch k {
	case kindFunc:
		s.function(&f, at)
	case kindPublic:
		s.public(&f, at)
	case kindInit:
		s.init(&f, at)
	case kindWin:
		s.win(&f, at)
	case kindFile:
		s.number(&f, &s.files, k, at)
	case kindModule, kindInfo:
		s.about(k, rest, at)
	}
}

// orphans are the notes on records without the record that they belong to. They are constants,
// because a damaged file needs them a million times.
var orphans = [...]string{
	kindLine: "line record belongs to no FUNC", kindInline: "INLINE belongs to no FUNC",
	kindCFI: "STACK CFI row belongs to no STACK CFI INIT",
}

// part is a line or an inline of the function before it.
func (s *scanner) part(k kind, at int64) {
	if s.fn < 0 {
		s.body = kindNone
		s.lost = s.lost || s.fn == unknown
		s.note(orphans[k], at)
		return
	}
	if s.body != kindFunc {
		s.body = kindFunc
		s.rest.add(uint64(s.fn), at)
	}
	if k == kindInline {
		s.inlines = true
	} else {
		s.lines = true
	}
}

// row is a row of the STACK CFI INIT record before it.
func (s *scanner) row(at int64) {
	if s.cfi < 0 {
		s.body = kindNone
		s.lost = s.lost || s.cfi == unknown
		// rust-minidump refuses the whole file here.
		s.note(orphans[kindCFI], at)
		return
	}
	if s.body != kindInit {
		s.body = kindInit
		s.rest.add(uint64(s.cfi), at)
	}
}
