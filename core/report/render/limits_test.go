package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"crashglass/core/report"
)

// The estimate for a value in JSON: at least its bytes. A text counts with its escapes.
func TestEscapedLen(t *testing.T) {
	for in, want := range map[string]int{
		"": 0, "plain": 5, `"`: 2, `\`: 2, "\n": 6, "\x01": 6, "\x1f": 6, " ": 1, "~": 1, "\x7f": 6, "\u0085": 6, "\u202e": 6, "ä": 2, "日本": 6, "🦀": 4, "\xff": 6, "\ufffd": 8,
	} {
		got := escapedLen(in)
		data, err := json.Marshal(in)
		if safe := escapeJSON(data); err != nil || got < len(safe)-2 {
			t.Errorf("%q: estimate %d of %s, too low", in, got, safe)
		}
		if got != want {
			t.Errorf("%q: estimate %d, want %d", in, got, want)
		}
	}
}

// A weight stops soon after its limit: lists and tables are not read to their ends.
func TestWeightStops(t *testing.T) {
	long := strings.Repeat("x", 1000)
	list := make([]*string, 1<<20)
	for i := range list {
		list[i] = &long
	}
	table := map[string]any{}
	for i := range 1000 {
		table[fmt.Sprint(i)] = long
	}
	type pair struct {
		A, B *string
		C    any
	}
	for name, tt := range map[string]struct {
		value       any
		limit       int
		least, most int
	}{
		"a list":                  {list, 5000, 5000, 7000},
		"a table":                 {table, 5000, 5000, 7000},
		"a struct":                {pair{&long, &long, table}, 500, 1000, 1100},
		"a whole struct":          {pair{&long, nil, 7}, 5000, 2 + 1002 + 4 + 8, 1100},
		"a list within its room":  {list[:3], 1 << 20, 3 * 1003, 3*1003 + 2},
		"a table within its room": {map[string]any{"k": "v", "n": nil}, 1 << 20, 2 + 2*(2+3) + 3 + 4, 30},
		"an empty list":           {[]string{}, 0, 2, 2},
		"no list":                 {[]string(nil), 0, 2, 2},
		"nothing":                 {(*string)(nil), 0, 4, 4},
		"a number":                {uint64(1) << 63, 0, 8, 8},
	} {
		if got := (scale{}).weight(reflect.ValueOf(tt.value), tt.limit); got < tt.least || got > tt.most {
			t.Errorf("%s: weight %d, want %d to %d", name, got, tt.least, tt.most)
		}
	}
}

// A shortened report refers to threads and modules that it has.
func TestShrinkLinks(t *testing.T) {
	r := &report.Report{ThreadCount: 4, MainModule: 2, Notes: []report.Note{{Where: "first"}, {}, {}}}
	r.Hang = &report.Hang{Cycles: [][]int{{0, 1}, {0, 2}, {2, 3}, {3, 0}}, Behind: []int{0, 1, 2, 3}}
	for i := range 4 {
		frames := []report.Frame{{ModuleIndex: ptr(0)}, {ModuleIndex: ptr(1)}, {ModuleIndex: ptr(2)}}
		r.Threads = append(r.Threads, report.Thread{ID: uint32(i), Frames: frames, FrameCount: 3, Waits: &report.Wait{Thread: ptr(3 - i)}})
		r.Modules = append(r.Modules, report.Module{})
		r.WantedSymbols = append(r.WantedSymbols, report.Wanted{Module: i})
		r.NextSteps = append(r.NextSteps, report.NextStep{Thread: ptr(i), Module: ptr(i)})
	}
	for _, tt := range []struct {
		crashing, list int
		threads        []uint32
		steps          string // the threads of the next steps
		waits          string // the threads that each thread waits for
		hang           string // the cycles, and the threads behind them
		index          int    // of the crashing thread
	}{
		{0, 2, []uint32{0, 1}, "[0 1]", "[nil nil]", "[[0 1]] [0 1]", 0},
		{1, 2, []uint32{0, 1}, "[0 1]", "[nil nil]", "[[0 1]] [0 1]", 1},
		{2, 2, []uint32{0, 2}, "[0 nil]", "[nil nil]", "[[0 1]] [0]", 1},
		{3, 3, []uint32{0, 1, 3}, "[0 1 nil]", "[2 nil 0]", "[[0 1]] [0 1]", 2},
		{3, 4, []uint32{0, 1, 2, 3}, "[0 1 2 3]", "[3 2 1 0]", "[[0 1] [0 2] [2 3] [3 0]] [0 1 2 3]", 3},
	} {
		r.CrashInfo.CrashingThread = &tt.crashing
		r.CrashingThread = &report.Crashing{Index: tt.crashing, Thread: r.Threads[tt.crashing]}
		out := shrink(r, measure{tt.list, 100})
		var ids []uint32
		for _, th := range out.Threads {
			ids = append(ids, th.ID)
			if th.FrameCount != len(th.Frames) || th.FrameCount != min(tt.list, 3) {
				t.Errorf("%+v: %d frames of %d", tt, len(th.Frames), th.FrameCount)
			}
		}
		if fmt.Sprint(ids) != fmt.Sprint(tt.threads) || out.ThreadCount != len(ids) {
			t.Errorf("%+v: %d threads %v", tt, out.ThreadCount, ids)
		}
		if got := stepThreads(out); got != tt.steps {
			t.Errorf("%+v: the next steps are in threads %s", tt, got)
		}
		if got := waitThreads(out); got != tt.waits {
			t.Errorf("%+v: the threads wait for %s", tt, got)
		}
		if got := fmt.Sprint(out.Hang.Cycles, " ", out.Hang.Behind); strings.ReplaceAll(got, "  ", " ") != tt.hang {
			t.Errorf("%+v: hang %s", tt, got)
		}
		if *out.CrashInfo.CrashingThread != tt.index || out.CrashingThread.Index != tt.index || out.CrashingThread.ID != uint32(tt.crashing) {
			t.Errorf("%+v: crashing thread %d and %d", tt, *out.CrashInfo.CrashingThread, out.CrashingThread.Index)
		}
		checkModules(t, out, tt.list)
		if len(out.Notes) != 1+min(tt.list, 3) || out.Notes[1].Where != "first" {
			t.Errorf("%+v: notes %v", tt, out.Notes)
		}
	}
	if r.MainModule != 2 || len(r.Threads) != 4 || *r.NextSteps[3].Thread != 3 || r.Threads[1].ID != 1 || len(r.Notes) != 3 {
		t.Error("the report itself was changed")
	}
}

func stepThreads(r *report.Report) string {
	var out []*int
	for _, s := range r.NextSteps {
		out = append(out, s.Thread)
	}
	return indexes(out)
}

func waitThreads(r *report.Report) string {
	var out []*int
	for _, th := range r.Threads {
		out = append(out, th.Waits.Thread)
	}
	return indexes(out)
}

func indexes(list []*int) string {
	out := make([]string, len(list))
	for i, index := range list {
		if out[i] = "nil"; index != nil {
			out[i] = fmt.Sprint(*index)
		}
	}
	return fmt.Sprint(out)
}

// checkModules checks the references to the n modules that are left.
func checkModules(t *testing.T, r *report.Report, n int) {
	t.Helper()
	if want := map[bool]int{true: 2, false: 0}[n > 2]; r.MainModule != want {
		t.Errorf("of %d modules %d is the main one, want %d", n, r.MainModule, want)
	}
	if len(r.WantedSymbols) != n {
		t.Errorf("of %d modules %d have wanted symbols", n, len(r.WantedSymbols))
	}
	for _, th := range append(r.Threads, r.CrashingThread.Thread) {
		for i, f := range th.Frames {
			if kept := i < n; kept != (f.ModuleIndex != nil) {
				t.Errorf("of %d modules frame %d has %v", n, i, f.ModuleIndex)
			}
		}
	}
}

// A crashing thread that is not in the list stays as it is.
func TestShrinkWithoutThread(t *testing.T) {
	for name, index := range map[string]*int{"none": nil, "behind the list": ptr(9), "negative": ptr(-1)} {
		r := &report.Report{Threads: make([]report.Thread, 3)}
		r.CrashInfo.CrashingThread = index
		out := shrink(r, measure{2, 100})
		if got := out.CrashInfo.CrashingThread; len(out.Threads) != 2 || (got == nil) != (index == nil) || got != nil && *got != *index {
			t.Errorf("%s: %d threads, %v crashed", name, len(out.Threads), got)
		}
	}
}

// A text is cut before a character that does not fit. JSON of the dump's writer stays whole or goes.
func TestShrinkTexts(t *testing.T) {
	m := measure{10, 4}
	for in, want := range map[string]string{"": "", "abcd": "abcd", "abcde": "abcd…", "abcä": "abc…", "ab日本": "ab…", "\xff\xff\xff\xff\xff": "…"} {
		if got := m.shortened(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for n, kept := range map[int]bool{100: true, 1<<16 - 2: true, 1<<16 - 1: false, 1 << 17: false} {
		if out := shrink(&report.Report{SoftErrors: strings.Repeat("x", n)}, m); (out.SoftErrors != nil) != kept {
			t.Errorf("soft errors of %d bytes: %v", n, out.SoftErrors != nil)
		}
	}
	if out := shrink(&report.Report{}, m); out.SoftErrors != nil || out.Threads != nil || out.PID != nil {
		t.Errorf("a report without lists has %+v", out)
	}
}

// The buffer takes exactly as many bytes as a report may have, in any steps, and refuses the next one.
func TestPieces(t *testing.T) {
	less(t, 2<<20)
	for _, step := range []int{1 << 10, 1<<10 + 1, pieceLen, pieceLen + 1, most} {
		var p pieces
		var want bytes.Buffer
		for n := 0; n < most; n += step {
			data := bytes.Repeat([]byte{byte(n / step)}, min(step, most-n))
			want.Write(data)
			if got, err := p.Write(data); got != len(data) || err != nil {
				t.Fatalf("steps of %d: %d, %v at %d", step, got, err, n)
			}
		}
		if _, err := p.Write([]byte{1}); !errors.Is(err, errTooLarge) {
			t.Errorf("steps of %d: one more byte gives %v", step, err)
		}
		var got bytes.Buffer
		if err := p.writeTo(&got); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("steps of %d: %d bytes, %v", step, got.Len(), err)
		}
	}
}

// If a form is larger than its estimate, the next measure is tried. If none helps, the error says so.
func TestBoundedTriesAgain(t *testing.T) {
	less(t, 2<<20)
	tooLarge := make([]byte, most+1)
	for fits, want := range map[int]error{1: nil, 2: nil, len(measures) + 1: nil, len(measures) + 2: errTooLarge} {
		tries := 0
		err := bounded(io.Discard, &report.Report{Modules: make([]report.Module, 3)}, func(w io.Writer, r *report.Report) error {
			if tries++; tries == fits {
				return nil
			}
			_, err := w.Write(tooLarge)
			return err
		})
		if !errors.Is(err, want) || want == nil && tries != fits {
			t.Errorf("a form that fits at try %d: %v after %d tries", fits, err, tries)
		}
	}
	other := errors.New("other")
	tries := 0
	if err := bounded(io.Discard, &report.Report{}, func(io.Writer, *report.Report) error { tries++; return other }); !errors.Is(err, other) || tries != 1 {
		t.Errorf("another error: %v after %d tries", err, tries)
	}
}

// SafeJSON changes characters, never the text. A writer that fails is reported.
func TestSafeJSON(t *testing.T) {
	for in, want := range map[string]string{
		"": "", `{"a":1}`: `{"a":1}`, "{\n\t\"a\": 1\r\n}": "{\n\t\"a\": 1\r\n}", "\"\x7f\"": `"\u007f"`, "\"a\u202eb\u2028\"": `"a\u202eb\u2028"`, "\"\U000e0041\"": `"\udb40\udc41"`, "\"ä 日本 🦀\"": "\"ä 日本 🦀\"",
	} {
		var b bytes.Buffer
		if n, err := SafeJSON(&b).Write([]byte(in)); n != len(in) || err != nil || b.String() != want {
			t.Errorf("%q: %q, %d bytes, %v; want %q", in, b.String(), n, err, want)
		}
	}
	if n, err := SafeJSON(failing{}).Write([]byte("x")); n != 0 || !errors.Is(err, errFull) {
		t.Errorf("%d bytes and %v on a full disk", n, err)
	}
}

// Characters at the borders of what is escaped.
func TestHarmful(t *testing.T) {
	for r, want := range map[rune]string{
		' ': " ", '\x1f': `\x1f`, '~': "~", '\x7f': `\x7f`, '\u0080': `\u0080`, '\u009f': `\u009f`, '\u00a0': "\u00a0", '\u00ad': `\u00ad`, '\u200a': "\u200a", '\u200b': `\u200b`, '\u202a': `\u202a`, '\u2066': `\u2066`,
		'\ufeff': `\ufeff`, '\ufff9': `\ufff9`, '\uffff': "\uffff", '\U00010000': "\U00010000", '\U0001bca0': `\U0001bca0`, '\U000f0000': `\U000f0000`, '\ue000': `\ue000`,
	} {
		if got := Escape("a" + string(r) + "b"); got != "a"+want+"b" {
			t.Errorf("%U: %q, want %q between a and b", r, got, want)
		}
	}
}
