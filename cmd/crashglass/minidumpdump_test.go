package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The output for public dumps equals Breakpad's text byte for byte, except where docs/originals.md
// gives a reason.
func TestMinidumpDumpsText(t *testing.T) {
	different := map[string]string{
		"exec_av_on_stack": "the original refuses a list of memory with ranges that overlap",
		"invalid-range":    "control characters",
	}
	texts, same := 0, 0
	for _, s := range samples(t) {
		theirs, err := os.ReadFile(s.expected + ".breakpad-dump.txt")
		if err != nil {
			continue
		}
		texts++
		ours, errs, status := crashglass("as", "minidump_dump", s.dump)
		if status != exitOK {
			t.Errorf("%s: status %d, %s", s.name, status, errs)
		}
		if s.name == "linux-mini" {
			ours, theirs = anyFolder(ours), []byte(anyFolder(string(theirs)))
		}
		if ours == string(theirs) {
			same++
		} else if different[s.name] == "" {
			t.Errorf("%s: %s", s.name, firstDifference(ours, string(theirs)))
		}
	}
	t.Logf("%d of %d texts are the same", same, texts)
}

// The output is compared with an installed minidump_dump, with and without -x, for every dump. It
// is equal for the CPUs that both support equally.
func TestBesideMinidumpDump(t *testing.T) {
	program := installed(t, "minidump_dump")
	others := []string{"mips", "arm64old", "hostile"} // see docs/originals.md
	public := samples(t)
	all, same := 0, 0
	for i, s := range append(public, vectors(t)...) {
		for _, flags := range [][]string{nil, {"-x"}} {
			args := append(flags, s.dump)
			theirs, _ := exec.Command(program, args...).Output() // it exits with 1 where any stream is missing
			ours, errs, status := crashglass(append([]string{"as", "minidump_dump"}, args...)...)
			if status != exitOK {
				t.Errorf("%q: status %d, %s", args, status, errs)
			}
			all++
			if ours == string(theirs) {
				same++
			} else if i >= len(public) && !containsAny(s.name, others) {
				t.Errorf("%q: %s", args, firstDifference(ours, string(theirs)))
			}
		}
	}
	t.Logf("%d of %d texts are the same", same, all)
	if same*3 < all*2 {
		t.Errorf("of %d texts only %d are the same", all, same)
	}
}

func containsAny(s string, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}
