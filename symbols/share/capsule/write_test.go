package capsule

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"crashglass/core/report"
	"crashglass/core/sanitize"
)

// plain puts data into a capsule as it is.
func plain(w io.Writer, data []byte) error {
	_, err := w.Write(data)
	return err
}

// viewer is a viewer.html with the files that a build puts in, the example among them.
const viewer = `<html>
    <script type="text/plain" data-file="main.js">AAAA</script>
    <script type="text/plain" data-file="example.dmp">BBBB</script>
    <script type="text/plain" data-file="example.sym">CCCC</script>
    <script type="text/plain" data-file="crashglass.wasm">DDDD</script>
</html>
`

// written is a capsule as text.
func written(t *testing.T, k Capsule) string {
	t.Helper()
	var b strings.Builder
	if err := k.Write(&b, []byte(viewer)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A capsule is viewer.html with its own files in front of the page's, and
// without the example.
func TestWrite(t *testing.T) {
	got := written(t, Capsule{
		About: About{Made: "2026-01-02T03:04:05Z", By: "Crashglass", Cleaned: true}, Pack: plain,
		Files: []File{{"dump", "a.dmp", []byte("MDMP")}, {"symbols", "app/1/app.sym", nil}},
	})
	want := `<html>
    <script type="application/json" data-capsule>{"made":"2026-01-02T03:04:05Z","by":"Crashglass","cleaned":true}</script>
    <script type="text/plain" data-role="dump" data-name="a.dmp">TURNUA==</script>
    <script type="text/plain" data-role="symbols" data-name="app/1/app.sym"></script>
<script type="text/plain" data-file="main.js">AAAA</script>
    <script type="text/plain" data-file="crashglass.wasm">DDDD</script>
</html>
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// No name ends the element that it is in, and none turns the text around.
func TestNamesInCapsules(t *testing.T) {
	for name, want := range map[string]string{
		`a.dmp`:              `data-name="a.dmp"`,
		`"><script>alert(1)`: `data-name="&#34;&gt;&lt;script&gt;alert(1)"`,
		`</script>`:          `data-name="&lt;/script&gt;"`,
		"a\x1b[31m":          `data-name="a\x1b[31m"`,
		"a\u202egpj":         `data-name="a\u202egpj"`,
		"\xff":               `data-name="\xff"`,
		"Ünïcode.dmp":        `data-name="Ünïcode.dmp"`,
	} {
		got := written(t, Capsule{Pack: plain, Files: []File{{"dump", name, nil}}})
		if !strings.Contains(got, want) {
			t.Errorf("%q: no %s in\n%s", name, want, got)
		}
	}
	about := written(t, Capsule{Pack: plain, About: About{By: "</script><b>"}})
	if strings.Contains(about, "<b>") || strings.Count(about, "</script>") != 3 {
		t.Errorf("what made a capsule ends its element:\n%s", about)
	}
}

// A file that is no viewer, or ends in the middle of an element, is refused.
func TestNoViewer(t *testing.T) {
	k := Capsule{Pack: plain}
	for _, text := range []string{"", "<html></html>", viewer[:strings.Index(viewer, "BBBB")+2], strings.ReplaceAll(viewer, "</script>", "")} {
		var b strings.Builder
		if err := k.Write(&b, []byte(text)); err == nil || err.Error() != "this is no viewer.html of this program" || b.Len() > 0 {
			t.Errorf("%q: %v, and %d bytes were written", text, err, b.Len())
		}
	}
}

// What packing and writing say is what Write says.
func TestWriteFails(t *testing.T) {
	full := errors.New("full")
	k := Capsule{Files: []File{{"dump", "a", nil}}, Pack: func(io.Writer, []byte) error { return full }}
	if err := k.Write(io.Discard, []byte(viewer)); !errors.Is(err, full) {
		t.Errorf("packing: %v", err)
	}
	k.Pack = plain
	if err := k.Write(failing{full}, []byte(viewer)); !errors.Is(err, full) {
		t.Errorf("writing: %v", err)
	}
	if err := Stored(failing{full}, nil); !errors.Is(err, full) {
		t.Errorf("storing: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Names of people are masked in what goes with the dump, if the capsule says so.
func TestMasked(t *testing.T) {
	open := Capsule{}
	open.AddDump("/home/jane/a.dmp", []byte("MDMP"))
	open.AddSource("/home/jane/main.c", []byte("x"), []int{1})
	if f := open.Files; len(f) != 2 || f[0].Role != "dump" || f[0].Name != "/home/jane/a.dmp" || string(f[0].Data) != "MDMP" || f[1].Role != "source" || f[1].Name != "home/jane/main.c" {
		t.Errorf("%+v", f)
	}
	masked := Capsule{Mask: sanitize.NewMasker([]string{"jane"})}
	masked.AddDump("/home/jane/a.dmp", nil)
	masked.AddSource("/home/jane/main.c", nil, nil)
	for _, f := range masked.Files {
		if strings.Contains(f.Name, "jane") {
			t.Errorf("%s still has the name of the user", f.Name)
		}
	}
	if name := masked.Files[1].Name; !strings.HasSuffix(name, "/main.c") {
		t.Errorf("the file itself is %s", name)
	}
}

// The time is that of UTC, to the second.
func TestOf(t *testing.T) {
	made := time.Date(2026, 1, 2, 3, 4, 5, 678, time.FixedZone("", 3600))
	if got := Of(made, true); got.Made != "2026-01-02T02:04:05Z" || !got.Cleaned || got.By == "" {
		t.Errorf("%+v", got)
	}
}

// Lines of source files are those of the crashing thread, of its inlined calls
// too, and of no other thread.
func TestLines(t *testing.T) {
	file, header := "main.c", "inline.h"
	line := func(n uint32) *uint32 { return &n }
	var r report.Report
	r.Threads = make([]report.Thread, 2)
	r.Threads[0].Frames = []report.Frame{{File: &file, Line: line(1)}}
	r.Threads[1].Crashed = true
	r.Threads[1].Frames = []report.Frame{
		{File: &file, Line: line(12), Inlines: []report.Inline{{File: &header, Line: line(7)}, {File: &header}}},
		{File: &file, Line: line(40)}, {File: &file}, {Line: line(9)}, {},
	}
	got := Lines(&r)
	if len(got) != 2 || len(got[file]) != 2 || got[file][0] != 12 || got[file][1] != 40 || len(got[header]) != 1 || got[header][0] != 7 {
		t.Errorf("%v", got)
	}
}

// A recursion may name another file in each frame. The innermost files count, with all their lines.
func TestLinesOfManyFiles(t *testing.T) {
	var r report.Report
	r.Threads = []report.Thread{{Crashed: true}}
	for i := range uint32(3 * mostFiles) {
		file, line := fmt.Sprintf("%d/mod.rs", i%(2*mostFiles)), i
		r.Threads[0].Frames = append(r.Threads[0].Frames, report.Frame{File: &file, Line: &line})
	}
	got := Lines(&r)
	if len(got) != mostFiles || len(got["0/mod.rs"]) != 2 || got[fmt.Sprintf("%d/mod.rs", mostFiles)] != nil {
		t.Errorf("%d files, %d lines of the first", len(got), len(got["0/mod.rs"]))
	}
}

// A file of a million empty lines takes no more memory than its bytes and the result.
func TestExcerptOfEmptyLines(t *testing.T) {
	text, at := bytes.Repeat([]byte("\n"), 1<<20), []int{7, 7, 1 << 20}
	var out []byte
	if most := testing.AllocsPerRun(1, func() { out = excerpt(text, at) }); most > 10 || len(out) != len(text) {
		t.Errorf("%d bytes, %.0f allocations", len(out), most)
	}
}

// Lines around those that are asked for stay where they are; others are empty.
func TestExcerpt(t *testing.T) {
	text := func(n int) []byte { return []byte(strings.TrimSuffix(strings.Repeat("x\n", n), "\n")) }
	for _, tt := range []struct {
		name        string
		lines       int
		at          []int
		first, last int // that are kept, from 1; 0 for none
	}{
		{"in the middle", 200, []int{100}, 75, 125},
		{"the first", 200, []int{1}, 1, 26},
		{"the last", 200, []int{200}, 175, 200},
		{"a short file", 3, []int{2}, 1, 3},
		{"two that meet", 200, []int{100, 140}, 75, 165},
		{"none", 200, nil, 0, 0},
		{"behind the end, but near", 200, []int{210}, 185, 200},
		{"far behind the end", 200, []int{1000}, 0, 0},
		{"no such line", 200, []int{0}, 1, 25},
		{"one that lies", 200, []int{-1 << 62}, 0, 0},
	} {
		lines := bytes.Split(excerpt(text(tt.lines), tt.at), []byte("\n"))
		if len(lines) != tt.lines {
			t.Errorf("%s: %d lines", tt.name, len(lines))
		}
		for i, l := range lines {
			if kept := tt.first > 0 && i+1 >= tt.first && i+1 <= tt.last; kept != (len(l) > 0) {
				t.Errorf("%s: line %d is %q", tt.name, i+1, l)
			}
		}
	}
}
