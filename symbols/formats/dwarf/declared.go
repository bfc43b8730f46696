package dwarf

import (
	"cmp"
	"maps"
	"slices"

	"crashglass/core/values/types"
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
	x, err := f.index()
	if err != nil {
		return nil
	}
	units := append(x.all(), f.allTypeUnits()...)
	at, next, ok := f.entries.find(name)
	for ; !ok && next < len(units) && !f.limits.entries.Exceeded(); at, next, ok = f.entries.find(name) {
		f.entries.add(next, f.definitionsIn(units[next]))
	}
	if !ok {
		return nil
	}
	return f.typeAt(at)
}

// find returns where a type is defined, as far as units were read, and the unit to read next.
func (e *entries) find(name string) (at defPlace, next int, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	at, ok = e.named.byName[name]
	return at, e.named.next, ok
}

// add keeps the definitions in a unit. Of several with one name, the first counts.
func (e *entries) add(unit int, definitions map[string]defPlace) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.named.byName == nil {
		e.named.byName = map[string]defPlace{}
	}
	for name, at := range definitions {
		if _, has := e.named.byName[name]; !has && len(e.named.byName) < maxNamed {
			e.named.byName[name] = at
		}
	}
	e.named.next = max(e.named.next, unit+1)
}

// maxNamed bounds the types that are kept by name.
const maxNamed = 1 << 18

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

func (f *File) allTypeUnits() []*unit {
	return slices.SortedFunc(maps.Values(f.typeUnits()), func(a, b *unit) int { return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(a.end, b.end)) })
}

// typeUnits returns the units of types by signature.
func (f *File) typeUnits() map[uint64]*unit {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.types == nil {
		f.types = map[uint64]*unit{}
		for _, g := range append([]*group{f.main}, f.parts...) {
			g.readTypeUnits(f.types)
		}
	}
	return f.types
}

// bySignature finds the type of a signature (section 7.32).
func (f *File) bySignature(sig uint64) (d die, ok bool) {
	u, ok := f.typeUnits()[sig]
	if !ok {
		return d, false
	}
	return f.dieAt(defPlace{u, int(min(u.typeAt, u.end-u.off))})
}

// readTypeUnits notes the units of types: of version 4 in .debug_types, of
// version 5 among the others. Those of packages are not read.
func (g *group) readTypeUnits(out map[uint64]*unit) {
	if len(g.packed) > 0 {
		return
	}
	for _, inTypes := range []bool{false, true} {
		s := g.info(&unit{inTypes: inTypes})
		for off := uint64(0); off < s.size() && len(out) < maxUnits && !g.file.limits.entries.Exceeded(); {
			if next, ok := g.gaps[off]; ok && !inTypes {
				off = next
				continue
			}
			data, err := s.upTo(off, headerWindow)
			if err != nil {
				break
			}
			g.file.limits.entries.Spend(int64(len(data)))
			u, isType := g.typeUnit(off, data, inTypes)
			if u == nil {
				break
			}
			if isType && out[u.signature] == nil {
				out[u.signature] = u
			}
			off = u.end
		}
	}
}

// typeUnit reads the header of a unit, and reports whether it is one of a type.
func (g *group) typeUnit(off uint64, data []byte, inTypes bool) (u *unit, isType bool) {
	r := buffer{b: data, big: g.big}
	size, offsetSize := r.length()
	from := off + uint64(r.at)
	u = &unit{group: g, off: off, end: from + size, inTypes: inTypes}
	u.sizes.offset = offsetSize
	if total := g.info(u).size(); r.bad || size == 0 || size > total-min(from, total) {
		return nil, false
	}
	if u.header(&r) != nil || u.typeAt == 0 {
		return u, false
	}
	u.dies = off + uint64(r.at)
	return u, u.firstEntry(&r) == nil && !r.bad
}
