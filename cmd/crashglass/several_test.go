package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/report/render"
)

// Reports of one file are written completely, up to a limit for their total size.
func TestSeveral(t *testing.T) {
	var out counted
	all := several{out: &out}
	long := strings.Repeat("x", render.MaxOutput/3)
	written := 0
	for range 5 {
		if err := all.write(func(w io.Writer) error { _, err := io.WriteString(w, long); return err }); err != nil {
			break
		}
		written++
	}
	if written != 3 || int(out) != 3*len(long) {
		t.Errorf("%d reports, %d bytes", written, out)
	}
}

// Each report of several names its file, in every format: dumps of the command line, of an archive and of a log. The
// report of one dump does not.
func TestReportsNameTheirFiles(t *testing.T) {
	dir := t.TempDir()
	a, b := file(t, dir, "a.dmp", smallDump(t)), file(t, dir, "b.dmp", smallDump(t))
	zip := file(t, t.TempDir(), "a.zip", zipped(t, map[string][]byte{"x.dmp": smallDump(t), "y.dmp": smallDump(t)}))
	one := file(t, t.TempDir(), "one.zip", inZip(t, "x.dmp", smallDump(t)))
	log := file(t, t.TempDir(), "a.log", append(smallMicrodump(t, "App:1", "00000010"), smallMicrodump(t, "App:2", "00000020")...))
	for format, form := range map[string]string{
		"text": "\nDump: %\n", "markdown": "\n- **Dump:** `%`\n", "machine": "Dump|%\n", "json": `],"file":"%"`, "html": "<dt>File</dt><dd>%</dd>",
	} {
		for _, tt := range []struct{ paths, names []string }{
			{[]string{a, b}, []string{a, b}}, {[]string{dir}, []string{a, b}},
			{[]string{zip}, []string{zip + "/x.dmp", zip + "/y.dmp"}}, {[]string{log}, []string{log + ", dump 1", log + ", dump 2"}},
			{[]string{a}, nil}, {[]string{one}, nil},
		} {
			out, errs, _ := crashglass(append([]string{"walk", "--reveal", "--format", format}, tt.paths...)...)
			before, _, _ := strings.Cut(form, "%")
			if n := strings.Count(out, before); n != len(tt.names) {
				t.Errorf("%s, %s: %d names, want %d; errors %q", format, tt.paths, n, len(tt.names), errs)
			}
			for _, name := range tt.names {
				if want := strings.Replace(form, "%", filepath.ToSlash(name), 1); !strings.Contains(out, want) {
					t.Errorf("%s, %s: no %q", format, tt.paths, want)
				}
			}
		}
	}
}

// The short form is for terminals; anything else gets the whole text unless --brief is there.
func TestBrief(t *testing.T) {
	dump := file(t, t.TempDir(), "a.dmp", smallDump(t))
	long, _, _ := crashglass("walk", dump)
	full, _, _ := crashglass("walk", "--full", dump)
	short, errs, status := crashglass("walk", "--brief", dump)
	if status != exitOK || long != full || !strings.HasPrefix(long, "What happened: ") || !strings.Contains(long, "Loaded modules") {
		t.Errorf("status %d, errors %q, the text is\n%s", status, errs, long)
	}
	if first, _, _ := strings.Cut(long, "\n\n"); !strings.HasPrefix(short, first) || strings.Contains(short, "rip = ") || strings.Contains(short, "Loaded modules") {
		t.Errorf("the short form is\n%s", short)
	}
	if _, errs, status := crashglass("walk", "--brief", "--full", dump); status != exitUsage || !strings.Contains(errs, "either --brief or --full") {
		t.Errorf("both flags: status %d, %s", status, errs)
	}
}
