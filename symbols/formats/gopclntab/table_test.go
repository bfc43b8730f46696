package gopclntab

import (
	"bytes"
	"encoding/binary"
	"io"
	"reflect"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/gotable"
)

// Every layout has the names, places and inlined calls of its functions. Tables before Go 1.16 number inlined calls in
// another way in each release, so that theirs are not read.
func TestLocate(t *testing.T) {
	for _, tt := range []struct {
		name  string
		magic uint32
		text  uint64
	}{{"1.2", magic2, 0}, {"1.16", magic16, 0}, {"1.18", magic18, textAt}, {"1.20", magic20, textAt}, {"1.26", magic20, 0}} {
		data, p := made(t, tt.magic, tt.text)
		table := open(t, data, p, "amd64")
		f := symbolize.Location{Function: "main.f", Start: 0x1000, Size: 0x40, File: "a.go", Line: 12, LineStart: 0x1008}
		inlined := f
		inlined.LineStart, inlined.Inlines = 0x1010, []symbolize.Inline{{Function: "main.inlined", File: "b.go", Line: 5}}
		if tt.magic == magic2 {
			inlined.File, inlined.Line, inlined.Inlines = "b.go", 5, nil
		}
		for rel, want := range map[uint64]symbolize.Location{
			0x0fff: {}, 0x1080: {},
			0x1000: {Function: "main.f", Start: 0x1000, Size: 0x40, File: "a.go", Line: 10, LineStart: 0x1000},
			0x100c: f, 0x1010: inlined, 0x101f: inlined,
			0x1020: {Function: "main.f", Start: 0x1000, Size: 0x40, File: "a.go", Line: 10, LineStart: 0x1020},
			0x1040: {Function: "runtime.goexit", Start: 0x1040, Size: 0x40, File: "a.go", Line: 10, LineStart: 0x1040},
		} {
			loc, ok := table.Locate(rel)
			if ok != (want.Function != "") || !reflect.DeepEqual(loc, want) {
				t.Errorf("Go %s at %#x: %+v, want %+v", tt.name, rel, loc, want)
			}
			if fn, _ := table.Function(rel); fn.Name != want.Function || fn.Start != want.Start || fn.Size != want.Size {
				t.Errorf("Go %s at %#x: %+v", tt.name, rel, fn)
			}
		}
	}
}

// A call whose name cannot be read leaves the line unknown: the line is not the function's.
func TestLostInlines(t *testing.T) {
	data, p := made(t, magic20, textAt)
	p.Tree = nil
	table := open(t, data, p, "amd64")
	if loc, _ := table.Locate(0x1012); loc.Function != "main.f" || loc.File != "" || loc.Line != 0 || loc.Inlines != nil {
		t.Errorf("%+v", loc)
	}
	if loc, _ := table.Locate(0x100c); loc.Line != 12 {
		t.Errorf("%+v", loc)
	}
}

// Without moduledata, the start of the text is that of the header, which Go 1.26 does not write.
func TestNoModuleData(t *testing.T) {
	for text, want := range map[uint64]int{textAt: 2, 0: 0} {
		data, p := made(t, magic20, text)
		p.Program.Pointers = nil
		table := open(t, data, p, "amd64")
		if table.Len() != want || len(table.Notes()) != 1-want/2 {
			t.Errorf("text %#x: %d functions, notes %q", text, table.Len(), table.Notes())
		}
		if _, ok := table.Locate(0x1000); ok != (want > 0) {
			t.Errorf("text %#x: found %t", text, ok)
		}
	}
}

// withHole is the memory of a process, in which a page in front of the table is not captured.
type withHole struct{ *bytes.Reader }

const holeAt = gotable.TextAt - base + 0x2000

func (w withHole) ReadAt(p []byte, off int64) (int, error) {
	if off < holeAt+bin.PageSize && off+int64(len(p)) > holeAt {
		return 0, io.ErrUnexpectedEOF
	}
	return w.Reader.ReadAt(p, off)
}

