package macho

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/bin"
	"crashglass/core/symbolize"
	"crashglass/core/unwind"
	"crashglass/symbols/breakpad"

	"github.com/ianlancetaylor/demangle"
)

const (
	corpus = "../../../shared/corpus/public/native/symbolic/macos/"
	dsym   = "crash.dSYM/Contents/Resources/DWARF/crash"
)

func corpusSource(t testing.TB, name string) bin.Source {
	t.Helper()
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("no corpus at " + corpus)
	}
	data, err := os.ReadFile(corpus + name)
	if err != nil {
		t.Fatal(err)
	}
	return source(data)
}

func source(data []byte) bin.Source { return bin.NewSource(bytes.NewReader(data), int64(len(data))) }

func openCorpus(t testing.TB, names ...string) *File {
	t.Helper()
	var first *File
	for _, name := range names {
		f, err := Open(corpusSource(t, name), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = f
		} else if err := first.Attach(f); err != nil {
			t.Fatal(err)
		}
	}
	return first
}

func openSym(t testing.TB, name string) (*breakpad.File, string) {
	t.Helper()
	src := corpusSource(t, name)
	text, err := src.Read(name, 0, uint64(src.Size()))
	if err != nil {
		t.Fatal(err)
	}
	sym, err := breakpad.Open(src, breakpad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return sym, string(text)
}

// A class of differences, with its heading in DIFFERENCES.md.
type class struct {
	name string
	is   func(c *comparison) bool
}

// A comparison is what both say of one address, with names made plain.
type comparison struct {
	f            *File
	rel          uint64
	ours, theirs symbolize.Location
	ok, theirOK  bool
}

var classes = []class{}

func TestSameAsSym(t *testing.T) {
	sym, text := openSym(t, "crash.inlines.sym")
	for _, files := range [][]string{{"crash", dsym}, {dsym, "crash"}, {dsym}} {
		f := openCorpus(t, files...)
		addrs := marksOf(t, f, text)
		same := 0
		counts := map[string]int{}
		for _, rel := range addrs {
			c := comparison{f: f, rel: rel}
			c.ours, c.ok = f.Locate(rel)
			c.theirs, c.theirOK = sym.Locate(rel)
			c.ours, c.theirs = comparable(c.ours), comparable(c.theirs)
			if c.ok == c.theirOK && reflect.DeepEqual(c.ours, c.theirs) {
				same++
				continue
			}
			name := c.class()
			if counts[name]++; name == "" && counts[name] < 12 {
				t.Errorf("%#x:\n  %+v\n  %+v", rel, c.ours, c.theirs)
			}
		}
		t.Logf("%s: %d of %d addresses have the same answer; %v", files, same, len(addrs), counts)
		if 100*same < 98*len(addrs) {
			t.Errorf("only %d of %d are the same", same, len(addrs))
		}
		if notes := f.Notes(); len(notes) > 0 {
			t.Error(notes)
		}
	}
}

func (c *comparison) class() string {
	for _, class := range classes {
		if class.is(c) {
			return class.name
		}
	}
	return ""
}

// marksOf are the addresses at which an answer may change, and the last before.
func marksOf(t *testing.T, f *File, sym string) (out []uint64) {
	add := func(start, size uint64) { out = append(out, start, start+size, start+size-1) }
	err := f.EachFunction(func(fn *symbolize.Function) error {
		add(fn.Start, fn.Size)
		for _, l := range fn.Lines {
			add(l.Start, l.Size)
		}
		return nil
	})
	if err == nil {
		err = f.EachPublic(func(p symbolize.Public) error { add(p.Start, 1); return nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(sym) {
		fields := strings.Fields(line)
		ranges := fields[:min(2, len(fields))]
		switch fields[0] {
		case "MODULE", "INFO", "FILE", "INLINE_ORIGIN", "STACK":
			continue
		case "FUNC":
			ranges = fields[1:3]
		case "PUBLIC":
			ranges = []string{fields[1], "1"}
		case "INLINE":
			ranges = fields[5:]
		}
		for ; len(ranges) >= 2; ranges = ranges[2:] {
			start, _ := strconv.ParseUint(ranges[0], 16, 64)
			size, _ := strconv.ParseUint(ranges[1], 16, 64)
			add(start, size)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// plain is a name without arguments, which demanglers spell differently.
func plain(name string) string {
	name = demangle.Filter(name, demangle.NoParams, demangle.NoClones)
	depth := 0
	var out strings.Builder
	for i, c := range name {
		if op := strings.TrimPrefix(name[i:], "operator"); depth == 0 && len(op) < len(name)-i && op != "" && strings.ContainsAny(op[:1], "<>(-") {
			return out.String() + name[i:i+len("operator")+1]
		}
		switch {
		case c == '<' || c == '(':
			depth++
		case c == '>' || c == ')':
			depth--
		case depth == 0 && c == ' ':
			if strings.HasPrefix(name[i:], " const") || strings.HasPrefix(name[i:], " [clone") {
				return out.String()
			}
			out.Reset() // it was the type of the result
		case depth == 0:
			out.WriteRune(c)
		}
	}
	return out.String()
}

// comparable is an answer with plain names, without where its line begins.
func comparable(l symbolize.Location) symbolize.Location {
	l.Function, l.LineStart, l.Multiple = plain(l.Function), 0, false
	l.Inlines = slices.Clone(l.Inlines)
	for i := range l.Inlines {
		l.Inlines[i].Function = plain(l.Inlines[i].Function)
	}
	return l
}

var _ = fmt.Sprint
var _ unwind.Rules = (*File)(nil)
