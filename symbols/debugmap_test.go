package symbols

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"crashglass/core/process/module"
	"crashglass/core/testkit/sample"
)

const debugMap = "formats/macho/testdata/debugmap/"

// mappedFunctions is what the object files know of a program: the same records as of the dSYM that dsymutil 19 makes.
// The function "dropped" is not linked.
const mappedFunctions = `FILE 0 /src/f.c
INLINE_ORIGIN 0 thrice
FUNC 330 20 0 f
INLINE 0 12 0 0 336 f
330 6 7 0
336 f 4 0
345 b 12 0
FILE 1 /src/main.c
FUNC 350 37 0 main
350 c 7 1
35c 2b 8 1
FUNC 390 29 0 helper
390 6 3 1
396 23 4 1
FILE 2 /src/dropped.c
FUNC 3c0 9 0 print
3c0 4 1 2
3c4 5 2 2
FILE 3 /src/library.c
FUNC 3d0 1e 0 twice
3d0 8 3 3
3d8 16 4 3
`

// addMapped adds files of the debug map's folder, under other names where one follows a colon.
func addMapped(t *testing.T, files ...string) *Store {
	t.Helper()
	s := NewStore(Options{})
	for _, f := range files {
		file, name, renamed := strings.Cut(f, ":")
		data, err := os.ReadFile(debugMap + file)
		if err != nil {
			t.Fatal(err)
		}
		if !renamed {
			name = file
		}
		for _, item := range s.Add(name, source(string(data))) {
			if item.Use != IsSymbols {
				t.Fatalf("%s: %s", f, item.Message)
			}
		}
	}
	return s
}

// TestDebugMap writes the symbols of a program whose DWARF is in object files.
func TestDebugMap(t *testing.T) {
	for _, tt := range []struct {
		name    string
		files   []string
		want    string // records among those of functions
		missing string
	}{
		{"all, in any order", []string{"liblibrary.a", "main.o", "program", "dropped.o", "f.o"}, mappedFunctions, ""},
		{"elsewhere", []string{"program", "main.o:new/main.o", "liblibrary.a:new/liblibrary.a", "f.o:new/f.o", "dropped.o:new/dropped.o"}, mappedFunctions, ""},
		{"one of another build", []string{"program", "main.o", "other.o:f.o"}, "FUNC 350 37 0 main\n", "lacks the debug information of f.o, dropped.o, liblibrary.a(library.o)"},
		{"the right one of two", []string{"program", "other.o:a/f.o", "f.o"}, "FUNC 330 20 0 f\n", "lacks the debug information of main.o"},
		{"none", []string{"program"}, "PUBLIC 330 0 f\nPUBLIC 350 0 main\n", ""},
		{"of another program", []string{"program", "other.o"}, "PUBLIC 330 0 f\n", ""},
	} {
		s := addMapped(t, tt.files...)
		mods := s.Modules()
		if len(mods) != 1 {
			t.Fatalf("%s: modules %+v", tt.name, mods)
		}
		var out strings.Builder
		if err := s.Export(&out, &mods[0]); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if flaws := strings.Join(s.Flaws(&mods[0]), "; "); !strings.Contains(out.String(), tt.want) || (flaws != "") != (tt.missing != "") || !strings.Contains(flaws, tt.missing) {
			t.Errorf("%s: flaws %q, symbols:\n%s", tt.name, flaws, out.String())
		}
	}
}

// TestLocateByDebugMap asks for single addresses, as a walk does.
func TestLocateByDebugMap(t *testing.T) {
	s := addMapped(t, "program", "f.o", "main.o", "dropped.o")
	m := s.Modules()[0]
	src, _ := s.For(&m)
	if src == nil {
		t.Fatal("no symbols")
	}
	loc, ok := src.Locate(0x340)
	if !ok || loc.Function != "f" || loc.Start != 0x330 || loc.Size != 0x20 || loc.Line != 12 || loc.LineStart != 0x339 || len(loc.Inlines) != 1 || loc.Inlines[0].Line != 4 {
		t.Errorf("inside of an inlined call: %+v, %v", loc, ok)
	}
	if fn, ok := src.Function(0x3c4); !ok || fn.Name != "print" || fn.Start != 0x3c0 || fn.Public {
		t.Errorf("in the third object file: %+v, %v", fn, ok)
	}
	if loc, ok := src.Locate(0x3d0); !ok || loc.Function != "twice" || !loc.Public {
		t.Errorf("in one that is missing: %+v, %v", loc, ok)
	}
	if loc, ok := src.Locate(0x3cf); ok && !loc.Public && loc.Function != "print" {
		t.Errorf("behind a function: %+v, %v", loc, ok)
	}
}

// TestDamagedDebugMap damages a program and its object files. Nothing panics, and no function is outside of the program.
func TestDamagedDebugMap(t *testing.T) {
	var intact [][]byte
	names := []string{"program", "f.o", "main.o", "liblibrary.a"}
	for _, name := range names {
		data, err := os.ReadFile(debugMap + name)
		if err != nil {
			t.Fatal(err)
		}
		intact = append(intact, data)
	}
	for seed := range uint64(sample.Of(400)) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		s := NewStore(Options{})
		for i, data := range intact {
			data = slices.Clone(data)
			for range rnd.IntN(4) {
				data[rnd.IntN(len(data))] = byte(rnd.Uint32())
			}
			if rnd.IntN(8) == 0 {
				data = data[:rnd.IntN(len(data))]
			}
			s.Add(names[i], source(string(data)))
		}
		for _, m := range s.Modules() {
			src, _ := s.For(&module.Module{DebugID: m.DebugID, CodeID: m.CodeID, DebugFile: m.DebugFile, Arch: m.Arch})
			if src == nil {
				continue
			}
			for rel := uint64(0); rel < 0x1000; rel += 0x10 {
				if fn, ok := src.Function(rel); ok && (fn.Start > rel || fn.Size > 1<<32) {
					t.Fatalf("seed %d: %#x is in %+v", seed, rel, fn)
				}
			}
			if u, ok := src.(*union); ok {
				for _, f := range u.files {
					if b := f.bug.Load(); b != nil {
						t.Fatalf("seed %d: %v", seed, b)
					}
				}
			}
		}
	}
}
