package pdb

// Opcodes of binary annotations, which give the code and lines of an inlined call.
//
// Source: BinaryAnnotationOpcode of cvinfo.h; the packing of numbers is that
// of CVUncompressData there.
const (
	annCodeOffset     = 1  // code = n
	annCodeBase       = 2  // from here on, offsets count from the nth separated code
	annAdvance        = 3  // code += n, row
	annLength         = 4  // the last row has n bytes
	annFile           = 5  // file = n
	annLine           = 6  // line += n
	annAdvanceLine    = 11 // line += high part, code += low four bits, row
	annLengthAdvance  = 12 // code += m, row of n bytes
	annLastWithOneArg = 13
)

// rows runs the annotations of an inline site in a function that begins at base, and appends its
// rows to out. They end with zeros that pad the record; annotations after damage are dropped.
//
// A length without an offset before it is of a row that begins where the one
// before ended, or the function does: LLVM writes no offset of 0 when the line
// changes, too (encodeInlineLineTable of MCCodeView.cpp).
//
// Code that was split off the function (annCodeBase) is omitted: the file does not say which
// separated code is the nth, and a wrong call would be worse than none.
func (in inlinee) rows(annotations []byte, base uint32, out []lineRow) []lineRow {
	r := annotationReader{b: annotations}
	code := uint32(0)
	open, sized := false, false // whether the end of the last row is missing, or was given with its start
	emit := func() {
		if open {
			out[len(out)-1].end = base + code
		}
		out = append(out, lineRow{start: base + code, end: base + code, line: in.line, file: in.file})
		open, sized = true, false
	}
	for {
		op, n := r.op()
		switch {
		case op == 0 || op > annLastWithOneArg || r.bad || op == annCodeBase && n != 0:
			return out
		case op == annCodeOffset:
			code = n
		case op == annAdvance:
			code += n
			emit()
		case op == annLength:
			if !open && !sized {
				emit()
			}
			if open {
				out[len(out)-1].end = endOf(out[len(out)-1].start, n)
			}
			open = false
			code += n
		case op == annFile:
			in.file = n
		case op == annLine:
			in.line += uint32(signed(n))
		case op == annAdvanceLine:
			in.line += uint32(signed(n >> 4))
			code += n & 15
			emit()
		case op == annLengthAdvance:
			code += r.number()
			emit()
			out[len(out)-1].end = endOf(base+code, n)
			open, sized = false, true
		}
	}
}

type annotationReader struct {
	b   []byte
	bad bool
}

// op reads an operation and its first operand. It returns 0 at the end.
func (r *annotationReader) op() (op, n uint32) {
	if len(r.b) == 0 {
		return 0, 0
	}
	if op = r.number(); op == 0 {
		return 0, 0
	}
	return op, r.number()
}

// number reads one to four bytes: the first has the upper bits of the number,
// and says how many follow.
func (r *annotationReader) number() uint32 {
	size, mask := 1, byte(0x7f)
	if len(r.b) > 0 {
		switch b := r.b[0]; {
		case b&0xe0 == 0xc0:
			size, mask = 4, 0x1f
		case b&0xc0 == 0x80:
			size, mask = 2, 0x3f
		case b&0x80 != 0:
			r.bad = true
		}
	}
	if size > len(r.b) {
		r.bad = true
	}
	if r.bad {
		return 0
	}
	n := uint32(r.b[0] & mask)
	for _, b := range r.b[1:size] {
		n = n<<8 | uint32(b)
	}
	r.b = r.b[size:]
	return n
}

// signed unpacks a number whose lowest bit is its sign.
func signed(n uint32) int32 {
	if n&1 != 0 {
		return -int32(n >> 1)
	}
	return int32(n >> 1)
}
