package pe

import (
	"testing"

	"crashglass/core/testkit/asm"
)

// TestRepeatedEntries has two entries about the same code, as where the linker
// folded two functions: each has its own record, with its own handler.
func TestRepeatedEntries(t *testing.T) {
	const pushRBX, pushRDI, handler = 0x3001, 0x7001, 1 << 3
	amd64 := func(second *asm.Section) *File {
		return open(t, newImage(machineAMD64).
			section(t, ".text", code, asm.At(text).Bytes(nops(0x100))).
			section(t, ".xdata", readOnly, asm.At(xdata).U8(1, 1, 1, 0).U16(pushRBX, 0).Bytes(second.Build(t))).
			section(t, ".pdata", readOnly, asm.At(pdata).U32(text, text+0x20, xdata, text, text+0x20, xdata+8)).
			dir(dirException, pdata, 24).build(t))
	}
	const armWords = 4 | 1<<27 // four instructions, one word of codes
	arm := func(second uint32) *File {
		return open(t, newImage(machineARM64).
			section(t, ".text", code, asm.At(text).Zeros(0x100)).
			section(t, ".xdata", readOnly, asm.At(xdata).U32(armWords, 0xe3e3_e481, armWords|1<<20, second)).
			section(t, ".pdata", readOnly, asm.At(pdata).U32(text, xdata, text, xdata+8)).
			dir(dirException, pdata, 16).build(t))
	}
	for _, tt := range []struct {
		name string
		f    *File
		want bool
	}{
		{name: "another handler", f: amd64(asm.At(0).U8(1|handler, 1, 1, 0).U16(pushRBX, 0).U32(text)), want: true},
		{name: "other codes", f: amd64(asm.At(0).U8(1, 1, 1, 0).U16(pushRDI, 0))},
		{name: "another prolog", f: amd64(asm.At(0).U8(1, 2, 1, 0).U16(pushRBX, 0))},
		{name: "not a record", f: amd64(asm.At(0).U32(0, 0))},
		{name: "ARM64, another handler", f: arm(0xe3e3_e481), want: true},
		{name: "ARM64, other codes", f: arm(0xe3e3_e482)},
	} {
		if _, ok := tt.f.CallFrame(text + 8); ok != tt.want {
			t.Errorf("%s: rules %v, want %v: %q", tt.name, ok, tt.want, tt.f.Notes())
		}
		if noted := len(tt.f.Notes()) > 0; noted == tt.want {
			t.Errorf("%s: %q", tt.name, tt.f.Notes())
		}
	}
}

// TestRepeatedEntriesWork has entries about the same code whose records lie in
// each other, so that each is nearly as large as the section.
func TestRepeatedEntriesWork(t *testing.T) {
	const n, words = 20_000, 0xfffe
	record := asm.At(xdata)
	for range n + words/2 + 2 {
		record.U32(0x3ffe4) // a long code; e4, its first byte, is the code for the end
		record.U32(words | 1<<16)
	}
	at := uint32(len(record.Build(t))+xdata)&^0xfff + 0x1000
	entries := asm.At(uint64(at))
	for i := range uint32(n) {
		entries.U32(text, xdata+8*i)
	}
	f := open(t, newImage(machineARM64).
		section(t, ".text", code, asm.At(text).Zeros(0x1000)).
		section(t, ".xdata", readOnly, record).
		section(t, ".pdata", readOnly, entries).
		dir(dirException, at, 8*n).build(t))
	if _, ok := f.CallFrame(text); ok || !f.work.Exceeded() {
		t.Errorf("rules %v, over %v", ok, f.work.Exceeded())
	}
}
