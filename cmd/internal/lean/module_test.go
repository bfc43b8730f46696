package main

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

// program is a module with a table of one function at address 16, whose parts begin as findTable wants them.
func program(change func(memory []byte)) []byte {
	memory := make([]byte, 16+72+8+8+8+16+16+sizeOfFunc+9)
	memory[len(memory)-1] = 1
	at := 16
	copy(memory[at:], header)
	word := func(offset, value int) { binary.LittleEndian.PutUint64(memory[at+offset:], uint64(value)) }
	word(8, 1)   // functions
	word(40, 80) // units
	word(48, 88) // files
	word(56, 96) // values
	word(64, 112)
	copy(memory[at+80:], "uuuuuuuufile.go\x00")
	copy(memory[at+96:], "\x00\x02\x01\x00\x04\x05\x00\x06\x07\x00")
	binary.LittleEndian.PutUint32(memory[at+112+4:], 16)
	f := memory[at+112+16:]
	for i, value := range []uint32{0, 1, 2, 3, 1, 4, 7, 2, 5, 9} {
		binary.LittleEndian.PutUint32(f[4*i:], value)
	}
	copy(f[sizeOfFunc:], "\x04\x00\x00\x00\x01\x00\x00\x00")
	if change != nil {
		change(memory)
	}
	m := &module{head: []byte("\x00asm\x01\x00\x00\x00\x01\x01\x00"), tail: []byte("\x00\x02\x01x"), memory: memory}
	return m.bytes()
}

func TestDropsLines(t *testing.T) {
	out, err := lean(program(nil))
	if err != nil {
		t.Fatal(err)
	}
	m, err := readModule(out)
	if err != nil {
		t.Fatal(err)
	}
	const at = 16
	if got := string(m.memory[at+80 : at+112]); got != "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"+"\x00\x02\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" {
		t.Errorf("units, files and values: %q", got)
	}
	f := m.memory[at+112+16:]
	for i, want := range []uint32{0, 1, 2, 3, 1, 0, 0, 2, 0, 0, 0, 0, 1} {
		if got := binary.LittleEndian.Uint32(f[4*i:]); got != want {
			t.Errorf("word %d of the function: %d, want %d", i, got, want)
		}
	}
	if !bytes.HasPrefix(out, []byte("\x00asm\x01\x00\x00\x00\x01\x01\x00\x0b")) || !bytes.HasSuffix(out, []byte("\x00\x02\x01x")) {
		t.Error("other sections changed")
	}
}

func TestSegments(t *testing.T) {
	memory := make([]byte, 3*gap)
	memory[5], memory[5+gap], memory[5+2*gap+1] = 1, 2, 3
	m, err := readModule((&module{head: []byte("\x00asm\x01\x00\x00\x00"), memory: memory}).bytes())
	if err != nil {
		t.Fatal(err)
	}
	if runs := filled(memory); len(runs) != 2 || runs[0] != (span{5, 6 + gap}) || runs[1] != (span{6 + 2*gap, 7 + 2*gap}) {
		t.Errorf("%v", runs)
	}
	if !bytes.Equal(m.memory, memory[:7+2*gap]) {
		t.Error("the memory is another one")
	}
}

// What is not as this program knows it is an error, never a program that fails later.
func TestRefuses(t *testing.T) {
	whole := program(nil)
	for name, c := range map[string]struct {
		program []byte
		want    string
	}{
		"no module":    {[]byte("MZ"), "no WebAssembly module"},
		"no data":      {whole[:11], "no data section"},
		"cut":          {whole[:len(whole)-8], "ends inside"},
		"no table":     {program(func(m []byte) { m[16] = 0xf2 }), "no table of functions"},
		"two tables":   {program(func(m []byte) { copy(m[4:], header) }), "two tables"},
		"order":        {program(func(m []byte) { m[16+48] = 0 }), "out of order"},
		"many":         {program(func(m []byte) { m[16+9] = 1 }), "too many"},
		"function far": {program(func(m []byte) { m[16+112+6] = 1 }), "beyond the memory"},
		"values far":   {program(func(m []byte) { m[16+112+16+fieldPcsp] = 200 }), "beyond 0x10"},
	} {
		if _, err := lean(c.program); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
