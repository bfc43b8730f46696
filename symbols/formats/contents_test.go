package formats

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/formats/breakpad"
	"crashglass/symbols/formats/sniff"
)

const moduleLine = "MODULE Linux x86_64 000102030405060708090A0B0C0D0E0F0 app\n"

// opened is a symbol file as a Reader.
func opened(t *testing.T, text string, opt Options) Reader {
	t.Helper()
	r, err := All.Open(sniff.Breakpad, inMemory([]byte(text)), Build{}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What is odd about a symbol file is said in words that follow its name.
func TestRemarksOfSymbolFiles(t *testing.T) {
	const rules, public, function = "STACK CFI INIT 10 10 .cfa: $rsp 8 +\n", "PUBLIC 40 0 end\n", "FUNC 10 10 0 f\n"
	const publicOnly = "has only public symbols: no lines, and a name may be that of a neighbour"
	for _, tt := range []struct {
		name, text string
		has        Has
		remarks    []string
	}{
		{"all is well", function + "10 10 1 0\n" + rules, Has{Functions: true, Lines: true, Frames: true}, nil},
		{"no lines", function, Has{Functions: true}, nil},
		{"only rules", rules, Has{Frames: true}, []string{"has rules for unwinding but no names"}},
		{"only rules of Windows", "STACK WIN 4 10 10 0 0 0 0 0 0 1 $eip\n", Has{Frames: true}, []string{"has rules for unwinding but no names"}},
		{"only publics", public, Has{Publics: true}, []string{publicOnly}},
		{"an odd record", function + "FUNC x\n" + public, Has{Functions: true, Publics: true}, []string{"has one odd record, in line 3: "}},
		{"odd records", function + "FUNC x\nFUNC y\n" + public, Has{Functions: true, Publics: true}, []string{"has 2 odd records, the first in line 3: "}},
		{"cut short", function + "PUBLIC 40 0 en", Has{Functions: true, Publics: true}, []string{"seems to be cut short: its last line has no end"}},
	} {
		text := moduleLine + tt.text
		c := opened(t, text, Options{}).Contents()
		if c.Has != tt.has || c.Bytes != int64(len(text)) || len(c.Remarks) != len(tt.remarks) {
			t.Errorf("%s: %+v, %d bytes, %q", tt.name, c.Has, c.Bytes, c.Remarks)
			continue
		}
		for i, want := range tt.remarks {
			if !strings.HasPrefix(c.Remarks[i], want) {
				t.Errorf("%s: %q, want %q", tt.name, c.Remarks[i], want)
			}
		}
	}
	wide := []byte{0xff, 0xfe}
	for _, c := range []byte(moduleLine + function) {
		wide = append(wide, c, 0)
	}
	if c := opened(t, string(wide), Options{}).Contents(); !slices.Contains(c.Remarks, "is UTF-16, as a Windows shell may have made it") || !c.Functions {
		t.Errorf("UTF-16: %+v", c)
	}
}

// An odd record is found by its line or, where lines are not counted, its offset.
func TestDamage(t *testing.T) {
	for _, tt := range []struct {
		notes []breakpad.Note
		want  string
	}{
		{[]breakpad.Note{{Line: 3, Offset: 0x40, Text: "no size", Count: 1}}, "has one odd record, in line 3: no size"},
		{[]breakpad.Note{{Offset: 0x40, Text: "no size", Count: 1}}, "has one odd record, at 0x40: no size"},
		{[]breakpad.Note{{Line: 3, Text: "no size", Count: 2}}, "has 2 odd records, the first in line 3: no size"},
		{[]breakpad.Note{{Offset: 0x40, Text: "no size", Count: 1}, {Line: 9, Text: "no name", Count: 4}}, "has 5 odd records, the first at 0x40: no size"},
	} {
		if got := damage(tt.notes); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// cache is a Cache that notes what it is asked for.
type cache struct {
	got, put []string
	err      error
}

func (c *cache) Get(name, key string) (bin.Source, error) {
	c.got = append(c.got, fmt.Sprintf("%s %d", name, len(key)))
	return bin.Source{}, c.err
}
func (c *cache) Put(key string, _ func() []byte) { c.put = append(c.put, fmt.Sprint(len(key))) }

// A cache is asked for large files, and for those that are searched only when an
// answer is not certain.
func TestUseCache(t *testing.T) {
	large := moduleLine + strings.Repeat("FUNC 10 10 0 f\n", leastCached/15)
	for _, tt := range []struct {
		name   string
		text   string
		search bool
		want   []string
	}{
		{name: "small", text: moduleLine},
		{name: "large", text: large, want: []string{"app.sym 64"}},
		{name: "large, and searched", text: large, search: true},
		{name: "small, and searched", text: moduleLine, search: true},
	} {
		c := &cache{}
		opt := breakpad.Options{Search: tt.search}
		if err := useCache(c, "app.sym", inMemory([]byte(tt.text)), &opt); err != nil || !slices.Equal(c.got, tt.want) {
			t.Errorf("%s: asked for %q, %v", tt.name, c.got, err)
		}
		if (opt.BeforeScan != nil) != tt.search {
			t.Errorf("%s: asked later: %v", tt.name, opt.BeforeScan != nil)
		}
		if used := tt.search || tt.want != nil; (opt.Scanned != nil) != used {
			t.Errorf("%s: kept: %v", tt.name, !used)
		} else if used {
			opt.Scanned(func() []byte { return nil })
			if !slices.Equal(c.put, []string{"64"}) {
				t.Errorf("%s: put under keys of %q", tt.name, c.put)
			}
		}
	}
	if err := useCache(&cache{err: ErrPending}, "", inMemory([]byte(large)), &breakpad.Options{}); !errors.Is(err, ErrPending) {
		t.Errorf("an index that is being made: %v", err)
	}
	if err := useCache(nil, "", inMemory([]byte(large)), &breakpad.Options{}); err != nil {
		t.Errorf("no cache: %v", err)
	}
}

// A file with a map of hidden names is known by the UUID that it is named by; a
// property list names another build's.
func TestClues(t *testing.T) {
	const id, other = "0123456789ABCDEF0123456789ABCDEF", "FEDCBA9876543210FEDCBA9876543210"
	plist := func(key, value string) string {
		return "<plist><key>" + key + "</key>\n\t<string>" + value + "</string>"
	}
	good := plist("DBGOriginalUUID", other)
	for _, tt := range []struct {
		name string
		kind sniff.Kind
		file string
		text string
		want Clue
	}{
		{"a map", symbolMap, id + ".bcsymbolmap", "BCSymbolMap Version: 2.0\n", Clue{UUID: id}},
		{"a map in a folder", symbolMap, "BCSymbolMaps/" + strings.ToLower(id) + ".bcsymbolmap", "", Clue{UUID: id}},
		{"a map under Windows", symbolMap, `C:\maps\01234567-89AB-CDEF-0123-456789ABCDEF.bcsymbolmap`, "", Clue{UUID: id}},
		{"a map without a UUID", symbolMap, "app.bcsymbolmap", "", Clue{}},
		{"a property list", sniff.Text, id + ".plist", good, Clue{id, other}},
		{"in capitals", sniff.Text, id + ".PLIST", good, Clue{id, other}},
		{"with spaces", sniff.Text, id + ".plist", plist("DBGOriginalUUID", "\n "+other+" "), Clue{id, other}},
		{"with dashes", sniff.Text, id + ".plist", plist("DBGOriginalUUID", "FEDCBA98-7654-3210-FEDC-BA9876543210"), Clue{id, other}},
		{"another key", sniff.Text, id + ".plist", plist("DBGVersion", other), Clue{UUID: id}},
		{"no UUID", sniff.Text, id + ".plist", plist("DBGOriginalUUID", "none"), Clue{UUID: id}},
		{"no end", sniff.Text, id + ".plist", good[:len(good)-9], Clue{UUID: id}},
		{"no value", sniff.Text, id + ".plist", "<key>DBGOriginalUUID</key>", Clue{UUID: id}},
		{"another ending", sniff.Text, id + ".txt", good, Clue{UUID: id}},
		{"another kind", sniff.ELF, id + ".plist", good, Clue{UUID: id}},
		{"without a UUID", sniff.Text, "Info.plist", good, Clue{}},
		{"too long to be one", sniff.Text, id + ".plist", strings.Repeat(" ", maxPlist) + good, Clue{UUID: id}},
		{"empty", sniff.Text, id + ".plist", "", Clue{UUID: id}},
	} {
		c, ok := ClueOf(tt.kind, tt.file, inMemory([]byte(tt.text)))
		if want := tt.want.Original != "" || tt.kind == symbolMap && tt.want.UUID != ""; c != tt.want || ok != want {
			t.Errorf("%s: %+v, %v; want %+v", tt.name, c, ok, tt.want)
		}
	}
}

// Two files have what either has; a symbol without an end says nothing where
// functions are known.
func TestHasWith(t *testing.T) {
	for _, tt := range []struct{ a, b, want Has }{
		{Has{}, Has{}, Has{}},
		{Has{Functions: true}, Has{}, Has{Functions: true, Publics: true}},
		{Has{Publics: true}, Has{Functions: true}, Has{Functions: true, Publics: true}},
		{Has{Publics: true}, Has{}, Has{Publics: true}},
		{Has{Lines: true, Inlines: true}, Has{Variables: true}, Has{Lines: true, Inlines: true, Variables: true}},
		{Has{Frames: true}, Has{Code: true}, Has{Frames: true, Code: true}},
	} {
		if got := tt.a.With(tt.b); got != tt.want {
			t.Errorf("%+v with %+v: %+v", tt.a, tt.b, got)
		}
		if got := tt.b.With(tt.a); got != tt.want {
			t.Errorf("%+v with %+v: %+v", tt.b, tt.a, got)
		}
	}
	if (Has{Lines: true, Frames: true, Code: true}).Named() || !(Has{Publics: true}).Named() || !(Has{Functions: true}).Named() {
		t.Error("names are functions and publics")
	}
}

// What says more of a function is richer, whatever else a file has.
func TestRichness(t *testing.T) {
	ascending := []Has{
		{Publics: true, Frames: true, Code: true, Variables: true},
		{Inlines: true}, {Lines: true}, {Functions: true},
		{Functions: true, Inlines: true}, {Functions: true, Lines: true}, {Functions: true, Lines: true, Inlines: true},
	}
	for i, h := range ascending {
		if i > 0 && h.Richness() <= ascending[i-1].Richness() {
			t.Errorf("%+v: %d, after %d", h, h.Richness(), ascending[i-1].Richness())
		}
	}
}

// The first line of a symbol file is dump_syms', which names the library for
// Windows alone.
func TestHeaders(t *testing.T) {
	b := Build{ID: "AB1", Name: "app.pdb", CodeID: "deadbeef1000", CodeFile: "app.exe", Arch: "amd64"}
	for kind, want := range map[sniff.Kind]Header{
		sniff.PDB:   {OS: "windows", Arch: "x86_64", ID: "AB1", Name: "app.pdb", CodeID: "DEADBEEF1000", CodeFile: "app.exe"},
		sniff.PE:    {OS: "windows", Arch: "x86_64", ID: "AB1", Name: "app.pdb", CodeID: "DEADBEEF1000", CodeFile: "app.exe"},
		sniff.ELF:   {OS: "Linux", Arch: "x86_64", ID: "AB1", Name: "app.pdb", CodeID: "DEADBEEF1000"},
		sniff.MachO: {OS: "mac", Arch: "x86_64", ID: "AB1", Name: "app.pdb", CodeID: "DEADBEEF1000"},
	} {
		if got := All[kind].Header(b); got != want {
			t.Errorf("%s: %+v, want %+v", kind, got, want)
		}
	}
	b.Arch = "arm64"
	if got := All[sniff.ELF].Header(b); got.Arch != "arm64" {
		t.Errorf("%+v", got)
	}
}

// fake is a native file of a test.
type fake struct {
	functions []symbolize.Function
	publics   int
	rules     bool
	code      bool
	notes     []string
	limit     string
	missing   []string
	met       int // functions that were looked at
}

func (f *fake) native() *native {
	return &native{nativeFile: f, first: f.EachFunction, limit: f.Limit, missing: f.Missing, capabilities: func() (c Capabilities) { return }}
}

func (*fake) Locate(uint64) (l symbolize.Location, ok bool)  { return }
func (*fake) Function(uint64) (f unwind.Function, ok bool)   { return }
func (*fake) CallFrame(uint64) (c unwind.CallFrame, ok bool) { return }
func (*fake) WinFrame(uint64) (w unwind.WinFrame, ok bool)   { return }
func (*fake) HasNames() bool                                 { return true }
func (f *fake) HasCode() bool                                { return f.code }
func (*fake) Module() (m module.Module)                      { return }
func (f *fake) Notes() []string                              { return f.notes }
func (f *fake) Limit() string                                { return f.limit }
func (f *fake) Missing() []string                            { return f.missing }
func (*fake) EachWinFrame(func(unwind.WinFrame) error) error { return nil }
func (f *fake) EachPublic(add func(symbolize.Public) error) error {
	for range f.publics {
		if err := add(symbolize.Public{}); err != nil {
			return err
		}
	}
	return nil
}
func (f *fake) EachCallFrame(add func(*unwind.CallFrameTable) error) error {
	if f.rules {
		return add(&unwind.CallFrameTable{})
	}
	return nil
}
func (f *fake) EachFunction(add func(*symbolize.Function) error) error {
	for i := range f.functions {
		f.met++
		if err := add(&f.functions[i]); err != nil {
			return err
		}
	}
	return nil
}

// What a native file brings shows in the first functions that it lists.
func TestLook(t *testing.T) {
	plain := make([]symbolize.Function, 2*enough)
	lined := slices.Clone(plain)
	lined[7].Lines = []symbolize.Line{{Line: 1}}
	late := slices.Clone(plain)
	late[enough].Lines = []symbolize.Line{{Line: 1}}
	for _, tt := range []struct {
		name string
		file fake
		want Has
		met  int
	}{
		{"nothing", fake{}, Has{}, 0},
		{"names alone", fake{functions: plain}, Has{Functions: true, Publics: true}, enough},
		{"lines", fake{functions: lined}, Has{Functions: true, Publics: true, Lines: true, Inlines: true}, 8},
		{"lines too late", fake{functions: late}, Has{Functions: true, Publics: true}, enough},
		{"publics", fake{publics: 3}, Has{Publics: true}, 0},
		{"rules", fake{rules: true}, Has{Frames: true}, 0},
		{"code", fake{code: true}, Has{Code: true}, 0},
	} {
		n, err := tt.file.native().use(42)
		if c := n.Contents(); err != nil || c.Has != tt.want || c.Bytes != 42 || tt.file.met != tt.met {
			t.Errorf("%s: %+v after %d functions, %v", tt.name, c, tt.file.met, err)
		}
	}
}

// A limit says more than damage, and what is missing follows damage.
func TestRemarksOfNatives(t *testing.T) {
	for _, tt := range []struct {
		name string
		file fake
		want []string
	}{
		{"whole", fake{}, nil},
		{"damaged", fake{notes: []string{"a"}}, []string{"is damaged: a"}},
		{"much damaged", fake{notes: []string{"a", "b", "c"}}, []string{"is damaged: a, and 2 more"}},
		{"a part is missing", fake{missing: []string{"names b.dwo"}}, []string{"names b.dwo"}},
		{"both", fake{notes: []string{"a"}, missing: []string{"names b.dwo"}}, []string{"is damaged: a", "names b.dwo"}},
		{"a limit", fake{limit: "has no names", notes: []string{"a"}, missing: []string{"names b.dwo"}}, []string{"has no names"}},
	} {
		n, _ := tt.file.native().use(0)
		c := n.Contents()
		if !slices.Equal(c.Remarks, tt.want) || c.Limit != tt.file.limit {
			t.Errorf("%s: %q, want %q", tt.name, c.Remarks, tt.want)
		}
		if can := n.Capabilities(); can.Image != nil || can.FinalNames || can.Search != nil {
			t.Errorf("%s: %+v", tt.name, can)
		}
	}
}

// A program that dwz made smaller names the file with the rest, and has the
// names in it when it is opened with that.
func TestParts(t *testing.T) {
	main := Input{Source: open(t, "../testdata/dwz.elf"), Options: Options{Name: "dwz.elf"}}
	rest := Input{Source: open(t, "../testdata/dwz.sup"), Options: Options{Name: "dwz.sup"}}
	alone, err := OpenWhole(sniff.ELF, Build{}, main, nil)
	if err != nil {
		t.Fatal(err)
	}
	links, ok := alone.Capabilities().Links()
	builds, err := All.Identify(sniff.ELF, rest.Source)
	if !ok || err != nil || links.Supplement == "" || len(builds) != 1 || !strings.EqualFold(links.Supplement, builds[0].CodeID) {
		t.Errorf("names %+v, and the other file is %+v, %v", links, builds, err)
	}
	whole, err := OpenWhole(sniff.ELF, Build{}, main, []Input{rest, {Source: inMemory([]byte("no ELF")), Options: Options{}}})
	if err != nil {
		t.Fatal(err)
	}
	if before, after := alone.Contents().Missing, whole.Contents().Missing; len(before) != 1 || len(after) != 0 {
		t.Errorf("missing alone: %q, and with its part: %q", before, after)
	}
	if _, err := OpenWhole(sniff.ELF, Build{}, rest, []Input{{Source: inMemory(nil), Options: Options{}}}); err != nil {
		t.Errorf("the other file alone: %v", err)
	}
	if _, err := OpenWhole(sniff.ELF, Build{}, Input{Source: inMemory([]byte("no ELF"))}, nil); err == nil {
		t.Error("what is no ELF is opened")
	}
}

// The checksum of a debug link is that of all bytes, as zlib's crc32 has it.
func TestChecksum(t *testing.T) {
	data, err := os.ReadFile("../testdata/dwz.sup")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Checksum(inMemory(data)); err != nil || got != crc32.ChecksumIEEE(data) {
		t.Errorf("%#x, %v, want %#x", got, err, crc32.ChecksumIEEE(data))
	}
	if got, err := Checksum(inMemory(nil)); err != nil || got != 0 {
		t.Errorf("of nothing: %#x, %v", got, err)
	}
}

// A size decides whether a file is searched.
func TestAsks(t *testing.T) {
	src := inMemory(make([]byte, 100))
	for from, want := range map[int64]bool{0: false, 1: true, 100: true, 101: false, -1: false} {
		if got := (Options{SearchFrom: from}).searches(src); got != want {
			t.Errorf("from %d bytes on: %v", from, got)
		}
	}
	if All.InLayouts() != sniff.Breakpad || (Table{}).InLayouts() != sniff.Unknown {
		t.Errorf("stores have %s", All.InLayouts())
	}
}
