package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/report"
)

// The object file that a program registered with debuggers has names, lines and unwind rules, as GDB's backtrace has them.
func TestRegisteredCode(t *testing.T) {
	const folder = "testdata/registered/"
	out, errs, status := crashglass("walk", "--format", "json", "--symbols", folder+"registers.gz", folder+"registers.core.gz")
	var r struct {
		Notes     []report.Note
		Verdict   report.Verdict
		Signature string
		Threads   []struct {
			Frames []struct {
				Function string
				Line     int
				Trust    string
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &r); status != exitOK || err != nil || len(r.Notes) > 0 {
		t.Fatal(status, errs, err, r.Notes)
	}
	var got []string
	for _, f := range r.Threads[0].Frames {
		got = append(got, fmt.Sprintf("%s:%d %s", f.Function, f.Line, f.Trust))
	}
	want := "leaf:4 context, fib:12 cfi, fib:13 cfi, fib:13 cfi, fib:13 cfi, run:17 cfi, _start:0 cfi"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("frames %s, want %s", text, want)
	}
	if place, signature := report.Text(r.Verdict.Where), r.Signature; place != "leaf" || signature != "generated.c!leaf" {
		t.Errorf("the crash is in %s, its signature is %s", place, signature)
	}
}
