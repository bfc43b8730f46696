package sanitize

import (
	"errors"
	"fmt"
	"slices"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/write"
	"crashglass/core/process"
)

// Options select optional data to keep. The zero value keeps the least.
type Options struct {
	Memory bool // all of the stacks' memory, not only what the walks used
	Names  bool // names of people, in paths and elsewhere

	Kernel KernelWriter // for dumps of the Windows kernel
}

// A Removal is one kind of data that was removed.
type Removal struct {
	What  string `json:"what"`  // "the environment", "memory that no stack needs"
	Count int    `json:"count"` // of streams, regions, words or names; 0 when it is one thing
	Bytes int64  `json:"bytes"` // 0 if it has no meaning
}

// A Result is a dump that is fit to share, with a list of what was removed.
type Result struct {
	Data    []byte
	Text    bool  // it is a report that is text, and no minidump
	Before  int64 // size of the original dump
	Removed []Removal
	Secrets []Secret
	People  []string // names of users that were removed

	// Changed lists the differences between the reports of the new and the old dump, in the crash
	// and in the stacks. It is empty when there are none.
	Changed []string
}

// Join adds the result of the next report of a log.
func (r *Result) Join(next *Result) {
	r.Data = append(append(r.Data, '\n'), next.Data...)
	r.Before += next.Before
	r.Removed, r.Secrets, r.Changed = append(r.Removed, next.Removed...), append(r.Secrets, next.Secrets...), append(r.Changed, next.Changed...)
	for _, name := range next.People {
		if !slices.Contains(r.People, name) {
			r.People = append(r.People, name)
		}
	}
}

// ErrMicrodump is returned for a log with a microdump, which cannot be written again and has little but the stack.
var ErrMicrodump = errors.New("sanitize: this file cannot be written again as a smaller dump: share a masked report instead, or a part of the log that it is in")

// ErrKernel is returned for a dump of the kernel without a [KernelWriter]: by the page.
var ErrKernel = errors.New("sanitize: only the program for the command line makes a smaller dump of the Windows kernel: crashglass sanitize -o small.dmp MEMORY.DMP")

// Clean makes a dump that is fit to share, walks it with the same symbols and without any, and lists
// the differences. Nothing stays to keep a stack the same. It fails for a microdump, and for a dump
// that cannot be written.
func Clean(s *analyze.Session, syms analyze.Symbols, opt Options) (*Result, error) {
	if s.Process().Origin.Excerpt != nil {
		return cleanText(s, syms, opt)
	}
	isKernel := s.Process().Event.IsBugCheck()
	switch {
	case s.Process().Lacks.Has(process.Copy):
		return nil, ErrMicrodump
	case isKernel && opt.Kernel.write == nil:
		return nil, ErrKernel
	}
	streams := s.Streams
	if isKernel {
		streams = func() (*minidump.File, error) { return opt.Kernel.streams(s) }
	}
	f, err := streams()
	if err != nil {
		return nil, err
	}
	need := newNeeds(s)
	views, err := need.gather(s, syms)
	if err != nil {
		return nil, err
	}
	c := cleaner{s: s, library: s.Code(syms), f: f, opt: opt, need: need, out: &Result{Before: s.Process().Origin.Size, Secrets: []Secret{}, People: []string{}}}
	c.findCode()
	c.inspect()
	if err := c.write(); err != nil {
		return nil, err
	}
	if err := c.findLeft(); err != nil {
		return nil, err
	}
	if isKernel {
		if err := opt.Kernel.write(&c); err != nil {
			return nil, err
		}
	}
	if c.out.Changed, err = c.verify(views); err != nil {
		return nil, err
	}
	return c.out, nil
}

func (c *cleaner) write() (err error) {
	c.w, c.out.Removed = write.New(c.f.Header()), []Removal{}
	c.contexts = map[minidump.Location]minidump.Location{}
	c.memory()
	c.streams()
	c.w.RemovedData(c.lost)
	if c.textWords > 0 {
		c.removed("texts in registers, saved registers and parameters of the exception", c.textWords, 0)
	}
	c.out.Data, err = c.w.Bytes()
	return err
}

func (c *cleaner) verify(views []view) ([]string, error) {
	s, err := c.result()
	if err != nil {
		return nil, err
	}
	return differences(s, views, &changes{said: []string{}, words: c.mem.reader(), texts: c.mem.said})
}

// differences lists how the reports of a new file differ.
func differences(s *analyze.Session, views []view, out *changes) ([]string, error) {
	for _, v := range views {
		after, err := s.Report(v.syms, analyze.Options{})
		if err != nil {
			return nil, err
		}
		out.compare(v.prefix, v.before, after)
	}
	if out.more > 0 {
		out.said = append(out.said, fmt.Sprintf("%d more differences", out.more))
	}
	return out.said, nil
}

// result opens the new dump.
func (c *cleaner) result() (*analyze.Session, error) {
	src := bin.NewSource(reader(c.out.Data), int64(len(c.out.Data)))
	if !c.s.Process().Event.IsBugCheck() {
		return analyze.Open(src)
	}
	all, err := analyze.OpenAll(src)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// A cleaner writes one dump.
type cleaner struct {
	s       *analyze.Session
	library func(addr uint64, p []byte) int // reads code of the modules' files
	f       *minidump.File
	w       *write.Writer
	opt     Options
	out     *Result
	text    masks

	need     *needs
	mem      *mapped
	ranges   []minidump.Range                        // all memory of the new file
	contexts map[minidump.Location]minidump.Location // in the new file, by those in the old one

	inMemory []spot // places of secrets in memory
	mails    int    // number of e-mail addresses found

	textWords int                 // words with text, which are masked
	lost      []minidump.Location // parts of the new file in place of what was removed
}

func (c *cleaner) removed(what string, count int, bytes int64) {
	c.out.Removed = append(c.out.Removed, Removal{what, count, bytes})
}
