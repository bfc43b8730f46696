package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"crashglass/core/sanitize"
)

func TestSanitize(t *testing.T) {
	dir := t.TempDir()
	dmp := file(t, dir, "small.dmp", smallDump(t))
	syms := file(t, dir, "app.sym", []byte(smallSym))
	clean := filepath.Join(dir, "clean.dmp")
	out, errs, status := crashglass("sanitize", "-symbols", syms, "-o", clean, dmp)
	if status != exitOK || out != "" || !strings.HasSuffix(errs, "crashglass: every stack is unchanged\n") {
		t.Fatalf("status %d, output %q, errors %q", status, out, errs)
	}
	before, _, _ := crashglass("walk", "-format", "machine", "-symbols", syms, dmp)
	after, _, _ := crashglass("walk", "-format", "machine", "-symbols", syms, clean)
	if before != after {
		t.Errorf("it was\n%s\nand is now\n%s", before, after)
	}
	onStdout, _, status := crashglass("sanitize", "-symbols", syms, dmp)
	if data, err := os.ReadFile(clean); err != nil || status != exitOK || string(data) != onStdout {
		t.Errorf("status %d, %v: standard output has another dump than the file", status, err)
	}
}

// All reports of a log are in the new file, which is a log.
func TestSanitizeReports(t *testing.T) {
	dir := t.TempDir()
	const goroutine = "\ngoroutine 1 [running]:\nmain.main()\n\t/home/jane/a.go:3 +0x5\n"
	log := file(t, dir, "log.txt", []byte("of jane\npanic: one"+"\n"+goroutine+"of jane\npanic: two"+"\n"+goroutine))
	out, errs, status := crashglass("sanitize", log)
	if status != exitOK || strings.Contains(out, "jane") || !strings.Contains(out, "panic: one\n") || !strings.Contains(out, "panic: two\n") {
		t.Errorf("status %d, output %q, errors %q", status, out, errs)
	}
}

func TestSanitizeFails(t *testing.T) {
	dir := t.TempDir()
	dmp := file(t, dir, "small.dmp", smallDump(t))
	log := file(t, dir, "log.txt", []byte("-----BEGIN BREAKPAD MICRODUMP-----\nO L 64 00 x86_64 \n-----END BREAKPAD MICRODUMP-----\n"))
	for args, want := range map[string]string{
		"sanitize":                                "crashglass sanitize: name one dump\n",
		"sanitize " + dmp + " " + dmp:             "crashglass sanitize: name one dump\n",
		"sanitize " + log:                         "crashglass: " + log + ": sanitize: this file cannot be written again as a smaller dump: share a masked report instead, or a part of the log that it is in\n",
		"sanitize -o " + dir + "/no/where " + dmp: "no/where: " + systemSays(dir+"/no/where") + "\n",
	} {
		out, errs, status := crashglass(strings.Fields(args)...)
		if status == exitOK || out != "" || !strings.HasSuffix(errs, want) {
			t.Errorf("%s: status %d, output %q, errors %q, want %q", args, status, out, errs, want)
		}
	}
}

// textFrames are the dumps with a frame whose address is a text, which a sanitized dump does not keep: the
// stack was overwritten with it.
var textFrames = []string{"linux_stacksmash"}

// TestSanitizedWalks cleans every dump with its symbols, and compares the
// frames that other programs find in it, too.
func TestSanitizedWalks(t *testing.T) {
	other, err := exec.LookPath("minidump-stackwalk")
	for _, s := range samples(t) {
		t.Run(s.name, func(t *testing.T) {
			clean := filepath.Join(t.TempDir(), "clean.dmp")
			args := []string{"sanitize", "-o", clean}
			for _, p := range s.symbols {
				args = append(args, "-symbols", p)
			}
			_, errs, status := crashglass(append(args, s.dump)...)
			if slices.Contains(textFrames, s.name) {
				if status != exitInput || !strings.Contains(errs, "CHANGED: frame 7 of thread 14779 was a text") {
					t.Errorf("status %d, %s", status, errs)
				}
				return
			}
			if status != exitOK {
				if strings.Contains(errs, "is not MDMP") || strings.Contains(errs, "this is ") {
					t.Skip("no dump: " + errs)
				}
				t.Fatal(errs)
			}
			if err != nil {
				t.Skip("minidump-stackwalk is not installed: only our own frames are compared")
			}
			if before, after := stackwalk(other, s.symbols, s.dump), stackwalk(other, s.symbols, clean); before != after {
				t.Errorf("minidump-stackwalk found\n%s\nand finds now\n%s", before, after)
			}
		})
	}
}

// stackwalk returns the frames that minidump-stackwalk finds.
func stackwalk(program string, symbols []string, dump string) string {
	args := []string{"--json"}
	for _, p := range symbols {
		args = append(args, "--symbols-path", p)
	}
	out, _ := exec.Command(program, append(args, dump)...).Output() // it fails for damaged dumps
	var r struct {
		Threads []struct {
			Frames []struct{ Offset, Module, Function, Trust string }
		}
	}
	if json.Unmarshal(out, &r) != nil {
		return "nothing"
	}
	return strings.ReplaceAll(fmt.Sprint(r.Threads), "{", "\n{")
}

// A dump may have thousands of secrets and names. Standard error lists the first ones of each kind, and
// the number of the others.
func TestSanitizedIsShort(t *testing.T) {
	r := &sanitize.Result{}
	for i := range 1000 {
		r.People = append(r.People, fmt.Sprint("person", i))
		r.Secrets = append(r.Secrets, sanitize.Secret{Kind: "a password", Where: fmt.Sprint("memory at ", i), Stays: i%2 == 1})
	}
	got := sanitized(r)
	if len(got) > 3*(mostNamed+1)+2 {
		t.Errorf("%d lines: %q", len(got), got)
	}
	for _, want := range []string{"replaced 992 more names", "removed a password in memory at 14", "removed a password in 492 more places", "NOT removed: a password in 492 more places"} {
		if !slices.Contains(got, want) {
			t.Errorf("no line %q in %q", want, got)
		}
	}
}
