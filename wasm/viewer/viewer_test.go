package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"crashglass/core/report"
	"crashglass/wasm/internal/bridge"
)

const example = "../../web/example/"

// file makes a bridge.File of bytes in memory.
func file(path string, data []byte) bridge.File {
	fetch := func(p []byte, off int64) error { copy(p, data[off:]); return nil }
	return bridge.File{Path: path, Pages: bridge.NewPages(int64(len(data)), bridge.NewCache(1<<20), fetch)}
}

func exampleFile(t *testing.T, name string) bridge.File {
	t.Helper()
	data, err := os.ReadFile(example + name)
	if err != nil {
		t.Fatal(err)
	}
	return file(name, data)
}

// An added holds the answers to all requests that the page sends when files come.
type added struct {
	Files           []FileResult
	Opened, Updated []Opened
}

// add gives files to a viewer and asks for the reports of all dumps that they change, as the page
// does, without other workers.
func add(t *testing.T, v *viewer, request OpenRequest, files ...bridge.File) (result added) {
	t.Helper()
	taken := v.openFiles(&request, files)
	result.Files = taken.Files
	for _, d := range taken.Opened {
		result.Opened = append(result.Opened, reportOf(t, v, d.Dump, 0)...)
	}
	for _, number := range taken.Again {
		result.Updated = append(result.Updated, reportOf(t, v, number, 0)...)
	}
	return result
}

