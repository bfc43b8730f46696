package bin

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// Each width is one field, and a failed read none.
func TestTraceWidths(t *testing.T) {
	var trace Trace
	c := NewCursor("x", 0x10, []byte{1, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0x80, 5}).Traced(&trace)
	c.Record("r", "a b c d e")
	c.U8()
	c.U16()
	c.U32()
	c.U64()
	c.U16() // there is one byte
	c.U8()
	want := []Field{
		{0x10, 1, "a", "1 (0x1)", "r 0"},
		{0x11, 2, "b", "2 (0x2)", "r 0"},
		{0x13, 4, "c", "3 (0x3)", "r 0"},
		{0x17, 8, "d", "9223372036854775812 (0x8000000000000004)", "r 0"},
	}
	got, _ := trace.Fields()
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
}

// Records of one name count, and fields without a name have none.
func TestTraceRecords(t *testing.T) {
	var trace Trace
	c := NewCursor("x", 0, []byte{1, 2, 3, 4}).Traced(&trace)
	for _, name := range []string{"thread", "module", "thread"} {
		c.Record(name, "id")
		c.U8()
	}
	c.U8()
	var text []string
	fields, _ := trace.Fields()
	for _, f := range fields {
		text = append(text, f.Record+":"+f.Name)
	}
	if got, want := strings.Join(text, " "), "thread 0:id module 0:id thread 1:id thread 1:"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A trace keeps 16384 fields and says that there were more. One without bytes is none.
func TestTraceBound(t *testing.T) {
	var trace Trace
	trace.Add(0, 0, "nothing", "")
	trace.Add(0, -1, "less", "")
	for range mostFields {
		trace.Add(0, 1, "f", "")
	}
	if fields, cut := trace.Fields(); len(fields) != mostFields || cut {
		t.Errorf("%d fields, cut: %t", len(fields), cut)
	}
	trace.Add(0, 1, "f", "")
	if fields, cut := trace.Fields(); len(fields) != mostFields || !cut {
		t.Errorf("%d fields, cut: %t", len(fields), cut)
	}
	(*Trace)(nil).Add(0, 1, "f", "") // of a cursor without a trace
}

// The borders of what is shown as text.
func TestShowBorders(t *testing.T) {
	for bytes, want := range map[string]string{
		"a\x00b":                   "ab", // UTF-16, whose last zero looks like a terminator
		"ab\x00":                   "ab",
		"a\x00b\x00":               "ab",
		"a\x00":                    "a",
		"line\nnext\tx\r":          "line\nnext\tx\r",
		"\x1b[0m":                  "1b 5b 30 6d",
		"caf\xe9":                  "63 61 66 e9",
		strings.Repeat("x", 200):   strings.Repeat("x", 200),
		strings.Repeat("\xfe", 16): strings.TrimSpace(strings.Repeat("fe ", 16)),
	} {
		if got := Show([]byte(bytes)); got != want {
			t.Errorf("%q: %q, want %q", bytes, got, want)
		}
	}
}

// A file that ends, and one that is shorter than it says.
func TestSourceEnds(t *testing.T) {
	empty := Source{}
	if n, err := empty.ReadAt(make([]byte, 1), 0); n != 0 || err != io.EOF {
		t.Errorf("%d, %v", n, err)
	}
	s := NewSource(bytes.NewReader([]byte("abcdef")), 4)
	for _, tt := range []struct {
		off  int64
		n    int
		want string
		err  error
	}{
		{0, 4, "abcd", nil},
		{3, 1, "d", nil},
		{4, 1, "", io.EOF}, // the reader has more, the file has not
		{5, 1, "", io.EOF},
	} {
		p := make([]byte, tt.n)
		n, err := s.ReadAt(p, tt.off)
		if string(p[:n]) != tt.want || err != tt.err {
			t.Errorf("%d bytes at %d: %q, %v", tt.n, tt.off, p[:n], err)
		}
	}
	short := NewSource(bytes.NewReader([]byte("ab")), 4)
	if _, err := short.Read("x", 0, 4); errString(err) != "x at 0x2: reading failed: unexpected EOF" {
		t.Error(err)
	}
}

// A page that was evicted is read again, and the oldest one goes first.
func TestPagerRing(t *testing.T) {
	r, data := paged()
	p := NewPager("thing", NewSource(r, int64(len(data))), 2*PageSize)
	for i, step := range []struct{ page, reads int }{{0, 1}, {1, 2}, {2, 3}, {1, 3}, {0, 4}, {2, 4}, {1, 5}, {0, 5}, {2, 6}} {
		if _, err := p.From(int64(step.page) * PageSize); err != nil || r.reads != step.reads {
			t.Errorf("step %d, page %d: %d reads, want %d (%v)", i, step.page, r.reads, step.reads, err)
		}
	}
	exact := NewPager("thing", source(strings.Repeat("x", PageSize)), PageSize)
	if len(exact.pages) != 1 {
		t.Errorf("a file of one page has %d", len(exact.pages))
	}
	if b, err := exact.Bytes(PageSize, 0); err != nil || len(b) != 0 {
		t.Errorf("no bytes at the end: %q, %v", b, err)
	}
	if b, err := exact.Bytes(0, PageSize); err != nil || len(b) != PageSize {
		t.Errorf("a whole page: %d bytes, %v", len(b), err)
	}
}

// A budget of nil has no end, and one that is exceeded stays so.
func TestBudgetOfNil(t *testing.T) {
	var none *Budget
	if !none.Spend(1<<62) || none.Exceeded() || none.Left() != 1<<63-1 {
		t.Error("a budget of nil ends")
	}
	b := NewBudget(3)
	if !b.Spend(3) || b.Exceeded() || b.Left() != 0 || b.Spend(1) || !b.Exceeded() || b.Left() != 0 {
		t.Error("the last unit")
	}
	if b.Add(1); b.Exceeded() || b.Left() != 0 || !b.Spend(0) {
		t.Error("what was overspent is paid first")
	}
}
