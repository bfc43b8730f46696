package elf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/symbolsource"
)

func TestProgram(t *testing.T) {
	main := symbolize.Location{Function: "main", Start: 0x10, Public: true, Stated: 0x20}
	helper := symbolize.Location{Function: "helper", Start: 0x40, Public: true}
	text := symbolize.Location{Function: "<.text ELF section in made>", Public: true}
	symbolsource.Test(t, symbolsource.Suite{
		Open: func(t *testing.T) symbolsource.Source { return program(t).open(t) },
		Known: []symbolsource.Known{
			{Rel: 0, Location: text}, {Rel: 0xf, Location: text}, {Rel: 0x10, Location: main}, {Rel: 0x3f, Location: main},
			{Rel: 0x40, Location: helper}, {Rel: 0x7f, Location: helper}, {Rel: 0x80, None: true},
		},
	})
	f := program(t).open(t)
	want := module.Module{Base: 0x1000, Size: 0x2010, CodeID: "303132333435363738396162636465666768696a", DebugID: "33323130353437363839616263646566" + "0", Arch: "amd64"}
	if m := f.Module(); m != want {
		t.Errorf("%+v, want %+v", m, want)
	}
	var publics []string
	if err := f.EachPublic(func(p symbolize.Public) error { publics = append(publics, p.Name); return nil }); err != nil || len(publics) != 3 {
		t.Errorf("%q, %v", publics, err)
	}
	if notes := f.Notes(); len(notes) > 0 {
		t.Error(notes)
	}
}

