package dwarf

// A ref is a reference to a text or another entry: an attribute that is valid only in its unit,
// resolved on demand.
type ref struct {
	v    uint64 // an offset of .debug_info where the form is one of units or of inline text
	form uint16
	kind refKind
}

// A refKind says what a reference leads to.
type refKind uint8

// The kinds of references: to nothing, to a text, to an entry.
const (
	refNone refKind = iota
	refText
	refEntry
)

// text refers to an attribute that is a string.
func (u *unit) text(v value) ref {
	if v.form == formString {
		v.v += u.off
	}
	return ref{v.v, v.form, refText}
}

// entry refers to an attribute that is a reference.
func (u *unit) entry(v value) ref {
	if isReference(v.form) && v.form != formRefAddr {
		v.v += u.off
	}
	return ref{v.v, v.form, refEntry}
}

func (r ref) target(g *group) *group {
	switch r.form {
	default:
		if isReference(r.form) {
			return g
		}
	case formRefSup4, formRefSup8, formGNURefAlt:
		return g.extra
	}
	return nil // a signature is one of a type
}

// readText reads a string. "" stands for what cannot be read.
func (u *unit) readText(r ref) (text string) {
	g := u.group
	err := error(nil)
	switch r.form {
	case formString:
		text, err = g.info(u).text(r.v)
	case formStrp:
		text, err = g.section("str").text(r.v)
	case formLineStrp:
		text, err = g.section("line_str").text(r.v)
	case formStrpSup, formGNUStrpAlt:
		if g.extra != nil {
			text, err = g.extra.section("str").text(r.v)
		}
	case formStrx, formStrx1, formStrx2, formStrx3, formStrx4, formGNUStrIndex:
		text, err = u.indexedText(r.v)
	}
	g.file.noteError(err)
	return g.file.shortened(text)
}

// indexedText reads the string of an index into .debug_str_offsets.
func (u *unit) indexedText(index uint64) (string, error) {
	off, err := u.indexed("str_offsets", u.strOffsets, index, u.offset)
	if err != nil {
		return "", err
	}
	return u.group.section("str").text(off)
}

// indexed reads an entry of a table of words.
func (u *unit) indexed(section string, base, index uint64, size uint8) (uint64, error) {
	const most = 1 << 40 // so that nothing wraps around; no file is that large
	data, err := u.group.section(section).bytes(min(base, most)+min(index, most)*uint64(size), uint64(size))
	r := buffer{b: data, big: u.group.big}
	return r.word(size), err
}

// A namer finds names of functions. It caches some of them, and is not safe for several goroutines.
type namer struct {
	unit   *unit // whose bytes are at hand
	data   []byte
	recent *[recentNames]recentName
}

// A recentName is the last name found among the entries that share a slot.
type recentName struct {
	group *group
	off   uint64
	name  string
}

// Limits of names.
const (
	// recentNames bounds how many names are remembered: a power of two.
	recentNames = 1 << 13

	// maxHops bounds a chain of references. An inlined call leads to its
	// origin, that to its declaration, and with LTO each to another unit.
	maxHops = 16
)

func (n *namer) place(off uint64) *recentName {
	if n.recent == nil {
		n.recent = new([recentNames]recentName)
	}
	return &n.recent[off*0x9e37_79b9_7f4a_7c15>>51]
}

// of returns the name that a reference of a unit leads to, or "" if there is none, if the
// references form a circle, or if they are damaged.
func (n *namer) of(u *unit, r ref) string {
	if r.kind != refEntry {
		return u.readName(r)
	}
	g := r.target(u.group)
	if g == nil {
		return ""
	}
	known := n.place(r.v)
	if known.group == g && known.off == r.v {
		return known.name
	}
	name := n.follow(u, r)
	*known = recentName{g, r.v, name}
	return name
}

// readName is readText, for what may be none.
func (u *unit) readName(r ref) string {
	if r.kind == refText {
		return u.readText(r)
	}
	return ""
}

// follow goes from entry to entry until one has a name.
func (n *namer) follow(u *unit, r ref) string {
	for range maxHops {
		if r.kind != refEntry {
			return u.readName(r)
		}
		g := r.target(u.group)
		if g == nil {
			return ""
		}
		next := u
		if u.off > r.v || r.v >= u.end || g != u.group {
			if next = g.unitAt(r.v); next == nil {
				if u.group.file.x == nil {
					return "" // EachFirst reads no other units
				}
				u.group.file.note("dwarf: .debug_info at %#x: reference to %#x, which is in no unit", u.off, r.v)
				return ""
			}
		}
		u, r = next, n.entryAt(next, r.v)
	}
	return ""
}

// entryAt returns the reference to its name in the entry at an offset.
func (n *namer) entryAt(u *unit, off uint64) ref {
	table, err := u.group.tables.get(u.group, u.table())
	if err != nil {
		u.group.file.note("%v", err)
		return ref{}
	}
	if u == n.unit {
		if off-u.off > uint64(len(n.data)) { // the unit could be read in part
			return ref{}
		}
		name, _ := u.nameAt(table, n.data[off-u.off:], off)
		return name
	}
	for window := uint64(128); u.group.file.spend(window); window *= 8 {
		data, err := u.group.section("info").upTo(off, min(window, u.end-off))
		if err != nil {
			u.group.file.note("%v", err)
			return ref{}
		}
		if name, ok := u.nameAt(table, data, off); ok || window >= u.end-off {
			return name
		}
	}
	return ref{}
}

// nameAt reads the entry at the beginning of data, which is at off.
func (u *unit) nameAt(table *abbrevTable, data []byte, off uint64) (name ref, ok bool) {
	r := buffer{b: data, big: u.group.big}
	a := table.find(r.uleb())
	if a == nil {
		return ref{}, !r.bad
	}
	var e entry
	e.read(&r, a, u, off)
	if r.bad {
		return ref{}, false
	}
	return e.name, true
}
