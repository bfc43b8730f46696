package symbols

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
	"crashglass/symbols/elf"
	"crashglass/symbols/macho"
	"crashglass/symbols/pdb"
	"crashglass/symbols/pe"
)

// A nativeFile is what the readers of libraries and their debug files have in
// common.
type nativeFile interface {
	Source
	symbolize.Lister
	unwind.Lister
	Module() module.Module
	Notes() []string
}

// A native is such a file as the Store sees it.
type native struct {
	nativeFile
	brings contents
}

// A limited file may lack what others of its kind have, without damage.
type limited interface {
	// Limit says what, and what to do about it, to follow the file's name.
	Limit() string
}

// contents has what is known to be damaged by now: files are read lazily, and
// much shows when it is asked for.
func (n native) contents() contents {
	brings := n.brings
	if l, ok := n.nativeFile.(limited); ok {
		brings.limit = l.Limit()
	}
	if brings.limit != "" {
		brings.remarks = []string{brings.limit}
		return brings
	}
	if notes := n.Notes(); len(notes) > 0 {
		remark := "is damaged: " + notes[0]
		if more := len(notes) - 1; more > 0 {
			remark += fmt.Sprintf(", and %d more", more)
		}
		brings.remarks = []string{remark}
	}
	return brings
}

// ReadImage copies code, if the file has any.
func (n native) ReadImage(rel uint64, p []byte) int {
	if image, ok := n.nativeFile.(symbolize.Image); ok {
		return image.ReadImage(rel, p)
	}
	return 0
}

// openers open each kind of native file, one part for each CPU.
var openers = map[Kind]func(bin.Source, openOptions) ([]nativeFile, error){
	PDB: func(src bin.Source, _ openOptions) ([]nativeFile, error) {
		return one(pdb.Open(src, pdb.Options{}))
	},
	PE: func(src bin.Source, opt openOptions) ([]nativeFile, error) {
		return one(pe.Open(src, pe.Options{Progress: opt.progress}))
	},
	ELF: func(src bin.Source, opt openOptions) ([]nativeFile, error) {
		return one(elf.Open(src, elf.Options{Progress: opt.progress, Name: path.Base(opt.name)}))
	},
	MachO: func(src bin.Source, opt openOptions) ([]nativeFile, error) {
		all, err := macho.OpenAll(src, macho.Options{Progress: opt.progress, SymbolMap: opt.hiddenNames})
		if err != nil {
			return nil, err
		}
		var out []nativeFile
		for _, f := range all {
			out = append(out, f)
		}
		return out, nil
	},
}

func one[F nativeFile](f F, err error) ([]nativeFile, error) {
	if err != nil {
		return nil, err
	}
	return []nativeFile{f}, nil
}

func init() {
	for k, open := range openers {
		formats[k] = nativeFormat(open)
	}
}

func nativeFormat(open func(bin.Source, openOptions) ([]nativeFile, error)) format {
	return format{
		identify: func(src bin.Source) (out []build, err error) {
			files, err := open(src, openOptions{})
			for _, f := range files {
				b := buildOf(f.Module())
				b.split = isSplit(f)
				out = append(out, b)
			}
			return out, err
		},
		open: func(src bin.Source, b build, opt openOptions) (reader, error) {
			if opt.symbolMap != nil && len(b.CodeID) == uuidDigits {
				opt.hiddenNames = opt.symbolMap(b.CodeID)
			}
			files, err := open(src, opt)
			if err != nil {
				return nil, err
			}
			i := slices.IndexFunc(files, func(f nativeFile) bool { return buildOf(f.Module()) == b })
			return newNative(files[max(i, 0)], src.Size())
		},
	}
}

func newNative(f nativeFile, size int64) (native, error) {
	n := native{f, contents{bytes: size}}
	return n, n.look()
}

// enough is how many functions are looked at to learn whether a file has lines.
const enough = 256

var errEnough = errors.New("symbols: enough is known")

// look learns what a file brings from the first of each that it lists. That
// there are inlined calls is not known from few functions: where there are
// lines, the formats have those, too. It fails for a bug of ours alone: what is
// damaged is told when all is asked for.
func (n *native) look() error {
	seen := 0
	err := n.EachFunction(func(f *symbolize.Function) error {
		n.brings.functions = true
		n.brings.lines = n.brings.lines || len(f.Lines) > 0
		n.brings.inlines = n.brings.lines
		n.brings.variables = n.brings.lines && variablesOf(n.nativeFile) != nil
		if seen++; n.brings.lines || seen >= enough {
			return errEnough
		}
		return nil
	})
	var failed *bug.Error
	if errors.As(err, &failed) {
		return failed
	}
	n.brings.publics = n.brings.functions
	if !n.brings.publics { // else they say no more, and finding one may take reading everything
		_ = n.EachPublic(func(symbolize.Public) error {
			n.brings.publics = true
			return errEnough
		})
	}
	err = n.EachCallFrame(func(*unwind.CallFrameTable) error {
		n.brings.frames = true
		return errEnough
	})
	if errors.As(err, &failed) {
		return failed
	}
	_ = n.EachWinFrame(func(unwind.WinFrame) error {
		n.brings.frames = true
		return errEnough
	})
	n.brings.code = n.HasCode()
	return nil
}
