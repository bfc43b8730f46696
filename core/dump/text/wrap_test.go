package text

import (
	"runtime"
	"strings"
	"testing"

	"crashglass/core/dump/log"
	"crashglass/core/process"
)

// TestIsRest has a first line of 70 columns.
func TestIsRest(t *testing.T) {
	before := strings.Repeat("a line ", 9) + "of text"
	for _, tt := range [][2]string{{before, "behind"}, {before + " ", "behind"}, {"> " + before, "> behind"}, {"> " + before, "> > behind"}, {before, "1234 behind"}} {
		if !isRest([]byte(tt[0]), []byte(tt[1]), 72) {
			t.Errorf("%q is no rest of %q", tt[1], tt[0])
		}
	}
	for _, tt := range [][2]string{
		{before, "b"}, // it had room
		{"short", "behind"}, {before, ""}, {"> ", "> " + before}, {before, "  behind"},
		{before, "#1 0x401000 in main"}, {before, "12: main::main"}, {before, "12 main"},
	} {
		if isRest([]byte(tt[0]), []byte(tt[1]), 72) {
			t.Errorf("%q is a rest of %q", tt[1], tt[0])
		}
	}
}

// What Docker Compose writes before a line is no rest of the line before.
func TestService(t *testing.T) {
	text := strings.Repeat("app-1  | "+strings.Repeat("a ", 30)+"\n", 3) + "behind\napp-1  | \n"
	for i, line := range narrow(log.NewReader(source(text), log.Encoding{})) {
		if line.rest != (i == 3) {
			t.Errorf("line %d is %q: %t", i, line.Text, line.rest)
		}
	}
}

// Many lines that are joined to one are not copied again for each.
func TestManyJoined(t *testing.T) {
	w := &unwrapper{first: &scanner{marks: newMarks(nil)}}
	for range 4000 {
		w.lines = append(w.lines, wrapped{Line: Line{Text: []byte(strings.Repeat("a", 60))}, joined: len(w.lines) > 0})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w.scan()
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
		t.Errorf("%d bytes for a file of %d", used, w.work)
	}
}

// Lines that may be joined are read a bounded number of times, however many of them are read again in each scan.
func TestScansOfWrapped(t *testing.T) {
	reads := 0
	never := Family{Marks: []string{"x x"}, Read: func(l *Lines) []*process.Process {
		for {
			line, ok := l.Next()
			if !ok {
				return nil
			}
			reads += len(line)
		}
	}}
	OpenAll([]Family{never})(source(strings.Repeat(strings.Repeat("x ", 35)+"\n"+strings.Repeat("y", 70)+"\n", 1<<10)))
	if most := 4 * maxWrapped; reads > most {
		t.Errorf("%d bytes were read, want at most %d", reads, most)
	}
}
