package container

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"crashglass/core/process"
	"crashglass/core/testkit/sample"
)

// opened describes the reports of a log: why each ended, and the frames of its stacks.
func opened(t *testing.T, log string) []string {
	t.Helper()
	dumps, err := OpenAll(inMemory(log))
	if err != nil {
		return []string{err.Error()}
	}
	out := make([]string, 0, len(dumps))
	for _, d := range dumps {
		out = append(out, describe(d.Process))
	}
	return out
}

func describe(p *process.Process) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, subject %d, event %+v, problem %+v, message %q\n", p.Origin.Kind, p.Subject, p.Event, p.Problem, p.Message)
	if p.Event != nil {
		fmt.Fprintf(&b, "event %+v\n", *p.Event)
	}
	for _, t := range p.Threads {
		fmt.Fprintf(&b, "thread %d %q %d\n", t.ID, t.Name, t.Role)
		for _, f := range t.Frames {
			fmt.Fprintf(&b, "  %#x %+v\n", f.Instruction, *f.Stated)
		}
	}
	for _, m := range p.Modules {
		fmt.Fprintf(&b, "module %+v\n", m)
	}
	return b.String()
}

// examples are the reports below testdata, by the names of their files.
func examples(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	paths, _ := filepath.Glob("testdata/reports/*")
	for _, name := range paths {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(name)] = string(data)
	}
	if len(out) < 10 {
		t.Fatalf("%d examples", len(out))
	}
	return out
}

// A small log whose only report a mail program has broken in its first line is known for one.
func TestKindOfWrapped(t *testing.T) {
	const log = "[ 5097.700255] knob[29093]: segfault at dead0 ip 00007fb6fc24a0fb sp\n00007ffcd3e239e8 error 6 in libdial.so[10fb,7fb6fc24a000+1000] likely on CPU\n1 (core 1, socket 0)\n"
	if got := TextKind(inMemory(log), nil); got != "kernel log" {
		t.Errorf("%q", got)
	}
}

// each writes something before each line. Verbs are the number of the line.
func each(prefix string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		n := 0
		for line := range strings.Lines(s) {
			p := prefix
			if strings.Contains(p, "%") {
				p = fmt.Sprintf(p, n)
			}
			b.WriteString(p + line)
			n++
		}
		return b.String()
	}
}

// inJSON returns a text as most loggers write it: Go's has more escapes.
func inJSON(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

// collectors are what happens to reports on their way into logs.
var collectors = map[string]func(string) string{
	"line ends of Windows": func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	"colours": func(s string) string {
		return "\x1b[31m" + strings.ReplaceAll(s, "\n", "\x1b[0m\n\x1b[31m") + "\x1b[0m\n"
	},
	"between other lines": func(s string) string { return "a line\nanother one\n" + s + "and one more\n" },
	"GitHub Actions":      each("2026-11-23T05:09:58.1234%03dZ "),
	"kubectl":             each("[pod/dock-7f9c-x2k/app] "),
	"Docker Compose":      each("app-1  | "),
	"syslog":              each("Nov 23 05:09:58 server dock[12]: "),
	"journal with time":   each("Nov 23 05:09:58.%06d server dock[12]: "),
	"logcat":              each("03-02 10:11:12.%03d  4400  4401 E stderr  : "),
	"Android Studio":      each("2026-03-02 10:11:12.%03d  4400-4401/? A/DEBUG: "),
	"Xcode":               each("2026-03-02 10:11:12.%06d+0100 Game[4400:12345] "),
	"time in brackets":    each("[2026-11-23 05:09:58.%03d] "),
	"time and level":      each("2026-11-23 05:09:58,%03d INFO  "),
	"kernel's time":       each("[ 5097.%06d] "),
	"quoted mail":         each("> "),
	"JSON lines": func(s string) string {
		var b strings.Builder
		b.WriteString("{\"level\":\"info\",\"message\":\"a line\"}\n")
		for line := range strings.Lines(s) {
			fmt.Fprintf(&b, "{\"time\": \"2026-11-23T05:09:58Z\", \"message\": %s}\n", inJSON(strings.TrimSuffix(line, "\n")))
		}
		return b.String()
	},
	"one value of JSON": func(s string) string {
		return fmt.Sprintf("{\"log\":%s,\"stream\":\"stderr\"}\n", inJSON(s))
	},
	"wrapped mail": wrapped(76),
	"narrow mail":  func(s string) string { return each("> ")(wrapped(70)(s)) },
}

// wrapped breaks lines at spaces, as mail programs do.
func wrapped(width int) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for line := range strings.Lines(s) {
			line = strings.TrimSuffix(line, "\n")
			for len(line) > width {
				at := strings.LastIndexByte(line[:width+1], ' ')
				if indent := len(line) - len(strings.TrimLeft(line, " \t")); at <= indent {
					if at = strings.IndexByte(line[width:], ' ') + width; at < width {
						break
					}
				}
				b.WriteString(line[:at] + "\n")
				line = strings.TrimLeft(line[at+1:], " ")
			}
			b.WriteString(line + "\n")
		}
		return b.String()
	}
}

