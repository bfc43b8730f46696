// Package bin reads fixed-width values out of unchecked bytes. A [Source] reads regions of a file, a [Cursor] walks one region in
// memory, and a [Pager] caches the pages of a section with many references into it.
//
// A Cursor remembers its first error and returns zeros from then on, so a
// parser reads a whole record and looks at Err once. No method panics, and no
// method allocates more than the input could justify, whatever the bytes say.
//
// Nothing here knows a format. Parsers give the values their meaning.
//
// Read source.go first, which reads a file; then this file, which reads a region of it. pager.go
// caches pages of a file, trace.go records the name of each field that was read, notes.go and
// budget.go bound defects and work.
package bin

import (
	"encoding/binary"
	"fmt"
)

// A Cursor reads forward through one named region of a file.
type Cursor struct {
	what  string // "thread list", as it should appear in an error
	base  int64  // file offset of data[0], so errors can be checked in a hex dump
	data  []byte
	off   int
	order binary.ByteOrder
	err   error

	tracing *tracing // nil unless the fields are recorded
}

// NewCursor reads little-endian data, which starts at file offset base.
func NewCursor(what string, base int64, data []byte) *Cursor {
	return NewOrderedCursor(what, base, data, binary.LittleEndian)
}

// NewOrderedCursor is NewCursor for a given byte order.
func NewOrderedCursor(what string, base int64, data []byte, order binary.ByteOrder) *Cursor {
	return &Cursor{what: what, base: base, data: data, order: order}
}

// U8 reads one byte.
func (c *Cursor) U8() uint8 {
	if b := c.take(1); b != nil {
		v := b[0]
		if c.tracing != nil {
			c.number(1, uint64(v))
		}
		return v
	}
	return 0
}

// U16 reads two bytes.
func (c *Cursor) U16() uint16 {
	if b := c.take(2); b != nil {
		v := c.order.Uint16(b)
		if c.tracing != nil {
			c.number(2, uint64(v))
		}
		return v
	}
	return 0
}

// U32 reads four bytes.
func (c *Cursor) U32() uint32 {
	if b := c.take(4); b != nil {
		v := c.order.Uint32(b)
		if c.tracing != nil {
			c.number(4, uint64(v))
		}
		return v
	}
	return 0
}

// U64 reads eight bytes.
func (c *Cursor) U64() uint64 {
	if b := c.take(8); b != nil {
		v := c.order.Uint64(b)
		if c.tracing != nil {
			c.number(8, uint64(v))
		}
		return v
	}
	return 0
}

// Bytes returns the next n bytes without copying them, or nil on error. The
// capacity is clipped, so an append by the caller cannot reach the file.
func (c *Cursor) Bytes(n int) []byte {
	b := c.take(n)
	if c.tracing != nil && b != nil {
		c.tracing.trace.Add(c.Offset()-int64(n), n, c.tracing.name(), Show(b))
	}
	return b
}

// Part returns the next n bytes for another cursor. It is Bytes without a field in the trace.
func (c *Cursor) Part(n int) []byte { return c.take(n) }

// Rest returns the unread bytes without reading them.
func (c *Cursor) Rest() []byte { return c.data[c.off:len(c.data):len(c.data)] }

func (c *Cursor) take(n int) []byte {
	if c.err != nil {
		return nil
	}
	if n < 0 || n > c.Len() {
		c.Fail("need %d bytes, have %d", n, c.Len())
		return nil
	}
	b := c.data[c.off : c.off+n : c.off+n]
	c.off += n
	return b
}

// Skip moves n bytes ahead.
func (c *Cursor) Skip(n int) { c.Bytes(n) }

// Count reads the u32 in front of an array of size-byte records and checks
// that the array fits in what is left. Allocating only what Count returns is
// therefore safe.
func (c *Cursor) Count(size int) int {
	at := c.off
	n := c.U32()
	if c.err == nil && uint64(n)*uint64(size) > uint64(c.Len()) {
		c.off = at // blame the count, not the byte after it
		c.Fail("count %d exceeds stream size %d", n, len(c.data))
	}
	if c.err != nil {
		return 0
	}
	return int(n)
}

// Len reports how many bytes are unread.
func (c *Cursor) Len() int { return len(c.data) - c.off }

// Offset is the file offset of the next byte.
func (c *Cursor) Offset() int64 { return c.base + int64(c.off) }

// Order is the byte order that values are read in.
func (c *Cursor) Order() binary.ByteOrder { return c.order }

// Fail records the first error; later ones are consequences of it.
func (c *Cursor) Fail(format string, args ...any) {
	if c.err == nil {
		c.err = &Error{What: c.what, Off: c.Offset(), Why: fmt.Sprintf(format, args...)}
	}
}

// Err returns the first error, or nil.
func (c *Cursor) Err() error { return c.err }

// An Error says what was being read, where in the file, and what was wrong.
type Error struct {
	What string
	Off  int64
	Why  string

	// Beyond says that the range lies beyond the end of the file: the file is truncated, or the
	// offset is wrong.
	Beyond bool

	// Cause is the error of a failed read, nil for a defect of the file.
	Cause error
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

func (e *Error) Error() string {
	// A negative offset is a 64-bit one that no file can have.
	return fmt.Sprintf("%s at %#x: %s", e.What, uint64(e.Off), e.Why)
}
