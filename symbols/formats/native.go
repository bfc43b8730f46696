package formats

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"crashglass/core/bin"
	"crashglass/core/bug"
	"crashglass/core/module"
	"crashglass/core/symbolize"
	"crashglass/core/unwind"
	"crashglass/core/variables"
	"crashglass/symbols/elf"
	"crashglass/symbols/macho"
	"crashglass/symbols/pdb"
	"crashglass/symbols/pe"
)

// A nativeFile is the common interface of the readers of libraries and their debug files.
type nativeFile interface {
	Source
	symbolize.Lister
	unwind.Lister
	Module() module.Module
	Notes() []string
}

// A native is such a file as a Reader.
type native struct {
	nativeFile
	brings Contents
}

// A limited file may lack data that others of its kind have, without damage.
type limited interface {
	// Limit says what, and what to do about it, to follow the file's name.
	Limit() string
}

// An incomplete file may have parts in other files, which were not given.
type incomplete interface {
	// Missing says which, and what to do about it, to follow the file's name.
	Missing() []string
}

// Contents lists the damage known so far: files are read lazily, so more may be found later.
func (n native) Contents() Contents {
	brings := n.brings
	if l, ok := n.nativeFile.(limited); ok {
		brings.Limit = l.Limit()
	}
	if brings.Limit != "" {
		brings.Remarks = []string{brings.Limit}
		return brings
	}
	if brings.Damage = n.Notes(); len(brings.Damage) > 0 {
		brings.Remarks = []string{damaged(brings.Damage)}
	}
	if i, ok := n.nativeFile.(incomplete); ok {
		brings.Missing = i.Missing()
		brings.Remarks = append(brings.Remarks, brings.Missing...)
	}
	return brings
}

// damaged has the first of several defects.
func damaged(notes []string) string {
	remark := "is damaged: " + notes[0]
	if more := len(notes) - 1; more > 0 {
		remark += fmt.Sprintf(", and %d more", more)
	}
	return remark
}

// ReadImage copies code, if the file has any.
func (n native) ReadImage(rel uint64, p []byte) int {
	if image, ok := n.nativeFile.(symbolize.Image); ok {
		return image.ReadImage(rel, p)
	}
	return 0
}

// An opener opens a file of one format, as one part for each CPU.
type opener func(bin.Source, Options, Build) ([]nativeFile, error)

func openPDB(src bin.Source, opt Options, _ Build) ([]nativeFile, error) {
	return one(pdb.Open(src, pdb.Options{Ask: opt.asks(src), Later: opt.Later}))
}

func openPE(src bin.Source, opt Options, _ Build) ([]nativeFile, error) {
	return one(pe.Open(src, pe.Options{Progress: opt.Progress}))
}

func openELF(src bin.Source, opt Options, _ Build) ([]nativeFile, error) {
	return one(Given{src, opt}.openELF())
}

func (g Given) openELF() (*elf.File, error) {
	return elf.Open(g.Source, elf.Options{Progress: g.Options.Progress, Ask: g.Options.asks(g.Source), Later: g.Options.Later, Name: path.Base(g.Options.Name)})
}

func openMachO(src bin.Source, opt Options, b Build) (out []nativeFile, err error) {
	all, err := macho.OpenAll(src, macho.Options{Progress: opt.Progress, Ask: opt.asks(src), Later: opt.Later, SymbolMap: opt.hiddenNames(b.CodeID)})
	for _, f := range all {
		out = append(out, f)
	}
	return out, err
}

func one[F nativeFile](f F, err error) ([]nativeFile, error) {
	if err != nil {
		return nil, err
	}
	return []nativeFile{f}, nil
}

// nativeFormat is the Format of what an opener opens.
func nativeFormat(open opener, system string, traits Traits) Format {
	return Format{
		System: system, Traits: traits,
		Identifies: func(src bin.Source) (out []Build, err error) {
			files, err := open(src, Options{}, Build{})
			for _, f := range files {
				b := buildOf(f.Module())
				b.Split = isSplit(f)
				out = append(out, b)
			}
			return out, err
		},
		Opens: func(src bin.Source, b Build, opt Options) (Reader, error) {
			files, err := open(src, opt, b)
			if err != nil {
				return nil, err
			}
			i := slices.IndexFunc(files, func(f nativeFile) bool { return buildOf(f.Module()) == b })
			return newNative(files[max(i, 0)], src.Size())
		},
	}
}

// isSplit reports whether a file is a .dwo or .dwp.
func isSplit(f nativeFile) bool {
	e, ok := f.(*elf.File)
	return ok && e.IsSplit()
}

func newNative(f nativeFile, size int64) (native, error) {
	n := native{f, Contents{Bytes: size}}
	return n, n.look()
}

// enough is how many functions are read to learn whether a file has lines.
const enough = 256

var errEnough = errors.New("formats: enough is known")

// knowsVariables reports whether a file may know arguments and locals.
func knowsVariables(file any) bool {
	f, ok := file.(interface{ Variables() variables.Source })
	return ok && f.Variables() != nil
}

// look learns the contents of a file from its first records of each kind. A few functions do not
// show whether there are inlined calls, so a file with lines counts as having them. It fails only
// by a bug: damage is reported when everything is read.
func (n *native) look() error {
	seen := 0
	each := n.EachFunction
	if f, ok := n.nativeFile.(interface {
		EachFirst(func(*symbolize.Function) error) error
	}); ok {
		each = f.EachFirst
	}
	err := each(func(f *symbolize.Function) error {
		n.brings.Functions = true
		n.brings.Lines = n.brings.Lines || len(f.Lines) > 0
		n.brings.Inlines = n.brings.Lines
		n.brings.Variables = n.brings.Lines && knowsVariables(n.nativeFile)
		if seen++; n.brings.Lines || seen >= enough {
			return errEnough
		}
		return nil
	})
	var failed *bug.Error
	if errors.As(err, &failed) {
		return failed
	}
	n.brings.Publics = n.brings.Functions
	if !n.brings.Publics { // else they say no more, and finding one may take reading everything
		_ = n.EachPublic(func(symbolize.Public) error {
			n.brings.Publics = true
			return errEnough
		})
	}
	if err := n.lookForRules(); err != nil {
		return err
	}
	_ = n.EachWinFrame(func(unwind.WinFrame) error {
		n.brings.Frames = true
		return errEnough
	})
	n.brings.Code = n.HasCode()
	return nil
}

// lookForRules learns whether there are unwind rules. Listing even the first one in the order of
// addresses needs all of them.
func (n *native) lookForRules() error {
	if f, ok := n.nativeFile.(interface{ HasRules() bool }); ok {
		n.brings.Frames = f.HasRules()
		if n.brings.Frames {
			return nil
		}
	}
	var failed *bug.Error
	err := n.EachCallFrame(func(*unwind.CallFrameTable) error {
		n.brings.Frames = true
		return errEnough
	})
	if errors.As(err, &failed) {
		return failed
	}
	return nil
}
