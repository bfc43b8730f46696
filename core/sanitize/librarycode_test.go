package sanitize

import (
	"crashglass/core/testkit/symbolsource"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/testkit/dump"
)

// librarySymbols are the file of a library: mov %rcx, (%rax), from 0x10 on.
type librarySymbols struct{ symbolsource.Bare }

func (s librarySymbols) For(*module.Module) (analyze.Source, report.Symbols) {
	return s, report.Symbols{State: report.SymbolsMatched}
}

func (librarySymbols) HasCode() bool { return true }

func (librarySymbols) ReadImage(rel uint64, p []byte) int {
	code := append(make([]byte, 0x10), 0x48, 0x89, 0x08, 0xc3)
	if rel >= 0x40 {
		return 0
	}
	return copy(p, append(code, make([]byte, 0x2c)...)[rel:])
}

// A core has no code of libraries. What the report reads of their files goes with the sanitized dump,
// whose reader does not have them.
func TestCodeOfLibrary(t *testing.T) {
	ctx := dump.New().Context(t, dump.AMD64, map[string]uint64{"rip": appBase + 0x10, "rsp": stackBase + 0x80, "rbp": stackBase + 0x100, "rax": 8})
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	b.Thread(dump.Thread{ID: 1, StackBase: stackBase, Stack: stack(nil, nil), Context: ctx})
	b.Module(dump.Module{Base: appBase, Size: 0x1000, Name: "/opt/app", CodeView: dump.BuildID(1, 2, 3)})
	b.Exception(dump.Exception{Thread: 1, Code: 11, Flags: 1, Address: 8, Context: ctx})
	r, err := Clean(open(t, b.Build(t)), librarySymbols{symbolsource.Bare{Source: armSymbols{}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Changed) > 0 {
		t.Errorf("changed: %q", r.Changed)
	}
	after, err := open(t, r.Data).Report(nil, analyze.Options{})
	if err != nil || after.Verdict.What != "Null pointer write" {
		t.Errorf("without the library: %q, %v", after.Verdict.What, err)
	}
}
