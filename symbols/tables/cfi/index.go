package cfi

import (
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/base/ranges"
)

// Two indexes find the FDE of an address, in which values are offsets in the section: that of
// .eh_frame_hdr, if there is one, and that of a scan. The first has no sizes, so each FDE reaches
// up to the next one. That suffices, because linkers leave no overlapping FDEs: GNU ld writes no
// such table ("refers to overlapping FDEs").

// covering returns the FDE that covers an address, or nil. An FDE from .eh_frame_hdr has to begin
// at the address in the table; otherwise all entries are scanned.
func (p *entrySection) covering(rel uint64) *fde {
	addr := p.t.s.Base + rel
	if addr < rel || addr != p.t.mask(addr) {
		return nil
	}
	if p.t.opt.Search {
		if f := p.searched(addr); f != nil {
			return f
		}
	}
	if x := p.fromTable(); x != nil {
		f, from, err := p.search(x, rel)
		if f != nil && f.start != p.t.s.Base+from {
			err = p.wrap(&bin.Error{What: p.name + " FDE", Off: f.at,
				Why: fmt.Sprintf("begins at %#x, and .eh_frame_hdr says at %#x", f.start, p.t.s.Base+from)})
		}
		if err == nil {
			return f.ifCovers(addr)
		}
		p.t.note(err)
	}
	if x := p.fromScan(); x != nil {
		f, _, err := p.search(x, rel)
		if err == nil {
			return f.ifCovers(addr)
		}
		p.t.note(err)
	}
	return nil
}

// search reads the FDE that an index has for an address, if any, and returns the address at which
// the index says that it begins.
func (p *entrySection) search(x *ranges.Table, rel uint64) (f *fde, from uint64, err error) {
	r, ok := x.Find(rel)
	if ok {
		f, err = p.fdeAt(r.Value)
	}
	return f, r.Start, err
}

// fromScan is the index of all entries of the section. It is nil if the scan was cancelled.
func (p *entrySection) fromScan() *ranges.Table {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.scanned == nil {
		p.scanned = p.scan()
	}
	return p.scanned
}

// scan visits all entries once. An entry with a wrong length ends the scan, because the start of
// the next one is unknown.
//
// If FDEs overlap, it is unknown which one is wrong: a damaged first address moves an FDE into
// another function, and a damaged size extends it into the next. No linker leaves such FDEs, so
// there is a note. The last one to begin is used, as in all tables. So a damaged FDE hides no FDE
// that begins inside it, and of others only the part that it covers.
func (p *entrySection) scan() *ranges.Table {
	// Of FDEs that begin at one address the last in the section is used.
	x := &ranges.Table{LastAdded: true}
	if !p.eachFDE(func(e entry) bool { p.add(x, e); return true }) {
		return nil
	}
	if o := x.Finish(); o.Inside > 0 {
		p.t.note(fmt.Errorf("cfi: %s: FDEs overlap, the first at %#x: of those that cover an address the last to begin is used", p.name, o.First))
	}
	return x
}

// eachFDE calls visit for the FDEs of the section until it returns false, and
// reports false where Progress ended it.
func (p *entrySection) eachFDE(visit func(entry) bool) bool {
	off := int64(0)
	for n := 0; p.Data.Size()-off >= 4; n++ {
		if n%1024 == 0 && p.t.opt.Progress != nil && p.t.opt.Progress(off, p.Data.Size()) != nil {
			return false
		}
		e, err := p.entryAt(off)
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
		case !p.isCIE(e) && !visit(e):
			return true
		}
	}
	if left := p.Data.Size() - off; left > 0 && left < 4 {
		p.t.note(p.wrap(&bin.Error{What: p.name + " entry", Off: off, Why: fmt.Sprintf("%d bytes are left, a length has 4", left)}))
	}
	return true
}

// spaceSize is the range of addresses of an index: no module is larger than 4 GiB.
const spaceSize = 1 << 32

func (p *entrySection) add(x *ranges.Table, e entry) {
	f, err := p.parseFDE(e, maxPlace)
	if err != nil {
		p.t.note(err)
		return
	}
	if rel := f.start - p.t.s.Base; f.isCode() && rel < spaceSize && e.at < 1<<32 {
		x.Add(rel, min(f.size, spaceSize-rel), e.at)
	}
}
