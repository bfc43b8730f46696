package main

import (
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/testkit/corefile"
)

// A folder has dumps, cores with the names of the kernel and of systemd, and symbols of a library
// called core.
func TestTriageOfCores(t *testing.T) {
	dir := t.TempDir()
	core := corefile.AMD64(t)
	file(t, dir, "dumps/a.dmp", crashedAt(t, 0x40_0100))
	file(t, dir, "dumps/core", core)
	file(t, dir, "dumps/core.demo.1000.7f.1234.99.zst", zst(t, core))
	file(t, dir, "dumps/core.debug.gz", gz(corefile.Program(t)))
	out, errs, status := crashglass("triage", "--format=csv", filepath.Join(dir, "dumps"))
	if status != exitOK || errs != "" || !strings.Contains(out, "\n2,,,demo@0x1010,") || !strings.Contains(out, "\n1,,,app@0x100,") {
		t.Errorf("status %d, errors %q, output\n%s", status, errs, out)
	}
}

// A smaller copy of a core is a minidump with the same stacks, without the
// environment.
func TestSanitizeCore(t *testing.T) {
	dir := t.TempDir()
	core := file(t, dir, "core", corefile.AMD64(t))
	out := filepath.Join(dir, "small.dmp")
	if _, errs, status := crashglass("sanitize", "-o", out, core); status != exitOK {
		t.Fatalf("status %d, %s", status, errs)
	}
	before, _, _ := crashglass("walk", core)
	after, _, _ := crashglass("walk", out)
	_, want, _ := strings.Cut(before, "Thread 0")
	if _, got, _ := strings.Cut(after, "Thread 0"); got != want || len(want) < 100 {
		t.Errorf("other stacks:\n%s\nwant\n%s", got, want)
	}
	streams, _, _ := crashglass("dump", out)
	if strings.Contains(streams, "secret") || strings.Contains(streams, "TOKEN") {
		t.Error("the environment is still there")
	}
}

// The files of a core's modules are found by build ID, under any name.
func TestCoreWithItsFiles(t *testing.T) {
	dir := t.TempDir()
	core := file(t, dir, "core", corefile.AMD64(t))
	program, library := file(t, dir, "a", corefile.Program(t)), file(t, dir, "b", corefile.Library(t))
	out, errs, status := crashglass("walk", core, program, library)
	if status != exitOK || errs != "" {
		t.Fatalf("status %d, %s", status, errs)
	}
	for _, want := range []string{" 0  demo!crash + 0x10\n", " 1  demo!~ main + 0x7\n", " 0  lib.so!wait + 0x0\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
