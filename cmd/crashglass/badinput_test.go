package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/report"
	testdump "crashglass/core/testkit/dump"
)

// Files that users have and that are no dumps cost exit status 1 and one line that names their
// kind.
func TestNotDumps(t *testing.T) {
	elfCore := make([]byte, 64)
	copy(elfCore, "\x7fELF\x02\x01\x01")
	elfCore[16] = 4 // ET_CORE
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"empty.dmp", nil, "this is an empty file"},
		{"note.txt", []byte("It crashed when I clicked.\n"), "this is a text file, not a dump"},
		{"noise.dmp", []byte("\x00\x01\x02\x03\xfe\xff noise \x80\x81\x82\x83"), "this is neither a dump nor a symbol file"},
		{"kernel.dmp", append([]byte("PAGEDU64"), make([]byte, 4096)...), "kernel: header at 0x0: 8192 bytes reach beyond the end of the file at 0x1008"},
		{"core.1234", elfCore, "elfcore: header at 0x38: e_phnum is 0: the core has no segments, neither registers nor memory"},
		{"app.ips", []byte(`{"app_name":"app","bug_type":"309"}` + "\n{}"),
			"this is a macOS crash report, which is text and holds its stacks already: open it with a text editor or Console"},
		{"app.sym", []byte(smallSym), "this is a Breakpad symbol file, not a minidump"},
		{"headless.dmp", []byte("MDMP\x93\xa7"), "minidump: header at 0x4: need 4 bytes, have 2"},
		{"nowhere.dmp", []byte("MDMP\x93\xa7\x00\x00\x09\x00\x00\x00\x00\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
			"minidump: directory at 0xff00: lies beyond the end of the file at 0x20"},
	}
	dir := t.TempDir()
	for _, tt := range tests {
		path := file(t, dir, tt.name, tt.data)
		out, errs, status := crashglass("walk", path)
		if want := "crashglass: " + path + ": " + tt.want + "\n"; status != exitInput || out != "" || errs != want {
			t.Errorf("%s: status %d, output %q, errors\n     %swant %s", tt.name, status, out, errs, want)
		}
		if _, again, status := crashglass("dump", path); status != exitInput || again != errs {
			t.Errorf("dump %s: status %d, errors %q; want those of walk", tt.name, status, again)
		}
	}
}

// systemSays returns what this system says of a path that it does not open.
func systemSays(path string) string {
	_, err := os.Open(path)
	return errors.Unwrap(err).Error()
}

func TestNoSuchFile(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(dir, "missing.dmp"): systemSays("missing.dmp"),
		dir:                               "there is no dump in this folder",
	} {
		out, errs, status := crashglass("walk", path)
		if status != exitInput || out != "" || errs != "crashglass: "+path+": "+want+"\n" {
			t.Errorf("%s: status %d, output %q, errors %q; want %q", path, status, out, errs, want)
		}
	}
}

// A name on the command line cannot reach the terminal through an error.
func TestErrorLinesAreSafe(t *testing.T) {
	const name = "no\x1b[31m\nfile"
	_, errs, _ := crashglass("walk", name)
	if want := `crashglass: no\x1b[31m\x0afile: ` + systemSays(name) + "\n"; errs != want {
		t.Errorf("errors %q, want %q", errs, want)
	}
}

// A dump that is truncated anywhere still gives a report of its readable part, or one line.
func TestTruncated(t *testing.T) {
	dir := t.TempDir()
	whole := smallDump(t)
	reports := 0
	for n := 0; n < len(whole); n += 7 {
		path := file(t, dir, "cut.dmp", whole[:n])
		out, errs, status := crashglass("walk", "-format", "json", path)
		switch status {
		case exitOK:
			reports++
			var r report.Report
			// Registers are written in their order, which maps do not keep.
			if err := json.Unmarshal([]byte(strings.ReplaceAll(out, `"registers"`, `"_"`)), &r); err != nil {
				t.Fatalf("cut at %d: %v", n, err)
			}
			if len(r.Notes) == 0 {
				t.Errorf("cut at %d of %d: the report has no notes", n, len(whole))
			}
		case exitInput:
			if out != "" || strings.Count(errs, "\n") != 1 {
				t.Errorf("cut at %d: output %q, errors %q", n, out, errs)
			}
		default:
			t.Errorf("cut at %d: status %d", n, status)
		}
	}
	if reports*2 < len(whole)/7 {
		t.Errorf("%d reports of %d cuts: most should be readable", reports, len(whole)/7)
	}
}

// Wrong counts cost only their stream. Thirty-six bytes made another program allocate 45 GB.
func TestLyingCounts(t *testing.T) {
	b := testdump.New().System(testdump.AMD64, testdump.Linux, "")
	for _, kind := range []uint32{3, 4, 5, 9, 14, 16, 24, 12} {
		b.Stream(kind, b.Section().U32(0xffff_ffff, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff))
	}
	path := file(t, t.TempDir(), "lies.dmp", b.Build(t))
	out, errs, status := crashglass("walk", path)
	if status != exitOK || errs != "" {
		t.Fatalf("status %d, errors %q", status, errs)
	}
	for _, want := range []string{
		"\nthread list at ", ": count 4294967295 exceeds stream size 16\n", "\nmodule list at ", "\nmemory list at ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("output has no %q:\n%s", want, out)
		}
	}
}

