package cfi

import (
	"cmp"
	"fmt"
	"slices"

	"crashglass/core/bin"
)

// An index is where the FDEs of a section are, by their first addresses. It
// has eight bytes for each: no module and no section is larger than 4 GiB.
type index struct {
	places  []place
	overlap bool    // an FDE begins before another one ends
	claimed []claim // what several FDEs that begin elsewhere cover, in the order of addresses
}

// A claim is a run of addresses, relative to the base.
type claim struct{ start, end uint64 }

// contradicts reports whether several FDEs that begin elsewhere cover some of a
// run of addresses. Nothing says which of them is wrong: a damaged first address
// moves an FDE into the middle of another function, and a damaged size lets it
// reach into the next. No linker leaves such FDEs.
func (p *part) contradicts(x *index, start, end uint64) bool {
	i, _ := slices.BinarySearchFunc(x.claimed, start, func(c claim, rel uint64) int {
		if c.end <= rel {
			return -1
		}
		return 1
	})
	if i == len(x.claimed) || x.claimed[i].start >= end {
		return false
	}
	c := x.claimed[i]
	p.t.note(fmt.Errorf("cfi: %s: several FDEs cover %#x to %#x", p.name, c.start, c.end))
	return true
}

// A place is one FDE's.
type place struct {
	rel uint32 // its first address, relative to the base
	off uint32 // its offset in the section
}

// maxOverlap is how many FDEs are looked at for one address where FDEs overlap.
const maxOverlap = 16

// find returns the number of the FDE that begins last of those up to rel, or -1.
func (x *index) find(rel uint64) int {
	n, _ := slices.BinarySearchFunc(x.places, rel, func(p place, rel uint64) int {
		if uint64(p.rel) <= rel {
			return -1
		}
		return 1
	})
	return n - 1
}

// covering returns the FDE that covers an address, or nil.
func (p *part) covering(rel uint64) *fde {
	addr := p.t.s.Base + rel
	if addr < rel || addr != p.t.mask(addr) {
		return nil
	}
	if x := p.fromTable(); x != nil {
		f, lied := p.search(x, rel)
		if !lied {
			return f
		}
	}
	x := p.fromScan()
	if x == nil || p.contradicts(x, rel, rel+1) {
		return nil
	}
	f, _ := p.search(x, rel)
	return f
}

// search looks an address up. It reports true where the index leads to an FDE
// that is damaged, or is not the one that the index says it is.
func (p *part) search(x *index, rel uint64) (*fde, bool) {
	tries := 1
	if x.overlap {
		tries = maxOverlap
	}
	for i := x.find(rel); i >= 0 && tries > 0; i, tries = i-1, tries-1 {
		at := x.places[i]
		f, err := p.fdeAt(int64(at.off))
		if err == nil && f.start != p.t.s.Base+uint64(at.rel) {
			err = p.wrap(&bin.Error{What: p.name + " FDE", Off: int64(at.off),
				Why: fmt.Sprintf("begins at %#x, and .eh_frame_hdr says at %#x", f.start, p.t.s.Base+uint64(at.rel))})
		}
		if err != nil {
			p.t.note(err)
			return nil, true
		}
		if f.covers(p.t.s.Base + rel) {
			return f, false
		}
	}
	return nil, false
}

// fromScan is the index of all entries of the section. It is nil when the scan
// was called off.
func (p *part) fromScan() *index {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.scanned == nil {
		p.scanned = p.scan()
	}
	return p.scanned
}

// A span is a place while it is not known whether FDEs overlap.
type span struct {
	place
	end uint64 // relative to the base
}

// scan visits all entries once. An entry whose length is wrong ends it, as
// nothing says where the next one begins.
func (p *part) scan() *index {
	var spans []span
	w := window{src: p.Data}
	off := int64(0)
	for n := 0; p.Data.Size()-off >= 4; n++ {
		if n%1024 == 0 && p.t.opt.Progress != nil && p.t.opt.Progress(off, p.Data.Size()) != nil {
			return nil
		}
		e, err := p.entryAt(w.read, off)
		if err != nil {
			p.t.note(err)
			break
		}
		if e.isTerminator() && p.eh {
			break
		}
		off = e.end
		switch {
		case e.isTerminator(): // padding
		case e.body == e.end:
			p.t.note(p.wrap(&bin.Error{What: p.name + " entry", Off: e.at, Why: "nothing follows its id"}))
		case !p.isCIE(e):
			spans = p.add(spans, w.read, e)
		}
	}
	if left := p.Data.Size() - off; left > 0 && left < 4 {
		p.t.note(p.wrap(&bin.Error{What: p.name + " entry", Off: off, Why: fmt.Sprintf("%d bytes are left, a length has 4", left)}))
	}
	return makeIndex(spans)
}

func (p *part) add(spans []span, read reader, e entry) []span {
	f, err := p.placeOf(read, e)
	if err != nil {
		p.t.note(err)
		return spans
	}
	rel := f.start - p.t.s.Base
	if f.isCode() && rel < 1<<32 && e.at < 1<<32 {
		spans = append(spans, span{place{uint32(rel), uint32(e.at)}, rel + f.size})
	}
	return spans
}

func makeIndex(spans []span) *index {
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Compare(a.rel, b.rel) })
	x := &index{places: make([]place, len(spans))}
	var end, before uint64 // of all so far, and of those that begin below this one
	for i, s := range spans {
		x.places[i] = s.place
		if i > 0 && spans[i-1].rel != s.rel {
			before = end
		}
		x.overlap = x.overlap || uint64(s.rel) < end
		if uint64(s.rel) < before {
			x.claim(claim{uint64(s.rel), min(before, s.end)})
		}
		end = max(end, s.end)
	}
	return x
}

// claim adds a run that begins where the last one does, or behind it.
func (x *index) claim(c claim) {
	if n := len(x.claimed); n > 0 && c.start <= x.claimed[n-1].end {
		x.claimed[n-1].end = max(x.claimed[n-1].end, c.end)
		return
	}
	x.claimed = append(x.claimed, c)
}

// A window reads a section from its beginning to its end in large pieces.
type window struct {
	src  bin.Source
	at   int64
	data []byte
}

const windowSize = 64 << 10

// read implements reader.
func (w *window) read(what string, off int64, n uint64) ([]byte, error) {
	if n > windowSize/2 {
		return w.src.Read(what, off, n)
	}
	if at := off - w.at; at < 0 || uint64(at) > uint64(len(w.data)) || n > uint64(len(w.data))-uint64(at) {
		data, err := w.src.ReadUpTo(what, off, windowSize)
		if err != nil {
			return nil, err
		}
		w.at, w.data = off, data
	}
	if n > uint64(len(w.data)) {
		return w.src.Read(what, off, n) // says what is missing
	}
	at := off - w.at
	return w.data[at : at+int64(n) : at+int64(n)], nil
}
