package symbols

import (
	"os"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/symbolsource"
	"crashglass/symbols/formats"
	"crashglass/symbols/formats/sniff"
)

// A part is a file that knows what a test says.
type part struct {
	formats.Has
	name     string
	at, size uint64 // of its one function; a symbol without an end when size is 0
	cfa      string // of its rules, which cover the first 64 KiB
	win      *unwind.WinFrame
	code     string // at 0x1000
	remarks  []string
	odd      *formats.Odd
}

func (p *part) Capabilities() *formats.Capabilities { return &formats.Capabilities{Image: p} }

func (p *part) Contents() formats.Contents {
	return formats.Contents{Has: p.Has, Remarks: p.remarks, Odd: p.odd}
}

func (p *part) Locate(rel uint64) (symbolize.Location, bool) {
	if p.name == "" || rel < p.at || p.size > 0 && rel-p.at >= p.size {
		return symbolize.Location{}, false
	}
	return symbolize.Location{Function: p.name, Start: p.at, Size: p.size, Public: p.size == 0}, true
}

func (p *part) Function(rel uint64) (unwind.Function, bool) {
	loc, ok := p.Locate(rel)
	return unwind.Function{Name: loc.Function, Start: loc.Start, Size: loc.Size, Public: loc.Public}, ok
}

func (p *part) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	if p.cfa == "" || rel >= 64<<10 {
		return unwind.CallFrame{}, false
	}
	return unwind.CallFrame{Size: 64 << 10, Rules: []unwind.Rule{{Reg: unwind.CFA, From: unwind.ParseValue(p.cfa)}}}, true
}

func (p *part) HasNames() bool { return true }

func (p *part) HasCode() bool { return p.Has.Code }

func (p *part) WinFrame(rel uint64) (unwind.WinFrame, bool) {
	if p.win == nil || rel-p.win.Start >= p.win.Size {
		return unwind.WinFrame{}, false
	}
	return *p.win, true
}

func (p *part) ReadImage(rel uint64, to []byte) int {
	if rel < 0x1000 || rel-0x1000 >= uint64(len(p.code)) {
		return 0
	}
	return copy(to, p.code[rel-0x1000:])
}

func (p *part) ReadLoaded(_, rel uint64, to []byte) int { return p.ReadImage(rel, to) }

func (p *part) CodeParts() []symbolize.Range { return nil }

// fileOf is an open file.
func fileOf(name string, r formats.Reader) *file {
	f := &file{name: name}
	f.reader = &guarded{r, f}
	return f
}

func unionOf(parts ...*part) *union {
	files := make([]*file, len(parts))
	for i, p := range parts {
		files[i] = fileOf("", p)
	}
	return join(files)
}

// The files of one module: its debug file, the library itself, and a list of
// the names that it exports.
func library() *union {
	return unionOf(
		&part{Has: formats.Has{Functions: true, Lines: true, Frames: true}, name: "function", at: 0x1000, size: 0x100, cfa: "made of the tables",
			win: &unwind.WinFrame{Start: 0x1000, Size: 0x10, FrameData: true, Program: "p"}},
		&part{Has: formats.Has{Publics: true, Frames: true, Code: true}, name: "export", at: 0x800, cfa: "the tables", code: "code",
			win: &unwind.WinFrame{Start: 0x1000, Size: 0x20}},
		&part{Has: formats.Has{Publics: true}, name: "nearer", at: 0x1080},
	)
}

