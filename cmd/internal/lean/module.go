package main

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// dataSection is the number of the section that initializes the memory (WebAssembly Core Specification, 5.5.1).
const dataSection = 11

// mostMemory bounds the memory that segments describe.
const mostMemory = 1 << 28

// A module is a program whose memory has been laid out.
type module struct {
	head, tail []byte // what stands before and after the data section
	memory     []byte // from address 0 to the end of the last segment
}

var errCut = errors.New("the module ends inside a number or a section")

func readModule(b []byte) (*module, error) {
	if len(b) < 8 || string(b[:8]) != "\x00asm\x01\x00\x00\x00" {
		return nil, errors.New("no WebAssembly module of version 1")
	}
	for at := 8; at < len(b); {
		size, n := binary.Uvarint(b[at+1:])
		start := at + 1 + n
		if n <= 0 || size > uint64(len(b)-start) {
			return nil, errCut
		}
		end := start + int(size)
		if b[at] == dataSection {
			memory, err := readSegments(b[start:end])
			return &module{b[:at], b[end:], memory}, err
		}
		at = end
	}
	return nil, errors.New("the module has no data section")
}

func readSegments(b []byte) (memory []byte, err error) {
	count, n := binary.Uvarint(b)
	if n <= 0 {
		return nil, errCut
	}
	b = b[n:]
	for range count {
		// An active segment of memory 0: its mode, i32.const with the address, and end.
		if len(b) < 2 || b[0] != 0 || b[1] != 0x41 {
			return nil, errors.New("a data segment is not one at a constant address of memory 0")
		}
		address, n := binary.Uvarint(b[2:])
		if n <= 0 || len(b) < 3+n || b[2+n] != 0x0b {
			return nil, errCut
		}
		b = b[3+n:]
		size, n := binary.Uvarint(b)
		if n <= 0 || size > uint64(len(b)-n) {
			return nil, errCut
		}
		if address > mostMemory || address+size > mostMemory {
			return nil, fmt.Errorf("a data segment of %d bytes at %#x ends beyond %#x", size, address, mostMemory)
		}
		if missing := int(address+size) - len(memory); missing > 0 {
			memory = append(memory, make([]byte, missing)...)
		}
		copy(memory[address:], b[n:n+int(size)])
		b = b[n+int(size):]
	}
	return memory, nil
}

// bytes returns the module with its memory in few segments.
func (m *module) bytes() []byte {
	var data []byte
	runs := filled(m.memory)
	data = binary.AppendUvarint(data, uint64(len(runs)))
	for _, r := range runs {
		data = append(data, 0, 0x41)
		data = appendSigned(data, r.start)
		data = append(data, 0x0b)
		data = binary.AppendUvarint(data, uint64(r.end-r.start))
		data = append(data, m.memory[r.start:r.end]...)
	}
	b := append([]byte(nil), m.head...)
	b = append(b, dataSection)
	b = binary.AppendUvarint(b, uint64(len(data)))
	b = append(b, data...)
	return append(b, m.tail...)
}

type span struct{ start, end int }

// gap is the number of zero bytes that divides two segments.
const gap = 4096

// filled returns the runs of memory that begin and end with a byte that is not zero and hold no gap.
func filled(memory []byte) (runs []span) {
	for at, c := range memory {
		if c == 0 {
			continue
		}
		if n := len(runs); n > 0 && at-runs[n-1].end < gap {
			runs[n-1].end = at + 1
		} else {
			runs = append(runs, span{at, at + 1})
		}
	}
	return runs
}

// appendSigned appends a number that is not negative as signed LEB128, whose last byte has the sign in bit 6.
func appendSigned(b []byte, v int) []byte {
	for ; v >= 0x40; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v))
}
