package pdb

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
	"crashglass/symbols/search"
)

// TestSearches has files whose lists can be searched, and files whose lists cannot be trusted:
// those are read as a whole.
func TestSearches(t *testing.T) {
	swap := func(p *program) { p.publics[0], p.publics[15] = p.publics[15], p.publics[0] }
	orderStream := func(change func([]byte)) func(*program) {
		return func(p *program) {
			data := p.orderStream(t)
			change(data)
			p.extra = map[int][]byte{hasOthers + len(p.optional): data}
		}
	}
	for _, tt := range []struct {
		name   string
		change func(*program)
		want   bool
	}{
		{name: "in order", change: func(*program) {}, want: true},
		{name: "without contributions", change: func(p *program) { p.modules[0].contribs, p.modules[1].contribs = nil, nil }},
		{name: "contributions not in order", change: func(p *program) {
			p.modules[0].contribs, p.modules[1].contribs = p.modules[1].contribs, p.modules[0].contribs
		}, want: false},
		{name: "a contribution in no section", change: func(p *program) { p.modules[1].contribs[7][0] = 9 }},
		{name: "without an order of publics", change: func(p *program) { p.ordered = false }},
		{name: "publics not in order", change: swap},
		{name: "more publics in the order than in the table", change: orderStream(func(b []byte) { b[28+8] -= 8 })},
		{name: "an order that reaches beyond the stream", change: orderStream(func(b []byte) { b[4] += 4; b[28+8] += 8 })},
		{name: "an order of nothing", change: orderStream(func(b []byte) { b[4], b[28+8] = 0, 0 })},
		{name: "an order that names no record", change: orderStream(func(b []byte) { b[len(b)-2] = 0x7f })},
		{name: "an order that names the middle of one", change: orderStream(func(b []byte) { b[len(b)-64] += 4 })},
		{name: "a stream of publics that is cut off", change: func(p *program) { p.extra = map[int][]byte{hasOthers: make([]byte, 20)} }},
	} {
		p := many(t, 2, 8)
		tt.change(p)
		f, _ := openWith(t, p.build(t), waiting())
		if got := f.searching(); got != tt.want || f.searching() != tt.want {
			t.Errorf("%s: searched %v, want %v", tt.name, got, tt.want)
		}
		if loc, ok := openBytes(t, p.build(t)).Locate(0x1000 + 16*5); !ok || !strings.HasPrefix(loc.Function, "f") {
			t.Errorf("%s: read as a whole: %+v", tt.name, loc)
		}
	}
	f, _ := openWith(t, many(t, 2, 8).build(t), Options{})
	if f.searching() {
		t.Error("it is searched without the option")
	}
	if f, _ = openWith(t, many(t, 2, 8).build(t), waiting()); len(f.publics()) != 16 || f.searching() {
		t.Error("it is searched, but its lists were read")
	}
	empty := x86(t)
	empty.extra = map[int][]byte{streamDBI: nil}
	if f, _ = openWith(t, empty.build(t), waiting()); f.searching() {
		t.Error("a file of types is searched")
	}
}

// TestOwner looks for the module of an address among contributions:
//
//	1000 1010 module 0   1020 module 1   1030 data of module 1 in a section of code and data
//	1080 module 2        1090 to 10a0 also module 3's
func TestOwner(t *testing.T) {
	p := many(t, 2, 8)
	for i := range 4 {
		p.modules = append(p.modules[:min(i, len(p.modules))], object{name: fmt.Sprint(i), symbols: asm.At(0), c13: asm.At(0)})
	}
	p.modules[0].contribs = [][3]uint32{{1, 0, 16}, {1, 16, 16}}
	p.modules[1].contribs = [][3]uint32{{1, 32, 16}}
	p.modules[2].contribs = [][3]uint32{{1, 0x80, 0x10}}
	p.modules[3].contribs = [][3]uint32{{1, 0x90, 0}, {2, 0, 0x20}}
	p.sections = [][3]uint32{{0x1000, 0x100, codeFlags}, {0x2000, 0x100, dataFlags}}
	f, _ := openWith(t, p.build(t), waiting())
	if !f.searching() {
		t.Fatal("it is not searched")
	}
	for rva, want := range map[uint32]int{
		0xfff: -1, 0x1000: 0, 0x101f: 0, 0x1020: 1, 0x102f: 1, 0x1030: -1, 0x107f: -1, 0x1080: 2, 0x108f: 2,
		0x1090: -1 /* of nothing */, 0x2000: -1 /* data */, 0x2020: -1, 0xffffffff: -1, 0: -1,
	} {
		module, ok := f.searched.contribs.owner(f, rva)
		if !ok {
			module = -1
		}
		if module != want {
			t.Errorf("%#x is of module %d, want %d", rva, module, want)
		}
	}
}

