package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/report/render"
)

// Every value in the output of Breakpad's minidump_dump is in the output of dump, in the same entry
// of the same stream.
func TestDumpAsBreakpad(t *testing.T) {
	texts, _ := filepath.Glob(filepath.Join(corpus, "public", "expected", "*.breakpad-dump.txt"))
	if len(texts) == 0 {
		t.Skip("the corpus is not at " + corpus)
	}
	compared := 0
	for _, path := range texts {
		name := strings.TrimSuffix(filepath.Base(path), ".breakpad-dump.txt")
		t.Run(name, func(t *testing.T) {
			theirs, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			folder, file, _ := strings.Cut(name, "__")
			dump := filepath.Join(corpus, "public", "dumps", folder, file+".dmp")
			if folder == "linuxinlineold" {
				dump = filepath.Join(corpus, "public", "dumps", "breakpad", file+".dmp") // read with other symbols
			}
			var out, errs bytes.Buffer
			if status := run([]string{"dump", dump}, &out, &errs); status != exitOK {
				t.Fatalf("exit status %d: %s", status, errs.String())
			}
			ours := out.String()
			if file == "linux-mini" {
				ours, theirs = anyFolder(ours), []byte(anyFolder(string(theirs)))
			}
			compared += compareDumps(t, parseBreakpadDump(t, string(theirs)), parseDump(ours))
		})
	}
	if compared < 50_000 {
		t.Errorf("%d values were compared, which are too few for %d dumps", compared, len(texts))
	}
}

// anyFolder drops the folder above linux/, because this copy of the dump linux-mini has another
// folder than Breakpad's output.
func anyFolder(text string) string { return aboveLinux.ReplaceAllString(text, "/linux") }

var aboveLinux = regexp.MustCompile(`/\w+/linux`)

// A printed is one value of Breakpad's output, with its place in the output of dump.
type printed struct{ line, path, value string }

// compareDumps looks for every value, and returns the number of values.
func compareDumps(t *testing.T, theirs []printed, ours map[string]string) int {
	for _, want := range theirs {
		if want.value == `"id"` { // Breakpad's text for a module of Linux without an identifier
			continue
		}
		have, ok := ours[want.path]
		switch {
		case strings.HasSuffix(want.path, ".lines"): // one of them
			if !strings.Contains(have, render.Escape(want.value)+"\n") {
				t.Errorf("%s\nis not among the lines of %s", want.line, want.path)
			}
			continue
		case strings.HasSuffix(want.path, ".damage"):
			if !strings.Contains(ours[strings.TrimSuffix(want.path, "damage")+"lines"], want.value) {
				t.Errorf("%s\nis not called damaged", want.line)
			}
			continue
		case strings.HasSuffix(want.path, "]."): // an entry of a list
			if !hasPrefix(ours, want.path) {
				t.Errorf("%s\nthere is no %s", want.line, want.path)
			}
			continue
		case strings.Contains(want.path, ".bytes:"):
			have, ok = word(ours, want.path, want.value)
		}
		if !ok && (want.value == "(null)" || want.value == "(invalid)" || want.value == `""` || want.value == "(empty)" || want.value == "") {
			continue // dump leaves out absent values
		}
		if !ok || !sameValue(have, want.value) {
			t.Errorf("%.100s\nwant it at %s, where there is %.100q", want.line, want.path, have)
		}
	}
	return len(theirs)
}

func hasPrefix(values map[string]string, prefix string) bool {
	for path := range values {
		if strings.HasPrefix(path, prefix) || path == strings.TrimSuffix(prefix, ".") {
			return true
		}
	}
	return false
}

// word reads one word out of rows of bytes, as wide as the value needs.
func word(values map[string]string, path, value string) (string, bool) {
	rows, offset, _ := strings.Cut(path, ":")
	at, err := strconv.Atoi(offset)
	n := 4
	if strings.Contains(path, "+8") || len(value) > len("0x12345678") {
		n = 8
	}
	digits := values[rows]
	if err != nil || len(digits) < 2*(at+n) {
		return "", false
	}
	var v uint64
	for i := n - 1; i >= 0; i-- {
		b, _ := strconv.ParseUint(digits[2*(at+i):2*(at+i)+2], 16, 8)
		v = v<<8 | b
	}
	return fmt.Sprintf("%#x", v), true
}

