package macho

import (
	"encoding/binary"
	"slices"
)

// readStarts reads where functions begin (LC_FUNCTION_STARTS): distances, the
// first one from __TEXT, each an unsigned LEB128 number, up to a zero. Of
// Thumb code the lowest bit is set. Without it, symbols tell.
func (f *File) readStarts() (out []uint64) {
	if f.starts.size == 0 {
		for _, s := range f.names().list {
			out = append(out, s.addr)
		}
		return out
	}
	src := f.source("function starts", f.starts)
	data, err := src.ReadUpTo("macho: function starts", 0, uint64(src.Size()))
	if err != nil {
		f.note("%v", err)
	}
	addr := uint64(0)
	for len(data) > 0 {
		delta, n := binary.Uvarint(data)
		if delta == 0 || n <= 0 || addr+delta < addr {
			break
		}
		addr += delta
		data = data[n:]
		if f.h.cpu == cpuARM {
			out = append(out, addr&^1)
		} else {
			out = append(out, addr)
		}
	}
	return out
}

// startBelow returns where the function at an address begins, if that is known.
func (f *File) startBelow(rel uint64) (uint64, bool) {
	starts := f.functions()
	i, ok := slices.BinarySearch(starts, rel)
	if ok {
		return rel, true
	}
	if i == 0 {
		return 0, false
	}
	return starts[i-1], true
}

// startAbove returns where the next function begins, or the limit.
func (f *File) startAbove(rel, limit uint64) uint64 {
	starts := f.functions()
	i, ok := slices.BinarySearch(starts, rel)
	if ok {
		i++
	}
	if i < len(starts) {
		return min(starts[i], limit)
	}
	return limit
}
