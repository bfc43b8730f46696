package pdb

import (
	"encoding/binary"
	"fmt"

	"crashglass/core/base/ranges"
	"crashglass/core/values/types"
)

// A unit is a module that was read for a lookup: its functions and its lines. The records
// themselves stay raw.
type unit struct {
	index   int
	what    string // as errors name its stream
	symbols []byte // symbol records, whose numbers of places count from 0
	funcs   []function
	byAddr  ranges.Table    // of funcs
	folds   map[uint32]bool // addresses of code that functions share; true when its lines were read
	lines   lineTable
	sites   inlineeTable
	cross   crossModule
	managed bool // it has functions of .NET

	language types.Language
}

// A function is a range of code of a unit. All ranges of one function share its record.
type function struct {
	start, end uint32
	at         int64 // of the record
	thunk      bool
	part       bool // away from the main part
	shared     bool // another function has the same code
}

// unit returns module i, parsed. A damaged one has everything before the damage.
func (f *File) unit(i int) *unit {
	if u, ok := f.units.Get(i); ok {
		return u
	}
	u := f.readUnit(i)
	f.units.Put(i, u, len(u.symbols)+16*len(u.lines.rows)+32*len(u.funcs)+1024)
	return u
}

func (f *File) readUnit(i int) *unit {
	m, ok := f.mod(i)
	if !ok {
		return &unit{index: i}
	}
	return f.readModule(i, m)
}

func (f *File) readModule(i int, m mod) *unit {
	u := &unit{index: i}
	switch m.stream {
	case takenStream:
		f.notes.add("module %d: its stream is that of another module", i)
		return u
	case noStream:
		return u
	}
	s, err := f.msf.stream(m.stream, fmt.Sprintf("module %d", i))
	u.what = s.what
	if err != nil {
		f.notes.error(err)
		return u
	}
	c, err := s.all()
	if err != nil {
		f.notes.error(err)
		return u
	}
	u.symbols = c.Bytes(int(m.symbols))
	c.Skip(int(m.c11))
	c13At := c.Offset()
	c13 := c.Bytes(int(m.c13))
	f.notes.error(c.Err())
	u.findFunctions(f)
	u.readC13(f, c13At, c13)
	return u
}

// symbolsVersion is the number before the records: CV_SIGNATURE_C13. Formats
// before have other records.
const symbolsVersion = 4

// eachRecord calls do for each symbol record of the unit from off on, until do
// returns false.
func (u *unit) eachRecord(f *File, off int64, do func(record) bool) {
	for off < int64(len(u.symbols)) {
		r, next, ok := nextRecord(u.symbols, off, 0)
		if !ok {
			f.notes.add("%s at %#x: a symbol record reaches beyond the %d bytes that the module has of them", u.what, off, len(u.symbols))
			return
		}
		if !do(r) {
			return
		}
		off = next
	}
}

// findFunctions goes once over all records.
func (u *unit) findFunctions(f *File) {
	if len(u.symbols) < 4 {
		return
	}
	if u.symbols[0] != symbolsVersion {
		f.notes.add("%s at 0x0: symbol records of version %d, want %d", u.what, u.symbols[0], symbolsVersion)
		u.symbols = nil
		return
	}
	var scan functionScan
	u.eachRecord(f, 4, func(r record) bool {
		f.notes.error(scan.record(u, f, r))
		return true
	})
	for i, fn := range u.funcs {
		addRun(&u.byAddr, fn.start, fn.end, i)
	}
	u.byAddr.Finish()
	u.findFolds()
}

// A functionScan is the state of a pass over the records: the current function.
type functionScan struct {
	proc procSym
	at   int64
	in   bool
}

// record adds the code that a record is about, if it is about code.
func (s *functionScan) record(u *unit, f *File, r record) (err error) {
	switch {
	case r.kind == symManaged || r.kind == symLocalManag:
		u.managed = true
	case r.kind == symCompile2 || r.kind == symCompile3:
		return u.readLanguage(r)
	case isProc(r.kind):
		s.proc, err = parseProc(r)
		s.at, s.in = r.at, err == nil
		u.addCode(f, s.proc.sect, s.proc.off, s.proc.size, function{at: r.at})
	case r.kind == symThunk:
		p, err := parseThunk(r)
		u.addCode(f, p.sect, p.off, p.size, function{at: r.at, thunk: true})
		return err
	case r.kind == symSepCode:
		b, err := parseBlock(r)
		u.addCode(f, b.sect, b.off, b.size, function{at: int64(b.parent), part: true})
		return err
	case r.kind == symBlock && s.in:
		b, err := parseBlock(r)
		if p := s.proc; b.sect != p.sect || b.off < p.off || b.off-p.off >= p.size {
			u.addCode(f, b.sect, b.off, b.size, function{at: s.at, part: true})
		}
		return err
	}
	return err
}

// addCode adds a run of code, unless the linker dropped it: then its section
// is 0.
func (u *unit) addCode(f *File, sect uint16, off, size uint32, fn function) {
	start, ok := f.addr.rva(sect, off)
	if !ok || size == 0 {
		return
	}
	fn.start, fn.end = start, endOf(start, size)
	u.funcs = append(u.funcs, fn)
}

// findFolds finds functions of the unit that begin at one address: they have the same code, and the
// linker kept it once (identical code folding, ICF). Each of them still has a record, and lines of
// its own. Only the first run of each counts: it may have code elsewhere, too.
func (u *unit) findFolds() {
	first := make(map[uint32]int, len(u.funcs))
	for i, fn := range u.funcs {
		j, ok := first[fn.start]
		if !ok {
			first[fn.start] = i
			continue
		}
		if u.funcs[j].at == fn.at {
			continue
		}
		u.funcs[i].shared, u.funcs[j].shared = true, true
		if u.folds == nil {
			u.folds = map[uint32]bool{}
		}
		u.folds[fn.start] = false
	}
}

// ownLines reports whether a block of lines belongs to the reported function, which is the first of
// those that share its code. Compilers write functions and their lines in the same order, so the
// first lines of folded code are used.
func (u *unit) ownLines(f *File, block []byte) bool {
	if u.folds == nil || len(block) < 6 {
		return true
	}
	start, ok := f.addr.rva(binary.LittleEndian.Uint16(block[4:]), binary.LittleEndian.Uint32(block))
	used, folded := u.folds[start]
	if !ok || !folded {
		return true
	}
	u.folds[start] = true
	return !used
}
