package symbols

import (
	"crashglass/core/bug"
	"crashglass/core/symbolize"
	"crashglass/core/unwind"
	"crashglass/symbols/formats"
)

// A guarded reader stops answering after a panic in it, or in a library. The panic costs the
// answers of this file, and its remark says so. The reader is not used again: it may hold locks, or
// be in an inconsistent state.
type guarded struct {
	formats.Reader
	f *file
}

// inside returns the reader behind a guard.
func inside(r formats.Reader) formats.Reader {
	if g, ok := r.(guarded); ok {
		return g.Reader
	}
	return r
}

// catch is deferred by every method that calls the reader.
func (g guarded) catch() {
	if p := recover(); p != nil {
		g.f.bug.Store(bug.Of(p))
	}
}

// ok reports whether the reader may be called.
func (g guarded) ok() bool { return g.f.bug.Load() == nil }

// answered calls a question. After a panic there is no answer.
func answered[T any](g guarded, question func() (T, bool)) (out T, found bool) {
	if !g.ok() {
		return out, false
	}
	defer g.catch()
	return question()
}

// list lists the records of a reader that implements a Lister.
func (g guarded) list(each func() error) (err error) {
	if !g.ok() {
		return g.f.bug.Load()
	}
	defer func() {
		if p := recover(); p != nil {
			failed := bug.Of(p)
			g.f.bug.Store(failed)
			err = failed
		}
	}()
	return each()
}

// Contents implements formats.Reader.
func (g guarded) Contents() formats.Contents {
	c, _ := answered(g, func() (formats.Contents, bool) { return g.Reader.Contents(), true })
	if g.ok() {
		g.f.brings = c
	}
	return g.f.brings
}

// Locate implements symbolize.Source.
func (g guarded) Locate(rel uint64) (symbolize.Location, bool) {
	return answered(g, func() (symbolize.Location, bool) { return g.Reader.Locate(rel) })
}

// Function implements unwind.Rules.
func (g guarded) Function(rel uint64) (unwind.Function, bool) {
	return answered(g, func() (unwind.Function, bool) { return g.Reader.Function(rel) })
}

// CallFrame implements unwind.Rules.
func (g guarded) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	return answered(g, func() (unwind.CallFrame, bool) { return g.Reader.CallFrame(rel) })
}

// WinFrame implements unwind.Rules.
func (g guarded) WinFrame(rel uint64) (unwind.WinFrame, bool) {
	return answered(g, func() (unwind.WinFrame, bool) { return g.Reader.WinFrame(rel) })
}

// HasNames implements unwind.Rules.
func (g guarded) HasNames() bool {
	all, _ := answered(g, func() (bool, bool) { return g.Reader.HasNames(), true })
	return all
}

// HasCode implements unwind.Rules.
func (g guarded) HasCode() bool {
	has, _ := answered(g, func() (bool, bool) { return g.Reader.HasCode(), true })
	return has
}

// ReadImage implements symbolize.Image.
func (g guarded) ReadImage(rel uint64, p []byte) int {
	n, _ := answered(g, func() (int, bool) {
		if image, ok := g.Reader.(symbolize.Image); ok {
			return image.ReadImage(rel, p), true
		}
		return 0, false
	})
	return n
}

// EachFunction implements symbolize.Lister, as far as the reader does.
func (g guarded) EachFunction(add func(*symbolize.Function) error) error {
	l, ok := g.Reader.(symbolize.Lister)
	if !ok {
		return nil
	}
	return g.list(func() error { return l.EachFunction(add) })
}

// EachPublic implements symbolize.Lister, as far as the reader does.
func (g guarded) EachPublic(add func(symbolize.Public) error) error {
	l, ok := g.Reader.(symbolize.Lister)
	if !ok {
		return nil
	}
	return g.list(func() error { return l.EachPublic(add) })
}

// EachCallFrame implements unwind.Lister, as far as the reader does.
func (g guarded) EachCallFrame(add func(*unwind.CallFrameTable) error) error {
	l, ok := g.Reader.(unwind.Lister)
	if !ok {
		return nil
	}
	return g.list(func() error { return l.EachCallFrame(add) })
}

// EachWinFrame implements unwind.Lister, as far as the reader does.
func (g guarded) EachWinFrame(add func(unwind.WinFrame) error) error {
	l, ok := g.Reader.(unwind.Lister)
	if !ok {
		return nil
	}
	return g.list(func() error { return l.EachWinFrame(add) })
}
