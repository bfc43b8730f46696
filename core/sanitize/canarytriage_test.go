package sanitize

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"testing"

	"crashglass/core/report"
	"crashglass/core/report/triage"
)

// staysInTriage lists the fields of a report that groups of crashes contain, with reasons. All formats of
// triage write groups only, and a baseline is such a file.
var staysInTriage = map[string]string{
	"Signature":                             "it is what a group is",
	"Verdict.What":                          "what happened",
	"CrashInfo.Type":                        "the reason that the system gave",
	"SystemInfo.OS":                         "the system",
	"SystemInfo.CPU":                        "the system",
	"Modules[].CodeFile":                    "the name of the program, without its folder",
	"Modules[].Version":                     "the version that crashes",
	"Threads[].Frames[].Module":             "the first own frame",
	"Threads[].Frames[].Inlines[].Function": "the first own frame, innermost call",
	"Verdict.Where":                         "the function of the goroutine that failed",
}

// Exports of triage contain the fields that crashes are grouped by. They contain no register, value,
// annotation, argument, source path or thread name. Exports of a masked report contain no name of a person,
// and of secrets only what looks like one in the name of a function.
func TestCanariesOfTriage(t *testing.T) {
	flock, r := flock{}, &report.Report{}
	flock.fillReport(reflect.ValueOf(r).Elem(), "", deepest)
	r.Threads[0].Frames[0].System = false // so that there is a frame of its own
	r.Threads[0].Frames[0].Inlines[0].Library = false
	noGoroutine := *r
	noGoroutine.Verdict.Goroutine = nil
	exported := func(all ...*report.Report) []string {
		var out bytes.Buffer
		for _, r := range all {
			if err := triage.WriteLines(&out, []triage.Group{triage.Of("1.dmp", r, triage.Own)}); err != nil {
				t.Fatal(err)
			}
		}
		return flock.in(out.Bytes())
	}
	want := []string{}
	for where := range staysInTriage {
		want = append(want, where+", folder", where+", secret")
	}
	slices.Sort(want)
	if got := exported(r, &noGoroutine); !slices.Equal(got, want) {
		t.Errorf("of %d canaries are exported\n%q\nwant\n%q", len(flock), got, want)
	}
	names := map[string]bool{"Signature, secret": true, "Threads[].Frames[].Inlines[].Function, secret": true, "Verdict.Where, secret": true}
	if got := exported(Mask(r, nil), Mask(&noGoroutine, nil)); !slices.Equal(got, slices.Sorted(maps.Keys(names))) {
		t.Errorf("of a report that is masked are exported %q", got)
	}
}
