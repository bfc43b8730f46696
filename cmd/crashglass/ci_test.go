package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
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

// The script for CI: new crashes give an exit code, known ones do not, and each group becomes a page. On
// GitHub it writes annotations.
func TestScriptForCI(t *testing.T) {
	w := ciPlace(t)
	text, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	accept := regexp.MustCompile("`(crashglass triage --merge.*?)`").FindStringSubmatch(string(text))
	if accept == nil {
		t.Fatal("docs/ci.md does not say how to accept a crash")
	}
	file(t, w, "dumps/again/second.dmp", []byte(contents(t, w, "dumps/crash.dmp")))
	if out, status := inShell(t, w, "sh crashes.sh none symbols crashes"); status != exitOK || contents(t, w, "crashes/summary.md") != "No crashes.\n" {
		t.Errorf("without dumps: status %d: %s", status, out)
	}
	const onGitHub = "GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=shown.md "
	out, status := inShell(t, w, onGitHub+"sh crashes.sh dumps symbols crashes")
	if want := "::error title=Crash that is new::2 times: desk!desk::available(desk::Book const*)\n"; status != exitChanged || out != want {
		t.Errorf("a new crash: status %d: %q, want %q", status, out, want)
	}
	if summary := contents(t, w, "crashes/summary.md"); !strings.Contains(summary, "| 2 | 0 | new | desk&#33;desk") || contents(t, w, "shown.md") != summary {
		t.Errorf("the summary is\n%s", summary)
	}
	pages, _ := filepath.Glob(filepath.Join(w, "crashes/*.html"))
	if len(pages) != 1 || !strings.Contains(contents(t, w, "crashes/"+filepath.Base(pages[0])), "data-capsule") {
		t.Errorf("the pages are %q", pages)
	}
	if out, status := inShell(t, w, accept[1]); status != exitOK {
		t.Fatalf("accepting: status %d: %s", status, out)
	}
	if out, status := inShell(t, w, onGitHub+"sh crashes.sh dumps symbols crashes"); status != exitOK || out != "" {
		t.Errorf("a known crash: status %d: %s", status, out)
	}
}

// Each group has a page, also if dumps have the same name, one is in an archive, or jq ends lines as on Windows.
func TestPagesForCI(t *testing.T) {
	w := ciPlace(t)
	file(t, w, "dumps/two words/crash.dmp", smallDumpOf(t, "app"))
	file(t, w, "dumps/third.dmp.zip", zipped(t, map[string][]byte{"crash.dmp": smallDumpOf(t, "third")}))
	jq, _ := exec.LookPath("jq")
	if err := os.Chmod(file(t, w, "bin/jq", []byte("#!/bin/sh\n'"+jq+"' \"$@\" | sed 's/$/\r/'\n")), 0o755); err != nil {
		t.Fatal(err)
	}
	out, status := inShell(t, w, "sh crashes.sh dumps symbols crashes")
	pages, _ := filepath.Glob(filepath.Join(w, "crashes/*.html"))
	if len(pages) != 3 || status != exitChanged {
		t.Errorf("status %d: %s: the pages are %q", status, out, pages)
	}
}

// ciPlace is a workplace with the scripts of action/.
func ciPlace(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the scripts are for sh")
	}
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not installed")
	}
	w := workplace(t)
	for _, name := range []string{"crashes.sh", "install.sh"} {
		script, err := os.ReadFile("../../action/" + name)
		if err != nil {
			t.Fatal(err)
		}
		file(t, w, name, script)
	}
	return w
}

