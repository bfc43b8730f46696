package macho

import (
	"bytes"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/formats/breakpad"

	"github.com/ianlancetaylor/demangle"
)

const (
	corpus = "../../../../shared/corpus/public/native/symbolic/macos/"
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

func openCorpus(t testing.TB, name string) *File {
	t.Helper()
	f, err := Open(corpusSource(t, name), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
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

// Answers for names and lines are those of the .sym file, at every address at
// which either changes. The dSYM has them all.
func TestSameAsSym(t *testing.T) {
	sym, text := openSym(t, "crash.inlines.sym")
	f := openCorpus(t, dsym)
	known, inlined := 0, 0
	for _, rel := range marksOf(t, f, text) {
		ours, ok := f.Locate(rel)
		theirs, theirOK := sym.Locate(rel)
		if ok != theirOK || !reflect.DeepEqual(comparable(ours), comparable(theirs)) {
			t.Errorf("%#x:\n  %+v, %v\n  %+v, %v", rel, ours, ok, theirs, theirOK)
		}
		if ok {
			known++
		}
		inlined += len(ours.Inlines)
	}
	if known < 9000 || inlined < 4000 {
		t.Errorf("only %d addresses are known, with %d inlined calls", known, inlined)
	}
	if notes := f.Notes(); len(notes) > 0 {
		t.Error(notes)
	}
}

// The names of a program without its dSYM are those of its symbols.
func TestProgramAlone(t *testing.T) {
	f := openCorpus(t, "crash")
	sym, _ := openSym(t, "crash.sym")
	different := 0
	for rel := uint64(0xd20); rel < 0xd20+0xcf83; rel += 7 {
		ours, ok := f.Locate(rel)
		theirs, _ := sym.Locate(rel)
		if !ok || ours.Start != theirs.Start && theirs.Start+theirs.Size > rel {
			different++
			t.Logf("%#x: %+v, %v, %+v", rel, ours, ok, theirs)
		}
	}
	if different > 0 {
		t.Errorf("%d addresses have another function", different)
	}
}

// A class of differences of call frame rules, with its heading in DIFFERENCES.md.
var frameClasses = []struct {
	name string
	is   func(f *File, rel uint64, ours unwind.CallFrame, ok, theirOK bool) bool
}{
	{"Code that only __unwind_info knows", func(f *File, rel uint64, ours unwind.CallFrame, ok, theirOK bool) bool {
		return ok && !theirOK && strings.HasPrefix(ours.From, fromCompact)
	}},
	{"The linker's stubs", func(f *File, rel uint64, ours unwind.CallFrame, ok, theirOK bool) bool {
		return ok && !theirOK && ours.From == fromStubs
	}},
	{"Last instructions of functions", func(f *File, rel uint64, ours unwind.CallFrame, ok, theirOK bool) bool {
		return ok && theirOK && ours.From == fromCode
	}},
}

// Wherever the .sym file has call frame rules ours find the same registers,
// except where DIFFERENCES.md says why not. Rules are compared as text: both
// have them from the same section.
func TestSameFramesAsSym(t *testing.T) {
	f := openCorpus(t, "crash")
	sym, _ := openSym(t, "crash.sym")
	counts := map[string]int{}
	for rel := uint64(0xd00); rel < 0xe400; rel++ {
		ours, ok := f.CallFrame(rel)
		theirs, theirOK := sym.CallFrame(rel)
		if ok == theirOK && sameRules(ours.Rules, theirs.Rules) {
			counts["same"]++
			continue
		}
		name := "unexplained"
		for _, class := range frameClasses {
			if class.is(f, rel, ours, ok, theirOK) {
				name = class.name
				break
			}
		}
		if counts[name]++; name == "unexplained" && counts[name] < 10 {
			t.Errorf("%#x: %+v, %v, want %+v, %v", rel, ours, ok, theirs, theirOK)
		}
	}
	t.Log(counts)
	if counts["same"] < 8000 {
		t.Errorf("only %d addresses have the same rules", counts["same"])
	}
	text, err := os.ReadFile("DIFFERENCES.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range frameClasses {
		if !strings.Contains(string(text), "\n## "+class.name+"\n") {
			t.Errorf("DIFFERENCES.md does not explain %q", class.name)
		}
		if counts[class.name] == 0 {
			t.Errorf("nothing differs by %q any more", class.name)
		}
	}
}

// What is listed is what is asked for, at every address where it changes,
// except for last instructions, which are not listed.
func TestListedFramesOfCorpus(t *testing.T) {
	f := openCorpus(t, "crash")
	compared := 0
	err := f.EachCallFrame(func(table *unwind.CallFrameTable) error {
		rules := slices.Clone(table.Rules)
		for _, row := range append([]unwind.CallFrameRow{{Addr: table.Start}}, table.Rows...) {
			for _, r := range row.Rules {
				if i := slices.IndexFunc(rules, func(old unwind.Rule) bool { return old.Reg == r.Reg }); i >= 0 {
					rules[i] = r
				} else {
					rules = append(rules, r)
				}
			}
			asked, ok := f.CallFrame(row.Addr)
			if asked.From == fromCode && row.Addr > table.Start+maxProlog {
				continue
			}
			if !ok || !sameRules(asked.Rules, rules) {
				t.Errorf("%#x: listed %+v, asked %+v, %v", row.Addr, rules, asked, ok)
			}
			compared++
		}
		return nil
	})
	if err != nil || compared < 700 {
		t.Errorf("%d were compared, %v", compared, err)
	}
}

func sameRules(a, b []unwind.Rule) bool {
	sorted := func(rules []unwind.Rule) []unwind.Rule {
		return slices.SortedFunc(slices.Values(rules), func(x, y unwind.Rule) int { return strings.Compare(x.Reg, y.Reg) })
	}
	return slices.Equal(sorted(a), sorted(b))
}

func TestOtherCorpusFiles(t *testing.T) {
	files, err := OpenAll(corpusSource(t, "Example.framework.dSYM/Contents/Resources/DWARF/Example"), Options{})
	if err != nil || len(files) != 2 {
		t.Fatal(len(files), err)
	}
	for i, want := range []string{"x86_64", "arm64"} {
		m := files[i].Module()
		if files[i].CPU() != want || len(m.DebugID) != 33 {
			t.Errorf("%s: %+v", files[i].CPU(), m)
		}
		if notes := files[i].Notes(); len(notes) > 0 {
			t.Error(notes)
		}
	}
	f := openCorpus(t, "overlapping_funcs.dSYM/Contents/Resources/DWARF/overlapping_funcs")
	n := 0
	if err := f.EachFunction(func(fn *symbolize.Function) error { n++; return nil }); err != nil || n == 0 {
		t.Error(n, err)
	}
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
	l.Function, l.Linkage, l.LineStart, l.Multiple = plain(l.Function), "", 0, false
	l.Inlines = slices.Clone(l.Inlines)
	for i := range l.Inlines {
		l.Inlines[i].Function = plain(l.Inlines[i].Function)
	}
	return l
}
