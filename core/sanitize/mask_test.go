package sanitize

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/bin"
	"crashglass/core/report"
)

func secretiveSession(t testing.TB) *analyze.Session {
	data := secretive(t)
	s, err := analyze.Open(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestInspect(t *testing.T) {
	s := secretiveSession(t)
	list := Inspect(s)
	if people := People(s); !slices.Equal(people, list.People) {
		t.Errorf("people %v, in the checklist %v", people, list.People)
	}
	if !slices.Equal(list.People, []string{"MALLORYS-LAPTOP", "mallory"}) {
		t.Errorf("people: %q", list.People)
	}
	var items []string
	for _, i := range list.Items {
		items = append(items, i.String())
	}
	for _, want := range []string{"the environment: 3 variables", "the command line: 2 arguments", "handles with the names of files, keys and pipes: 1 handles"} {
		if !slices.Contains(items, want) {
			t.Errorf("no %q in %q", want, items)
		}
	}
	if !slices.ContainsFunc(list.Secrets, func(s Secret) bool {
		return s.Where == "stream ThreadNames" || strings.HasPrefix(s.Where, "memory at 0x")
	}) {
		t.Errorf("secrets: %+v", list.Secrets)
	}
}

// TestMask makes a report that has none of what was planted, and leaves the
// one that it was made of alone.
func TestMask(t *testing.T) {
	s := secretiveSession(t)
	r, err := s.Report(nil, analyze.Options{Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	before := marshal(t, r)
	after := marshal(t, Mask(r, People(s)))
	if again := marshal(t, r); again != before {
		t.Error("the report itself is changed")
	}
	for _, p := range []string{"mallory", "MALLORYS-LAPTOP", "--token=abcdef0123456789", planted[1], "/srv/payroll/2026.xlsx"} {
		if !strings.Contains(before, p) {
			t.Errorf("%q is not in the report at all", p)
		}
		if strings.Contains(after, p) {
			t.Errorf("%q is in the masked report", p)
		}
	}
	if !strings.Contains(after, "/home/user/app") {
		t.Error("the path of the program is gone, and not only the name in it")
	}
}

// TestMaskChangesNothingElse has a report without anything to hide.
func TestMaskChangesNothingElse(t *testing.T) {
	s := secretiveSession(t)
	r, err := s.Report(nil, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plain := &report.Report{Threads: r.Threads, Verdict: r.Verdict, Streams: r.Streams, MainModule: r.MainModule}
	plain.Threads[0].Name = nil
	if got, want := marshal(t, Mask(plain, nil)), marshal(t, plain); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func marshal(t testing.TB, r *report.Report) string {
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestMaskIdentities takes out what tells users apart, and leaves what tells
// crashes apart. Codes stay, whatever people are called.
func TestMaskIdentities(t *testing.T) {
	annotation := func(name, value string) report.Annotation { return report.Annotation{Name: name, Value: value} }
	r := &report.Report{
		Annotations: []report.Annotation{
			annotation("client id", "725058a6"), annotation("client_id", "725058a6"), annotation("guid", "725058a6"), annotation("TelemetryClientId", "725058a6"),
			annotation("Email", "a@example.org"), annotation("url", ""), annotation("report id", "83e6ce16"), annotation("ver", "1.2"),
		},
		Threads: []report.Thread{{Frames: []report.Frame{{Trust: report.TrustContext, FoundBy: report.ByContext}}}},
	}
	var got []string
	out := Mask(r, []string{"context"})
	for _, a := range out.Annotations {
		got = append(got, a.Value)
	}
	want := []string{maskedSecret, maskedSecret, maskedSecret, maskedSecret, maskedSecret, "", "83e6ce16", "1.2"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if f := out.Threads[0].Frames[0]; f.Trust != report.TrustContext || f.FoundBy != report.ByContext {
		t.Errorf("a frame found by %s is %s", f.FoundBy, f.Trust)
	}
}
