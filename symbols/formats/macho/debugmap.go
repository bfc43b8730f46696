package macho

import (
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// A debug map says where a program's DWARF is: Apple's linkers leave it in the object files, and write their paths
// and the linked addresses of their functions as stabs, which dsymutil reads (llvm/tools/dsymutil/MachODebugMapParser.cpp).
// Addresses in the DWARF of an object file are those of its own sections.

// Stabs of a debug map: <mach-o/stab.h>.
const (
	stabFunction = 0x24 // N_FUN: name and address, and then without a name the size
	stabSource   = 0x64 // N_SO: a source file begins, or without a name ends
	stabObject   = 0x66 // N_OSO: path of an object file, library.a(member.o) for one in an archive
)

// A mapped function is one of an object file.
type mapped struct {
	name       string // without the underscore in front
	start, end uint64 // relative to the module
	at         uint64 // address in the object file
	from       *File  // the object file, nil if it was not attached
}

type mappedObject struct {
	path  string
	funcs []mapped
	found bool // it was attached
}

// maxMappedPath bounds the path of an object file.
const maxMappedPath = 4 << 10

// A nameBudget bounds the bytes of long names that are kept of a symbol table: thousands of symbols may
// point into one of them.
type nameBudget struct{ left *bin.Budget }

const (
	usualName    = 256 // bytes that each name may have
	namesPerByte = 4   // of the table of names
)

func newNameBudget(names bin.Source) nameBudget {
	return nameBudget{bin.NewBudget(namesPerByte * names.Size())}
}

func (b nameBudget) keeps(name string) bool {
	return len(name) <= usualName || b.left.Spend(int64(len(name)))
}

// readDebugMap reads the stabs of the symbol table. An object file may be there several times.
func (f *File) readDebugMap() (out []mappedObject) {
	numbers, last := map[string]int{}, -1
	text := f.source("names of symbols", f.symtab.strings)
	names, budget := bin.NewPager("macho: names of symbols", text, namesInCache), newNameBudget(text)
	var open *mapped
	f.eachSymbol(func(c *bin.Cursor) {
		at, kind := c.U32(), c.U8()
		c.Skip(3)
		value := f.h.word(c)
		if kind != stabFunction && kind != stabObject && kind != stabSource {
			return
		}
		name, err := names.String(int64(at), max(maxMappedPath, maxSymbolName))
		switch {
		case err != nil || kind == stabSource || !budget.keeps(name):
			open, last = nil, -1
		case kind == stabObject:
			n, known := numbers[name]
			if !known {
				n = len(out)
				numbers[name] = n
				out = append(out, mappedObject{path: name})
			}
			open, last = nil, n
		case name != "":
			open = &mapped{name: strings.TrimPrefix(name, "_"), start: value - f.base}
		case open != nil && last >= 0 && value > 0 && open.start < spaceSize && value < spaceSize:
			open.end = open.start + value
			out[last].funcs = append(out[last].funcs, *open)
			open = nil
		}
	})
	return out
}

// spaceSize is the range of addresses of a module.
const spaceSize = 1 << 32

// IsObject reports whether the file is an object file, whose DWARF belongs to the programs that were linked from it.
func (f *File) IsObject() bool { return f.h.kind == typeObject }

// WantsObjects reports whether the file's DWARF may be in object files. A program with a dSYM has a debug map, too.
func (f *File) WantsObjects() bool {
	return !f.IsObject() && f.h.kind != typeDSYM && f.info().Empty()
}

// ObjectPaths are the paths of the object files, as the linker wrote them.
func (f *File) ObjectPaths() (paths []string) {
	for _, o := range f.readDebugMap() {
		paths = append(paths, o.path)
	}
	return paths
}

// An Object is an object file with its path, of which the last part counts: object files are not where they
// were when the program was linked.
type Object struct {
	Path string // of a member of an archive, the archive's path and its name: lib.a/member.o
	File *File
}

// Attach joins the object files of a debug map, so that all answer as one. Object files of other programs, builds and
// CPUs are ignored. It must come before the first query.
func (f *File) Attach(objects []Object) {
	byName := map[string][]candidate{}
	for _, o := range objects {
		parts := pathParts(o.Path)
		name := parts[len(parts)-1]
		if o.File.h.cpu == f.h.cpu && o.File.h.sub == f.h.sub && len(byName[name]) < maxSameName {
			byName[name] = append(byName[name], candidate{o.File, parts})
		}
	}
	var pairs []pair
	maps := f.readDebugMap()
	for i := range maps {
		pairs = append(pairs, nearest(&maps[i], byName)...)
	}
	taken := map[*File]bool{}
	for _, i := range ordered(len(pairs), func(i int) uint64 { return uint64(maxMappedPath - pairs[i].common) }) {
		p := pairs[i]
		if p.found || taken[p.object] {
			continue
		}
		found := p.object.placed(p.funcs)
		p.found, taken[p.object] = len(found) > 0, len(found) > 0
		f.mapped = append(f.mapped, found...)
	}
	for _, m := range maps {
		if len(m.funcs) > 0 && !m.found {
			f.absent = append(f.absent, path.Base(m.path))
		}
	}
	found := f.mapped
	f.mapped = make([]mapped, 0, len(found))
	for _, i := range ordered(len(found), func(i int) uint64 { return found[i].start }) {
		m := found[i]
		f.mapped = append(f.mapped, m)
		if taken[m.from] {
			taken[m.from] = false
			f.objects = append(f.objects, m.from)
		}
	}
}

// maxSameName bounds how many object files of one name are compared, and maxTried how many of them are read.
const maxSameName, maxTried = 256, 4

// A candidate is an object file that may be one of a debug map.
type candidate struct {
	file  *File
	parts []string // of its path
}

// A pair is an object file of a debug map and a given file that may be it.
type pair struct {
	*mappedObject
	object *File
	common int // parts at the ends of both paths
}

// pathParts divides a path; a debug map has library.a(member.o) for library.a/member.o.
func pathParts(p string) []string {
	return strings.Split(path.Clean(strings.ReplaceAll(strings.TrimSuffix(p, ")"), "(", "/")), "/")
}

// nearest returns the files whose paths have the longest ends in common with that of an object file.
func nearest(m *mappedObject, byName map[string][]candidate) (out []pair) {
	a := pathParts(m.path)
	for _, c := range byName[a[len(a)-1]] {
		n := 0
		for n < min(len(a), len(c.parts), maxMappedPath) && a[len(a)-1-n] == c.parts[len(c.parts)-1-n] {
			n++
		}
		out = append(out, pair{m, c.file, n})
	}
	var best []pair
	for _, i := range ordered(len(out), func(i int) uint64 { return uint64(maxMappedPath - out[i].common) }) {
		if best = append(best, out[i]); len(best) == maxTried {
			break
		}
	}
	return best
}

// Equal ones keep their order. A sort of each type would be 10 KB of the page's program.
func ordered(n int, key func(int) uint64) []uint32 {
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = key(i)<<32 | uint64(uint32(i))
	}
	slices.Sort(keys)
	out := make([]uint32, n)
	for i, k := range keys {
		out[i] = uint32(k)
	}
	return out
}

