package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The program runs as before, in fewer segments, and its tracebacks lose their lines only.
func TestRunsAsBefore(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node is not installed")
	}
	dir := t.TempDir()
	full, out := filepath.Join(dir, "full.wasm"), filepath.Join(dir, "lean.wasm")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", full, "./testdata/program")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := run(full, out); err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	loader := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
	says := func(program string, arguments ...string) string {
		command := exec.Command(node, append([]string{"--stack-size=8192", loader, program}, arguments...)...)
		// Arguments and environment must fit in 8 KB.
		command.Env = []string{"PATH=" + os.Getenv("PATH")}
		text, err := command.CombinedOutput()
		if (err != nil) != (len(arguments) > 0) {
			t.Fatalf("%s %v: %v\n%s", program, arguments, err, text)
		}
		return string(text)
	}
	before, after := says(full), says(out)
	if before != after || !strings.Contains(after, "index out of range [7] with length 3 in main.fails") {
		t.Errorf("before: %s\nafter: %s", before, after)
	}
	before, after = says(full, "panic"), says(out, "panic")
	if !strings.Contains(before, "main.go:") || strings.Contains(after, "main.go:") || !strings.Contains(after, "main.fails(") {
		t.Errorf("before: %s\nafter: %s", before, after)
	}
	if a, b := packed(t, full), packed(t, out); b > a*95/100 {
		t.Errorf("%d bytes became %d", a, b)
	}
}

// packed returns the size of a file as gzip.
func packed(t *testing.T, path string) int {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}
