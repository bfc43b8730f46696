package demangle

import (
	"os"
	"slices"
	"strings"
	"testing"
)

const native = "../../../shared/corpus/public/native/"

func corpusFile(t *testing.T, name string) string {
	t.Helper()
	if _, err := os.Stat(native); err != nil {
		t.Skip("no corpus at " + native)
	}
	data, err := os.ReadFile(native + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// decoratedIn are the names that begin with a question mark between zeros: those of a PDB's symbols.
func decoratedIn(data string) (names []string) {
	for text := range strings.SplitSeq(data, "\x00") {
		if at := strings.IndexByte(text, '?'); at >= 0 && strings.Contains(text[at:], "@") {
			names = append(names, text[at:])
		}
	}
	return names
}

// publicsOf are the readable names of the PUBLIC records of a .sym file.
func publicsOf(sym string) (names []string) {
	for line := range strings.Lines(sym) {
		fields := strings.SplitN(strings.TrimSpace(line), " ", 4)
		if fields[0] != "PUBLIC" || len(fields) < 4 {
			continue
		}
		if fields[1] == "m" {
			fields = strings.SplitN(strings.TrimSpace(line), " ", 5)
		}
		names = append(names, fields[len(fields)-1])
	}
	return names
}

// oddities are those of the demangler in dump_syms that ours does not share: a function that
// returns a function pointer loses the front half of that, and templates of
// constructors and conversions lose their names.
var oddities = []string{"))(", "::ctor<", "::operatorcast<"}

// The short names are those that Mozilla's dump_syms writes into .sym files.
func TestNamesOfDumpSyms(t *testing.T) {
	ours := map[string]bool{}
	for _, name := range decoratedIn(corpusFile(t, "dump_syms/windows/basic32-min.pdb")) {
		if readable, ok := Name(name); ok {
			ours[readable] = true
		}
	}
	found, missing := 0, 0
	for _, name := range publicsOf(corpusFile(t, "dump_syms/windows/basic32-min.sym")) {
		isOdd := slices.ContainsFunc(oddities, func(text string) bool { return strings.Contains(name, text) })
		switch {
		case !strings.Contains(name, "(") || isOdd || strings.HasPrefix(name, "?"):
		case ours[name]:
			found++
		default:
			missing++
			t.Logf("no name reads %s", name)
		}
	}
	// One lies across two pages of the PDB that do not follow each other.
	if found < 1500 || missing > 1 {
		t.Errorf("%d names were found, %d were not", found, missing)
	}
}
