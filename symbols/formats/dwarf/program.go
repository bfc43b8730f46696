package dwarf

// A machine runs a line program (section 6.2.2). Columns, statements, blocks and discriminators are
// not kept.
type machine struct {
	l *lines
	r *buffer

	addr       uint64
	op         uint64 // within an instruction that does several things at once
	file, line uint32

	first int  // row of the sequence
	moved bool // rows of the sequence went back
}

// reset begins a sequence with the initial state (section 6.2.2).
func (m *machine) reset() {
	m.addr, m.op, m.file, m.line = 0, 0, 1, 1
	m.first, m.moved = len(m.l.rows), false
}

// An operation that is damaged ends it: the sequence that it is in has no end, and is dropped.
func (l *lines) run(r *buffer) error {
	m := machine{l: l, r: r}
	m.reset()
	for r.len() > 0 {
		at := r.at
		code := r.u8()
		switch {
		case code >= l.head.opcodeBase:
			m.special(code - l.head.opcodeBase)
		case code == 0:
			m.extended()
		default:
			m.standard(code)
		}
		if r.bad {
			return l.damaged(at, "operation %d is truncated", code)
		}
		if len(l.rows) > maxRows {
			l.rows = l.rows[:m.first]
			return l.damaged(at, "more than %d rows", maxRows)
		}
	}
	l.rows = l.rows[:m.first] // a sequence that has no end has no size
	return nil
}

// special moves on and makes a row.
func (m *machine) special(n uint8) {
	h := &m.l.head
	if h.lineRange == 0 {
		m.r.fail()
		return
	}
	m.advance(uint64(n / h.lineRange))
	m.line += uint32(int32(h.base) + int32(n%h.lineRange))
	m.row()
}

// advance moves on by operations (section 6.2.5.1), which are instructions except on VLIW CPUs.
func (m *machine) advance(n uint64) {
	h := &m.l.head
	if h.maxOps == 1 {
		m.addr += n * uint64(h.minInstruction)
		return
	}
	n += m.op
	m.addr += n / uint64(h.maxOps) * uint64(h.minInstruction)
	m.op = n % uint64(h.maxOps)
}

// row keeps where the line of an address begins. Of several rows with one
// address the last counts; rows that go back are wrong, and left out.
// Rows of one line stay apart: a function may begin with the second.
func (m *machine) row() {
	rows := m.l.rows
	if n := len(rows); n > m.first {
		last := &rows[n-1]
		if m.addr < last.addr {
			m.moved = true
			return
		}
		if m.addr == last.addr {
			last.file, last.line = m.file, m.line
			return
		}
	}
	m.l.rows = append(rows, row{m.addr, m.file, m.line})
}

// standard does an operation of section 6.2.5.2.
func (m *machine) standard(code uint8) {
	r, h := m.r, &m.l.head
	switch code {
	case lineCopy:
		m.row()
	case lineAdvancePC:
		m.advance(r.uleb())
	case lineAdvanceLine:
		m.line += uint32(r.sleb())
	case lineSetFile:
		m.file = uint32(min(r.uleb(), 1<<32-1))
	case lineConstAddPC:
		if h.lineRange == 0 {
			r.fail()
			return
		}
		m.advance(uint64((255 - h.opcodeBase) / h.lineRange))
	case lineFixedAdvancePC:
		m.addr += uint64(r.u16())
		m.op = 0
	default: // columns and flags, and what will be invented: all operands are LEB128
		for range h.lengths[code-1] {
			r.skipLEB()
		}
	}
}

// extended does an operation of section 6.2.5.3. Its length leads behind it, also where it is not known,
// such as DW_LNE_set_discriminator and those of vendors.
func (m *machine) extended() {
	r := m.r
	n := r.uleb()
	if n > uint64(r.len()) {
		r.fail()
		return
	}
	if n == 0 {
		return
	}
	end := r.at + int(n)
	switch r.u8() {
	case lineEndSequence:
		m.end()
	case lineSetAddress:
		if size := n - 1; size == 2 || size == 4 || size == 8 {
			m.addr, m.op = r.word(uint8(size)), 0
		}
	case lineDefineFile:
		at := r.at
		r.skipText()
		m.l.addFile(r, at)
	}
	if r.bad || r.at > end {
		r.fail()
		return
	}
	r.at = end
}

// end ends a sequence. One of code that the linker threw away begins at 0, or
// at what stands for nothing.
func (m *machine) end() {
	l := m.l
	if n := len(l.rows); n > m.first {
		s := sequence{span{l.rows[m.first].addr, m.addr}, int32(m.first), int32(n)}
		if last := l.rows[n-1].addr; s.end <= last && m.moved {
			s.end = last + 1 // at least one byte of the last row is known
		}
		if l.unit.live(s.span) {
			l.seqs = append(l.seqs, s)
		} else {
			l.rows = l.rows[:m.first]
		}
	}
	m.reset()
}