func reportOf(t *testing.T, v *viewer, number, workers int) []Opened {
	t.Helper()
	result, err := v.report(number, &ReportRequest{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	if workers == 0 && (len(result.Opened) != 1 || len(result.Scans) != 0) {
		t.Fatalf("alone: %d reports, %d files to scan", len(result.Opened), len(result.Scans))
	}
	return result.Opened
}

// serve answers a request about an open dump.
func serve[Q, R any](v *viewer, number int, h func(*call, *Q) (R, error), q *Q) (result R, err error) {
	d, err := v.opened(number)
	if err != nil {
		return result, err
	}
	return h(&call{viewer: v, dump: d}, q)
}

func (v *viewer) report(number int, q *ReportRequest) (*ReportResult, error) {
	return serve(v, number, (*call).report, q)
}

func (v *viewer) openFiles(q *OpenRequest, files []bridge.File) *OpenResult {
	result, _ := (&call{viewer: v, files: files}).openFiles(q)
	return result
}

// ask sends a request and returns the answer.
func ask(t *testing.T, v *viewer, request string, files ...bridge.File) bridge.Answer {
	t.Helper()
	answer, err := v.handle(bridge.Request{JSON: []byte(request), Files: files, Progress: func([]byte) error { return nil }})
	if err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	return answer
}

var symbolFiles = []string{"desk.sym", "libc.sym", "libstdcpp.sym"}

func allSymbols(t *testing.T) (files []bridge.File) {
	for _, name := range symbolFiles {
		files = append(files, exampleFile(t, name))
	}
	return files
}

// calls lists function, file and line of a stack, inlined calls included.
func calls(thread report.Thread) (list []string) {
	add := func(function, file *string, line *uint32) {
		text := "?"
		if function != nil {
			text, _, _ = strings.Cut(*function, "(")
		}
		if file != nil && line != nil {
			text += " " + (*file)[strings.LastIndexByte(*file, '/')+1:]
		}
		list = append(list, text)
	}
	for _, f := range thread.Frames {
		for _, in := range f.Inlines {
			add(in.Function, in.File, in.Line)
		}
		add(f.Function, f.File, f.Line)
	}
	return list
}

func crashing(t *testing.T, r *report.Report) report.Thread {
	t.Helper()
	if r == nil || r.CrashingThread == nil {
		t.Fatal("the report has no crashing thread")
	}
	return r.Threads[r.CrashingThread.Index]
}

// The example has the same report in whatever order its files come.
func TestExampleInAnyOrder(t *testing.T) {
	wantTop := []string{"desk::available crash.cpp", "desk::find crash.cpp", "desk::serve crash.cpp", "desk::clerk crash.cpp"}
	wantEnd := []string{"start_thread pthread_create.c", "__clone3 clone3.S"}
	check := func(r *report.Report, how string) {
		got := calls(crashing(t, r))
		if len(got) < 6 || !slices.Equal(got[:4], wantTop) || !slices.Equal(got[len(got)-2:], wantEnd) {
			t.Errorf("%s: %q", how, got)
		}
	}

	together := add(t, newViewer(), OpenRequest{Next: 1}, append(allSymbols(t), exampleFile(t, "crash.dmp"))...)
	if len(together.Opened) != 1 || len(together.Updated) != 0 || len(together.Files) != 4 {
		t.Fatalf("together: %d opened, %d updated, %d files", len(together.Opened), len(together.Updated), len(together.Files))
	}
	check(together.Opened[0].Report, "together")

	v := newViewer()
	first := add(t, v, OpenRequest{Next: 1}, exampleFile(t, "crash.dmp"))
	if got := calls(crashing(t, first.Opened[0].Report)); got[0] != "?" {
		t.Errorf("without symbols the crash is in %s", got[0])
	}
	second := add(t, v, OpenRequest{Next: 2}, allSymbols(t)...)
	if len(second.Opened) != 0 || len(second.Updated) != 1 || second.Updated[0].Dump != 1 || second.Updated[0].Name != "crash.dmp" {
		t.Fatalf("symbols after: %+v", second)
	}
	check(second.Updated[0].Report, "symbols after")

	v = newViewer()
	add(t, v, OpenRequest{Next: 1}, allSymbols(t)...)
	third := add(t, v, OpenRequest{Next: 1}, exampleFile(t, "crash.dmp"))
	check(third.Opened[0].Report, "symbols before")
}

func TestFilesAreNamedForWhatTheyAre(t *testing.T) {
	result := add(t, newViewer(), OpenRequest{Next: 1},
		file("empty", nil), file("notes.txt", []byte("hello, this is text\n")), exampleFile(t, "crash.cpp"),
		file("cut.dmp", []byte("MDMP\x93\xa7\x00\x00\x10\x00\x00\x00")), exampleFile(t, "libc.sym"))
	var got []string
	for _, f := range result.Files {
		message := "-"
		if f.Message != nil {
			message = *f.Message
		}
		got = append(got, f.Name+": "+string(f.Kind)+": "+message)
	}
	want := []string{
		"empty: other: this is an empty file",
		"notes.txt: other: this is a text file, not a dump",
		"crash.cpp: other: this is a text file, not a dump",
		"libc.sym: symbols: -",
		"cut.dmp: dump: minidump: header at 0xc: need 4 bytes, have 0",
	}
	for i := range min(len(got), len(want)) {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("file %d: %q, want %q", i, got[i], want[i])
		}
	}
	if len(got) != len(want) || len(result.Opened) != 0 {
		t.Errorf("%q; %d opened", got, len(result.Opened))
	}
}

// Files that are given again open the known dumps under their old numbers, and no others: two files of
// one name are told apart by their contents, wherever they are in the list.
func TestNumbersSurviveTheWorker(t *testing.T) {
	dump := exampleFile(t, "crash.dmp")
	data, err := os.ReadFile(example + "crash.dmp")
	if err != nil {
		t.Fatal(err)
	}
	longer := file("crash.dmp", append(data, 0))
	other := dump
	other.Path = "other.dmp"
	first := newViewer().openFiles(&OpenRequest{Next: 4}, []bridge.File{dump, longer, other}).Opened
	if len(first) != 3 || first[0].Dump != 4 || first[1].Dump != 5 || first[2].Dump != 6 {
		t.Fatalf("at first %+v", first)
	}
	gone := KnownDump{Dump: 3, Identity: "gone.dmp"}
	for _, test := range []struct {
		files []bridge.File
		known []KnownDump
	}{
		{[]bridge.File{dump, longer, other}, first},
		{[]bridge.File{other, longer, dump}, []KnownDump{first[2], first[1], first[0]}},
		{[]bridge.File{dump, longer, other}, []KnownDump{gone, first[1]}},
		{[]bridge.File{longer}, []KnownDump{first[0], first[1]}},
		{[]bridge.File{dump, longer, other}, nil},
	} {
		var want []KnownDump
		for _, k := range test.known {
			if k != gone && (len(test.files) > 1 || k == first[1]) {
				want = append(want, k)
			}
		}
		v := newViewer()
		got := v.openFiles(&OpenRequest{Next: 9, Known: test.known, Restores: true}, test.files).Opened
		if len(got) != len(want) || len(v.dumps) != len(want) || len(got) > 0 && !slices.Equal(got, want) {
			t.Errorf("opened again %+v, want %+v", got, want)
		}
	}
}

// A number names one dump.
func TestNumbersAreUnique(t *testing.T) {
	v := newViewer()
	add(t, v, OpenRequest{Next: 1}, exampleFile(t, "crash.dmp"))
	result := v.openFiles(&OpenRequest{Next: 1}, []bridge.File{exampleFile(t, "crash.dmp")})
	if len(result.Opened) != 0 || len(v.dumps) != 1 || result.Files[0].Message == nil || *result.Files[0].Message != "viewer: dump 1 is open already" {
		t.Errorf("%+v, %d open", result, len(v.dumps))
	}
}

// Each answer about a dump says which, and no other answer does.
func TestAnswersSayWhatTheyAreAbout(t *testing.T) {
	v, _ := openWithSymbols(t)
	other := exampleFile(t, "crash.dmp")
	other.Path = "other.dmp"
	opened := v.openFiles(&OpenRequest{Next: 2}, []bridge.File{other}).Opened
	for _, op := range []string{
		"report", "explain", "variables", "globals", "render", "memory", "disassemble", "pointers", "captured", "find",
		"checklist", "sanitize", "capsule", "fields", "file", "force", "syms",
	} {
		answer, _ := v.handle(bridge.Request{JSON: []byte(`{"op":"` + op + `","dump":2}`), Progress: func([]byte) error { return nil }})
		if answer.About != opened[0].Identity {
			t.Errorf("%s is about %q, want %q", op, answer.About, opened[0].Identity)
		}
	}
	for _, request := range []string{`{"op":"symbolFiles"}`, `{"op":"warm"}`, `{"op":"scanned"}`, `{"op":"syms","dump":-1,"module":0}`, `{"op":"report","dump":3}`, `{"op":"close"}`} {
		if answer, _ := v.handle(bridge.Request{JSON: []byte(request)}); answer.About != "" {
			t.Errorf("%s is about %q", request, answer.About)
		}
	}
}

func TestQuestions(t *testing.T) {
	v := newViewer()
	result := add(t, v, OpenRequest{Next: 3}, append(allSymbols(t), exampleFile(t, "crash.dmp"))...)
	r := result.Opened[0].Report
	index := r.CrashingThread.Index

	thread, err := serve(v, 3, (*call).explain, &ExplainRequest{Thread: index})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(calls(*thread), calls(r.Threads[index])) || len(thread.Frames[1].Evidence) == 0 || thread.End.Reason == "" {
		t.Errorf("explained: %q with %d steps, %+v", calls(*thread), len(thread.Frames[1].Evidence), thread.End)
	}

	for _, format := range []string{"text", "machine", "markdown", "json"} {
		if text := ask(t, v, `{"op":"render","dump":3,"format":"`+format+`"}`).Bytes; !bytes.Contains(text, []byte("desk::serve")) {
			t.Errorf("%s does not name desk::serve", format)
		}
	}

	stack := thread.Stack
	if got := ask(t, v, `{"op":"memory","dump":3,"address":"`+string(stack.Base)+`","size":64}`).Bytes; len(got) != 64 {
		t.Errorf("%d bytes of the stack at %s", len(got), stack.Base)
	}
	if got := ask(t, v, `{"op":"memory","dump":3,"address":"0x10","size":64}`).Bytes; got != nil {
		t.Errorf("%d bytes at 0x10", len(got))
	}

	if got := string(ask(t, v, `{"op":"captured","dump":3}`).JSON); !strings.Contains(got, string(stack.Base)) {
		t.Errorf("captured: %s, without the stack at %s", got, stack.Base)
	}
	word := hex.EncodeToString(ask(t, v, `{"op":"memory","dump":3,"address":"`+string(stack.Base)+`","size":16}`).Bytes)
	if got := string(ask(t, v, `{"op":"find","dump":3,"pattern":"`+word+`","from":"0x0"}`).JSON); !strings.Contains(got, string(stack.Base)) {
		t.Errorf("%s is found at %s, not at %s", word, got, stack.Base)
	}

	crashed := r.Threads[index].Frames[0].Offset
	code := string(ask(t, v, `{"op":"disassemble","dump":3,"address":"`+string(crashed)+`","before":8,"after":8}`).JSON)
	if !strings.Contains(code, `"address":"`+string(crashed)+`"`) || !strings.Contains(code, "desk.cpp") && !strings.Contains(code, "crash.cpp") {
		t.Errorf("the code at %s: %.600s", crashed, code)
	}
}

// The answer has the field names that the page reads, and none of its lists is null.
func TestAnswerAsJSON(t *testing.T) {
	v := newViewer()
	answer := ask(t, v, `{"op":"open","next":1,"known":[]}`, file("a", nil), exampleFile(t, "crash.dmp"))
	identity := v.dumps[0].session.Hash() + " crash.dmp"
	if got, want := string(answer.JSON), `{"files":[{"name":"a","kind":"other","message":"this is an empty file","left":0},`+
		`{"name":"crash.dmp","kind":"dump","message":null,"left":0}],"opened":[{"dump":1,"identity":"`+identity+`"}],"again":[]}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	answer = ask(t, v, `{"op":"report","dump":1,"crashing":true,"workers":2}`)
	var got struct {
		Scans, Stale []json.RawMessage
		Opened       []struct {
			Dump   int
			Name   string
			Report map[string]any
		}
	}
	if err := json.Unmarshal(answer.JSON, &got); err != nil {
		t.Fatal(err)
	}
	if got.Scans == nil || got.Stale == nil || len(got.Opened) != 1 || got.Opened[0].Dump != 1 || got.Opened[0].Report["thread_count"] != 4.0 {
		t.Errorf("%.300s", answer.JSON)
	}
}

func TestQuestionsWithoutAnswers(t *testing.T) {
	v := newViewer()
	add(t, v, OpenRequest{Next: 1}, exampleFile(t, "crash.dmp"))
	v.openFiles(&OpenRequest{Next: 7}, []bridge.File{exampleFile(t, "crash.dmp")})
	for _, test := range []struct{ request, want string }{
		{`{"op":"explain","dump":2,"thread":0}`, "viewer: dump 2 is not open"},
		{`{"op":"explain","dump":1,"thread":99}`, "analyze: no thread 99: the dump has 4"},
		{`{"op":"render","dump":2,"format":"text"}`, "viewer: dump 2 is not open"},
		{`{"op":"render","dump":1,"format":"html5"}`, `viewer: no format "html5"`},
		{`{"op":"memory","dump":0,"address":"0x0","size":1}`, "viewer: dump 0 is not open"},
		{`{"op":"memory","dump":1,"address":"here","size":1}`, `viewer: "here" is no address`},
		{`{"op":"render","dump":7,"format":"text"}`, "viewer: dump 7 was not analysed"},
		{`{"op":"report","dump":2}`, "viewer: dump 2 is not open"},
		{`{"op":"scan","from":0,"to":1}`, "viewer: scan: want 1 file, have 0"},
		{`{"op":"disassemble","dump":0,"address":"0x0"}`, "viewer: dump 0 is not open"},
		{`{"op":"captured","dump":0}`, "viewer: dump 0 is not open"},
		{`{"op":"find","dump":0}`, "viewer: dump 0 is not open"},
		{`{"op":"find","dump":1,"from":""}`, `viewer: "" is no address`},
		{`{"op":"find","dump":1,"from":"0x0","pattern":"no"}`, `viewer: "no" is not hex`},
		{`{"op":"disassemble","dump":1,"address":"there"}`, `viewer: "there" is no address`},
	} {
		_, err := v.handle(bridge.Request{JSON: []byte(test.request)})
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.request, err, test.want)
		}
	}
}

func TestMeterIsNotTooEager(t *testing.T) {
	var sent []string
	now := time.Unix(0, 0)
	m := newMeter(func(json []byte) error { sent = append(sent, string(json)); return nil })
	m.now = func() time.Time { return now }
	for i := range 10 {
		if err := m.report(Progress{Phase: "indexing", File: "a", Done: int64(i), Total: 10}); err != nil {
			t.Fatal(err)
		}
		now = now.Add(20 * time.Millisecond)
	}
	want := []string{
		`{"phase":"indexing","file":"a","done":0,"total":10}`, `{"phase":"indexing","file":"a","done":3,"total":10}`,
		`{"phase":"indexing","file":"a","done":6,"total":10}`, `{"phase":"indexing","file":"a","done":9,"total":10}`,
	}
	if !slices.Equal(sent, want) {
		t.Errorf("sent %q", sent)
	}
	m.send = func([]byte) error { return errors.New("the page is gone") }
	now = now.Add(time.Second)
	if err := m.report(Progress{}); err == nil || err.Error() != "the page is gone" {
		t.Errorf("a page that is gone: %v", err)
	}
}
