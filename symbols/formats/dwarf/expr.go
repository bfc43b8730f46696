package dwarf

import (
	"slices"
	"strconv"

	"crashglass/core/machine/cpu"
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
	err   error // the first one

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

func (m *evaluator) run(expr []byte) (variables.Place, error) {
	if len(expr) == 0 {
		return variables.Place{}, variables.Gone("its place is empty at this instruction")
	}
	if m.all(expr); len(m.pieces) == 0 {
		m.pieces = append(m.pieces, m.piece())
	}
	return variables.Place{Pieces: m.pieces}, m.err
}

func (m *evaluator) number(expr []byte) (uint64, error) {
	m.all(expr)
	switch {
	case m.err != nil:
		return 0, m.err
	case m.said && m.last.Kind == variables.InRegister && len(m.pieces) == 0:
		return m.e.Reg(m.last.Reg)
	case m.said || len(m.pieces) > 0:
		return 0, variables.Damaged("an expression is no number: %s", m.n.exprText(expr))
	}
	v := m.pop()
	return v, m.err
}

// fail keeps the first error, which ends the evaluation.
func (m *evaluator) fail(err error) {
	if m.err == nil {
		m.err = err
	}
}

// damaged fails with a defect of the expression.
func (m *evaluator) damaged(format string, args ...any) { m.fail(variables.Damaged(format, args...)) }

// of is a number of the frame, which may be unknown.
func (m *evaluator) of(v uint64, err error) uint64 {
	if err != nil {
		m.fail(err)
	}
	return v
}

// all does all operations of an expression, on the stack as it is: a called expression uses the stack of
// its caller. Steps are counted per expression and per file, because jumps make loops.
func (m *evaluator) all(expr []byte) {
	outer := m.r
	m.r = buffer{b: expr, big: m.n.group.big}
	defer func() { m.r = outer }()
	for m.r.len() > 0 && m.err == nil {
		if m.steps++; m.steps > maxSteps {
			m.damaged("an expression takes more than %d steps", maxSteps)
		} else if !m.n.group.file.limits.steps.Spend(1) {
			m.damaged("the expressions before this one took too many steps")
		} else if o, ok := m.n.operation(&m.r); ok {
			m.step(o)
		} else {
			m.damaged("operation %#x is unknown or truncated: %s", o.code, m.n.exprText(expr))
		}
	}
}

// push pushes a number without a type, which has as many bits as an address.
func (m *evaluator) push(v uint64) { m.pushTyped(word{v: v & m.mask()}) }

// pushTyped pushes a number with its type. The stack is bounded.
func (m *evaluator) pushTyped(w word) {
	if len(m.stack) >= maxStack {
		m.damaged("an expression needs a stack of more than %d numbers", maxStack)
		return
	}
	m.stack = append(m.stack, w)
}

// mask has the bits of an address: 32 of them on CPUs of 32 bits, although numbers here have 64.
func (m *evaluator) mask() uint64 {
	if m.n.addr >= 8 {
		return ^uint64(0)
	}
	return 1<<(8*uint64(m.n.addr)) - 1
}

// popTyped takes a number for an operator, which sees an address's part of a constant.
func (m *evaluator) popTyped() word {
	w := m.popWhole()
	if w.constant {
		w = word{v: w.v & m.mask()}
	}
	return w
}

// popWhole takes a number off the stack with all of its bits: a value that ends an expression may be a
// constant that is larger than an address.
func (m *evaluator) popWhole() (w word) {
	n := len(m.stack) - 1
	if n < 0 {
		m.damaged("an expression takes more numbers off the stack than there are")
		return w
	}
	w, m.stack = m.stack[n], m.stack[:n]
	return w
}

// pop takes a number off the stack, without its type.
func (m *evaluator) pop() uint64 { return m.popTyped().v }

// regName is the name of a register by DWARF's number for the frame's CPU.
func (m *evaluator) regName(number uint64) string {
	name := register(m.e.Frame.Arch.Name, number)
	if name == "" {
		m.damaged("register %d is not known", number)
	}
	return name
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
	switch arm := cpu.ByName(arch).IsARM(); {
	case arm && number-armSingle < armFloats:
		return "s" + strconv.FormatUint(number-armSingle, 10)
	case arm && number-armDouble < armFloats:
		return "d" + strconv.FormatUint(number-armDouble, 10)
	}
	return cfi.Register(arch, number)
}

// addReg pushes a register's value plus an offset.
func (m *evaluator) addReg(number, off uint64) {
	if name := m.regName(number); name != "" {
		m.push(m.of(m.e.Reg(name)) + off)
	}
}

// inReg says that the variable is in a register (section 2.6.1.1.3), which is no number on the stack.
func (m *evaluator) inReg(number uint64) {
	m.is(variables.Piece{Kind: variables.InRegister, Reg: m.regName(number)})
}

// is says what the operations since the last piece result in, when that is no number on the stack.
func (m *evaluator) is(p variables.Piece) { m.last, m.said = p, true }

func (m *evaluator) step(o operation) {
	if new, ok := gnu[o.code]; ok {
		o.code = new
	}
	switch c := o.code; {
	case c >= opLit0 && c < opLit0+32:
		m.pushTyped(word{v: uint64(c - opLit0), constant: true})
		return
	case c >= opReg0 && c < opReg0+32:
		m.inReg(uint64(c - opReg0))
		return
	case c >= opBreg0 && c < opBreg0+32:
		m.addReg(uint64(c-opBreg0), o.a)
		return
	case c >= opAbs && c <= opNe && c != opBra && c != opPlusUconst:
		m.arithmetic(c)
		return
	case c >= opDup && c <= opRot:
		m.shuffle(o)
		return
	}
	switch o.code {
	case opConst1u, opConst1s, opConst2u, opConst2s, opConst4u, opConst4s, opConst8u, opConst8s, opConstu, opConsts:
		m.pushTyped(word{v: o.a, constant: true})
	case opAddr:
		m.push(o.a + m.moved)
	case opAddrx:
		m.push(m.n.indexedAddress(o.a) + m.moved)
	case opConstx:
		m.push(m.n.indexedAddress(o.a))
	case opRegx:
		m.inReg(o.a)
	case opBregx:
		m.addReg(o.a, o.b)
	case opFbreg:
		m.fromBase(o.a)
	case opCallFrameCFA:
		m.push(m.of(m.e.CFA()))
	case opPlusUconst:
		m.plus(o.a)
	case opBra, opSkip:
		m.jump(o)
	case opNop, opGNUUninit:
	case opPiece, opBitPiece:
		m.endPiece(o)
	case opStackValue:
		m.value = true
	case opImplicitValue:
		m.is(variables.Piece{Kind: variables.Constant, Bytes: o.block})
	case opImplicitPtr:
		m.implicit(o)
	case opEntryValue:
		m.entry(o.block)
	case opFormTLS:
		m.damaged("it is local to the thread, and where those are is not known from a dump")
	case opCall2, opCall4, opCallRef:
		m.call(o)
	default:
		m.typed(o)
	}
}

// fromBase pushes the frame base of the function plus an offset (DW_OP_fbreg).
func (m *evaluator) fromBase(off uint64) {
	if m.base == nil {
		m.damaged("its place counts from a frame base, and the function has none")
		return
	}
	m.push(m.of(m.base(m.e)) + off)
}

// jump moves on in the expression, or back (section 2.5.1.5). DW_OP_bra does so if the top of the stack is
// not 0. The end of the expression is a place to jump to; what is outside of it is not.
func (m *evaluator) jump(o operation) {
	if o.code == opBra && m.pop() == 0 {
		return
	}
	to := int64(m.r.at) + int64(o.a)
	if to < 0 || to > int64(len(m.r.b)) {
		m.damaged("an expression jumps to %d of %d bytes", to, len(m.r.b))
		return
	}
	m.r.at = int(to)
}

// endPiece ends a piece (section 2.6.1.2). A piece without a location is missing.
func (m *evaluator) endPiece(o operation) {
	p := variables.Piece{Kind: variables.Missing}
	if m.said || m.value || len(m.stack) > 0 {
		p = m.piece()
	}
	p.Partial = true
	if o.code == opPiece {
		p.Bits = 8 * min(o.a, 1<<20)
	} else {
		p.Bits, p.BitsAt = min(o.a, 1<<23), min(o.b, 1<<23)
	}
	if len(m.pieces) >= maxStack {
		m.damaged("a place of more than %d pieces", maxStack)
		return
	}
	m.pieces = append(m.pieces, p)
}

// piece returns the location since the last piece.
func (m *evaluator) piece() variables.Piece {
	defer func() { m.said, m.value, m.stack = false, false, m.stack[:0] }()
	if m.said {
		return m.last
	}
	w := m.popWhole()
	if m.value {
		return variables.Piece{Kind: variables.Constant, Bytes: m.e.Frame.Bytes(w.v, m.known(w))}
	}
	return variables.Piece{Kind: variables.InMemory, Addr: w.v & m.mask()}
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

// entry pushes a register's value at the entry of the function, as the type that it is taken as: GCC names
// one for floats (DW_OP_regval_type).
func (m *evaluator) entry(expr []byte) {
	r := buffer{b: expr, big: m.n.group.big}
	o, ok := m.n.operation(&r)
	number, t := o.a, (*types.Type)(nil)
	switch c := o.code; {
	case ok && r.len() == 0 && c >= opReg0 && c < opReg0+32:
		number = uint64(c - opReg0)
	case ok && r.len() == 0 && (c == opRegvalType || c == opGNURegvalType):
		t = m.baseType(o.b)
	case !ok || r.len() > 0 || c != opRegx:
		m.damaged("an entry value of something else than a register: %s", m.n.exprText(expr))
	}
	name := ""
	if m.err == nil {
		name = m.regName(number)
	}
	if name != "" {
		m.pushTyped(word{v: m.fit(m.of(m.e.Entry(name)), t), t: t})
	}
}

// implicit says which variable the value would point to.
func (m *evaluator) implicit(o operation) {
	m.is(variables.Piece{Kind: variables.ImplicitPointer, Offset: int64(o.b)})
	if d, ok := m.n.follow(value{formRefAddr, o.a}); ok {
		v := d.variable(m.base)
		m.last.Points = &v
	}
}

// call evaluates the location of another entry as a part of this expression.
func (m *evaluator) call(o operation) {
	if m.depth == maxCalls {
		m.damaged("expressions call each other more than %d deep", maxCalls)
		return
	}
	form := uint16(formRef4)
	if o.code == opCallRef {
		form = formRefAddr
	}
	d, ok := m.n.follow(value{form, o.a})
	if !ok {
		m.damaged("an expression calls an entry that does not exist")
		return
	}
	expr, ok := d.n.block(d.get(atLocation))
	switch {
	case !ok: // without a place it has no effect
	case d.n.unit != m.n.unit:
		m.damaged("an expression calls one of another unit")
	default:
		m.depth++
		m.all(slices.Clone(expr))
		m.depth--
	}
}