// The steps of the action run with its own variables, and those of its inputs: an input is never part of a script.
func TestAction(t *testing.T) {
	w := ciPlace(t)
	text, err := os.ReadFile("../../action/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	steps := regexp.MustCompile(`(?m)^      run: (.*)$`).FindAllStringSubmatch(string(text), -1)
	if len(steps) != 2 || strings.Contains(steps[0][1]+steps[1][1], "${{") {
		t.Fatalf("the steps are %q", steps)
	}
	release := file(t, w, "files/v1.2.3/crashglass-linux-amd64.tar.gz", tarOf(t, "crashglass-linux-amd64/crashglass"))
	sum := fmt.Sprintf("%x  crashglass-linux-amd64.tar.gz\n", sha256.Sum256([]byte(contents(t, w, "files/v1.2.3/"+filepath.Base(release)))))
	sums := file(t, w, "files/v1.2.3/SHA256SUMS", []byte(sum))
	const variables = "GITHUB_ACTION_PATH=. RUNNER_TEMP=temp RUNNER_OS=Linux RUNNER_ARCH=X64 GITHUB_PATH=$PWD/path VERSION=1.2.3 "
	install := variables + `RELEASES="file://$PWD/files" ` + "; export GITHUB_ACTION_PATH RUNNER_TEMP RUNNER_OS RUNNER_ARCH GITHUB_PATH VERSION RELEASES; " + steps[0][1]
	if out, status := inShell(t, w, install); status != exitOK || contents(t, w, "path") != filepath.Join(w, "temp/crashglass/crashglass-linux-amd64")+"\n" {
		t.Errorf("installing: status %d: %s", status, out)
	}
	if got := contents(t, w, "temp/crashglass/crashglass-linux-amd64/crashglass"); got != "program" {
		t.Errorf("the program is %q", got)
	}
	file(t, w, filepath.Join("files/v1.2.3", filepath.Base(sums)), []byte(strings.Repeat("0", 64)+sum[64:]))
	if out, status := inShell(t, w, install); status == exitOK {
		t.Errorf("another program is installed: %s", out)
	}
	crash := "GITHUB_ACTION_PATH=. RUNNER_TEMP=temp DUMPS=dumps SYMBOLS=symbols KNOWN=known.json; " + steps[1][1]
	if out, status := inShell(t, w, crash); status != exitChanged || !strings.Contains(contents(t, w, "temp/crashes/summary.md"), "| new | desk") {
		t.Errorf("a crash: status %d: %s", status, out)
	}
}

// tarOf is a .tar.gz with one file.
func tarOf(t *testing.T, name string) []byte {
	t.Helper()
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	w := tar.NewWriter(gz)
	err := w.WriteHeader(&tar.Header{Name: name, Size: 7, Mode: 0o755})
	if _, wrong := w.Write([]byte("program")); err != nil || wrong != nil {
		t.Fatal(err, wrong)
	}
	if err := errors.Join(w.Close(), gz.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The job for GitLab runs the script, and fails for a crash although the tests passed.
func TestJobForGitLab(t *testing.T) {
	w := ciPlace(t)
	text, err := os.ReadFile("../../action/gitlab.yml")
	if err != nil {
		t.Fatal(err)
	}
	own := regexp.MustCompile(`(?m)^    - (sh .*)$`).FindStringSubmatch(string(text))
	before := regexp.MustCompile(`(?m)^#       - (tests=.*)$`).FindStringSubmatch(string(text))
	after := regexp.MustCompile(`(?m)^#       - (exit .*)$`).FindStringSubmatch(string(text))
	if own == nil || before == nil || after == nil {
		t.Fatal("action/gitlab.yml has no job, or no example")
	}
	job := "set -e\n" + strings.Replace(before[1], "./run-tests --crash-dumps dumps", "$TEST", 1) + "\n" + own[1] + "\n" + after[1]
	for _, test := range []struct {
		test, dumps string
		status      int
	}{{"true", "dumps", exitChanged}, {"false", "none", 1}, {"true", "none", 0}} {
		if out, status := inShell(t, w, "TEST="+test.test+"\n"+strings.Replace(job, "crashes.sh dumps", "crashes.sh "+test.dumps, 1)); status != test.status {
			t.Errorf("%v: status %d: %s", test, status, out)
		}
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
