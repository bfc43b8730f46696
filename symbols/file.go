package symbols

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"crashglass/core/bin"
	"crashglass/core/module"
	"crashglass/symbols/breakpad"
)

// A file is one symbol file, of which no more is known at first than what its
// first lines say.
type file struct {
	name   string // as the person knows it, with the archives that it is in
	size   int64  // -1 when it is not known without decompressing
	module breakpad.Module
	id     id
	codeID id
	arch   string
	stems  [2]string // of the names that it has
	open   func() (bin.Source, error)

	useless bool // known from the start; flaw says why
	tried   bool
	parsed  *breakpad.File
	flaw    string // what is wrong with it, to follow its name

	// notes are those of the scan. More may come while addresses are looked
	// up, but what a report says must not depend on what was asked before.
	notes []breakpad.Note
}

// newUseless makes a file that explains why a module has no symbols: it is in
// the place of a symbol file, or has the name of one, and is none.
func newUseless(name string, size int64, m breakpad.Module, flaw string) *file {
	f := newFile(name, size, m, nil)
	f.tried, f.useless, f.flaw = true, true, flaw
	return f
}

// symNamed reports whether a file has the name of a symbol file.
func symNamed(name string) bool {
	name = strings.ToLower(name)
	for _, ending := range []string{".gz", ".zst", ".xz"} {
		name = strings.TrimSuffix(name, ending)
	}
	return strings.HasSuffix(name, ".sym")
}

func newFile(name string, size int64, m breakpad.Module, open func() (bin.Source, error)) *file {
	return &file{
		name: name, size: size, module: m, id: idOf(m.ID), codeID: codeIDOf(m.CodeID), arch: archOf(m.Arch),
		stems: [2]string{stem(m.Name), stem(name)}, open: open,
	}
}

// errStopped wraps the error of whoever wanted no more progress.
type errStopped struct{ error }

func (e errStopped) Unwrap() error { return e.error }

// load indexes the file, once. It fails only when it was stopped; then it may
// be tried again.
func (f *file) load(progress func(name string, done, total int64) error, cache Cache) error {
	if f.tried {
		return nil
	}
	var stopped error
	src, openErr := f.open()
	if openErr != nil && errors.As(openErr, &errStopped{}) {
		return openErr
	}
	f.flaw = flawOf(openErr)
	if src.Size() > 0 {
		opt := breakpad.Options{Progress: func(done, total int64) error {
			if progress != nil {
				stopped = progress(f.name, done, total)
			}
			return stopped
		}}
		useCache(cache, src, &opt)
		parsed, err := breakpad.Open(src, opt)
		if stopped != nil {
			return errStopped{stopped}
		}
		f.parsed = parsed
		if parsed != nil {
			f.notes = parsed.Notes()
		}
		if err != nil {
			f.flaw = flawOf(err)
		}
	} else if f.flaw == "" {
		f.flaw = "is empty"
	}
	f.tried = true
	return nil
}

func flawOf(err error) string {
	if err == nil {
		return ""
	}
	return "cannot be read: " + err.Error()
}

// usable reports whether anything can be done with a loaded file, and says
// why not.
func (f *file) usable() (bool, string) {
	if f.parsed == nil {
		return false, f.flaw
	}
	if s := f.parsed.Stats(); s.Funcs+s.Publics+s.CFI+s.Win == 0 {
		return false, "has no record of any function, symbol or unwinding rule"
	}
	return true, f.flaw
}

// remark says in one sentence what is odd about a loaded file that is used,
// or "".
func (f *file) remark() string {
	var said []string
	if f.flaw != "" {
		said = append(said, f.flaw)
	}
	s := f.parsed.Stats()
	switch {
	case s.Funcs == 0 && s.Publics == 0:
		said = append(said, "has rules for unwinding but no names")
	case s.Funcs == 0:
		said = append(said, "has only public symbols: no lines, and a name may be that of a neighbour")
	}
	if s.UTF16 {
		said = append(said, "is UTF-16, as a Windows shell may have made it")
	}
	notes := f.notes
	if i := slices.IndexFunc(notes, func(n breakpad.Note) bool { return n.Text == breakpad.NoteCut }); i >= 0 {
		said = append(said, "seems to be cut short: its last line has no end")
		notes = slices.Delete(slices.Clone(notes), i, i+1)
	}
	if len(notes) > 0 {
		said = append(said, damage(notes))
	}
	return strings.Join(said, "; ")
}

// damage sums notes up.
func damage(notes []breakpad.Note) string {
	n := 0
	for _, note := range notes {
		n += note.Count
	}
	first := notes[0]
	where := fmt.Sprintf("at %#x", first.Offset)
	if first.Line > 0 {
		where = fmt.Sprintf("in line %d", first.Line)
	}
	if n == 1 {
		return fmt.Sprintf("has one odd record, %s: %s", where, first.Text)
	}
	return fmt.Sprintf("has %d odd records, the first %s: %s", n, where, first.Text)
}

// stem is a name as it is compared: without folders, without the endings that
// differ between a program, its debug file and its symbol file, and in one case.
func stem(name string) string {
	name = strings.ToLower(path.Base(module.Basename(name)))
	for trimmed := true; trimmed; {
		trimmed = false
		for _, ending := range []string{".gz", ".zst", ".xz", ".sym", ".pdb", ".exe", ".dll", ".dbg", ".debug"} {
			if s, ok := strings.CutSuffix(name, ending); ok && s != "" {
				name, trimmed = s, true
			}
		}
	}
	return name
}
