package bin

import (
	"bytes"
	"encoding/binary"
	"testing"

	"crashglass/core/testkit/asm"
)

func errString(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestCursor(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		s := asm.At(0)
		if order == binary.BigEndian {
			s.BigEndian()
		}
		data := s.U8(1).U16(2).U32(3).U64(4).Text("rest").Build(t)
		c := NewOrderedCursor("thing", 0x100, data, order)
		if a, b, d, e := c.U8(), c.U16(), c.U32(), c.U64(); a != 1 || b != 2 || d != 3 || e != 4 {
			t.Errorf("%v: %d %d %d %d", order, a, b, d, e)
		}
		if c.Offset() != 0x10f || c.Len() != 4 || c.Order() != order {
			t.Errorf("%v: offset %#x, %d left", order, c.Offset(), c.Len())
		}
		if rest := c.Bytes(4); string(rest) != "rest" || c.Err() != nil {
			t.Errorf("%v: %q, %v", order, rest, c.Err())
		}
	}
}

// TestCursorErrors reads beyond the end with each method.
func TestCursorErrors(t *testing.T) {
	tests := []struct {
		name string
		read func(c *Cursor)
		want string
	}{
		{"U8", func(c *Cursor) { c.Skip(3); c.U8() }, "thing at 0x103: need 1 bytes, have 0"},
		{"U16", func(c *Cursor) { c.Skip(2); c.U16() }, "thing at 0x102: need 2 bytes, have 1"},
		{"U32", func(c *Cursor) { c.U32() }, "thing at 0x100: need 4 bytes, have 3"},
		{"U64", func(c *Cursor) { c.U64() }, "thing at 0x100: need 8 bytes, have 3"},
		{"Bytes", func(c *Cursor) { c.Bytes(4) }, "thing at 0x100: need 4 bytes, have 3"},
		{"negative", func(c *Cursor) { c.Bytes(-1) }, "thing at 0x100: need -1 bytes, have 3"},
		{"Skip", func(c *Cursor) { c.Skip(1 << 40) }, "thing at 0x100: need 1099511627776 bytes, have 3"},
		{"Count", func(c *Cursor) { c.Count(1) }, "thing at 0x100: need 4 bytes, have 3"},
		{"the first one stays", func(c *Cursor) { c.U32(); c.U8(); c.Fail("later") }, "thing at 0x100: need 4 bytes, have 3"},
		{"none", func(c *Cursor) { c.Bytes(3); c.Bytes(0) }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := NewCursor("thing", 0x100, []byte{1, 2, 3})
			tt.read(c)
			if got := errString(c.Err()); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			if c.Err() != nil && (c.U8() != 0 || c.U64() != 0 || c.Bytes(0) != nil || c.Count(1) != 0) {
				t.Error("a failed cursor reads on")
			}
		})
	}
}

func TestCount(t *testing.T) {
	tests := []struct {
		count uint32
		size  int
		want  int
		err   string
	}{
		{0, 8, 0, ""},
		{2, 8, 2, ""},
		{2, 9, 0, "thing at 0x20: count 2 exceeds stream size 20"},
		{0xffff_ffff, 1 << 40, 0, "thing at 0x20: count 4294967295 exceeds stream size 20"},
	}
	for _, tt := range tests {
		c := NewCursor("thing", 0x20, asm.At(0).U32(tt.count).Zeros(16).Build(t))
		if n := c.Count(tt.size); n != tt.want || errString(c.Err()) != tt.err {
			t.Errorf("%d records of %d bytes: %d, %v", tt.count, tt.size, n, c.Err())
		}
	}
}

// TestBytesClipped appends to what the cursor returned.
func TestBytesClipped(t *testing.T) {
	data := []byte("abcd")
	b := NewCursor("thing", 0, data).Bytes(2)
	if _ = append(b, 'x'); !bytes.Equal(data, []byte("abcd")) {
		t.Errorf("the file became %q", data)
	}
}

// FuzzCursor runs a program of reads on any bytes: the offset never leaves the data, and a failed
// cursor does not move.
func FuzzCursor(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5}, []byte("some bytes to read"))
	f.Fuzz(func(t *testing.T, program, data []byte) {
		c := NewCursor("thing", 5, data)
		for _, op := range program {
			failed, at := c.Err() != nil, c.Offset()
			switch op % 6 {
			case 0:
				c.U8()
			case 1:
				c.U16()
			case 2:
				c.U32()
			case 3:
				c.U64()
			case 4:
				c.Bytes(int(int8(op)))
			case 5:
				if n := c.Count(int(op)); n*int(op) > c.Len() {
					t.Fatalf("count %d of %d bytes, %d left", n, op, c.Len())
				}
			}
			if failed && c.Offset() != at {
				t.Fatal("a failed cursor moves")
			}
			if c.Len() < 0 || c.Offset() < at || c.Offset() != 5+int64(len(data)-c.Len()) {
				t.Fatalf("offset %d with %d of %d left", c.Offset(), c.Len(), len(data))
			}
		}
	})
}