func zipped(t *testing.T, members map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, data := range members {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Dumps are found in archives, and symbols next to them are used.
func TestArchives(t *testing.T) {
	dir := t.TempDir()
	dmp, sym := smallDump(t), []byte(smallSym)
	tests := []struct {
		name    string
		data    []byte
		named   bool // functions have names
		archive []string
	}{
		{name: "crash.zip", data: zipped(t, map[string][]byte{"a/crash.dmp": dmp}), archive: []string{"crash.zip"}},
		{name: "both.zip", data: zipped(t, map[string][]byte{"crash.dmp": dmp, "app.sym": sym, "README.txt": []byte("hello\n")}), named: true, archive: []string{"both.zip"}},
		{name: "crash.dmp.gz", data: gzipped(t, dmp), archive: []string{"crash.dmp.gz"}},
		{name: "deep.zip", data: zipped(t, map[string][]byte{"crash.dmp.gz": gzipped(t, dmp)}), archive: []string{"deep.zip", "crash.dmp.gz"}},
	}
	for _, tt := range tests {
		out, errs, status := crashglass("walk", "-format", "json", file(t, dir, tt.name, tt.data))
		if status != exitOK || errs != "" {
			t.Errorf("%s: status %d, errors %q", tt.name, status, errs)
			continue
		}
		if named := strings.Contains(out, `"function":"crash()"`); named != tt.named {
			t.Errorf("%s: functions have names: %v, want %v", tt.name, named, tt.named)
		}
		for _, a := range tt.archive {
			if !strings.Contains(out[strings.Index(out, `"archive"`):], a) {
				t.Errorf("%s: the report does not name the archive %s", tt.name, a)
			}
		}
	}
}

func TestArchiveWithoutDump(t *testing.T) {
	path := file(t, t.TempDir(), "holiday.zip", zipped(t, map[string][]byte{"a.txt": []byte("sun\n")}))
	out, errs, status := crashglass("walk", path)
	if status != exitInput || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "this is a zip archive of 1 files, none of which is a dump or a symbol file") {
		t.Errorf("status %d, output %q, errors %q", status, out, errs)
	}
}

// Symbols of another build are not used, and the report says why.
func TestSymbolsOfAnotherBuild(t *testing.T) {
	dir := t.TempDir()
	dmp := file(t, dir, "small.dmp", smallDump(t))
	other := strings.Replace(smallSym, debugID, "FFFFFFFF06050807090A0B0C0D0E0F100", 1)
	path := file(t, dir, "app.sym", []byte(other))
	out, _, status := crashglass("walk", "-symbols", path, dmp)
	if status != exitOK || strings.Contains(out, "crash()") {
		t.Errorf("status %d; names from mismatched symbols are used:\n%s", status, out)
	}
	for _, want := range []string{"WARNING: No symbols, app, " + debugID, "FFFFFFFF06050807090A0B0C0D0E0F100"} {
		if !strings.Contains(out, want) {
			t.Errorf("output has no %q:\n%s", want, out)
		}
	}
	for format, marked := range map[string]string{
		"text":     " 0  app!~ crash() [app.cc : 12 + 0x18]\n",
		"markdown": " (names from mismatched symbols)\n",
		"html":     "<b>~ crash()</b> <i>app.cc:12</i> <code>app + 0x118</code> <span>context; names from mismatched symbols</span>",
		"json":     `"symbols_forced":true`,
	} {
		out, errs, status := crashglass("walk", "-format", format, "-use-anyway", "app", "-symbols", path, dmp)
		if status != exitOK || errs != "" || !strings.Contains(out, marked) {
			t.Errorf("%s: status %d, errors %q, output has no %q:\n%s", format, status, errs, marked, out)
		}
	}
}

// An unusable symbol path is reported, and the report is still made. A missing path is probably a
// typing mistake, so it has an exit status for scripts.
func TestUselessSymbols(t *testing.T) {
	dir := t.TempDir()
	dmp := file(t, dir, "small.dmp", smallDump(t))
	text := file(t, dir, "note.txt", []byte("no symbols here\n"))
	missing := filepath.Join(dir, "missing")
	out, errs, status := crashglass("walk", "-symbols", text, "-symbols", missing, dmp)
	if status != exitInput || !strings.Contains(out, "Thread 0 main") {
		t.Errorf("status %d, output %q", status, out)
	}
	want := "crashglass: " + filepath.ToSlash(text) + ": this is a text file, not a dump\ncrashglass: " + missing + ": " + systemSays(missing) + "\n"
	if errs != want {
		t.Errorf("errors\n     %swant %s", errs, want)
	}
}
