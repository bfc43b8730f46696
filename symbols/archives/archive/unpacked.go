package archive

import (
	"encoding/binary"
	"errors"
	"io"
	"sort"
)

// An unpacked file is a decompressed one: in memory, on the scratch, or stored as a pattern that it
// repeats.
type unpacked struct {
	extents []extent // in their order, without gaps
	size    int64
	kept    int   // bytes of memory
	data    int64 // bytes outside of patterns, if pages were checked
	work    int   // bytes of work, and of holes, that it took from the budget
	holes   int64
}

// An extent is a part of a file: its bytes, a range of the scratch, or a pattern.
type extent struct {
	at   int64 // in the file
	data []byte
	disk *disk
	from int64 // on the scratch
	fill uint64
}

// inMemory adds bytes, which it keeps.
func (u *unpacked) inMemory(data []byte) {
	u.add(extent{data: data}, int64(len(data)))
}

// onDisk adds bytes that are on the scratch.
func (u *unpacked) onDisk(d *disk, from, n int64) {
	if last := u.last(); last != nil && last.disk == d && last.from+(u.size-last.at) == from {
		u.size += n
		return
	}
	u.add(extent{disk: d, from: from}, n)
}

// onScratch lists the parts of the scratch that the file uses.
func (u *unpacked) onScratch() (parts []span) {
	for i, e := range u.extents {
		end := u.size
		if i+1 < len(u.extents) {
			end = u.extents[i+1].at
		}
		if e.disk != nil {
			parts = append(parts, span{e.from, e.from + end - e.at})
		}
	}
	return parts
}

// filled adds bytes that repeat a pattern.
func (u *unpacked) filled(fill uint64, n int64) {
	if last := u.last(); last != nil && last.data == nil && last.disk == nil && last.fill == fill && (u.size-last.at)%8 == 0 {
		u.size += n
		return
	}
	u.add(extent{fill: fill}, n)
}

func (u *unpacked) add(e extent, n int64) {
	if n > 0 {
		e.at = u.size
		u.extents = append(u.extents, e)
		u.size += n
	}
}

func (u *unpacked) last() *extent {
	if len(u.extents) == 0 {
		return nil
	}
	return &u.extents[len(u.extents)-1]
}

// ReadAt implements io.ReaderAt.
func (u *unpacked) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	i := sort.Search(len(u.extents), func(i int) bool { return u.extents[i].at > off }) - 1
	for ; n < len(p) && off < u.size; i++ {
		end := u.size
		if i+1 < len(u.extents) {
			end = u.extents[i+1].at
		}
		part := p[n:min(int64(len(p)), int64(n)+end-off)]
		if err := u.extents[i].read(part, off-u.extents[i].at); err != nil {
			return n, err
		}
		n, off = n+len(part), off+int64(len(part))
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// read fills p from a place in the extent, which reaches that far.
func (e *extent) read(p []byte, skip int64) error {
	switch {
	case e.disk != nil:
		return e.disk.read(p, e.from+skip)
	case e.data != nil:
		copy(p, e.data[skip:])
		return nil
	case e.fill == 0:
		clear(p)
		return nil
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], e.fill)
	for i := range p {
		p[i] = b[(skip+int64(i))%8]
	}
	return nil
}
