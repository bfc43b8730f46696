package pdb

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"

	"crashglass/core/base/bin"
	"crashglass/core/base/ranges"
	"crashglass/core/values/types"
	"crashglass/core/values/variables"
)

// A globalTable finds records of global symbols by their names.
//
// Spec: https://llvm.org/docs/PDB/GlobalStream.html; GSIHashHdr and HRFile of
// microsoft-pdb's gsi.h.
type globalTable struct {
	records []byte   // eight bytes each: where a record is, plus one, and a count
	first   []uint32 // of each bucket, where its records begin
}

const (
	globalBuckets = 4096 // IPHR_HASH
	globalVersion = 0xeffe0000 + 19990810
	globalOffset  = 12 // by which places of records in the table are multiplied
)

// globalSymbols reads the table. It is empty where there is none.
func (f *File) globalSymbols() *globalTable {
	if f.globals != nil {
		return f.globals
	}
	f.globals = &globalTable{}
	if f.dbi.s == nil || f.dbi.globals == noStream {
		return f.globals
	}
	s, err := f.msf.stream(f.dbi.globals, "global symbols")
	if err == nil {
		var c *bin.Cursor
		if c, err = s.all(); err == nil {
			err = f.globals.read(c)
		}
	}
	f.notes.error(err)
	return f.globals
}

func (g *globalTable) read(c *bin.Cursor) error {
	signature, version, records := c.U32(), c.U32(), c.U32()
	c.Skip(4)
	if c.Err() == nil && (signature != 0xffffffff || version != globalVersion) {
		c.Fail("signature %#x and version %#x, want %#x and %#x", signature, version, uint32(0xffffffff), uint32(globalVersion))
	}
	g.records = c.Bytes(int(min(records, uint32(c.Len()))))
	used := c.Bytes(4 * (globalBuckets/32 + 1))
	if c.Err() != nil {
		return c.Err()
	}
	g.first = make([]uint32, globalBuckets+1)
	const none = ^uint32(0)
	for i := range globalBuckets {
		g.first[i] = none
		if binary.LittleEndian.Uint32(used[4*(i/32):])>>(i%32)&1 != 0 {
			g.first[i] = c.U32() / globalOffset
		}
	}
	g.first[globalBuckets] = uint32(len(g.records) / 8)
	for i := globalBuckets - 1; i >= 0; i-- { // buckets without records are where the next one is
		if g.first[i] == none {
			g.first[i] = g.first[i+1]
		}
	}
	return c.Err()
}

// maxSameName bounds how many records of one bucket are looked at.
const maxSameName = 1 << 10

// globalsNamed calls do for the records with the hash of a name, until do
// returns false.
func (f *File) globalsNamed(text string, do func(record) bool) {
	g := f.globalSymbols()
	if len(g.first) == 0 {
		return
	}
	f.publics() // opens the stream of the records
	bucket := hashName(text) % globalBuckets
	from, to := g.first[bucket], min(g.first[bucket+1], uint32(len(g.records)/8))
	for i := from; i < to && i-from < maxSameName; i++ {
		at := binary.LittleEndian.Uint32(g.records[8*i:])
		if r, ok := f.globalAt(int64(at) - 1); ok && (!f.spend(r) || !do(r)) {
			return
		}
	}
}

func (f *File) globalAt(at int64) (r record, ok bool) {
	if at < 0 || f.records == nil {
		return r, false
	}
	data, err := f.records.recordAt(at)
	if err == nil {
		if r, _, ok = nextRecord(data, 0, at); ok {
			return r, true
		}
		err = &bin.Error{What: "symbol records", Off: at, Why: fmt.Sprintf("a record of %d bytes is no record", len(data))}
	}
	f.notes.error(err)
	return r, false
}

func (f *File) constant(text string) (value uint64, ok bool) {
	f.globalsNamed(text, func(r record) bool {
		if r.kind != symConstant && r.kind != symConstantST {
			return true
		}
		v, _, err := parseVariable(r)
		f.notes.error(err)
		if err == nil && v.name == text {
			value, ok = uint64(v.at.off), true
		}
		return !ok
	})
	return value, ok
}

var _ variables.Statics = (*File)(nil)

// Statics implements variables.Statics by the records of global symbols.
func (f *File) Statics(match func(name string) bool, limit int) (out []variables.Variable) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.publics() // opens the stream of the records
	if f.records == nil {
		return nil
	}
	f.notes.error(f.records.eachRecord(func(r record) {
		if len(out) < limit && isStatic(r.kind) {
			if v, ok := f.static(r); ok && match(v.Name) {
				out = append(out, v)
			}
		}
	}))
	return out
}

// StaticsAt implements variables.Statics. A record of a global does not say which compiland it is of, but the linker's list of section
// contributions says which one its data is from.
func (f *File) StaticsAt(rel uint64, limit int) (out []variables.Variable) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h, ok := f.find(rel)
	if !ok || h.unit == nil {
		return nil
	}
	var own ranges.Table
	f.notes.error(f.dbi.contributions(&own, &f.addr, func(p contribution) bool { return !p.code && p.module == h.unit.index }))
	own.Finish()
	data := f.placedRecords()
	for i := range own.Len() {
		r := own.Range(i)
		first := sort.Search(len(data), func(i int) bool { return uint64(data[i].addr) >= r.Start })
		for _, d := range data[first:] {
			if uint64(d.addr)-r.Start >= r.Size || len(out) >= limit {
				break
			}
			if record, ok := f.globalAt(d.at); ok {
				if v, ok := f.static(record); ok {
					out = append(out, v)
				}
			}
		}
	}
	return out
}

// A placedRecord is a record of global symbols that is about data.
type placedRecord struct {
	addr uint32
	at   int64
}

// maxPlacedRecords bounds the list of them.
const maxPlacedRecords = 1 << 22

// placedRecords lists them in the order of addresses.
func (f *File) placedRecords() []placedRecord {
	f.publics() // opens the stream of the records
	if f.placed != nil || f.records == nil {
		return f.placed
	}
	f.placed = []placedRecord{}
	f.notes.error(f.records.eachRecord(func(r record) {
		if start, ok := f.recordData(r); ok && isStatic(r.kind) && len(f.placed) < maxPlacedRecords {
			f.placed = append(f.placed, placedRecord{start, r.at})
		}
	}))
	slices.SortStableFunc(f.placed, func(a, b placedRecord) int { return cmp.Compare(a.addr, b.addr) })
	return f.placed
}

// recordData is the address in a record of data: DATASYM32 of cvinfo.h.
func (f *File) recordData(r record) (uint32, bool) {
	if len(r.data) < 10 || r.kind == symLocalTLS || r.kind == symGlobalTLS {
		return 0, false
	}
	return f.addr.rva(binary.LittleEndian.Uint16(r.data[8:]), binary.LittleEndian.Uint32(r.data[4:]))
}

func isStatic(kind uint16) bool {
	switch kind {
	case symLocalData, symGlobalData, symLocalTLS, symGlobalTLS, symLocalDataST, symGlobalDataST:
		return true
	}
	return false
}

// static is a variable that exists once.
func (f *File) static(r record) (out variables.Variable, ok bool) {
	v, ok, err := parseVariable(r)
	f.notes.error(err)
	if !ok || err != nil || v.name == "" {
		return out, false
	}
	out = variables.Variable{Name: v.name, Type: f.ref(v.typ, types.CPlusPlus), From: fmt.Sprintf("symbol records at %#x", r.at)}
	out.Rule = &rule{f: f, frame: &procFrame{machine: f.dbi.machine}, size: out.Type, places: []place{v.at}}
	return out, true
}
