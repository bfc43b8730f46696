package formats

import (
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"crashglass/core/base/bin"
	"crashglass/core/base/bug"
	"crashglass/core/machine/cpu"
	"crashglass/core/process/module"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/formats/elf"
	"crashglass/symbols/formats/gopclntab"
	"crashglass/symbols/formats/macho"
	"crashglass/symbols/formats/pdb"
	"crashglass/symbols/formats/pe"
)

// A nativeFile is the common interface of the readers of libraries and their debug files.
type nativeFile interface {
	Source
	Lister
	Module() module.Module
	Notes() []string
}

// A native is such a file as a Reader. Each format has a function that makes it.
type native struct {
	nativeFile
	split bool // it is a part of another file's debug information

	capabilities func() Capabilities                         // called once, when the file is opened for a module
	first        func(func(*symbolize.Function) error) error // lists at least the first functions
	hasRules     func() bool                                 // whether there are unwind rules; nil: listing them shows it

	// limit says what the file lacks although it is undamaged, missing which of its parts are in other files, each as
	// the end of a sentence about the file. Both may be nil.
	limit   func() string
	missing func() []string

	unsplit func() []string // the first files of split DWARF that are missing, or nil

	can      Capabilities
	contents Contents
}

// Capabilities implements Reader.
func (n *native) Capabilities() *Capabilities { return &n.can }

// Contents lists the damage known so far: files are read lazily, so more may be found later.
func (n *native) Contents() Contents {
	c := n.contents
	if n.limit != nil {
		c.Limit = n.limit()
	}
	if c.Limit != "" {
		c.Remarks = []string{c.Limit}
		return c
	}
	if c.Damage = n.Notes(); len(c.Damage) > 0 {
		c.Remarks = []string{damaged(c.Damage)}
	}
	if n.missing != nil {
		c.Missing = n.missing()
		c.Remarks = append(c.Remarks, c.Missing...)
	}
	if n.unsplit != nil {
		c.Split = n.unsplit()
	}
	return c
}

// damaged has the first of several defects.
func damaged(notes []string) string {
	remark := "is damaged: " + notes[0]
	if more := len(notes) - 1; more > 0 {
		remark += fmt.Sprintf(", and %d more", more)
	}
	return remark
}

// An opener opens a file of one format, as one part for each CPU.
type opener func(bin.Source, Options, Build) ([]*native, error)

func openPDB(src bin.Source, opt Options, _ Build) ([]*native, error) {
	f, err := pdb.Open(src, pdb.Options{Search: opt.searches(src), BeforeRead: opt.BeforeRead})
	if err != nil {
		return nil, err
	}
	return []*native{{nativeFile: f, first: f.EachFirst, limit: f.Limit, capabilities: func() Capabilities {
		return Capabilities{Lister: f, Search: f, Scopes: f, Statics: f, Languages: f, Classes: f, Data: f, Sums: f}
	}}}, nil
}

func openPE(src bin.Source, opt Options, _ Build) ([]*native, error) {
	f, err := pe.Open(src, pe.Options{Progress: opt.Progress})
	if err != nil {
		return nil, err
	}
	return []*native{{nativeFile: f, first: f.EachFunction, capabilities: func() Capabilities {
		can := withDWARF(f, f.DWARF())
		can.Image, can.Unnamed, can.Data = f, f, f
		return can
	}}}, nil
}

func openELF(src bin.Source, opt Options, _ Build) ([]*native, error) {
	f, err := Input{src, opt}.openELF()
	if err != nil {
		return nil, err
	}
	return []*native{nativeELF(f)}, nil
}

func (i Input) openELF() (*elf.File, error) {
	opt := i.Options
	return elf.Open(i.Source, elf.Options{Progress: opt.Progress, Search: opt.searches(i.Source), BeforeRead: opt.BeforeRead, Name: path.Base(opt.Name)})
}

func nativeELF(f *elf.File) *native {
	return &native{nativeFile: f, split: f.IsSplit(), first: f.EachFirst, hasRules: f.HasRules, missing: f.Missing, unsplit: f.MissingSplit, capabilities: func() Capabilities {
		can := withDWARF(f, f.DWARF())
		can.Image, can.Layout, can.Search, can.Data, can.DataNames, can.VtableWords = f, f, f.DWARF(), f, f, f
		can.Links = func() (Links, bool) { return linksOf(f), true }
		return can
	}}
}

func openMachO(src bin.Source, opt Options, b Build) (out []*native, err error) {
	all, err := openSlices(src, opt, b)
	for _, f := range all {
		out = append(out, nativeMachO(f))
	}
	return out, err
}

func openSlices(src bin.Source, opt Options, b Build) ([]*macho.File, error) {
	return macho.OpenAll(src, macho.Options{Progress: opt.Progress, Search: opt.searches(src), BeforeRead: opt.BeforeRead, SymbolMap: opt.hiddenNames(b.CodeID)})
}

