package pdb

import (
	"sort"

	"crashglass/core/bin"
)

// An omap is a table that translates addresses. Each entry holds up to the
// next one.
//
// Source: OMAP of https://learn.microsoft.com/windows/win32/api/dbghelp/ns-dbghelp-omap
type omap []omapEntry

// An omapEntry says where an address went; to 0 when it is gone.
type omapEntry struct{ from, to uint32 }

// A piece is a run of the image, and the internal address of its first byte.
type piece struct{ from, start, end uint32 }

// parseOMAP reads a table. One that is not in order cannot be searched, so it
// is none.
func parseOMAP(c *bin.Cursor) (omap, error) {
	out := make(omap, 0, c.Len()/8)
	for c.Len() >= 8 {
		e := omapEntry{c.U32(), c.U32()}
		if n := len(out); n > 0 && e.from < out[n-1].from {
			c.Fail("address %#x follows %#x", e.from, out[n-1].from)
			return nil, c.Err()
		}
		out = append(out, e)
	}
	return out, c.Err()
}

// at is the entry that holds for addr, or -1.
func (o omap) at(addr uint32) int {
	return sort.Search(len(o), func(i int) bool { return o[i].from > addr }) - 1
}

func (o omap) translate(addr uint32) (uint32, bool) {
	i := o.at(addr)
	if i < 0 || o[i].to == 0 {
		return 0, false
	}
	return o[i].to + (addr - o[i].from), true
}

// pieces translates a range. Neighbours that stay neighbours are one piece.
func (o omap) pieces(start, end uint32) (out []piece) {
	for i := max(o.at(start), 0); i < len(o) && start < end; i++ {
		stop := end
		if i+1 < len(o) {
			stop = min(end, o[i+1].from)
		}
		from := max(start, o[i].from)
		if from >= stop {
			continue
		}
		start = stop
		if o[i].to == 0 {
			continue
		}
		to := o[i].to + (from - o[i].from)
		if n := len(out); n > 0 && out[n-1].end == to && out[n-1].from+(out[n-1].end-out[n-1].start) == from {
			out[n-1].end = endOf(to, stop-from)
			continue
		}
		out = append(out, piece{from: from, start: to, end: endOf(to, stop-from)})
	}
	return out
}

// translate is the address of the image that an internal address became.
func (a *addressMap) translate(rva uint32) (uint64, bool) {
	if a.toImage == nil {
		return uint64(rva), true
	}
	to, ok := a.toImage.translate(rva)
	return uint64(to), ok
}
