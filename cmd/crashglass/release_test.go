package main

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// The changes of a release are its section of the changelog or, if it has none yet, the unreleased
// changes.
func TestChangesOfARelease(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	script, err := os.ReadFile("../../build.sh")
	if err != nil {
		t.Fatal(err)
	}
	changes := regexp.MustCompile(`(?ms)^changes\(\) \{.*?^\}`).Find(script)
	if changes == nil {
		t.Fatal("build.sh has no changes")
	}
	const unreleased, second, first = "## Unreleased\n\nlater\n", "## 1.1.0 (2026-01-02)\n\nmore\n", "## 1.0.0\n\nall\n"
	for _, tt := range []struct{ changelog, version, want string }{
		{unreleased + second + first, "1.1.0", second},
		{unreleased + second + first, "1.0.0", first},
		{unreleased + second + first, "1.2.0", unreleased},
		{unreleased, "1.0.0", unreleased},
	} {
		dir := t.TempDir()
		file(t, dir, "CHANGELOG.md", []byte("# Changelog\n\n"+tt.changelog))
		cmd := exec.Command("bash", "-c", string(changes)+"\nchanges "+tt.version)
		cmd.Dir = dir
		if got, err := cmd.Output(); err != nil || string(got) != tt.want {
			t.Errorf("%s of %q: %q (%v), want %q", tt.version, tt.changelog, got, err, tt.want)
		}
	}
}
