package main

import (
	"encoding/binary"
	"fmt"
)

// sizeOfEntry is the size of a functab, which is where a function begins and the offset of its _func.
const sizeOfEntry = 8

// Offsets of fields of a _func (runtime/runtime2.go).
const (
	fieldPcsp      = 16
	fieldPcfile    = 20
	fieldPcln      = 24
	fieldNpcdata   = 28
	fieldCuOffset  = 32
	fieldStartLine = 36
	fieldID        = 40
	fieldNfuncdata = 43
	sizeOfFunc     = 44
)

// Kinds of values and of data that are kept (internal/abi/symtab.go). Others are of tracebacks, of preemption, or of a trace's names.
const (
	valuesOfStackMap = 1
	valuesOfTree     = 2

	dataOfArguments = 0
	dataOfLocals    = 1
	dataOfObjects   = 2
	dataOfTree      = 3
	dataOfDefers    = 4
)

const noData = 1<<32 - 1

// A function is what is kept of a _func.
type function struct {
	fixed  [sizeOfFunc]byte
	values [valuesOfTree + 1][]byte // by kind; nil for none
	sp     []byte                   // the values of the stack pointer
	data   [dataOfDefers + 1]uint32 // by kind; offsets in maps
}

// isUsual reports whether a function has neither of the kinds that few have.
func (f *function) isUsual() bool {
	return f.data[dataOfTree] == noData && f.data[dataOfDefers] == noData
}

// shorten writes the functions anew, with what the program needs to run. Those without what few have get a record of the same kinds, so that a
// field is always as far from that of the next function, which compresses well. Values are in the order of their first use, each once.
func (t *table) shorten() error {
	functions := make([]function, t.count)
	used := make([]bool, t.buckets-t.maps)
	for i := range functions {
		var err error
		if functions[i], err = t.function(i); err == nil {
			err = t.use(used, &functions[i])
		}
		if err != nil {
			return fmt.Errorf("function %d of %d: %w", i, t.count, err)
		}
	}
	index := t.memory[t.functions : t.functions+sizeOfEntry*(t.count+1)]
	b := &builder{table: append([]byte(nil), index...), values: []byte{0}, offsets: map[string]uint32{"": 0}}
	for _, usual := range []bool{true, false} {
		for i := range functions {
			if functions[i].isUsual() == usual {
				binary.LittleEndian.PutUint32(b.table[sizeOfEntry*i+4:], uint32(len(b.table)))
				b.add(&functions[i])
			}
		}
	}
	if err := replace(t.memory[t.functions:t.maps], b.table); err != nil {
		return fmt.Errorf("functions: %w", err)
	}
	if err := replace(t.memory[t.values:t.functions], b.values); err != nil {
		return fmt.Errorf("values: %w", err)
	}
	clear(t.memory[t.units:t.values])
	for i, needed := range used {
		if !needed {
			t.memory[t.maps+i] = 0
		}
	}
	return nil
}

func replace(old, content []byte) error {
	if len(content) > len(old) {
		return fmt.Errorf("%d bytes do not fit in %d", len(content), len(old))
	}
	clear(old[copy(old, content):])
	return nil
}

// function reads the _func of a number, without its lines.
func (t *table) function(i int) (function, error) {
	at := t.functions + int(t.word(t.functions+sizeOfEntry*i+4))
	if at > t.maps-sizeOfFunc {
		return function{}, errFar(at, t.maps)
	}
	f := function{fixed: [sizeOfFunc]byte(t.memory[at:])}
	for _, field := range []int{fieldPcfile, fieldPcln, fieldCuOffset, fieldStartLine} {
		clear(f.fixed[field:][:4])
	}
	values, data := uint64(t.word(at+fieldNpcdata)), uint64(f.fixed[fieldNfuncdata])
	if 4*(values+data) > uint64(t.maps-at-sizeOfFunc) {
		return function{}, errFar(at, t.maps)
	}
	var err error
	if f.sp, err = t.valuesAt(t.word(at + fieldPcsp)); err != nil {
		return function{}, err
	}
	// Only gorecover needs to know what is inlined, and only in wrappers, which have an identity.
	hasTree := f.fixed[fieldID] != 0
	for kind := range f.values {
		if kind >= int(values) || kind != valuesOfStackMap && !(kind == valuesOfTree && hasTree) {
			continue
		}
		if f.values[kind], err = t.valuesAt(t.word(at + sizeOfFunc + 4*kind)); err != nil {
			return function{}, err
		}
	}
	for kind := range f.data {
		f.data[kind] = noData
		if kind < int(data) && (kind != dataOfTree || hasTree) {
			f.data[kind] = t.word(at + sizeOfFunc + 4*(int(values)+kind))
		}
	}
	return f, nil
}

