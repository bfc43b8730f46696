package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"crashglass/cmd/internal/fetch/download"
)

// asProgram is set when the test binary runs as crashglass.
const asProgram = "CRASHGLASS_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == download.Command {
		os.Exit(downloading())
	}
	if os.Getenv(asProgram) != "" {
		os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// The script of docs/ci.md: new crashes give an exit code, known ones do not, and each dump becomes
// a page.
func TestScriptForCI(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the script is for sh")
	}
	text, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(string(text))
	accept := regexp.MustCompile("`(crashglass triage --merge.*?)`").FindStringSubmatch(string(text))
	if found == nil || accept == nil {
		t.Fatal("docs/ci.md has no script, or does not say how to accept a crash")
	}
	w := workplace(t)
	script := file(t, w, "crashes.sh", []byte(found[1]))
	if out, status := inShell(t, w, "sh "+script+" none symbols crashes"); status != exitOK || contents(t, w, "crashes/summary.md") != "No crashes.\n" {
		t.Errorf("without dumps: status %d: %s", status, out)
	}
	if out, status := inShell(t, w, "sh "+script+" dumps symbols crashes"); status != exitChanged {
		t.Errorf("a new crash: status %d: %s", status, out)
	}
	if summary := contents(t, w, "crashes/summary.md"); !strings.Contains(summary, "| new | desk") {
		t.Errorf("the summary is\n%s", summary)
	}
	if page := contents(t, w, "crashes/crash.dmp.html"); !strings.Contains(page, "data-capsule") {
		t.Errorf("the page is %.100q", page)
	}
	step := regexp.MustCompile(`(?m)((?:^    .*\n)+)- if: always\(\)\n  uses`).FindStringSubmatch(string(text))
	if step == nil {
		t.Fatal("docs/ci.md has no step for GitHub Actions")
	}
	steps := file(t, w, "step.sh", []byte("set -e\n"+step[1])) // GitHub's shell is bash -e
	if out, status := inShell(t, w, "GITHUB_STEP_SUMMARY=shown.md sh "+steps); status != exitChanged || !strings.Contains(contents(t, w, "shown.md"), "| new | desk") {
		t.Errorf("GitHub's step: status %d: %s", status, out)
	}
	if out, status := inShell(t, w, accept[1]); status != exitOK {
		t.Fatalf("accepting: status %d: %s", status, out)
	}
	if out, status := inShell(t, w, "sh "+script+" dumps symbols crashes"); status != exitOK {
		t.Errorf("a known crash: status %d: %s", status, out)
	}
}

// workplace is a folder with a dump, its symbols, and a crashglass that puts
// capsules into a small viewer.
func workplace(t *testing.T) string {
	t.Helper()
	w := t.TempDir()
	for from, to := range map[string]string{"crash.dmp": "dumps/crash.dmp", "desk.sym": "symbols/desk.sym"} {
		data, err := os.ReadFile(filepath.Join("../../web/example", from))
		if err != nil {
			t.Fatal(err)
		}
		file(t, w, to, data)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	viewer := file(t, w, "viewer.html", []byte(smallViewer))
	stub := "#!/bin/sh\n" + asProgram + "=1; export " + asProgram + "\n" +
		"[ \"$1\" != capsule ] || set -- \"$@\" --viewer '" + viewer + "'\n" +
		"exec '" + program + "' \"$@\"\n"
	if err := os.Chmod(file(t, w, "bin/crashglass", []byte(stub)), 0o755); err != nil {
		t.Fatal(err)
	}
	return w
}

// inShell runs a line in a folder whose bin/ comes first, and returns what it
// wrote and its status.
func inShell(t *testing.T, dir, line string) (string, int) {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func contents(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
