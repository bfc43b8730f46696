package archive

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"sync"

	"crashglass/core/base/bin"
)

// Records of a zip file: PKWARE's APPNOTE.TXT 4.3. The standard library's reader keeps every record
// of a directory, and a directory may have a hundred million.
const (
	endSize      = 22        // end of central directory record, 4.3.16, without the comment
	end64Locate  = 20        // zip64 end of central directory locator, 4.3.15
	end64Size    = 56        // zip64 end of central directory record, 4.3.14
	entrySize    = 46        // central directory header, 4.3.12, without what varies
	localSize    = 30        // local file header, 4.3.7, without what varies
	maxComment   = 1<<16 - 1 // of the end record
	maxDirectory = 64 << 20
	maxOverlap   = 4 // how often the members may have the size of the file: they can share their data
	zip64Field   = 1 // id of the extra field with 64-bit values, 4.5.3
)

// Compression methods, 4.4.5.
const (
	methodStore   = 0
	methodDeflate = 8
)

// A directory is the location of the entries by the end record.
type directory struct {
	off, size int64
	base      int64 // the base of offsets: more than 0 if other data precedes the archive
}

func listZip(src bin.Source, budget *Budget) ([]Member, error) {
	dir, err := findDirectory(src)
	if err != nil {
		return nil, fmt.Errorf("archive: zip: %w", err)
	}
	if dir.size > maxDirectory {
		return nil, fmt.Errorf("archive: zip: central directory of %d bytes exceeds %d", dir.size, maxDirectory)
	}
	data, err := src.Read("central directory", dir.off+dir.base, uint64(dir.size))
	if err != nil {
		return nil, fmt.Errorf("archive: zip: %w", err)
	}
	var out []Member
	var refused error
	left := 0        // members beyond the limit
	have := int64(0) // bytes of the members so far
	for c := bin.NewCursor("central directory", dir.off+dir.base, data); c.Len() >= entrySize; {
		e := parseEntry(c)
		if c.Err() != nil {
			break // the entries before it are good
		}
		if refused == nil {
			refused = budget.member("zip")
		}
		n := len(e.name)
		switch {
		case n == 0 || e.name[n-1] == '/':
		case refused != nil:
			left++
		default:
			have += int64(min(e.packed, uint64(src.Size())))
			if have/maxOverlap > src.Size() {
				e.damaged = fmt.Errorf("it and the members before it have %d bytes together, and the file has %d: they overlap", have, src.Size())
			}
			out = append(out, e.member(src, dir.base, budget))
		}
	}
	return out, beyond(refused, left)
}

// findDirectory reads the end record, which is at the end of the file but for
// a comment, and its zip64 form, which is in front of it.
func findDirectory(src bin.Source) (d directory, err error) {
	from := max(src.Size()-endSize-maxComment, 0)
	tail, err := src.Read("end of the zip file", from, uint64(src.Size()-from))
	if err != nil {
		return d, err
	}
	i := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if i < 0 || len(tail)-i < endSize {
		return d, fmt.Errorf("no central directory: the file is cut short, or one part of several")
	}
	c := bin.NewCursor("end record", from+int64(i), tail[i:])
	c.Skip(10)
	many := c.U16() == 1<<16-1 // writers such as Python's state only this, and the size and the offset as they are
	d.size, d.off = int64(c.U32()), int64(c.U32())
	end := from + int64(i)
	if d.size == 1<<32-1 || d.off == 1<<32-1 || many && end >= end64Locate {
		if end, err = find64(src, end, &d); err != nil {
			return d, err
		}
	}
	// The directory ends where the end record begins. The difference from its offset is data before
	// the archive, for example a self-extracting program.
	if d.base = end - d.size - d.off; d.size < 0 || d.off < 0 || d.base < 0 {
		return d, fmt.Errorf("central directory at %#x of %d bytes does not end before %#x", d.off, d.size, end)
	}
	return d, nil
}

func find64(src bin.Source, end int64, d *directory) (int64, error) {
	loc, err := src.Read("zip64 locator", end-end64Locate, end64Locate)
	if err != nil {
		return 0, err
	}
	at := int64(binary.LittleEndian.Uint64(loc[8:]))
	if string(loc[:4]) != "PK\x06\x07" {
		return end, nil // the values only look like that
	}
	data, err := src.Read("zip64 end record", at, end64Size)
	if err != nil {
		return 0, err
	}
	if string(data[:4]) != "PK\x06\x06" {
		return 0, fmt.Errorf("no zip64 end record at %#x", at)
	}
	d.size, d.off = int64(binary.LittleEndian.Uint64(data[40:])), int64(binary.LittleEndian.Uint64(data[48:]))
	return at, nil
}