// valuesAt returns the values at an offset: pairs of differences, of value and of pc, until one of value is 0 that is not the first. There are
// none at 0.
func (t *table) valuesAt(offset uint32) ([]byte, error) {
	all := t.memory[t.values:t.functions]
	start := min(int(offset), len(all))
	for at := start; offset != 0; {
		value, n := binary.Uvarint(all[at:])
		if n <= 0 {
			return nil, errFar(at, len(all))
		}
		if value == 0 && at > start {
			return all[start : at+1], nil
		}
		_, m := binary.Uvarint(all[at+n:])
		if m <= 0 {
			return nil, errFar(at, len(all))
		}
		at += n + m
	}
	return nil, nil
}

// use marks the bytes of a function's data.
func (t *table) use(used []bool, f *function) error {
	for kind, offset := range f.data {
		if offset == noData {
			continue
		}
		data := t.memory[min(t.maps+int(offset), t.buckets):t.buckets]
		size := sizeOf(kind, data, f.values[valuesOfTree])
		if size <= 0 || size > len(data) {
			return errFar(t.maps+int(offset), t.buckets)
		}
		for i := range size {
			used[int(offset)+i] = true
		}
	}
	return nil
}

// sizeOf returns the size of data of a kind, 0 if it is cut.
func sizeOf(kind int, data, tree []byte) int {
	switch {
	case kind == dataOfDefers: // two numbers
		_, n := binary.Uvarint(data)
		_, m := binary.Uvarint(data[max(n, 0):])
		return n + m
	case kind == dataOfTree:
		return sizeOfInlined * calls(tree)
	case len(data) < 8:
		return 0
	case kind == dataOfObjects:
		return 8 + sizeOfObject*int(binary.LittleEndian.Uint32(data))
	default: // bitmaps, and how many bits each has
		count, bits := int(binary.LittleEndian.Uint32(data)), int(binary.LittleEndian.Uint32(data[4:]))
		return 8 + count*((bits+7)/8)
	}
}

// Sizes of a stackObjectRecord and of an inlinedCall.
const (
	sizeOfObject  = 16
	sizeOfInlined = 16
)

// calls returns how many inlined calls values name, whose first one has the number 0.
func calls(values []byte) (count int) {
	for value := -1; len(values) > 1; {
		difference, n := binary.Varint(values)
		_, m := binary.Uvarint(values[n:])
		value += int(difference)
		count = max(count, value+1)
		values = values[n+m:]
	}
	return count
}

func errFar(at, end int) error { return fmt.Errorf("%#x is beyond %#x", at, end) }

// A builder makes the index of functions with their records, and their values.
type builder struct {
	table, values []byte
	offsets       map[string]uint32
}

func (b *builder) add(f *function) {
	values, data := f.values[:valuesOfTree], f.data[:dataOfTree]
	if !f.isUsual() {
		values, data = f.values[:], f.data[:]
	}
	binary.LittleEndian.PutUint32(f.fixed[fieldPcsp:], b.offset(f.sp))
	binary.LittleEndian.PutUint32(f.fixed[fieldNpcdata:], uint32(len(values)))
	f.fixed[fieldNfuncdata] = byte(len(data))
	b.table = append(b.table, f.fixed[:]...)
	for _, of := range values {
		b.table = binary.LittleEndian.AppendUint32(b.table, b.offset(of))
	}
	for _, offset := range data {
		b.table = binary.LittleEndian.AppendUint32(b.table, offset)
	}
}

// offset returns that of values, which it adds unless they are there.
func (b *builder) offset(values []byte) uint32 {
	at, ok := b.offsets[string(values)]
	if !ok {
		at = uint32(len(b.values))
		b.offsets[string(values)] = at
		b.values = append(b.values, values...)
	}
	return at
}
