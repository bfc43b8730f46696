package dwarf

import (
	"cmp"
	"fmt"
	"slices"
)

// code has the functions and inlined calls of a unit. Addresses are those in DWARF.
type code struct {
	unit  *unit
	runs  []run // in the order of addresses
	subs  []sub
	calls []call
	spans []span // of calls

	subNames, callNames []string // if they were requested
}

// A run is a function, or one of its parts.
type run struct {
	span
	sub int32
}

// A sub is a function.
type sub struct {
	name     ref
	entry    uint64 // its first address
	die      uint64 // where its entry is in the unit
	from, to int32  // of calls: those in it, and in functions nested in it
}

// A call is one that was inlined.
type call struct {
	name       ref
	sub        int32
	parent     int32 // the call that it is in, -1 when it is in the function itself
	depth      int32
	file, line uint32
	from, to   int32 // of spans
	end        int32 // the first call behind those that are in this one
}

// A scope is the parent of entries.
type scope struct {
	sub   int32 // -1 outside of functions with code
	call  int32 // -1 outside of inlined calls
	depth int32
}

// outside is the scope of entries that are in no function: those of the unit, of namespaces and types.
var outside = scope{-1, -1, 0}

// maxNesting bounds how deep entries lie in each other. Real ones reach a few
// hundred, in code made of templates.
const maxNesting = 1 << 14

// A walker reads the entries of a unit.
type walker struct {
	*code
	r      buffer
	table  *abbrevTable
	budget int
	stack  []scope
	here   scope

	from    int // where reading began, or went on
	resyncs int
	targets []int  // what entries refer to, behind a defect
	placed  []span // where the unit says that it has code
}

// readCode keeps everything before a defect, and reuses c's memory.
func (c *code) readCode(u *unit, data []byte) error {
	*c = code{unit: u, runs: c.runs[:0], subs: c.subs[:0], calls: c.calls[:0], spans: c.spans[:0],
		subNames: c.subNames[:0], callNames: c.callNames[:0]}
	table, err := u.group.tables.get(u.group, u.table())
	if err != nil {
		return err
	}
	w := &walker{code: c, table: table, budget: u.rangeBudget(), here: outside}
	w.r = buffer{b: data, at: int(u.dies - u.off), big: u.group.big}
	err = w.walk()
	for len(w.stack) > 0 {
		w.leave()
	}
	slices.SortStableFunc(c.runs, func(a, b run) int { return cmp.Compare(a.start, b.start) })
	return err
}

// walk reads all entries, and reads on behind defects where it can. It returns
// the first of them.
func (w *walker) walk() (first error) {
	w.from = w.r.at
	for {
		at, err := w.entries()
		if err != nil && w.resync(at) {
			err = fmt.Errorf("%w; reading goes on at %#x", err, w.unit.off+uint64(w.from))
		} else if err == nil || first != nil {
			return first
		} else {
			return err
		}
		if first == nil {
			first = err
		}
	}
}

// entries reads entries up to the end of the outermost one. It returns where a
// defect is.
func (w *walker) entries() (at int, err error) {
	for w.r.len() > 0 {
		at = w.r.at
		code := w.r.uleb()
		if code == 0 {
			if len(w.stack) > 0 {
				w.leave()
			}
			if len(w.stack) == 0 && w.resyncs == 0 {
				break
			}
			continue
		}
		a := w.table.find(code)
		if a == nil {
			return at, w.damaged(at, "abbreviation %d is not in the table at %#x", code, w.unit.abbrevs)
		}
		inside := w.visit(a, at)
		if w.r.bad {
			return at, w.damaged(at, "the entry is damaged, or reaches beyond its unit at %#x", w.unit.end)
		}
		if a.children {
			if len(w.stack) == maxNesting {
				return at, w.damaged(at, "entries are nested more than %d deep", maxNesting)
			}
			w.stack = append(w.stack, w.here)
			w.here = inside
		} else if len(w.stack) == 0 && w.resyncs == 0 {
			break // a unit with one entry
		}
	}
	return at, nil
}

// damaged makes the error of a defect at an offset of the unit.
func (w *walker) damaged(at int, format string, args ...any) error {
	return fmt.Errorf("dwarf: .debug_info at %#x: %s", w.unit.off+uint64(at), fmt.Sprintf(format, args...))
}

func (w *walker) leave() {
	last := len(w.stack) - 1
	if s := w.here.sub; s >= 0 && s != w.stack[last].sub {
		w.subs[s].to = int32(len(w.calls))
	}
	if c := w.here.call; c >= 0 && c != w.stack[last].call {
		w.calls[c].end = int32(len(w.calls))
	}
	w.here = w.stack[last]
	w.stack = w.stack[:last]
}

// visit reads the entry at an offset, and returns the scope of its children.
func (w *walker) visit(a *abbrev, at int) scope {
	switch a.tag {
	case tagSubprogram:
		return w.function(a, at)
	case tagInlined:
		return w.inlined(a)
	}
	a.skip(&w.r, w.unit.sizes)
	return w.here
}

// A function without code here is outside of all: calls below it are those of its instances.
func (w *walker) function(a *abbrev, at int) scope {
	var e entry
	e.read(&w.r, a, w.unit, w.unit.off)
	if w.r.bad || !e.low.set() && !e.list.set() {
		return outside // a declaration, or the origin of inlined calls
	}
	n := len(w.spans)
	w.spans = w.unit.appendRanges(w.spans, e.low, e.high, e.list, &w.budget)
	if len(w.spans) == n || !w.believable(w.spans[n:]) {
		return outside
	}
	id := int32(len(w.subs))
	for _, s := range w.spans[n:] {
		w.runs = append(w.runs, run{s, id})
	}
	calls := int32(len(w.calls))
	w.subs = append(w.subs, sub{name: e.name, entry: w.spans[n].start, die: uint64(at), from: calls, to: calls})
	return scope{id, -1, 0}
}

// inlined reads the entry of an inlined subroutine (section 3.3.8). Its ranges are made disjoint, so that
// a lister does not see one range twice. Where no code of it is left, its own calls have none either.
func (w *walker) inlined(a *abbrev) scope {
	var e entry
	e.read(&w.r, a, w.unit, w.unit.off)
	if w.here.sub < 0 || w.r.bad {
		return outside
	}
	n := len(w.spans)
	w.spans = w.unit.appendRanges(w.spans, e.low, e.high, e.list, &w.budget)
	if len(w.spans) == n {
		return outside // none of its code is left
	}
	w.spans = disjoint(w.spans, n)
	w.calls = append(w.calls, call{
		name: e.name, sub: w.here.sub, parent: w.here.call, depth: w.here.depth,
		file: uint32(min(e.file, 1<<32-1)), line: uint32(min(e.line, 1<<32-1)),
		from: int32(n), to: int32(len(w.spans)), end: int32(len(w.calls)) + 1,
	})
	return scope{w.here.sub, int32(len(w.calls) - 1), w.here.depth + 1}
}
