package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The dumps of each class in the tree: what is said of each is in testdata/classes.txt, a line each. The
// name of a dump is its system and its CPU.
func TestClasses(t *testing.T) {
	const golden = "testdata/classes.txt"
	names, err := filepath.Glob("../../core/dump/*/testdata/classes/*")
	if err != nil || len(names) < 50 {
		t.Fatalf("%d dumps, %v", len(names), err)
	}
	want := map[string]string{}
	if text, err := os.ReadFile(golden); err == nil {
		for line := range strings.Lines(string(text)) {
			name, _, _ := strings.Cut(line, ":")
			want[name] = strings.TrimSuffix(line, "\n")
		}
	}
	var lines strings.Builder
	for _, path := range names {
		line := classLine(t, path)
		fmt.Fprintln(&lines, line)
		if name, _, _ := strings.Cut(line, ":"); line != want[name] && !*update {
			t.Errorf("said\n%s, want\n%s", line, want[name])
		}
	}
	if *update {
		if err := os.WriteFile(golden, []byte(lines.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if len(want) != len(names) {
		t.Errorf("%s has %d lines for %d dumps", golden, len(want), len(names))
	}
}

// classLine says system, CPU, reason and frames of a dump.
func classLine(t *testing.T, path string) string {
	t.Helper()
	out, errs, status := crashglass("walk", "--format", "json", path)
	if status != exitOK {
		t.Fatalf("%s: status %d, %s", path, status, errs)
	}
	var r struct {
		SystemInfo struct {
			OS      string `json:"os"`
			CPUArch string `json:"cpu_arch"`
		} `json:"system_info"`
		CrashInfo struct{ Type string } `json:"crash_info"`
		Threads   []struct {
			Frames []struct{ Offset, Trust string }
		}
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var frames []string
	for _, f := range r.Threads[0].Frames {
		frames = append(frames, fmt.Sprintf("%s %s", f.Offset, f.Trust))
	}
	name := filepath.ToSlash(strings.TrimPrefix(path, filepath.FromSlash("../../core/dump/")))
	return fmt.Sprintf("%s: %s on %s, %s; %s", strings.Replace(name, "testdata/classes/", "", 1), r.SystemInfo.CPUArch, r.SystemInfo.OS, r.CrashInfo.Type, strings.Join(frames, ", "))
}
