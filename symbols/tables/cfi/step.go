package cfi

// Instructions whose upper two bits are an opcode, and the lower six an operand.
const (
	cfaAdvanceLoc = 0x40
	cfaOffset     = 0x80
	cfaRestore    = 0xc0
)

// DWARF 5, section 7.24, table 7.29; those from 0x1d on are of the LSB, of GNU and of the CPUs' ABIs. An unknown one is an error, because its length is unknown.
func (m *machine) step() {
	c := m.c
	m.insn = c.Offset()
	op := c.U8()
	low := uint64(op & 0x3f)
	switch op &^ 0x3f {
	case cfaAdvanceLoc:
		m.advance(low)
		return
	case cfaOffset:
		m.set(low, rule{kind: inMemory, n: m.factored(int64(uleb(c)))})
		return
	case cfaRestore:
		m.restore(low)
		return
	}
	switch op {
	case 0x00: // nop
	case 0x01:
		m.setLoc()
	case 0x02:
		m.advance(uint64(c.U8()))
	case 0x03:
		m.advance(uint64(c.U16()))
	case 0x04:
		m.advance(uint64(c.U32()))
	case 0x1d: // MIPS_advance_loc8
		m.advance(c.U64())
	case 0x05: // offset_extended
		reg := uleb(c)
		m.set(reg, rule{kind: inMemory, n: m.factored(int64(uleb(c)))})
	case 0x06: // restore_extended
		m.restore(uleb(c))
	case 0x07:
		m.set(uleb(c), rule{kind: undefined})
	case 0x08:
		m.set(uleb(c), rule{kind: sameValue})
	case 0x09: // register
		reg := uleb(c)
		m.set(reg, rule{kind: inRegister, n: int64(uleb(c))})
	case 0x0a:
		m.remember()
	case 0x0b:
		m.recall()
	case 0x0c: // def_cfa
		m.now.cfa = cfaRule{known: true, reg: uleb(c), offset: int64(uleb(c))}
	case 0x0d:
		m.cfaRegister(uleb(c))
	case 0x0e:
		m.cfaOffset(int64(uleb(c)))
	case 0x0f:
		m.now.cfa = cfaRule{known: true, expr: m.block()}
	case 0x10: // expression
		reg := uleb(c)
		m.set(reg, rule{kind: atExpression, expr: m.block()})
	case 0x11: // offset_extended_sf
		reg := uleb(c)
		m.set(reg, rule{kind: inMemory, n: m.factored(sleb(c))})
	case 0x12: // def_cfa_sf
		m.now.cfa = cfaRule{known: true, reg: uleb(c), offset: m.factored(sleb(c))}
	case 0x13: // def_cfa_offset_sf
		m.cfaOffset(m.factored(sleb(c)))
	case 0x14: // val_offset
		reg := uleb(c)
		m.set(reg, rule{kind: offset, n: m.factored(int64(uleb(c)))})
	case 0x15: // val_offset_sf
		reg := uleb(c)
		m.set(reg, rule{kind: offset, n: m.factored(sleb(c))})
	case 0x16: // val_expression
		reg := uleb(c)
		m.set(reg, rule{kind: isExpression, expr: m.block()})
	case 0x2c, 0x2d:
		m.ofCPU(op)
	case 0x2e: // GNU_args_size, which matters to landing pads
		uleb(c)
	case 0x2f: // GNU_negative_offset_extended
		reg := uleb(c)
		m.set(reg, rule{kind: inMemory, n: m.factored(-int64(uleb(c)))})
	default:
		m.fail("the instruction %#x is not known", op)
	}
}

// ofCPU executes the instructions whose meaning is the CPU's. On arm64 they
// say whether the return address is signed, which a walk finds out itself.
func (m *machine) ofCPU(op byte) {
	switch {
	case m.t.arch.IsARM64(): // negate_ra_state_with_pc, negate_ra_state
	case m.t.arch.IsSPARC() && op == 0x2d: // GNU_window_save
		m.window()
	default:
		m.fail("the instruction %#x is not one of %s", op, m.t.s.Arch)
	}
}
