package archive

import (
	"bytes"
	"fmt"
	"strings"

	"crashglass/core/base/bin"
)

// The body of an upload, multipart/form-data: RFC 7578 and RFC 2046, 5.1.
// Breakpad and Crashpad send a dump as the part upload_file_minidump, and its
// annotations as parts without a file name.
const (
	maxBoundary   = 70 // RFC 2046, 5.1.1
	maxPartHeader = 4 << 10
)

// delimiterOf returns the line that begins each part, "--" and the boundary, or nil when head is
// not the beginning of a body. A header that names the part has to follow.
func delimiterOf(head []byte) []byte {
	line, rest, ok := bytes.Cut(head, []byte("\n"))
	line = bytes.TrimRight(line, " \t\r") // transport padding is allowed
	if !ok || !bytes.HasPrefix(line, []byte("--")) || len(line) < 3 || len(line) > 2+maxBoundary {
		return nil
	}
	if header, _ := partHeader(rest); header.parameter("name") == "" {
		return nil
	}
	return line
}

func listMultipart(name string, src bin.Source, budget *Budget) (out []Member, err error) {
	head, err := src.ReadUpTo("upload", 0, HeadSize)
	if err != nil {
		return nil, fmt.Errorf("archive: upload: %w", err)
	}
	delimiters, err := findDelimiters(name, src, delimiterOf(head), budget)
	for i, d := range delimiters {
		end := src.Size() // of a body that is truncated
		if i+1 < len(delimiters) {
			end = delimiters[i+1].begin
		}
		if m, ok := part(src, d.end, end); ok {
			out = append(out, m)
		}
	}
	return out, err
}

// part reads the headers of a part, and reports whether it is a file.
func part(src bin.Source, at, end int64) (Member, bool) {
	if before, err := src.Read("end of the part", end-1, 1); err == nil && before[0] == '\r' {
		end-- // its line end is the delimiter's
	}
	head, err := src.Read("part", at, uint64(min(max(end-at, 0), maxPartHeader)))
	if err != nil {
		return Member{}, false
	}
	header, size := partHeader(head)
	name := header.parameter("filename")
	if field := header.parameter("name"); name == "" && strings.HasPrefix(field, "upload_file_") {
		name = field
	}
	at += int64(size)
	return Member{Name: clean(name), Size: end - at, in: Multipart, data: place(section(src, at, end-at))}, name != ""
}

// A disposition is the value of Content-Disposition.
type disposition string

// partHeader returns the name and the file name of a part, and the size of its headers with the
// empty line after them. Without that line the headers are truncated.
func partHeader(b []byte) (d disposition, size int) {
	const key = "content-disposition:"
	for size < len(b) {
		line, _, _ := bytes.Cut(b[size:], []byte("\n"))
		size = min(size+len(line)+1, len(b))
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 {
			break
		}
		if len(line) > len(key) && strings.EqualFold(string(line[:len(key)]), key) {
			d = disposition(line[len(key):])
		}
	}
	return d, size
}

// parameter returns the value of a parameter, or "": RFC 7578, 4.2.
func (d disposition) parameter(name string) string {
	for rest, ok := string(d), true; ; {
		if _, rest, ok = strings.Cut(rest, ";"); !ok {
			return ""
		}
		key, value, _ := strings.Cut(strings.TrimLeft(rest, " \t"), "=")
		if quoted, ok := strings.CutPrefix(value, `"`); ok {
			value, rest, _ = strings.Cut(quoted, `"`)
		} else {
			value, _, _ = strings.Cut(value, ";")
		}
		if strings.EqualFold(key, name) {
			return value
		}
	}
}

// A delimiter is the line between two parts, with the line feed before it.
type delimiter struct{ begin, end int64 }

const (
	searchSize = 1 << 20 // of a body is searched at once
	maxPadding = 128     // behind a delimiter
)

// The closing one ends with the file.
func findDelimiters(name string, src bin.Source, line []byte, budget *Budget) (out []delimiter, err error) {
	head, _ := src.ReadUpTo("delimiter", 0, HeadSize) // delimiterOf has read as much
	out = []delimiter{{0, int64(bytes.IndexByte(head, '\n')) + 1}}
	line = append([]byte("\n"), line...)
	for from := int64(0); from < src.Size() && err == nil; from += searchSize {
		data, err := src.ReadUpTo("upload", from, uint64(searchSize+len(line)+maxPadding))
		if err != nil {
			return out, fmt.Errorf("archive: upload: %w", err)
		}
		for at := next(data, line, 0); at >= 0; at = next(data, line, at+1) {
			if err := budget.member("upload"); err != nil {
				return out, err
			}
			size, closes := delimiterSize(data[at:], line)
			switch {
			case closes:
				return append(out, delimiter{from + int64(at), src.Size()}), nil
			case size > 0:
				out = append(out, delimiter{from + int64(at), from + int64(at+size)})
			}
		}
		if err := budget.progress(name, from); err != nil {
			return out, stopped{err}
		}
	}
	return out, nil
}

// next is where line comes next in data, from at on, or -1. A delimiter that begins after
// searchSize is found in the next chunk.
func next(data, line []byte, at int) int {
	n := bytes.Index(data[at:], line)
	if n < 0 || at+n >= searchSize {
		return -1
	}
	return at + n
}

// delimiterSize is the size of the delimiter that b begins with, with its line
// ends, or 0 where it is only the beginning of a longer line.
func delimiterSize(b, line []byte) (size int, closes bool) {
	rest := b[len(line):min(len(b), len(line)+maxPadding)]
	padding, _, ended := bytes.Cut(rest, []byte("\n"))
	if bytes.HasPrefix(rest, []byte("--")) {
		return 0, true
	}
	if !ended || len(bytes.TrimSpace(padding)) > 0 {
		return 0, false
	}
	return len(line) + len(padding) + 1, false
}