func TestUnion(t *testing.T) {
	u := library()
	for rel, want := range map[uint64]string{0x7ff: "", 0x800: "export", 0x1000: "function", 0x10ff: "function", 0x1100: "nearer", 0x1fff: "nearer"} {
		if loc, ok := u.Locate(rel); loc.Function != want || ok != (want != "") {
			t.Errorf("%#x is in %q, want %q", rel, loc.Function, want)
		}
	}
	if f, _ := u.CallFrame(0x1000); f.Rules[0].Text() != "the tables" {
		t.Errorf("rules are %q, want the module's own", f.Rules[0].Text())
	}
	for rel, want := range map[uint64]bool{0x1000: true, 0x1010: false} {
		if f, ok := u.WinFrame(rel); !ok || f.FrameData != want {
			t.Errorf("frame at %#x: %+v, %v, want frame data: %v", rel, f, ok, want)
		}
	}
	if f, ok := u.WinFrame(0x1020); ok {
		t.Errorf("got %+v where there is none", f)
	}
	code := make([]byte, 8)
	if n := u.ReadImage(0x1001, code); string(code[:n]) != "ode" {
		t.Errorf("got %q, want %q", code[:n], "ode")
	}
}

func TestUnionIsASource(t *testing.T) {
	symbolsource.Test(t, symbolsource.Suite{
		Open: func(*testing.T) symbolsource.Source { return library() },
		Known: []symbolsource.Known{
			{Rel: 0x1004, Location: symbolize.Location{Function: "function", Start: 0x1000, Size: 0x100}},
			{Rel: 0x10, None: true},
		},
	})
}

// TestRichest has the file that says most of a function first, whatever the order.
func TestRichest(t *testing.T) {
	plain := &part{Has: formats.Has{Functions: true}, name: "plain", at: 0, size: 8}
	lines := &part{Has: formats.Has{Functions: true, Lines: true}, name: "lines", at: 0, size: 8}
	inlines := &part{Has: formats.Has{Functions: true, Lines: true, Inlines: true}, name: "inlines", at: 0, size: 8}
	for _, order := range [][]*part{{plain, lines, inlines}, {inlines, lines, plain}, {lines, inlines, plain}} {
		if loc, _ := unionOf(order...).Locate(4); loc.Function != "inlines" {
			t.Errorf("got %s", loc.Function)
		}
	}
}

// TestNamedAsTheProgram names a module as the file with its code is called, or
// calls itself, although its debug file says more and comes first.
func TestNamedAsTheProgram(t *testing.T) {
	for _, tt := range []struct {
		debug, program formats.Build
		want           string
	}{
		{formats.Build{}, formats.Build{}, "app"},
		{formats.Build{}, formats.Build{Name: "libapp.so.1"}, "libapp.so.1"},
		{formats.Build{Name: "libapp.so.2"}, formats.Build{}, "libapp.so.2"},
	} {
		debug, program := newFile("debug/app.debug", 1, sniff.ELF, tt.debug, nil), newFile("bin/app", 1, sniff.ELF, tt.program, nil)
		debug.reader, program.reader = &guarded{&part{Has: formats.Has{Lines: true}}, debug}, &guarded{&part{Has: formats.Has{Code: true}}, program}
		if got := join([]*file{debug, program}).build.Name; got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
		program.reader = &guarded{&part{}, program}
		if got := join([]*file{debug, program}).build.Name; tt.debug.Name == "" && got != "app.debug" {
			t.Errorf("without code: %s", got)
		}
	}
}

// TestStubIsReadable names a stub by what it calls.
func TestStubIsReadable(t *testing.T) {
	u := unionOf(&part{Has: formats.Has{Publics: true}, name: "_ZN4Maps6FindOfEi@plt", at: 0x1000})
	loc, _ := u.Locate(0x1004)
	if loc.Function != "Maps::FindOf(int)@plt" || loc.Linkage != "_ZN4Maps6FindOfEi@plt" {
		t.Errorf("%+v", loc)
	}
}

// A partPublic knows only some of the names, and says so.
type partPublic struct{ *part }

func (partPublic) HasNames() bool { return false }

