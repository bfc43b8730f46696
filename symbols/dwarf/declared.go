package dwarf

import (
	"cmp"
	"slices"

	"crashglass/core/types"
)

// A type that is only declared in one unit is defined in another one, found by
// its full name or, with -fdebug-types-section, by its signature.

// A declared has the locations of a file's named types.
type declared struct {
	byName map[string]defPlace
	next   int // the unit to read on with
}

// A defPlace is where an entry is: its unit, and the offset in it.
type defPlace struct {
	unit *unit
	at   int
}

// A typeUnit is a unit of one type.
type typeUnit struct {
	unit *unit
	at   uint64 // of the type in the unit
}

// definition leads to the definition of a declared type.
func (d *die) definition(name string) types.Ref {
	if sig := d.get(atSignature); sig.set() {
		return d.n.typeRef(sig)
	}
	if name == "" || d.n.languageOf() != types.CPlusPlus && d.n.languageOf() != types.C {
		return nil
	}
	f := d.n.group.file
	return func() *types.Type { return f.defined(name) }
}

// Class returns a class by its full name, or nil.
func (f *File) Class(name string) *types.Type { return f.defined(name) }

// defined finds a type by its full name.
func (f *File) defined(name string) *types.Type {
	f.mu.Lock()
	x, err := f.readIndex()
	f.mu.Unlock()
	if err != nil {
		return nil
	}
	units := append(x.all(), f.typeUnits()...)
	f.nodes.mu.Lock()
	if f.nodes.named == nil {
		f.nodes.named = &declared{byName: map[string]defPlace{}}
	}
	found, ok := f.nodes.named.byName[name]
	next := f.nodes.named.next
	f.nodes.mu.Unlock()
	for ; !ok && next < len(units) && !f.nodes.work.Over(); next++ {
		names := f.definitionsIn(units[next])
		f.nodes.mu.Lock()
		for n, p := range names {
			if _, has := f.nodes.named.byName[n]; !has && len(f.nodes.named.byName) < maxNamed {
				f.nodes.named.byName[n] = p
			}
		}
		f.nodes.named.next = max(f.nodes.named.next, next+1)
		found, ok = f.nodes.named.byName[name]
		f.nodes.mu.Unlock()
	}
	if !ok {
		return nil
	}
	n := f.node(found.unit)
	if n == nil {
		return nil
	}
	d, ok := n.die(found.at)
	if !ok {
		return nil
	}
	key := typeKey{n.group, n.off + uint64(found.at), n.inTypes}
	if t := f.nodes.held(key); t != nil {
		return t
	}
	return f.nodes.keep(key, d.typ())
}

// maxNamed bounds the types that are kept by name.
const maxNamed = 1 << 18

// definitionsIn lists the types that a unit defines, by name.
func (f *File) definitionsIn(u *unit) map[string]defPlace {
	n := f.node(u)
	if n == nil {
		return nil
	}
	out := map[string]defPlace{}
	for _, s := range n.scopes {
		if s.tag != tagStruct && s.tag != tagClass && s.tag != tagUnion {
			continue
		}
		d, ok := n.die(s.at)
		if !ok || d.flag(atDeclaration) || d.get(atSignature).set() {
			continue
		}
		if name := d.fullName(); name != "" {
			if _, has := out[name]; !has {
				out[name] = defPlace{u, s.at}
			}
		}
	}
	return out
}

// typeUnits lists the units of types.
func (f *File) typeUnits() (out []*unit) {
	f.nodes.mu.Lock()
	defer f.nodes.mu.Unlock()
	f.readTypeUnits()
	for _, t := range f.nodes.types {
		out = append(out, t.unit)
	}
	slices.SortFunc(out, func(a, b *unit) int { return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(a.end, b.end)) })
	return out
}

// readTypeUnits finds the units of types, once. nodes is locked.
func (f *File) readTypeUnits() {
	if f.nodes.types == nil {
		f.nodes.types = map[uint64]typeUnit{}
		f.mu.Lock() // of what first entries are read with
		for _, g := range append([]*group{f.main}, f.parts...) {
			g.readTypeUnits(f.nodes.types)
		}
		f.mu.Unlock()
	}
}

// bySignature finds the type of a signature (section 7.32).
func (f *File) bySignature(sig uint64) (d die, ok bool) {
	f.nodes.mu.Lock()
	f.readTypeUnits()
	t, ok := f.nodes.types[sig]
	f.nodes.mu.Unlock()
	if !ok {
		return d, false
	}
	n := f.node(t.unit)
	if n == nil {
		return d, false
	}
	return n.die(int(min(t.at, uint64(len(n.data)))))
}

// readTypeUnits notes the units of types: of version 4 in .debug_types, of
// version 5 among the others. Those of packages are not read.
func (g *group) readTypeUnits(out map[uint64]typeUnit) {
	if len(g.packed) > 0 {
		return
	}
	for _, inTypes := range []bool{false, true} {
		s := g.info(&unit{inTypes: inTypes})
		for off := uint64(0); off < s.size() && len(out) < maxUnits && !g.file.nodes.work.Over(); {
			if next, ok := g.gaps[off]; ok && !inTypes {
				off = next
				continue
			}
			data, err := s.upTo(off, headerWindow)
			if err != nil {
				break
			}
			g.file.nodes.work.Spend(int64(len(data)))
			u, sig, at := g.typeUnit(off, data, inTypes)
			if u == nil {
				break
			}
			if at != 0 {
				if _, has := out[sig]; !has {
					out[sig] = typeUnit{u, at}
				}
			}
			off = u.end
		}
	}
}

// typeUnit reads the header of a unit. at is 0 for one that is not of a type.
func (g *group) typeUnit(off uint64, data []byte, inTypes bool) (u *unit, sig, at uint64) {
	r := buffer{b: data, big: g.big}
	size, offsetSize := r.length()
	from := off + uint64(r.at)
	u = &unit{group: g, off: off, end: from + size, inTypes: inTypes}
	u.sizes.offset = offsetSize
	if total := g.info(u).size(); r.bad || size == 0 || size > total-min(from, total) {
		return nil, 0, 0
	}
	u.version = r.u16()
	isType := inTypes && u.version == 4
	if u.version == 5 {
		u.kind, u.addr = r.u8(), r.u8()
		u.abbrevs = r.word(offsetSize)
		isType = u.kind == unitType || u.kind == unitSplitType
	} else {
		u.abbrevs = r.word(offsetSize)
		u.addr = r.u8()
	}
	if !isType {
		return u, 0, 0
	}
	sig, at = r.u64(), r.word(offsetSize)
	u.dies = off + uint64(r.at)
	if r.bad || u.firstEntry(&r) != nil || r.bad {
		return u, 0, 0
	}
	return u, sig, at
}
