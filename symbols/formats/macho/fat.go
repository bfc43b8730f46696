package macho

import (
	"encoding/binary"
	"fmt"

	"crashglass/core/base/bin"
)

const (
	fatMagic   = 0xcafebabe
	fatMagic64 = 0xcafebabf

	// maxSlices bounds the slices of a fat file. A Java class file has the same
	// magic number and its version where the count would be, 45 and up.
	maxSlices = 32
)

// A slice is one file inside of a fat one, or all of a thin one.
type slice struct{ off, size int64 }

// OpenAll opens each slice of a fat file, or a thin file. It omits slices that are no modules, and
// fails if none is left.
func OpenAll(src bin.Source, opt Options) ([]*File, error) {
	slices, err := slicesOf(src)
	if err != nil {
		return nil, err
	}
	var files []*File
	for _, s := range slices {
		f, e := open(src, s, opt)
		if e != nil {
			err = e
			continue
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, err
	}
	return files, nil
}

// slicesOf reads the header of a fat file, which is big-endian on all CPUs.
func slicesOf(src bin.Source) ([]slice, error) {
	head, err := src.Read("macho: header", 0, 8)
	if err != nil {
		return nil, err
	}
	magic, count := binary.BigEndian.Uint32(head), binary.BigEndian.Uint32(head[4:])
	if magic != fatMagic && magic != fatMagic64 {
		return []slice{{0, src.Size()}}, nil
	}
	if count == 0 || count > maxSlices {
		return nil, fmt.Errorf("macho: fat header at 0x4: %d slices, the limit is %d", count, maxSlices)
	}
	entry := uint64(20)
	if magic == fatMagic64 {
		entry = 32
	}
	data, err := src.Read("macho: fat header", 8, uint64(count)*entry)
	if err != nil {
		return nil, err
	}
	c := bin.NewOrderedCursor("macho: fat header", 8, data, binary.BigEndian)
	var out []slice
	for range count {
		if s, ok := parseSlice(c, magic == fatMagic64, src); ok {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("macho: fat header at 0x8: none of %d slices lies in the file of %d bytes", count, src.Size())
	}
	return out, nil
}

// parseSlice reads CPU and its kind, where the slice is, and its alignment.
// One that is cut off by the end of the file has what is there.
func parseSlice(c *bin.Cursor, is64 bool, src bin.Source) (slice, bool) {
	c.Skip(8)
	var off, size uint64
	if is64 {
		off, size = c.U64(), c.U64()
		c.Skip(8)
	} else {
		off, size = uint64(c.U32()), uint64(c.U32())
		c.Skip(4)
	}
	if off == 0 || off >= uint64(src.Size()) || size == 0 {
		return slice{}, false
	}
	return slice{int64(off), int64(min(size, uint64(src.Size())-off))}, true
}
