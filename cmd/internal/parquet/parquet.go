// Package parquet writes tables as files of Apache Parquet, which DuckDB, Spark, BigQuery and other
// engines read: columns of texts, numbers and times, without nesting, compressed with gzip.
//
// It is a writer of the few parts of the format that these tables need, and no reader. The layout is
// that of https://github.com/apache/parquet-format (parquet.thrift, Encodings.md and LogicalTypes.md);
// thrift.go has the encoding of its records. Texts are made valid UTF-8. Memory does not grow with
// the number of rows, but for some bytes for each group of rows.
package parquet

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
)

// A Kind is the kind of the values of a column.
type Kind byte

// The kinds.
const (
	Text   Kind = iota // UTF-8
	Number             // a signed number of 64 bits
	Time               // milliseconds since 1970, UTC
)

// A Repetition is how many values a row has in a column. The values are those of FieldRepetitionType.
type Repetition byte

// The repetitions. Readers show a repeated column as a list, by the rules for lists of older writers in LogicalTypes.md.
const (
	Required Repetition = 0 // one
	Optional Repetition = 1 // one or none
	Repeated Repetition = 2 // any number
)

// A Column describes a column.
type Column struct {
	Name       string
	Kind       Kind
	Repetition Repetition
}

// A Cell has the values of a row in a column: texts for a column of texts, else numbers.
type Cell struct {
	Texts   []string
	Numbers []int64
}

const magic = "PAR1" // begins and ends a file

// rowGroup is the size in bytes at which buffered values are written, as a group of rows.
const rowGroup = 4 << 20

// A Writer writes the rows of one table. Nothing is complete before Close.
type Writer struct {
	out     io.Writer
	err     error // the first one of out; nothing is written after it
	offset  int64 // bytes written
	creator string
	columns []*chunk
	rows    int64 // in the present group
	all     int64 // in groups that are written
	groups  [][]byte
}

// NewWriter begins a table. The creator is the name and version of the program, for the file's record of it.
func NewWriter(out io.Writer, creator string, columns []Column) *Writer {
	w := &Writer{out: out, creator: creator}
	for _, c := range columns {
		w.columns = append(w.columns, &chunk{Column: c})
	}
	w.write([]byte(magic))
	return w
}

// Row adds a row, which has a cell for each column. After an error the table is of no use.
func (w *Writer) Row(cells ...Cell) error {
	if len(cells) != len(w.columns) {
		return fmt.Errorf("parquet: a row of %d cells in a table of %d columns", len(cells), len(w.columns))
	}
	size := 0
	for i, c := range w.columns {
		if err := c.add(cells[i]); err != nil {
			return err
		}
		size += c.values.Len()
	}
	w.rows++
	if size >= rowGroup {
		w.flush()
	}
	return w.err
}

// Close writes what is left, and the description of the table.
func (w *Writer) Close() error {
	if w.rows > 0 {
		w.flush()
	}
	footer := w.footer()
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	w.write(append(footer, magic...))
	return w.err
}

func (w *Writer) write(data []byte) {
	if w.err == nil {
		_, w.err = w.out.Write(data)
		w.offset += int64(len(data))
	}
}

// flush writes the buffered rows as a group: a page for each column.
func (w *Writer) flush() {
	var chunks [][]byte
	raw, packed := int64(0), int64(0)
	for _, c := range w.columns {
		body := c.body()
		page := compressed(body)
		head := pageHeader(len(body), len(page), c.entries())
		at := w.offset
		w.write(head)
		w.write(page)
		raw += int64(len(head) + len(body))
		packed += w.offset - at
		chunks = append(chunks, c.describe(at, int64(len(head)+len(body)), w.offset-at))
		*c = chunk{Column: c.Column}
	}
	w.groups = append(w.groups, describeGroup(chunks, raw, packed, w.rows))
	w.all, w.rows = w.all+w.rows, 0
}

// compressed cannot fail: its output is memory.
func compressed(data []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(data)
	z.Close()
	return out.Bytes()
}

// A chunk is what a column has of the rows that are not written yet.
type chunk struct {
	Column
	repeats levels // 1: one more value of the same row
	defined levels // 0: the row has no value here
	values  bytes.Buffer
}

func (c *chunk) add(cell Cell) error {
	n := len(cell.Numbers)
	if c.Kind == Text {
		n = len(cell.Texts)
	}
	if n == 0 && c.Repetition == Required || n > 1 && c.Repetition != Repeated {
		return fmt.Errorf("parquet: %d values in column %q of a row", n, c.Name)
	}
	if n == 0 {
		c.repeats.add(0)
		c.defined.add(0)
	}
	for i := range n {
		c.repeats.add(byte(min(i, 1)))
		c.defined.add(1)
		c.value(cell, i)
	}
	return nil
}

// value appends a value in the encoding PLAIN.
func (c *chunk) value(cell Cell, i int) {
	if c.Kind == Text {
		text := string([]rune(cell.Texts[i])) // a byte that is not UTF-8 becomes U+FFFD, as in JSON
		binary.Write(&c.values, binary.LittleEndian, uint32(len(text)))
		c.values.WriteString(text)
		return
	}
	binary.Write(&c.values, binary.LittleEndian, cell.Numbers[i])
}

// entries returns the number of levels, which counts rows without a value.
func (c *chunk) entries() int { return c.defined.count }

// body returns a data page: the levels that the column's repetition needs, then its values.
func (c *chunk) body() []byte {
	var body []byte
	if c.Repetition == Repeated {
		body = c.repeats.encode(body)
	}
	if c.Repetition != Required {
		body = c.defined.encode(body)
	}
	return append(body, c.values.Bytes()...)
}

// levels are numbers of one bit, as runs of equal ones.
type levels struct {
	runs  []run
	count int
}

type run struct {
	level  byte
	length uint64
}

func (l *levels) add(level byte) {
	l.count++
	if n := len(l.runs); n > 0 && l.runs[n-1].level == level {
		l.runs[n-1].length++
		return
	}
	l.runs = append(l.runs, run{level, 1})
}

// encode appends them in the encoding RLE, after their length in bytes.
func (l *levels) encode(to []byte) []byte {
	var coded []byte
	for _, r := range l.runs {
		coded = append(binary.AppendUvarint(coded, r.length<<1), r.level)
	}
	return append(binary.LittleEndian.AppendUint32(to, uint32(len(coded))), coded...)
}
