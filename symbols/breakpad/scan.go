package breakpad

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

// A scanner goes through a file once and fills an index.
type scanner struct {
	index
	notes notes
	t     text

	// line is the number of the current line, counted from 1.
	line int64

	// fn and cfi are the offsets of the records that lines and rows belong
	// to, or -1. body is the kind of the one that the previous record
	// belonged to: another kind in between needs an entry in rest.
	fn, cfi int64
	body    kind

	skipping bool // inside a line that is too long
}

// run scans the text. progress is called after each chunk; its error ends the scan.
func (s *scanner) run(progress func(done, total int64) error) error {
	s.fn, s.cfi, s.module, s.codeID = -1, -1, -1, -1
	total := s.t.size()
	buf := make([]byte, min(chunk, total))
	var scratch []byte
	if s.t.unit == 2 {
		scratch = make([]byte, mostRead)
	}
	for at, have := int64(0), 0; at+int64(have) < total; {
		n := int(min(int64(len(buf)-have), total-at-int64(have)))
		if err := s.t.squeeze(buf[have:have+n], at+int64(have), scratch); err != nil {
			return err
		}
		have += n
		done := at + int64(have)
		used := s.chunk(buf[:have], at, done == total)
		have = copy(buf, buf[used:have])
		at += int64(used)
		if progress != nil {
			if err := progress(done*s.t.unit, total*s.t.unit); err != nil {
				return err
			}
		}
	}
	s.index.finish(&s.notes)
	return nil
}

// chunk scans the lines of buf, which lies at the unit offset at, and returns
// how much of it was used: up to the start of a line that goes on beyond buf.
//
// Two lines of three are line records, which need no more than a look at
// their first byte.
func (s *scanner) chunk(buf []byte, at int64, last bool) (used int) {
	pos := 0
	if s.skipping {
		if pos = newline(buf, 0) + 1; pos > len(buf) {
			return len(buf)
		}
		s.skipping = false
	}
	for pos < len(buf) {
		end := newline(buf, pos)
		if end == len(buf) && !last {
			if end-pos <= maxLine {
				return pos
			}
			s.skipping = true
		}
		s.line++
		switch {
		case end-pos > maxLine:
			s.note("line is too long for a record", at+int64(pos))
		case lineStart[buf[pos]] && s.body == kindFunc:
			s.lines = true
		default:
			s.record(buf[pos:end], at+int64(pos))
		}
		pos = end + 1
	}
	return min(pos, len(buf))
}

func (s *scanner) note(text string, at int64) { s.notes.add(text, s.line, s.t.offset(at), 1) }

// record enters one record into the index. What a record says is checked as
// far as it must be well formed to be used at all; the bodies of functions are
// checked when they are read.
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
			s.note("line is no record that we know", at)
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

// part is a line or an inline of the function before it.
func (s *scanner) part(k kind, at int64) {
	if s.fn < 0 {
		s.note(k.String()+" belongs to no FUNC", at)
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
		// rust-minidump refuses the whole file here.
		s.note("STACK CFI row belongs to no STACK CFI INIT", at)
		return
	}
	if s.body != kindInit {
		s.body = kindInit
		s.rest.add(uint64(s.cfi), at)
	}
	s.rows++
}
