package dwarf

// A ref is where a text or another entry is: an attribute that means something
// in its unit only, kept until it is asked for.
type ref struct {
	v    uint64 // an offset of .debug_info where the form is one of units or of inline text
	form uint16
	kind refKind
}

type refKind uint8

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
	switch v.form {
	case formRef1, formRef2, formRef4, formRef8, formRefUdata:
		v.v += u.off
	}
	return ref{v.v, v.form, refEntry}
}

// target is the group that a reference leads into.
func (r ref) target(g *group) *group {
	switch r.form {
	case formRef1, formRef2, formRef4, formRef8, formRefUdata, formRefAddr:
		return g
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
		text, err = g.section("info").text(r.v)
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
	if err != nil {
		g.file.note("%v", err)
	}
	return text
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

// A namer finds names of functions. It keeps what it found, and belongs to one
// goroutine.
type namer struct {
	unit *unit // whose bytes are at hand
	data []byte
	held map[nameKey]string
}

type nameKey struct {
	group *group
	off   uint64
}

const (
	// maxHops bounds a chain of references. An inlined call leads to its
	// origin, that to its declaration, and with LTO each to another unit.
	maxHops = 16

	// maxNames bounds the names that are kept.
	maxNames = 1 << 16
)

// of returns the name that a reference of a unit leads to: "" where there is
// none, where it leads in a circle, or where it is damaged.
func (n *namer) of(u *unit, r ref) string {
	for range maxHops {
		switch r.kind {
		case refText:
			return u.readText(r)
		case refNone:
			return ""
		}
		g := r.target(u.group)
		if g == nil {
			return ""
		}
		key := nameKey{g, r.v}
		if name, ok := n.held[key]; ok {
			return name
		}
		next := u
		if u.off > r.v || r.v >= u.end || g != u.group {
			if next = g.unitAt(r.v); next == nil {
				u.group.file.note("dwarf: .debug_info at %#x: reference to %#x, which is in no unit", u.off, r.v)
				return ""
			}
		}
		u, r = next, n.entryAt(next, r.v)
		if r.kind == refText {
			return n.keep(key, u.readText(r))
		}
	}
	return ""
}

func (n *namer) keep(key nameKey, name string) string {
	if n.held == nil || len(n.held) == maxNames {
		n.held = map[nameKey]string{}
	}
	n.held[key] = name
	return name
}

// entryAt returns what the entry at an offset says of its name.
func (n *namer) entryAt(u *unit, off uint64) ref {
	table, err := u.group.tables.get(u.group, u.table())
	if err != nil {
		u.group.file.note("%v", err)
		return ref{}
	}
	if u == n.unit {
		name, _ := u.nameAt(table, n.data[off-u.off:], off)
		return name
	}
	for window := uint64(128); ; window *= 8 {
		data, err := u.group.section("info").upTo(off, min(window, u.end-off))
		if err != nil {
			u.group.file.note("%v", err)
			return ref{}
		}
		if name, ok := u.nameAt(table, data, off); ok || window >= u.end-off {
			return name
		}
	}
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