// A report is the same through every collector, thrice in a row, and mixed with that of another process.
func TestCollectors(t *testing.T) {
	for name, report := range examples(t) {
		if path.Ext(name) != ".txt" {
			continue // JSON
		}
		want := opened(t, report)
		if len(want) != 1 {
			t.Errorf("%s: %d reports", name, len(want))
			continue
		}
		for collector, change := range collectors {
			if name == "dmesg.txt" && collector == "wrapped mail" {
				continue // a wrapped line of the kernel is not known for one
			}
			if got := opened(t, change(report)); len(got) != 1 || got[0] != want[0] {
				t.Errorf("%s, %s: %d reports\n%s\n%s", name, collector, len(got), strings.Join(got, "\n"), want[0])
			}
		}
		for what, log := range map[string]string{"in a row": report + report + "a line\n" + report, "mixed": mixed(report)} {
			got := opened(t, log)
			if len(got) < 2 || got[0] != want[0] || got[1] != want[0] {
				t.Errorf("%s, %s: %d reports\n%s\n%s", name, what, len(got), strings.Join(got, "\n"), want[0])
			}
		}
	}
}

// mixed is a log of two processes that write one report at the same time.
func mixed(report string) string {
	var b strings.Builder
	for line := range strings.Lines(report) {
		fmt.Fprintf(&b, "Nov 23 05:09:58 server dock[12]: %sNov 23 05:09:58 server dock[13]: %s", line, line)
	}
	return b.String()
}

// PowerShell writes UTF-16. JSON is one value there, too, and the report ends where it ends.
func TestWide(t *testing.T) {
	for name, data := range examples(t) {
		var wide []byte
		for _, b := range append([]byte("a line\n"), data...) {
			wide = append(wide, b, 0)
		}
		want := opened(t, "a line\n"+data)
		if got := opened(t, "\xff\xfe"+string(wide)); len(got) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: %d reports\n%s\nwant\n%s", name, len(got), strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// A report that is truncated at any byte states no call that the whole one does not, or says at which line it may.
func TestTruncatedReports(t *testing.T) {
	for name, data := range examples(t) {
		whole := calls(t, data)
		whole[""] = true
		for n := 0; n < len(data); n += sample.Step() {
			for call, noted := range calls(t, data[:n]) {
				if _, known := whole[call]; !known && !noted {
					t.Errorf("%s, %d bytes: %s", name, n, call)
				}
			}
		}
	}
}

// calls are the functions, files with lines, and modules that the reports of a file state, and whether the report has a note.
func calls(t *testing.T, data string) map[string]bool {
	out := map[string]bool{}
	dumps, _ := OpenAll(inMemory(data))
	for _, d := range dumps {
		for _, thread := range d.Process.Threads {
			for _, f := range thread.Frames {
				for _, n := range append(f.Stated.Inlines[:len(f.Stated.Inlines):len(f.Stated.Inlines)], *f.Stated) {
					for _, said := range []string{n.Function, n.Module, fmt.Sprintf("%s:%d", strings.TrimPrefix(n.File, "./"), n.Line)} {
						out[strings.TrimSuffix(said, ":0")] = len(d.Process.Notes) > 0
					}
				}
			}
		}
	}
	return out
}

// Each kind of report has an example, which the fuzz targets, the hammer, and the tests of masks and of prefixes read.
func TestExampleOfEachKind(t *testing.T) {
	seen := map[string]bool{}
	for name, data := range examples(t) {
		dumps, err := OpenAll(inMemory(data))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, d := range dumps {
			seen[d.Process.Origin.Kind] = true
		}
	}
	for _, kind := range Texts() {
		if !seen[kind] {
			t.Errorf("%s has no example", kind)
		}
	}
}
