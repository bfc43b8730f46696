package v8

import "encoding/binary"

// positionIn returns the source position of a place in a BytecodeArray, -1 if it is not known. Source: V8, src/objects/bytecode-array.tq: the
// constant pool, the handlers and the source positions stand next to each other, in this order or in the opposite one.
func (f *finder) positionIn(bytecodes object, offset int64) int64 {
	for at := f.at[bytecodeLength] + word; at+2*word < min(f.at[bytecodeData], mostHeader); at += word {
		first, _ := f.field(bytecodes, at)
		second, _ := f.field(bytecodes, at+word)
		third, _ := f.field(bytecodes, at+2*word)
		if !f.is(second, typeBytes, typeTrustedBytes) {
			continue
		}
		table := third
		if f.is(third, typeArray, typeTrustedArray) {
			table = first
		} else if !f.is(first, typeArray, typeTrustedArray) {
			continue
		}
		return f.lastPosition(table, offset).position()
	}
	return -1
}

// A position is a SourcePosition. Source: V8, src/codegen/source-position.h.
type position int64

const (
	positionShift = 1 // a position in a file of another language is marked
	positionMask  = 1<<30 - 1
	inliningShift = 31
	inliningMask  = 1<<16 - 1
)

func (p position) position() int64 {
	if p < 0 || p&1 != 0 {
		return -1
	}
	return int64(p>>positionShift&positionMask) - 1
}

// inlining is the number of the inlined function that has the position, -1 for none.
func (p position) inlining() int { return int(p>>inliningShift&inliningMask) - 1 }

// mostTable bounds the bytes of a table of positions.
const mostTable = 1 << 22

// entered is the offset that stands for the entry of a function. Source: V8, src/common/globals.h, kFunctionEntryBytecodeOffset.
const entered = -1

// lastPosition returns the last position of a table at an offset of the code or before it, -1 for none. Source: V8,
// src/codegen/source-position-table.cc.
func (f *finder) lastPosition(table object, offset int64) position {
	size, ok := f.smiField(table, f.at[arrayLength])
	if !ok || size <= 0 || size > mostTable || !f.is(table, typeBytes, typeTrustedBytes) {
		return -1
	}
	if f.left -= int(size); f.left < 0 {
		return -1
	}
	b := f.t.Bytes(f.addr(table, f.at[arrayData]), int(size))
	if len(b) < int(size) {
		return -1
	}
	code, at, found := int64(entered), int64(0), position(-1)
	for len(b) > 0 {
		delta, n := binary.Varint(b)
		if n <= 0 {
			return -1
		}
		move, m := binary.Varint(b[n:])
		if m <= 0 {
			return -1
		}
		b = b[n+m:]
		if delta < 0 { // an expression, not a statement
			delta = -(delta + 1)
		}
		code, at = code+delta, at+move
		if code > offset {
			return found
		}
		found = position(at)
	}
	return found
}
