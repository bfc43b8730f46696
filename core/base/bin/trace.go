package bin

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Trace records the fields that cursors read, for programs that show the meaning of each byte.
// Without a Trace a cursor spends one comparison on it.
type Trace struct {
	fields []Field
	record string         // the record of the following fields
	count  map[string]int // the number of records by name
	cut    bool
}

// A Field is a run of bytes with one meaning.
type Field struct {
	Off    int64
	Size   int
	Name   string
	Value  string // a number in decimal and hex, text, or the first bytes in hex
	Record string // the record that it is part of: "thread 3"; "" for the stream itself
}

// mostFields bounds what a trace keeps: a list of memory may have a million
// entries, which are not read one by one.
const mostFields = 1 << 14

// Fields returns the recorded fields, in the order of reading. Cut says that there were more.
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

// tracing holds the names of the next fields of a cursor with a trace.
type tracing struct {
	trace *Trace
	names string
	nth   int // of a name that repeats
}

// Traced makes the cursor record what it reads; with nil it does not.
func (c *Cursor) Traced(t *Trace) *Cursor {
	if t != nil {
		c.tracing = &tracing{trace: t}
	}
	return c
}

// Record begins a record and names its fields, in order and separated by spaces. A name that ends
// in "[]" applies to all fields that follow.
func (c *Cursor) Record(name, fields string) {
	if c.tracing != nil {
		c.tracing.trace.start(name)
		c.Names(fields)
	}
}

// Names names the next fields, which belong to the same record as those before them.
func (c *Cursor) Names(fields string) {
	if c.tracing != nil {
		c.tracing.names, c.tracing.nth = fields, 0
	}
}

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

// Show formats bytes as a value: as text if they are text, else the first of them in hex.
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

// asText returns the text of bytes that are only text, in UTF-8 or in UTF-16 of ASCII; "" for
// others. It ignores terminators at the end.
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
