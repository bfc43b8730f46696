package dwarf

import (
	"slices"

	"crashglass/core/base/bin"
)

// A lookahead reads parts of .debug_info in ascending order. If the parts are close together it
// reads the gaps, too: in a browser a read takes almost a millisecond, for 64 KiB as for a few
// bytes.
type lookahead struct {
	group *group
	src   bin.Source
	data  []byte
	at    uint64 // of data in the section
	last  uint64 // offset of the last request
}

// A request less than closeBy bytes after the previous one reads aheadOfClose bytes.
const (
	aheadOfClose = 1 << 20
	closeBy      = 32 << 10
)

// newLookahead makes a lookahead in the .debug_info of a group.
func newLookahead(g *group) *lookahead {
	return &lookahead{group: g, src: g.section("info").src}
}

// read returns at least n bytes at an offset, or as many as there are. They
// are valid until the next call.
func (l *lookahead) read(off, n uint64) ([]byte, error) {
	rest := uint64(l.src.Size()) - min(off, uint64(l.src.Size()))
	n = min(n, rest)
	isClose := off > l.last && off-l.last < closeBy
	l.last = off
	if off >= l.at && off+n <= l.at+uint64(len(l.data)) {
		return l.data[off-l.at:], nil
	}
	size := n
	if isClose {
		size = min(max(n, aheadOfClose), rest)
	}
	l.data, l.at = slices.Grow(l.data[:0], int(size))[:size], off
	got, err := l.src.ReadAt(l.data, int64(off))
	l.data = l.data[:max(got, 0)]
	if have := uint64(len(l.data)); have < n { // the rest may never be requested
		return l.data, notRead(off+have, err)
	}
	return l.data, nil
}

// unit returns the bytes of a unit. What cannot be read is left out.
func (l *lookahead) unit(u *unit) ([]byte, error) {
	if !u.group.file.spend(u.end - u.off) {
		return nil, errWork
	}
	data, err := l.read(u.off, u.end-u.off)
	return data[:min(uint64(len(data)), u.end-u.off)], err
}
