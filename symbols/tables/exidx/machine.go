package exidx

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"crashglass/core/machine/postfix"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/tables/cfi"
)

// Registers with a part in unwinding.
const (
	regSP = 13
	regLR = 14
	regPC = 15
)

// A machine runs unwind instructions on texts instead of values. Its virtual
// stack pointer is an offset from something: the stack pointer to begin with.
type machine struct {
	code  []byte
	at    int
	base  string // a register, or postfix
	off   int64
	depth int // how many stack pointers out of memory base is made of
	saved [16]slot
	done  bool
	err   error
}

// A slot is where a register was saved.
type slot struct {
	known bool
	base  string
	off   int64
}

// maxDepth is how often the stack pointer may become something that was popped.
const maxDepth = 4

// run returns nothing and no error when they refuse to unwind.
func run(code []byte) ([]unwind.Rule, error) {
	m := machine{code: code, base: "sp"}
	for m.at < len(code) && !m.done && m.err == nil {
		m.step()
	}
	if m.err != nil {
		return nil, m.err
	}
	if m.base == "" {
		return nil, nil
	}
	return m.rules(), nil
}

func (m *machine) next() byte {
	if m.at >= len(m.code) {
		m.fail("the instructions end inside of one")
		return 0
	}
	m.at++
	return m.code[m.at-1]
}

func (m *machine) fail(format string, args ...any) {
	if m.err == nil {
		m.err = fmt.Errorf(format, args...)
	}
}

// pop takes registers off the stack, the lowest first. A popped stack pointer takes effect after all of
// them.
func (m *machine) pop(mask uint32) {
	for reg := range 16 {
		if mask&(1<<reg) != 0 {
			m.saved[reg] = slot{known: true, base: m.base, off: m.off}
			m.off += 4
		}
	}
	if mask&(1<<regSP) != 0 {
		m.become(regSP)
	}
}

// become sets the stack pointer to a register, with its popped value if it was popped.
func (m *machine) become(reg int) {
	s := m.saved[reg]
	m.off = 0
	if !s.known {
		m.base = name(reg)
		return
	}
	if m.depth++; m.depth > maxDepth {
		m.fail("the stack pointer is loaded more than %d times", maxDepth)
		return
	}
	m.base = text(s.base, s.off, true)
}

// rules returns the rules that result from the instructions. The caller's stack pointer is the CFA.
func (m *machine) rules() []unwind.Rule {
	out := []unwind.Rule{{Reg: unwind.CFA, From: value(m.base, m.off, false)}}
	from := regPC
	if !m.saved[regPC].known {
		from = regLR
	}
	ra := unwind.At(name(regLR), 0)
	if m.saved[from].known {
		ra = m.word(m.saved[from])
	}
	out = append(out, unwind.Rule{Reg: unwind.RA, From: ra})
	for reg := range regPC {
		if s := m.saved[reg]; s.known && reg != regSP && reg != from {
			out = append(out, unwind.Rule{Reg: name(reg), From: m.word(s)})
		}
	}
	return out
}

// word reads a slot, relative to the CFA where that is what it is relative to.
func (m *machine) word(s slot) unwind.Value {
	if s.base == m.base {
		return unwind.Word(unwind.CFA, s.off-m.off)
	}
	return value(s.base, s.off, true)
}

// value is a place, or an expression where a stack pointer out of memory is the base.
func value(base string, off int64, load bool) unwind.Value {
	if strings.Contains(base, " ") {
		return unwind.Value{Expr: postfix.Compile(text(base, off, load))}
	}
	return unwind.Value{Base: base, Off: off, Load: load}
}

func text(base string, off int64, load bool) string {
	out := base + " " + strconv.FormatInt(off, 10) + " +"
	if load {
		out += " ^"
	}
	return out
}

// name is a register's in symbol files.
func name(reg int) string { return cfi.Register("arm", uint64(reg)) }

// skip moves over n registers of some bytes each that no walk needs.
func (m *machine) skip(n, size int64) { m.off += n * size }

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
			m.skip(int64(bits.OnesCount8(mask)), 4)
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
