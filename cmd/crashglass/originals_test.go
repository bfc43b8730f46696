package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// installed returns the path of an original program, or skips the test.
func installed(t *testing.T, name string) string {
	t.Helper()
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	home, _ := os.UserHomeDir()
	if path, err := exec.LookPath(filepath.Join(home, ".cargo", "bin", name)); err == nil {
		return path
	}
	t.Skip(name + " is not installed")
	return ""
}

// head returns a report up to its first thread, without lines that only one program has.
func head(text string) string {
	text, _, _ = strings.Cut(text, "\nThread ")
	return strings.TrimSpace(text)
}

// The output is compared with Breakpad's text for public and real dumps: the number of equal texts,
// and of texts with an equal beginning. The others differ in their stacks; docs/originals.md has
// the other differences.
func TestAsBreakpadsText(t *testing.T) {
	all, same, heads := 0, 0, 0
	for _, s := range samples(t) {
		theirs, err := os.ReadFile(s.expected + ".breakpad.txt")
		if err != nil || len(theirs) == 0 {
			continue
		}
		ours, errs, status := crashglass(append([]string{"as", "minidump_stackwalk", s.dump}, s.symbols...)...)
		if status != exitOK {
			t.Errorf("%s: status %d, %s", s.name, status, errs)
		}
		all++
		if ours == string(theirs) {
			same++
		}
		if head(ours) == head(string(theirs)) {
			heads++
		} else {
			t.Logf("%s begins with\n%s\nwhere Breakpad has\n%s", s.name, head(ours), head(string(theirs)))
		}
	}
	t.Logf("of %d texts %d are the same and %d begin alike", all, same, heads)
	if same*5 < all*2 || // frames that captured code proves have more registers than Breakpad's
		heads*10 < all*9 {
		t.Errorf("of %d texts only %d are the same and %d begin alike", all, same, heads)
	}
}

// -b writes only a line for each frame of the crashing thread.
func TestBriefAsBreakpads(t *testing.T) {
	dir := t.TempDir()
	dump := file(t, dir, "small.dmp", smallDump(t))
	file(t, dir, "syms/app/"+debugID+"/app.sym", []byte(smallSym))
	out, _, status := crashglass("as", "minidump_stackwalk", "-b", dump, filepath.Join(dir, "syms"))
	want := `Thread 0 (crashed)
 0  app!crash() [app.cc : 12 + 0x18]
 1  app!main [app.cc : 30 + 0x20]
`
	if status != exitOK || out != want {
		t.Errorf("status %d\n%q\nwant\n%q", status, out, want)
	}
}

// The output is compared with an installed minidump-stackwalk, for every dump.
func TestBesideRustMinidump(t *testing.T) {
	program := installed(t, "minidump-stackwalk")
	all, alike, same := 0, 0, 0
	for _, s := range samples(t) {
		args := []string{"--human", s.dump}
		for _, p := range s.symbols {
			args = append(args, "--symbols-path", p)
		}
		theirs, err := exec.Command(program, args...).Output()
		if err != nil {
			continue // it refuses some dumps
		}
		ours, errs, status := crashglass(append([]string{"as", "minidump-stackwalk"}, args...)...)
		if status != exitOK {
			t.Errorf("%s: status %d, %s", s.name, status, errs)
		}
		all++
		if ours == string(theirs) {
			same++
		}
		if head(ours) == head(string(theirs)) {
			alike++
		} else {
			t.Logf("%s begins with\n%s\nwhere minidump-stackwalk has\n%s", s.name, head(ours), head(string(theirs)))
		}
	}
	t.Logf("of %d texts %d are the same and %d begin alike", all, same, alike)
	if alike*10 < all*7 {
		t.Errorf("of %d texts only %d begin alike", all, alike)
	}
}

// The output is compared with an installed dump_syms: first lines, functions, and the path in a
// store.
func TestBesideDumpSyms(t *testing.T) {
	program := installed(t, "dump_syms")
	dir := t.TempDir()
	for name, data := range map[string][]byte{"chain64.pdb": unzipped(t, chain+"chain64.pdb.gz"), "chain64.exe": read(t, chain+"chain64.exe")} {
		file(t, dir, name, data)
	}
	for _, args := range [][]string{{"--no-generator", filepath.Join(dir, "chain64.pdb")}, {"--no-generator", "--inlines", filepath.Join(dir, "chain64.pdb")}} {
		theirs, err := exec.Command(program, args...).Output()
		if err != nil {
			t.Fatal(err)
		}
		ours, errs, status := crashglass(append([]string{"as", "dump_syms"}, args...)...)
		if status != exitOK {
			t.Fatal(errs)
		}
		for _, kind := range []string{"MODULE ", "INFO "} {
			if a, b := records(ours, kind, 9), records(string(theirs), kind, 9); !slices.Equal(a, b) {
				t.Errorf("%q: ours has %q, dump_syms %q", args, a, b)
			}
		}
		// FUNC m? address size parameters name: where they are and how long.
		a, b := records(ours, "FUNC ", 3), records(string(theirs), "FUNC ", 3)
		if missing := slices.DeleteFunc(slices.Clone(b), func(f string) bool { return slices.Contains(a, f) }); len(missing)*50 > len(b) {
			t.Errorf("%q: of %d functions of dump_syms ours lacks %d, such as %q", args, len(b), len(missing), missing[0])
		}
		if has, want := strings.Contains(ours, "\nINLINE "), strings.Contains(string(theirs), "\nINLINE "); has != want {
			t.Errorf("%q: inlined calls %v, of dump_syms %v", args, has, want)
		}
	}
	stores := [2]string{filepath.Join(dir, "ours"), filepath.Join(dir, "theirs")}
	crashglass("as", "dump_syms", "--store", stores[0], filepath.Join(dir, "chain64.pdb"))
	if err := exec.Command(program, "--store", stores[1], filepath.Join(dir, "chain64.pdb")).Run(); err != nil {
		t.Fatal(err)
	}
	var places [2][]string
	for i, store := range stores {
		places[i], _ = filepath.Glob(filepath.Join(store, "*", "*", "*"))
		for j := range places[i] {
			places[i][j] = strings.TrimPrefix(places[i][j], store)
		}
	}
	if len(places[0]) == 0 || !slices.Equal(places[0], places[1]) {
		t.Errorf("ours is stored as %q, dump_syms' as %q", places[0], places[1])
	}
}

// records returns the lines of one kind, truncated after some fields.
func records(text, kind string, fields int) (out []string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, kind) {
			f := strings.Fields(strings.Replace(line, "FUNC m ", "FUNC ", 1))
			out = append(out, strings.Join(f[:min(fields, len(f))], " "))
		}
	}
	return out
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(data)
}
