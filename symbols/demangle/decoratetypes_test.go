package demangle

import "fmt"

// This file has the decorator's types and arguments of templates.

func (d *decorator) typePiece() string {
	if d.in(4) {
		return d.deeper(d.simple, d.template)
	}
	return d.simple()
}

func (d *decorator) scope() string {
	switch d.IntN(9) {
	case 0:
		return d.deeper(d.simple, d.template)
	case 1:
		key := d.one("0x1a2b3c4d@", "0xdeadbeef@")
		if piece := d.refer(key); piece != key {
			return piece
		}
		return "?A" + key
	case 2:
		return d.deeper(d.simple, func() string {
			return "?" + d.one("1", "2", "9", "@", "BA@", "CD@") + "?" + d.inner()
		})
	}
	return d.simple()
}

func (d *decorator) scopes() string { return d.times(2, d.scope) + "@" }

// inner is the function that a local scope is in.
func (d *decorator) inner() string {
	if d.in(3) {
		return "?" + d.simple() + "@9" // a function of C
	}
	return d.function()
}

func (d *decorator) typeName() string { return d.typePiece() + d.scopes() }

func (d *decorator) primitive() string {
	return d.one("C", "D", "E", "F", "G", "H", "I", "J", "K", "M", "N", "O", "_J", "_K", "_N", "_W", "_S", "_U", "_Q")
}

func (d *decorator) class() string { return d.one("V", "U", "T", "W4") + d.typeName() }

func (d *decorator) typ() string {
	switch d.IntN(10) {
	case 0, 1, 2:
		return d.deeper(d.primitive, d.class)
	case 3, 4:
		return d.deeper(d.primitive, d.pointer)
	case 5:
		return d.deeper(d.primitive, d.functionPointer)
	case 6:
		return d.deeper(d.primitive, d.memberPointer)
	case 7:
		return d.one("$$T", "PAX", "PEBX")
	}
	return d.primitive()
}

func (d *decorator) ext() string { return d.one("", "E", "E", "EI", "I", "EF") }

func (d *decorator) pointer() string {
	out := d.one("P", "Q", "R", "S", "A", "$$Q") + d.ext() + d.one("A", "B", "C", "D")
	switch d.IntN(6) {
	case 0:
		return out + d.array()
	case 1:
		return out + d.pointerToPointee()
	case 2:
		return out + "X"
	}
	return out + d.typ()
}

// pointerToPointee is a pointer to any type, for a pointer to point to.
func (d *decorator) pointerToPointee() string { return d.one("PA", "PEA", "QEA", "PEB") + d.typ() }

func (d *decorator) array() string {
	rank := 1 + d.IntN(3)
	out := "Y" + number(rank)
	for range rank {
		out += number(d.pick(1, 2, 7, 10, 11, 16, 255, 4096))
	}
	if d.in(3) {
		out += "$$C" + d.one("B", "C", "D")
	}
	return out + d.primitive()
}

func (d *decorator) pick(options ...int) int { return options[d.IntN(len(options))] }

func (d *decorator) functionPointer() string {
	return d.one("P", "Q", "R", "S", "A", "$$Q") + "6" + d.pointedAt()
}

// pointedAt is the type of a function that is pointed at. Its result is a
// simple one: undname 14 forgets the calling conventions of functions that lie
// deep within such a result.
func (d *decorator) pointedAt() string {
	result := d.primitive()
	switch d.IntN(5) {
	case 0:
		result = "X"
	case 1:
		result = "?AU" + d.simple() + "@"
	case 2:
		result = "PEB" + d.primitive()
	case 3:
		result = d.deeper(d.primitive, d.functionPointer)
	}
	return d.convention() + result + d.rest()
}

func (d *decorator) memberPointer() string {
	if d.in(2) {
		return d.one("P", "Q", "R") + "8" + d.typeName() + d.this() + d.pointedAt()
	}
	return d.one("P", "Q", "S") + d.one("", "E", "EI") + d.one("Q", "R", "S", "T") + d.typeName() + d.typ()
}

// this is what a method says of its object.
func (d *decorator) this() string {
	return d.one("", "E", "E", "EI", "EF") + d.one("", "", "", "G", "H") + d.one("A", "A", "B", "C", "D")
}

func (d *decorator) convention() string {
	return d.one("A", "A", "A", "E", "G", "I", "Q", "M", "C", "O", "S", "W")
}

func (d *decorator) functionType() string { return d.convention() + d.result() + d.rest() }

// rest is what follows the result: parameters, and whether it throws.
func (d *decorator) rest() string { return d.parameters() + d.one("Z", "Z", "Z", "_E") }

func (d *decorator) result() string {
	switch d.IntN(6) {
	case 0:
		return "?" + d.one("A", "B") + d.deeper(d.primitive, d.class)
	case 1:
		return "X"
	}
	return d.typ()
}

func (d *decorator) parameters() string {
	if d.in(5) {
		return "X"
	}
	out := ""
	for range 1 + d.IntN(4) {
		out += d.parameter()
	}
	return out + d.one("@", "@", "@", "Z")
}

// parameter writes a type, or sometimes refers to one from before.
func (d *decorator) parameter() string {
	if len(d.params) > 0 && d.in(3) {
		return fmt.Sprint(d.IntN(len(d.params)))
	}
	text := d.typ()
	if len(text) > 1 && len(d.params) < 10 {
		d.params = append(d.params, text)
	}
	return text
}

func (d *decorator) arguments() string { return d.times(3, d.argument) + "@" }

func (d *decorator) argument() string {
	switch d.IntN(18) {
	case 0:
		return "$0" + number(d.pick(0, 1, 5, 10, 11, 1000, -1, -300))
	case 1:
		return "$$A6" + d.deeper(func() string { return "AXXZ" }, d.functionType)
	case 2:
		return "$$A8@@" + d.this() + d.deeper(func() string { return "AXXZ" }, d.functionType)
	case 3:
		return d.one("$$V", "$$Z", "$S", "$$$V")
	case 4:
		return "$$B" + d.array()
	case 5:
		return "$$C" + d.one("B", "C", "D") + d.typ()
	case 6:
		return "$$Y" + d.deeper(func() string { return d.simple() + "@" }, d.typeName)
	case 7:
		return "$1" + d.deeper(func() string { return "?" + d.simple() + "@3HA" }, d.plain)
	case 8:
		return "$E" + d.deeper(func() string { return "?" + d.simple() + "@3HA" }, d.symbol)
	case 9:
		return "$F" + number(d.pick(0, 4, -8)) + number(8)
	case 10:
		return d.member()
	}
	return d.typ()
}

// member is a pointer to a member of a class with several bases, or virtual ones.
func (d *decorator) member() string {
	kind := d.pick(1, 2, 3)
	out := "$" + string("HIJ"[kind-1]) + d.deeper(func() string { return "?" + d.simple() + d.simple() + "@QEAAXXZ" }, d.plain)
	for range kind {
		out += number(d.pick(0, 4, 16, -8))
	}
	return out
}
