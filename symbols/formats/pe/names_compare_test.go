package pe

import (
	"bufio"
	"bytes"
	"os"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/base/ranges"
	"crashglass/core/stack/symbolize"
	"crashglass/symbols/demangle"
	"crashglass/symbols/formats/breakpad"
)

// plain makes names comparable: demangled, without what GCC appends to parts.
func plain(name string) string {
	name, _, _ = strings.Cut(name, ".part.")
	if readable, ok := demangle.Name(name); ok {
		return readable
	}
	return name
}

func comparable(l symbolize.Location) symbolize.Location {
	l.Function, l.Linkage, l.LineStart, l.Multiple, l.Inlines = plain(l.Function), "", 0, false, nil
	return l
}

// named are the addresses of FUNC, PUBLIC and line records, and the last ones
// of those with an end.
func named(data []byte) (out []uint64) {
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if words[0] == "FUNC" || words[0] == "PUBLIC" {
			words = words[1:]
		}
		addr, err := strconv.ParseUint(words[0], 16, 64)
		if err != nil {
			continue
		}
		out = append(out, addr)
		if size, err := strconv.ParseUint(words[1], 16, 64); err == nil && size > 0 {
			out = append(out, addr+size-1)
		}
	}
	return out
}

// A why is a reason for names to differ. Each has its heading in DIFFERENCES.md.
type why struct {
	name string
	is   func(ours, theirs symbolize.Location) bool
}

var whyNames = []why{
	{"Functions that only symbols name", func(ours, theirs symbolize.Location) bool {
		return ours.Function != "" && strings.HasPrefix(theirs.Function, "<unknown")
	}},
	{lostUnderscore, func(ours, theirs symbolize.Location) bool {
		theirs.Function = plain("_" + theirs.Function)
		return reflect.DeepEqual(ours, theirs)
	}},
	{"Behind all code", func(ours, theirs symbolize.Location) bool {
		return ours.Function == "" && strings.HasPrefix(theirs.Function, "<unknown") && theirs.Public
	}},
}

// unnamedIn finds the functions that have no name, under one of them all, as
// dump_syms writes them.
func unnamedIn(t *testing.T, f *File, name string) func(rel uint64) symbolize.Location {
	t.Helper()
	var all ranges.Table
	if err := f.EachUnnamed(func(start, size uint64) error { all.Add(start, size, 0); return nil }); err != nil {
		t.Fatal(err)
	}
	all.Finish()
	return func(rel uint64) symbolize.Location {
		r, ok := all.Find(rel)
		if !ok {
			return symbolize.Location{}
		}
		return symbolize.Location{Function: name, Start: r.Start, Size: r.Size}
	}
}

// lostUnderscore is the one class where a name of dump_syms is wrong.
const lostUnderscore = "Names that lost an underscore"

// TestSameNamesAsSym compares functions and lines with those of the .sym files
// that Mozilla's dump_syms has made of images alone, without inlined calls: the
// line is then the one where the outermost was called. At least 98 of 100 are
// the same, apart from those that dump_syms has wrong, and the others explained.
func TestSameNamesAsSym(t *testing.T) {
	counts, wrong := map[string]int{}, 0
	for _, name := range []string{"dump_syms/windows/basic64-dwarf", "dump_syms/windows/mozwer"} {
		t.Run(name, func(t *testing.T) {
			image, text := corpusFile(t, name+".dll"), corpusFile(t, name+".sym")
			f := open(t, image)
			unnamed := unnamedIn(t, f, "<unknown in "+path.Base(name)+".dll>")
			sym, err := breakpad.Open(source(text), breakpad.Options{})
			if err != nil {
				t.Fatal(err)
			}
			same, all := 0, 0
			addrs := named(text)
			slices.Sort(addrs)
			for _, rel := range slices.Compact(addrs) {
				raw, ok := f.Locate(rel)
				if !ok {
					raw = unnamed(rel)
				}
				theirs, _ := sym.Locate(rel)
				ours, theirs := comparable(raw), comparable(theirs)
				all++
				if reflect.DeepEqual(ours, theirs) {
					same++
					continue
				}
				i := slices.IndexFunc(whyNames, func(w why) bool { return w.is(ours, theirs) })
				if i < 0 {
					t.Errorf("%#x:\n  %+v\n  %+v", rel, ours, theirs)
					continue
				}
				counts[whyNames[i].name]++
			}
			all -= counts[lostUnderscore] - wrong
			wrong = counts[lostUnderscore]
			t.Logf("%d of %d are the same", same, all)
			if all == 0 || 100*same < 98*all {
				t.Errorf("only %d of %d are the same", same, all)
			}
		})
	}
	doc, err := os.ReadFile("DIFFERENCES.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range whyNames {
		if !strings.Contains(string(doc), "\n## "+class.name+"\n") {
			t.Errorf("DIFFERENCES.md does not explain %q", class.name)
		}
		if len(counts) > 0 && counts[class.name] == 0 {
			t.Errorf("nothing differs by %q any more", class.name)
		}
	}
}
