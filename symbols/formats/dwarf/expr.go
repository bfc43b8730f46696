package dwarf

import (
	"slices"
	"strconv"

	"crashglass/core/values/types"
	"crashglass/core/values/variables"
	"crashglass/symbols/tables/cfi"
)

// An evaluator evaluates an expression (section 2.5) in a frame.
type evaluator struct {
	n     *node
	e     *variables.Eval
	base  func(e *variables.Eval) (uint64, error) // the frame base of the function; nil where there is none
	moved uint64                                  // from addresses in the file to those in memory
	depth int

	r      buffer
	stack  []word
	steps  int
	pieces []variables.Piece
	last   variables.Piece // the result of the operations since the last piece
	said   bool            // last counts, and not the top of the stack
	value  bool            // the top of the stack is the value itself
}

// A word is a number on the stack. One without a type is an address.
type word struct {
	v uint64
	t *types.Type

	// constant says that all 64 bits of v were written down: Clang does so for
	// variables that are larger than an address. Operators see an address's part.
	constant bool
}

// Limits of an expression: numbers on the stack, operations, and expressions that call each other.
const (
	maxStack = 1 << 10
	maxSteps = 1 << 12
	maxCalls = 8
)

// run evaluates an expression and returns the location.
func (m *evaluator) run(expr []byte) (variables.Place, error) {
	if len(expr) == 0 {
		return variables.Place{}, variables.Gone("its place is empty at this instruction")
	}
	if err := m.all(expr); err != nil {
		return variables.Place{}, err
	}
	if len(m.pieces) == 0 {
		p, err := m.piece()
		return variables.Place{Pieces: []variables.Piece{p}}, err
	}
	return variables.Place{Pieces: m.pieces}, nil
}

// number evaluates an expression that makes a number.
func (m *evaluator) number(expr []byte) (uint64, error) {
	if err := m.all(expr); err != nil {
		return 0, err
	}
	if m.said && m.last.Kind == variables.InRegister && len(m.pieces) == 0 {
		return m.e.Reg(m.last.Reg)
	}
	if m.said || len(m.pieces) > 0 {
		return 0, variables.Damaged("an expression is no number: %s", m.n.exprText(expr))
	}
	return m.pop()
}

// all does all operations of an expression, on the stack as it is: a called expression uses the stack of
// its caller. Steps are counted per expression and per file, because jumps make loops.
func (m *evaluator) all(expr []byte) error {
	outer := m.r
	m.r = buffer{b: expr, big: m.n.group.big}
	defer func() { m.r = outer }()
	for m.r.len() > 0 {
		if m.steps++; m.steps > maxSteps {
			return variables.Damaged("an expression takes more than %d steps", maxSteps)
		}
		if !m.n.group.file.limits.steps.Spend(1) {
			return variables.Damaged("the expressions before this one took too many steps")
		}
		o, ok := m.n.operation(&m.r)
		if !ok {
			return variables.Damaged("operation %#x is unknown or truncated: %s", o.code, m.n.exprText(expr))
		}
		if err := m.step(o); err != nil {
			return err
		}
	}
	return nil
}

// push pushes a number without a type, which has as many bits as an address.
func (m *evaluator) push(v uint64) error { return m.pushTyped(word{v: v & m.mask()}) }

// pushTyped pushes a number with its type. The stack is bounded.
func (m *evaluator) pushTyped(w word) error {
	if len(m.stack) >= maxStack {
		return variables.Damaged("an expression needs a stack of more than %d numbers", maxStack)
	}
	m.stack = append(m.stack, w)
	return nil
}

// mask has the bits of an address: 32 of them on CPUs of 32 bits, although numbers here have 64.
func (m *evaluator) mask() uint64 {
	if m.n.addr >= 8 {
		return ^uint64(0)
	}
	return 1<<(8*uint64(m.n.addr)) - 1
}

// popTyped takes a number for an operator, which sees an address's part of a constant.
func (m *evaluator) popTyped() (word, error) {
	w, err := m.popWhole()
	if w.constant {
		w = word{v: w.v & m.mask()}
	}
	return w, err
}

// popWhole takes a number off the stack with all of its bits: a value that ends an expression may be a
// constant that is larger than an address.
func (m *evaluator) popWhole() (word, error) {
	if len(m.stack) == 0 {
		return word{}, variables.Damaged("an expression takes more numbers off the stack than there are")
	}
	w := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	return w, nil
}

