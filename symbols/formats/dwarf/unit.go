package dwarf

import (
	"fmt"
	"slices"

	"crashglass/core/base/bin"
)

// A unit is a compilation unit.
type unit struct {
	group *group
	sizes
	kind uint8
	tag  uint16 // of the first entry; 0 when there is none

	off, end uint64 // of the unit in .debug_info
	dies     uint64 // where its first entry is
	abbrevs  uint64
	id       uint64 // ties a skeleton to its split unit

	name, dir, dwo  ref
	lines           uint64
	hasLines        bool
	low, high, list value // where its code is: from, to, or a list of ranges

	strOffsets, addrs, rnglists uint64 // where tables that indices count from begin
	ranges                      uint64 // what GNU's split units add to offsets of range lists

	loclists               uint64 // as rnglists
	language, languageName uint16 // DW_LANG and DW_LNAME; 0 when there is none
	inTypes                bool   // of .debug_types
	signature, typeAt      uint64 // of a unit of one type, and where that is in the unit; 0 of others
	skeleton               *unit  // of a split unit: the one that is in the program
}

// header reads the fields after the length of a unit.
func (u *unit) header(r *buffer) error {
	u.version = r.u16()
	if r.bad || u.version < 2 || u.version > 5 {
		return fmt.Errorf("dwarf: .debug_info at %#x: version %d, known are 2 to 5", u.off, u.version)
	}
	u.kind = unitCompile
	if u.version == 5 {
		u.kind, u.addr = r.u8(), r.u8()
		u.abbrevs = r.word(u.offset)
		switch u.kind {
		case unitSkeleton, unitSplitCompile:
			u.id = r.u64()
		case unitType, unitSplitType:
			u.signature, u.typeAt = r.u64(), r.word(u.offset)
		}
	} else {
		u.abbrevs = r.word(u.offset)
		u.addr = r.u8()
	}
	if u.inTypes && u.version == 4 {
		u.signature, u.typeAt = r.u64(), r.word(u.offset)
	}
	if u.addr != 4 && u.addr != 8 && u.addr != 2 && !r.bad {
		return fmt.Errorf("dwarf: .debug_info at %#x: addresses of %d bytes", u.off, u.addr)
	}
	if r.bad {
		return fmt.Errorf("dwarf: .debug_info at %#x: the header is truncated", u.off)
	}
	return nil
}

func (u *unit) firstEntry(r *buffer) error {
	code := r.uleb()
	if code == 0 || r.bad {
		return nil // a unit without entries
	}
	moved := u.group.packed[u.off]
	u.abbrevs += moved.abbrev
	a, err := u.group.first.find(u.group, u.table(), code)
	if a.code == 0 {
		if err == nil {
			err = fmt.Errorf("dwarf: .debug_info at %#x: abbreviation %d is not in the table at %#x", u.dies, code, u.abbrevs)
		}
		return err
	}
	u.tag = a.tag
	u.strOffsets, u.rnglists, u.addrs = u.firstIndex()
	u.strOffsets += moved.strOffsets
	u.rnglists += moved.rnglists
	u.loclists = u.rnglists - moved.rnglists + moved.loclists
	for i := range a.ops {
		o := &a.ops[i]
		if o.form == 0 {
			r.skip(uint64(o.skip))
			continue
		}
		if v := u.sizes.read(r, o.form, o.implicit); !r.bad {
			u.take(o.name, v)
		}
	}
	return nil
}

func (u *unit) table() tableKey { return tableKey{u.abbrevs, u.sizes} }

// firstIndex is where tables begin when no attribute says so: at the start in
// GNU's extension, behind the header in version 5 (sections 7.26 to 7.29).
func (u *unit) firstIndex() (strOffsets, rnglists, addrs uint64) {
	if u.version < 5 {
		return 0, 0, 0
	}
	if u.offset == 8 {
		return 16, 20, 16
	}
	return 8, 12, 8
}

// take keeps an attribute of the first entry.
func (u *unit) take(name uint16, v value) {
	switch name {
	case atName:
		u.name = u.text(v)
	case atCompDir:
		u.dir = u.text(v)
	case atDwoName, atGNUDwoName:
		u.dwo = u.text(v)
	case atGNUDwoID:
		u.id = v.v
	case atStmtList:
		u.lines, u.hasLines = v.v, true
	case atLowPC:
		u.low = v
	case atHighPC:
		u.high = v
	case atRanges:
		u.list = v
	case atStrOffsetsBase:
		u.strOffsets = v.v
	case atAddrBase, atGNUAddrBase:
		u.addrs = v.v
	case atRnglistsBase:
		u.rnglists = v.v
	case atLoclistsBase:
		u.loclists = v.v
	case atLanguage:
		u.language = uint16(min(v.v, 1<<16-1))
	case atLanguageName:
		u.languageName = uint16(min(v.v, 1<<16-1))
	case atGNURangesBase:
		u.ranges = v.v
	}
}

// load returns the bytes of the unit, in into if they fit, as far as they can be read.
func (u *unit) load(into []byte) ([]byte, error) {
	if !u.group.file.spend(u.end - u.off) {
		return into[:0], errWork
	}
	n := int(u.end - u.off) // the section has as many
	return u.readInto(slices.Grow(into[:0], n)[:n])
}

// readInto fills data with the bytes of the unit, and returns those that can be read.
func (u *unit) readInto(data []byte) ([]byte, error) {
	got, err := u.group.info(u).src.ReadAt(data, int64(u.off))
	if got = max(got, 0); got < len(data) {
		return data[:got], notRead(u.off+uint64(got), err)
	}
	return data, nil
}

// notRead notes that .debug_info cannot be read from an offset on.
func notRead(off uint64, err error) error {
	return &bin.Error{What: "dwarf: .debug_info", Off: int64(off), Why: fmt.Sprintf("reading failed: %v", err)}
}
