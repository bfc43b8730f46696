package slice

import (
	"io"
	"maps"
	"slices"
	"strings"

	"crashglass/core/process/module"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/formats/breakpad"
)

// Names is a choice of function names that a slice has. A function without its name stays in the
// slice, so that walks find the same callers.
type Names int

// The choices.
const (
	AllNames Names = iota
	OwnNames       // of modules that are not the operating system's
	NoNames
)

// withheld replaces names that are left out.
const withheld = "<name withheld>"

// nothing is the name of a function of one byte in the module's header. Slices without another name
// have it: a walk takes an address without a name for no code only if the file has names at all.
const nothing = "<no function of this module is needed>"

type content struct {
	*moduleNeeds
	queried   []uint64 // ascending
	mask      Mask     // or nil
	anonymous bool

	functions map[uint64]*function // by their start
	publics   map[uint64]symbolize.Public
	frames    []unwind.CallFrameTable // ascending
	wins      []unwind.WinFrame       // in the order in which they were met
}

func newContent(p *moduleNeeds, queried []uint64, names Names) *content {
	c := &content{
		moduleNeeds: p, queried: queried,
		anonymous: names == NoNames || names == OwnNames && p.system,
		functions: map[uint64]*function{}, publics: map[uint64]symbolize.Public{},
	}
	var silent []uint64
	for _, rel := range queried {
		if !c.name(rel) {
			silent = append(silent, rel)
		}
		c.rules(rel)
	}
	for _, rel := range silent {
		c.keepSilent(rel)
	}
	if len(c.functions)+len(c.publics) == 0 && c.source.HasNames() {
		c.functions[0] = newFunction(&symbolize.Location{Size: 1}, nothing, 0)
	}
	return c
}

// name adds the function or public symbol at an address, and reports whether there is one.
func (c *content) name(rel uint64) bool {
	loc, ok := c.source.Locate(rel)
	if !ok {
		return false
	}
	if f := c.extent(rel, &loc); f != nil && !c.anonymous {
		f.add(rel, &loc)
	}
	return true
}

// extent adds the function or public symbol at an address, without lines. It returns the function,
// nil for a public symbol.
func (c *content) extent(rel uint64, loc *symbolize.Location) *function {
	fn, _ := c.source.Function(rel)
	if loc.Public {
		c.publics[loc.Start] = symbolize.Public{
			Name: c.spell(loc.Function), Start: loc.Start, ParamSize: fn.ParamSize, Multiple: loc.Multiple, Stated: c.proved(rel, loc),
		}
		return nil
	}
	f := c.functions[loc.Start]
	if f == nil {
		f = newFunction(loc, c.spell(loc.Function), fn.ParamSize)
		c.functions[loc.Start] = f
	}
	return f
}

// proved returns the number of bytes behind a public symbol that are its function's, by the symbol
// itself or by the unwind rules that begin with it. A slice has these rules for single addresses only.
// It is 0 if an address behind them has the symbol, too.
func (c *content) proved(rel uint64, loc *symbolize.Location) uint64 {
	if loc.Stated > 0 {
		return loc.Stated
	}
	known, before := c.publics[loc.Start]
	f, ok := c.source.CallFrame(rel)
	if !ok || f.Start != loc.Start || before && known.Stated == 0 {
		return 0
	}
	return f.Size
}

func (c *content) spell(name string) string {
	if c.anonymous {
		return unwind.Withhold(name, withheld)
	}
	return name
}

// rules adds the unwind rules at an address. They hold for this address alone: the addresses beside
// it may have others.
func (c *content) rules(rel uint64) {
	if f, ok := c.source.CallFrame(rel); ok {
		last := len(c.frames) - 1
		if last >= 0 && c.frames[last].Start+c.frames[last].Size == rel && slices.EqualFunc(c.frames[last].Rules, f.Rules, unwind.Rule.Equal) {
			c.frames[last].Size++
		} else {
			c.frames = append(c.frames, unwind.CallFrameTable{Start: rel, Size: 1, Signal: f.Signal, Rules: f.Rules})
		}
	}
	if w, ok := c.source.WinFrame(rel); ok {
		if n := len(c.wins); n == 0 || c.wins[n-1] != w {
			c.wins = append(c.wins, w)
		}
	}
}

// keepSilent keeps an address without a name that the whole file has no name for. A public symbol of
// the slice would reach it; so the slice gets the function that ends the reach of that symbol in the
// whole file. It finds that function by halving the distance.
func (c *content) keepSilent(rel uint64) {
	start, found := uint64(0), false
	for at := range c.publics {
		if at <= rel && (!found || at > start) {
			start, found = at, true
		}
	}
	if !found {
		return
	}
	reaches := func(at uint64) bool {
		loc, ok := c.source.Locate(at)
		return ok && loc.Public && loc.Start == start
	}
	low, high := start, rel // reaches(low), not reaches(high)
	for high-low > 1 {
		if mid := low + (high-low)/2; reaches(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	if loc, ok := c.source.Locate(high); ok {
		c.extent(high, &loc)
	}
}

func (c *content) write(w io.Writer) error {
	return breakpad.Write(w, breakpad.Content{
		Module: breakpad.Module{
			OS: c.os, Arch: breakpad.ArchWord(c.module.Arch), ID: c.module.DebugID,
			Name: module.Basename(c.module.DebugFile), CodeID: strings.ToUpper(c.module.CodeID), CodeFile: module.Basename(c.module.CodeFile),
		},
		Functions: func(add func(*symbolize.Function) error) error {
			return each(c.functions, func(f *function) error { return add(c.masked(f.made())) })
		},
		Publics: func(add func(symbolize.Public) error) error {
			return each(c.publics, func(p symbolize.Public) error {
				p.Name = c.symbol(p.Name)
				return add(p)
			})
		},
		Frames: func(add func(*unwind.CallFrameTable) error) error {
			return eachOf(c.frames, func(t unwind.CallFrameTable) error { return add(&t) })
		},
		WinFrames: func(add func(unwind.WinFrame) error) error { return eachOf(c.wins, add) },
	})
}

// each calls add for the values in the order of their keys.
func each[V any](m map[uint64]V, add func(V) error) error {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if err := add(m[k]); err != nil {
			return err
		}
	}
	return nil
}

func eachOf[V any](list []V, add func(V) error) error {
	for _, v := range list {
		if err := add(v); err != nil {
			return err
		}
	}
	return nil
}

// masked is a function without names of people. They occur in paths of source files, and in function
// names that contain such a path, as clang's names of lambdas do.
func (c *content) masked(f *symbolize.Function) *symbolize.Function {
	if c.mask == nil {
		return f
	}
	f.Name = c.symbol(f.Name)
	f.Lines, f.Inlines = slices.Clone(f.Lines), slices.Clone(f.Inlines)
	for i := range f.Lines {
		f.Lines[i].File = c.mask.Path(f.Lines[i].File)
	}
	for i := range f.Inlines {
		in := &f.Inlines[i]
		in.Function, in.CallFile = c.symbol(in.Function), c.mask.Path(in.CallFile)
	}
	return f
}

func (c *content) symbol(name string) string {
	if c.mask == nil {
		return name
	}
	return c.mask.Symbol(name)
}
