package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/symbols"
	"crashglass/symbols/archives/archive"
	"crashglass/symbols/archives/decompress"
	"crashglass/symbols/formats"
)

// Reports of all dumps are the same when symbol files are searched and when they are scanned, for
// files of any size.
func TestSearchedReports(t *testing.T) {
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
		frames += compareSearched(t, &s)
	}
	if t.Logf("%d frames", frames); frames < 500 {
		t.Errorf("only %d frames", frames)
	}
}

// compareSearched makes the report of a dump with symbols that are searched, and
// again when they were scanned.
func compareSearched(t *testing.T, s *sample) (frames int) {
	data, err := os.ReadFile(s.dump)
	if err != nil {
		t.Fatal(err)
	}
	sessions, err := analyze.OpenAll(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		return 0 // a file that must not be read
	}
	store := symbols.NewStore(symbols.Options{SearchFrom: 1, Limits: archive.Limits{Decompressors: decompress.All()}})
	defer store.Close()
	for _, dir := range s.symbols {
		store.AddFS("", os.DirFS(dir))
	}
	var searched, scanned bytes.Buffer
	for _, session := range sessions {
		frames += writeReport(t, session, store, &searched)
	}
	differ, err := store.Verify()
	if err != nil || len(differ) > 0 {
		t.Errorf("%s: %+v, %v", s.name, differ, err)
	}
	for _, session := range sessions {
		writeReport(t, session, store, &scanned)
	}
	if !bytes.Equal(searched.Bytes(), scanned.Bytes()) {
		t.Errorf("%s: searched, the report is\n%s\nand scanned\n%s", s.name, searched.Bytes(), scanned.Bytes())
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

// later is a cache whose indexes are all still being made.
type later struct{}

func (later) Get(_, _ string) (bin.Source, error) { return bin.Source{}, formats.ErrPending }
func (later) Put(string, func() []byte)           {}

// TestSettledWhileSearched walks with symbol files that may not be scanned yet. The shown part of the
// crashing thread is the beginning of its final stack.
func TestSettledWhileSearched(t *testing.T) {
	frames, more := 0, 0
	for _, s := range samples(t) {
		data, err := os.ReadFile(s.dump)
		if err != nil {
			t.Fatal(err)
		}
		session, err := analyze.Open(bin.NewSource(bytes.NewReader(data), int64(len(data))))
		if err != nil {
			continue
		}
		whole, now := symbols.NewStore(symbols.Options{}), symbols.NewStore(symbols.Options{SearchFrom: 1, Cache: later{}})
		for _, dir := range s.symbols {
			whole.AddFS("", os.DirFS(dir))
			now.AddFS("", os.DirFS(dir))
		}
		thread := crashingThread(t, session, now)
		frames += len(thread.Frames)
		if compareSettled(t, s.name, crashingThread(t, session, whole), thread) {
			more++
		}
		whole.Close()
		now.Close()
	}
	if t.Logf("%d frames, and more to come in %d stacks", frames, more); frames < 100 || more == 0 {
		t.Errorf("%d frames, and more to come in %d stacks", frames, more)
	}
}
