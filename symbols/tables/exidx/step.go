package exidx

// step executes one instruction. EHABI, section 10.3, table 4.
func (m *machine) step() {
	op := m.next()
	switch {
	case op < 0x40: // vsp += (x << 2) + 4
		m.off += int64(op&0x3f)<<2 + 4
	case op < 0x80: // vsp -= (x << 2) + 4
		m.off -= int64(op&0x3f)<<2 + 4
	case op < 0x90: // pop r4 to r15 under a mask; none of them: refuse to unwind
		mask := uint32(op&0xf)<<8 | uint32(m.next())
		if mask == 0 {
			m.base, m.done = "", true
			return
		}
		m.pop(mask << 4)
	case op == 0x9d, op == 0x9f:
		m.spare(op)
	case op < 0xa0: // vsp = r[n]
		m.become(int(op & 0xf))
	case op < 0xb0: // pop r4 to r[4+n], and lr
		mask := uint32(0x10)<<(op&7+1) - 0x10
		if op&8 != 0 {
			mask |= 1 << regLR
		}
		m.pop(mask)
	default:
		m.above(op)
	}
}

// above executes the instructions from 0xb0 on. Floating point and vector
// registers matter only for the room that they take: FSTMFDX has a word more
// than its registers.
func (m *machine) above(op byte) {
	switch {
	case op == 0xb0:
		m.done = true
	case op == 0xb1: // pop r0 to r3 under a mask
		if mask := m.next(); mask == 0 || mask > 0xf {
			m.spare(op)
		} else {
			m.pop(uint32(mask))
		}
	case op == 0xb2: // vsp += 0x204 + (uleb128 << 2)
		m.off += 0x204 + m.uleb()<<2
	case op == 0xb3: // pop d[s] to d[s+c], saved by FSTMFDX
		m.skip(m.count(), 8)
		m.off += 4
	case op == 0xb4: // pop the return address's authentication code
		m.off += 4
	case op == 0xb5: // vsp is the modifier that the return address was signed with
	case op >= 0xb8 && op < 0xc0: // pop d8 to d[8+n], saved by FSTMFDX
		m.skip(int64(op&7)+1, 8)
		m.off += 4
	case op >= 0xc0 && op < 0xc6: // pop wR10 to wR[10+n]
		m.skip(int64(op&7)+1, 8)
	case op == 0xc6, op == 0xc8, op == 0xc9: // pop wR[s] to wR[s+c], d[16+s] to d[16+s+c], d[s] to d[s+c]
		m.skip(m.count(), 8)
	case op == 0xc7: // pop wCGR0 to wCGR3 under a mask
		if mask := m.next(); mask == 0 || mask > 0xf {
			m.spare(op)
		} else {
			m.skip(ones(mask), 4)
		}
	case op >= 0xd0 && op < 0xd8: // pop d8 to d[8+n]
		m.skip(int64(op&7)+1, 8)
	default:
		m.spare(op)
	}
}

// count is c+1 of an operand with a first register and c.
func (m *machine) count() int64 { return int64(m.next()&0xf) + 1 }

func (m *machine) spare(op byte) { m.fail("the instruction %#x means nothing", op) }

// uleb reads an unsigned LEB128 number. No stack has more than 32 bits of bytes.
func (m *machine) uleb() int64 {
	var v uint64
	for shift := 0; shift <= 28; shift += 7 {
		b := m.next()
		v |= uint64(b&0x7f) << shift
		if b&0x80 == 0 {
			return int64(v)
		}
	}
	m.fail("a number has more than 32 bits")
	return 0
}
