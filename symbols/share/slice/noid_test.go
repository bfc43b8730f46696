package slice

import (
	"crashglass/core/testkit/symbolsource"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/symbols/formats/breakpad"
)

// byName are symbols that were matched by their name alone.
type byName struct{ file *breakpad.File }

func (s byName) For(*module.Module) (analyze.Source, report.Symbols) {
	id := "AB0"
	return symbolsource.Bare{Source: s.file}, report.Symbols{State: report.SymbolsMatched, GivenID: &id}
}

// A core may not say of which build a file is, as of a Go program. The slice has the ID of the symbols, and
// with it a place in a store.
func TestSliceWithoutID(t *testing.T) {
	f, err := breakpad.Open(bin.NewSource(strings.NewReader(whole), int64(len(whole))), breakpad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := module.Module{Base: 0x40_0000, Size: 0x5000, CodeFile: "/opt/app", DebugFile: "/opt/app", Arch: "amd64"}
	s := New()
	recorder{s, byName{f}}.record(module.NewMap([]module.Module{m}), 0x40_1010)
	mods := s.Modules()
	if len(mods) != 1 || mods[0].DebugID != "AB0" {
		t.Fatalf("modules %+v", mods)
	}
	var b strings.Builder
	if err := s.Write(&b, &mods[0], AllNames); err != nil || !strings.Contains(b.String(), " AB0 app\n") || !strings.Contains(b.String(), "first(int)") {
		t.Errorf("%q, %v", b.String(), err)
	}
}
