package main

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/sanitize"
	"crashglass/symbols"
	"crashglass/symbols/share/capsule"
	"crashglass/symbols/share/slice"
)

// changedStacks are dumps with a stack that sanitizing changes, and says so: the return address of a
// smashed stack is a text, and so is a register that another dump restores from its stack.
var changedStacks = map[string]bool{"linux_stacksmash": true, "x86-win-11": true}

// TestSharedFiles walks every dump of the corpora with the files that would be shared: the dump with
// its slices, and the sanitized dump with its slices, as in a capsule. The stacks equal those with
// complete symbols.
func TestSharedFiles(t *testing.T) {
	dumps, largest := 0, 0
	for _, s := range slices.Concat(samples(t), vectors(t)) {
		data, err := os.ReadFile(s.dump)
		if err != nil {
			t.Fatal(err)
		}
		store := symbols.NewStore(symbols.Options{})
		for _, path := range s.symbols {
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				store.AddFS("", os.DirFS(path))
			}
		}
		sessions, err := analyze.OpenAll(source(data))
		if err != nil {
			continue // other files are not shared
		}
		dumps++
		files, r, err := capsule.Symbols(sessions[0], store, slice.AllNames, nil)
		if err != nil {
			t.Fatal(err)
		}
		same(t, s.name+", slices", slice.Stacks(r, true, nil), data, files)
		clean, err := sanitize.Clean(sessions[0], store, sanitize.Options{})
		if err != nil {
			t.Fatal(err)
		}
		files, _, err = new(capsule.Capsule).SymbolsOf(clean.Data, store, slice.AllNames)
		if err != nil {
			t.Fatal(err)
		}
		if (len(clean.Changed) > 0) != changedStacks[s.name] {
			t.Errorf("%s: sanitizing changes %q", s.name, clean.Changed)
		} else if len(clean.Changed) == 0 {
			same(t, s.name+", capsule", slice.Stacks(r, true, nil), clean.Data, files)
		}
		size := len(clean.Data)
		for _, f := range files {
			size += len(f.Data)
		}
		largest = max(largest, size)
		store.Close()
	}
	t.Logf("%d dumps; the most that a capsule adds to the viewer is %d bytes before compression", dumps, largest)
}

func source(data []byte) bin.Source {
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}

// same walks a dump with only the given files.
func same(t *testing.T, name string, want []string, dump []byte, files []capsule.File) {
	t.Helper()
	sessions, err := analyze.OpenAll(source(dump))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	alone := symbols.NewStore(symbols.Options{})
	defer alone.Close()
	for _, f := range files {
		alone.Add(f.Name, source(f.Data))
	}
	r, err := sessions[0].Report(alone, analyze.Options{})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	got := slice.Stacks(r, true, nil)
	if len(got) != len(want) {
		t.Errorf("%s: %d threads, want %d", name, len(got), len(want))
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: thread %d is\n%.300s\nwant\n%.300s", name, i, got[i], want[i])
		}
	}
}
