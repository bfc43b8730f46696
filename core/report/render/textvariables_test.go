package render

import (
	"bytes"
	"strings"
	"testing"

	"crashglass/core/report"
)

func TestVariables(t *testing.T) {
	some := func(s string) *string { return &s }
	v := []report.Variable{
		{Name: "n", Kind: report.Argument, State: "known", Value: some("3")},
		{Name: "p", Kind: report.Local, State: "known", Children: []report.Variable{
			{Name: "x", State: "known", Value: some("1")},
			{Name: "y", State: "not_captured", Why: some("memory at 0x10 is not in the dump")},
			{Name: "impl", State: "known", Raw: true},
		}},
		{Name: "w", Kind: report.Local, State: "optimized_out", Hidden: true},
		{Name: "w", Kind: report.Local, State: "known", Value: some("4"), Block: &report.Block{Depth: 1, Line: 12}},
		{Name: "v", Kind: report.Local, State: "known", Value: some("5"), Block: &report.Block{Depth: 2}},
		{Name: "ring", Kind: report.Local, State: "inconsistent", Value: some("size=9"), Why: some("the size 9 is not plausible: the links end after 1")},
		{Name: "list", Kind: report.Local, State: "known", Value: some("size=0"), Content: report.EmptyContent},
		{Name: "s", Kind: report.Local, State: "known", Content: report.EmptyContent},
		{Name: "o", Kind: report.Local, State: "known", Content: report.NoContent},
		{Name: "b", Kind: report.Local, State: "known", Value: some("7"), Content: report.ByteContent},
	}
	var b bytes.Buffer
	r := &report.Report{}
	tx := texter{newPrinter(&b), r, Options{}}
	tx.variables(v)
	if err := tx.flush(); err != nil {
		t.Fatal(err)
	}
	want := "    n (argument) = 3\n    p\n        x = 1\n        y: not captured, memory at 0x10 is not in the dump\n    w (shadowed): optimized out\n" +
		"    w (block at line 12) = 4\n    v (block at depth 2) = 5\n    ring = size=9; inconsistent, the size 9 is not plausible: the links end after 1\n    list = size=0 (empty)\n    s: empty\n    o: no value\n    b = 7\n"
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

// valued is a report of a crash whose frame has an inlined call, and both have
// variables.
func valued() *report.Report {
	some := func(s string) *string { return &s }
	thread := 0
	inner := []report.Variable{{Name: "k", Type: "int", Kind: report.Argument, State: "known", Value: some("`7|")}}
	outer := []report.Variable{{
		Name: "p", Type: "Point<int>", Kind: report.Local, State: "known", Location: some("0x10"),
		Children: []report.Variable{{Name: "x", Type: "int", State: "known", Value: some("<1>")}, {Name: "y", Type: "int", State: "optimized_out"}, {Name: "o", State: "known", Content: report.NoContent}},
		Evidence: &report.VariableEvidence{Rule: "DW_OP_fbreg -40", From: ".debug_info at 0x12", Reads: []report.Read{{Address: "0x10", Value: "0x1"}}},
	}}
	frame := report.Frame{Function: some("main"), Offset: "0x1000", Inlines: []report.Inline{{Function: some("f"), Variables: inner}}, Variables: outer}
	return &report.Report{CrashInfo: report.CrashInfo{CrashingThread: &thread}, Threads: []report.Thread{{Frames: []report.Frame{frame}}}}
}

func TestMarkdownVariables(t *testing.T) {
	var b bytes.Buffer
	if err := Markdown(&b, valued(), Options{}); err != nil {
		t.Fatal(err)
	}
	want := "<details>\n<summary>Variables</summary>\n\n```text\n  0  f\n    k (argument) = `7|\n  1  main\n    p\n        x = <1>\n        y: optimized out\n        o: no value\n```\n\n</details>\n"
	if !strings.Contains(b.String(), want) {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

func TestHTMLVariables(t *testing.T) {
	for _, tt := range []struct {
		opt  Options
		want []string
	}{
		{Options{}, []string{
			`<li><code><b>k</b> = ` + "`7|" + `</code> <small>argument int</small></li>`,
			`<li><details><summary><code><b>p</b></code> <small>local Point&lt;int&gt;</small></summary><ul>`,
			`<li><code><b>x</b> = &lt;1&gt;</code> <small>int</small></li>`, `<b>y</b>: optimized out</code>`, `<b>o</b>: no value</code>`,
		}},
		{Options{Evidence: true}, []string{"<pre>Point&lt;int&gt; 0x10rule: DW_OP_fbreg -40, by .debug_info at 0x12[0x10] = 0x1</pre>"}},
	} {
		var b bytes.Buffer
		if err := HTML(&b, valued(), tt.opt); err != nil {
			t.Fatal(err)
		}
		got := strings.ReplaceAll(b.String(), "\n", "")
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%+v: no %s in\n%s", tt.opt, want, got[strings.Index(got, "<main>"):])
			}
		}
	}
}

// An issue has room for so many bytes of values, cut between lines.
func TestMarkdownVariablesAreCut(t *testing.T) {
	r := valued()
	f := &r.Threads[0].Frames[0]
	for range 2000 {
		f.Inlines[0].Variables = append(f.Inlines[0].Variables, f.Inlines[0].Variables[0])
	}
	var b bytes.Buffer
	if err := Markdown(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	if n := b.Len(); n > 2*mostVariables || !strings.Contains(b.String(), " more lines …\n```") || !strings.Contains(b.String(), "The variables of 1 more row are left out") {
		t.Errorf("%d bytes, ends in %s", n, b.String()[max(0, n-400):])
	}
}
