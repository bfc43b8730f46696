package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"crashglass/core/report"
	"crashglass/core/report/render"
	"crashglass/wasm/internal/bridge"
)

// large is a symbol file of the example's program that is large enough for two workers, by made-up
// functions at addresses that the program does not have.
func large(t *testing.T) bridge.File {
	data, err := os.ReadFile(example + "desk.sym")
	if err != nil {
		t.Fatal(err)
	}
	text := bytes.NewBuffer(data)
	for at := 1 << 30; text.Len() < 34<<20; at += 0x100 {
		fmt.Fprintf(text, "FUNC %x 100 0 padding_%d\n%x 80 1 0\n%x 80 2 0\n", at, at, at, at+0x80)
	}
	return file("desk.sym", text.Bytes())
}

func jsonOf(t *testing.T, r *report.Report) string {
	var b strings.Builder
	if err := render.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// scan makes a requested index in another viewer, as the page's other workers do.
func scan(t *testing.T, files []bridge.File, s Scan) bridge.File {
	t.Helper()
	var index []byte
	for i := range len(s.Cuts) - 1 {
		request := fmt.Sprintf(`{"op":"scan","from":%d,"to":%d}`, s.Cuts[i], s.Cuts[i+1])
		index = append(index, ask(t, newViewer(), request, files[s.File]).Bytes...)
	}
	return file("index", index)
}

// TestOthersScan has other workers scan a large file. The report is the same as from one worker
// alone, also if an index is missing or wrong.
func TestOthersScan(t *testing.T) {
	files := []bridge.File{exampleFile(t, "crash.dmp"), large(t)}
	alone := newViewer()
	want := jsonOf(t, add(t, alone, OpenRequest{Next: 1}, files...).Opened[0].Report)
	for name, bring := range map[string]func(Scan) []bridge.File{
		"index":   func(s Scan) []bridge.File { return []bridge.File{scan(t, files, s)} },
		"nothing": func(Scan) []bridge.File { return nil },
		"noise":   func(Scan) []bridge.File { return []bridge.File{file("index", []byte("noise"))} },
		"a part":  func(s Scan) []bridge.File { s.Cuts = s.Cuts[:2]; return []bridge.File{scan(t, files, s)} },
	} {
		v := newViewer()
		v.openFiles(&OpenRequest{Next: 1}, []bridge.File{exampleFile(t, "crash.dmp"), files[1]})
		first, err := v.report(1, &ReportRequest{Crashing: true, Workers: 2})
		if err != nil || len(first.Opened) != 1 || len(first.Scans) != 1 {
			t.Fatalf("%s: %+v, %v", name, first, err)
		}
		early := first.Opened[0].Report
		if th := early.CrashingThread; th == nil || len(th.Frames) != 1 || th.Frames[0].Trust != "context" || th.End.Kind != report.SymbolsAwaited || th.End.Reason == "" {
			t.Errorf("%s: meanwhile the crashing thread is %+v", name, th)
		}
		if all, err := v.report(1, &ReportRequest{Workers: 2}); err != nil || len(all.Opened) != 0 || len(all.Scans) != 1 {
			t.Errorf("%s: of all threads %+v, %v", name, all, err)
		}
		s := first.Scans[0]
		if s.Name != "desk.sym" || s.File != 1 || s.Size != files[1].Size() || len(s.Cuts) != 3 || len(s.Key) != 64 {
			t.Errorf("%s: asks for %+v", name, s)
		}
		received := bring(s)
		ask(t, v, `{"op":"index","key":"`+s.Key+`"}`, received...)
		second, err := v.report(1, &ReportRequest{Workers: 2})
		if err != nil || len(second.Opened) != 1 || len(second.Scans) != 0 {
			t.Fatalf("%s: %+v, %v", name, second, err)
		}
		if got := jsonOf(t, second.Opened[0].Report); got != want {
			t.Errorf("%s: another report:\n%.2000s", name, got)
		}
		wantStale := 0
		if name == "noise" || name == "a part" {
			wantStale = 1
		}
		if len(second.Stale) != wantStale {
			t.Errorf("%s: stale %v", name, second.Stale)
		}

		// Without the dump, the index is not needed: it is closed, and asked for when it is needed again.
		ask(t, v, `{"op":"close","dumps":[1]}`)
		for _, f := range received {
			if _, err := f.ReadAt(make([]byte, 1), 0); !errors.Is(err, bridge.ErrClosed) {
				t.Errorf("%s: the index is open: %v", name, err)
			}
		}
		v.openFiles(&OpenRequest{Next: 2}, []bridge.File{exampleFile(t, "crash.dmp")})
		if again, err := v.report(2, &ReportRequest{Workers: 2}); err != nil || len(again.Scans) != 1 || again.Scans[0].Key != s.Key {
			t.Errorf("%s: for the next dump %+v, %v", name, again, err)
		}
	}
}

// A name of several files stays one when one of them is closed: no other worker can tell the others
// apart.
func TestClosedFilesKeepTheirNames(t *testing.T) {
	v, big := newViewer(), large(t)
	v.openFiles(&OpenRequest{Next: 1}, []bridge.File{exampleFile(t, "crash.dmp"), big, file("desk.sym", []byte("of no use")), file("desk.sym", []byte("nor this"))})
	if r, err := v.report(1, &ReportRequest{Workers: 2}); err != nil || len(r.Opened) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	v.openFiles(&OpenRequest{Next: 2}, []bridge.File{large(t)})
	if f := v.indexes.files["desk.sym"]; !f.twice {
		t.Errorf("%+v", f)
	}
}

// TestNoOtherWorkerScans: for small files, for files of one name and for a worker without others
// the answer is always a report.
func TestNoOtherWorkerScans(t *testing.T) {
	big := large(t)
	for name, files := range map[string][]bridge.File{
		"small": {exampleFile(t, "crash.dmp"), exampleFile(t, "desk.sym")},
		"twice": {exampleFile(t, "crash.dmp"), big, big},
	} {
		v := newViewer()
		v.openFiles(&OpenRequest{Next: 1}, files)
		if r, err := v.report(1, &ReportRequest{Workers: 2}); err != nil || len(r.Opened) != 1 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// TestCrashingFirst asks for the crashing thread before the others: it is the same in both reports.
func TestCrashingFirst(t *testing.T) {
	v := newViewer()
	v.openFiles(&OpenRequest{Next: 1}, append(allSymbols(t), exampleFile(t, "crash.dmp")))
	first := ask(t, v, `{"op":"report","dump":1,"crashing":true,"workers":0}`).JSON
	whole := ask(t, v, `{"op":"report","dump":1,"crashing":false,"workers":0}`).JSON
	var a, b struct {
		Opened []struct {
			Report struct {
				CrashInfo struct {
					Thread int `json:"crashing_thread"`
				} `json:"crash_info"`
				Threads []json.RawMessage `json:"threads"`
				Verdict json.RawMessage   `json:"verdict"`
			}
		}
	}
	for data, into := range map[*[]byte]any{&first: &a, &whole: &b} {
		if err := json.Unmarshal(*data, into); err != nil {
			t.Fatal(err)
		}
	}
	x, y := a.Opened[0].Report, b.Opened[0].Report
	for i := range y.Threads {
		if same := bytes.Equal(x.Threads[i], y.Threads[i]); same != (i == y.CrashInfo.Thread) {
			t.Errorf("thread %d: the same is %v", i, same)
		}
	}
	if !bytes.Equal(x.Verdict, y.Verdict) {
		t.Errorf("first %s, then %s", x.Verdict, y.Verdict)
	}
}

// TestScanIsHandedOn has a worker scan a large file itself, because there is no other. The worker
// that replaces it gets the index.
func TestScanIsHandedOn(t *testing.T) {
	files := []bridge.File{exampleFile(t, "crash.dmp"), large(t)}
	first, next := newViewer(), newViewer()
	first.openFiles(&OpenRequest{Next: 1}, files)
	next.openFiles(&OpenRequest{Next: 1}, files)
	r, _ := first.report(1, &ReportRequest{Workers: 2})
	ask(t, first, `{"op":"index","key":"`+r.Scans[0].Key+`"}`) // none
	scanned, _ := first.report(1, &ReportRequest{Workers: 2})
	made := ask(t, first, `{"op":"scanned"}`)
	if want := `{"key":"` + r.Scans[0].Key + `"}`; string(made.JSON) != want || len(made.Bytes) == 0 {
		t.Fatalf("%s and %d bytes, want %s", made.JSON, len(made.Bytes), want)
	}
	if again := ask(t, first, `{"op":"scanned"}`); string(again.JSON) != `{"key":""}` || again.Bytes != nil {
		t.Errorf("then %s and %d bytes", again.JSON, len(again.Bytes))
	}
	ask(t, next, `{"op":"index","key":"`+r.Scans[0].Key+`"}`, file("index", made.Bytes))
	kept, _ := next.report(1, &ReportRequest{Workers: 2})
	if got, want := jsonOf(t, kept.Opened[0].Report), jsonOf(t, scanned.Opened[0].Report); got != want {
		t.Errorf("another report:\n%.2000s", got)
	}
	if left := ask(t, next, `{"op":"scanned"}`); string(left.JSON) != `{"key":""}` {
		t.Errorf("the next one scanned: %s", left.JSON)
	}
}

// TestPatience asks for the crashing thread with a clock that the test advances. A late answer is
// marked as late.
func TestPatience(t *testing.T) {
	now := time.Unix(0, 0)
	p := patience{now: func() time.Time { return now }}
	for _, tt := range []struct {
		name  string
		q     ReportRequest
		waits bool
	}{
		{name: "at once", q: ReportRequest{Crashing: true, Workers: 2}, waits: true},
		{name: "in time", q: ReportRequest{Crashing: true, Workers: 2, Patience: 250}},
		{name: "all threads", q: ReportRequest{Workers: 2}},
		{name: "no crashing thread", q: ReportRequest{Crashing: true}},
	} {
		p.begin(&tt.q)
		now = now.Add(100 * time.Millisecond)
		err := p.beforeRead()
		if waits := p.end(); waits != tt.waits || (err != nil) != tt.waits {
			t.Errorf("%s: waits %v, %v", tt.name, waits, err)
		}
	}
}