// An entry is one central directory header.
type entry struct {
	name          string
	flags, method uint16
	crc           uint32
	packed, size  uint64
	local         uint64 // offset of the local header
	damaged       error
}

func parseEntry(c *bin.Cursor) (e entry) {
	if sig := c.U32(); c.Err() == nil && sig != 0x02014b50 {
		c.Fail("signature is %#x", sig)
	}
	c.Skip(4) // versions
	e.flags, e.method = c.U16(), c.U16()
	c.Skip(4) // time
	e.crc, e.packed, e.size = c.U32(), uint64(c.U32()), uint64(c.U32())
	name, extra, comment := c.U16(), c.U16(), c.U16()
	c.Skip(8) // disk, attributes
	e.local = uint64(c.U32())
	e.name = string(c.Bytes(int(name)))
	e.wide(c.Bytes(int(extra)))
	c.Skip(int(comment))
	return e
}

// wide replaces values that did not fit by those of the zip64 extra field, which lists only these.
func (e *entry) wide(extra []byte) {
	for len(extra) >= 4 {
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		if extra = extra[4:]; n > len(extra) {
			return
		}
		field := extra[:n]
		if extra = extra[n:]; id != zip64Field {
			continue
		}
		for _, v := range []*uint64{&e.size, &e.packed, &e.local} {
			if *v == 1<<32-1 && len(field) >= 8 {
				*v, field = binary.LittleEndian.Uint64(field), field[8:]
			}
		}
	}
}

func (e entry) member(src bin.Source, base int64, budget *Budget) Member {
	m := Member{Name: clean(e.name), Size: int64(min(e.size, 1<<63-1)), in: Zip, packed: int64(min(e.packed, uint64(src.Size()))), budget: budget}
	m.data = func() (*bin.Source, io.Reader, error) {
		if err := cmp.Or(e.damaged, budget.effort(reusedWork)); err != nil {
			return nil, nil, err
		}
		data, err := e.data(src, base)
		if err != nil {
			return nil, nil, err
		}
		return e.open(data, budget)
	}
	return m
}

// data finds a member's bytes, which begin after its local header.
func (e entry) data(src bin.Source, base int64) (*bin.Source, error) {
	at := base + int64(min(e.local, 1<<62))
	head, err := src.Read("local header", at, localSize)
	if err != nil {
		return nil, err
	}
	if string(head[:4]) != "PK\x03\x04" {
		return nil, fmt.Errorf("no local header at %#x", at)
	}
	at += localSize + int64(binary.LittleEndian.Uint16(head[26:])) + int64(binary.LittleEndian.Uint16(head[28:]))
	if !src.Has(at, e.packed) {
		// Truncated: the available part may still be useful.
		if at >= src.Size() {
			return nil, fmt.Errorf("data at %#x lie beyond the end of the file at %#x", at, src.Size())
		}
		return section(src, at, src.Size()-at), nil
	}
	return section(src, at, int64(e.packed)), nil
}

func (e entry) open(data *bin.Source, budget *Budget) (*bin.Source, io.Reader, error) {
	switch {
	case e.flags&1 != 0:
		return nil, nil, fmt.Errorf("it is encrypted")
	case e.method == methodStore:
		return data, nil, nil
	case e.method == methodDeflate:
		r := inflaters.Get().(inflater)
		if err := r.Reset(input{io.NewSectionReader(data, 0, data.Size()), budget}, nil); err != nil {
			return nil, nil, err
		}
		return nil, &checked{r: r, sum: crc32.NewIEEE(), want: e.crc}, nil
	}
	return nil, nil, fmt.Errorf("compression method %d is not one that we read", e.method)
}

type inflater interface {
	io.Reader
	flate.Resetter
}

// inflaters are those that no member uses. Each takes 40 KiB, and a window of 32 KiB when it is used.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// checked compares a member's checksum when its end is reached.
type checked struct {
	r    inflater
	sum  hash.Hash32
	want uint32
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.sum.Write(p[:n])
	if err == io.EOF && c.sum.Sum32() != c.want {
		err = fmt.Errorf("checksum is %#08x, want %#08x", c.sum.Sum32(), c.want)
	}
	return n, err
}

// Close leaves the inflater to another member.
func (c *checked) Close() error {
	inflaters.Put(c.r)
	c.r = nil
	return nil
}
