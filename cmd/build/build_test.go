package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree makes the files in an empty folder, which becomes the working folder.
func tree(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		write(name, []byte(text), 0o644)
	}
}

// The changes of a release are its section of the changelog. A release without one is refused.
func TestChanges(t *testing.T) {
	const unreleased, second, first = "## Unreleased\n\nlater\n", "## 1.1.0 (2026-01-02)\n\nmore\n", "## 1.0.0\n\nall\n"
	const log = "# Changelog\n\n" + unreleased + second + first
	for version, want := range map[string]string{"1.1.0": second, "1.0.0": first, "1.2.0": "", "1.1": "", "later": ""} {
		got := ""
		err := attempt(func() { got = changes(log, version) })
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q (%v), want %q", version, got, err, want)
		}
	}
	if got := newest(log); got != "1.1.0" {
		t.Errorf("the newest is %q", got)
	}
	if got := newest(unreleased); got != "" {
		t.Errorf("the newest of none is %q", got)
	}
}

// A file that was deleted, and whose removal is not staged, is no file of the tree.
func TestCopyTree(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	tree(t, map[string]string{".gitignore": "build/\nnode_modules/\nignored.go\n", "kept.go": "a", "gone.go": "a", "web/b.ts": "b", "web/node_modules/.installed": "",
		"ignored.go": ""})
	run("git", "init", "-q")
	run("git", "add", ".gitignore", "kept.go", "gone.go", "web/b.ts")
	must(os.Remove("gone.go"))
	write("a new one.go", nil, 0o755)
	err := attempt(func() { copyTree("build/copy") })
	if errors.Is(err, os.ErrPermission) {
		t.Skip(err) // Windows allows links to some users only
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, there := range map[string]bool{"kept.go": true, "web/b.ts": true, "a new one.go": true, "gone.go": false, "ignored.go": false, "build": false} {
		if _, err := os.Stat("build/copy/" + name); (err == nil) != there {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Archives of equal files are equal, whatever their times are, and unpack as they should.
func TestArchives(t *testing.T) {
	tree(t, map[string]string{"a/program": "code", "a/completions/b": "words"})
	files := under("top", append(filesOf("a"), entry{"tool", []byte("run"), 0o755}))
	names := []string{files[0].name, files[1].name, files[2].name}
	if want := []string{"top/completions/b", "top/program", "top/tool"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if !bytes.Equal(tarball(files), tarball(files)) || !bytes.Equal(zipped(files), zipped(files)) {
		t.Error("two archives of equal files differ")
	}
	zipReader, err := zip.NewReader(bytes.NewReader(zipped(files)), int64(len(zipped(files))))
	if err != nil || len(zipReader.File) != 3 || zipReader.File[2].Mode() != 0o755 || !zipReader.File[0].Modified.Equal(epoch) {
		t.Errorf("the zip has %v (%v)", zipReader, err)
	}
	if _, err := exec.LookPath("tar"); err != nil {
		t.Skip(err)
	}
	write("a.tar.gz", tarball(files), 0o644)
	if err := exec.Command("tar", "-xzf", "a.tar.gz").Run(); err != nil || !sameFile("top/tool", "run") || !sameFile("top/completions/b", "words") {
		t.Errorf("tar: %v", err)
	}
	if info, err := os.Stat("top/tool"); err != nil || info.Mode()&0o111 == 0 {
		t.Errorf("the program is not executable: %v (%v)", info, err)
	}
}

func TestDifferent(t *testing.T) {
	tree(t, map[string]string{"a/same": "1", "b/same": "1", "a/x": "1", "b/x": "2", "a/only a": "", "b/c/only b": ""})
	if got, want := different("a", "b"), []string{"c/only b", "only a", "x"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := different("a", "a"); len(got) > 0 {
		t.Errorf("a folder differs from itself in %q", got)
	}
}

// Every description names the release, its address, and archives by digests that they have.
func TestDescriptions(t *testing.T) {
	t.Chdir("../..")
	r := &made{Version: "1.2.3-rc.1", Home: "https://crashglass.example", folder: t.TempDir()}
	sums := map[string]string{}
	for _, system := range systems {
		end := ".tar.gz"
		if strings.HasPrefix(system, "windows") {
			end = ".zip"
		}
		r.write("crashglass-"+system+end, []byte(system))
		sums[digest([]byte(system))] = r.URL(system + end)
	}
	named := map[string]bool{}
	for _, name := range descriptions {
		text := string(filled(name, r))
		if strings.Contains(text, "{{") || strings.Contains(text, "<no value>") || !strings.Contains(text, r.Home) && name != "winget/Crashglass.Crashglass.yaml" {
			t.Errorf("%s is\n%s", name, text)
		}
		if !strings.Contains(text, r.Version) && !strings.Contains(text, "pkgver=1.2.3_rc.1\n") {
			t.Errorf("%s does not name the version", name)
		}
		for sum, url := range sums {
			if strings.Contains(text, sum) != strings.Contains(text, url) {
				t.Errorf("%s: %s and its digest do not go together", name, url)
			}
			named[url] = named[url] || strings.Contains(text, sum)
		}
	}
	for _, url := range sums {
		if !named[url] {
			t.Errorf("no package has %s", url)
		}
	}
	if !json.Valid(filled("crashglass.json", r)) {
		t.Error("crashglass.json is no JSON")
	}
	must(os.Remove(filepath.Join(r.folder, "crashglass-linux-arm64.tar.gz")))
	if err := attempt(func() { filled("crashglass.rb", r) }); err == nil {
		t.Error("an archive that the release lacks has a digest")
	}
}

// Usage errors are told from failures, and a programming error is not hidden.
func TestStatus(t *testing.T) {
	v := verb{name: "verify", args: "DIST"}
	for want, do := range map[int]func(){
		0: func() {},
		1: func() { run("go", "no-such-command") },
		2: func() { verify(nil) },
	} {
		if got := status(v, attempt(do)); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an index out of range became an error")
		}
	}()
	attempt(func() { _ = systems[len(t.Name())*100] })
}

func TestPort(t *testing.T) {
	for args, want := range map[string]string{"": "8080", "9": "9", "65536": "", "x": "", "1 2": ""} {
		got := ""
		if attempt(func() { got = portOf(strings.Fields(args)) }); got != want {
			t.Errorf("%q: %q, want %q", args, got, want)
		}
	}
}

// Errors that a call makes become constants, and a file without one is told apart.
func TestWithConstants(t *testing.T) {
	const before = "package a\n\nvar (\n\terrShort = fmt.Errorf(\"short\")\n)\n"
	got, had := withConstants(before)
	if want := "package a\n\nvar (\n\terrShort error = constant(\"short\")\n)\n" + constants; got != want || !had {
		t.Errorf("%q (%t), want %q", got, had, want)
	}
	if _, had := withConstants(got); had {
		t.Error("a constant is a call")
	}
}

// Names that are parts of a text become texts, and a file without them is told apart.
func TestWithTexts(t *testing.T) {
	const before = "const _CSR_name = \"USTATUSFFLAGS\"\n\nvar _CSR_map = map[CSR]string{\n\t0: _CSR_name[0:7],\n\t1: _CSR_name[7:13],\n}\n"
	got, had := withTexts(before)
	if want := "const _CSR_name = \"USTATUSFFLAGS\"\n\nvar _CSR_map = map[CSR]string{\n\t0: \"USTATUS\",\n\t1: \"FFLAGS\",\n}\n"; got != want || !had {
		t.Errorf("%q (%t), want %q", got, had, want)
	}
	if _, had := withTexts("package a\n"); had {
		t.Error("a file without names has some")
	}
}
