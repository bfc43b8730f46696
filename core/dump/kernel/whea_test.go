package kernel

import (
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/kerneldump"
)

// errorRecord is a record with a section of each kind that is read, one of another kind, and one behind the end of the memory.
func errorRecord(t testing.TB) []byte {
	s := asm.At(0)
	types := [][]byte{
		{0x01, 0x1d, 0x1e, 0x8a, 0xf9, 0x42, 0x57, 0x45, 0x9c, 0x33, 0x56, 0x5e, 0x5c, 0xc3, 0xf7, 0xe8}, // machine check of x86 and x64
		{0x54, 0xe9, 0x95, 0xd9, 0xc1, 0xbb, 0x0f, 0x43, 0xad, 0x91, 0xb4, 0x4d, 0xcb, 0x3c, 0x6f, 0x35}, // PCI Express
		{0x14, 0x11, 0xbc, 0xa5, 0x64, 0x6f, 0xde, 0x4e, 0xb8, 0x63, 0x3e, 0x83, 0xed, 0x7c, 0x83, 0xb1}, // memory
		{0xad, 0xcc, 0x76, 0x98, 0xb4, 0x47, 0xdb, 0x4b, 0xb6, 0x5e, 0x16, 0xf1, 0x93, 0xc4, 0xf3, 0xdb}, // processor
		{0x54, 0xe9, 0x95, 0xd9, 0xc1, 0xbb, 0x0f, 0x43, 0xad, 0x91, 0xb4, 0x4d, 0xcb, 0x3c, 0x6f, 0x35},
	}
	s.Text("CPER").U16(0x201).U32(0xffff_ffff).U16(uint16(len(types))).U32(1, 0, 0x400).Zeros(0x80 - 0x18)
	for i, guid := range types {
		at, valid, fru := uint32(0x200+0x50*i), uint8(0), make([]byte, 20)
		if i == 2 {
			valid = 2
			copy(fru, "DIMM A1")
		}
		if i == 4 {
			at = 0x9000
		}
		s.U32(at, 0x50).U16(0x300).U8(valid, 0).U32(1).Bytes(guid).Zeros(16).U32(1).Bytes(fru)
	}
	s.Zeros(0x200 - int(s.Here()))
	s.U32(2, 1).U64(0).U32(3).U64(5).U64(0).U32(17).U64(0xbe00_0000_0080_0400, 0x1234, 0x8c).Zeros(0x10)
	s.U64(0xff).U32(4).U32(2).U16(1, 2).U32(0).U16(0x8086, 0xa118).U8(0, 4, 6, 2, 28, 0, 0, 5, 6).Zeros(0x50 - 0x25)
	return s.U64(1<<1|1<<3|1<<5, 0, 0x1_2345_6000, 0).U16(1, 9, 2, 9).Zeros(0x100).Build(t)
}

// errorDump is a small dump of bug check 0x124 with an error record.
func errorDump(t testing.TB, record []byte) []byte {
	a := &cpu.AMD64
	at, stack := kerneldump.High(a, 0x9000), kerneldump.Range{Base: kerneldump.High(a, 0x5000), Data: make([]byte, 64)}
	d := kerneldump.Dump{Layout: &cpu.ContextAMD64, Type: triageDump, Code: 0x124, Parameters: [4]uint64{4, at}, Regs: kerneldump.At(a, 1, stack.Base+8)}
	d.Body = kerneldump.Triage(t, a, []kerneldump.Driver{{Name: "nt", Base: kerneldump.High(a, 0x1_0000), Size: 0x3_0000}}, nil, stack, kerneldump.Range{Base: at, Data: record})
	return d.Build()
}

// The record behind a parameter of bug check 0x124 names the hardware.
func TestErrorRecord(t *testing.T) {
	record := errorRecord(t)
	open := func(data []byte) []string { return openAll(t, errorDump(t, data)).Event.Hardware }
	want := []string{"processor 3, machine check bank 17", "PCI Express device 8086:a118 at bus 5, device 28, function 2", "memory, node 1, module 2, physical address 0x123456000, DIMM A1"}
	if got := open(record); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for n := range len(record) { // what is cut names less, and nothing else
		for _, text := range open(record[:n]) {
			if !slices.Contains(want, text) {
				t.Errorf("cut at %#x: %q", n, text)
			}
		}
	}
	for _, at := range []int{0xa, 0x80, 0x84, 0x99} { // the number of sections, and the place, size and type of the first one
		damaged := slices.Clone(record)
		damaged[at], damaged[at+1] = 0xff, 0xff
		if got := open(damaged); len(got) > len(want) {
			t.Errorf("damaged at %#x: %q", at, got)
		}
	}
	if got := open(slices.Concat([]byte("REPC"), record[4:])); got != nil {
		t.Errorf("another signature: %q", got)
	}
}
