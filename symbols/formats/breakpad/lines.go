package breakpad

// Reading on demand begins with a small read, because most records are short, and continues with
// pages of the size in which a browser reads a File.
const (
	firstRead = 512
	mostRead  = 64 << 10
)

// A lineReader reads a text line by line from a unit on. It skips lines longer than maxLine, as the
// scan does.
type lineReader struct {
	t    text
	room []byte // memory for buf
	buf  []byte // raw bytes that are read and not yet returned
	at   int64  // unit offset of buf[0]
	end  int64  // where to stop
	size int    // bytes of the next read
	err  error
}

// linesFrom reads the lines that begin at the unit at, and at most limit units.
func (t text) linesFrom(at, limit int64) *lineReader {
	return &lineReader{t: t, at: at, end: at + min(limit, t.size()-at), size: firstRead}
}

// next returns the next line, as UTF-8 and without its end, and its unit
// offset. The line is valid until the next call. It reports false at the end
// and on an error. A line that the end cuts is left out, unless the text ends there, too.
func (r *lineReader) next() (line []byte, at int64, ok bool) {
	for r.err == nil {
		n := r.t.endOfLine(r.buf)
		switch {
		case n >= 0:
			line, at = r.buf[:n], r.at
			r.drop(n + int(r.t.unit))
		case r.unread() == 0 && len(r.buf) > 0 && r.end == r.t.size(): // elsewhere it is half a record
			line, at = r.buf, r.at
			r.drop(len(r.buf))
		case r.unread() == 0:
			return nil, 0, false
		case int64(len(r.buf)) > maxLine*r.t.unit:
			r.skipLine()
			continue
		default:
			r.fill()
			continue
		}
		if int64(len(line)) <= maxLine*r.t.unit {
			return trimCR(r.t.decode(line)), at, true
		}
	}
	return nil, 0, false
}

// unread is the number of units that are not in the buffer yet.
func (r *lineReader) unread() int64 { return r.end - r.at - int64(len(r.buf))/r.t.unit }

func (r *lineReader) drop(n int) {
	r.buf = r.buf[n:]
	r.at += int64(n) / r.t.unit
}

func (r *lineReader) fill() {
	n := min(int64(r.size), r.unread()*r.t.unit)
	r.size = min(4*r.size, mostRead)
	more := r.room
	if len(r.buf)+int(n) > cap(more) {
		more = make([]byte, len(r.buf)+int(n))
	}
	more = more[:len(r.buf)+int(n)]
	copy(more, r.buf)
	r.err = r.t.read(more[len(r.buf):], r.at+int64(len(r.buf))/r.t.unit)
	r.buf, r.room = more, more
}

// skipLine drops the buffer and the rest of the line.
func (r *lineReader) skipLine() {
	for r.err == nil {
		r.drop(len(r.buf))
		if r.unread() == 0 {
			return
		}
		r.fill()
		if n := r.t.endOfLine(r.buf); n >= 0 {
			r.drop(n + int(r.t.unit))
			return
		}
	}
}