func nativeMachO(f *macho.File) *native {
	return &native{nativeFile: f, split: f.IsObject(), first: f.EachFirst, missing: f.Missing, capabilities: func() Capabilities {
		can := withDWARF(f, f.DWARF())
		can.Image, can.Search, can.Links = f, f.DWARF(), func() (Links, bool) {
			wants := f.WantsObjects()
			return Links{Parts: wants}, wants
		}
		return can
	}}
}

func nativeFormat(open opener, system string, traits Traits) Format {
	return Format{
		System: system, Traits: traits,
		Identifies: func(src bin.Source) (out []Build, err error) {
			files, err := open(src, Options{}, Build{})
			for _, f := range files {
				b := buildOf(f.Module())
				b.Split = f.split
				out = append(out, b)
			}
			return out, err
		},
		Opens: func(src bin.Source, b Build, opt Options) (Reader, error) {
			files, err := open(src, opt, b)
			if err != nil {
				return nil, err
			}
			return files[partOf(files, b)].use(src.Size())
		},
	}
}

// partOf is the index of the file for a Build, or the first.
func partOf[F interface{ Module() module.Module }](files []F, b Build) int {
	return max(slices.IndexFunc(files, func(f F) bool { return buildOf(f.Module()) == b }), 0)
}

// use makes a file ready to answer queries.
func (n *native) use(size int64) (Reader, error) {
	n.can, n.contents.Bytes = n.capabilities(), size
	return n, n.readContents()
}

// enough is how many functions are read to learn whether a file has lines.
const enough = 256

var errEnough = errors.New("formats: enough is known")

// readContents learns the contents of a file from its first records of each kind. A few functions do
// not show whether there are inlined calls, so a file with lines counts as having them. It fails only
// by a bug: damage is reported when everything is read.
func (n *native) readContents() error {
	seen, has := 0, &n.contents.Has
	err := n.first(func(f *symbolize.Function) error {
		has.Functions = true
		has.Lines = has.Lines || len(f.Lines) > 0
		if seen++; has.Lines || seen >= enough {
			return errEnough
		}
		return nil
	})
	if failed := bugIn(err); failed != nil {
		return failed
	}
	has.Inlines, has.Variables = has.Lines, has.Lines && n.can.Scopes != nil
	has.Publics = has.Functions
	if !has.Publics { // else they say no more, and finding one may take reading everything
		_ = n.EachPublic(func(symbolize.Public) error {
			has.Publics = true
			return errEnough
		})
	}
	// Listing even the first rules in the order of addresses needs all of them.
	if has.Frames = n.hasRules != nil && n.hasRules(); !has.Frames {
		err = n.EachCallFrame(func(*unwind.CallFrameTable) error {
			has.Frames = true
			return errEnough
		})
	}
	if failed := bugIn(err); failed != nil {
		return failed
	}
	_ = n.EachWinFrame(func(unwind.WinFrame) error {
		has.Frames = true
		return errEnough
	})
	has.Code = n.HasCode()
	return nil
}

// bugIn returns the bug that an error reports, or nil.
func bugIn(err error) error {
	var failed *bug.Error
	if errors.As(err, &failed) {
		return failed
	}
	return nil
}

// FunctionTable returns the unwind rules of Windows' function entries for code without an image, or nil if there are none. Memory begins at
// the base of the entries.
func FunctionTable(memory bin.Source, arch *cpu.Arch, entries []byte) unwind.EntryRules {
	return pe.FunctionTable(memory, arch, entries)
}

// An Object is the names and unwind rules of code.
type Object interface {
	Source
	unwind.Rules
	Base() uint64                          // the others are relative to it
	EachCode(each func(addr, size uint64)) // the memory of its code
}

// OpenObject reads what a program registered with debuggers: an ELF file in memory.
func OpenObject(memory io.ReaderAt, size int64) (Object, error) { return elf.OpenPlaced(memory, size) }

// A goProgram is Go's table in the memory of a process. It names all code of Go, and no other.
type goProgram struct{ *gopclntab.Table }

// HasNames and HasCode implement unwind.Rules.
func (goProgram) HasNames() bool { return false }
func (goProgram) HasCode() bool  { return false }

// GoTable returns the names and unwind rules of a program of Go by its own table, in the memory of the module at base; nil if that lacks the table.
func GoTable(memory io.ReaderAt, size int64, base uint64, arch string) (names interface {
	Source
	unwind.Rules
}) {
	if t := gopclntab.InMemory(memory, size, base, arch); t.Len() > 0 {
		return goProgram{t}
	}
	return nil
}

// Image returns the unwind rules of an image of Windows in memory, or nil for other memory.
func Image(memory bin.Source) unwind.Rules {
	f, err := pe.Open(memory, pe.Options{Mapped: true})
	if err != nil || !f.HasRules() {
		return nil
	}
	return f
}