// TestOwnerInDoubt has contributions near an address that overlap or are in no order.
func TestOwnerInDoubt(t *testing.T) {
	for name, change := range map[string]func(p *program){
		"overlap":  func(p *program) { p.modules[0].contribs[6][2] = 17 },
		"no order": func(p *program) { p.modules[0].contribs[6][1] = 0 },
	} {
		p := many(t, 1, 40)
		change(p)
		f, _ := openWith(t, p.build(t), waiting())
		if !f.searching() {
			t.Fatal("it is not searched")
		}
		for n, want := range map[int]bool{1: true, 3: false, 5: false, 8: false, 12: true, 39: true} {
			if _, ok := f.searched.contribs.owner(f, 0x1000+uint32(16*n)); ok != want {
				t.Errorf("%s: contribution %d has an owner: %v, want %v", name, n, ok, want)
			}
		}
	}
}

// TestPublicsOfAnAddress finds the symbols at an address in the order of publics, the first
// record first.
func TestPublicsOfAnAddress(t *testing.T) {
	p := many(t, 1, 40)
	p.publics = slices.Insert(p.publics, 20, symbolAt{"again", 1, 16 * 19}, symbolAt{"oncemore", 1, 16 * 19})
	f, _ := openWith(t, p.build(t), waiting())
	if !f.searching() {
		t.Fatal("it is not searched")
	}
	for off, want := range map[uint32]string{0: "f0", 16: "f16", 17: "", 16 * 18: "f288", 16 * 19: "f304 again oncemore", 16 * 20: "f320", 16 * 39: "f624", 16 * 40: ""} {
		search.Try(&f.state, func() (bool, bool) { return true, true }, nil)
		var names []string
		for _, pub := range f.publicsAt(0x1000 + off) {
			names = append(names, f.publicName(pub))
		}
		if got := strings.Join(names, " "); got != want || f.state.InDoubt() != (off == 16*40) {
			t.Errorf("at %#x: %q, unsure %v, want %q", off, got, f.state.InDoubt(), want)
		}
	}
}

