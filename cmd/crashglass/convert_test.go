package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/testkit/corefile"
)

// A core and its minidump have the same stacks.
func TestConvert(t *testing.T) {
	dir := t.TempDir()
	core := file(t, dir, "core.1234", corefile.AMD64(t))
	stacks, errs, status := crashglass("walk", core)
	if status != exitOK || !strings.Contains(stacks, "SIGSEGV / SEGV_MAPERR") || !strings.Contains(stacks, " 1  ~ demo + 0x101f") {
		t.Fatalf("status %d, %s\n%s", status, errs, stacks)
	}
	for _, flags := range [][]string{{}, {"--full"}} {
		out := filepath.Join(dir, "crash.dmp")
		if _, errs, status := crashglass(append(append([]string{"convert", "-o", out}, flags...), core)...); status != exitOK {
			t.Fatal(errs)
		}
		if data, err := os.ReadFile(out); err != nil || !strings.HasPrefix(string(data), "MDMP") {
			t.Errorf("%v: no minidump", err)
		}
		again, _, _ := crashglass("walk", out)
		_, want, _ := strings.Cut(stacks, "Thread 0")
		if _, got, _ := strings.Cut(again, "Thread 0"); got != want {
			t.Errorf("%v: other stacks:\n%s\nwant\n%s", flags, got, want)
		}
	}
}

func TestConvertOthers(t *testing.T) {
	dir := t.TempDir()
	log := file(t, dir, "a.log", []byte("x\n-----BEGIN BREAKPAD MICRODUMP-----\n"))
	dump := file(t, dir, "a.dmp", []byte("MDMP\x93\xa7\x00\x00\x00\x00\x00\x00\x20\x00\x00\x00"))
	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"convert"}, exitUsage, "crashglass convert: name one core\n"},
		{[]string{"convert", log}, exitInput, "crashglass: " + log + ": this is a log with a Breakpad microdump in it, not an ELF core\n"},
		{[]string{"convert", dump}, exitInput, "crashglass: " + dump + ": this is a minidump already: convert makes one of an ELF core\n"},
	} {
		if _, errs, status := crashglass(tt.args...); status != tt.status || errs != tt.want {
			t.Errorf("status %d, %q; want %q", status, errs, tt.want)
		}
	}
}

// A module without a build ID in the core gets that of the file with its name.
func TestConvertWithFiles(t *testing.T) {
	dir := t.TempDir()
	data := bytes.ReplaceAll(corefile.AMD64(t), []byte("GNU\x00\x01\x02\x03\x04"), make([]byte, 8))
	core, out := file(t, dir, "core", data), filepath.Join(dir, "crash.dmp")
	for _, tt := range []struct {
		files string
		want  bool
	}{{files: ""}, {files: file(t, dir, "demo", corefile.Program(t)), want: true}} {
		args := strings.Fields("convert -o " + out + " " + core + " " + tt.files)
		if _, errs, status := crashglass(args...); status != exitOK {
			t.Fatal(errs)
		}
		report, _, _ := crashglass("walk", "--format=json", out)
		if got := strings.Contains(report, `"code_id":"01020304"`); got != tt.want {
			t.Errorf("with %q: the build ID is there: %v", tt.files, got)
		}
	}
}

// The code around program counters, which the kernel leaves out, is read from the files of the machine.
func TestConvertWithLocalCode(t *testing.T) {
	dir := t.TempDir()
	machine := filepath.Join(dir, "machine")
	file(t, machine, "opt/demo", corefile.Program(t))
	core, out := file(t, dir, "core", corefile.AMD64(t)), filepath.Join(dir, "crash.dmp")
	for _, tt := range []struct {
		flag string
		code bool
	}{{flag: "--full=false", code: true}, {flag: "--full", code: true}, {flag: "--no-local"}, {flag: "--local-root=" + dir}} {
		if _, errs, status := localOf(t, machine, "convert", tt.flag, "-o", out, core); status != exitOK || errs != "" {
			t.Fatal(errs)
		}
		if text, _, _ := crashglass("walk", out); strings.Contains(text, "the code is not in the dump") == tt.code {
			t.Errorf("%s: the code is there: %v, in\n%s", tt.flag, !tt.code, text)
		}
	}
}

// A minidump of a damaged core is written, and standard error says what the core lacks.
func TestConvertDamaged(t *testing.T) {
	dir := t.TempDir()
	data := corefile.AMD64(t)
	core, out := file(t, dir, "core", data[:len(data)-1]), filepath.Join(dir, "crash.dmp")
	_, errs, status := crashglass("convert", "-o", out, core)
	want := "crashglass: " + core + ": memory at 0x182c: 4096 bytes of memory at 0x7fffe000 reach beyond the end of the file at 0x282b\n"
	if status != exitOK || errs != want {
		t.Errorf("status %d, %q; want %q", status, errs, want)
	}
	if _, err := os.Stat(out); err != nil {
		t.Error(err)
	}
}
