package pdb

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/formats/breakpad"
)

// corpus is where PDBs and the .sym files of other programs are.
const corpus = "../../../../shared/corpus/public/native/"

func fromCorpus(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus, filepath.FromSlash(name)))
	if err != nil {
		t.Skipf("no corpus: %v", err)
	}
	return data
}

func openBytes(t testing.TB, data []byte) *File {
	t.Helper()
	f, err := Open(bin.NewSource(bytes.NewReader(data), int64(len(data))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A reference is a PDB and what another program made of it, with how many
// addresses of each class may differ. The classes are explained in
// DIFFERENCES.md.
type reference struct {
	pdb, sym string
	differ   map[string]int
}

var references = []reference{
	{"breakpad/dump_syms_regtest.pdb", "breakpad/dump_syms_regtest.sym",
		map[string]int{"thunk": 1, "end": 1, "shared": 19}},
	{"breakpad/omap_reorder_funcs.pdb", "breakpad/omap_reorder_funcs.sym",
		map[string]int{"thunk": 1, "shared": 19}},
	{"breakpad/dump_syms_regtest64.pdb", "breakpad/dump_syms_regtest64.sym",
		map[string]int{"thunk": 2, "end": 1, "shared": 381}},
	{"dump_syms/windows/dump_syms_regtest64.pdb", "dump_syms/windows/dump_syms_regtest64.sym",
		map[string]int{"thunk": 2, "end": 2, "shared": 381}},
	{"dump_syms/windows/basic32-min.pdb", "dump_syms/windows/basic32-min.sym",
		map[string]int{"end": 1, "destructor": 3, "win ebp": 3}},
	{"symbolic/windows/CrashWithException.pdb", "symbolic/windows/CrashWithException.pdb.sym",
		map[string]int{"thunk": 33, "end": 1, "folded": 5}},
}

// TestReferences asks for every address at which either side changes.
func TestReferences(t *testing.T) {
	for _, r := range references {
		t.Run(r.sym, func(t *testing.T) {
			f := openBytes(t, fromCorpus(t, r.pdb))
			text := fromCorpus(t, r.sym)
			sym, err := breakpad.Open(bin.NewSource(bytes.NewReader(text), int64(len(text))), breakpad.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := f.Module(), sym.Module(); got.DebugID != want.ID {
				t.Errorf("debug id %s, want %s", got.DebugID, want.ID)
			}
			d := differences{t: t, got: map[string]int{}}
			code, frames := cuts(t, f, text)
			for _, rel := range code {
				d.code(f, sym, rel)
			}
			for _, rel := range frames {
				d.frame(f, sym, rel)
			}
			d.check(r.differ, len(code)+len(frames))
			if notes := f.Notes(); len(notes) > 0 {
				t.Errorf("notes: %q", notes)
			}
		})
	}
}

// differences counts by class.
type differences struct {
	t   *testing.T
	got map[string]int
}

func (d *differences) add(class string, rel uint64, got, want any) {
	if class == "other" && d.got[class] < 10 {
		d.t.Logf("%#x: %+v, want %+v", rel, got, want)
	}
	d.got[class]++
}

func (d *differences) code(f *File, sym *breakpad.File, rel uint64) {
	got, ok := f.Locate(rel)
	want, wantOK := sym.Locate(rel)
	switch {
	case !ok && wantOK && want.Public:
		d.add("end", rel, got, want)
	case ok != wantOK:
		d.add("other", rel, got, want)
	case !ok:
	case got.Start != want.Start || !sameName(got.Function, want.Function):
		class := "other"
		if got.Start == want.Start && got.Multiple {
			class = "folded"
		}
		d.add(class, rel, got, want)
	case !got.Public && want.Public && got.Size <= 6:
		d.add("thunk", rel, got, want)
	case got.Public != want.Public || got.Size != want.Size || got.File != want.File || got.Line != want.Line:
		d.add("other", rel, got, want)
	case got.LineStart != want.LineStart && len(got.Inlines) == 0:
		d.add("other", rel, got, want)
	case got.Multiple && !want.Multiple:
		d.add("shared", rel, got, want)
	case want.Multiple && strings.HasPrefix(got.Function, "??_G"):
		d.add("destructor", rel, got, want)
	case got.Multiple != want.Multiple:
		d.add("other", rel, got, want)
	}
}

func (d *differences) frame(f *File, sym *breakpad.File, rel uint64) {
	got, ok := f.WinFrame(rel)
	want, wantOK := sym.WinFrame(rel)
	want.Program = strings.TrimSpace(want.Program)
	if ok == wantOK && got == want {
		return
	}
	class := "other"
	if want.AllocatesEBP = true; ok && wantOK && got == want {
		class = "win ebp"
	}
	d.add(class, rel, got, want)
}

func (d *differences) check(want map[string]int, all int) {
	if !maps.Equal(d.got, want) {
		d.t.Errorf("different are %v, want %v", d.got, want)
	}
	unlike := d.got["other"] + d.got["folded"] + d.got["end"]
	if unlike*50 > all {
		d.t.Errorf("%d of %d addresses have another function or line: more than 2 %%", unlike, all)
	}
	d.t.Logf("%d addresses, different: %v", all, d.got)
}

// sameName compares names of different programs: with and without arguments,
// decorated and not. Of a decorated name the innermost part has to occur in the
// other, unless it is an operator or the like, which has a code instead.
func sameName(got, want string) bool {
	if !strings.HasPrefix(got, "?") {
		return bare(got) == bare(want)
	}
	part, _, _ := strings.Cut(strings.TrimPrefix(got, "?"), "@")
	return strings.HasPrefix(part, "?") || strings.Contains(want, part)
}

// bare is a name without arguments, without what some write in front, and
// without the decoration of C.
func bare(s string) string {
	s = strings.ReplaceAll(s, "(anonymous namespace)", "`anonymous namespace'")
	s = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(s, "static int "), "static "), "_@ ")
	if i := strings.IndexByte(s, '('); i > 0 {
		s = s[:i]
	}
	s, _, _ = strings.Cut(s, "@")
	if i := strings.LastIndexByte(s, ' '); i > 0 && !strings.ContainsAny(s, "<`") {
		s = s[i+1:]
	}
	return strings.TrimLeft(s, "_")
}

// cuts are the addresses at which something changes in a PDB or a .sym file:
// in functions, lines and symbols, and in how to unwind.
func cuts(t testing.TB, f *File, sym []byte) (code, frames []uint64) {
	t.Helper()
	code, frames = symCuts(sym)
	list := listing(t, f)
	for _, fn := range list.functions {
		code = append(code, fn.Start, fn.Start+fn.Size)
		for _, l := range fn.Lines {
			code = append(code, l.Start, l.Start+l.Size)
		}
		for _, in := range fn.Inlines {
			for _, r := range in.Ranges {
				code = append(code, r.Start, r.Start+r.Size)
			}
		}
	}
	for _, p := range list.publics {
		code = append(code, p.Start)
	}
	for _, w := range list.frames {
		frames = append(frames, w.Start, w.Start+w.Size)
	}
	slices.Sort(code)
	slices.Sort(frames)
	return slices.Compact(code), slices.Compact(frames)
}

// A list is everything that a file can list.
type list struct {
	functions []symbolize.Function
	publics   []symbolize.Public
	frames    []unwind.WinFrame
}

func listing(t testing.TB, f *File) (l list) {
	t.Helper()
	err := f.EachFunction(func(fn *symbolize.Function) error { l.functions = append(l.functions, *fn); return nil })
	if err == nil {
		err = f.EachPublic(func(p symbolize.Public) error { l.publics = append(l.publics, p); return nil })
	}
	if err == nil {
		err = f.EachWinFrame(func(w unwind.WinFrame) error { l.frames = append(l.frames, w); return nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// symCuts reads the addresses out of a .sym file.
func symCuts(data []byte) (code, frames []uint64) {
	s := bufio.NewScanner(bytes.NewReader(data))
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		f := slices.DeleteFunc(strings.Fields(s.Text()), func(w string) bool { return w == "m" })
		if len(f) < 3 {
			continue
		}
		switch f[0] {
		case "FILE", "INFO", "MODULE", "INLINE_ORIGIN":
		case "INLINE":
			for i := 5; i+1 < len(f); i += 2 {
				code = append(code, hex(f[i]), hex(f[i])+hex(f[i+1]))
			}
		case "PUBLIC":
			code = append(code, hex(f[1]))
		case "FUNC":
			code = append(code, hex(f[1]), hex(f[1])+hex(f[2]))
		case "STACK":
			if f[1] == "CFI" {
				continue
			}
			frames = append(frames, hex(f[3]), hex(f[3])+hex(f[4]))
		default:
			code = append(code, hex(f[0]), hex(f[0])+hex(f[1]))
		}
	}
	return code, frames
}

func hex(s string) uint64 {
	n, err := strconv.ParseUint(s, 16, 64)
	if err != nil {
		panic(fmt.Sprintf("%q: %v", s, err))
	}
	return n
}

// TestListsAreWhatLocateSays compares every run that the listers give with
// the answers for its first address.
func TestListsAreWhatLocateSays(t *testing.T) {
	for _, r := range references {
		f := openBytes(t, fromCorpus(t, r.pdb))
		l := listing(t, f)
		for _, fn := range l.functions {
			agree(t, f, &fn)
		}
		for _, p := range l.publics {
			loc, ok := f.Locate(p.Start)
			if !ok || !loc.Public || loc.Function != p.Name || loc.Start != p.Start {
				t.Errorf("%s: listed %+v, located %+v", r.pdb, p, loc)
			}
		}
		for _, w := range l.frames {
			if got, ok := f.WinFrame(w.Start); !ok || got.Start != w.Start && w.FrameData {
				t.Errorf("%s: listed %+v, found %+v", r.pdb, w, got)
			}
		}
		if len(l.functions) == 0 {
			t.Errorf("%s: no functions", r.pdb)
		}
	}
}

// agree compares one function with what Locate says of its start and of all
// its lines.
func agree(t *testing.T, f *File, fn *symbolize.Function) {
	t.Helper()
	loc, ok := f.Locate(fn.Start)
	if !ok || loc.Function != fn.Name || loc.Start != fn.Start || loc.Size != fn.Size || loc.Multiple != fn.Multiple {
		t.Errorf("listed %s at %#x, located %+v", fn.Name, fn.Start, loc)
	}
	for _, l := range fn.Lines {
		loc, _ := f.Locate(l.Start)
		file, line := loc.File, loc.Line
		if len(loc.Inlines) > 0 {
			file, line = loc.Inlines[0].File, loc.Inlines[0].Line
		}
		if file != l.File || line != l.Line {
			t.Errorf("%s: listed line %+v, located %+v", fn.Name, l, loc)
		}
		depth := 0
		for _, in := range fn.Inlines {
			for _, r := range in.Ranges {
				if l.Start-r.Start < r.Size {
					depth++
				}
			}
		}
		if depth != len(loc.Inlines) {
			t.Errorf("%s at %#x: %d inlined calls listed, %d located", fn.Name, l.Start, depth, len(loc.Inlines))
		}
	}
}
