package main

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// Where the parts of program's memory are.
const (
	testHeader    = 16
	testUnits     = testHeader + sizeOfHeader
	testFiles     = testUnits + 8
	testValues    = testFiles + 8
	testFunctions = testValues + 16
	testFunction  = testFunctions + 2*sizeOfEntry
	testMaps      = testFunction + sizeOfFunc + 4*(3+6)
	testBuckets   = testMaps + 56
	testModule    = testBuckets + 2*sizeOfBucket
	testEnd       = testModule + sizeOfModule
)

// program is a module with a table of one function and the module data that describes it.
func program(change func(memory []byte)) []byte {
	memory := make([]byte, testEnd+1)
	memory[testEnd] = 1
	long := func(at, value int) { binary.LittleEndian.PutUint64(memory[at:], uint64(value)) }
	words := func(at int, values ...uint32) {
		for i, value := range values {
			binary.LittleEndian.PutUint32(memory[at+4*i:], value)
		}
	}
	copy(memory[testHeader:], header)
	for field, value := range map[int]int{headerCount: 1, headerUnits: testUnits - testHeader, headerFiles: testFiles - testHeader,
		headerValues: testValues - testHeader, headerFunctions: testFunctions - testHeader} {
		long(testHeader+field, value)
	}
	copy(memory[testUnits:], "uuuuuuuufile.go\x00")
	// Of the stack pointer, of lines, and of the map of the stack.
	copy(memory[testValues:], "\x00"+"\x08\x07\x00"+"\x02\x01\x00"+"\x04\x05\x00")
	words(testFunctions+4, testFunction-testFunctions)
	words(testFunction, 0, 1, 2, 3, 1, 4, 4, 3, 4, 5, 0 /* values: */, 4, 7, 4 /* data: */, 0, noData, 16, 40, noData, 12)
	memory[testFunction+fieldNfuncdata] = 6
	// A bitmap of nine bits, what a traceback says of arguments, an object, and an inlined call.
	words(testMaps, 1, 9, 0x1ff, noData, 1, 0, 6, 7, 8, 9, 10, 11, 12, 13)
	words(testBuckets, 31, 1, 0, 0, 0, 70, 2)
	for field, value := range map[int]int{0: testHeader, moduleUnits: testUnits, moduleValues: testValues, moduleFunctions: testFunctions,
		moduleTableSize: testMaps - testFunctions, moduleIndexSize: 2, moduleBuckets: testBuckets, moduleFirstPC: 1 << 16,
		moduleLastPC: 1<<16 + bytesOfBucket + 8, moduleMaps: testMaps} {
		long(testModule+field, value)
	}
	if change != nil {
		change(memory)
	}
	m := &module{head: []byte("\x00asm\x01\x00\x00\x00\x01\x01\x00"), tail: []byte("\x00\x02\x01x"), memory: memory}
	return m.bytes()
}

// memoryOf returns the memory of a program without what only tracebacks use.
func memoryOf(t *testing.T, program []byte) []byte {
	t.Helper()
	out, err := lean(program)
	if err != nil {
		t.Fatal(err)
	}
	m, err := readModule(out)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(out, []byte("\x00asm\x01\x00\x00\x00\x01\x01\x00\x0b")) || !bytes.HasSuffix(out, []byte("\x00\x02\x01x")) {
		t.Error("other sections changed")
	}
	return m.memory
}

func wordsOf(memory []byte) (words []uint32) {
	for ; len(memory) >= 4; memory = memory[4:] {
		words = append(words, binary.LittleEndian.Uint32(memory))
	}
	return words
}

func TestShortens(t *testing.T) {
	memory := memoryOf(t, program(nil))
	if got := string(memory[testUnits:testFunctions]); got != strings.Repeat("\x00", 16)+"\x00\x08\x07\x00\x04\x05\x00"+strings.Repeat("\x00", 9) {
		t.Errorf("units, files and values: %q", got)
	}
	want := []uint32{0, 16, 0, 0, 0, 1, 2, 3, 1, 0, 0, 2, 0, 0, 3 << 24, 0, 4, 0, noData, 16, 0, 0, 0, 0}
	if got := wordsOf(memory[testFunctions : testFunctions+4*len(want)]); !slices.Equal(got, want) {
		t.Errorf("functions: %d, want %d", got, want)
	}
	if got, want := wordsOf(memory[testMaps:testBuckets]), []uint32{1, 9, 0x1ff, 0, 1, 0, 6, 7, 8, 9, 0, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("maps: %d, want %d", got, want)
	}
	if got, want := wordsOf(memory[testBuckets:testModule]), []uint32{0, 1, 0, 0, 0, 64, 2, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("buckets: %d, want %d", got, want)
	}
}

// A function with an identity, such as a wrapper, keeps what is inlined in it: gorecover counts these calls.
func TestKeepsCallsOfWrappers(t *testing.T) {
	memory := memoryOf(t, program(func(m []byte) { m[testFunction+fieldID] = 23 }))
	want := []uint32{0, 1, 2, 3, 1, 0, 0, 3, 0, 0, 5<<24 | 23, 0, 4, 7, 0, noData, 16, 40, noData, 0}
	if got := wordsOf(memory[testFunction : testFunction+4*len(want)]); !slices.Equal(got, want) {
		t.Errorf("function: %d, want %d", got, want)
	}
	if got := string(memory[testValues:][:10]); got != "\x00\x08\x07\x00\x04\x05\x00\x02\x01\x00" {
		t.Errorf("values: %q", got)
	}
	if got, want := wordsOf(memory[testMaps:testBuckets]), []uint32{1, 9, 0x1ff, 0, 1, 0, 6, 7, 8, 9, 10, 11, 12, 13}; !slices.Equal(got, want) {
		t.Errorf("maps: %d, want %d", got, want)
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
		"not a module": {[]byte("MZ"), "no WebAssembly module"},
		"no data":      {whole[:11], "no data section"},
		"cut":          {whole[:len(whole)-8], "ends inside"},
		"no table":     {program(func(m []byte) { m[testHeader] = 0xf2 }), "no table of functions"},
		"two tables":   {program(func(m []byte) { copy(m[4:], header) }), "two tables"},
		"order":        {program(func(m []byte) { m[testHeader+headerFiles] = 0 }), "out of order"},
		"many":         {program(func(m []byte) { m[testHeader+headerCount+1] = 1 }), "too many"},
		"no module":    {program(func(m []byte) { m[testModule+moduleValues]++ }), "no moduledata"},
		"maps":         {program(func(m []byte) { m[testModule+moduleMaps]-- }), "out of order"},
		"many buckets": {program(func(m []byte) { m[testModule+moduleLastPC+2] = 9 }), "out of order"},
		"function far": {program(func(m []byte) { m[testFunctions+6] = 1 }), "is beyond 0x"},
		"kinds far":    {program(func(m []byte) { m[testFunction+fieldNpcdata+3] = 1 }), "is beyond 0x"},
		"values far":   {program(func(m []byte) { m[testFunction+fieldPcsp] = 200 }), "is beyond 0x10"},
		"data far":     {program(func(m []byte) { m[testFunction+sizeOfFunc+4*3+1] = 1 }), "is beyond 0x"},
		"map cut":      {program(func(m []byte) { m[testMaps] = 200 }), "is beyond 0x"},
	} {
		if _, err := lean(c.program); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
