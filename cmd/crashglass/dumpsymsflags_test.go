package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// getopts are the letters of Breakpad's programs, as each gives them to getopt
// or compares them. A colon follows a letter with a value.
//
// Source: Breakpad's src/processor and src/tools/{linux,mac}/dump_syms, src/tools/linux/md2core.
var getopts = []struct{ program, letters string }{
	{"minidump_stackwalk", "bchms"},
	{"minidump_dump", "xh"},
	{"minidump-2-core", "fhio:S:v"},
	{"dump_syms", "icdrvn:o:m"},
	{"dump_syms", "ia:g:crdmhn:x"},
}

// Each flag of Breakpad's programs is known: it has its effect, is accepted without one, or is
// refused with an alternative.
func TestEveryFlagOfBreakpads(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for _, o := range getopts {
		for _, m := range regexp.MustCompile(`[a-zA-Z]:?`).FindAllString(o.letters, -1) {
			args := []string{"as", o.program, "-" + m[:1]}
			if len(m) == 2 {
				args = append(args, "x86_64")
			}
			if _, errs, _ := crashglass(append(args, missing)...); strings.Contains(errs, "there is no flag") {
				t.Errorf("%q: %s", args, errs)
			}
		}
	}
	for _, flag := range []string{"--pe", "--i"} { // of the one for Windows
		if _, errs, status := crashglass("as", "dump_syms", flag, missing); status != exitInput || !strings.Contains(errs, systemSays(missing)) {
			t.Errorf("%s: %d %s", flag, status, errs)
		}
	}
}

// Each flag in the help of an installed original is known.
func TestEveryFlagOfTheInstalled(t *testing.T) {
	for _, name := range []string{"minidump-stackwalk", "dump_syms"} {
		t.Run(name, func(t *testing.T) {
			theirs, _ := exec.Command(installed(t, name), "--help").CombinedOutput()
			ours, _, _ := crashglass("as", name, "--help")
			known := strings.Fields(strings.NewReplacer(",", " ", "=", " ").Replace(ours))
			flags := regexp.MustCompile(`(?m)^ +(-[A-Za-z])?(?:, )?(--[a-z-]+)?`).FindAllStringSubmatch(string(theirs), -1)
			for _, m := range flags {
				for _, flag := range m[1:] {
					if flag != "" && !slices.Contains(known, flag) {
						t.Errorf("%s is not known", flag)
					}
				}
			}
		})
	}
}

// The output is compared with Breakpad's dump_syms. Mozilla's has the same name, so Breakpad's is
// looked for as breakpad-dump_syms.
func TestBesideBreakpadsDumpSyms(t *testing.T) {
	program := installed(t, "breakpad-dump_syms")
	files := []string{"dump_syms/linux/basic.full", "symbolic/linux/crash.debug", "symbolic/linux/arm64/cfi_test"}
	for _, flags := range [][]string{nil, {"-i"}, {"-c"}, {"-d"}, {"-r"}, {"-m"}, {"-v"}, {"-n", "other"}, {"-o", "Android"}, {"-c", "-d"}} {
		for _, name := range files {
			path := filepath.Join(corpus, "public", "native", name)
			if _, err := os.Stat(path); err != nil {
				t.Skip("the corpus is not at " + corpus)
			}
			args := append(slices.Clone(flags), path)
			theirs, err := exec.Command(program, args...).Output()
			if err != nil {
				t.Fatalf("%q: %v", args, err)
			}
			ours, errs, status := crashglass(append([]string{"as", "dump_syms"}, args...)...)
			if status != exitOK {
				t.Fatalf("%q: %s", args, errs)
			}
			for kind, fields := range map[string]int{"MODULE ": 5, "INFO CODE_ID ": 3, "FUNC ": 3} { // FUNC address size
				a, b := records(ours, kind, fields), records(string(theirs), kind, fields)
				slices.Sort(a)
				slices.Sort(b)
				if !slices.Equal(a, b) {
					t.Errorf("%q: %s", args, firstDifference(strings.Join(a, "\n"), strings.Join(b, "\n")))
				}
			}
			for _, kind := range []string{"\nFUNC ", "\nPUBLIC ", "\nINLINE ", "\nSTACK CFI INIT "} {
				if has, want := strings.Contains(ours, kind), strings.Contains(string(theirs), kind); has != want {
					t.Errorf("%q: %q %v, of dump_syms %v", args, kind, has, want)
				}
			}
		}
	}
}

// A program of Linux does not contain its file name. Its path in a store follows its MODULE line,
// which has the name of the file.
func TestStoreOfDumpSyms(t *testing.T) {
	const program = "../../symbols/testdata/split.elf"
	for _, tt := range []struct {
		flags []string
		want  string
	}{
		{nil, "split.elf/*/split.elf.sym"},
		{[]string{"-n", "other"}, "other/*/other.sym"},
		{[]string{"-n", "../../other.pdb"}, "other.pdb/*/other.sym"},
	} {
		store := t.TempDir()
		args := slices.Concat([]string{"as", "dump_syms", "--store", store}, tt.flags, []string{program})
		if _, errs, status := crashglass(args...); status != exitOK {
			t.Fatalf("%q: %s", args, errs)
		}
		if found, _ := filepath.Glob(filepath.Join(store, filepath.FromSlash(tt.want))); len(found) != 1 {
			all, _ := filepath.Glob(filepath.Join(store, "*", "*", "*"))
			t.Errorf("%q: there is no %s, but %q", args, tt.want, all)
		}
	}
	store := t.TempDir()
	_, errs, status := crashglass("as", "dump_syms", "--store", store, "-n", "..", program)
	if want := "it has no name or no debug ID, so it has no path in a symbol store\n"; status != exitInput || !strings.HasSuffix(errs, want) {
		t.Errorf("%d %s, want %s", status, errs, want)
	}
}
