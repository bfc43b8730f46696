package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLinks follows every link of the documents that leads to a file.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	documents, _ := filepath.Glob("../../*.md")
	more, _ := filepath.Glob("../../docs/*.md")
	links := 0
	for _, document := range append(documents, more...) {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range link.FindAllStringSubmatch(string(text), -1) {
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(document), found[1])); err != nil {
				t.Errorf("%s: %v", document, err)
			}
		}
	}
	if links < 20 {
		t.Errorf("%d links were found, of at least 20", links)
	}
}

// TestScripts runs the examples of docs/scripting.md on the page's example.
func TestScripts(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not installed")
	}
	text, err := os.ReadFile("../../docs/scripting.md")
	if err != nil {
		t.Fatal(err)
	}
	_, script, _ := strings.Cut(string(text), "```sh\n")
	script, _, _ = strings.Cut(script, "```")
	dir := workplace(t)
	if err := os.Rename(filepath.Join(dir, "dumps", "crash.dmp"), filepath.Join(dir, "crash.dmp")); err != nil {
		t.Fatal(err)
	}
	out, status := inShell(t, dir, script)
	if status != exitOK {
		t.Fatalf("status %d: %s", status, out)
	}
	for _, want := range []string{
		"SIGSEGV / SEGV_MAPERR\t0x0000000000000000\tdesk!desk::available(desk::Book const*)\n",
		"1 desk desk::clerk(char const*, std::vector<desk::Request, std::allocator<desk::Request> >) cfi\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}
