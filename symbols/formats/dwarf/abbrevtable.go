package dwarf

import (
	"fmt"
	"sync"

	"crashglass/core/base/recent"
)

// An abbrevTable is the abbreviations of a unit. Writers number them from 1.
type abbrevTable struct {
	list []abbrev // list[i] has code i+1 where that is so for all before it
	rest map[uint64]int
}

// find returns the abbreviation with a code, or nil. Code 0 ends a list of entries and has none.
func (t *abbrevTable) find(code uint64) *abbrev {
	if i := code - 1; i < uint64(len(t.list)) && t.list[i].code == code {
		return &t.list[i]
	}
	if i, ok := t.rest[code]; ok {
		return &t.list[i]
	}
	return nil
}

// A tableKey is what a tableResult table depends on.
type tableKey struct {
	off uint64
	sizes
}

// tables keeps tableResult tables, and the errors of damaged ones: all units of a file may refer to one. Units
// that were linked together by LTO or dwz share theirs.
type tables struct {
	all   bool // all attributes matter
	mu    sync.Mutex
	known recent.Cache[tableKey, tableResult]
}

// A tableResult is a table, or the reason why there is none.
type tableResult struct {
	table *abbrevTable
	err   error
}

// maxTables bounds how many abbreviations are kept, some 200 bytes each.
const maxTables = 1 << 16

// get returns a table, which it compiles at the first request.
func (t *tables) get(g *group, key tableKey) (*abbrevTable, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c, ok := t.known.Get(key)
	if !ok {
		t.known.Limit = maxTables
		c.table, c.err = g.parseTable(key, t.all)
		t.known.Put(key, c, 1+len(c.table.list))
	}
	if c.err != nil {
		return nil, c.err
	}
	return c.table, nil
}

// A firstAbbrevs finds the abbreviations of units' first entries without compiling whole tables. With
// LTO, neighbouring units share a large table, and that abbreviation is one of its last. So results are
// kept until another table is requested, including codes that are not in the table.
type firstAbbrevs struct {
	key   tableKey
	found map[uint64]abbrev
}

// find returns an abbreviation with code 0 if there is none.
func (f *firstAbbrevs) find(g *group, key tableKey, code uint64) (a abbrev, err error) {
	if f.key != key || f.found == nil {
		f.key, f.found = key, map[uint64]abbrev{}
	}
	if a, ok := f.found[code]; ok {
		return a, nil
	}
	err = g.eachAbbrev(key, false, func(b abbrev) bool {
		if b.code != code {
			return true
		}
		a = b.kept()
		return false
	})
	f.found[code] = a
	return a, err
}

// eachAbbrev calls add for each declaration of the table at an offset until it
// returns false. What add is given is valid until it returns. How long a table
// is shows when it is read.
func (g *group) eachAbbrev(key tableKey, all bool, add func(abbrev) bool) error {
	section := g.section("abbrev")
	var ops []op
	for off, size := key.off, uint64(4<<10); ; {
		data, err := section.upTo(off, size)
		if err != nil {
			return err
		}
		if g.file.limits.work.Exceeded() {
			return errWork
		}
		r := buffer{b: data, big: g.big}
		at := 0
		for !r.bad {
			at = r.at
			a := parseAbbrev(&r, key.sizes, all, ops)
			ops = a.ops
			if !r.bad && (a.code == 0 || !add(a)) {
				g.file.spend(uint64(r.at))
				return nil
			}
		}
		g.file.spend(uint64(len(data)))
		if uint64(len(data)) < size {
			return fmt.Errorf("dwarf: .debug_abbrev at %#x: the declaration is damaged, or truncated after %d bytes", off+uint64(at), len(data)-at)
		}
		off += uint64(at) // once more, with more bytes
		size *= 4
	}
}

// With an error it returns the abbreviations before the defect. If a code is there twice, the first one counts.
func (g *group) parseTable(key tableKey, all bool) (*abbrevTable, error) {
	t := &abbrevTable{}
	err := g.eachAbbrev(key, all, func(a abbrev) bool {
		return t.find(a.code) != nil || t.add(a)
	})
	return t, err
}

// Codes that are out of order go into a map.
func (t *abbrevTable) add(a abbrev) bool {
	t.list = append(t.list, a.kept())
	if a.code != uint64(len(t.list)) {
		if t.rest == nil {
			t.rest = map[uint64]int{}
		}
		t.rest[a.code] = len(t.list) - 1
	}
	return len(t.list) < maxAbbrevs
}
