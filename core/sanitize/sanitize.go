package sanitize

import (
	"errors"

	"crashglass/core/analyze"
	"crashglass/core/bin"
	"crashglass/core/minidump"
	"crashglass/core/minidump/write"
	"crashglass/core/snapshot"
)

// Options select optional data to keep. The zero value keeps the least.
type Options struct {
	Memory bool // all of the stacks' memory, not only what the walks used
	Names  bool // names of people, in paths and elsewhere
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
	Before  int64 // size of the original dump
	Removed []Removal
	Secrets []Secret
	People  []string // names of users that were removed

	// Whole are the ids of threads whose complete stacks were kept, because their walks would have
	// changed.
	Whole []uint32 // never nil

	// Changed lists the differences between the reports of the new and the old dump, in the crash
	// and in the stacks. It is empty when there are none.
	Changed []string
}

// ErrMicrodump is returned for a log with a microdump. A log cannot be written again, and has
// little but the stack.
var ErrMicrodump = errors.New("sanitize: this is a microdump in a log, which holds little beside the stack: share a part of the log instead")

// Clean makes a dump that is fit to share, and walks it with the same symbols and without any. If a
// stack differs, more of it is kept, and remaining differences are listed. It fails for a
// microdump, and for a dump that cannot be written.
func Clean(s *analyze.Session, syms analyze.Symbols, opt Options) (*Result, error) {
	f := s.File()
	if f.Origin.Lacks.Has(snapshot.Copy) {
		return nil, ErrMicrodump
	}
	need := newNeeds(s)
	views, err := need.gather(s, syms)
	if err != nil {
		return nil, err
	}
	c := cleaner{f: f, opt: opt, out: &Result{Before: f.Origin.Size, Secrets: []Secret{}, People: []string{}, Whole: []uint32{}}}
	c.findCode()
	c.inspect()
	for round := 0; ; round++ {
		if err := c.write(need); err != nil {
			return nil, err
		}
		changes, err := c.verify(views)
		if err != nil {
			return nil, err
		}
		c.out.Changed = changes.said
		if len(changes.threads) == 0 && (!changes.crash || need.crash) || round == rounds {
			break
		}
		need.crash = need.crash || changes.crash
		if err := need.mend(round, s, views, changes.threads); err != nil {
			return nil, err
		}
	}
	for i, t := range views[0].before.Threads {
		if need.whole[i] {
			c.out.Whole = append(c.out.Whole, t.ID)
		}
	}
	if err := c.findLeft(); err != nil {
		return nil, err
	}
	return c.out, nil
}

// write writes the new dump.
func (c *cleaner) write(need *needs) (err error) {
	c.out.Data = nil // of the round before, which is as long
	c.w, c.ranges, c.out.Removed = write.New(c.f.Header()), nil, []Removal{}
	c.contexts = map[contextKey]minidump.Location{}
	c.need, c.textWords, c.textThreads = need, 0, nil
	c.memory()
	c.streams()
	if c.textWords > 0 {
		c.removed("words of text in registers, saved registers and parameters of the exception", c.textWords, 0)
	}
	c.out.Data, err = c.w.Bytes()
	return err
}

// verify makes the reports of the new dump and compares them.
func (c *cleaner) verify(views []view) (*changes, error) {
	s, err := analyze.Open(bin.NewSource(reader(c.out.Data), int64(len(c.out.Data))))
	if err != nil {
		return nil, err
	}
	out := &changes{said: []string{}, threads: map[int]bool{}}
	for _, v := range views {
		after, err := s.Report(v.syms, analyze.Options{})
		if err != nil {
			return nil, err
		}
		out.compare(v.prefix, v.before, after)
	}
	return out, nil
}

// A cleaner writes one dump.
type cleaner struct {
	f    *snapshot.Snapshot
	w    *write.Writer
	opt  Options
	out  *Result
	text masks

	need     *needs
	mem      *mapped
	ranges   []minidump.Range                 // all memory of the new file
	contexts map[contextKey]minidump.Location // in the new file

	inMemory []spot // places of secrets in memory
	mails    int    // number of e-mail addresses found

	textWords   int      // words with text that no walk needs, which are zero now
	textThreads []uint32 // threads whose registers keep a text
}

func (c *cleaner) removed(what string, count int, bytes int64) {
	c.out.Removed = append(c.out.Removed, Removal{what, count, bytes})
}