// Missing says which object files of a debug map were not attached, if others were, as a sentence that follows the
// file's name.
func (f *File) Missing() []string {
	if len(f.objects) == 0 || len(f.absent) == 0 {
		return nil
	}
	names := strings.Join(f.absent[:min(len(f.absent), 3)], ", ")
	if more := len(f.absent) - 3; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return []string{"lacks the debug information of " + names + ": add the object files of this build, or a dSYM"}
}

// placed finds functions in an object file by their names. It returns those that its DWARF describes, too. If one is
// longer there than the linker says, the file is of another build.
func (f *File) placed(funcs []mapped) (out []mapped) {
	for _, m := range funcs {
		start, ok := f.named()[m.name]
		if !ok {
			continue
		}
		fn, ok := f.info().Function(start)
		if !ok || fn.Start != start {
			continue
		}
		if fn.Size > m.end-m.start {
			return nil
		}
		m.at, m.from = start, f
		out = append(out, m)
	}
	return out
}

func (f *File) readNamed() map[string]uint64 {
	t, at := f.names(), map[string]uint64{}
	budget := newNameBudget(f.source("names of symbols", f.symtab.strings))
	for _, s := range append(t.list[:len(t.list):len(t.list)], t.aliases...) {
		if name := t.nameOf(s); budget.keeps(name) {
			at[name] = s.addr
		}
	}
	return at
}

// mappedAt returns the function of an object file at an address, or nil.
func (f *File) mappedAt(rel uint64) *mapped {
	i := sort.Search(len(f.mapped), func(i int) bool { return f.mapped[i].start > rel })
	if i == 0 || rel >= f.mapped[i-1].end {
		return nil
	}
	return &f.mapped[i-1]
}

// locateMapped names the function, line and inlined calls at an address by the DWARF of an object file.
func (f *File) locateMapped(rel uint64) (symbolize.Location, bool) {
	m := f.mappedAt(rel)
	if m == nil {
		return symbolize.Location{}, false
	}
	loc, ok := m.from.info().Locate(rel - m.start + m.at)
	if !ok || loc.Start != m.at {
		return symbolize.Location{}, false
	}
	loc.Start = m.start
	loc.LineStart += m.start - m.at
	return loc, true
}

func (f *File) functionMapped(rel uint64) (unwind.Function, bool) {
	m := f.mappedAt(rel)
	if m == nil {
		return unwind.Function{}, false
	}
	fn, ok := m.from.info().Function(rel - m.start + m.at)
	if !ok || fn.Start != m.at {
		return unwind.Function{}, false
	}
	fn.Start = m.start
	return fn, true
}

func (f *File) eachMapped(add func(*symbolize.Function) error) error {
	byObject := map[*File]map[uint64]*mapped{}
	for i := range f.mapped {
		m := &f.mapped[i]
		if byObject[m.from] == nil {
			byObject[m.from] = map[uint64]*mapped{}
		}
		byObject[m.from][m.at] = m
	}
	for _, o := range f.objects {
		err := o.info().EachFunction(func(fn *symbolize.Function) error {
			m := byObject[o][fn.Start]
			if m == nil {
				return nil // the linker dropped it
			}
			move(fn, m.start-m.at)
			return add(fn)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func move(fn *symbolize.Function, by uint64) {
	fn.Start += by
	for i := range fn.Lines {
		fn.Lines[i].Start += by
	}
	for i := range fn.Inlines {
		for k := range fn.Inlines[i].Ranges {
			fn.Inlines[i].Ranges[k].Start += by
		}
	}
}

// outsideMapped leaves the symbols out that begin functions of object files.
func (f *File) outsideMapped(add func(symbolize.Public) error) func(symbolize.Public) error {
	return func(p symbolize.Public) error {
		if _, ok := f.functionMapped(p.Start); ok {
			return nil
		}
		return add(p)
	}
}
