package cfi

import (
	"fmt"

	"crashglass/core/base/bin"
)

// maxRemembered is how deep states may be remembered; compilers need one or two.
const maxRemembered = 64

// maxCopied is how many registers all remembered states of a program may have
// together. A program of some thousand returns, each with all registers of a
// CPU, has fewer.
const maxCopied = 1 << 18

// A machine runs the instructions of a CIE and then of an FDE. DWARF 5,
// section 6.4.2.
type machine struct {
	t       *Table
	f       *fde
	c       *bin.Cursor
	now     row
	initial *row // the CIE's rules, for the instructions that restore
	inCIE   bool
	saved   []row
	copied  int    // registers in all states that were saved
	at      uint64 // the address that the next row begins at
	moved   uint64 // where an instruction has just moved to
	what    string // is executed
	insn    int64  // the offset of the instruction that is executing
	err     error
}

func newMachine(t *Table, f *fde) *machine { return &machine{t: t, f: f, at: f.start} }

// startOf is the row that a CIE's instructions make, which are run for the
// first of its functions: thousands may share them.
func (t *Table) startOf(f *fde) (*row, error) {
	c := f.cie
	c.once.Do(func() {
		m := newMachine(t, f)
		c.failed = m.common()
		c.start = m.now
	})
	return &c.start, c.failed
}

// common runs the instructions of a CIE.
func (m *machine) common() error {
	m.inCIE = true
	m.begin("CIE", m.f.cie.program, m.f.cie.codeAt)
	for m.c.Len() > 0 {
		m.step()
		if m.moved != m.at {
			m.fail("a CIE's instructions move to %#x", m.moved)
		}
		if err := m.failed(); err != nil {
			return err
		}
	}
	return nil
}

// run calls row with the rules of each range of addresses, in order, until row returns false. After
// an error the earlier rows remain valid.
func (m *machine) run(emit func(r *row, from, to uint64) bool) (err error) {
	if m.initial, err = m.t.startOf(m.f); err != nil {
		return err
	}
	m.now = m.initial.clone()
	m.begin("FDE", m.f.program, m.f.codeAt)
	end := m.f.start + m.f.size
	for m.c.Len() > 0 {
		m.step()
		if err := m.failed(); err != nil {
			return err
		}
		if m.moved != m.at {
			if to := min(m.moved, end); m.at < to && !emit(&m.now, m.at, to) {
				return nil
			}
			m.at = m.moved
		}
	}
	if m.at < end {
		emit(&m.now, m.at, end)
	}
	return nil
}

func (m *machine) begin(what string, program []byte, at int64) {
	m.what = m.f.part.name + " " + what
	m.c = bin.NewOrderedCursor(m.what, at, program, m.t.s.Order)
	m.saved, m.moved = nil, m.at
}

// fail blames the instruction that is executing.
func (m *machine) fail(format string, args ...any) {
	if m.err == nil {
		m.err = &bin.Error{What: m.what, Off: m.insn, Why: fmt.Sprintf(format, args...)}
	}
}

func (m *machine) failed() error {
	if m.c.Err() != nil { // before what follows from it
		return m.f.part.wrap(m.c.Err())
	}
	return m.f.part.wrap(m.err)
}

// advance moves by units of code. Addresses do not wrap.
func (m *machine) advance(units uint64) {
	by := units * m.f.cie.codeAlign
	to := m.at + by
	if units != 0 && by/units != m.f.cie.codeAlign || to < m.at {
		m.fail("%#x units of code behind %#x", units, m.at)
		return
	}
	m.moved = to
}

// setLoc moves to an address that is given in full.
func (m *machine) setLoc() {
	ptr := m.f.part.pointers(m.c, m.f.cie.word)
	to := ptr.read(m.f.cie.enc)
	if to < m.at {
		m.fail("the address %#x is below %#x", to, m.at)
		return
	}
	m.moved = to
}

func (m *machine) set(reg uint64, r rule) {
	if !m.now.set(reg, r) {
		m.fail("rules for more than %d registers", maxRegs)
	}
}

// factored is an offset in the CIE's unit of data.
func (m *machine) factored(n int64) int64 { return n * m.f.cie.dataAlign }

func (m *machine) restore(reg uint64) {
	if m.inCIE {
		m.fail("a CIE's instructions restore register %d", reg)
		return
	}
	m.set(reg, m.initial.get(reg))
}

func (m *machine) remember() {
	m.copied += len(m.now.regs)
	if len(m.saved) >= maxRemembered || m.copied > maxCopied {
		m.fail("more than %d states, or %d registers in them, are remembered", maxRemembered, maxCopied)
		return
	}
	m.saved = append(m.saved, m.now.clone())
}

// recall brings back a remembered state, its CFA included.
func (m *machine) recall() {
	n := len(m.saved) - 1
	if n < 0 {
		m.fail("no state is remembered")
		return
	}
	m.now, m.saved = m.saved[n], m.saved[:n]
}

func (m *machine) block() []byte {
	size := uleb(m.c)
	if size > uint64(m.c.Len()) {
		m.fail("an expression of %d bytes, and %d are left", size, m.c.Len())
		return nil
	}
	return append([]byte{}, m.c.Bytes(int(size))...) // not nil when it is empty
}

// cfaRegister changes half of the CFA's rule. As the first instruction, which
// assemblers write for MIPS and RISC-V, it means an offset of 0.
func (m *machine) cfaRegister(reg uint64) {
	if m.now.cfa.expr != nil {
		m.fail("the CFA is an expression, and becomes register %d", reg)
	}
	m.now.cfa.known, m.now.cfa.reg = true, reg
}

func (m *machine) cfaOffset(n int64) {
	if !m.now.cfa.known || m.now.cfa.expr != nil {
		m.fail("the CFA is not in a register, and gets the offset %d", n)
	}
	m.now.cfa.offset = n
}

// window is SPARC's: a function that has moved the register window finds its
// locals and ins saved at the CFA.
func (m *machine) window() {
	for reg := range int64(16) {
		m.set(uint64(16+reg), rule{kind: inMemory, n: reg * int64(m.t.s.Word)})
	}
}
