package capsule

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"
	"strings"

	"crashglass/core/report"
)

// around is how many lines before and after the line of a frame an excerpt has.
const around = 25

// sourceOf returns the part of a source file that is around lines. The other lines are empty, so that
// lines keep their numbers.
func sourceOf(path string, text []byte, at []int) File {
	return File{IsSource, strings.TrimLeft(path, "/"), excerpt(text, at)}
}

// mostFiles bounds the source files of a stack. Symbols may name another file in each frame of a
// recursion, and each name costs a search and a copy.
const mostFiles = 256

// Lines returns the lines that the frames of the crashing thread name, by source file. It stops at
// mostFiles files; those of the innermost frames come first.
func Lines(r *report.Report) map[string][]int {
	lines := map[string][]int{}
	add := func(file *string, line *uint32) {
		if file == nil || line == nil || len(lines) == mostFiles && lines[*file] == nil {
			return
		}
		lines[*file] = append(lines[*file], int(*line))
	}
	for i := range r.Threads {
		if !r.Threads[i].Crashed {
			continue
		}
		for j := range r.Threads[i].Frames {
			f := &r.Threads[i].Frames[j]
			add(f.File, f.Line)
			for n := range f.Inlines {
				add(f.Inlines[n].File, f.Inlines[n].Line)
			}
		}
	}
	return lines
}

// excerpt keeps the lines of a text that are near one of those in at.
func excerpt(text []byte, at []int) []byte {
	wanted := slices.Compact(slices.Sorted(slices.Values(at)))
	out := make([]byte, 0, bytes.Count(text, []byte("\n")))
	for n := 1; ; n++ { // lines count from 1
		line, rest, more := bytes.Cut(text, []byte("\n"))
		for len(wanted) > 0 && wanted[0] <= n-around-1 {
			wanted = wanted[1:]
		}
		if len(wanted) > 0 && wanted[0] <= n+around {
			out = append(out, line...)
		}
		if !more {
			return out
		}
		out, text = append(out, '\n'), rest
	}
}

// storedBlock is the most of a stored block of deflate (RFC 1951, 3.2.4).
const storedBlock = 1<<16 - 1

// Stored writes data as gzip without compressing it. The page uses it: its symbols are small, and a
// compressor would make the page 30 KB larger.
//
// Source: RFC 1952, 2.3; RFC 1951, 3.2.4.
func Stored(w io.Writer, data []byte) error {
	b := []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff} // deflate, no name, no time, unknown system
	for chunk := range slices.Chunk(data, storedBlock) {
		n := uint16(len(chunk))
		b = append(b, 0)
		b = binary.LittleEndian.AppendUint16(b, n)
		b = binary.LittleEndian.AppendUint16(b, ^n)
		b = append(b, chunk...)
	}
	b = append(b, 1, 0, 0, 0xff, 0xff) // the last block is an empty one
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(data))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
	_, err := w.Write(b)
	return err
}
