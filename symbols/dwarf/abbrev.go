package dwarf

import (
	"fmt"
	"slices"
	"sync"
)

// An op is a step in reading an entry: skip so many bytes, skip one value of
// variable size, or read an attribute that matters.
type op struct {
	name     uint16 // of an attribute that is read; 0 when something is skipped
	form     uint16 // 0 to skip bytes
	skip     uint32 // how many
	implicit int64
}

// An abbrev says how an entry is written, compiled so that what does not
// matter is skipped in as few steps as can be.
type abbrev struct {
	code     uint64
	tag      uint16
	children bool
	ops      []op
}

// An abbrevTable is the abbreviations of a unit. Writers number them from 1.
type abbrevTable struct {
	list []abbrev // list[i] has code i+1 where that is so for all before it
	rest map[uint64]int
}

func (t *abbrevTable) find(code uint64) *abbrev {
	if i := code - 1; i < uint64(len(t.list)) && t.list[i].code == code {
		return &t.list[i]
	}
	if i, ok := t.rest[code]; ok {
		return &t.list[i]
	}
	return nil
}

// matters reports whether an attribute of a tag is read.
func matters(tag, name uint16) bool {
	switch tag {
	case tagSubprogram, tagInlined:
		switch name {
		case atName, atLowPC, atHighPC, atRanges, atAbstractOrigin, atSpecification, atLinkageName, atMIPSLinkageName, atCallFile, atCallLine:
			return true
		}
	case tagCompileUnit, tagPartialUnit, tagSkeletonUnit:
		switch name {
		case atName, atStmtList, atLowPC, atHighPC, atCompDir, atRanges, atStrOffsetsBase, atAddrBase, atRnglistsBase, atDwoName,
			atGNUDwoName, atGNUDwoID, atGNURangesBase, atGNUAddrBase:
			return true
		}
	}
	return false
}

// maxAbbrevs bounds a table, maxOps what one entry has of attributes.
const (
	maxAbbrevs = 1 << 20
	maxOps     = 1 << 12
)

// parseAbbrev reads one declaration (section 7.5.3); its code is 0 at the end
// of a table. All attributes matter if all is set.
func parseAbbrev(r *buffer, s sizes, all bool) (a abbrev) {
	if a.code = r.uleb(); a.code == 0 {
		return a
	}
	tag := r.uleb()
	a.tag, a.children = uint16(tag), r.u8() != 0
	if tag > 0xffff {
		r.fail()
	}
	for !r.bad {
		name, form := r.uleb(), r.uleb()
		var implicit int64
		if form == formImplicitConst {
			implicit = r.sleb()
		}
		if name == 0 && form == 0 {
			break
		}
		if name > 0xffff || form == 0 || form > 0xffff || len(a.ops) == maxOps {
			r.fail()
			break
		}
		a.add(uint16(name), uint16(form), implicit, s, all)
	}
	return a
}

func (a *abbrev) add(name, form uint16, implicit int64, s sizes, all bool) {
	if all || matters(a.tag, name) {
		a.ops = append(a.ops, op{name: name, form: form, implicit: implicit})
		return
	}
	n := s.fixedSize(form)
	if n == variable {
		a.ops = append(a.ops, op{form: form})
		return
	}
	if last := len(a.ops) - 1; last >= 0 && a.ops[last].name == 0 && a.ops[last].form == 0 {
		a.ops[last].skip += uint32(n)
	} else if n > 0 {
		a.ops = append(a.ops, op{skip: uint32(n)})
	}
}

// skip moves over the attributes of an entry.
func (a *abbrev) skip(r *buffer, s sizes) {
	for i := range a.ops {
		o := &a.ops[i]
		switch {
		case o.form == 0:
			r.skip(uint64(o.skip))
		case o.name == 0:
			s.skip(r, o.form)
		default:
			s.read(r, o.form, o.implicit)
		}
	}
}

// A tableKey is what a compiled table depends on.
type tableKey struct {
	off uint64
	sizes
}

// tables keeps compiled tables. Units that were linked together by LTO or dwz
// share theirs.
type tables struct {
	mu   sync.Mutex
	byID map[tableKey]*abbrevTable
	held int // abbreviations in byID
}

// maxTables bounds how many abbreviations are kept, some 200 bytes each.
const maxTables = 1 << 16

func (t *tables) get(g *group, key tableKey) (*abbrevTable, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if table, ok := t.byID[key]; ok {
		return table, nil
	}
	table, err := g.parseTable(key, false)
	if err != nil {
		return nil, err
	}
	if t.byID == nil || t.held+len(table.list) > maxTables {
		t.byID, t.held = map[tableKey]*abbrevTable{}, 0
	}
	t.byID[key] = table
	t.held += len(table.list)
	return table, nil
}

// eachAbbrev calls add for each declaration of the table at an offset until it
// returns false. How long a table is shows when it is read.
func (g *group) eachAbbrev(key tableKey, all bool, add func(abbrev) bool) error {
	section := g.section("abbrev")
	for off, size := key.off, uint64(4<<10); ; {
		data, err := section.upTo(off, size)
		if err != nil {
			return err
		}
		r := buffer{b: data, big: g.big}
		at := 0
		for !r.bad {
			at = r.at
			a := parseAbbrev(&r, key.sizes, all)
			if !r.bad && (a.code == 0 || !add(a)) {
				return nil
			}
		}
		if uint64(len(data)) < size {
			return fmt.Errorf("dwarf: .debug_abbrev at %#x: the declaration is damaged, or cut after %d bytes", off+uint64(at), len(data)-at)
		}
		off += uint64(at) // once more, with more bytes
		size *= 4
	}
}

func (g *group) parseTable(key tableKey, all bool) (*abbrevTable, error) {
	t := &abbrevTable{}
	err := g.eachAbbrev(key, all, func(a abbrev) bool {
		return t.find(a.code) != nil || t.add(a)
	})
	return t, err
}

func (t *abbrevTable) add(a abbrev) bool {
	a.ops = slices.Clip(a.ops)
	t.list = append(t.list, a)
	if a.code != uint64(len(t.list)) {
		if t.rest == nil {
			t.rest = map[uint64]int{}
		}
		t.rest[a.code] = len(t.list) - 1
	}
	return len(t.list) < maxAbbrevs
}
