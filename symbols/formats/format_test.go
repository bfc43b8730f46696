package formats

import (
	"bytes"
	"os"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/symbols/formats/sniff"
)

// TestAll opens a file of each kind that tests have: what is known before it is
// open, and what it brings then.
func TestAll(t *testing.T) {
	program := Has{Functions: true, Publics: true, Lines: true, Inlines: true, Variables: true, Frames: true, Code: true}
	for _, tt := range []struct {
		name   string
		kind   sniff.Kind
		split  bool
		brings Has
	}{
		{name: "dwz.elf", kind: sniff.ELF, brings: program},
		{name: "split-one.dwo", kind: sniff.ELF, split: true, brings: Has{}},
	} {
		src := open(t, "../testdata/"+tt.name)
		builds, err := All.Identify(tt.kind, src)
		if err != nil || len(builds) != 1 || builds[0].Split != tt.split {
			t.Fatalf("%s: %+v, %v", tt.name, builds, err)
		}
		r, err := All.Open(tt.kind, src, builds[0], Options{Name: tt.name})
		if err != nil {
			t.Fatal(err)
		}
		if c := r.Contents(); c.Has != tt.brings || c.Bytes != src.Size() {
			t.Errorf("%s: %+v, want %+v", tt.name, c, tt.brings)
		}
		if !All.Native(tt.kind) || All[tt.kind].System != "Linux" || r.Capabilities().FinalNames {
			t.Errorf("%s: native %v, system %q", tt.name, All.Native(tt.kind), All[tt.kind].System)
		}
	}
}

// A symbol file is known by its beginning, and its names stay as they are.
func TestBreakpad(t *testing.T) {
	const text = "MODULE Linux x86_64 000102030405060708090A0B0C0D0E0F0 app\nFUNC 10 10 0 main()\n10 10 1 0\nPUBLIC 40 0 _Zend\n"
	src := inMemory([]byte(text))
	builds, err := All.Identify(sniff.Breakpad, inMemory([]byte(text[:60])))
	if err != nil || len(builds) != 1 || builds[0] != (Build{ID: "000102030405060708090A0B0C0D0E0F0", Name: "app", Arch: "x86_64"}) {
		t.Fatalf("%+v, %v", builds, err)
	}
	r, err := All.Open(sniff.Breakpad, src, builds[0], Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Contents(); c.Has != (Has{Functions: true, Publics: true, Lines: true}) || !r.Capabilities().FinalNames || All.Native(sniff.Breakpad) {
		t.Errorf("%+v", c)
	}
	if r.Capabilities().Links != nil {
		t.Error("a symbol file has no parts")
	}
}

// What no format knows answers for no module.
func TestHas(t *testing.T) {
	for kind, want := range map[sniff.Kind]bool{sniff.PDB: true, sniff.MachO: true, sniff.Breakpad: true, sniff.Text: false, sniff.Minidump: false} {
		if All.Has(kind) != want || All.Native(kind) != (want && kind != sniff.Breakpad) {
			t.Errorf("%s: %v, native %v", kind, All.Has(kind), All.Native(kind))
		}
	}
}

func open(t *testing.T, name string) bin.Source {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return inMemory(data)
}

func inMemory(data []byte) bin.Source {
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}
