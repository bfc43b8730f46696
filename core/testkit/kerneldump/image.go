package kerneldump

import (
	"bytes"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

// An Unwind is the unwind information of the 256 bytes of a function of an Image: on x64 the prolog's codes and the frame register, with
// which the prolog ends; on arm64 every function has a frame record.
type Unwind struct {
	Codes []uint16
	Frame byte
}

// Unwind codes of x64. Source: "x64 exception handling" of Microsoft's documentation, UNWIND_CODE; winnt.h has the same.
const (
	PushRBP      = 0x5000 // UWOP_PUSH_NONVOL
	Alloc40      = 0x4200 // UWOP_ALLOC_SMALL
	SetFrame     = 0x0300 // UWOP_SET_FPREG
	MachineFrame = 0x0a00 // UWOP_PUSH_MACHFRAME
)

// RBP is the number of a frame register.
const RBP = 5

// Returns is the offset in a function of an Image behind its call of the function before.
const Returns = 0x20

// An instructions has the code of a CPU: what does nothing, and a call that ends at Returns of a function, to a place relative to its end.
type instructions struct {
	nop   []byte
	call  func(function []byte, to uint32)
	entry func(s *asm.Section, start, size, info uint32) // of a function's unwind information
	row   uint32                                         // its size
}

var instructionSets = map[*cpu.Arch]instructions{
	&cpu.X86:   {nop: []byte{0x90}, call: callX86, entry: func(*asm.Section, uint32, uint32, uint32) {}},
	&cpu.AMD64: {nop: []byte{0x90}, row: 12, call: callX86, entry: func(s *asm.Section, start, size, info uint32) { s.U32(start, start+size, info) }},
	&cpu.ARM64: {nop: []byte{0x1f, 0x20, 0x03, 0xd5}, row: 8, call: func(function []byte, to uint32) {
		le.PutUint32(function[Returns-4:], 0x9400_0000|(to+4)/4&0x3ff_ffff)
	}, entry: func(s *asm.Section, start, size, _ uint32) {
		const packed, chained, record = 1, 3 << 21, 1 << 23
		s.U32(start, packed|size/4<<2|chained|record)
	}},
}

func callX86(function []byte, to uint32) {
	function[Returns-5] = 0xe8
	le.PutUint32(function[Returns-4:], to)
}

// Image is an image as it is in memory: 4 KiB of headers, code of functions of 256 bytes from 0x1000 on, each of which calls the one
// before, and their unwind information. The layout is that of "PE Format" and, for packed entries of arm64, of "ARM64 exception
// handling" of Microsoft's documentation.
func Image(t testing.TB, a *cpu.Arch, functions ...Unwind) []byte {
	const text, table, info, end, function = 0x1000, 0x3000, 0x3800, 0x4000, 0x100
	set := instructionSets[a]
	s := asm.At(0)
	s.Text("MZ").Zeros(0x3a).U32(0x80).Zeros(0x40)
	s.Text("PE\x00\x00").U16(uint16(machines[a]), 2).U32(0x5f00_0001, 0, 0).U16(0xf0, 0x22)
	s.U16(0x20b, 0).U32(text, 0x1000, 0, text, text).U64(High(a, 0)).U32(0x1000, 0x200).U16(10, 0, 0, 0, 10, 0).U32(0, end, 0x400, 0).U16(1, 0)
	s.U64(0, 0, 0, 0).U32(0, 16)
	for i := range 16 {
		if i == 3 {
			s.U32(table, uint32(len(functions))*set.row)
		} else {
			s.U32(0, 0)
		}
	}
	s.Text(".text\x00\x00\x00").U32(0x2000, text, 0x2000, text, 0, 0, 0, 0x6000_0020)
	s.Text(".pdata\x00\x00").U32(0x1000, table, 0x1000, table, 0, 0, 0, 0x4000_0040)
	s.Zeros(text - int(s.Here()))
	code := bytes.Repeat(set.nop, 0x2000/len(set.nop))
	for i := range functions {
		set.call(code[i*function:], -uint32(min(i, 1)*function+Returns)) // the function before
	}
	s.Bytes(code)
	for i := range functions {
		start := text + uint32(i)*function
		set.entry(s, start, function, info+uint32(i)*16)
	}
	s.Zeros(info - int(s.Here()))
	for _, f := range functions {
		s.U8(1, byte(8*len(f.Codes)), byte(len(f.Codes)), f.Frame)
		for i := range f.Codes { // the last one of the prolog comes first
			s.U16(f.Codes[len(f.Codes)-1-i] | uint16(8*(len(f.Codes)-i)))
		}
		s.Zeros(12 - 2*len(f.Codes))
	}
	return append(s.Build(t), make([]byte, end-int(s.Here()))...)
}
