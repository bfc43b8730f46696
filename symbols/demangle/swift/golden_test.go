package swift

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden file anew, with dump_syms 2.3.9, as and ld")

// golden has a name and what dump_syms 2.3.9 makes of it on each line, nothing for a
// name that it leaves as it is. Its demangler is Swift's own.
const golden = "testdata/dump_syms.txt"

// Every name that the mangler makes up reads as dump_syms reads it.
func TestDumpSyms(t *testing.T) {
	names := mangled(1000)
	if *update {
		writeGolden(t, names)
	}
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) != len(names) {
		t.Fatalf("%s has %d names, the test %d; write it with -update", golden, len(lines), len(names))
	}
	for i, line := range lines {
		name, want, _ := strings.Cut(line, "\t")
		if name != names[i] {
			t.Fatalf("%s:%d: %q, the test has %q; write it with -update", golden, i+1, name, names[i])
		}
		got, err := Name(name)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s\n got %q, %v\nwant %q", name, got, err, want)
		}
	}
}

func writeGolden(t *testing.T, names []string) {
	t.Helper()
	read := askDumpSyms(t, names)
	var out strings.Builder
	for i, name := range names {
		if read[i] == name {
			read[i] = ""
		}
		out.WriteString(name + "\t" + read[i] + "\n")
	}
	if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// symbolSize is how far apart the functions of askDumpSyms are.
const symbolSize = 16

// askDumpSyms makes a library with a function of each name, and returns what dump_syms
// calls the function.
func askDumpSyms(t *testing.T, names []string) []string {
	t.Helper()
	var source strings.Builder
	source.WriteString(".text\nstart:\n")
	for _, name := range names {
		q := strconv.Quote(name)
		source.WriteString(".globl " + q + "\n.type " + q + ",@function\n" + q + ": .skip " + strconv.Itoa(symbolSize) + "\n.size " + q + ",16\n")
	}
	file := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(file+".s", []byte(source.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) string {
		out, err := exec.Command(name, args...).Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return string(out)
	}
	run("as", file+".s", "-o", file+".o")
	run("ld", "-shared", "-Ttext=0x10000000", file+".o", "-o", file)
	out := make([]string, len(names))
	for line := range strings.Lines(run("dump_syms", file)) {
		line = strings.Replace(line, "PUBLIC m ", "PUBLIC ", 1) // m: one of several names
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 4)
		if fields[0] != "PUBLIC" {
			continue
		}
		at, err := strconv.ParseUint(fields[1], 16, 64)
		if i := int(at-0x10000000) / symbolSize; err == nil && i >= 0 && i < len(out) {
			out[i] = fields[3]
		}
	}
	return out
}
