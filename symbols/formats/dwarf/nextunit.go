package dwarf

import "encoding/binary"

// A unit says where the next one begins (section 7.5.1). Where a page of the section is lost, which a
// copy with holes has as zeros, that chain is broken. The next header is then searched for byte by
// byte, because writers do not align units.

// Limits of the search.
const (
	leastUnit = 7  // bytes of a header after its length, at least
	maxHeader = 64 // bytes; version 5 has 40 for a unit of types in DWARF64

	// A search begins with few bytes, because most holes are short and a damaged file may have many.
	firstWindow  = 16 << 10
	searchWindow = 1 << 20

	// maxWrong bounds the ends of units where no header is. Each costs a read elsewhere in the
	// section, and chance makes very few.
	maxWrong = 1 << 10
)

// headerAt reports whether data, which lies at an offset of the section, begins with a header that
// makes sense, and where its unit ends.
func (g *group) headerAt(off uint64, data []byte) (end uint64, ok bool) {
	r := buffer{b: data, big: g.big}
	n, offsetSize := r.length()
	from := off + uint64(r.at)
	if r.bad || n < leastUnit || n > g.section("info").size()-from {
		return 0, false
	}
	version := buffer{b: data, at: r.at, big: g.big}
	if v := version.u16(); v < 2 || v > 5 { // before header, which would make an error of it
		return 0, false
	}
	u := unit{group: g, off: off, end: from + n}
	u.sizes.offset = offsetSize
	if u.header(&r) != nil || off+uint64(r.at) > u.end || u.kind == 0 || u.kind > unitSplitType || u.abbrevs >= g.section("abbrev").size() {
		return 0, false
	}
	return u.end, true
}

// follows reports whether a unit ends where another one begins, or the section ends.
func (g *group) follows(end uint64) bool {
	info := g.section("info")
	if end == info.size() {
		return true
	}
	if g.wrong == maxWrong {
		return false
	}
	data, err := info.upTo(end, maxHeader)
	if err == nil {
		_, ok := g.headerAt(end, data)
		if ok {
			return true
		}
	}
	g.wrong++
	return false
}

// afterDamaged takes the error of the unit at g.next, and moves behind that unit. Its length is
// believed only if another unit begins there. u is nil where the length is impossible.
func (g *group) afterDamaged(u *unit, err error) {
	g.damaged++
	if u != nil && g.follows(u.end) {
		g.file.note("%v", err)
		g.next = u.end
		return
	}
	g.lost, g.gap, g.window = err, g.next, firstWindow
	g.next++
}

// searchOn searches the next part of the section for a header, from g.next. One counts only if
// another one, or the end of the section, follows its unit.
func (g *group) searchOn(ahead *lookahead) {
	size := g.section("info").size()
	data, err := ahead.read(g.next, g.window)
	data = data[:min(uint64(len(data)), g.window)]
	if err != nil || !g.file.spend(uint64(len(data))) {
		g.next = size
		return
	}
	from := g.next
	last := from+uint64(len(data)) == size // else the last header may continue in the next part
	i := 0
	for ; i < len(data) && (last || len(data)-i >= maxHeader); i++ {
		if i+8 <= len(data) && binary.LittleEndian.Uint64(data[i:]) == 0 {
			i += 4 // no length among the first five bytes: most of a hole
			continue
		}
		g.next = from + uint64(i)
		end, ok := g.headerAt(g.next, data[i:])
		if !ok {
			continue
		}
		if g.follows(end) {
			g.file.note("%v; reading goes on at %#x", g.lost, g.next)
			if g.gaps == nil {
				g.gaps = map[uint64]uint64{}
			}
			g.gaps[g.gap], g.lost = g.next, nil
			return
		}
	}
	g.next = from + max(uint64(i), 1)
	g.window = min(4*g.window, searchWindow)
}
