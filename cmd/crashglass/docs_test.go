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
	links := 0
	for _, more := range []string{"docs/*.md", "docs/developers/*.md"} {
		found, _ := filepath.Glob("../../" + more)
		documents = append(documents, found...)
	}
	for _, document := range documents {
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

// TestReadme has README's sample of a report printed, and the commands of its table exist. Every document is in the index.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(readme), "\n"); lines >= 120 {
		t.Errorf("README.md has %d lines, want fewer than 120", lines)
	}
	sample := regexp.MustCompile("`crashglass (walk --brief [^`]*)`[^\n]*\n\n((?:    .*\n)+)").FindStringSubmatch(string(readme))
	if sample == nil {
		t.Fatal("README.md has no sample")
	}
	t.Chdir("../..")
	var out, errs strings.Builder
	status := run(strings.Fields(sample[1]), &out, &errs)
	if want := regexp.MustCompile("(?m)^    ").ReplaceAllString(sample[2], ""); status != exitOK || !strings.HasPrefix(out.String(), want) {
		t.Errorf("status %d, %s%.300s\nwant %s", status, &errs, &out, want)
	}
	index, err := os.ReadFile("docs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"*.md", "developers/*.md"} {
		documents, _ := filepath.Glob("docs/" + pattern)
		for _, document := range documents {
			name := filepath.ToSlash(strings.TrimPrefix(document, "docs"+string(filepath.Separator)))
			if name != "README.md" && !strings.Contains(string(index), "("+name+")") {
				t.Errorf("docs/README.md does not list %s", name)
			}
		}
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
