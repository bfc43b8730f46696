package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// pdbPrograms are programs for 32-bit Windows that printed the values of their variables, with the
// number of values that a dump and a PDB give. build.sh made them.
const pdbPrograms = "testdata/pdbvars/"

// TestVariablesOfPDB compares values with those that the programs printed. Many are unknown in
// optimized code, but none may be wrong.
func TestVariablesOfPDB(t *testing.T) {
	for level, known := range map[string]int{"deep-O0": 35, "deep-O2": 16} {
		t.Run(level, func(t *testing.T) {
			dir := t.TempDir()
			file(t, dir, "deep.pdb", unzipped(t, pdbPrograms+level+".pdb.gz"))
			file(t, dir, "deep.exe", read(t, pdbPrograms+level+".exe"))
			have := valuesByFunction(t, dir, pdbPrograms+level+".dmp")
			right := 0
			for path, want := range printedValues(t, pdbPrograms+level+".txt") {
				got, ok := have[path]
				switch {
				case ok && sameNumber(got, want):
					right++
				case ok && !strings.HasPrefix(got, "<"):
					t.Errorf("%s = %s, the program printed %s", path, got, want)
				}
			}
			if right != known {
				t.Errorf("%d are known, want %d", right, known)
			}
		})
	}
}

// printedValues reads lines of "T function path value".
func printedValues(t *testing.T, path string) map[string]string {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		if words := strings.Fields(s.Text()); len(words) == 4 {
			out[words[1]+"."+strings.NewReplacer("->", ".", "[", ".[").Replace(words[2])] = words[3]
		}
	}
	return out
}

// valuesByFunction walks a dump and returns the values of all frames and inlined
// calls, by function and path.
func valuesByFunction(t *testing.T, symbols, dump string) map[string]string {
	var out, errs strings.Builder
	if status := run([]string{"walk", "--format", "json", "--thread", "crashing", "--variables", "--symbols", symbols, filepath.FromSlash(dump)}, &out, &errs); status != 0 {
		t.Fatal(errs.String())
	}
	type scope struct {
		Function  string
		Variables []variable
	}
	var r struct {
		Crashing struct {
			Frames []struct {
				scope
				Inlines []scope
			}
		} `json:"crashing_thread"`
	}
	if err := json.Unmarshal([]byte(out.String()), &r); err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for _, f := range r.Crashing.Frames {
		for _, s := range append(f.Inlines, f.scope) {
			name, _, _ := strings.Cut(s.Function, "(")
			values(s.Variables, name+".", have)
		}
	}
	return have
}

// enumerators are the program's.
var enumerators = map[string]string{"GREEN": "5"}

// sameNumber compares two numbers as they are written, in either base.
func sameNumber(got, want string) bool {
	if v, ok := enumerators[got]; ok {
		got = v
	}
	a, errA := strconv.ParseFloat(got, 64)
	b, errB := strconv.ParseFloat(want, 64)
	if errA == nil && errB == nil {
		return a == b || float32(a) == float32(b)
	}
	return got == want || got == "'"+"\\x"+hexOf(want)+"'" || len(got) == 3 && strconv.Itoa(int(got[1])) == want
}

func hexOf(decimal string) string {
	n, _ := strconv.ParseUint(decimal, 10, 8)
	return strings.Repeat("0", 2-len(strconv.FormatUint(n, 16))) + strconv.FormatUint(n, 16)
}
