package symbols

import (
	"crashglass/core/base/bug"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/formats"
)

// A guarded reader stops answering after a panic in it, or in a library. The panic costs the
// answers of this file, and its remark says so. The reader is not used again: it may hold locks, or
// be in an inconsistent state.
type guarded struct {
	formats.Reader
	f *file
}

// catch is deferred by every method that calls the reader.
func (g *guarded) catch() {
	if p := recover(); p != nil {
		g.f.bug.Store(bug.Of(p))
	}
}

// ok reports whether the reader may be called.
func (g *guarded) ok() bool { return g.f.bug.Load() == nil }

// answered sends a query to the reader. After a panic there is no answer.
func answered[T any](g *guarded, query func() (T, bool)) (out T, found bool) {
	if !g.ok() {
		return out, false
	}
	defer g.catch()
	return query()
}

// eachRecord calls a function that lists records, if the reader can. A panic becomes the error.
func (g *guarded) eachRecord(each func(formats.Lister) error) (err error) {
	l := g.Capabilities().Lister
	if l == nil {
		return nil
	}
	_, _ = answered(g, func() (none struct{}, ok bool) {
		err = each(l)
		return none, true
	})
	if b := g.f.bug.Load(); b != nil {
		return b
	}
	return err
}

// Contents implements formats.Reader.
func (g *guarded) Contents() formats.Contents {
	c, _ := answered(g, func() (formats.Contents, bool) { return g.Reader.Contents(), true })
	if g.ok() {
		g.f.has = c
	}
	return g.f.has
}

// Locate implements symbolize.Source.
func (g *guarded) Locate(rel uint64) (symbolize.Location, bool) {
	return answered(g, func() (symbolize.Location, bool) { return g.Reader.Locate(rel) })
}

// Function implements unwind.Rules.
func (g *guarded) Function(rel uint64) (unwind.Function, bool) {
	return answered(g, func() (unwind.Function, bool) { return g.Reader.Function(rel) })
}

// CallFrame implements unwind.Rules.
func (g *guarded) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	return answered(g, func() (unwind.CallFrame, bool) { return g.Reader.CallFrame(rel) })
}

// WinFrame implements unwind.Rules.
func (g *guarded) WinFrame(rel uint64) (unwind.WinFrame, bool) {
	return answered(g, func() (unwind.WinFrame, bool) { return g.Reader.WinFrame(rel) })
}

// HasNames implements unwind.Rules.
func (g *guarded) HasNames() bool {
	all, _ := answered(g, func() (bool, bool) { return g.Reader.HasNames(), true })
	return all
}

// HasCode implements unwind.Rules.
func (g *guarded) HasCode() bool {
	has, _ := answered(g, func() (bool, bool) { return g.Reader.HasCode(), true })
	return has
}

// ReadImage implements symbolize.Image for a reader with that capability.
func (g *guarded) ReadImage(rel uint64, p []byte) int {
	n, _ := answered(g, func() (int, bool) { return g.Capabilities().Image.ReadImage(rel, p), true })
	return n
}

// ReadLoaded implements symbolize.Image for a reader with that capability.
func (g *guarded) ReadLoaded(base, rel uint64, p []byte) int {
	n, _ := answered(g, func() (int, bool) { return g.Capabilities().Image.ReadLoaded(base, rel, p), true })
	return n
}

// CodeParts implements symbolize.Image for a reader with that capability.
func (g *guarded) CodeParts() []symbolize.Range {
	parts, _ := answered(g, func() ([]symbolize.Range, bool) { return g.Capabilities().Image.CodeParts(), true })
	return parts
}
