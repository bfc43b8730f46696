package elfcore

import (
	"cmp"
	"errors"
	"io"

	"crashglass/core/bin"
	"crashglass/core/minidump"
)

// A view is a minidump with its streams in memory and its captured memory in the core.
type view struct {
	core   bin.Source
	head   []byte
	pieces []piece // sorted by offset, without gaps
	size   int64
}

// A piece is a range of the view that maps to a range of the core.
type piece struct{ at, off, size int64 }

// view lays the core out as a minidump: the streams, and the ranges of memory
// behind them.
func (c *core) view(full bool) (bin.Source, error) {
	memory := c.kept
	if full {
		memory = c.all
	}
	ranges := memory()
	head, err := c.streams(ranges, full)
	if err != nil {
		return bin.Source{}, err
	}
	v := &view{core: c.src, head: head, size: int64(len(head))}
	for _, r := range ranges {
		v.pieces = append(v.pieces, piece{v.size, int64(r.RVA), int64(r.Size)})
		v.size += int64(r.Size)
	}
	return bin.NewSource(v, v.size), nil
}

// viewAlign aligns pages of the process with pages of the file.
const viewAlign = 4 << 10

// all lists the captured memory with its offsets in the core. If the segments together have more
// bytes than a file can have, the rest is left out.
func (c *core) all() (out []minidump.Range) {
	const most = 1 << 56
	total := uint64(0)
	for _, s := range c.segments {
		if s.have == 0 {
			continue
		}
		if total += s.have; total > most {
			c.note("memory", s.off, "%d bytes of captured memory are more than a file has", total)
			break
		}
		out = append(out, minidump.Range{Base: s.addr, Location: minidump.Location{RVA: uint64(s.off), Size: s.have}})
	}
	return out
}

var errNegative = errors.New("negative offset")

// ReadAt implements io.ReaderAt.
func (v *view) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, errNegative
	}
	if off < int64(len(v.head)) {
		n = copy(p, v.head[off:])
	}
	i := max(0, at(len(v.pieces), uint64(off)+uint64(n), func(i int) uint64 { return uint64(v.pieces[i].at) }))
	for ; n < len(p) && i < len(v.pieces); i++ {
		part := v.pieces[i]
		skip := off + int64(n) - part.at
		if skip >= part.size {
			continue // behind the last piece
		}
		want := int(min(int64(len(p)-n), part.size-skip))
		got, err := v.core.ReadAt(p[n:n+want], part.off+skip)
		n += got
		if got < want {
			return n, cmp.Or(err, io.ErrUnexpectedEOF)
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
