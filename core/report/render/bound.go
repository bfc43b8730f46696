package render

import (
	"errors"
	"io"
	"reflect"

	"crashglass/core/report"
)

// MaxOutput bounds the bytes of a report, in any form. Only hostile dumps or symbols exceed it:
// records that share long names, or megabytes of control characters, which take six bytes each in
// JSON. A larger report loses the ends of its lists and long texts, and has a note about it.
const MaxOutput = 64 << 20

// most is MaxOutput; tests lower it.
var most = MaxOutput

// errTooLarge makes bounded try the next measure. A caller sees it only if the last measure does
// not suffice.
var errTooLarge = errors.New("render: the report is too large")

// Bounded returns a report whose JSON has at most MaxOutput bytes: r itself if it is small enough,
// else a shortened copy.
func Bounded(r *report.Report) *report.Report {
	small, _ := boundedFrom(r, 0)
	return small
}

// boundedFrom tries measures from the given one on, and returns the next one.
func boundedFrom(r *report.Report, next int) (*report.Report, int) {
	room := most - most>>8 // weight is approximate
	for small := r; ; next++ {
		if next > 0 {
			small = shrink(r, measures[next-1])
		}
		if next == len(measures) || (scale{}).weight(reflect.ValueOf(small), room) <= room {
			return small, next + 1
		}
	}
}

// bounded writes a report, or as much of it as fits in MaxOutput bytes. The size of its JSON is
// only the first estimate, because each form escapes texts differently.
func bounded(w io.Writer, r *report.Report, write func(io.Writer, *report.Report) error) error {
	small, next := boundedFrom(r, 0)
	for {
		var out pieces
		err := write(&out, small)
		if err == nil {
			return out.writeTo(w)
		}
		if !errors.Is(err, errTooLarge) || next > len(measures) {
			return err
		}
		small, next = boundedFrom(r, next)
	}
}

// pieces is a buffer of at most MaxOutput bytes that never copies its contents.
type pieces struct {
	list [][]byte
	size int
}

// pieceLen is the size of a large piece. The first ones are smaller, because most reports are.
const pieceLen = 1 << 20

// Write implements io.Writer.
func (p *pieces) Write(data []byte) (int, error) {
	if p.size+len(data) > most {
		return 0, errTooLarge
	}
	p.size += len(data)
	for rest := data; len(rest) > 0; {
		if n := len(p.list); n == 0 || len(p.list[n-1]) == cap(p.list[n-1]) {
			p.list = append(p.list, make([]byte, 0, min(pieceLen, max(len(rest), 4096<<n))))
		}
		last := &p.list[len(p.list)-1]
		n := min(len(rest), cap(*last)-len(*last))
		*last = append(*last, rest[:n]...)
		rest = rest[n:]
	}
	return len(data), nil
}

// writeTo writes the pieces in order, up to the first error of the writer.
func (p *pieces) writeTo(w io.Writer) error {
	for _, piece := range p.list {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return nil
}
