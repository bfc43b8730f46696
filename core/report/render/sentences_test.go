package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"crashglass/core/report"
)

// reworded runs f with every sentence of this package replaced.
func reworded(f func()) {
	undo := []func(){
		replace(endSentences, func(string) string { return "x%.0[1]s%.0[2]s%.0[3]s%.0[4]d" }),
		replace(originWords, func(string) string { return "x" }),
		replace(wantedWords, func(string) string { return "x" }),
		replace(foundByWords, func(string) string { return "x" }),
		replace(waitWords, func(string) string { return "x" }),
		replace(holderWords, func(string) string { return "x%.0s" }),
		replace(meaningWords, func(string) string { return "x" }),
		replace(nextSentences, func(func(*report.NextStep) string) func(*report.NextStep) string {
			return func(*report.NextStep) string { return "x" }
		}),
	}
	f()
	for _, u := range undo {
		u()
	}
}

// replace replaces the values of a table, and returns what puts them back.
func replace[K comparable, V any](table map[K]V, with func(V) V) func() {
	old := map[K]V{}
	for k, v := range table {
		old[k] = v
		table[k] = with(v)
	}
	return func() {
		for k, v := range old {
			table[k] = v
		}
	}
}

// speechless is a report whose sentences are all "x": those of package crash, of the notes and of
// the symbols.
func speechless(r *report.Report) *report.Report {
	x := "x"
	v := &r.Verdict
	v.What, v.Detail = x, x
	for i := range v.Badges {
		v.Badges[i].Text = x
		for j := range v.Badges[i].Evidence {
			v.Badges[i].Evidence[j] = x
		}
	}
	r.CrashInfo.Note = &x
	for i := range r.Notes {
		r.Notes[i].Text = x
	}
	for i := range r.Modules {
		if m := &r.Modules[i]; m.Symbols != nil {
			m.Symbols.Why = &x
		}
	}
	for i := range r.WantedSymbols {
		r.WantedSymbols[i].Why = &x
	}
	return r
}

// shape is what remains of a form when all words are taken away: the tags of
// HTML, the keys and codes of JSON, the lines of text, all of the machine text.
var shape = map[string]func(t *testing.T, out string) string{
	"html": func(_ *testing.T, out string) string {
		return fmt.Sprint(regexp.MustCompile(`<[^>]*>`).FindAllString(withoutCode(out), -1))
	},
	"json":  keysOf,
	"m.txt": func(_ *testing.T, out string) string { return out },
	"txt":   func(_ *testing.T, out string) string { return fmt.Sprint(strings.Count(out, "\n")) },
	"md":    func(_ *testing.T, out string) string { return fmt.Sprint(strings.Count(out, "\n")) },
}

// withoutCode takes out the marks of code, which sentences have.
func withoutCode(out string) string {
	return strings.NewReplacer("<code>", "", "</code>", "").Replace(out)
}

// spoken are the fields of the schema that hold sentences.
var spoken = []string{"reason", "text", "why", "what", "detail", "evidence", "note"}

// keysOf is JSON without its sentences.
func keysOf(t *testing.T, out string) string {
	var v any
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(mute(v))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func mute(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = mute(v[i])
		}
	case map[string]any:
		for k := range v {
			if v[k] = mute(v[k]); slices.Contains(spoken, k) {
				v[k] = nil
			}
		}
	}
	return v
}

// The structure of every form is independent of the sentences.
func TestRewording(t *testing.T) {
	for _, form := range forms {
		if shape[form.name] == nil {
			continue // the evidence of a walk is text of several lines
		}
		write := func(r *report.Report) string {
			var b bytes.Buffer
			if err := form.write(&b, r); err != nil {
				t.Fatal(err)
			}
			return shape[form.name](t, b.String())
		}
		want := write(sample())
		var got string
		reworded(func() { got = write(speechless(sample())) })
		if got != want {
			t.Errorf("%s hangs on a sentence:\n%s", form.name, firstDifference(got, want))
		}
	}
}