// TestHasNames asks whether silence says that there is no code: not that of a
// library's exports alone.
func TestHasNames(t *testing.T) {
	exports := partPublic{&part{Has: formats.Has{Publics: true, Frames: true}, name: "export"}}
	frames := &part{Has: formats.Has{Frames: true}}
	functions := &part{Has: formats.Has{Functions: true}, name: "function", size: 8}
	tests := []struct {
		files []formats.Reader
		want  bool
	}{
		{files: []formats.Reader{exports}},
		{files: []formats.Reader{frames}},
		{files: []formats.Reader{exports, frames}},
		{files: []formats.Reader{functions}, want: true},
		{files: []formats.Reader{exports, functions}, want: true},
	}
	for i, tt := range tests {
		var files []*file
		for _, r := range tt.files {
			files = append(files, fileOf("", r))
		}
		if got := join(files).HasNames(); got != tt.want {
			t.Errorf("%d: %v", i, got)
		}
	}
	s := NewStore(Options{})
	s.Add("chain64.exe", source(string(readProgram(t))))
	m := s.Modules()[0]
	src, _ := s.For(&m)
	if u := src.(*union); u.HasNames() || !u.HasCode() || unionOf(&part{Has: formats.Has{Frames: true}}).HasCode() {
		t.Error("a program without debug information says which code there is, or has none")
	}
}

func readProgram(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("../cmd/crashglass/testdata/chain/chain64.exe")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A hidden name gives way to the real one of another file, with an end and
// without one.
func TestUnhidden(t *testing.T) {
	for _, size := range []uint64{0, 0x10} {
		hidden, real := &part{name: "__hidden#1_", at: 0x1000, size: size}, &part{name: "real", at: 0x1000, size: size}
		u := &union{namer: newNamer(0), names: []*guarded{fileOf("", hidden).reader, fileOf("", real).reader}}
		if loc, _ := u.Locate(0x1004); loc.Function != "real" {
			t.Errorf("size %#x: %q", size, loc.Function)
		}
		u.names = u.names[:1]
		if loc, _ := u.Locate(0x1004); loc.Function != "__hidden#1_" {
			t.Errorf("size %#x, alone: %q", size, loc.Function)
		}
	}
}

// Lines that are left out of a file that only adds to another one are said, with
// the name of the file. What it lacks is not: the other one has it.
func TestRemarksOfAll(t *testing.T) {
	best := fileOf("app.pdb", &part{Has: formats.Has{Functions: true, Lines: true}, remarks: []string{"is cut short"}})
	other := fileOf("app.sym", &part{Has: formats.Has{Frames: true}, remarks: []string{"has one odd record"}, odd: &formats.Odd{Line: 3, Records: 1}})
	code := fileOf("app.exe", &part{Has: formats.Has{Code: true}, remarks: []string{"has no lines"}})
	for _, tt := range []struct {
		first, second *file
		want          string
	}{
		{best, other, "app.pdb is cut short; app.sym has one odd record"},
		{other, best, "app.pdb is cut short; app.sym has one odd record"},
		{best, code, "app.pdb is cut short"},
	} {
		_, state := NewStore(Options{}).use([]candidate{{file: tt.first}, {file: tt.second}}, app(idA))
		if state.Why == nil || *state.Why != tt.want {
			t.Errorf("%v, want %q", state.Why, tt.want)
		}
	}
}

// An image with DWARF of some objects has the rest of its names in its PDB.
func TestPDBBesideDWARF(t *testing.T) {
	all := formats.Has{Functions: true, Lines: true, Inlines: true, Variables: true, Frames: true, Code: true}
	of := func(kind sniff.Kind, names bool) candidate {
		f := fileOf("", &part{Has: all})
		f.kind, f.traits = kind, formats.Traits{NamesDebug: names}
		return candidate{file: f}
	}
	image, elf, pdb := of(sniff.PE, true), of(sniff.ELF, false), of(sniff.PDB, false)
	for _, tt := range []struct {
		name  string
		used  []candidate
		wants bool
	}{
		{name: "of an image", used: []candidate{image}, wants: true},
		{name: "of one that has it", used: []candidate{image, pdb}},
		{name: "of ELF", used: []candidate{elf}},
	} {
		if got := adds(pdb, tt.used); got != tt.wants {
			t.Errorf("a PDB %s: %v", tt.name, got)
		}
	}
	if suffice([]candidate{image}) || !suffice([]candidate{elf}) {
		t.Error("an image of Windows is read without looking for its PDB, or another is not enough")
	}
}
