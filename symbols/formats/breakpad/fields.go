package breakpad

import "bytes"

// A fields reads the fields of one record from left to right. Fields are
// separated by one or more spaces; a carriage return at the end of the line is
// not part of it.
//
// Like bin.Cursor it remembers the first defect and returns zeros from then on, so that a record is
// read completely and checked once.
type fields struct {
	b   []byte
	at  int
	bad bool
}

func fieldsOf(line []byte) fields { return fields{b: trimCR(line)} }

func trimCR(line []byte) []byte { return bytes.TrimRight(line, "\r") }

// more skips spaces and reports whether another field follows.
func (f *fields) more() bool {
	for f.at < len(f.b) && f.b[f.at] == ' ' {
		f.at++
	}
	return f.at < len(f.b)
}

// hex reads a hexadecimal number of at most 64 bits. It calls no other function, which saves a
// tenth of the scan's time in WebAssembly.
func (f *fields) hex() (v uint64) {
	b, i := f.b, f.at
	for i < len(b) && b[i] == ' ' {
		i++
	}
	first := i
	for ; i < len(b); i++ {
		d := hexDigit[b[i]]
		if d == 0 {
			break
		}
		if v>>60 != 0 {
			f.bad = true
		}
		v = v<<4 | uint64(d-1)
	}
	f.at = i
	if i == first || i < len(b) && b[i] != ' ' || f.bad {
		f.fail()
		return 0
	}
	return v
}

// dec reads a decimal number of at most 32 bits.
func (f *fields) dec() uint32 {
	f.more()
	first, v := f.at, uint64(0)
	for ; f.at < len(f.b) && f.b[f.at]-'0' <= 9; f.at++ {
		if v = v*10 + uint64(f.b[f.at]-'0'); v>>32 != 0 {
			f.bad, v = true, 0
		}
	}
	if f.at == first || f.at < len(f.b) && f.b[f.at] != ' ' || f.bad {
		f.fail()
		return 0
	}
	return uint32(v)
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

func (f *fields) fail() { f.bad, f.at = true, len(f.b) }

// word reads up to the next space.
func (f *fields) word() []byte {
	f.more()
	from := f.at
	for f.at < len(f.b) && f.b[f.at] != ' ' {
		f.at++
	}
	if f.at == from {
		f.bad = true
	}
	return f.b[from:f.at]
}

// flag reads the word w if it is the next one and not the last.
func (f *fields) flag(w string) bool {
	f.more()
	end := f.at + len(w)
	if end < len(f.b) && f.b[end] == ' ' && string(f.b[f.at:end]) == w {
		f.at = end
		return true
	}
	return false
}

// rest reads the rest, which must not be empty.
func (f *fields) rest() []byte {
	if !f.more() {
		f.bad = true
	}
	r := f.b[f.at:]
	f.at = len(f.b)
	return r
}

// A kind is the kind of record in a line, by its first bytes. The rest may still be malformed.
type kind uint8

const (
	kindNone kind = iota // unknown
	kindLine             // a line record: it begins with a number
	kindModule
	kindInfo
	kindFile
	kindOrigin
	kindFunc
	kindPublic
	kindInline
	kindWin
	kindInit
	kindCFI
)

// hexDigit holds 1 + the value of each hex digit, and 0 for other bytes.
var hexDigit = func() (t [256]uint8) {
	for i := range byte(10) {
		t['0'+i] = i + 1
	}
	for i := range byte(6) {
		t['a'+i], t['A'+i] = i+11, i+11
	}
	return t
}()

// kindOf is written without loops because the scan calls it for every second line, and comparing with a constant costs a load or two.
func kindOf(line []byte) (kind, []byte) {
	if len(line) < 5 { // the shortest tag
		return lineOrNone(line)
	}
	switch line[0] {
	case 'S':
		return stackKind(line)
	case 'I':
		return inlineKind(line)
	case 'F':
		switch string(line[:5]) {
		case "FUNC ":
			return kindFunc, line[5:]
		case "FILE ":
			return kindFile, line[5:]
		}
	case 'P':
		if len(line) >= 7 && string(line[:7]) == "PUBLIC " {
			return kindPublic, line[7:]
		}
	case 'M':
		if len(line) >= 7 && string(line[:7]) == "MODULE " {
			return kindModule, line[7:]
		}
	}
	return lineOrNone(line)
}

func stackKind(line []byte) (kind, []byte) {
	if len(line) < 10 {
		return kindNone, line
	}
	switch string(line[:10]) {
	case "STACK CFI ":
		if len(line) >= 15 && string(line[10:15]) == "INIT " {
			return kindInit, line[15:]
		}
		return kindCFI, line[10:]
	case "STACK WIN ":
		return kindWin, line[10:]
	}
	return kindNone, line
}

func inlineKind(line []byte) (kind, []byte) {
	switch {
	case len(line) >= 7 && string(line[:7]) == "INLINE ":
		return kindInline, line[7:]
	case len(line) >= 14 && string(line[:14]) == "INLINE_ORIGIN ":
		return kindOrigin, line[14:]
	case string(line[:5]) == "INFO ":
		return kindInfo, line[5:]
	}
	return kindNone, line
}

// lineOrNone distinguishes line records, which have no tag, from unknown lines.
func lineOrNone(line []byte) (kind, []byte) {
	if len(line) > 0 && hexDigit[line[0]] != 0 {
		return kindLine, line
	}
	return kindNone, line
}
