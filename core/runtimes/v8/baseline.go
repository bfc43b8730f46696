package v8

import (
	"bytes"
	"encoding/binary"

	"crashglass/core/runtimes"
)

// bytecodeSizes is the linkage name of V8's table of the sizes of bytecodes: as they are, behind Wide, and behind ExtraWide. Source: V8,
// src/interpreter/bytecodes.h, kBytecodeSizes.
const bytecodeSizes = "_ZN2v88internal11interpreter9Bytecodes14kBytecodeSizesE"

// The bounds of the number of bytecodes, of a list of them, and of the offsets of code.
const (
	fewestCodes = 128
	mostCodes   = 256
	mostBytes   = 1 << 20
)

// beginnings are the sizes of the first bytecodes at each scale: Wide, ExtraWide, DebugBreakWide, DebugBreakExtraWide, and DebugBreak with no operand and
// with one to three of them.
var beginnings = [3]string{"\x01\x01\x01\x01\x01\x02\x03\x04", "\x01\x01\x01\x01\x01\x03\x05\x07", "\x01\x01\x01\x01\x01\x05\x09\x0d"}

// sizes are the sizes of bytecodes at each scale.
type sizes [3][]byte

// readSizes reads the table of the module that has V8, nil if there is none that begins as it should.
func readSizes(t *runtimes.Target, engine uint64) *sizes {
	var out *sizes
	t.Data(engine, bytecodeSizes, func(name string, at uint64) {
		b := t.Bytes(at, 3*mostCodes)
		if name != bytecodeSizes || !bytes.HasPrefix(b, []byte(beginnings[0])) {
			return
		}
		for n := fewestCodes; n <= mostCodes && 2*n+len(beginnings[2]) <= len(b); n++ {
			if 3*n <= len(b) && bytes.HasPrefix(b[n:], []byte(beginnings[1])) && bytes.HasPrefix(b[2*n:], []byte(beginnings[2])) {
				out = &sizes{b[:n], b[n : 2*n], b[2*n : 3*n]}
				return
			}
		}
	})
	return out
}

// next returns the offset behind the bytecode at an offset, with its prefix.
func (s *sizes) next(code []byte, at int) (int, bool) {
	scale := 0
	if at < len(code) && code[at] < 2 { // Wide or ExtraWide
		scale = int(code[at]) + 1
		at++
	}
	if at >= len(code) || int(code[at]) >= len(s[scale]) || s[scale][code[at]] == 0 {
		return 0, false
	}
	return at + int(s[scale][code[at]]), true
}

// baseline returns the source position of a frame of baseline code, -1 if it is not known: a table has the size of the code of each bytecode. Source: V8,
// src/baseline/bytecode-offset-iterator.h.
func (f *finder) baseline(c *code, n *runtimes.Native) int64 {
	if c == nil || c.offsets == 0 || f.sizes == nil {
		return -1
	}
	own, _ := f.slot(n.Pointer, frameBytecodes)
	size, ok := f.smiField(c.offsets, f.at[arrayLength])
	count, counted := f.smiField(c.bytecodes, f.at[bytecodeLength])
	if own != c.bytecodes || !ok || !counted || size <= 0 || size > mostTable || count <= 0 || count > mostBytes {
		return -1
	}
	if f.left -= int(size + count); f.left < 0 {
		return -1
	}
	table, code := f.t.Bytes(f.addr(c.offsets, f.at[arrayData]), int(size)), f.t.Bytes(f.addr(c.bytecodes, f.at[bytecodeData]), int(count))
	if len(table) < int(size) || len(code) < int(count) {
		return -1
	}
	pc, end, at, next := n.Instruction-c.start, uint64(0), entered, 0
	for {
		step, used := binary.Uvarint(table)
		if used <= 0 || step > mostCode {
			return -1
		}
		table = table[used:]
		if end += step; end > pc {
			return f.positionIn(c.bytecodes, int64(at))
		}
		at = next
		if next, ok = f.sizes.next(code, at); !ok || next > len(code) {
			return -1
		}
	}
}
