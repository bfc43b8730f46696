package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// header is how a pcHeader of Go 1.20 and later begins on wasm: its magic, two zeros, instructions of one byte, pointers of eight.
var header = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// Offsets of fields of a _func (runtime/runtime2.go).
const (
	fieldPcsp      = 16
	fieldPcfile    = 20
	fieldPcln      = 24
	fieldNpcdata   = 28
	fieldCuOffset  = 32
	fieldStartLine = 36
	sizeOfFunc     = 44
)

// unsafePoint is the index of the pcdata that only preemption reads (internal/abi/symtab.go).
const unsafePoint = 0

// A table is the pclntab of a program, in its memory.
type table struct {
	memory []byte
	count  int // functions
	// Where its parts begin. The names of functions end at units, those of files at values.
	units, files, values, functions int
}

func findTable(memory []byte) (*table, error) {
	at := bytes.Index(memory, header)
	if at < 0 {
		return nil, errors.New("no table of functions as Go 1.20 and later write it")
	}
	if bytes.Contains(memory[at+1:], header) {
		return nil, errors.New("two tables of functions")
	}
	if len(memory)-at < 72 {
		return nil, errCut
	}
	part := func(field int) int {
		return at + int(min(binary.LittleEndian.Uint64(memory[at+field:]), uint64(len(memory)-at)))
	}
	t := &table{memory: memory, units: part(40), files: part(48), values: part(56), functions: part(64)}
	t.count = part(8) - at
	if !(at < t.units && t.units < t.files && t.files < t.values && t.values < t.functions) || t.count > (len(memory)-t.functions)/8 {
		return nil, fmt.Errorf("the table of functions at %#x has parts out of order or too many functions (%d)", at, t.count)
	}
	return t, nil
}

func (t *table) word(at int) uint32       { return binary.LittleEndian.Uint32(t.memory[at:]) }
func (t *table) set(at int, value uint32) { binary.LittleEndian.PutUint32(t.memory[at:], value) }

// dropLines removes files, lines and unsafe points. An offset of 0 means that a function has no such values.
func (t *table) dropLines() error {
	used := make([]bool, t.functions-t.values)
	used[0] = true
	for i := range t.count {
		f := t.functions + int(t.word(t.functions+8*i+4))
		if f > len(t.memory)-sizeOfFunc || t.word(f+fieldNpcdata) > uint32(len(t.memory)-f-sizeOfFunc)/4 {
			return fmt.Errorf("function %d of %d at %#x: beyond the memory", i, t.count, f)
		}
		for _, field := range []int{fieldPcfile, fieldPcln, fieldCuOffset, fieldStartLine} {
			t.set(f+field, 0)
		}
		fields := []int{f + fieldPcsp}
		for k := range int(t.word(f + fieldNpcdata)) {
			if at := f + sizeOfFunc + 4*k; k == unsafePoint {
				t.set(at, 0)
			} else {
				fields = append(fields, at)
			}
		}
		for _, at := range fields {
			if err := t.use(used, int(t.word(at))); err != nil {
				return fmt.Errorf("function %d of %d: %w", i, t.count, err)
			}
		}
	}
	clear(t.memory[t.units:t.values])
	for i, needed := range used {
		if !needed {
			t.memory[t.values+i] = 0
		}
	}
	return nil
}

// use marks the bytes of the values at an offset: pairs of differences, of value and of pc, until one of value is 0 that is not the first.
func (t *table) use(used []bool, at int) error {
	for first := true; at > 0; first = false {
		values := t.memory[t.values:t.functions]
		value, n := binary.Uvarint(values[min(at, len(values)):])
		if n <= 0 {
			return fmt.Errorf("values at %#x: beyond %#x", at, len(values))
		}
		if value == 0 && !first {
			used[at] = true
			return nil
		}
		_, m := binary.Uvarint(values[at+n:])
		if m <= 0 {
			return fmt.Errorf("values at %#x: beyond %#x", at, len(values))
		}
		for range n + m {
			used[at] = true
			at++
		}
	}
	return nil
}
