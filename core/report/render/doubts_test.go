package render

import (
	"bytes"
	"strings"
	"testing"

	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
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

// A name is shown where it may be that of the code, and has its mark everywhere unless it is proved. Behind the end
// of the nearest symbol a frame has no name.
func TestCertaintyInEveryForm(t *testing.T) {
	const near, beyond = "nearest symbol, may be another function", "no name: behind the end of pthread_key_delete + 0x14c"
	name, mod, off := "parse", "app", report.Address("0x10")
	for _, tt := range []struct {
		certainty report.Certainty
		named     bool
		want      string
	}{
		{certainty: report.NameInside, named: true, want: ""}, {certainty: report.NameCovered, named: true, want: ""}, {certainty: report.NameNearest, named: true, want: near},
		{certainty: report.NameForced, named: true, want: "names from mismatched symbols"}, {certainty: report.NameBeyond, want: beyond}, {certainty: report.NameNone, want: ""},
	} {
		f := report.Frame{Trust: report.TrustCFI, FoundBy: report.ByCFI, Offset: "0x400010", Module: &mod, ModuleOffset: &off, Certainty: tt.certainty}
		f.UsedAnyway = tt.certainty == report.NameForced
		if tt.named {
			f.Function, f.FunctionOffset = &name, &off
		}
		if tt.certainty == report.NameBeyond {
			f.After = &report.NearSymbol{Name: "pthread_key_delete", Offset: "0x14c"}
		}
		crashing := 0
		r := &report.Report{Threads: []report.Thread{{Crashed: true, Frames: []report.Frame{f}}}}
		r.CrashInfo.CrashingThread = &crashing
		for form, write := range map[string]func(*bytes.Buffer) error{
			"text":     func(b *bytes.Buffer) error { return Text(b, r, Options{}) },
			"markdown": func(b *bytes.Buffer) error { return Markdown(b, r, Options{}) },
			"html":     func(b *bytes.Buffer) error { return HTML(b, r, Options{}) },
		} {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			got := b.String()
			marked := tt.certainty == report.NameNearest || tt.certainty == report.NameForced
			if n, m := strings.Count(got, name), strings.Count(got, symbolize.Mark+name); n > 0 != tt.named || m > 0 != marked || marked && m != n {
				t.Errorf("%s, %s: the name stands %d times, %d of them with a mark:\n%s", form, tt.certainty, n, m, got)
			}
			for _, doubt := range []string{near, beyond, "names from mismatched symbols"} {
				if strings.Contains(got, doubt) != (doubt == tt.want) {
					t.Errorf("%s, %s: %q stands or is missing in\n%s", form, tt.certainty, doubt, got)
				}
			}
		}
	}
}