// A table is found in the memory of a process by its magic number, wherever the module is loaded, with the inlined calls that it refers to.
func TestInMemory(t *testing.T) {
	for _, tt := range []struct {
		magic uint32
		moved uint64 // only the start of the text of Go 1.26 is in moduledata alone
	}{{gotable.Magic2, 0}, {gotable.Magic16, 0}, {gotable.Magic18, 0}, {gotable.Magic20, 0}, {gotable.Magic20, 0x5555_0000_0000}} {
		text := uint64(textAt)
		if tt.moved != 0 {
			text = 0
		}
		data, p := made(t, tt.magic, text)
		memory := make([]byte, gotable.DataAt-base+0x2000)
		copy(memory[gotable.TableAt-base:], data)
		copy(memory[gotable.TreeAt-base:], p.Tree)
		for at, value := range p.Program.Pointers {
			binary.LittleEndian.PutUint64(memory[at-base:], value+tt.moved)
		}
		table := InMemory(withHole{bytes.NewReader(memory)}, int64(len(memory)), base+tt.moved, "amd64")
		loc, ok := table.Locate(textAt - base + 0x14)
		if !ok || loc.Function != "main.f" || loc.Start != textAt-base || tt.magic != gotable.Magic2 && len(loc.Inlines) != 1 {
			t.Errorf("%#x at %#x: %+v", tt.magic, base+tt.moved, loc)
		}
		if frame, ok := table.CallFrame(textAt - base + 4); !ok || !strings.HasPrefix(unwind.RuleText(frame.Rules), ".cfa: rsp 32 + .ra: .cfa -8 + ^") {
			t.Errorf("%#x: rules %s", tt.magic, unwind.RuleText(frame.Rules))
		}
	}
	memory := make([]byte, 0x4000)
	if table := InMemory(bytes.NewReader(memory), int64(len(memory)), base, "amd64"); table.Len() != 0 {
		t.Errorf("%d functions in memory without a table", table.Len())
	}
}

// The frame's size gives the return address and the saved frame pointer. Go's outermost functions have no caller.
func TestCallFrame(t *testing.T) {
	data, p := made(t, magic20, textAt)
	for _, tt := range []struct {
		arch, want string
		rel        uint64
	}{
		{"amd64", ".cfa: rsp 8 + .ra: .cfa -8 + ^", 0x1000},
		{"amd64", ".cfa: rsp 32 + .ra: .cfa -8 + ^ rbp: .cfa -16 + ^", 0x1004},
		{"amd64", ".cfa: rsp 32 + .ra: .undef", 0x1044},
		{"arm64", ".cfa: sp 0 + .ra: lr", 0x1000},
		{"arm64", ".cfa: sp 24 + .ra: .cfa -24 + ^ fp: .cfa -32 + ^", 0x1004},
		{"amd64", "", 0x1080},
		{"", "", 0x1000},
	} {
		table := open(t, data, p, tt.arch)
		frame, ok := table.CallFrame(tt.rel)
		if got := unwind.RuleText(frame.Rules); got != tt.want || ok != (got != "") {
			t.Errorf("%s at %#x: %q, want %q", tt.arch, tt.rel, got, tt.want)
		}
	}
	table := open(t, data, p, "amd64")
	var list []string
	if err := table.EachCallFrame(func(c *unwind.CallFrameTable) error {
		for _, r := range append([]unwind.CallFrameRow{{Addr: c.Start, Rules: c.Rules}}, c.Rows...) {
			list = append(list, unwind.RuleText(r.Rules))
		}
		return nil
	}); err != nil || strings.Join(list, "; ") != ".cfa: rsp 8 + .ra: .cfa -8 + ^; .cfa: rsp 32 + rbp: .cfa -16 + ^; .cfa: rsp 8 + .ra: .undef; .cfa: rsp 32 +" {
		t.Errorf("%q, %v", list, err)
	}
	if table.First() == nil || table.First().Start != 0x1000 {
		t.Errorf("first %+v", table.First())
	}
}

