package dwarf

import "crashglass/core/base/ranges"

// parsed is a unit as it was read.
type parsed struct {
	code
	lines  lines
	byAddr ranges.Table // of runs; empty until one is needed
}

// A reading has the buffers with which units are read, one after another.
type reading struct {
	names namer
	data  []byte     // of the unit
	ahead *lookahead // where units lie close to each other
}

// unit reads a unit: the names of its functions, too, if they are wanted, while
// the bytes are at hand, and the lines. It reuses the memory of p.
func (r *reading) unit(u *unit, p *parsed, names, lines bool) {
	f := u.group.file
	var err error
	if r.ahead != nil {
		r.data, err = r.ahead.unit(u)
	} else {
		r.data, err = u.load(r.data)
	}
	f.noteError(err)
	f.noteError(p.readCode(u, r.data))
	if names {
		r.names.unit, r.names.data = u, r.data
		p.readNames(&r.names)
		r.names.unit, r.names.data = nil, nil
	}
	p.byAddr = ranges.Table{}
	p.lines.reset(u)
	if lines {
		f.noteError(p.lines.read())
	}
}

func (c *code) readNames(n *namer) {
	for i := range c.subs {
		c.subNames = append(c.subNames, n.of(c.unit, c.subs[i].name))
	}
	for i := range c.calls {
		c.callNames = append(c.callNames, n.of(c.unit, c.calls[i].name))
	}
}

// weight is its approximate memory in bytes.
func (p *parsed) weight() int {
	return 4096 + 56*len(p.runs) + 40*len(p.subs) + 56*len(p.calls) + 16*len(p.spans) + 16*len(p.lines.rows) + 24*len(p.lines.seqs) + 64*len(p.lines.head.files)
}

// If several cover it, the last to begin is used, and among equal beginnings the first in the file.
func (p *parsed) runAt(addr uint64) (run, bool) {
	if p.byAddr.Len() == 0 {
		for i, r := range p.runs {
			p.byAddr.Add(r.start, r.end-r.start, int64(i))
		}
		p.byAddr.Finish()
	}
	r, ok := p.byAddr.Find(addr)
	if !ok {
		return run{}, false
	}
	return p.runs[r.Value], true
}

// callAt returns the call inlined in another one, or in the function, that
// covers an address: of several that which begins last there. -1 is none.
func (c *code) callAt(r run, in int32, addr uint64) int32 {
	best, start := int32(-1), uint64(0)
	i, end := c.subs[r.sub].from, c.subs[r.sub].to
	if in >= 0 {
		i, end = in+1, min(end, c.calls[in].end)
	}
	compared := uint64(0)
	defer func() { c.unit.group.file.spendCalls(compared) }()
	for ; i < end; i = max(c.calls[i].end, i+1) {
		k := &c.calls[i]
		compared += 1 + uint64(k.to-k.from)
		if k.parent != in || k.sub != r.sub {
			continue
		}
		for _, s := range c.spans[k.from:k.to] {
			if s.start <= addr && addr < s.end && (best < 0 || s.start > start) {
				best, start = i, s.start
			}
		}
	}
	return best
}

// maxChain bounds the calls inlined in each other at one address.
const maxChain = 256

// chain returns the calls inlined at an address, outermost first.
func (c *code) chain(r run, addr uint64) (calls []int32) {
	for in := int32(-1); len(calls) < maxChain && c.unit.group.file.spendCalls(0); {
		if in = c.callAt(r, in, addr); in < 0 {
			break
		}
		calls = append(calls, in)
	}
	return calls
}

// maxCached bounds what the units in the cache take up, apart from the last one.
const maxCached = 48 << 20

// parsedOf returns a unit, which is read if need be. Units may share a line program with the one before.
func (f *File) parsedOf(u *unit) *parsed {
	program := u.withLines()
	if p, ok := f.cache.Get(program.off); ok {
		return p
	}
	p := &parsed{}
	if f.last != nil && program.hasLines && f.last.lines.of == program.lineKey() {
		p.lines = f.last.lines
		p.lines.paths, p.lines.data = nil, nil
	}
	new(reading).unit(u, p, false, true)
	f.cache.Put(program.off, p, p.weight())
	f.last = p
	return p
}
