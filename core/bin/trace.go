package bin

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Trace collects what cursors read, for programs that show a file's bytes and
// what each of them means. A cursor without one does no more than look whether
// it has one.
type Trace struct {
	fields []Field
	record string         // that fields belong to from here on
	count  map[string]int // of records by their name
	cut    bool
}

// A Field is a run of bytes of a file that means one thing.
type Field struct {
	Off    int64
	Size   int
	Name   string
	Value  string // a number in decimal and hex, text, or the first bytes in hex
	Record string // that it is a part of: "thread 3"; "" for what belongs to the whole stream
}

// mostFields bounds what a trace keeps: a list of memory may have a million
// entries, which are not read one by one.
const mostFields = 1 << 14

// Fields are those that were read so far, in the order in which they were read.
// Cut says that there were more.
func (t *Trace) Fields() (fields []Field, cut bool) { return t.fields, t.cut }

// Add records a field that no cursor reads. It may be called on nil.
func (t *Trace) Add(off int64, size int, name, value string) {
	switch {
	case t == nil || size <= 0:
	case len(t.fields) >= mostFields:
		t.cut = true
	default:
		t.fields = append(t.fields, Field{off, size, name, value, t.record})
	}
}

// start begins the next record of a name.
func (t *Trace) start(name string) {
	if t.count == nil {
		t.count = map[string]int{}
	}
	t.record = fmt.Sprintf("%s %d", name, t.count[name])
	t.count[name]++
}

// tracing is what a cursor with a trace knows: the names of the fields that come next.
type tracing struct {
	trace *Trace
	names string
	nth   int // of a name that goes on
}

// Traced makes the cursor record what it reads; with nil it does not.
func (c *Cursor) Traced(t *Trace) *Cursor {
	if t != nil {
		c.tracing = &tracing{trace: t}
	}
	return c
}

// Record says that a record begins, and what its fields are called, in order
// and with blanks between. A name that ends in "[]" is that of all fields that follow.
func (c *Cursor) Record(name, fields string) {
	if c.tracing != nil {
		c.tracing.trace.start(name)
		c.Names(fields)
	}
}

// Names says what the next fields are called; they belong to the same record
// as those before them.
func (c *Cursor) Names(fields string) {
	if c.tracing != nil {
		c.tracing.names, c.tracing.nth = fields, 0
	}
}

// name takes the next name.
func (t *tracing) name() string {
	word, rest, _ := strings.Cut(t.names, " ")
	if array, ok := strings.CutSuffix(word, "[]"); ok {
		t.nth++
		return fmt.Sprintf("%s[%d]", array, t.nth-1)
	}
	t.names = rest
	return word
}

// number records a field that was just read.
func (c *Cursor) number(size int, v uint64) {
	if c.tracing != nil && c.err == nil {
		c.tracing.trace.Add(c.Offset()-int64(size), size, c.tracing.name(), fmt.Sprintf("%d (%#x)", v, v))
	}
}

// Show is a value for bytes: the text that they are, or the first of them in hex.
func Show(b []byte) string {
	const mostText, mostBytes = 200, 16
	if text := asText(b); text != "" {
		if utf8.RuneCountInString(text) > mostText {
			return string([]rune(text)[:mostText]) + "…"
		}
		return text
	}
	if len(b) > mostBytes {
		return fmt.Sprintf("% x …", b[:mostBytes])
	}
	return fmt.Sprintf("% x", b)
}

// asText is the text of bytes that are nothing else, in UTF-8 or in UTF-16 of
// ASCII; "" for others. Terminators at the end do not count.
func asText(b []byte) string {
	text := strings.TrimRight(string(b), "\x00")
	if wide := strings.ReplaceAll(text, "\x00", ""); len(text) > 2 && len(text)/2+len(text)%2 == len(wide) {
		text = wide
	}
	for _, r := range text {
		if r == utf8.RuneError || !unicode.IsPrint(r) && !strings.ContainsRune("\n\t\r", r) {
			return ""
		}
	}
	return text
}
