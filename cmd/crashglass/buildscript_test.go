package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// scriptTree is a repository with build.sh and four files: one that is committed, one that was
// deleted without telling git, one that git does not know yet, and one that it ignores.
func scriptTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	script, err := os.ReadFile("../../build.sh")
	if err != nil {
		t.Fatal(err)
	}
	file(t, dir, "build.sh", script)
	file(t, dir, "go.mod", []byte("module tree\n"))
	file(t, dir, "go.sum", nil)
	file(t, dir, "web/package.json", []byte("{}\n"))
	file(t, dir, ".gitignore", []byte("build/\nignored.go\n"))
	for _, name := range []string{"kept.go", "gone.go"} {
		file(t, dir, name, []byte("package tree\n"))
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v: %s", args, err, out)
		}
	}
	if err := os.Remove(filepath.Join(dir, "gone.go")); err != nil {
		t.Fatal(err)
	}
	file(t, dir, "a new one.go", []byte("package tree\n\nfunc FuzzNew() {}\n"))
	file(t, dir, "ignored.go", []byte("package  tree\n"))
	return dir
}

// inScript runs a command among the functions of build.sh, as its verbs do.
func inScript(t *testing.T, dir, command string) string {
	t.Helper()
	cmd := exec.Command("bash", "-c", "source ./build.sh; mkdir -p core/testkit; touch core/testkit/unreachable.txt; "+command)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v: %q", command, err, out)
	}
	return string(out)
}

// A file that was deleted, and whose removal is not staged, is no file of the tree.
func TestDeletedFileIsNotBuilt(t *testing.T) {
	for _, program := range []string{"bash", "git", "sha256sum"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	dir := scriptTree(t)
	before := inScript(t, dir, "go_digest")
	if fields := strings.Fields(before); len(fields) != 2 {
		t.Errorf("the digest is %q", before)
	}
	if said := inScript(t, dir, "gofmt_clean"); said != "" {
		t.Errorf("gofmt: %s", said)
	}
	file(t, dir, "a new one.go", []byte("package  tree\n"))
	if after := inScript(t, dir, "go_digest"); after == before {
		t.Error("the digest does not change with a file that git does not know yet")
	}
	if said := inScript(t, dir, "gofmt_clean || true"); said != "gofmt would change:\na new one.go\n" {
		t.Errorf("gofmt: %q", said)
	}
}

// A build machine has empty caches, which hides no missing download, and nothing is left of them.
func TestBuildMachine(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	run, err := os.ReadFile("../../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	for _, ends := range []string{"exit 0", "exit 3", "kill -TERM $PPID; exit 0"} {
		dir, temp := t.TempDir(), t.TempDir()
		file(t, dir, ".ci/run", run)
		script := "#!/usr/bin/env bash\nls -A \"${GOMODCACHE%/*}\" >said\necho \"$@ $npm_config_cache\" >>said\n" +
			"mkdir -p \"$GOMODCACHE/module\" \"$npm_config_cache\"\ntouch \"$GOMODCACHE/module/a.go\"\nchmod -R a-w \"$GOMODCACHE\"\n" + ends + "\n"
		if err := os.Chmod(file(t, dir, "build.sh", []byte(script)), 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("bash", filepath.Join(dir, ".ci/run"))
		cmd.Env = append(os.Environ(), "TMPDIR="+temp, "GOMODCACHE=elsewhere", "npm_config_cache=elsewhere")
		out, _ := cmd.CombinedOutput()
		want := map[string]int{"exit 0": 0, "exit 3": 3}[ends]
		if strings.HasPrefix(ends, "kill") {
			want = 143
		}
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%s: exit status %d, want %d: %s", ends, got, want, out)
		}
		said, err := os.ReadFile(filepath.Join(dir, "said"))
		if fields := strings.Fields(string(said)); err != nil || len(fields) != 2 || fields[0] != "test" || !strings.HasPrefix(fields[1], temp) {
			t.Errorf("%s: build.sh found %q (%v)", ends, said, err)
		}
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
			t.Errorf("%s: left are %v (%v)", ends, left, err)
		}
		// A file that is left behind does not change the result of the tests.
		tools := t.TempDir()
		if err := os.Chmod(file(t, tools, "rm", []byte("#!/usr/bin/env bash\nexit 1\n")), 0o755); err != nil {
			t.Fatal(err)
		}
		cmd = exec.Command("bash", filepath.Join(dir, ".ci/run"))
		cmd.Env = append(os.Environ(), "TMPDIR="+temp, "PATH="+tools+string(filepath.ListSeparator)+os.Getenv("PATH"))
		out, _ = cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%s, and a folder that cannot be removed: exit status %d, want %d: %s", ends, got, want, out)
		}
	}
}
