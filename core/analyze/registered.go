package analyze

import (
	"crashglass/core/base/ranges"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
)

// What a program registered with debuggers: object files of code that it made at run time. Source: GDB manual, "JIT Compilation Interface".
const (
	jitDescriptor = "__jit_debug_descriptor"
	jitVersion    = 1

	firstEntry   = 16 // behind the version, the action and the entry that changed
	entryObject  = 16 // behind the next and the previous entry
	placeOfNotes = "code registered with debuggers"
)

// The bounds of the list.
const (
	mostObjects     = 1 << 12
	mostObjectBytes = 256 << 20 // of all object files
	mostOpened      = 64 << 20  // of those that stay open, because a stack has their code
	largestFile     = 64 << 20
)

// registered is the object files of a program's list.
type registered struct {
	list   []objectFile
	at     ranges.Table // the index of an address in list
	bytes  int64
	opened int64
	seen   int
}

// An objectFile is opened when a stack has its code: thousands of open ones take much memory.
type objectFile struct {
	memory captured
	size   int64
	opened Object
	left   bool // there is no room for it
}

// registered returns what finds the object of an address. The list is read when an executable address without a module is first met: it takes
// the symbols of all modules. 32-bit programs have none.
func (a *analysis) registered() func(addr uint64) Object {
	objects, ok := a.lookup.syms.(Objector)
	if !ok || a.p.Arch == nil || a.p.Arch.Word != 8 || a.os.IsWindows() {
		return nil
	}
	var all *registered
	return func(addr uint64) Object {
		if a.modules.At(addr) != nil {
			return nil
		}
		if g := a.p.RegionAt(addr); g == nil || !g.Allows('x') {
			return nil
		}
		if all == nil {
			all = a.registeredObjects(objects)
		}
		if r, ok := all.at.Find(addr); ok {
			return a.objectOf(all, objects, &all.list[r.Value])
		}
		return nil
	}
}

// objectOf opens an object file, nil if there is no room for it.
func (a *analysis) objectOf(all *registered, objects Objector, f *objectFile) Object {
	switch {
	case f.opened != nil || f.left:
		return f.opened
	case all.opened+f.size > mostOpened:
		f.left = true
		a.notes.odd(placeOfNotes, tooMany)
		return nil
	}
	all.opened += f.size
	f.opened = objects.Object(f.memory, f.size)
	f.left = f.opened == nil
	return f.opened
}

const tooMany = "there are more object files than Crashglass reads"

// registeredObjects reads the lists of all modules. The lookup is its own: what it finds no symbols for is not missing in the report.
func (a *analysis) registeredObjects(objects Objector) *registered {
	all, symbols := &registered{}, newLookup(a.lookup.syms)
	for i := range a.modules.Modules() {
		m := &a.modules.Modules()[i]
		known := symbols.of(m)
		if !known.matches() || known.source.Variables().Names == nil {
			continue
		}
		known.source.Variables().Names.EachData(jitDescriptor, func(name string, rel uint64) {
			if name == jitDescriptor {
				a.objectsOf(all, objects, m.Base+rel)
			}
		})
	}
	all.at.Finish()
	return all
}

// objectsOf adds the list of a descriptor.
func (a *analysis) objectsOf(all *registered, objects Objector, descriptor uint64) {
	version, ok := a.p.Memory.Word(descriptor, 4)
	entry, okFirst := a.p.Memory.Word(descriptor+firstEntry, 8)
	if !ok || !okFirst || version != jitVersion {
		return // without memory, or the program has none
	}
	for previous := uint64(0); entry != 0; all.seen++ {
		next, _ := a.p.Memory.Word(entry, 8)
		before, _ := a.p.Memory.Word(entry+8, 8)
		file, _ := a.p.Memory.Word(entry+entryObject, 8)
		size, ok := a.p.Memory.Word(entry+entryObject+8, 8)
		switch {
		case !ok || before != previous:
			a.notes.odd(placeOfNotes, "the list of object files is damaged at "+string(a.addr(entry)))
			return
		case all.seen == mostObjects || all.bytes > mostObjectBytes:
			a.notes.odd(placeOfNotes, tooMany)
			return
		case size > largestFile || !all.add(objects, captured{a.p.Memory, file, nil}, int64(size)):
			a.notes.odd(placeOfNotes, "no object file can be read at "+string(a.addr(file)))
		}
		previous, entry = entry, next
	}
}

// add adds an object file, and reports whether it is one.
func (all *registered) add(objects Objector, memory captured, size int64) bool {
	all.bytes += size
	o := objects.Object(memory, size)
	if o == nil {
		return false
	}
	o.EachCode(func(addr, size uint64) { all.at.Add(addr, size, int64(len(all.list))) })
	all.list = append(all.list, objectFile{memory: memory, size: size})
	return true
}

// nameRegistered names an address in such an object, and reports whether it has a name.
func (a *analysis) nameRegistered(out *report.Frame, addr uint64) bool {
	if a.lookup.objects == nil {
		return false
	}
	o := a.lookup.objects(addr)
	if o == nil {
		return false
	}
	rel := addr - o.Base()
	loc, ok := o.Locate(rel)
	if !ok {
		return false
	}
	a.locate(out, &loc, rel, loc.Certainty(rel, symbolize.Setting{OS: a.os}))
	return out.Function != nil
}
