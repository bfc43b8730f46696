package sanitize

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"testing"

	"crashglass/core/report"
	"crashglass/core/triage"
)

// staysInTriage are the fields of a report that groups of crashes tell, in every
// form that triage writes: each has a reason. The forms write groups and nothing
// else, and read them again as a baseline.
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
}

// What crashes are grouped by is in exports of triage, and nothing else of a
// report: no register, value, annotation, argument, path of a source file or name
// of a thread. Masked, no name of a person and no secret is in them, but what looks
// like one in the name of a function.
func TestCanariesOfTriage(t *testing.T) {
	flock, r := flock{}, &report.Report{}
	flock.fillReport(reflect.ValueOf(r).Elem(), "", deepest)
	r.Threads[0].Frames[0].System = false // so that there is a frame of its own
	exported := func(r *report.Report) []string {
		var out bytes.Buffer
		if err := triage.WriteLines(&out, []triage.Group{triage.Of("1.dmp", r)}); err != nil {
			t.Fatal(err)
		}
		return flock.in(out.Bytes())
	}
	want := []string{}
	for where := range staysInTriage {
		want = append(want, where+", folder", where+", secret")
	}
	slices.Sort(want)
	if got := exported(r); !slices.Equal(got, want) {
		t.Errorf("of %d canaries are exported\n%q\nwant\n%q", len(flock), got, want)
	}
	names := map[string]bool{"Signature, secret": true, "Threads[].Frames[].Inlines[].Function, secret": true}
	if got := exported(Mask(r, nil)); !slices.Equal(got, slices.Sorted(maps.Keys(names))) {
		t.Errorf("of a report that is masked are exported %q", got)
	}
}
