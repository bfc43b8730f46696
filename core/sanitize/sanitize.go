package sanitize

import (
	"errors"

	"crashglass/core/analyze"
	"crashglass/core/bin"
	"crashglass/core/minidump"
)

// Options say what is kept by choice. The zero value keeps the least.
type Options struct {
	Memory bool // all of the stacks' memory, not only what the walks used
	Names  bool // of people, in paths and elsewhere
}

// A Removal is one thing that the new dump lacks.
type Removal struct {
	What  string `json:"what"`  // "the environment", "memory that no stack needs"
	Count int    `json:"count"` // of streams, regions, words or names; 0 when it is one thing
	Bytes int64  `json:"bytes"` // 0 where that says nothing
}

// A Result is a dump that is fit to share, and what became of the rest.
type Result struct {
	Data    []byte
	Before  int64 // size of the dump that it was made of
	Removed []Removal
	Secrets []Secret
	People  []string // names of users that were taken out

	// Changed says how the report of the new dump differs from that of the old
	// one in what happened and in its frames; it is empty when nothing does.
	Changed []string
}

// ErrMicrodump is returned for a log with a microdump, which is no file that
// could be written again: it has nothing but the stack anyway.
var ErrMicrodump = errors.New("sanitize: this is a microdump in a log, which holds little beside the stack: share a part of the log instead")

// Clean makes a dump that is fit to share, walks it with the same symbols, and
// says what is different. It fails when the dump is no minidump that could be
// written again.
func Clean(s *analyze.Session, syms analyze.Symbols, opt Options) (*Result, error) {
	f := s.File()
	if f.Microdump() != nil {
		return nil, ErrMicrodump
	}
	need := &needs{words: map[uint64]bool{}, code: map[uint64]bool{}}
	before, err := need.gather(s, syms)
	if err != nil {
		return nil, err
	}
	c := cleaner{f: f, w: minidump.NewWriter(f.Header()), opt: opt, out: &Result{Before: f.Size(), Removed: []Removal{}, Secrets: []Secret{}, People: []string{}, Changed: []string{}}}
	c.inspect()
	c.memory(need)
	c.streams()
	if c.out.Data, err = c.w.Bytes(); err != nil {
		return nil, err
	}
	after, err := analyze.Open(bin.NewSource(reader(c.out.Data), int64(len(c.out.Data))))
	if err != nil {
		return nil, err
	}
	r, err := after.Report(syms, analyze.Options{})
	if err != nil {
		return nil, err
	}
	c.findLeft()
	c.out.Changed = append(c.out.Changed, differences(before, r)...)
	return c.out, nil
}

// A cleaner writes one dump.
type cleaner struct {
	f    *minidump.File
	w    *minidump.Writer
	opt  Options
	out  *Result
	text masks

	ranges []minidump.Range // all memory of the new file
}

func (c *cleaner) removed(what string, count int, bytes int64) {
	c.out.Removed = append(c.out.Removed, Removal{what, count, bytes})
}
