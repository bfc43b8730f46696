package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/bin"
	"crashglass/symbols"
	"crashglass/symbols/archive"
	"crashglass/symbols/decompress"
)

// Reports of all dumps are the same when symbol files are asked and when they
// are scanned, whatever their size is.
func TestAskedReports(t *testing.T) {
	all := append(samples(t), vectors(t)...)
	dumps, _ := filepath.Glob(filepath.Join(corpus, "field", "dumps", "*"))
	for _, dump := range dumps {
		all = append(all, sample{name: "field/" + filepath.Base(dump), dump: dump, symbols: []string{filepath.Join(corpus, "field", "symbols")}})
	}
	frames := 0
	for i, s := range all {
		if testing.Short() && i%4 != 0 {
			continue
		}
		frames += compareAsked(t, &s)
	}
	if t.Logf("%d frames", frames); frames < 500 {
		t.Errorf("only %d frames", frames)
	}
}

// compareAsked makes the report of a dump with symbols that are asked, and
// again when they were scanned.
func compareAsked(t *testing.T, s *sample) (frames int) {
	data, err := os.ReadFile(s.dump)
	if err != nil {
		t.Fatal(err)
	}
	sessions, err := analyze.OpenAll(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		return 0 // one that is not to be read
	}
	store := symbols.NewStore(symbols.Options{Ask: 1, Limits: archive.Limits{Decompressors: decompress.All()}})
	defer store.Close()
	for _, dir := range s.symbols {
		store.AddFS("", os.DirFS(dir))
	}
	var asked, scanned bytes.Buffer
	for _, session := range sessions {
		frames += writeReport(t, session, store, &asked)
	}
	differ, err := store.Verify()
	if err != nil || len(differ) > 0 {
		t.Errorf("%s: %+v, %v", s.name, differ, err)
	}
	for _, session := range sessions {
		writeReport(t, session, store, &scanned)
	}
	if !bytes.Equal(asked.Bytes(), scanned.Bytes()) {
		t.Errorf("%s: asked, the report is\n%s\nand scanned\n%s", s.name, asked.Bytes(), scanned.Bytes())
	}
	return frames
}

func writeReport(t *testing.T, session *analyze.Session, store *symbols.Store, out *bytes.Buffer) (frames int) {
	r, err := session.Report(store, analyze.Options{Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	out.Write(text)
	for _, thread := range r.Threads {
		frames += len(thread.Frames)
	}
	return frames
}
