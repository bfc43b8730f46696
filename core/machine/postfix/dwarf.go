package postfix

import (
	"fmt"
	"math/bits"
)

// The operators of DWARF that Breakpad's language lacks. Each begins with a dot and a letter, as
// .cfa does. So none of them is the name of a register, and texts without them keep their meaning.
//
//	.and .or .xor   bit by bit
//	.shl .shr .sar  a shifted by b bits; the result has none of a's bits if b is a word or more
//	.div            a / b, both with a sign, towards zero
//	.lt .eq         1 when a < b, both with a sign, or a = b; otherwise 0
//	.abs            a without its sign; the only one with one operand
//
// The other operators of DWARF can be built from these: not is "-1 x -", and a <= b is "1 b a .lt
// -".
//
// Source: DWARF 5, section 2.5.1.4.
var dwarfOperators = map[string]func(m *Machine, a, b uint64) (uint64, error){
	".and": func(_ *Machine, a, b uint64) (uint64, error) { return a & b, nil },
	".or":  func(_ *Machine, a, b uint64) (uint64, error) { return a | b, nil },
	".xor": func(_ *Machine, a, b uint64) (uint64, error) { return a ^ b, nil },
	".shl": func(_ *Machine, a, b uint64) (uint64, error) { return a << min(b, 64), nil },
	".shr": func(_ *Machine, a, b uint64) (uint64, error) { return a >> min(b, 64), nil },
	".sar": func(m *Machine, a, b uint64) (uint64, error) { return uint64(m.signed(a) >> min(b, 63)), nil },
	".div": (*Machine).divide,
	".lt":  func(m *Machine, a, b uint64) (uint64, error) { return truth(m.signed(a) < m.signed(b)), nil },
	".eq":  func(_ *Machine, a, b uint64) (uint64, error) { return truth(a == b), nil },
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (m *Machine) signed(v uint64) int64 {
	if m.Size == 4 {
		return int64(int32(v))
	}
	return int64(v)
}

// divide wraps for the smallest number divided by -1, as in Go, and does not trap.
func (m *Machine) divide(a, b uint64) (uint64, error) {
	if b == 0 {
		return 0, fmt.Errorf("postfix: %#x .div 0: division by zero", a)
	}
	return uint64(m.signed(a) / m.signed(b)), nil
}

// extended applies one of DWARF's operators.
func (m *Machine) extended(op string) error {
	if op == ".abs" {
		return m.abs()
	}
	return m.apply(op, dwarfOperators[op])
}

func (m *Machine) abs() error {
	v, err := m.pop()
	if err != nil {
		return fmt.Errorf("%w, for .abs", err)
	}
	sign := uint64(m.signed(v) >> 63)
	m.push(Step{Op: ".abs", A: v, V: m.wrap((v ^ sign) - sign)})
	return nil
}

// align rounds a down to a multiple of b.
func align(_ *Machine, a, b uint64) (uint64, error) {
	if bits.OnesCount64(b) != 1 {
		return 0, fmt.Errorf("postfix: %#x @ %#x: the alignment is not a power of two", a, b)
	}
	return a &^ (b - 1), nil
}
