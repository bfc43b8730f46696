package dwarf

import (
	"fmt"
	"sort"

	"crashglass/core/base/bin"
)

// A group is sections that refer to each other: the sections of a program, of a supplementary file,
// or of a file with split units.
type group struct {
	file     *File
	sections map[string]*section
	big      bool
	extra    *group                  // the supplementary file
	packed   map[uint64]contribution // by unit of a package
	filed    []uint64                // the IDs of a package's units

	units   []*unit
	next    uint64            // where the header of the next unit is, or is searched for
	lost    error             // why it is searched for; nil when it is not
	gap     uint64            // the damaged header that it is searched behind
	window  uint64            // how much is searched next
	gaps    map[uint64]uint64 // from damaged headers to where reading goes on
	damaged int               // headers without a unit
	wrong   int               // ends of units without a header

	tables tables
	whole  tables // with all attributes
	first  firstAbbrevs
}

// newGroup makes a group of sections. Their size decides how much may be read of them in all.
func (f *File) newGroup(sections Sections) *group {
	g := &group{file: f, big: f.opt.BigEndian, sections: map[string]*section{}, whole: tables{all: true}}
	for name, src := range sections {
		g.sections[name] = newSection(name, src)
		f.limits.add(g.sections[name].size())
	}
	return g
}

// section returns one of the sections, or an empty one if it is missing.
func (g *group) section(name string) *section {
	if s := g.sections[name]; s != nil {
		return s
	}
	return &section{"dwarf: .debug_" + name, bin.Source{}, bin.NewPager("dwarf: .debug_"+name, bin.Source{}, 0)}
}

// A browser has 40,000. A supplementary file that dwz makes of all libraries of a distribution has some 100,000 small ones.
const maxUnits = 1 << 18

// maxDamaged bounds the damaged units of a section; later units are not read.
const maxDamaged = 1 << 14

// headerWindow is how much is read for the header of a unit and its first
// entry. Names and lists of flags inside of the entry can be longer.
const (
	headerWindow    = 512
	maxHeaderWindow = 1 << 20
)

// readUnits reads the headers of all units and the first entry of each (section 7.5.1). If progress
// returns an error, reading stops, and the next call continues there.
func (g *group) readUnits(progress func(done, total int64) error) error {
	size := g.section("info").size()
	ahead := newLookahead(g)
	for n := 0; g.next < size; n++ {
		if n%256 == 0 || g.lost != nil {
			if err := progress(int64(g.next), int64(size)); err != nil {
				return err
			}
		}
		switch {
		case g.lost != nil:
			g.searchOn(ahead)
		case len(g.units) == maxUnits:
			g.file.note("dwarf: .debug_info at %#x: units after the first %d are not read", g.next, maxUnits)
			g.next = size
		case g.damaged == maxDamaged:
			g.file.note("dwarf: .debug_info at %#x: units after %d damaged ones are not read", g.next, maxDamaged)
			g.next = size
		default:
			g.readNext(ahead)
		}
	}
	if g.lost != nil {
		g.file.note("%v; no unit follows", g.lost)
		g.lost = nil
	}
	return nil
}

func (g *group) readNext(ahead *lookahead) {
	u, err := g.readUnit(g.next, ahead)
	if err != nil && (u == nil || u.version == 0) {
		g.afterDamaged(u, err)
		return
	}
	g.file.noteError(err)
	if u.version != 0 {
		g.units = append(g.units, u)
	}
	g.next = u.end
}

// readUnit reads the header of the unit at an offset, and its first entry. It reads more where the entry is
// longer than the window, up to 1 MiB.
func (g *group) readUnit(off uint64, ahead *lookahead) (*unit, error) {
	for window := uint64(headerWindow); ; window *= 16 {
		data, err := ahead.read(off, window)
		if err != nil {
			return nil, err
		}
		u, short, err := g.parseUnit(off, data)
		if !short || uint64(len(data)) < window || window >= maxHeaderWindow {
			return u, err
		}
	}
}

// Short says that data ends within the unit's header or its first entry.
func (g *group) parseUnit(off uint64, data []byte) (u *unit, short bool, err error) {
	r := buffer{b: data, big: g.big}
	n, offsetSize := r.length()
	from := off + uint64(r.at)
	size := g.section("info").size()
	if r.bad {
		return nil, false, fmt.Errorf("dwarf: .debug_info at %#x: the length of a unit is truncated, or the reserved %#x", off, n)
	}
	if n > size-from {
		return nil, false, fmt.Errorf("dwarf: .debug_info at %#x: unit of %d bytes, the section has %d more", off, n, size-from)
	}
	u = &unit{group: g, off: off, end: from + n}
	u.sizes.offset = offsetSize
	if err := u.header(&r); err != nil {
		u.version = 0
		return u, r.bad, err
	}
	if u.kind == unitType || u.kind == unitSplitType {
		u.version = 0 // types have no code
		return u, false, nil
	}
	r.b = r.b[:min(uint64(len(r.b)), u.end-off)]
	if r.at > len(r.b) {
		r.fail()
	}
	u.dies = off + uint64(r.at)
	err = u.firstEntry(&r)
	return u, r.bad, err
}

// unitAt returns the unit with an entry at an offset of the section, or nil.
func (g *group) unitAt(off uint64) *unit {
	i := sort.Search(len(g.units), func(i int) bool { return g.units[i].off > off }) - 1
	if i < 0 || off >= g.units[i].end || off < g.units[i].dies {
		return nil
	}
	return g.units[i]
}
