package cfi

import (
	"math/bits"
	"strconv"
)

// A node is a value of an expression, as text that computes it.
type node struct {
	text  string
	words int    // of text; 0 for what has no value: a division by zero
	known bool   // it is a constant
	value uint64 // of a constant
	max   uint64 // no value of it is larger
}

// numbers makes nodes for words of a size.
type numbers struct{ word int }

func (x numbers) mask() uint64 { return ^uint64(0) >> (64 - 8*x.word) }

// sign is the bit that makes a word negative.
func (x numbers) sign() uint64 { return 1 << (8*x.word - 1) }

func (x numbers) constant(v uint64) node {
	v &= x.mask()
	text := strconv.FormatUint(v, 10)
	if v&x.sign() != 0 {
		text = "-" + strconv.FormatUint(-v&x.mask(), 10)
	}
	return node{text: text, words: 1, known: true, value: v, max: v}
}

func (x numbers) variable(name string) node {
	return node{text: name, words: 1, max: x.mask()}
}

func (x numbers) load(addr node) node {
	return node{text: addr.text + " ^", words: addr.words + 1, max: x.mask()}
}

// make is an operator with two operands and what it cannot exceed.
func (x numbers) make(op string, a, b node, most uint64) node {
	return node{text: a.text + " " + b.text + " " + op, words: a.words + b.words + 1, max: most & x.mask()}
}

// binary is an operator without known properties besides its arithmetic.
func (x numbers) binary(op string, a, b node) node {
	if !a.known || !b.known {
		most := x.mask()
		if op == ".eq" {
			most = 1
		}
		return x.make(op, a, b, most)
	}
	switch op {
	case "-":
		return x.constant(a.value - b.value)
	case "*":
		return x.constant(a.value * b.value)
	case ".or":
		return x.constant(a.value | b.value)
	case ".xor":
		return x.constant(a.value ^ b.value)
	}
	return x.constant(truth(a.value == b.value))
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (x numbers) add(a, b node) node {
	switch {
	case a.known && b.known:
		return x.constant(a.value + b.value)
	case b.known && b.value == 0:
		return a
	}
	return x.make("+", a, b, x.sum(a.max, b.max))
}

// sum is a bound of a sum, or of everything when it can wrap.
func (x numbers) sum(a, b uint64) uint64 {
	if s, carry := bits.Add64(a, b, 0); carry == 0 && s <= x.mask() {
		return s
	}
	return x.mask()
}

// and with a mask of lower bits is a remainder, and with one of upper bits an alignment.
func (x numbers) and(a, b node) node {
	if a.known {
		a, b = b, a
	}
	v := b.value
	switch {
	case a.known:
		return x.constant(a.value & v)
	case !b.known:
	case v == x.mask():
		return a
	case v == 0:
		return x.constant(0)
	case v&(v+1) == 0:
		return x.make("%", a, x.constant(v+1), min(a.max, v))
	case -v&x.mask()&^v == 0:
		return x.make("@", a, x.constant(-v), a.max)
	}
	return x.make(".and", a, b, min(a.max, b.max))
}

func (x numbers) shiftLeft(a, b node) node {
	switch {
	case !b.known:
		return x.make(".shl", a, b, x.mask())
	case b.value >= uint64(8*x.word):
		return x.constant(0)
	case a.known:
		return x.constant(a.value << b.value)
	case b.value == 0:
		return a
	}
	most := x.mask()
	if a.max <= most>>b.value {
		most = a.max << b.value
	}
	return x.make("*", a, x.constant(1<<b.value), most)
}

func (x numbers) shiftRight(a, b node) node {
	switch {
	case !b.known:
		return x.make(".shr", a, b, a.max)
	case b.value >= uint64(8*x.word):
		return x.constant(0)
	case a.known:
		return x.constant(a.value >> b.value)
	case b.value == 0:
		return a
	}
	return x.make("/", a, x.constant(1<<b.value), a.max>>b.value)
}

func (x numbers) shiftSigned(a, b node) node {
	if a.max < x.sign() {
		return x.shiftRight(a, b)
	}
	return x.make(".sar", a, b, x.mask())
}

// divide is signed in DWARF, and unsigned in Breakpad's language.
func (x numbers) divide(a, b node) node {
	switch {
	case b.known && b.value == 0:
		return node{}
	case a.max >= x.sign() || b.max >= x.sign():
		return x.make(".div", a, b, x.mask())
	case a.known && b.known:
		return x.constant(a.value / b.value)
	}
	return x.make("/", a, b, a.max)
}

func (x numbers) modulo(a, b node) node {
	switch {
	case b.known && b.value == 0:
		return node{}
	case a.known && b.known:
		return x.constant(a.value % b.value)
	}
	return x.make("%", a, b, min(a.max, b.max))
}

func (x numbers) abs(a node) node {
	switch {
	case a.max < x.sign():
		return a
	case a.known:
		return x.constant(-a.value)
	}
	return node{text: a.text + " .abs", words: a.words + 1, max: x.sign()}
}

// opposite is 1 for 0 and 0 for 1.
func (x numbers) opposite(a node) node {
	if a.known {
		return x.constant(1 - a.value)
	}
	return x.make("-", x.constant(1), a, 1)
}

// less is 1 when a is less than b, both with a sign.
func (x numbers) less(a, b node) node {
	switch {
	case a.max >= x.sign() || b.max >= x.sign():
	case b.known:
		return x.opposite(x.reaches(a, b.value))
	case a.known:
		return x.reaches(b, a.value+1)
	}
	return x.make(".lt", a, b, 1)
}

// atLeast is 1 when a is b or more, both with a sign.
func (x numbers) atLeast(a, b node) node {
	switch {
	case a.max >= x.sign() || b.max >= x.sign():
	case b.known:
		return x.reaches(a, b.value)
	case a.known:
		return x.opposite(x.reaches(b, a.value+1))
	}
	return x.opposite(x.less(a, b))
}

// reaches is 1 when a, which has no sign bit, is v or more: (a + 2^k - v) / 2^k,
// where 2^k exceeds a.
func (x numbers) reaches(a node, v uint64) node {
	switch {
	case v == 0:
		return x.constant(1)
	case v > a.max:
		return x.constant(0)
	case a.known:
		return x.constant(1)
	}
	power := uint64(1) << bits.Len64(a.max)
	return x.make("/", x.add(a, x.constant(power-v)), x.constant(power), 1)
}