// A function that leaves its stack has no rules, and no other table's rules are used for it.
func TestMovedStack(t *testing.T) {
	data, p := made(t, magic20, textAt)
	at := bytes.LastIndex(data, []byte{0, flagTop, 0, 4})
	data[at+1] = flagMoves
	table := open(t, data, p, "amd64")
	if frame, ok := table.CallFrame(0x1044); ok || frame.Size != 0x40 {
		t.Errorf("%+v, %t", frame, ok)
	}
	copy(data[bytes.Index(data, []byte("runtime.goexit")):], "runtime.cgocallback\x00")
	if frame, _ := open(t, data, p, "amd64").CallFrame(0x1044); unwind.RuleText(frame.Rules) != ".cfa: rsp 32 + .ra: .cfa -8 + ^ rbp: .cfa -16 + ^" {
		t.Errorf("of a callback: %q", unwind.RuleText(frame.Rules))
	}
	data[at+1] = flagAsm
	if frame, _ := open(t, data, p, "amd64").CallFrame(0x1044); unwind.RuleText(frame.Rules) != ".cfa: rsp 32 + .ra: .cfa -8 + ^ rbp: .undef" {
		t.Errorf("of assembly: %q", unwind.RuleText(frame.Rules))
	}
}

// Listed functions have the lines and inlined calls that a lookup finds.
func TestList(t *testing.T) {
	for _, magic := range []uint32{magic16, magic18, magic20} {
		data, p := made(t, magic, textAt)
		var all []*symbolize.Function
		if err := open(t, data, p, "amd64").EachFunction(func(f *symbolize.Function) error {
			all = append(all, f)
			return nil
		}); err != nil || len(all) != 2 {
			t.Fatalf("%d functions, %v", len(all), err)
		}
		want := symbolize.Function{
			Name: "main.f", Start: 0x1000, Size: 0x40,
			Lines:   []symbolize.Line{line(0x1000, 8, "a.go", 10), line(0x1008, 8, "a.go", 12), line(0x1010, 0x10, "b.go", 5), line(0x1020, 0x20, "a.go", 10)},
			Inlines: []symbolize.InlineCall{{Function: "main.inlined", CallFile: "a.go", CallLine: 12, Ranges: []symbolize.Range{{Start: 0x1010, Size: 0x10}}}},
		}
		if !reflect.DeepEqual(*all[0], want) {
			t.Errorf("%#x: %+v, want %+v", magic, *all[0], want)
		}
	}
}

func line(start, size uint64, file string, n uint32) symbolize.Line {
	return symbolize.Line{Start: start, Size: size, File: file, Line: n}
}

// Wrong headers are errors, and a table is found by its header where no section names it.
func TestOpen(t *testing.T) {
	data, _ := made(t, magic20, textAt)
	for name, edit := range map[string]func([]byte){
		"magic":     func(b []byte) { b[0] = 0x12 },
		"pointers":  func(b []byte) { b[7] = 5 },
		"functions": func(b []byte) { binary.LittleEndian.PutUint64(b[8:], 1<<60) },
		"list":      func(b []byte) { binary.LittleEndian.PutUint64(b[64:], 1<<40) },
	} {
		bad := bytes.Clone(data)
		edit(bad)
		if _, err := Open(bin.NewSource(bytes.NewReader(bad), int64(len(bad))), Options{}); err == nil {
			t.Errorf("a wrong %s is no error", name)
		}
	}
	file := append(make([]byte, 1<<16+40), data...)
	if found := places(bin.NewSource(bytes.NewReader(file), int64(len(file)))); !reflect.DeepEqual(found, []int64{1<<16 + 40}) {
		t.Errorf("found %v", found)
	}
}

// FuzzTable opens any bytes as a table, and makes every query.
func FuzzTable(f *testing.F) {
	for _, magic := range []uint32{magic2, magic16, magic18, magic20} {
		data, _ := made(f, magic, textAt)
		f.Add(data)
	}
	_, p := made(f, magic20, textAt)
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := Open(bin.NewSource(bytes.NewReader(data), int64(len(data))), Options{Arch: "amd64", Addr: gotable.TableAt, Base: base, Image: p})
		if err != nil {
			return
		}
		for rel := uint64(0xff0); rel < 0x1090; rel += 3 {
			loc, ok := table.Locate(rel)
			if ok && (rel < loc.Start || rel-loc.Start >= loc.Size) {
				t.Fatalf("%#x is not in %+v", rel, loc)
			}
			table.CallFrame(rel)
		}
		if table.Len() < 1<<12 {
			_ = table.EachFunction(func(*symbolize.Function) error { return nil })
			_ = table.EachCallFrame(func(*unwind.CallFrameTable) error { return nil })
		}
	})
}
