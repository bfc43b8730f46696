package macho

import (
	"strings"
	"testing"

	"crashglass/core/process/module"
	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/symbolsource"
)

func TestIdentity(t *testing.T) {
	for _, tt := range []struct {
		m    testImage
		want module.Module
		cpu  string
	}{
		{testImage{cpu: cpuAMD64, sub: 0x80000003, kind: 2, uuid: 0xab},
			module.Module{Base: testBase, Size: 0x4000, CodeID: strings.Repeat("ab", 16), DebugID: strings.Repeat("AB", 16) + "0", Arch: "amd64"}, "x86_64"},
		{testImage{cpu: cpuARM64, sub: 0x80000002, kind: 6, uuid: 1, dylib: "/usr/lib/libz.1.dylib"},
			module.Module{Base: testBase, Size: 0x4000, CodeFile: "libz.1.dylib", DebugFile: "libz.1.dylib", CodeID: strings.Repeat("01", 16), DebugID: strings.Repeat("01", 16) + "0", Arch: "arm64e"}, "arm64e"},
		{testImage{cpu: cpuARM, sub: 9, kind: 2, uuid: 0xf0, thin32: true},
			module.Module{Base: 0x4000, Size: 0x4000, CodeID: strings.Repeat("f0", 16), DebugID: strings.Repeat("F0", 16) + "0", Arch: "arm"}, "armv7"},
		{testImage{cpu: cpuX86, sub: 3, kind: 8, uuid: 2, thin32: true},
			module.Module{Base: 0x4000, Size: 0x4000, CodeID: strings.Repeat("02", 16), DebugID: strings.Repeat("02", 16) + "0", Arch: "x86"}, "i386"},
		{testImage{cpu: 99, sub: 7, kind: 2},
			module.Module{Base: testBase, Size: 0x4000, CodeID: strings.Repeat("00", 16), DebugID: strings.Repeat("00", 16) + "0"}, "cputype 99 cpusubtype 7"},
	} {
		f := tt.m.open(t)
		if got := f.Module(); got != tt.want {
			t.Errorf("%+v, want %+v", got, tt.want)
		}
		if got := f.CPU(); got != tt.cpu {
			t.Errorf("%s, want %s", got, tt.cpu)
		}
	}
}

// fat is a fat file of some images, in 64 or 32 bits.
func fat(t testing.TB, is64 bool, images ...*testImage) []byte {
	s := asm.At(0).BigEndian()
	if is64 {
		s.U32(fatMagic64, uint32(len(images)))
	} else {
		s.U32(fatMagic, uint32(len(images)))
	}
	var files [][]byte
	off := uint64(0x1000)
	for _, m := range images {
		data := m.build(t)
		s.U32(m.cpu, m.sub)
		if is64 {
			s.U64(off, uint64(len(data))).U32(12, 0)
		} else {
			s.U32(uint32(off), uint32(len(data)), 12)
		}
		files, off = append(files, data), off+uint64(len(data))
	}
	pad(s, 0x1000)
	for _, data := range files {
		s.Bytes(data)
	}
	return s.Build(t)
}

func TestFat(t *testing.T) {
	for _, is64 := range []bool{false, true} {
		one, two := someImage(t), &testImage{cpu: cpuARM64, kind: 2, uuid: 7}
		data := fat(t, is64, one, two)
		files, err := OpenAll(source(data), Options{})
		if err != nil || len(files) != 2 {
			t.Fatal(len(files), err)
		}
		if files[0].CPU() != "x86_64" || files[1].CPU() != "arm64" {
			t.Error(files[0].CPU(), files[1].CPU())
		}
		if loc, ok := files[0].Locate(0x1004); !ok || loc.Function != "main" {
			t.Errorf("%+v, %v", loc, ok)
		}
		if _, err := Open(source(data), Options{}); err == nil || err.Error() != "macho: the file is for 2 CPUs, and one is wanted" {
			t.Error(err)
		}
		if _, err := Open(source(fat(t, is64, one)), Options{}); err != nil {
			t.Error(err)
		}
	}
}