// TestHas asks files what they bring.
func TestHas(t *testing.T) {
	has := func(f *File) [4]bool {
		return [4]bool{f.HasDebugInfo(), f.HasSymbols(), f.HasFrames(), f.HasCode()}
	}
	if got := has(program(t).open(t)); got != [4]bool{false, true, false, true} {
		t.Errorf("made: %v", got)
	}
	bare := program(t)
	bare.sections = bare.sections[:1]
	if got := has(bare.open(t)); got != [4]bool{false, false, false, true} {
		t.Errorf("without symbols: %v", got)
	}
	linux := "public/native/dump_syms/linux/"
	for name, want := range map[string][4]bool{
		"basic.full": {true, true, true, true}, "basic.dbg": {true, true, false, false},
		"basic.stripped": {false, false, true, true}, "basic.minidebuginfo": {false, true, true, true},
	} {
		if got := has(openCorpus(t, linux+name)); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestNoBuildID makes an id of the code, as Breakpad does.
func TestNoBuildID(t *testing.T) {
	r := program(t)
	r.sections = r.sections[:3]
	r.sections[0].data = append([]byte("abcd"), make([]byte, 32)...)
	copy(r.sections[0].data[16:], "\x01")
	if m := r.open(t).Module(); m.CodeID != "" || m.DebugID != "646362600000000000000000000000000" {
		t.Errorf("%+v", m)
	}
}

func TestSymbols(t *testing.T) {
	for _, tt := range []struct {
		name    string
		machine uint16
		bits32  bool
		symbol  madeSymbol
		want    string
	}{
		{name: "function", machine: 62, symbol: madeSymbol{"f", 2, 1, 0x1020, 8}, want: "f"},
		{name: "of a resolver", machine: 62, symbol: madeSymbol{"f", 10, 1, 0x1020, 8}, want: "f"},
		{name: "object", machine: 62, symbol: madeSymbol{"f", 1, 1, 0x1020, 8}, want: "<.text"},
		{name: "without a type", machine: 62, symbol: madeSymbol{"f", 0, 1, 0x1020, 8}, want: "<.text"},
		{name: "of another file", machine: 62, symbol: madeSymbol{"f", 2, 0, 0x1020, 8}, want: "<.text"},
		{name: "absolute", machine: 62, symbol: madeSymbol{"f", 2, 0xfff1, 0x1020, 8}, want: "<.text"},
		{name: "in data", machine: 62, symbol: madeSymbol{"f", 2, 3, 0x1020, 8}, want: "<.text"},
		{name: "in no section", machine: 62, symbol: madeSymbol{"f", 2, 99, 0x1020, 8}, want: "<.text"},
		{name: "below the module", machine: 62, symbol: madeSymbol{"f", 2, 1, 0x20, 8}, want: "<.text"},
		{name: "Thumb", machine: 40, bits32: true, symbol: madeSymbol{"f", 2, 1, 0x1021, 8}, want: "f"},
		{name: "mapping", machine: 40, bits32: true, symbol: madeSymbol{"$t", 0, 1, 0x1020, 0}, want: "<.text"},
		{name: "32 bits", machine: 3, bits32: true, symbol: madeSymbol{"f", 2, 1, 0x1020, 8}, want: "f"},
	} {
		r := program(t)
		r.machine, r.bits32 = tt.machine, tt.bits32
		r.sections[1].data, r.sections[2].data = r.symbols(t, tt.symbol)
		if r.bits32 {
			r.segments = func(s *asm.Section, off map[string]uint64) int {
				s.U32(segLoad, uint32(off[".text"]), 0x1000, 0x1000, 0x80, 0x80, 5, 0x1000)
				return 1
			}
		}
		if loc, ok := r.open(t).Locate(0x20); !ok || !strings.HasPrefix(loc.Function, tt.want) || tt.want == "f" && loc.Start != 0x20 {
			t.Errorf("%s: %+v, %v", tt.name, loc, ok)
		}
	}
}

// TestDescriptors follows symbols into .opd.
func TestDescriptors(t *testing.T) {
	r := recipe{machine: machinePPC64, big: true}
	table, names := r.symbols(t, madeSymbol{"f", symbolFunction, 4, 0x2018, 24}, madeSymbol{"lost", symbolFunction, 4, 0x2030, 24})
	r.sections = []made{
		{".text", 1, secExecutable | 2, 0x1000, 0, make([]byte, 0x80)}, {".symtab", secSymbols, 0, 0, 3, table}, {".strtab", 3, 0, 0, 0, names},
		{".opd", 1, 3, 0x2000, 0, asm.At(0).BigEndian().U64(0x1000, 0, 0, 0x1040, 0, 0).Build(t)},
	}
	r.segments = func(s *asm.Section, off map[string]uint64) int {
		load(s, 5, off[".text"], 0x1000, 0x80)
		return 1
	}
	if loc, ok := r.open(t).Locate(0x44); !ok || loc.Function != "f" || loc.Start != 0x40 {
		t.Errorf("%+v, %v", loc, ok)
	}
}

func deflated(data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// TestCompressed reads sections in each form, and ones that lie of their size.
func TestCompressed(t *testing.T) {
	text := []byte(strings.Repeat("what the section holds ", 10))
	head := func(kind uint32, size int) []byte { return asm.At(0).U32(kind, 0).U64(uint64(size), 1).Build(t) }
	gnu := func(size int) []byte { return asm.At(0).BigEndian().Text("ZLIB").U64(uint64(size)).Build(t) }
	for _, tt := range []struct {
		name  string
		made  made
		want  string
		notes string
	}{
		{"flag", made{".debug_str", 1, secCompressed, 0, 0, append(head(1, len(text)), deflated(text)...)}, string(text), ""},
		{"name", made{".zdebug_str", 1, 0, 0, 0, append(gnu(len(text)), deflated(text)...)}, string(text), ""},
		{"shorter than it is", made{".debug_str", 1, secCompressed, 0, 0, append(head(1, 4), deflated(text)...)}, "what", ""},
		{"longer", made{".debug_str", 1, secCompressed, 0, 0, append(head(1, 500), deflated(text)...)}, "",
			"elf: section .debug_str at 0xc0: decompressing failed after 230 of 500 bytes: unexpected EOF"},
		{"a bomb", made{".debug_str", 1, secCompressed, 0, 0, append(head(1, 1<<40), deflated(text)...)}, "",
			"elf: section .debug_str at 0xc0: 1099511627776 bytes cannot be what 62 were compressed from, which are at most 63984: they are left out"},
		{"unknown", made{".debug_str", 1, secCompressed, 0, 0, append(head(7, 9), text...)}, "", "elf: section .debug_str at 0xc0: compression 7 is neither zlib nor zstd"},
		{"no header", made{".debug_str", 1, secCompressed, 0, 0, []byte{1, 2, 3}}, "", "elf: section .debug_str at 0x0: need 4 bytes, have 3"},
		{"no name", made{".zdebug_str", 1, 0, 0, 0, []byte("ZLIC00000000")}, "", "elf: section .zdebug_str at 0xc0: does not begin with ZLIB"},
	} {
		r := program(t)
		r.sections = append([]made{r.sections[0]}, tt.made)
		f := r.open(t)
		src := f.Section(".debug_str")
		got, _ := src.Read("section", 0, uint64(src.Size()))
		if string(got) != tt.want || strings.Join(f.Notes(), "\n") != tt.notes {
			t.Errorf("%s: %q, %q", tt.name, got, f.Notes())
		}
	}
}

func TestLinks(t *testing.T) {
	r := program(t)
	r.sections = append(r.sections,
		made{".gnu_debuglink", 1, 0, 0, 0, asm.At(0).Text("made.debug\x00").Align(4).U32(0x12345678).Build(t)},
		made{".gnu_debugaltlink", 1, 0, 0, 0, []byte("../common.dwz\x00\xab\xcd")})
	got := r.open(t).Links()
	if want := (Links{Link{Name: "made.debug", CRC: 0x12345678, Valid: true}, Link{Name: "../common.dwz", ID: "abcd", Valid: true}}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	sum, err := CRC(bin.NewSource(strings.NewReader("123456789"), 9))
	if sum != 0xcbf43926 || err != nil {
		t.Errorf("%#x, %v", sum, err)
	}
	for _, data := range []string{"no end", "name\x00\x00", "name\x00"} {
		r.sections[4].data = []byte(data)
		if f := r.open(t); f.Links().Debug.Valid || len(f.Notes()) != 1 {
			t.Errorf("%q: %+v, %q", data, f.Links(), f.Notes())
		}
	}
}

func TestAttach(t *testing.T) {
	stripped := program(t)
	stripped.sections = append(stripped.sections[:1:1], stripped.sections[3])
	f := stripped.open(t)
	if err := f.Attach(program(t).open(t)); err != nil {
		t.Fatal(err)
	}
	if loc, ok := f.Locate(0x10); !ok || loc.Function != "main" {
		t.Errorf("%+v, %v", loc, ok)
	}
	other := program(t)
	other.sections[3].data = note(t, "another")
	if err := stripped.open(t).Attach(other.open(t)); err == nil || err.Error() != "elf: build id 616e6f74686572 is not 303132333435363738396162636465666768696a" {
		t.Error(err)
	}
	other = program(t)
	other.machine, other.sections = 183, other.sections[:3]
	if err := stripped.open(t).Attach(other.open(t)); err == nil || err.Error() != "elf: machine 183 is not 62" {
		t.Error(err)
	}
}

func TestReadImage(t *testing.T) {
	f := program(t).open(t)
	p := make([]byte, 0x20)
	for _, tt := range []struct {
		rel  uint64
		want int
	}{{0, 0x20}, {0x60, 0x20}, {0x70, 0x10}, {0x7f, 1}, {0x80, 0}, {0x2000, 0}, {^uint64(0), 0}} {
		if n := f.ReadImage(tt.rel, p); n != tt.want || n > 0 && p[n-1] != 0x90 {
			t.Errorf("%d bytes at %#x, want %d", n, tt.rel, tt.want)
		}
	}
	r := program(t)
	r.sections[0].kind = secNothing
	if n := r.open(t).ReadImage(0, p); n != 0 {
		t.Errorf("%d bytes of a file without code", n)
	}
}

func TestRefused(t *testing.T) {
	whole := program(t).build(t)
	for _, tt := range []struct {
		change func(d []byte) []byte
		want   string
	}{
		{func(d []byte) []byte { return nil }, "elf: header at 0x0: lies beyond the end of the file at 0x0"},
		{func(d []byte) []byte { return d[:3] }, `elf: header at 0x0: begins with "\x7fEL", not an ELF file`},
		{func(d []byte) []byte { d[4] = 3; return d }, "elf: header at 0x4: class 3 is neither 32 nor 64 bits"},
		{func(d []byte) []byte { d[5] = 0; return d }, "elf: header at 0x5: byte order 0 is neither little nor big"},
		{func(d []byte) []byte { d[16] = 1; return d }, "elf: header at 0x10: type 1 is an object file or a core dump, not a module"},
		{func(d []byte) []byte { d[16] = 4; return d }, "elf: header at 0x10: type 4 is an object file or a core dump, not a module"},
		{func(d []byte) []byte { return d[:40] }, "elf: header at 0x28: need 8 bytes, have 0"},
	} {
		data := tt.change(bytes.Clone(whole))
		if _, err := Open(bin.NewSource(bytes.NewReader(data), int64(len(data))), Options{}); fmt.Sprint(err) != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}

// TestTruncated cuts the file after each byte: what is left is refused, or
// answers right or not at all, and says what it lacks.
func TestTruncated(t *testing.T) {
	whole := program(t).build(t)
	for n := range whole {
		f, err := Open(bin.NewSource(bytes.NewReader(whole[:n]), int64(n)), Options{Name: "made"})
		if err != nil {
			continue
		}
		loc, ok := f.Locate(0x20)
		if ok && loc.Function != "main" && !strings.HasPrefix(loc.Function, "<") {
			t.Fatalf("cut at %#x: %+v", n, loc)
		}
		if loc.Function != "main" && len(f.Notes()) == 0 {
			t.Fatalf("cut at %#x: no note", n)
		}
	}
}

// FuzzOpen changes a file. All questions have an answer.
func FuzzOpen(f *testing.F) {
	f.Add(program(f).build(f))
	f.Add(calls(f).build(f))
	for _, machine := range []uint16{machine386, machineARM, machineARM64} {
		r := calls(f)
		r.machine, r.bits32 = machine, machine != machineARM64
		f.Add(r.build(f))
	}
	r := program(f)
	r.sections = append(r.sections, made{".debug_str", 1, secCompressed, 0, 0, []byte{1, 2, 3}}, made{".gnu_debuglink", 1, 0, 0, 0, []byte("a\x00\x00\x001234")})
	f.Add(r.build(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Open(bin.NewSource(bytes.NewReader(data), int64(len(data))), Options{})
		if err != nil {
			return
		}
		file.Module()
		file.Links()
		p := make([]byte, 64)
		for _, rel := range []uint64{0, 0x10, 0x40, 0x1000, 1 << 40, ^uint64(0)} {
			if loc, ok := file.Locate(rel); ok && (loc.Function == "" || loc.Start > rel) {
				t.Fatalf("%#x: %+v", rel, loc)
			}
			file.CallFrame(rel)
			if n := file.ReadImage(rel, p); n < 0 || n > len(p) {
				t.Fatalf("%d bytes", n)
			}
		}
		last := uint64(0)
		if err := file.EachPublic(func(p symbolize.Public) error {
			if p.Start < last {
				t.Fatalf("%+v after %#x", p, last)
			}
			last = p.Start
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		file.Notes()
	})
}
