package next

import (
	"testing"

	"crashglass/core/report"
)

// Every wanted file has its source, not only that of the first step.
func TestOriginsOfAll(t *testing.T) {
	r := windows()
	r.WantedSymbols = []report.Wanted{wanted(0, "app.pdb", "missing"), wanted(1, "ntdll.pdb", "missing"), wanted(9, "gone.pdb", "missing")}
	Origins(r)
	for i, want := range []report.Wanted{
		{Origin: report.FromBuild},
		{Origin: report.FromMicrosoft, Server: "https://msdl.microsoft.com/download/symbols"},
		{}, // no such module
	} {
		if got := r.WantedSymbols[i]; got.Origin != want.Origin || got.Server != want.Server {
			t.Errorf("%s: %q from %q, want %q from %q", got.DebugFile, got.Origin, got.Server, want.Origin, want.Server)
		}
	}
}