func TestNoMachO(t *testing.T) {
	image := someImage(t).build(t)
	object := someImage(t)
	object.kind = typeObject
	noText := someImage(t).build(t)
	copy(noText[32+8:], "__TEXX")
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "macho: header at 0x0: 8 bytes reach beyond the end of the file at 0x0"},
		{"short", image[:20], "macho: header at 0x0: 28 bytes reach beyond the end of the file at 0x14"},
		{"other", make([]byte, 64), "macho: header at 0x0: the magic number is 0x00000000, not 0xfeedface or 0xfeedfacf"},
		{"object", object.build(t), "macho: header at 0x0: a file of type 1 is no module"},
		{"no text", noText, "macho: header at 0x0: no load command says where __TEXT is"},
		{"Java", asm.At(0).BigEndian().U32(fatMagic, 52).Zeros(4000).Build(t), "macho: fat header at 0x4: 52 slices, the limit is 32"},
		{"fat without files", asm.At(0).BigEndian().U32(fatMagic, 1, 7, 3, 0x5000, 16, 0).Build(t), "macho: fat header at 0x8: none of 1 slices lies in the file of 28 bytes"},
	} {
		if _, err := OpenAll(source(tt.data), Options{}); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

func TestSymbols(t *testing.T) {
	f := someImage(t).open(t)
	for _, tt := range []struct {
		rel  uint64
		want symbolize.Location
	}{
		{0x1000, symbolize.Location{Function: "main", Start: 0x1000, Public: true, Multiple: true}},
		{0x101f, symbolize.Location{Function: "main", Start: 0x1000, Public: true, Multiple: true}},
		{0x1020, symbolize.Location{Function: "_ZN1a1bEv", Start: 0x1020, Public: true}},
		{0x1040, symbolize.Location{}}, // stripped: a function begins here
		{0x1060, symbolize.Location{}}, // behind __text
		{0x1800, symbolize.Location{}}, // a stub
		{0, symbolize.Location{}},
	} {
		if got, ok := f.Locate(tt.rel); ok != (tt.want.Function != "") || got.Function != tt.want.Function || got.Start != tt.want.Start || got.Multiple != tt.want.Multiple {
			t.Errorf("%#x: %+v, %v, want %+v", tt.rel, got, ok, tt.want)
		}
	}
	var names []string
	if err := f.EachPublic(func(p symbolize.Public) error { names = append(names, p.Name); return nil }); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(names, " "); got != "main _ZN1a1bEv" {
		t.Errorf("publics %s", got)
	}
	if notes := f.Notes(); len(notes) > 0 {
		t.Error(notes)
	}
}

// Thumb code has its own bit in symbols, and the lowest bit of addresses in old files.
func TestThumb(t *testing.T) {
	m := &testImage{cpu: cpuARM, sub: 9, kind: 2, thin32: true, code: make([]byte, 16), starts: asm.ULEB(0x1001, 8, 0),
		symbols: []testSymbol{{"_f", 0xf, 1, 8, 0x5000}, {"_g", 0xf, 1, 8, 0x5009}}}
	f := m.open(t)
	if loc, ok := f.Locate(0x1008); !ok || loc.Function != "g" || loc.Start != 0x1008 {
		t.Errorf("%+v, %v", loc, ok)
	}
	if got := f.functions(); len(got) != 2 || got[0] != 0x1000 || got[1] != 0x1008 {
		t.Errorf("%#x", got)
	}
}

func TestImage(t *testing.T) {
	m := someImage(t)
	f := m.open(t)
	p := make([]byte, 8)
	if n := f.ReadImage(0x1000, p); n != 8 || string(p) != string(m.code[:8]) {
		t.Errorf("%d bytes, % x", n, p)
	}
	if n := f.ReadImage(0x3ffc, p); n != 4 { // __DATA follows, which may be written to
		t.Errorf("%d bytes at the end of __TEXT", n)
	}
	if n := f.ReadImage(^uint64(0)-3, p); n != 0 {
		t.Errorf("%d bytes at the end of the address space", n)
	}
	m.encrypted = true
	f = m.open(t)
	if n := f.ReadImage(0xffc, p); n != 4 {
		t.Errorf("%d bytes before what is encrypted", n)
	}
	if n := f.ReadImage(0x1ff8, p); n != 0 {
		t.Errorf("%d bytes of what is encrypted", n)
	}
	if cf, ok := f.CallFrame(0x1010); !ok || !cf.AtCalls {
		t.Errorf("without code: %+v, %v", cf, ok)
	}
	m.encrypted = false
	if cf, ok := m.open(t).CallFrame(0x1010); !ok || cf.AtCalls {
		t.Errorf("with code: %+v, %v", cf, ok)
	}
	m.starts, m.symbols = nil, nil
	if cf, ok := m.open(t).CallFrame(0x1010); !ok || !cf.AtCalls {
		t.Errorf("without functions: %+v, %v", cf, ok)
	}
	m.kind = typeDSYM
	if n := m.open(t).ReadImage(0x1000, p); n != 0 {
		t.Errorf("%d bytes of a dSYM", n)
	}
}

func TestSuite(t *testing.T) {
	symbolsource.Test(t, symbolsource.Suite{
		Open: func(t *testing.T) symbolsource.Source { return someImage(t).open(t) },
		Known: []symbolsource.Known{
			{Rel: 0x1004, Location: symbolize.Location{Function: "main", Start: 0x1000, Public: true, Multiple: true}},
			{Rel: 0x1024, Location: symbolize.Location{Function: "_ZN1a1bEv", Start: 0x1020, Public: true}},
			{Rel: 0x1050, None: true},
		},
		Top: 0x2000,
	})
	for _, name := range []string{"crash", dsym} {
		t.Run(name, func(t *testing.T) {
			symbolsource.Test(t, symbolsource.Suite{
				Open:  func(t *testing.T) symbolsource.Source { return openCorpus(t, name) },
				Known: []symbolsource.Known{{Rel: 0x10, None: true}},
			})
		})
	}
}