// pop takes a number off the stack, without its type.
func (m *evaluator) pop() (uint64, error) {
	w, err := m.popTyped()
	return w.v, err
}

// regName is the name of a register by DWARF's number for the frame's CPU.
func (m *evaluator) regName(number uint64) (string, error) {
	name := register(m.e.Frame.Arch.Name, number)
	if name == "" {
		return "", variables.Damaged("register %d is not known", number)
	}
	return name, nil
}

// The numbers of ARM's floating point registers, which no unwind rule has: s0
// is 64 and obsolete, but GCC writes it; d0 is 256.
// Source: DWARF for the Arm Architecture, section 4.1.
const (
	armSingle = 64
	armDouble = 256
	armFloats = 32
)

// register is the name of the register with DWARF's number, "" for none.
func register(arch string, number uint64) string {
	switch {
	case arch == "arm" && number-armSingle < armFloats:
		return "s" + strconv.FormatUint(number-armSingle, 10)
	case arch == "arm" && number-armDouble < armFloats:
		return "d" + strconv.FormatUint(number-armDouble, 10)
	}
	return cfi.Register(arch, number)
}

// addReg pushes a register's value plus an offset.
func (m *evaluator) addReg(number, off uint64) error {
	name, err := m.regName(number)
	if err != nil {
		return err
	}
	v, err := m.e.Reg(name)
	if err != nil {
		return err
	}
	return m.push(v + off)
}

// inReg says that the variable is in a register (section 2.6.1.1.3), which is no number on the stack.
func (m *evaluator) inReg(number uint64) error {
	name, err := m.regName(number)
	m.last, m.said = variables.Piece{Kind: variables.InRegister, Reg: name}, true
	return err
}

// step does one operation.
func (m *evaluator) step(o operation) error {
	if new, ok := gnu[o.code]; ok {
		o.code = new
	}
	switch c := o.code; {
	case c >= opLit0 && c < opLit0+32:
		return m.pushTyped(word{v: uint64(c - opLit0), constant: true})
	case c >= opReg0 && c < opReg0+32:
		return m.inReg(uint64(c - opReg0))
	case c >= opBreg0 && c < opBreg0+32:
		return m.addReg(uint64(c-opBreg0), o.a)
	case c >= opAbs && c <= opNe && c != opBra && c != opPlusUconst:
		return m.arithmetic(c)
	case c >= opDup && c <= opRot:
		return m.shuffle(o)
	}
	switch o.code {
	case opConst1u, opConst1s, opConst2u, opConst2s, opConst4u, opConst4s, opConst8u, opConst8s, opConstu, opConsts:
		return m.pushTyped(word{v: o.a, constant: true})
	case opAddr:
		return m.push(o.a + m.moved)
	case opAddrx:
		return m.push(m.n.indexedAddress(o.a) + m.moved)
	case opConstx:
		return m.push(m.n.indexedAddress(o.a))
	case opRegx:
		return m.inReg(o.a)
	case opBregx:
		return m.addReg(o.a, o.b)
	case opFbreg:
		return m.fromBase(o.a)
	case opCallFrameCFA:
		v, err := m.e.CFA()
		if err != nil {
			return err
		}
		return m.push(v)
	case opPlusUconst:
		return m.plus(o.a)
	case opBra, opSkip:
		return m.jump(o)
	case opNop, opGNUUninit:
		return nil
	case opPiece, opBitPiece:
		return m.endPiece(o)
	case opStackValue:
		m.value = true
		return nil
	case opImplicitValue:
		m.last, m.said = variables.Piece{Kind: variables.Constant, Bytes: o.block}, true
		return nil
	case opImplicitPtr:
		return m.implicit(o)
	case opEntryValue:
		return m.entry(o.block)
	case opFormTLS:
		return variables.Damaged("it is local to the thread, and where those are is not known from a dump")
	case opCall2, opCall4, opCallRef:
		return m.call(o)
	}
	return m.typed(o)
}

// fromBase pushes the frame base of the function plus an offset (DW_OP_fbreg).
func (m *evaluator) fromBase(off uint64) error {
	if m.base == nil {
		return variables.Damaged("its place counts from a frame base, and the function has none")
	}
	v, err := m.base(m.e)
	if err != nil {
		return err
	}
	return m.push(v + off)
}

