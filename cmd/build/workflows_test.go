package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Every workflow uses actions by digest, has no permission that a job does not name, and runs verbs.
func TestWorkflows(t *testing.T) {
	script, err := os.ReadFile("../../build.sh")
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("../../.github/workflows/*.yml")
	if len(files) != 3 {
		t.Fatalf("there are %d workflows", len(files))
	}
	uses := regexp.MustCompile(`(?m)^ *(?:- )?uses: (.*)$`)
	pinned := regexp.MustCompile(`^actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	runs := regexp.MustCompile(`(?m)^ *(?:- )?run: (.*)$`)
	verbOf := regexp.MustCompile(`^(\./build\.sh|go run \./cmd/build) ([a-z_]+)(?: (?:"\$\{GITHUB_REF_NAME#v\}"|60s))?$`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "\npermissions: {}\n") {
			t.Errorf("%s has permissions for all jobs", file)
		}
		for _, use := range uses.FindAllStringSubmatch(string(text), -1) {
			if !pinned.MatchString(use[1]) {
				t.Errorf("%s: %s is not pinned by digest and version", file, use[1])
			}
		}
		for _, line := range runs.FindAllStringSubmatch(string(text), -1) {
			found := verbOf.FindStringSubmatch(line[1])
			if found == nil {
				t.Errorf("%s: %q is not a verb", file, line[1])
				continue
			}
			isGo := slices.ContainsFunc(verbs, func(v verb) bool { return v.name == found[2] })
			ofScript := found[1] == "./build.sh" && regexp.MustCompile(`(?m)^ *(?:.* \| )?`+found[2]+`(?: \| .*)?\) `).Match(script)
			if !isGo && !ofScript {
				t.Errorf("%s: there is no verb %s", file, found[2])
			}
		}
	}
}

// A release is published with its changes and each of its files. A version with a dash is not the latest one.
func TestPublish(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for gh is a script of sh")
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	tree(t, map[string]string{"build/release/1.2.3-rc.1/CHANGES.md": "", "build/release/1.2.3-rc.1/packages/a.rb": ""})
	write("bin/gh", []byte("#!/bin/sh\necho \"$@\" >said\n"), 0o755)
	t.Setenv("PATH", absolute("bin")+":"+os.Getenv("PATH"))
	publish([]string{"1.2.3-rc.1"})
	const folder = "build/release/1.2.3-rc.1/"
	want := "release create v1.2.3-rc.1 --verify-tag --title 1.2.3-rc.1 --notes-file " + folder + "CHANGES.md --prerelease " + folder + "CHANGES.md " + folder + "packages/a.rb\n"
	if !sameFile("said", want) {
		said, _ := os.ReadFile("said")
		t.Errorf("gh %s, want %s", said, want)
	}
	for _, args := range [][]string{nil, {"v1.2.3"}, {"1.2.3", "x"}} {
		if attempt(func() { publish(args) }) == nil {
			t.Errorf("%q is a version", args)
		}
	}
}
