package formats

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/process"
	"crashglass/symbols/formats/breakpad"
)

// A breakpadFile is a .sym as a Reader. Its remarks are those of the scan. Lookups may find more,
// but a report must not depend on earlier lookups.
type breakpadFile struct {
	*breakpad.File
	contents Contents
	can      *Capabilities
}

// Contents implements Reader.
func (f breakpadFile) Contents() Contents { return f.contents }

// Capabilities implements Reader.
func (f breakpadFile) Capabilities() *Capabilities { return f.can }

func identifyBreakpad(src bin.Source) ([]Build, error) {
	m, _, err := breakpad.Identify(src)
	return []Build{{ID: m.ID, Name: m.Name, CodeID: m.CodeID, Arch: m.Arch}}, err
}

func openBreakpad(src bin.Source, _ Build, opt Options) (Reader, error) {
	options := breakpad.Options{Progress: opt.Progress, Search: opt.searches(src), Page: opt.SearchPage}
	if opt.BeforeScan != nil {
		options.BeforeScan = func() (bin.Source, error) { return bin.Source{}, opt.BeforeScan() }
	} else if err := useCache(opt.Cache, opt.Name, src, &options); err != nil {
		return nil, err
	}
	f, err := breakpad.Open(src, options)
	if err != nil {
		return nil, err
	}
	return breakpadFile{f, breakpadContents(f, options.Search), &Capabilities{Search: f, FinalNames: true}}, nil
}

// For a file that may be searched it omits odd records, because only a scan can count them.
func breakpadContents(f *breakpad.File, searched bool) Contents {
	s := f.Stats()
	c := Contents{Bytes: s.Bytes, Has: Has{
		Functions: s.Funcs > 0, Publics: s.Publics > 0, Frames: s.CFI+s.Win > 0,
		Lines: s.Lines, Inlines: s.Inlines,
	}}
	switch {
	case !c.Named():
		c.Remarks = append(c.Remarks, "has rules for unwinding but no names")
	case !c.Functions:
		c.Remarks = append(c.Remarks, "has only public symbols: no lines, and a name may be that of a neighbour")
	}
	if s.UTF16 {
		c.Remarks = append(c.Remarks, "is UTF-16, as a Windows shell may have made it")
	}
	notes := f.Notes()
	if i := slices.IndexFunc(notes, func(n breakpad.Note) bool { return n.Text == breakpad.NoteCut }); i >= 0 {
		c.Remarks = append(c.Remarks, "seems to be cut short: its last line has no end")
		c.Odd = &Odd{Line: notes[i].Line, Cut: true}
		notes = slices.Delete(slices.Clone(notes), i, i+1)
	}
	if len(notes) > 0 && !searched {
		c.Remarks = append(c.Remarks, damage(notes))
		c.Odd = withLines(c.Odd, notes)
	}
	return c
}

func withLines(odd *Odd, notes []breakpad.Note) *Odd {
	lost := slices.DeleteFunc(slices.Clone(notes), func(n breakpad.Note) bool { return !n.IsDamage() })
	if len(lost) == 0 {
		return odd
	}
	odd = cmp.Or(odd, &Odd{Line: lost[0].Line})
	odd.Records = records(lost)
	return odd
}

func records(notes []breakpad.Note) (n int) {
	for _, note := range notes {
		n += note.Count
	}
	return n
}

func damage(notes []breakpad.Note) string {
	n, first := records(notes), notes[0]
	where := fmt.Sprintf("at %#x", first.Offset)
	if first.Line > 0 {
		where = fmt.Sprintf("in line %d", first.Line)
	}
	if n == 1 {
		return fmt.Sprintf("has one odd record, %s: %s", where, first.Text)
	}
	return fmt.Sprintf("has %d odd records, the first %s: %s", n, where, first.Text)
}

// A Cache keeps indexes of symbol files from one run to the next. Keys are 64 hex digits. It may
// lose, damage or confuse them: an incomplete or wrong index costs a scan and never causes a wrong
// answer. It must not call its caller, and may be called from several goroutines.
type Cache interface {
	// Get returns the index of a key, or an empty source. name is the file's name in reports. With
	// [ErrPending] the file is not read now, as if its reading had been stopped.
	Get(name, key string) (index bin.Source, err error)

	// Put may keep the result of index under a key. It must not call index after it returns.
	Put(key string, index func() []byte)
}

// ErrPending is a Cache's error for a file whose index another worker is making: the lookup may be
// repeated when it is there.
var ErrPending = errors.New("its index is still being made")

// leastCached is the size of the smallest file whose index is worth keeping: below it a scan is as
// fast as the search for an index.
const leastCached = 4 << 20

// A searched file uses the cache only when an answer is not certain.
func useCache(c Cache, name string, src bin.Source, opt *breakpad.Options) error {
	if c == nil || src.Size() < leastCached && !opt.Search {
		return nil
	}
	key, err := breakpad.Key(src)
	if err != nil {
		return nil // opening it gives the same error
	}
	get := func() (bin.Source, error) { return c.Get(name, key) }
	if opt.Search {
		opt.BeforeScan = get
	} else {
		opt.Index, err = get()
	}
	opt.Scanned = func(index func() []byte) { c.Put(key, index) }
	return err
}

// A Content is what Write writes.
type Content = breakpad.Content

// Write writes a symbol file: see [breakpad.Write].
func Write(w io.Writer, c Content) error { return breakpad.Write(w, c) }

// A Header has the fields of the MODULE and INFO records of a symbol file.
type Header = breakpad.Module

// Header returns the MODULE record of a build. Only the records of Windows have the library's name.
func (f Format) Header(b Build) Header {
	m := Header{OS: f.System, Arch: breakpad.ArchWord(b.Arch), ID: b.ID, Name: b.Name, CodeID: strings.ToUpper(b.CodeID)}
	if process.OS(m.OS).IsWindows() {
		m.CodeFile = b.CodeFile
	}
	return m
}
