// Package slice makes small symbol files out of large ones. A slice has the records of one module
// that the stacks of some dumps need, and no others.
//
//	s := slice.New()
//	s.Add(session, store)       // walks all stacks of a dump, and remembers what they query
//	for _, m := range s.Modules() {
//		s.Write(w, &m, slice.AllNames)
//	}
//
// A slice answers like the whole file for two kinds of addresses: those that our own walk queried,
// and every word on the stacks and in the registers that lies in a module, because other programs
// scan those. It knows no other addresses. So a dump of another crash gets fewer names from it, and
// no wrong ones.
//
// A symbol file cannot have everything that a library has: a slice lacks the code, and what
// breakpad.Write leaves out. The work is bounded by the words of the stacks, whatever the dump holds.
//
// Read slice.go first, then recording.go and content.go.
package slice

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"crashglass/core/analyze"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/unwind"
)

// A Slicer collects the addresses of modules that stacks need. The symbols that Add gets must stay
// usable until the slices are written.
type Slicer struct {
	// Mask masks names and paths in slices that leave the machine. If it is nil, they stay as the
	// symbols have them.
	Mask Mask

	parts map[key]*moduleNeeds
	order []*moduleNeeds
}

// A Mask masks names of people. Package sanitize has one.
type Mask interface {
	Path(s string) string
	Symbol(s string) string
}

// A key is a build of a module.
type key struct{ file, id string }

type moduleNeeds struct {
	module  module.Module
	os      string // as MODULE records write it
	system  bool   // the operating system's
	source  analyze.Source
	queried map[uint64]bool
}

// New returns a Slicer that nothing was added to.
func New() *Slicer { return &Slicer{parts: map[key]*moduleNeeds{}} }

// Add walks all stacks of a dump and remembers the addresses that the walk queries. It returns the
// report of that walk, to compare others with.
func (s *Slicer) Add(session *analyze.Session, syms analyze.Symbols) (*report.Report, error) {
	rec := recorder{s, syms}
	r, err := session.Report(rec, analyze.Options{})
	if err != nil {
		return nil, err
	}
	mods := module.NewMap(session.Modules())
	session.Pointers(func(addr uint64) {
		for _, back := range callSizes {
			rec.record(mods, addr-back)
		}
	})
	for i := range r.Modules {
		if p := s.parts[keyOf(&mods.Modules()[i])]; p != nil {
			p.os, p.system = word(r.SystemInfo.OS), r.Modules[i].System
		}
	}
	return r, nil
}

// callSizes are the distances from a return address at which programs search for the call: the last
// byte of an instruction of any size, an instruction of 4 bytes, and one with a delay slot (MIPS).
var callSizes = []uint64{0, 1, 4, 8}

// systems are the words of MODULE records for the operating systems of reports. Other systems have
// the same word in both. Source: Breakpad's docs/symbol_files.md.
var systems = map[process.OS]string{process.Windows: "windows", process.Mac: "mac", process.IOS: "ios"}

// record records an address, if it is in a module that has symbols.
func (r recorder) record(mods *module.Map, addr uint64) {
	m := mods.At(addr)
	if m == nil {
		return
	}
	k := keyOf(m)
	if _, known := r.s.parts[k]; !known {
		r.For(m)
	}
	if p := r.s.parts[k]; p != nil {
		p.queried[addr-m.Base] = true
	}
}

func keyOf(m *module.Module) key {
	return key{strings.ToLower(module.Basename(m.DebugFile)), strings.ToLower(m.DebugID)}
}

// Modules lists the modules whose symbols the stacks need, in the order of the walk.
func (s *Slicer) Modules() (out []module.Module) {
	for _, p := range s.order {
		if len(p.queried) > 0 {
			out = append(out, p.module)
		}
	}
	return out
}

// Write writes the slice of a module of Modules.
func (s *Slicer) Write(w io.Writer, m *module.Module, names Names) error {
	p := s.parts[keyOf(m)]
	if p == nil {
		return nil
	}
	queried := make([]uint64, 0, len(p.queried))
	for rel := range p.queried {
		queried = append(queried, rel)
	}
	slices.Sort(queried)
	c := newContent(p, queried, names)
	c.mask = s.Mask
	return c.write(w)
}

// A recorder wraps the sources of symbols in recordings.
type recorder struct {
	s    *Slicer
	syms analyze.Symbols
}

var _ analyze.Imager = recorder{}

// For implements analyze.Symbols. Mismatched symbols are no part of a slice.
func (r recorder) For(m *module.Module) (analyze.Source, report.Symbols) {
	source, state := r.syms.For(m)
	k := keyOf(m)
	if source == nil || state.State == report.SymbolsWrongBuild {
		r.s.parts[k] = nil
		return source, state
	}
	p := r.s.parts[k]
	if p == nil {
		p = &moduleNeeds{module: *m, source: source, queried: map[uint64]bool{}}
		if p.module.DebugID == "" && state.GivenID != nil { // a core may not say of which build a file is
			p.module.DebugID = *state.GivenID
		}
		r.s.parts[k], r.s.parts[keyOf(&p.module)], r.s.order = p, p, append(r.s.order, p)
	}
	return recording{source, p.queried}, state
}

// Image implements analyze.Imager, so that the walk is that of the wrapped symbols.
func (r recorder) Image(memory io.ReaderAt, size int64) unwind.Rules {
	if images, ok := r.syms.(analyze.Imager); ok {
		return images.Image(memory, size)
	}
	return nil
}

// GoTable implements analyze.Imager.
func (r recorder) GoTable(memory io.ReaderAt, size int64, base uint64, arch string) analyze.Names {
	if images, ok := r.syms.(analyze.Imager); ok {
		return images.GoTable(memory, size, base, arch)
	}
	return nil
}

// FunctionTable implements analyze.Imager.
func (r recorder) FunctionTable(memory io.ReaderAt, arch *cpu.Arch, entries []byte) unwind.EntryRules {
	if images, ok := r.syms.(analyze.Imager); ok {
		return images.FunctionTable(memory, arch, entries)
	}
	return nil
}

// word is the operating system of MODULE records.
func word(os *string) string {
	if os == nil {
		return ""
	}
	return cmp.Or(systems[process.Named(*os)], *os)
}
