// Package perfmap reads perf maps: the names of code that a process makes at run time, perf-PID.map.
//
//	m := perfmap.Parse(data)
//	name, start, size := m.At(0x7f1234)
//
// A line is an address, a size and a name, in hexadecimal digits. The file only grows: where code was replaced, the last line counts. Lines of any
// other form are left out. Source: Linux, tools/perf/Documentation/jit-interface.txt. Read this file only.
package perfmap

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"crashglass/core/base/sorting"
)

// MaxFile bounds the bytes of a map, and maxLines its lines.
const (
	MaxFile  = 256 << 20
	maxLines = 1 << 21
)

// A Map is the names of a process's generated code.
type Map struct {
	lines []line // in the order of addresses
}

type line struct {
	start, size uint64
	name        string
	number      int
}

// PID returns the process of a map by the name of its file, 0 for other files.
func PID(file string) uint32 {
	name, ok := strings.CutPrefix(file, "perf-")
	name, suffix := strings.CutSuffix(name, ".map")
	pid, err := strconv.ParseUint(name, 10, 32)
	if !ok || !suffix || err != nil {
		return 0
	}
	return uint32(pid)
}

// Parse reads a map.
func Parse(data string) *Map {
	m := &Map{}
	for text := range strings.Lines(data) {
		if l, ok := parseLine(text); ok && len(m.lines) < maxLines {
			l.number = len(m.lines)
			m.lines = append(m.lines, l)
		}
	}
	m.lines = slices.Clip(m.lines)
	sorting.Stable(m.lines, func(a, b line) int { return cmp.Compare(a.start, b.start) })
	return m
}

// Len is the number of names.
func (m *Map) Len() int { return len(m.lines) }

func parseLine(text string) (line, bool) {
	start, rest, _ := strings.Cut(strings.TrimRight(text, "\r\n"), " ")
	size, name, ok := strings.Cut(rest, " ")
	at, err := strconv.ParseUint(strings.TrimPrefix(start, "0x"), 16, 64)
	n, bad := strconv.ParseUint(strings.TrimPrefix(size, "0x"), 16, 64)
	if !ok || err != nil || bad != nil || n == 0 || name == "" || at+n < at {
		return line{}, false
	}
	return line{start: at, size: n, name: name}, true
}

// mostBefore bounds the lines that are examined before an address.
const mostBefore = 64

// At returns the name of the code at an address, with its place; "" for none.
func (m *Map) At(addr uint64) (name string, start, size uint64) {
	i := sort.Search(len(m.lines), func(i int) bool { return m.lines[i].start > addr })
	last := -1
	for k := i - 1; k >= max(i-mostBefore, 0); k-- {
		if l := &m.lines[k]; addr-l.start < l.size && l.number > last {
			name, start, size, last = l.name, l.start, l.size, l.number
		}
	}
	return name, start, size
}
