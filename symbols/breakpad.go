package symbols

import (
	"fmt"
	"slices"

	"crashglass/core/bin"
	"crashglass/symbols/breakpad"
)

// A breakpadFile is a .sym as the Store sees it. Its remarks are those of the
// scan. More may come while addresses are looked up, but what a report says
// must not depend on what was asked before.
type breakpadFile struct {
	*breakpad.File
	brings contents
}

func (f breakpadFile) contents() contents { return f.brings }

func identifyBreakpad(src bin.Source) ([]build, error) {
	m, _, err := breakpad.Identify(src)
	return []build{{ID: m.ID, Name: m.Name, CodeID: m.CodeID, Arch: m.Arch}}, err
}

func openBreakpad(src bin.Source, _ build, opt openOptions) (reader, error) {
	options := breakpad.Options{Progress: opt.progress, Ask: opt.ask > 0 && src.Size() >= opt.ask, Page: opt.askPage}
	if err := useCache(opt.cache, opt.name, src, &options); err != nil {
		return nil, err
	}
	f, err := breakpad.Open(src, options)
	if err != nil {
		return nil, err
	}
	return breakpadFile{f, breakpadContents(f, options.Ask)}, nil
}

// LeastAsked is what Options.Ask should be: to ask for a stack costs as much as
// to scan so much.
const LeastAsked = 32 << 20

// breakpadContents says what a file brings. Odd records are left out of one
// that may be asked: that there are none only a scan can say.
func breakpadContents(f *breakpad.File, asked bool) contents {
	s := f.Stats()
	c := contents{bytes: s.Bytes, has: has{
		functions: s.Funcs > 0, publics: s.Publics > 0, frames: s.CFI+s.Win > 0,
		lines: s.Lines, inlines: s.Inlines,
	}}
	switch {
	case !c.named():
		c.remarks = append(c.remarks, "has rules for unwinding but no names")
	case !c.functions:
		c.remarks = append(c.remarks, "has only public symbols: no lines, and a name may be that of a neighbour")
	}
	if s.UTF16 {
		c.remarks = append(c.remarks, "is UTF-16, as a Windows shell may have made it")
	}
	notes := f.Notes()
	if i := slices.IndexFunc(notes, func(n breakpad.Note) bool { return n.Text == breakpad.NoteCut }); i >= 0 {
		c.remarks = append(c.remarks, "seems to be cut short: its last line has no end")
		notes = slices.Delete(slices.Clone(notes), i, i+1)
	}
	if len(notes) > 0 && !asked {
		c.remarks = append(c.remarks, damage(notes))
	}
	return c
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
