package breakpad

// A fields reads the fields of one record from left to right. Fields are
// separated by one or more spaces; a carriage return at the end of the line is
// not part of it.
//
// Like bin.Cursor it remembers that something was wrong and returns zeros from
// then on, so that a record is read whole and checked once.
type fields struct {
	b   []byte
	bad bool
}

// fieldsOf reads what is left of a line.
func fieldsOf(line []byte) fields { return fields{b: trimCR(line)} }

func trimCR(line []byte) []byte {
	for len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
	}
	return line
}

// more skips spaces and reports whether another field follows.
func (f *fields) more() bool {
	for len(f.b) > 0 && f.b[0] == ' ' {
		f.b = f.b[1:]
	}
	return len(f.b) > 0
}

// hex reads a hexadecimal number of at most 64 bits.
func (f *fields) hex() (v uint64) {
	f.more()
	n := 0
	for n < len(f.b) && hexDigit[f.b[n]] != 0 {
		if v>>60 != 0 {
			f.bad = true
		}
		v = v<<4 | uint64(hexDigit[f.b[n]]-1)
		n++
	}
	return f.number(n, v)
}

// dec reads a decimal number of at most 32 bits.
func (f *fields) dec() uint32 {
	f.more()
	v, n := uint64(0), 0
	for n < len(f.b) && f.b[n]-'0' <= 9 {
		if v = v*10 + uint64(f.b[n]-'0'); v>>32 != 0 {
			f.bad, v = true, 0
		}
		n++
	}
	return uint32(f.number(n, v))
}

// hex32 reads a hexadecimal number of at most 32 bits.
func (f *fields) hex32() uint32 {
	v := f.hex()
	if v>>32 != 0 {
		f.bad = true
		return 0
	}
	return uint32(v)
}

// number finishes a number of n digits, which must end with its field.
func (f *fields) number(n int, v uint64) uint64 {
	if n == 0 || n < len(f.b) && f.b[n] != ' ' {
		f.bad = true
	}
	if f.bad {
		f.b = nil
		return 0
	}
	f.b = f.b[n:]
	return v
}

// word reads up to the next space.
func (f *fields) word() []byte {
	f.more()
	n := 0
	for n < len(f.b) && f.b[n] != ' ' {
		n++
	}
	w := f.b[:n]
	f.b = f.b[n:]
	if n == 0 {
		f.bad = true
	}
	return w
}

// flag reads the word w if it is the next one.
func (f *fields) flag(w string) bool {
	f.more()
	if n := len(w); len(f.b) > n && f.b[n] == ' ' && string(f.b[:n]) == w {
		f.b = f.b[n:]
		return true
	}
	return false
}

// rest reads everything that is left, which must be something.
func (f *fields) rest() []byte {
	if !f.more() {
		f.bad = true
	}
	r := f.b
	f.b = nil
	return r
}
