package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/symbols"
)

// waiting are symbols that are still being read for some modules.
type waiting struct {
	analyze.Symbols
	modules map[string]bool
}

func (w waiting) For(m *module.Module) (analyze.Source, report.Symbols) {
	if w.modules[m.Name()] {
		return nil, report.Symbols{State: report.SymbolsReading}
	}
	return w.Symbols.For(m)
}

// TestSettledFrames walks while symbols are still being read: those of each single module on the
// stack, and those of all. The part of the crashing thread that is shown meanwhile is the beginning
// of its final stack.
func TestSettledFrames(t *testing.T) {
	real := filepath.Join(corpus, "real")
	dumps, _ := filepath.Glob(filepath.Join(real, "dumps", "*.dmp"))
	if len(dumps) == 0 {
		t.Skip("the corpus is not at " + corpus)
	}
	store := symbols.NewStore(symbols.Options{})
	defer store.Close()
	store.AddFS("symbols", os.DirFS(filepath.Join(real, "symbols")))
	cut := 0
	for _, path := range dumps {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := analyze.Open(bin.NewSource(bytes.NewReader(data), int64(len(data))))
		if err != nil {
			t.Fatal(err)
		}
		whole := crashingThread(t, s, store)
		all := map[string]bool{}
		for i := range whole.Frames {
			if m := whole.Frames[i].Module; m != nil {
				all[*m] = true
				if compareSettled(t, filepath.Base(path), whole, crashingThread(t, s, waiting{store, map[string]bool{*m: true}})) {
					cut++
				}
			}
		}
		if len(all) > 0 && !compareSettled(t, filepath.Base(path), whole, crashingThread(t, s, waiting{store, all})) {
			t.Errorf("%s: symbols of all modules are being read, and the stack says nothing of it", path)
		}
	}
	if cut == 0 {
		t.Error("no stack waits for anything")
	}
}

func crashingThread(t *testing.T, s *analyze.Session, syms analyze.Symbols) report.Thread {
	t.Helper()
	r, err := s.Report(syms, analyze.Options{Threads: analyze.Crashing()})
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	if r.CrashInfo.CrashingThread != nil {
		i = *r.CrashInfo.CrashingThread
	}
	if i >= len(r.Threads) {
		return report.Thread{}
	}
	return r.Threads[i]
}

// compareSettled reports whether the stack is incomplete.
func compareSettled(t *testing.T, name string, whole, now report.Thread) bool {
	t.Helper()
	if len(now.Frames) == 0 != (len(whole.Frames) == 0) || len(now.Frames) > len(whole.Frames) {
		t.Errorf("%s: %d frames of %d", name, len(now.Frames), len(whole.Frames))
		return false
	}
	for i := range now.Frames {
		if n, w := &now.Frames[i], &whole.Frames[i]; n.Offset != w.Offset || n.Trust != w.Trust || n.Function != nil && *n.Function != *w.Function {
			t.Errorf("%s: frame %d is %s by %s, and %s by %s later", name, i, n.Offset, n.Trust, w.Offset, w.Trust)
		}
	}
	return now.End.Kind == report.SymbolsAwaited
}
