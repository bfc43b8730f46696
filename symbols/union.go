package symbols

import (
	"path"
	"slices"

	"crashglass/core/base/sorting"
	"crashglass/core/process/module"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/formats"
	"crashglass/symbols/formats/sniff"
)

// union answers queries about a module from all files of its build: a PDB has names, the library
// itself has unwind rules and code.
type union struct {
	files  []*file    // the most detailed one first
	names  []*guarded // those that say most first
	frames []*guarded // the module's own tables before files made from them
	images []*guarded
	namer  *namer

	kind  sniff.Kind    // of the file that says most
	build formats.Build // that it is for
}

// join makes a union of open files. The first says what module it is for.
func join(files []*file) *union {
	u := &union{files: files, kind: files[0].kind, build: files[0].build}
	if u.build.Name == "" {
		u.build.Name = nameOf(files)
	}
	for _, f := range files {
		if f.traits.NamesDebug && u.build.CodeFile == "" {
			u.build.CodeFile = path.Base(f.name)
		}
	}
	for _, f := range files {
		c := f.reader.Contents()
		if f.id != "" && idOf(u.build.ID) == "" { // debug information that only a name and a checksum tie to it
			u.build.ID, u.build.CodeID = f.build.ID, f.build.CodeID
		}
		if c.Named() {
			u.names = append(u.names, f.reader)
		}
		if c.Frames {
			u.frames = append(u.frames, f.reader)
		}
		if c.Code && f.reader.Capabilities().Image != nil {
			u.images = append(u.images, f.reader)
		}
	}
	u.namer = newNamer(min(u.bytes(), mostNamed))
	sorting.Stable(u.names, func(a, b *guarded) int { return b.Contents().Richness() - a.Contents().Richness() })
	sorting.Stable(u.frames, func(a, b *guarded) int { return compareBool(b.Contents().Code, a.Contents().Code) })
	return u
}

// nameOf returns the name of a module whose debug information has none. It is the name of the file
// with the code, not of the debug file.
func nameOf(files []*file) string {
	from := files[max(slices.IndexFunc(files, func(f *file) bool { return f.reader.Contents().Code }), 0)]
	if from.build.Name != "" {
		return from.build.Name
	}
	return path.Base(from.name)
}

// HasNames reports whether all code has names. A file with names implies it, except one with only
// some names: a library names only exported functions.
func (u *union) HasNames() bool { return slices.ContainsFunc(u.names, (*guarded).HasNames) }

// HasCode reports whether ReadImage has the module's code.
func (u *union) HasCode() bool { return len(u.images) > 0 }

// Unanswered returns the number of open queries, because of files that were not read to the end: see
// [formats.Search].
func (u *union) Unanswered() (n int) {
	for _, list := range [][]*guarded{u.names, u.frames} { // the cache of a report counts often
		for _, r := range list {
			if search := r.Capabilities().Search; search != nil {
				n += search.Unanswered()
			}
		}
	}
	return n
}

// readers returns the files with names and those with unwind rules. A file may be in both.
func (u *union) readers() []*guarded { return slices.Concat(u.names, u.frames) }

// Locate queries the files in turn for a function. If none has one, it uses the nearest public symbol.
func (u *union) Locate(rel uint64) (symbolize.Location, bool) {
	var nearest symbolize.Location
	found := false
	for _, r := range u.names {
		loc, ok := r.Locate(rel)
		if ok {
			loc.Function = u.unhidden(loc.Function, loc.Start)
		}
		if ok && !loc.Public {
			return u.namer.spell(r, loc), true
		}
		if ok && (!found || loc.Start > nearest.Start) {
			nearest, found = u.namer.spell(r, loc), true
		}
	}
	return nearest, found
}

// Function decides as Locate does. Its name is as the file has it.
func (u *union) Function(rel uint64) (unwind.Function, bool) {
	var nearest unwind.Function
	found := false
	for _, r := range u.names {
		fn, ok := r.Function(rel)
		if ok && !fn.Public {
			return fn, true
		}
		if ok && (!found || fn.Start > nearest.Start) {
			nearest, found = fn, true
		}
	}
	return nearest, found
}

// CallFrame returns the first rules that there are.
func (u *union) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	for _, r := range u.frames {
		if f, ok := r.CallFrame(rel); ok {
			return f, true
		}
	}
	return unwind.CallFrame{}, false
}

// WinFrame returns the first record with a program or, failing that, the first.
func (u *union) WinFrame(rel uint64) (first unwind.WinFrame, ok bool) {
	for _, r := range u.frames {
		f, has := r.WinFrame(rel)
		if has && f.FrameData {
			return f, true
		}
		if has && !ok {
			first, ok = f, true
		}
	}
	return first, ok
}

// Rel implements symbolize.Layout by the first file that knows.
func (u *union) Rel(kind module.Offsets, at uint64) (uint64, bool) {
	type answer struct {
		rel uint64
		ok  bool
	}
	out := first(u, func(can *formats.Capabilities) symbolize.Layout { return can.Layout }, func(l symbolize.Layout) (answer, bool) {
		rel, ok := l.Rel(kind, at)
		return answer{rel, ok}, ok
	})
	return out.rel, out.ok
}

// CodeParts implements symbolize.Image by the first file with code.
func (u *union) CodeParts() []symbolize.Range {
	if len(u.images) == 0 {
		return nil
	}
	return u.images[0].CodeParts()
}

// ReadLoaded implements symbolize.Image.
func (u *union) ReadLoaded(base, rel uint64, p []byte) int {
	return u.copied(func(image *guarded) int { return image.ReadLoaded(base, rel, p) })
}

// ReadImage copies the module's own bytes.
func (u *union) ReadImage(rel uint64, p []byte) int {
	return u.copied(func(image *guarded) int { return image.ReadImage(rel, p) })
}

// copied reads from the first file with code that has the bytes, and returns their number.
func (u *union) copied(read func(*guarded) int) int {
	for _, image := range u.images {
		if n := read(image); n > 0 {
			return n
		}
	}
	return 0
}
