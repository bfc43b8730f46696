package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	reader "github.com/parquet-go/parquet-go"

	"crashglass/cmd/internal/parquet"
)

// A crash is a row as another implementation of the format reads it.
type crash struct {
	Signature string     `parquet:"signature"`
	Reason    *string    `parquet:"reason,optional"`
	Modules   []string   `parquet:"modules"`
	Count     int64      `parquet:"count"`
	Written   *time.Time `parquet:"written,optional,timestamp(millisecond)"`
}

var columns = []parquet.Column{
	{Name: "signature", Kind: parquet.Text},
	{Name: "reason", Kind: parquet.Text, Repetition: parquet.Optional},
	{Name: "modules", Kind: parquet.Text, Repetition: parquet.Repeated},
	{Name: "count", Kind: parquet.Number},
	{Name: "written", Kind: parquet.Time, Repetition: parquet.Optional},
}

func texts(t ...string) parquet.Cell  { return parquet.Cell{Texts: t} }
func numbers(n ...int64) parquet.Cell { return parquet.Cell{Numbers: n} }

// write returns a table, and its rows as they have to be read.
func write(t *testing.T, rows int) (file []byte, want []crash) {
	t.Helper()
	var out bytes.Buffer
	w := parquet.NewWriter(&out, "crashglass 1.0", columns)
	for i := range rows {
		c := crash{Signature: fmt.Sprint("f", i), Count: int64(i) - 3, Modules: []string{}}
		reason, written := texts(), numbers()
		if i%3 > 0 {
			text := strings.Repeat("SIGSEGV ", i%7)
			c.Reason, reason = &text, texts(text)
		}
		if i%5 > 1 {
			at := time.UnixMilli(1e12 + int64(i)).UTC()
			c.Written, written = &at, numbers(at.UnixMilli())
		}
		for m := range i % 4 {
			c.Modules = append(c.Modules, fmt.Sprint("lib", m, ".so"))
		}
		if err := w.Row(texts(c.Signature), reason, texts(c.Modules...), numbers(c.Count), written); err != nil {
			t.Fatal(err)
		}
		want = append(want, c)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), want
}

// The last size takes several groups of rows.
func TestAnotherReaderHasTheRows(t *testing.T) {
	for _, n := range []int{0, 1, 2, 16, 1000, 200_000} {
		file, want := write(t, n)
		opened, err := reader.OpenFile(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		if groups := len(opened.RowGroups()); (n == 200_000) != (groups > 1) {
			t.Errorf("%d rows are in %d groups", n, groups)
		}
		got, err := reader.Read[crash](bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		for i := range min(len(got), len(want)) {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Fatalf("row %d of %d\n got %+v\nwant %+v", i, n, got[i], want[i])
			}
		}
		if len(got) != len(want) || opened.NumRows() != int64(n) {
			t.Errorf("got %d rows, %d by the description, want %d", len(got), opened.NumRows(), n)
		}
	}
}

func TestSchema(t *testing.T) {
	file, _ := write(t, 1)
	opened, err := reader.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	const want = `message schema {
	required binary signature (STRING);
	optional binary reason (STRING);
	repeated binary modules (STRING);
	required int64 count (INT(64,true));
	optional int64 written (TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS));
}`
	if got := opened.Schema().String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := opened.Metadata().CreatedBy; got != "crashglass 1.0" {
		t.Errorf("created by %q", got)
	}
}

func TestTextsAreUTF8(t *testing.T) {
	var out bytes.Buffer
	w := parquet.NewWriter(&out, "", columns[:1])
	w.Row(texts("a\xff\xfeb\x00c"))
	w.Close()
	got, err := reader.Read[crash](bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || got[0].Signature != "a\ufffd\ufffdb\x00c" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// A full disk, at any write, is an error of Close at the latest.
func TestErrorsOfTheOutput(t *testing.T) {
	file, _ := write(t, 1)
	for n := range len(file) {
		w := parquet.NewWriter(&full{n}, "crashglass 1.0", columns)
		w.Row(texts("f0"), texts(), texts(), numbers(-3), numbers())
		if err := w.Close(); !errors.Is(err, io.ErrShortWrite) {
			t.Fatalf("%d bytes of %d were written, and the error is %v", n, len(file), err)
		}
	}
}

// full takes a number of bytes.
type full struct{ left int }

func (f *full) Write(data []byte) (int, error) {
	if f.left -= len(data); f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(data), nil
}

func TestRowsThatDoNotFit(t *testing.T) {
	for _, tt := range []struct {
		name string
		row  []parquet.Cell
		want string
	}{
		{"a cell too few", []parquet.Cell{texts("f"), texts(), texts(), numbers(1)}, "parquet: a row of 4 cells in a table of 5 columns"},
		{"none where one is required", []parquet.Cell{texts(), texts(), texts(), numbers(1), numbers()}, `parquet: 0 values in column "signature" of a row`},
		{"two where there may be one", []parquet.Cell{texts("f"), texts("a", "b"), texts(), numbers(1), numbers()}, `parquet: 2 values in column "reason" of a row`},
		{"a number in a column of texts", []parquet.Cell{numbers(1), texts(), texts(), numbers(1), numbers()}, `parquet: 0 values in column "signature" of a row`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := parquet.NewWriter(io.Discard, "", columns).Row(tt.row...); err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}
