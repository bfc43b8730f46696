package pdb

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// TestSharedBody has thousands of parts that share the record of one function
// with thousands of inlined calls. What is allocated shows how often it is read.
func TestSharedBody(t *testing.T) {
	const calls, parts = 2000, 4000
	p := example(t)
	sym := symbolRecords()
	addProc(t, sym, "main", 0x1001, 1, 0, 4)
	for n := range calls {
		addInline(t, sym, 0x1000, 3, uint8(n&0x7f), 4, 1, 3, 2, 4, 1)
		addEnd(t, sym, 0x114e)
	}
	addEnd(t, sym, 6)
	for n := range uint32(parts) {
		addSeparated(t, sym, "main", 1, 8+4*n, 4)
	}
	p.sections = [][3]uint32{{0x1000, 0x10000, codeFlags}}
	p.publics = nil
	p.modules = []object{{"m.obj", sym, asm.At(0).Bytes(checksums(t, 1)).Bytes(sub(t, 0xf6, asm.At(0).U32(0, 0x1000, 0, 5))), [][3]uint32{{1, 0, 0x10000}}}}
	data := p.build(t)
	var functions int
	allocs := testing.AllocsPerRun(1, func() { functions = len(listing(t, openBytes(t, data)).functions) })
	if functions != 1+parts || allocs > 20*(calls+parts) {
		t.Errorf("%d functions with %.0f allocations", functions, allocs)
	}
}

// TestSharedCode has thousands of functions that claim all the code there is,
// and a line in each: each line is listed once, with the function that has it.
func TestSharedCode(t *testing.T) {
	const functions = 2000
	p := example(t)
	sym, c13 := symbolRecords(), asm.At(0).Bytes(checksums(t, 1))
	for n := range uint32(functions) {
		addProc(t, sym, fmt.Sprint("f", n), 0x1001, 1, 4*n, 0x8000)
		addEnd(t, sym, 6)
		c13.Bytes(linesOf(t, 1, 4*n, 0x8000, 0, 0, n+1))
	}
	p.sections = [][3]uint32{{0x1000, 0x10000, codeFlags}}
	p.publics = nil
	p.modules = []object{{"m.obj", sym, c13, [][3]uint32{{1, 0, 0x10000}}}}
	got := listing(t, openBytes(t, p.build(t))).functions
	lines := 0
	for i, fn := range got {
		lines += len(fn.Lines)
		if fn.Lines[0].Line != uint32(i+1) || fn.Lines[0].Start != fn.Start {
			t.Fatalf("%s at %#x begins with %+v", fn.Name, fn.Start, fn.Lines[0])
		}
	}
	if len(got) != functions || lines != functions {
		t.Errorf("%d functions with %d lines", len(got), lines)
	}
}

// TestSharedName has thousands of source files whose names begin within one long
// text: what reading them costs is bounded, and said.
func TestSharedName(t *testing.T) {
	p := x86(t)
	long := strings.Repeat("d/", 30_000)
	p.text = append(p.text, long)
	at := p.nameAt(long)
	var offsets []uint32
	for n := range uint32(10_000) {
		offsets = append(offsets, at+n)
	}
	f := openBytes(t, p.build(t))
	for i, off := range offsets {
		text, err := f.names.at(off)
		if err != nil {
			if !f.names.work.Exceeded() || i < 500 {
				t.Errorf("%d: %v", i, err)
			}
			return
		}
		if len(text) != len(long)-i {
			t.Fatalf("%d: %d bytes", i, len(text))
		}
	}
	t.Error("nothing stops it")
}

// TestSharedHash has thousands of declarations with the hash of a few long records. No record is
// their definition.
func TestSharedHash(t *testing.T) {
	const long, many = 40, 20_000
	p := x86(t)
	p.types, p.hashed = nil, nil
	for range long {
		p.types = append(p.types, rec(t, 0x1505, asm.At(0).U16(2, 0).U32(0, 0, 0).U16(8).Text(strings.Repeat("x", 60_000)+"\x00")))
		p.hashed = append(p.hashed, "aabbaabb")
	}
	f := openBytes(t, p.build(t))
	for n := range many { // the hash xors words, so that these are all the same
		name := fmt.Sprintf("%08d%08daabbaabb", n, n)
		f.defined(typ{kind: leafStruct, forward: true, name: name})
		if f.types.hashes.work.Exceeded() {
			return
		}
	}
	t.Error("nothing stops it")
}

// TestSharedStream has modules that name one stream: the first has it.
func TestSharedStream(t *testing.T) {
	var taken streamSet
	for _, tt := range []struct{ stream, want int }{{12, 12}, {13, 13}, {12, takenStream}, {noStream, noStream}, {noStream, noStream}, {0xfffe, 0xfffe}} {
		if got := taken.first(mod{stream: tt.stream}).stream; got != tt.want {
			t.Errorf("%#x became %#x, want %#x", tt.stream, got, tt.want)
		}
	}
}
