package bin

import (
	"slices"
	"strings"
	"testing"
)

func TestTrace(t *testing.T) {
	var trace Trace
	c := NewCursor("list", 0x100, []byte("\x02\x00A\x03\x00\x00\x00xyz\x00\x00rest")).Traced(&trace)
	c.Names("count")
	c.U16()
	c.Record("entry", "kind size name[]")
	c.U8()
	c.U32()
	c.Bytes(3)
	c.Skip(2)
	c.Part(2)
	if string(c.Rest()) != "st" || c.Len() != 2 {
		t.Errorf("the rest is %q, %d bytes", c.Rest(), c.Len())
	}
	c.Bytes(3) // there are two
	c.U8()
	want := []Field{
		{0x100, 2, "count", "2 (0x2)", ""},
		{0x102, 1, "kind", "65 (0x41)", "entry 0"},
		{0x103, 4, "size", "3 (0x3)", "entry 0"},
		{0x107, 3, "name[0]", "xyz", "entry 0"},
		{0x10a, 2, "name[1]", "00 00", "entry 0"},
	}
	if got, cut := trace.Fields(); cut || !slices.Equal(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

// A cursor without a trace reads the same, and needs no memory for it.
func TestUntraced(t *testing.T) {
	data := make([]byte, 64)
	if n := testing.AllocsPerRun(100, func() {
		c := Cursor{data: data, order: NewCursor("", 0, nil).Order()}
		c.Record("entry", "a b")
		c.Names("c")
		c.U16()
		c.Bytes(4)
	}); n > 1 { // the cursor to take the order from
		t.Errorf("%v allocations", n)
	}
}

func TestShow(t *testing.T) {
	for _, test := range []struct{ bytes, want string }{
		{"text\x00\x00", "text"},
		{"w\x00i\x00d\x00e\x00\x00\x00", "wide"},
		{"a\x00b c", "61 00 62 20 63"},
		{"\x01\x02", "01 02"},
		{strings.Repeat("\xff", 17), strings.Repeat("ff ", 16) + "…"},
		{strings.Repeat("é", 201), strings.Repeat("é", 200) + "…"},
		{"\u202e", "e2 80 ae"},
		{"", ""},
	} {
		if got := Show([]byte(test.bytes)); got != test.want {
			t.Errorf("%q is shown as %q, want %q", test.bytes, got, test.want)
		}
	}
}
