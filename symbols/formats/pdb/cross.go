package pdb

import (
	"strings"

	"crashglass/core/base/bin"
)

// crossModule has the references of a module to types of other modules.
//
// Numbers of types with the highest bit set are such references: 11 bits of
// them say which of the modules that this one imports from, and 20 which of
// the types from there. That module's exports say which number the type has.
//
// Source: CrossScopeReferences of cvinfo.h; the comment on DecodedItemId there.
type crossModule struct {
	imports []importedModule
	exports map[uint32]uint32
}

type importedModule struct {
	name  uint32 // in /names
	types []uint32
}

const isCross = 0x8000_0000

func (x *crossModule) addImports(c *bin.Cursor) {
	for c.Err() == nil && c.Len() >= 8 {
		m := importedModule{name: c.U32()}
		for range c.Count(4) {
			m.types = append(m.types, c.U32())
		}
		x.imports = append(x.imports, m)
	}
}

func (x *crossModule) addExports(c *bin.Cursor) {
	x.exports = map[uint32]uint32{}
	for c.Err() == nil && c.Len() >= 8 {
		local, global := c.U32(), c.U32()
		x.exports[local] = global
	}
}

// resolve returns the number that a type has in the whole file.
func (f *File) resolve(u *unit, typ uint32) (uint32, bool) {
	if typ&isCross == 0 {
		return typ, true
	}
	from, nth := int(typ>>20&0x7ff), int(typ&0xfffff)
	if from >= len(u.cross.imports) || nth >= len(u.cross.imports[from].types) {
		return 0, false
	}
	m := u.cross.imports[from]
	name, err := f.names.at(m.name)
	f.notes.error(err)
	other, ok := f.moduleNamed(name)
	if !ok || err != nil {
		return 0, false
	}
	global, ok := f.unit(other).cross.exports[m.types[nth]]
	return global, ok && global&isCross == 0
}

// moduleNamed finds a module by its name, in which case does not count.
func (f *File) moduleNamed(name string) (int, bool) {
	if f.byName == nil {
		f.byName = map[string]int{}
		for i, m := range f.mods() {
			text, _ := textAt(f.modNames, uint64(m.name))
			f.byName[strings.ToLower(text)] = i
		}
	}
	i, ok := f.byName[strings.ToLower(name)]
	return i, ok
}
