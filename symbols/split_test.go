package symbols

import (
	"bytes"
	"encoding/binary"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/symbols/formats"
	"crashglass/symbols/formats/sniff"
)

// TestSplit gives a program and what was split off its DWARF, in both orders
// and one after the other: a function that was inlined is known only by both.
func TestSplit(t *testing.T) {
	for _, files := range [][]string{{"dwz.elf", "dwz.sup"}, {"split.elf", "split-one.dwo"}} {
		t.Run(files[0], func(t *testing.T) {
			for _, order := range [][]string{files, {files[1], files[0]}} {
				s := NewStore(Options{})
				for _, name := range order {
					s.Add(name, testdata(t, name))
					if name != order[1] && name == files[0] {
						m := s.Modules()[0]
						s.For(&m) // what comes later is used all the same
					}
				}
				checkInlined(t, s, programOf(s))
			}
		})
	}
}

// TestSplitInFolder finds what dwz made by its build id.
func TestSplitInFolder(t *testing.T) {
	read := func(name string) *fstest.MapFile {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return &fstest.MapFile{Data: data}
	}
	s := NewStore(Options{})
	s.Add("dwz.elf", testdata(t, "dwz.elf"))
	sup := NewStore(Options{})
	sup.Add("dwz.sup", testdata(t, "dwz.sup"))
	id := strings.ToLower(sup.Modules()[0].CodeID)
	s.AddFS("debug", fstest.MapFS{".build-id/" + id[:2] + "/" + id[2:] + ".debug": read("dwz.sup")})
	checkInlined(t, s, programOf(s))
}

// TestPackage gives a program and the package of its split units, whatever the package is called. A
// package of another build's units is no part of the program.
func TestPackage(t *testing.T) {
	for _, name := range []string{"split.dwp", "other.dwp", "symbols/5f1d", "x.dwp.debug", "app.DWP"} {
		s := NewStore(Options{})
		s.Add("split.elf", testdata(t, "split.elf"))
		s.Add(name, testdata(t, "split.dwp"))
		s.Add("wrong.dwp", otherPackage(t))
		checkInlined(t, s, programOf(s))
		if _, state := s.For(programOf(s)); !slices.Equal(state.Also, []string{name}) {
			t.Errorf("%s: also used were %q", name, state.Also)
		}
	}
}

// A package in a folder is found by its units, too.
func TestPackageInFolder(t *testing.T) {
	data, err := os.ReadFile("testdata/split.dwp")
	if err != nil {
		t.Fatal(err)
	}
	s := NewStore(Options{})
	s.Add("split.elf", testdata(t, "split.elf"))
	s.AddFS("debug", fstest.MapFS{"v1.2-release.dwp": &fstest.MapFile{Data: data}})
	checkInlined(t, s, programOf(s))
}

// A .dwo of another program is no part of this one.
func TestForeignSplit(t *testing.T) {
	s := NewStore(Options{})
	s.Add("split.elf", testdata(t, "split.elf"))
	s.Add("wrong.dwo", otherPackage(t))
	if _, state := s.For(programOf(s)); len(state.Also) != 0 {
		t.Errorf("also used were %q", state.Also)
	}
}

// otherPackage is the package with the ID of a unit that the program does not have.
func otherPackage(t *testing.T) bin.Source {
	t.Helper()
	data, err := os.ReadFile("testdata/split.dwp")
	if err != nil {
		t.Fatal(err)
	}
	own, err := formats.PartsOf(sniff.ELF, formats.Build{}, formats.Input{Source: testdata(t, "split.dwp")})
	if err != nil || len(own) != 1 {
		t.Fatalf("the units %x, %v", own, err)
	}
	id := func(id uint64) []byte { return binary.LittleEndian.AppendUint64(nil, id) }
	return source(string(bytes.ReplaceAll(data, id(own[0].ID), id(^own[0].ID))))
}

// TestEmbedded has a program with its split unit in itself.
func TestEmbedded(t *testing.T) {
	s := NewStore(Options{})
	s.Add("embedded.elf", testdata(t, "embedded.elf"))
	wantInlined(t, s, programOf(s), 0)
}

// programOf is the module of the file that is a program.
func programOf(s *Store) *module.Module {
	i := slices.IndexFunc(s.files, func(f *file) bool { return path.Ext(f.name) == ".elf" })
	m := s.files[i].module()
	return &m
}

func checkInlined(t *testing.T, s *Store, m *module.Module) {
	t.Helper()
	wantInlined(t, s, m, 1)
}

// wantInlined finds an inlined call in a program with so many parts.
func wantInlined(t *testing.T, s *Store, m *module.Module, parts int) {
	t.Helper()
	source, state := s.For(m)
	if source == nil || len(state.Also) != parts {
		t.Fatalf("state %+v", state)
	}
	for rel := range uint64(0x1000) {
		loc, ok := source.Locate(rel)
		if ok && loc.Function == "total" && len(loc.Inlines) == 1 && loc.Inlines[0].Function == "count" && path.Base(loc.Inlines[0].File) == "one.c" {
			return
		}
	}
	t.Errorf("no address has count inlined in total")
}

func testdata(t *testing.T, name string) bin.Source {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return source(string(data))
}
