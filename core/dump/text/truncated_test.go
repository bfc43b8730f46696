package text

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/process"
)

// calls is a family of reports whose lines are "CALLS message", "function module file:line", modules as "= name id", and remarks behind "#". The end of the file ends a report.
var calls = Family{Kinds: []string{"calls"}, Marks: []string{"CALLS"}, Read: func(l *Lines) []*process.Process {
	d := NewDraft("calls")
	first, _ := l.Next()
	d.Process.Problem = &process.Problem{Text: strings.TrimPrefix(first, "CALLS ")}
	for {
		line, ok := l.Next()
		if !ok {
			return []*process.Process{d.Finish()}
		}
		words := append(strings.Fields(line), "", "", "")
		switch words[0] {
		case "#":
			continue
		case "=":
			d.Image(Image{Path: words[1], BuildID: words[2], Base: 0x1000, HasBase: true, Size: 0x1000})
			continue
		}
		f := Frame{Names: process.Names{Function: words[0], Module: words[1]}}
		f.Names.File, f.Names.Line = Source(words[2])
		d.Frame(f)
	}
}}

// The last line of a file may be truncated if it has no end. A frame that says less than the others is left out.
func TestLastLine(t *testing.T) {
	for _, tt := range []struct{ name, log, frames, note string }{
		{"an end", "CALLS x\nf game a.c:1\ng\n", "f g", ""},
		{"no end", "CALLS x\nf game a.c:1\ng game a.c:2", "f g", "line 3 is the last one, and has no end: what it says may be truncated"},
		{"less", "CALLS x\nf game a.c:1\ng game", "f", "line 3 is the last one, and has no end: it is left out"},
		{"others say as much", "CALLS x\nf game a.c:1\ng game\nh ga", "f g h", "line 4 is the last one, and has no end: what it says may be truncated"},
		{"within brackets", "CALLS x\nf game\ng(int,ch game", "f", "line 3 is the last one, and has no end: it is left out"},
		{"within brackets, the only one", "CALLS x\ng(int,ch game", "", "line 2 is the last one, and has no end: it is left out"},
		{"an operator", "CALLS x\nf game\noperator< game", "f operator<", "line 3 is the last one, and has no end: what it says may be truncated"},
		{"a message", "CALLS x", "", "line 1 is the last one, and has no end: what it says may be truncated"},
		{"a module", "CALLS x\nf game a.c:1\n= game", "f", "line 3 is the last one, and has no end: it is left out"},
		{"a module with an ID", "CALLS x\nf game a.c:1\n= game 12", "f", "line 3 is the last one, and has no end: what it says may be truncated"},
		{"nothing of the report", "CALLS x\nf game a.c:1\n# remark", "f", ""},
		{"a whole line of JSON", `{"message":"CALLS x\nf game a.c:1\ng game"}`, "f g", ""},
		{"behind colours", "CALLS x\nf game a.c:1\n\x1b[31mg game", "f", "line 3 is the last one, and has no end: it is left out"},
	} {
		all, _, _ := OpenAll([]Family{calls})(source(tt.log))
		if len(all) != 1 {
			t.Errorf("%s: %d reports", tt.name, len(all))
			continue
		}
		var frames, notes []string
		for _, th := range all[0].Threads {
			for _, f := range th.Frames {
				frames = append(frames, f.Stated.Function)
			}
		}
		for _, n := range all[0].Notes {
			notes = append(notes, fmt.Sprint(n))
		}
		if got := strings.Join(frames, " "); got != tt.frames || tt.note == "" && len(notes) > 0 || !strings.Contains(strings.Join(notes, "\n"), tt.note) {
			t.Errorf("%s: %q, %q", tt.name, got, notes)
		}
	}
}

// What is whole of a truncated value is read.
func TestClosed(t *testing.T) {
	for raw, want := range map[string]string{
		`{"a":1,"b":[{"c":1},{"c":2`: `{"a":1,"b":[{"c":1}]}`, `{"a":1,"b":[{"c":1},{"c":2,`: `{"a":1,"b":[{"c":1}]}`,
		`{"a":1,"b":2`: `{"a":1}`, `{"a":1`: ``, `[1,23`: `[1]`, `{"a":"x,\"y","b":"z`: `{"a":"x,\"y"}`,
		`{"t":[{"n":1,"f":[{"x":1},{"x":2}],"q":"a","r":"b`: `{"t":[{"n":1,"f":[{"x":1},{"x":2}],"q":"a"}]}`,
		`{"t":[{"n":1,"f":[{"x":1,"y":2`:                    `{"t":[{"n":1,"f":[]}]}`, `{"t":[{"n":1,"m":`: `{"t":[]}`,
		`]`: ``, `{]`: ``, ``: ``, `{"a":{"b":1},"c`: `{"a":{"b":1}}`,
	} {
		got := string(closed([]byte(raw)))
		if got != want || want != "" && !json.Valid([]byte(got)) {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}
