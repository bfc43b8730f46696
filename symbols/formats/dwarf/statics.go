package dwarf

import (
	"sync"

	"crashglass/core/values/types"
	"crashglass/core/values/variables"
)

// Statics are the variables outside of functions, and with them the types that
// Go's runtime describes and those that are no classes: all are found by going through all units, once.

// atGoRuntimeType is the place of the descriptor that a program of Go has of a
// type: an offset from where they begin, in a form of addresses.
// Source: cmd/internal/dwarf, DW_AT_go_runtime_type; since Go 1.11.
const atGoRuntimeType = 0x2904

// maxStatics bounds the variables, and the types, that are kept.
const maxStatics = 1 << 20

// statics is what was found of them.
type statics struct {
	mu      sync.Mutex
	read    bool
	list    []static
	runtime map[uint64]defPlace // Go's types by the offset of their descriptors
	types   map[string]defPlace // typedefs, enumerations and base types by their full names; the first of several
}

// A static is a variable outside of functions.
type static struct {
	name string
	defPlace
}

// A File also finds variables outside of functions, and the types of Go's interfaces.
var (
	_ variables.Statics      = (*File)(nil)
	_ variables.RuntimeTypes = (*File)(nil)
)

// Statics implements variables.Statics.
func (f *File) Statics(match func(name string) bool, limit int) (out []variables.Variable) {
	for _, s := range f.readStatics().list {
		if len(out) >= limit {
			break
		}
		if match(s.name) {
			out = f.static(out, s)
		}
	}
	return out
}

// StaticsAt implements variables.Statics by the unit of the function at an address.
func (f *File) StaticsAt(rel uint64, limit int) (out []variables.Variable) {
	d, ok := f.function(rel)
	if !ok {
		return nil
	}
	unit := statics{runtime: map[uint64]defPlace{}, types: map[string]defPlace{}}
	unit.add(d.n)
	for _, s := range unit.list[:min(len(unit.list), limit)] {
		out = f.static(out, s)
	}
	return out
}

func (f *File) static(out []variables.Variable, s static) []variables.Variable {
	d, ok := f.dieAt(s.defPlace)
	if !ok {
		return out
	}
	v := d.variable(nil)
	v.Name = s.name
	return append(out, v)
}

// RuntimeType implements variables.RuntimeTypes.
func (f *File) RuntimeType(off uint64) *types.Type {
	p, ok := f.readStatics().runtime[off]
	if !ok {
		return nil
	}
	return f.typeAt(p)
}

// TypeNamed returns a type by its full name, or nil.
func (f *File) TypeNamed(name string) *types.Type {
	if t := f.defined(name); t != nil {
		return t
	}
	p, ok := f.readStatics().types[name]
	if !ok {
		return nil
	}
	return f.typeAt(p)
}

// dieAt reads the entry at a place. It reports false if the unit cannot be read any more.
func (f *File) dieAt(p defPlace) (d die, ok bool) {
	n := f.node(p.unit)
	if n == nil {
		return d, false
	}
	return n.die(p.at)
}

// readStatics goes through the units, once.
func (f *File) readStatics() *statics {
	x, err := f.index()
	s := &f.statics
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read || err != nil {
		return s
	}
	s.read, s.runtime, s.types = true, map[uint64]defPlace{}, map[string]defPlace{}
	for _, u := range x.all() {
		if f.limits.entries.Exceeded() {
			break
		}
		if n := f.node(u); n != nil {
			s.add(n)
		}
	}
	return s
}

func (s *statics) add(n *node) {
	root, ok := n.die(int(n.dies - n.off))
	if !ok {
		return
	}
	var visit func(d *die) int
	visit = func(d *die) int {
		if at := d.get(atGoRuntimeType); at.set() && isAddress(at.form) && n.address(at) != 0 && len(s.runtime) < maxStatics {
			s.runtime[n.address(at)] = defPlace{n.unit, d.at}
		}
		switch d.tag {
		case tagNamespace, tagModule:
			return d.each(visit)
		case tagTypedef, tagEnum, tagBase:
			if name := d.fullName(); name != "" && s.types[name].unit == nil && !d.flag(atDeclaration) && len(s.types) < maxStatics {
				s.types[name] = defPlace{n.unit, d.at}
			}
		case tagVariable:
			if name := d.fullName(); name != "" && d.first(atLocation, atConstValue).set() && len(s.list) < maxStatics {
				s.list = append(s.list, static{name, defPlace{n.unit, d.at}})
			}
		}
		return 0
	}
	root.each(visit)
}