// sameValue compares a value of dump, which its meaning may follow, with one of Breakpad's.
func sameValue(have, want string) bool {
	if want == "(invalid)" { // Breakpad does not know this version of the stream
		return true
	}
	if w, err := parseNumber(want); err == nil {
		if h, err := parseNumber(have); err == nil {
			return h == w
		}
	}
	if want == "(null)" || want == "(empty)" {
		want = ""
	}
	plain := func(s string) string {
		return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(s, `"`), `"`))
	}
	if guid.MatchString(want) {
		want = strings.ReplaceAll(want, "-", "")
	}
	return strings.EqualFold(plain(have), plain(want))
}

var guid = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// parseNumber reads the number at the beginning of a value. Breakpad prints sizes as signed
// numbers.
func parseNumber(s string) (uint64, error) {
	s = firstWord(s)
	if n, err := strconv.ParseInt(s, 10, 32); err == nil && n < 0 {
		return uint64(uint32(n)), nil
	}
	return strconv.ParseUint(s, 0, 64)
}

func firstWord(s string) string {
	w, _, _ := strings.Cut(s, " ")
	return w
}

// parseDump flattens the output of dump: "ThreadList[0].Stack.Base" to its value. Rows of bytes are
// joined in ".bytes", as hex digits.
func parseDump(text string) map[string]string {
	values, rows := map[string]string{}, map[string]*strings.Builder{}
	parts := []string{""} // of the path, by depth
	for line := range strings.SplitSeq(text, "\n") {
		body := strings.TrimLeft(line, " ")
		depth := (len(line) - len(body)) / 2
		if m := streamHeading.FindStringSubmatch(line); m != nil {
			parts = []string{m[3]}
			n, kind, size, rva := m[1], m[2], m[4], m[5]
			values["Directory["+n+"].Type"], values["Directory["+n+"].Size"], values["Directory["+n+"].RVA"] = kind, size, rva
			continue
		}
		if body == "" || body == "Header" {
			parts = []string{body}
			continue
		}
		parts = append(parts[:min(max(depth, 1), len(parts))], "")
		prefix := strings.Join(parts[:len(parts)-1], "")
		switch name, value, ok := strings.Cut(body, " = "); {
		case bytesRow.MatchString(body):
			if rows[prefix] == nil {
				rows[prefix] = &strings.Builder{}
			}
			rows[prefix].WriteString(strings.ReplaceAll(bytesRow.FindStringSubmatch(body)[1], " ", ""))
			continue
		case ok:
			at := prefix + dotted(name)
			parts[len(parts)-1] = dotted(name)
			values[at] = value
			for _, part := range strings.Split(value, ", ") { // Base 0x1, RVA 0x2
				if name, v, ok := strings.Cut(part, " "); ok {
					values[at+"."+name] = v
				}
			}
		case strings.HasSuffix(body, ":") && !strings.Contains(body, "="):
			parts[len(parts)-1] = dotted(strings.TrimSuffix(body, ":"))
		}
		values[parts[0]+".lines"] += body + "\n"
	}
	for prefix, digits := range rows {
		values[prefix+".bytes"] = digits.String()
	}
	return values
}

var (
	streamHeading = regexp.MustCompile(`^Stream (\d+): (0x[0-9a-f]+) (\w*), (\d+) bytes at (0x[0-9a-f]+)`)
	bytesRow      = regexp.MustCompile(`^[0-9a-f]{8,}  ((?:[0-9a-f]{2} ){0,15}[0-9a-f]{2}) *  \|`)
)

func dotted(name string) string {
	if strings.HasPrefix(name, "[") {
		return name
	}
	return "." + name
}
