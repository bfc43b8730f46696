package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// header is how a pcHeader of Go 1.20 and later begins on wasm: its magic, two zeros, instructions of one byte, pointers of eight.
var header = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// Offsets of fields of a pcHeader, and its size (runtime/symtab.go).
const (
	headerCount     = 8
	headerUnits     = 40
	headerFiles     = 48
	headerValues    = 56
	headerFunctions = 64
	sizeOfHeader    = 72
)

// Offsets of fields of a moduledata of Go 1.26, and the size of these fields (runtime/symtab.go).
const (
	moduleUnits      = 4 * 8
	moduleValues     = 10 * 8
	moduleFunctions  = 13 * 8
	moduleTableSize  = 14 * 8
	moduleIndexSize  = 17 * 8
	moduleBuckets    = 19 * 8
	moduleFirstPC    = 20 * 8
	moduleLastPC     = 21 * 8
	moduleMaps       = 40 * 8
	sizeOfModule     = 41 * 8
	sizeOfBucket     = 20   // of a findfuncbucket, which begins with the number of a function
	bytesOfBucket    = 4096 // abi.FuncTabBucketSize
	mostPadding      = 63   // of maps behind functions
	functionsOfIndex = 32   // one number for so many buckets, see coarsen
)

// A table is the pclntab of a program, in its memory, and what its moduledata says of it.
type table struct {
	memory []byte
	count  int // functions
	// Where its parts begin. The names of functions end at units, those of files at values, functions at maps, and maps at buckets.
	units, files, values, functions, maps, buckets int
	// bucketCount is the number of buckets.
	bucketCount int
}

func findTable(memory []byte) (*table, error) {
	at := bytes.Index(memory, header)
	if at < 0 {
		return nil, errors.New("no table of functions as Go 1.20 and later write it")
	}
	if bytes.Contains(memory[at+1:], header) {
		return nil, errors.New("two tables of functions")
	}
	if len(memory)-at < sizeOfHeader {
		return nil, errCut
	}
	t := &table{memory: memory}
	part := func(field int) int { return at + t.long(at+field) }
	t.units, t.files, t.values, t.functions = part(headerUnits), part(headerFiles), part(headerValues), part(headerFunctions)
	t.count = t.long(at + headerCount)
	if !(at < t.units && t.units < t.files && t.files < t.values && t.values < t.functions) || t.count > (len(memory)-t.functions)/sizeOfEntry {
		return nil, fmt.Errorf("the table of functions at %#x has parts out of order or too many functions (%d)", at, t.count)
	}
	return t, t.findModule(at)
}

// findModule finds the moduledata of the table that begins at an address.
func (t *table) findModule(at int) error {
	pointer := binary.LittleEndian.AppendUint64(nil, uint64(at))
	for m := 0; ; m++ {
		next := bytes.Index(t.memory[m:], pointer)
		if next < 0 || m+next > len(t.memory)-sizeOfModule {
			return errors.New("no moduledata as Go 1.26 writes it")
		}
		if m += next; !t.isModule(m) {
			continue
		}
		t.maps, t.buckets = t.long(m+moduleMaps), t.long(m+moduleBuckets)
		first, last := binary.LittleEndian.Uint64(t.memory[m+moduleFirstPC:]), binary.LittleEndian.Uint64(t.memory[m+moduleLastPC:])
		buckets := (last - first + bytesOfBucket - 1) / bytesOfBucket
		padding := t.maps - t.functions - t.long(m+moduleTableSize)
		if padding < 0 || padding > mostPadding || t.buckets < t.maps || buckets > uint64(len(t.memory)-t.buckets)/sizeOfBucket {
			return fmt.Errorf("the moduledata at %#x has parts out of order", m)
		}
		t.bucketCount = int(buckets)
		return nil
	}
}

func (t *table) isModule(at int) bool {
	return t.long(at+moduleUnits) == t.units && t.long(at+moduleValues) == t.values && t.long(at+moduleFunctions) == t.functions &&
		t.long(at+moduleIndexSize) == t.count+1
}

// long returns a word of eight bytes, at most the size of the memory.
func (t *table) long(at int) int {
	return int(min(binary.LittleEndian.Uint64(t.memory[at:]), uint64(len(t.memory))))
}

func (t *table) word(at int) uint32       { return binary.LittleEndian.Uint32(t.memory[at:]) }
func (t *table) set(at int, value uint32) { binary.LittleEndian.PutUint32(t.memory[at:], value) }

// coarsen lets each bucket begin at an earlier function, the same one for many buckets. The runtime goes on from there to the function it
// wants (findfunc). A function of wasm has sixteen buckets.
func (t *table) coarsen() {
	for i := range t.bucketCount {
		at := t.buckets + sizeOfBucket*i
		t.set(at, t.word(at)/functionsOfIndex*functionsOfIndex)
	}
}
