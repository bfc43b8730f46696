package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"crashglass/core/report"
	part "crashglass/core/testkit/sample"
)

// heavy is a report that has one text of n bytes everywhere, in lists of length entries. The
// crashing thread and its module are the last ones.
func heavy(text string, length int) *report.Report {
	last := length - 1
	r := &report.Report{}
	r.CrashInfo.CrashingThread = &last
	for i := range length {
		r.Threads = append(r.Threads, report.Thread{ID: uint32(i), Name: &text, Frames: []report.Frame{{Function: &text, Module: &text, ModuleIndex: &last}}})
		r.Modules = append(r.Modules, report.Module{CodeFile: text, Path: text})
		r.Annotations = append(r.Annotations, report.Annotation{Name: text, Value: text})
		r.WantedSymbols = append(r.WantedSymbols, report.Wanted{Module: i, DebugFile: text})
	}
	r.Threads[last].Crashed = true
	r.CrashingThread = &report.Crashing{Index: last, Thread: r.Threads[last]}
	r.NextSteps = []report.NextStep{{Kind: report.GetSymbols, Module: &last}, {Kind: report.LookAt, Thread: &last}}
	return r
}

var allForms = map[string]func(io.Writer, *report.Report, Options) error{
	"text": Text, "machine": Machine, "markdown": Markdown, "html": HTML,
	"json": func(w io.Writer, r *report.Report, _ Options) error { return JSON(w, r) },
}

// less lowers the limit.
func less(t *testing.T, limit int) {
	most = limit
	t.Cleanup(func() { most = MaxOutput })
}

// For any report each form is complete and within the limit.
func TestBounded(t *testing.T) {
	less(t, 1<<20)
	for _, h := range part.Members([]struct {
		name string
		text string
		n    int
	}{
		{"long texts", strings.Repeat("x", 1<<13), 100},
		{"controls", strings.Repeat("\x01", 300), 500},
		{"quotes", strings.Repeat(`"`, 300), 500},
		{"long lists", "x", 1300},
	}) {
		r := heavy(h.text, h.n)
		for form, write := range allForms {
			t.Run(h.name+" as "+form, func(t *testing.T) {
				var out bytes.Buffer
				if err := write(&out, r, Options{NoModules: false}); err != nil {
					t.Fatal(err)
				}
				if out.Len() > most {
					t.Errorf("%d bytes", out.Len())
				}
				if form == "json" {
					checkShrunk(t, out.Bytes())
				}
			})
		}
	}
}

// checkShrunk reads a report back: every index of a thread or a module is valid.
func checkShrunk(t *testing.T, data []byte) {
	t.Helper()
	var r struct {
		CrashInfo struct {
			Thread int `json:"crashing_thread"`
		} `json:"crash_info"`
		Count    int `json:"thread_count"`
		Threads  []struct{ Crashed bool }
		Modules  []any
		Crashing struct {
			Index int `json:"threads_index"`
		} `json:"crashing_thread"`
		Wanted []struct{ Module int }          `json:"wanted_symbols"`
		Steps  []struct{ Module, Thread *int } `json:"next_steps"`
		Notes  []struct{ Text string }
	}
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Notes) == 0 || !strings.HasPrefix(r.Notes[0].Text, fmt.Sprintf("this report is larger than %d MiB: lists are truncated to ", most>>20)) {
		t.Errorf("notes %v", r.Notes)
	}
	if at := r.CrashInfo.Thread; at >= len(r.Threads) || !r.Threads[at].Crashed || r.Crashing.Index != at || r.Count != len(r.Threads) {
		t.Errorf("thread %d of %d crashed", at, len(r.Threads))
	}
	for _, w := range r.Wanted {
		if w.Module >= len(r.Modules) {
			t.Fatalf("module %d of %d is wanted", w.Module, len(r.Modules))
		}
	}
	if m := r.Steps[0].Module; m != nil && *m >= len(r.Modules) {
		t.Errorf("module %d of %d is the next step", *m, len(r.Modules))
	}
	if th := r.Steps[1].Thread; th == nil || *th != r.CrashInfo.Thread {
		t.Errorf("the next step is in thread %v", th)
	}
}

// The weight of a report is its size in JSON, and a little more.
func TestWeight(t *testing.T) {
	for name, r := range map[string]*report.Report{"empty": {}, "sample": sample(), "heavy": heavy("\x01\x7f\u0085\u202eä\"\\\xff", 100)} {
		var out bytes.Buffer
		if err := JSON(&out, r); err != nil {
			t.Fatal(err)
		}
		if w := (scale{}).weight(reflect.ValueOf(r), 1<<30); w < out.Len() || w > 2*out.Len()+1000 {
			t.Errorf("%s: weight %d of %d bytes", name, w, out.Len())
		}
	}
}

// A report of ordinary size is not touched.
func TestBoundedLeaves(t *testing.T) {
	if r := sample(); Bounded(r) != r {
		t.Error("a small report was copied")
	}
	less(t, 2<<20)
	if r := heavy(strings.Repeat("x", 1<<15), 50); Bounded(r) == r || len(r.Threads) != 50 {
		t.Error("a large report was changed, or was not")
	}
}
