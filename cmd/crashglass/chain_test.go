package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/report"
)

// chain is the folder of a program that crashed on purpose and printed its calls; see build.sh
// there.
const chain = "testdata/chain/"

// chainReturns reads the return addresses that the program printed, innermost first.
func chainReturns(t *testing.T) (out []string) {
	t.Helper()
	text, err := os.ReadFile(chain + "chain64.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Fields(string(text))[1:] { // the first is the base
		out = append(out, "0x"+line)
	}
	return out
}

// TestChainByImage walks with only the program: its unwind codes lead through every kind of
// prologue to the system's code, which is missing.
func TestChainByImage(t *testing.T) {
	frames := crashingFrames(t, chain+"chain64.dmp", chain+"chain64.exe")
	sameChain(t, frames)
	for i := range frames[:7] {
		if frames[i].Function != nil {
			t.Errorf("frame %d is %s, which the image does not have", i, *frames[i].Function)
		}
	}
	// Without the program there are no rules, and no code to check a guess by.
	if without := crashingFrames(t, chain+"chain64.dmp"); len(without) > 1 && without[1].Trust == "cfi" {
		t.Errorf("without the program frame 1 was found by %s", without[1].FoundBy)
	}
}

func sameChain(t *testing.T, frames []report.Frame) {
	t.Helper()
	returns := chainReturns(t)
	if len(frames) <= len(returns) {
		t.Fatalf("%d frames, want more than %d", len(frames), len(returns))
	}
	for i, want := range returns {
		f := &frames[i+1]
		if f.ReturnAddress == nil {
			t.Fatalf("frame %d has no return address", i+1)
		}
		if f.Trust != "cfi" || string(*f.ReturnAddress) != want {
			t.Errorf("frame %d returns to %v (%s), the program says %s", i+1, *f.ReturnAddress, f.Trust, want)
		}
	}
}

// TestChainByPDB walks with the program and its PDB. The dump has no CodeView record and names
// neither. The program's time stamp and size identify the program, which names the PDB.
func TestChainByPDB(t *testing.T) {
	frames := crashingFrames(t, chain+"chain64.dmp", chain+"chain64.exe", chain+"chain64.pdb.gz")
	sameChain(t, frames)
	want := []struct{ function, text string }{
		{"Leaf(Account*, int)", "a->Withdraw(n)"},
		{"Pushes(Account*, int, int, int)", "x += Leaf("},
		{"Doubles(Account*, double, double)", "int n = Pushes("},
		{"Large(Account*, int)", "return (int)Doubles("},
		{"Moving(Account*, int)", "return Large("},
		{"Shape<int>::Area(Account*, int)", "return side * by + Moving("},
		{"Start()", "shape->Area(&account, 4)"},
	}
	for i, w := range want {
		f := &frames[i]
		if f.Function == nil || *f.Function != w.function {
			t.Errorf("frame %d is not in %s", i, w.function)
		}
		atLine(t, f.File, f.Line, w.text)
	}
	inlines := frames[0].Inlines
	if len(inlines) != 2 {
		t.Fatalf("%d inlined calls, want 2", len(inlines))
	}
	for i, want := range []string{"Check(int*, int)", "Account::Withdraw(int)"} {
		if f := inlines[i].Function; f == nil || *f != want {
			t.Errorf("inlined call %d is not %s", i, want)
		}
	}
	atLine(t, inlines[0].File, inlines[0].Line, "// here it crashes")
	atLine(t, inlines[1].File, inlines[1].Line, "Check(&balance, n);")
}

// atLine checks that a line of the program's source has a text.
func atLine(t *testing.T, file *string, line *uint32, text string) {
	t.Helper()
	source, err := os.ReadFile(chain + "chain.cpp")
	if err != nil {
		t.Fatal(err)
	}
	if file == nil || line == nil || filepath.Base(*file) != "chain.cpp" {
		t.Fatalf("no line, want the one with %q", text)
	}
	lines := strings.Split(string(source), "\n")
	if n := int(*line); n < 1 || n > len(lines) || !strings.Contains(lines[n-1], text) {
		t.Errorf("line %d, want the one with %q", n, text)
	}
}

// TestChainWithAnotherPDB offers a mismatched PDB, to which no module refers.
func TestChainWithAnotherPDB(t *testing.T) {
	data, err := os.ReadFile(chain + "chain64.exe")
	if err != nil {
		t.Fatal(err)
	}
	i := strings.Index(string(data), "RSDS")
	data[i+4] ^= 1 // the GUID that the program names
	frames := crashingFrames(t, chain+"chain64.dmp", file(t, t.TempDir(), "chain64.exe", data), chain+"chain64.pdb.gz")
	sameChain(t, frames)
	if f := frames[0].Function; f != nil {
		t.Errorf("named %s by the PDB of another build", *f)
	}
}
