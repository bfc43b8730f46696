package analyze_test

import (
	"bytes"
	"compress/gzip"
	"crashglass/core/testkit/symbolsource"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/symbols/formats/breakpad"
)

// A handler ran on the interrupted stack. The walk passes the trampoline, which is recognized by
// its code because libc's symbols do not name it, and continues to the crash and to _start, as
// LLDB's does.
func TestSignalHandlerOnTheNormalStack(t *testing.T) {
	const dir = "testdata/handler"
	s, err := analyze.Open(gunzip(t, filepath.Join(dir, "handler.dmp.gz")))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Report(symbolFolder(t, filepath.Join(dir, "symbols")), analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"__pthread_kill_implementation context",
		"__GI_raise CFI", "__GI_abort CFI",
		"give_up CFI", "give_up CFI", "give_up CFI", "on_fault CFI",
		"? CFI", // the trampoline
		"touch signal frame", "work CFI", "main CFI",
		"__libc_start_call_main CFI", "__libc_start_main_alias_2 CFI", "_start CFI",
	}
	thread := r.Threads[*r.CrashInfo.CrashingThread]
	for i, f := range thread.Frames {
		name := "?"
		if f.Function != nil {
			name = *f.Function
		}
		if got := name + " " + string(f.FoundBy); i >= len(want) || got != want[i] {
			t.Errorf("frame %d is %s, want %v", i, got, want[min(i, len(want)):])
			break
		}
	}
	if len(thread.Frames) != len(want) || !thread.End.Complete {
		t.Errorf("%d frames, end %+v", len(thread.Frames), thread.End)
	}
}

func gunzip(t *testing.T, file string) bin.Source {
	t.Helper()
	packed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}

// symbolFolder reads the files of a folder in Breakpad's layout.
func symbolFolder(t *testing.T, dir string) analyze.Symbols {
	return analyze.SymbolsFunc(func(m *module.Module) (analyze.Source, report.Symbols) {
		name := module.Basename(m.DebugFile)
		data, err := os.ReadFile(filepath.Join(dir, name, m.DebugID, name+".sym"))
		if err != nil {
			return nil, report.Symbols{State: "missing"}
		}
		f, err := breakpad.Open(bin.NewSource(bytes.NewReader(data), int64(len(data))), breakpad.Options{})
		if err != nil {
			t.Error(fmt.Errorf("%s: %w", name, err))
			return nil, report.Symbols{State: "damaged"}
		}
		return symbolsource.Bare{Source: f}, report.Symbols{State: "matched"}
	})
}
