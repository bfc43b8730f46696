package render

import (
	"bytes"
	"strings"
	"testing"

	"crashglass/core/report"
)

// Every form marks a name with its uncertainty: one of several functions with this code, or a copy
// or a part of the function. The linkage name is with the evidence.
func TestDoubts(t *testing.T) {
	name, linkage, mod, off := "total(int)", "_Z5totali.isra.0", "app.exe", report.Address("0x10")
	frame := report.Frame{
		Trust: report.TrustCFI, FoundBy: report.ByCFI, Offset: "0x400010", Module: &mod, ModuleOffset: &off, Function: &name, FunctionOffset: &off,
		Folded: true, Clone: ".isra.0", Spelling: report.Spelling{Linkage: &linkage}, Evidence: []report.Step{{Method: "cfi"}},
	}
	crashing := 0
	r := &report.Report{Threads: []report.Thread{{Crashed: true, Frames: []report.Frame{frame}}}}
	r.CrashInfo.CrashingThread = &crashing

	const folded, clone = "identical code folding, may be another function", "clone .isra.0"
	for _, tt := range []struct {
		form  string
		write func(*bytes.Buffer) error
		want  []string
	}{
		{"text", func(b *bytes.Buffer) error { return Text(b, r, Options{Evidence: true}) }, []string{folded + "; " + clone, "Linkage name: " + linkage}},
		{"markdown", func(b *bytes.Buffer) error { return Markdown(b, r, Options{}) }, []string{folded + "; " + clone}},
		{"html", func(b *bytes.Buffer) error { return HTML(b, r, Options{}) }, []string{folded + "; " + clone, "Linkage name: <code>" + linkage}},
	} {
		var b bytes.Buffer
		if err := tt.write(&b); err != nil {
			t.Fatal(err)
		}
		for _, want := range tt.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %q in\n%s", tt.form, want, b.String())
			}
		}
	}
}
