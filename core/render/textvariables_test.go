package render

import (
	"bytes"
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
		{Name: "w", Kind: report.Local, State: "optimized_out"},
	}
	var b bytes.Buffer
	r := &report.Report{}
	tx := texter{newPrinter(&b), r, Options{}}
	tx.variables(v)
	if err := tx.flush(); err != nil {
		t.Fatal(err)
	}
	want := "    n (argument) = 3\n    p\n        x = 1\n        y: not captured, memory at 0x10 is not in the dump\n    w: optimized out\n"
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}