// jump moves on in the expression, or back (section 2.5.1.5). DW_OP_bra does so if the top of the stack is
// not 0. The end of the expression is a place to jump to; what is outside of it is not.
func (m *evaluator) jump(o operation) error {
	if o.code == opBra {
		v, err := m.pop()
		if err != nil || v == 0 {
			return err
		}
	}
	to := int64(m.r.at) + int64(o.a)
	if to < 0 || to > int64(len(m.r.b)) {
		return variables.Damaged("an expression jumps to %d of %d bytes", to, len(m.r.b))
	}
	m.r.at = int(to)
	return nil
}

// endPiece ends a piece (section 2.6.1.2). A piece without a location is missing.
func (m *evaluator) endPiece(o operation) error {
	p, err := variables.Piece{Kind: variables.Missing}, error(nil)
	if m.said || m.value || len(m.stack) > 0 {
		p, err = m.piece()
	}
	if err != nil {
		return err
	}
	p.Partial = true
	if o.code == opPiece {
		p.Bits = 8 * min(o.a, 1<<20)
	} else {
		p.Bits, p.BitsAt = min(o.a, 1<<23), min(o.b, 1<<23)
	}
	if len(m.pieces) >= maxStack {
		return variables.Damaged("a place of more than %d pieces", maxStack)
	}
	m.pieces = append(m.pieces, p)
	return nil
}

// piece returns the location since the last piece.
func (m *evaluator) piece() (variables.Piece, error) {
	defer func() { m.said, m.value, m.stack = false, false, m.stack[:0] }()
	if m.said {
		return m.last, nil
	}
	w, err := m.popWhole()
	if err != nil {
		return variables.Piece{}, err
	}
	if m.value {
		return variables.Piece{Kind: variables.Constant, Bytes: m.e.Frame.Bytes(w.v, m.known(w))}, nil
	}
	return variables.Piece{Kind: variables.InMemory, Addr: w.v & m.mask()}, nil
}

// known is how many bytes of a number on the stack are known. One without a type
// has those of an address (section 2.5.1).
func (m *evaluator) known(w word) int {
	switch {
	case w.t != nil && w.t.Sized:
		return int(min(w.t.Size, 8))
	case w.constant && !m.e.Frame.BigEndian:
		return 8
	}
	return int(min(m.n.addr, 8))
}

// entry pushes a register's value at the entry of the function.
func (m *evaluator) entry(expr []byte) error {
	number, t, err := m.entryRegister(expr)
	if err != nil {
		return err
	}
	name, err := m.regName(number)
	if err != nil {
		return err
	}
	v, err := m.e.Entry(name)
	if err != nil {
		return err
	}
	return m.pushTyped(word{v: m.fit(v, t), t: t})
}

// entryRegister is the register whose value at entry is requested, and the type
// that it is taken as: GCC names one for floats (DW_OP_regval_type).
func (m *evaluator) entryRegister(expr []byte) (number uint64, t *types.Type, err error) {
	r := buffer{b: expr, big: m.n.group.big}
	o, ok := m.n.operation(&r)
	switch c := o.code; {
	case !ok || r.len() > 0:
	case c >= opReg0 && c < opReg0+32:
		return uint64(c - opReg0), nil, nil
	case c == opRegx:
		return o.a, nil, nil
	case c == opRegvalType, c == opGNURegvalType:
		t, err = m.baseType(o.b)
		return o.a, t, err
	}
	return 0, nil, variables.Damaged("an entry value of something else than a register: %s", m.n.exprText(expr))
}

// implicit says which variable the value would point to.
func (m *evaluator) implicit(o operation) error {
	m.last, m.said = variables.Piece{Kind: variables.ImplicitPointer, Offset: int64(o.b)}, true
	d, ok := m.n.follow(value{formRefAddr, o.a})
	if !ok {
		return nil
	}
	v := d.variable(m.base)
	m.last.Points = &v
	return nil
}

// call evaluates the location of another entry as a part of this expression.
func (m *evaluator) call(o operation) error {
	if m.depth == maxCalls {
		return variables.Damaged("expressions call each other more than %d deep", maxCalls)
	}
	form := uint16(formRef4)
	if o.code == opCallRef {
		form = formRefAddr
	}
	d, ok := m.n.follow(value{form, o.a})
	if !ok {
		return variables.Damaged("an expression calls an entry that does not exist")
	}
	expr, ok := d.n.block(d.get(atLocation))
	if !ok {
		return nil // without a place it has no effect
	}
	m.depth++
	defer func() { m.depth-- }()
	if d.n.unit != m.n.unit {
		return variables.Damaged("an expression calls one of another unit")
	}
	return m.all(slices.Clone(expr))
}
