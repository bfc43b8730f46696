package v8

import (
	"bytes"
	"encoding/binary"
	"testing"

	"crashglass/core/runtimes"
)

// sizesOf writes V8's table of bytecodes of which 11 has two bytes, and 12 one.
func (s *scene) sizesOf(count int) {
	s.sizes = s.room(3 * count)
	for scale, begin := range beginnings {
		row := s.heap[s.sizes-heapAt+uint64(scale*count):][:count]
		for i := range row {
			row[i] = 1
		}
		copy(row, begin)
		row[11] = byte(1 + 1<<scale)
	}
}

// Baseline code has the position of the bytecode whose code has the return address.
func TestBaseline(t *testing.T) {
	list := []byte{12, 11, 0, 0 /* Wide */, 11, 0, 0, 12, 12} // at 0, 1, 3, 7 and 8
	for release, name := range releases {
		for pc, want := range map[uint64]string{
			0: "f /srv/a.js:1:1", 9: "f /srv/a.js:1:1", // before the first bytecode
			10: "f /srv/a.js:1:3", 13: "f /srv/a.js:1:3", 14: "f /srv/a.js:1:5", 163: "f /srv/a.js:1:5", 164: "f /srv/a.js:1:7", 174: "f /srv/a.js:1:9", 184: "f /srv/a.js:0:0",
		} {
			s := called(release, "(a) {", numbers)
			s.sizesOf(199)
			frame := &s.stack.Frames[0]
			table := s.table([2]int64{-1, at1(0, -1)}, [2]int64{0, at1(2, -1)}, [2]int64{1, at1(4, -1)}, [2]int64{3, at1(6, -1)}, [2]int64{7, at1(8, -1)})
			code := s.bytecodes(table)
			copy(s.heap[code-1+s.at[bytecodeData]-heapAt:], list)
			s.put(code, bytecodeLength, small(len(list)))
			s.word(frame.Pointer+s.at[frameBytecodes], code)
			s.word(frame.Pointer+s.at[frameOffset], s.text("feedback"))
			var offsets []byte
			for _, size := range []uint64{10, 4, 150, 10, 10} {
				offsets = binary.AppendUvarint(offsets, size)
			}
			start := s.generated(s.bytes(offsets), 0, 0) - 40
			o := s.lastCode
			s.half(o-1+s.at[codeKinds], s.at[kindBaseline])
			s.half(o-1+s.at[codeSize], 200)
			at := o - 1 + 8 // of what the table of positions follows
			if !s.has[streamHeader] {
				at += 8
			}
			s.word(at, code)
			*frame = runtimes.Native{Instruction: start + pc, Pointer: frame.Pointer}
			s.stack.Frames = append(s.stack.Frames, runtimes.Native{Instruction: builtinAt, Function: builtin + "JSEntry", Module: true})
			if got := written(Find(s.target())); got != "7: |0 "+want {
				t.Errorf("Node %s, %d: %s, want %s", name, pc, got, want)
			}
		}
	}
}

// A table that does not begin as V8's is none.
func TestBytecodeSizes(t *testing.T) {
	s := called(0, "(a) {", numbers)
	if readSizes(s.target(), builtinAt) != nil {
		t.Error("a table that the program does not have")
	}
	s.sizesOf(203)
	if got := readSizes(s.target(), builtinAt); got == nil || len(got[2]) != 203 {
		t.Fatalf("%v", got)
	}
	whole := bytes.Clone(s.heap)
	for i := range uint64(8) {
		copy(s.heap, whole)
		s.heap[s.sizes+i-heapAt] ^= 8
		if readSizes(s.target(), builtinAt) != nil {
			t.Errorf("a table with another byte %d", i)
		}
	}
}
