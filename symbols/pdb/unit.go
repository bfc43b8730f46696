package pdb

import "fmt"

// A unit is what is known of one module when one of its addresses is asked
// for: its functions and its lines. The records themselves stay raw.
type unit struct {
	index   int
	what    string // as errors name its stream
	symbols []byte // symbol records, whose numbers of places count from 0
	funcs   []function
	byAddr  spans // of funcs
	lines   lineTable
	sites   inlineeTable
	cross   crossModule
}

// A function is a run of code of a unit. All runs of one have its record.
type function struct {
	start, end uint32
	at         int64 // of the record
	thunk      bool
	part       bool // away from the main part
	shared     bool // another function has the same code
}

// maxDepth bounds scopes within scopes.
const maxDepth = 256

// unit returns module i, parsed. One that is damaged has what is before the damage.
func (f *File) unit(i int) *unit {
	if u, ok := f.units.get(i); ok {
		return u
	}
	u := f.readUnit(i)
	f.units.put(i, u, len(u.symbols)+16*len(u.lines.rows)+32*len(u.funcs)+1024)
	return u
}

func (f *File) readUnit(i int) *unit {
	u := &unit{index: i}
	mods := f.mods()
	if i < 0 || i >= len(mods) || mods[i].stream == noStream {
		return u
	}
	m := mods[i]
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
	u.eachRecord(f, 4, func(r record) bool {
		f.notes.error(u.noteFunction(f, r))
		return true
	})
	list := make([]span, len(u.funcs))
	first := map[uint32]int{}
	for i, fn := range u.funcs {
		if j, ok := first[fn.start]; ok && u.funcs[j].at != fn.at {
			u.funcs[i].shared, u.funcs[j].shared = true, true
		} else {
			first[fn.start] = i
		}
		list[i] = span{fn.start, fn.end, int32(i)}
	}
	u.byAddr = divide(list)
}

// noteFunction adds the code that a record is about, if it is about code.
func (u *unit) noteFunction(f *File, r record) error {
	switch {
	case isProc(r.kind):
		p, err := parseProc(r)
		u.addCode(f, p.sect, p.off, p.size, function{at: r.at})
		return err
	case r.kind == symThunk:
		p, err := parseThunk(r)
		u.addCode(f, p.sect, p.off, p.size, function{at: r.at, thunk: true})
		return err
	case r.kind == symSepCode:
		b, err := parseSepCode(r)
		u.addCode(f, b.sect, b.off, b.size, function{at: int64(b.parent), part: true})
		return err
	case r.kind == symBlock:
		b, err := parseBlock(r)
		u.addBlock(f, b)
		return err
	}
	return nil
}

func (u *unit) addCode(f *File, sect uint16, off, size uint32, fn function) {
	start, ok := f.addr.rva(sect, off)
	if !ok || size == 0 {
		return // a function that the linker dropped has section 0
	}
	fn.start, fn.end = start, endOf(start, size)
	u.funcs = append(u.funcs, fn)
}

// addBlock adds a scope whose code is not within that of its function. Its
// record may be inside those of other scopes of that function.
func (u *unit) addBlock(f *File, b codeBlock) {
	at := int64(b.parent)
	for range maxDepth {
		parent, _, ok := nextRecord(u.symbols, at, 0)
		switch {
		case !ok || !opens(parent.kind):
			return
		case parent.kind == symBlock || parent.kind == symInlineSite || parent.kind == symInlineSite2:
			at = int64(parentOf(parent))
			continue
		case !isProc(parent.kind):
			return
		}
		p, err := parseProc(parent)
		inside := b.sect == p.sect && b.off >= p.off && b.off-p.off <= p.size
		if err == nil && !inside {
			u.addCode(f, b.sect, b.off, b.size, function{at: at, part: true})
		}
		return
	}
}

// parentOf is the first number in each record that opens a scope: where the
// scope around it begins.
func parentOf(r record) uint32 { return r.cursor("scope").U32() }