// TestPublicsInDoubt has more symbols at one address than are looked at, and symbols near an
// address that are in no order.
func TestPublicsInDoubt(t *testing.T) {
	crowd := func(n int) *program {
		p := many(t, 1, 40)
		for range n - 1 {
			p.publics = slices.Insert(p.publics, 20, symbolAt{"again", 1, 16 * 19})
		}
		return p
	}
	disorder := many(t, 1, 40)
	disorder.publics[25].off = 0
	for _, tt := range []struct {
		name string
		p    *program
		n    uint32
		want string
	}{
		{"sixteen names", crowd(16), 19, "16 names, unsure false"}, {"seventeen", crowd(17), 19, "0 names, unsure true"},
		{"beside disorder", disorder, 24, "0 names, unsure true"}, {"far from disorder", disorder, 35, "1 names, unsure false"},
	} {
		f, _ := openWith(t, tt.p.build(t), waiting())
		if !f.searching() {
			t.Fatalf("%s: it is not searched", tt.name)
		}
		if got := fmt.Sprintf("%d names, unsure %v", len(f.publicsAt(0x1000+16*tt.n)), f.state.InDoubt()); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestPiecesOfTheModuleList reads a list of modules that takes several reads, in steps: entries
// that a read ends in are whole.
func TestPiecesOfTheModuleList(t *testing.T) {
	const modules = 2500
	p := many(t, 1, 4)
	for i := 1; i < modules; i++ {
		p.modules = append(p.modules, object{name: strings.Repeat("m", 60+i%50), symbols: asm.At(0), c13: asm.At(0)})
	}
	data := p.build(t)
	whole := openBytes(t, data).mods()
	f, _ := openWith(t, data, waiting())
	if !f.searching() || f.dbi.modules.size < modsAtOnce+1000 {
		t.Fatalf("%d bytes of modules", f.dbi.modules.size)
	}
	if n := len(f.modsUpTo(0)); n < 2 || n == modules {
		t.Errorf("%d modules in the first read", n)
	}
	for i := range modules + 2 {
		m, ok := f.mod(i)
		if ok != (i < modules) || ok && (m.stream != whole[i].stream || m.symbols != whole[i].symbols) {
			t.Fatalf("module %d: %+v, %v", i, m, ok)
		}
	}
	if _, ok := f.mod(-1); ok {
		t.Error("module -1 is there")
	}
}

// TestCutModuleList has a list that ends within an entry.
func TestCutModuleList(t *testing.T) {
	f, _ := openWith(t, many(t, 3, 2).build(t), waiting())
	if !f.searching() {
		t.Fatal("it is not searched")
	}
	f.dbi.modules.size -= 8
	if n := len(f.modsUpTo(99)); n != 2 || !f.modReader.done {
		t.Errorf("%d modules", n)
	}
	f.modReader = modReader{}
	f.dbi.modules.size = 0
	if n := len(f.modsUpTo(99)); n != 0 || !f.modReader.done {
		t.Errorf("%d modules of nothing", n)
	}
	f.modReader = modReader{}
	f.dbi.modules = byteRange{1 << 30, 100}
	if n := len(f.modsUpTo(99)); n != 0 || !f.modReader.done {
		t.Errorf("%d modules from outside", n)
	}
}

// TestLinkerModule finds what the linker wrote about itself at the end of the list, without
// the list.
func TestLinkerModule(t *testing.T) {
	environment := func(pdb string) *asm.Section {
		return symbolRecords().Bytes(rec(t, symEnvironment, asm.At(0).U8(0).Text("exe\x00link.exe\x00pdb\x00"+pdb+"\x00\x00")))
	}
	last := object{name: linkerModule, symbols: environment("out.pdb"), c13: asm.At(0)}
	other := object{name: "x " + linkerModule, symbols: environment("wrong.pdb"), c13: asm.At(0)}
	for _, tt := range []struct {
		name  string
		list  []object
		want  string
		whole bool // all of the list was read
	}{
		{name: "the last", list: []object{other, last}, want: "out.pdb"},
		{name: "alone", list: []object{last}, want: "out.pdb"},
		{name: "not the last", list: []object{last, other}, want: "out.pdb", whole: true},
		{name: "none", list: []object{other}, want: "", whole: true},
	} {
		p := many(t, 1, 2)
		p.modules = append(p.modules, tt.list...)
		f, _ := openWith(t, p.build(t), waiting())
		if got := f.Module().DebugFile; got != tt.want || (f.modList != nil) != tt.whole {
			t.Errorf("%s: %q, the list was read: %v, want %q", tt.name, got, f.modList != nil, tt.want)
		}
	}
}

// TestScanSaysWhatChanged compares the answers of the search with the lists.
func TestScanSaysWhatChanged(t *testing.T) {
	found := hit{named: named{name: "f144"}, start: 0x1090, size: 16}
	for name, change := range map[string]func(*hit){
		"nothing":           func(*hit) {},
		"the name":          func(h *hit) { h.name = "other" },
		"the start":         func(h *hit) { h.start++ },
		"the size":          func(h *hit) { h.size-- },
		"that there is one": func(h *hit) { *h = hit{} },
	} {
		f, _ := openWith(t, many(t, 4, 8).build(t), waiting())
		f.Locate(0x1000 + 16*9)
		f.Locate(0x1000 + 16*20)
		if len(f.state.Answers) != 2 {
			t.Fatalf("%d answers", len(f.state.Answers))
		}
		changed := found
		change(&changed)
		want := map[bool]int{name != "nothing": 1}[true]
		f.state.Remember(func() bool {
			now, _ := f.find(0x1000 + 16*9)
			return changed.same(now)
		})
		for range 2 { // a second scan has nothing to compare
			if n, err := f.Scan(); n != want || err != nil {
				t.Errorf("%s: %d answers, %v, want %d", name, n, err, want)
			}
		}
		note := "1 of the addresses that were queried before all lists were read are in another function"
		if got := slices.Contains(f.Notes(), note); got != (want > 0) {
			t.Errorf("%s: notes %q", name, f.Notes())
		}
	}
}

// TestFirst lists some functions of a file that is searched: with the first line of each, and no
// more than 64 of a module.
func TestFirst(t *testing.T) {
	p := many(t, 2, 70)
	p.text = []string{"a.cpp"}
	p.modules[0].c13 = asm.At(0).Bytes(checksums(t, 1)).Bytes(linesOf(t, 1, 16, 16, 0, 0, 7, 8, 9))
	data := p.build(t)
	for _, opt := range []Options{waiting(), {}} {
		f, _ := openWith(t, data, opt)
		var got []symbolize.Function
		if err := f.EachFirst(func(fn *symbolize.Function) error { got = append(got, *fn); return nil }); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{true: 128, false: 140}[opt.Search]; len(got) != want || got[1].Name != "f16" || got[1].Start != 0x1010 || got[1].Size != 16 || len(got[0].Lines) != 0 {
			t.Fatalf("searched %v: %d functions, %+v", opt.Search, len(got), got[1])
		}
		if lines := got[1].Lines; len(lines) == 0 || lines[0].File != "a.cpp" || lines[0].Line != 7 || opt.Search && len(lines) != 1 {
			t.Errorf("searched %v: lines %+v", opt.Search, lines)
		}
		stop := errors.New("enough")
		n := 0
		if err := f.EachFirst(func(*symbolize.Function) error {
			if n++; n == 3 {
				return stop
			}
			return nil
		}); err != stop || n != 3 {
			t.Errorf("searched %v: %d functions, %v", opt.Search, n, err)
		}
	}
}

// TestFirstOfNothing is asked for functions of a file that has symbols alone: it lists what
// EachFunction does.
func TestFirstOfNothing(t *testing.T) {
	p := many(t, 2, 8)
	for i := range p.modules {
		p.modules[i].symbols = asm.At(0)
	}
	f, _ := openWith(t, p.build(t), Options{Search: true})
	if err := f.EachFirst(func(fn *symbolize.Function) error { return errors.New(fn.Name) }); err != nil {
		t.Errorf("a function: %v", err)
	}
}
