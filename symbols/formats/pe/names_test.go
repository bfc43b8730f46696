package pe

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
)

// exporting is an image with a table of exports:
//
//	1  text       "first"
//	2  text+0x20  no name
//	3  a forwarder
//	4  text+0x40  "alias", "second"
//	5  nothing
//	6  rdata      "variable"
func exporting(t testing.TB) *image {
	s := asm.At(edata).Zeros(12).Ref32("dll").U32(1, 6, 5).Ref32("addresses").Ref32("names").Ref32("ordinals").
		Mark("addresses").U32(text, text+0x20).Ref32("forward").U32(text+0x40, 0, rdata).
		Mark("names").Ref32("alias").Ref32("first").Ref32("forwarded").Ref32("second").Ref32("variable").
		Mark("ordinals").U16(3, 0, 2, 3, 5).
		Mark("dll").Text("lib.dll\x00").
		Mark("forward").Text("other.func\x00").
		Mark("alias").Text("alias\x00").Mark("first").Text("first\x00").Mark("forwarded").Text("forwarded\x00").
		Mark("second").Text("second\x00").Mark("variable").Text("variable\x00")
	size := uint32(s.Here() - edata)
	return newImage(machineAMD64).
		section(t, ".text", code, asm.At(text).Bytes(nops(0x100))).
		section(t, ".edata", readOnly, s).
		section(t, ".rdata", readOnly, asm.At(rdata).Zeros(0x40)).
		dir(dirExport, edata, size)
}

func publics(t testing.TB, f *File) (out []string) {
	t.Helper()
	err := f.EachPublic(func(p symbolize.Public) error {
		s := fmt.Sprintf("%#x %s", p.Start, p.Name)
		if p.Multiple {
			s += " m"
		}
		out = append(out, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestExports(t *testing.T) {
	f := open(t, exporting(t).build(t))
	want := []string{"0x1000 first", "0x1020 Ordinal2", "0x1040 alias m"}
	if got := publics(t, f); !slices.Equal(got, want) || len(f.Notes()) > 0 {
		t.Errorf("%q %q", got, f.Notes())
	}
	stop := errors.New("stop")
	if err := f.EachPublic(func(symbolize.Public) error { return stop }); err != stop {
		t.Error(err)
	}
}

func TestExportsDamaged(t *testing.T) {
	tests := []struct {
		name string
		at   int // in the directory
		word uint32
		want []string
		note string
	}{
		{"addresses", 20, 1 << 30, nil, "pe: export address table at 0x628: need 4294967296 bytes, have 111"},
		{"names", 24, 1 << 20, []string{"0x1000 Ordinal1", "0x1020 Ordinal2", "0x1040 Ordinal4"}, "pe: export name table at 0x640: need 4194304 bytes, have 87"},
		{"ordinals", 36, 0x7000, []string{"0x1000 Ordinal1", "0x1020 Ordinal2", "0x1040 Ordinal4"}, "pe: export ordinal table at 0x7000: this address is not in the file"},
		{"fewer addresses", 20, 4, []string{"0x1000 first", "0x1020 Ordinal2", "0x1040 alias m"}, "pe: export ordinal table at 0x600: ordinal 5 exceeds the 4 addresses"},
	}
	for _, tt := range tests {
		data := exporting(t).build(t)
		copy(data[0x600+tt.at:], asm.At(0).U32(tt.word).Build(t))
		f := open(t, data)
		if got := publics(t, f); !slices.Equal(got, tt.want) || !slices.Contains(f.Notes(), tt.note) {
			t.Errorf("%s: %q\n%q", tt.name, got, f.Notes())
		}
	}
}

// coff is a symbol of the COFF table with a short name.
func coff(s *asm.Section, name string, value uint32, section int16, kind uint16, class, aux byte) *asm.Section {
	return s.Text(name).Zeros(8-len(name)).U32(value).U16(uint16(section), kind).U8(class, aux)
}

// withSymbols has the symbols of MinGW.
func withSymbols(t testing.TB, machine uint16) *image {
	im := newImage(machine).section(t, ".text", code, asm.At(text).Bytes(nops(0x100))).
		section(t, ".data", writable, asm.At(rdata).Zeros(0x40))
	s := asm.At(0)
	coff(s, ".file", 0, -2, 0, 103, 1).Zeros(18)
	coff(s, "_start", 0, 1, typeFunction, classExternal, 1).Text("_no_name").Zeros(10) // in an auxiliary record
	coff(s, "static", 0x10, 1, typeFunction, classStatic, 0)
	coff(s, "label", 0x18, 1, 0, classStatic, 0)
	coff(s, "asm", 0x20, 1, 0, classExternal, 0)
	coff(s, "data", 0, 2, 0, classExternal, 0)
	coff(s, "outside", 0x1000, 1, 0, classExternal, 0)
	coff(s, "nowhere", 0, 0, 0, classExternal, 0)
	s.U32(0, 4, 0x30).U16(1, typeFunction).U8(classExternal, 0)
	im.symbols = uint32(s.Here() / symbolSize)
	im.tail = s.U32(40).Text("_a_name_of_more_than_eight\x00").Build(t)
	return im
}

func TestCOFFSymbols(t *testing.T) {
	f := open(t, withSymbols(t, machineAMD64).build(t))
	want := []string{"0x1000 _start", "0x1010 static", "0x1020 asm", "0x1030 _a_name_of_more_than_eight"}
	if got := publics(t, f); !slices.Equal(got, want) || len(f.Notes()) > 0 {
		t.Errorf("%q %q", got, f.Notes())
	}
	data := withSymbols(t, machineAMD64).build(t)
	copy(data[0x90:], asm.At(0).U32(1<<30).Build(t)) // NumberOfSymbols
	f = open(t, data)
	if got := publics(t, f); got != nil || len(f.Notes()) != 1 {
		t.Errorf("%q %q", got, f.Notes())
	}
}

// Variables are named by the nearest symbol below in their section; a section's own symbol is none. Names of x86 lose the linker's underscore.
func TestDataAt(t *testing.T) {
	for machine, first := range map[uint16]string{machineI386: "data", machineAMD64: "_data"} {
		im := newImage(machine).section(t, ".text", code, asm.At(text).Bytes(nops(0x100))).section(t, ".data", writable, asm.At(rdata).Zeros(0x40))
		s := asm.At(0)
		coff(s, "_main", 0, 1, typeFunction, classExternal, 0)
		coff(s, "_data", 8, 2, 0, classExternal, 0)
		coff(s, ".data", 16, 2, 0, classStatic, 0)
		coff(s, "local.1", 24, 2, 0, classStatic, 0)
		im.symbols = uint32(s.Here() / symbolSize)
		im.tail = s.U32(4).Build(t)
		f := open(t, im.build(t))
		for rel, want := range map[uint64]string{rdata: "", rdata + 8: first, rdata + 20: first, rdata + 30: "local.1", text: "", text + 0x10_0000: ""} {
			if got, start := f.DataAt(rel); got != want || got != "" && start > rel {
				t.Errorf("%#x: %q from %#x, want %q", rel, got, start, want)
			}
		}
	}
}

// TestAliases has a symbol and an export of one function.
func TestAliases(t *testing.T) {
	for machine, want := range map[uint16]string{machineI386: "0x1000 start", machineAMD64: "0x1000 start m"} {
		im := withSymbols(t, machine)
		s := asm.At(edata).Zeros(16).U32(1, 1, 1).Ref32("a").Ref32("n").Ref32("o").
			Mark("a").U32(text).Mark("n").Ref32("s").Mark("o").U16(0).Mark("s").Text("start\x00")
		im.section(t, ".edata", readOnly, s).dir(dirExport, edata, 40)
		if got := publics(t, open(t, im.build(t))); len(got) == 0 || got[0] != want {
			t.Errorf("%#x: %q, want %q first", machine, got, want)
		}
	}
}

// TestNamesEndWithFunctions asks for addresses behind functions that the
// unwind table knows: a name does not reach into another function.
func TestNamesEndWithFunctions(t *testing.T) {
	im := exporting(t).
		section(t, ".xdata", readOnly, asm.At(xdata).U32(1).Bytes(info(1, flagChained, 0, 0).U32(text, text+0x18, xdata).Build(t))).
		section(t, ".pdata", readOnly, asm.At(pdata).U32(text, text+0x18, xdata, text+0x18, text+0x1c, xdata, text+0x60, text+0x70, xdata+4)).
		dir(dirException, pdata, 36)
	f := open(t, im.build(t))
	for _, tt := range []struct {
		rel   uint64
		name  string
		start uint64
		size  uint64 // 0 for a symbol without an end
	}{
		{text - 1, "", 0, 0}, {text, "first", text, 0x18}, {text + 0x17, "first", text, 0x18},
		{text + 0x18, "", 0, 0}, {text + 0x1b, "", 0, 0}, // another function, which has no name
		{text + 0x1c, "", 0, 0}, // a leaf behind it
		{text + 0x20, "Ordinal2", text + 0x20, 0}, {text + 0x3f, "Ordinal2", text + 0x20, 0}, {text + 0x50, "alias", text + 0x40, 0},
		{text + 0x60, "first", text + 0x60, 0x10}, // a part of the first function
		{text + 0x70, "", 0, 0}, {rdata, "", 0, 0}, {xdata, "", 0, 0},
	} {
		loc, _ := f.Locate(tt.rel)
		fn, _ := f.Function(tt.rel)
		if loc.Function != tt.name || loc.Start != tt.start || loc.Size != tt.size || loc.Public != (tt.name != "" && tt.size == 0) {
			t.Errorf("%#x: %+v, want %+v", tt.rel, loc, tt)
		}
		if fn.Name != loc.Function || fn.Start != loc.Start || fn.Size != loc.Size || fn.Public != loc.Public {
			t.Errorf("%#x: %+v, %+v", tt.rel, fn, loc)
		}
	}
	if f.HasNames() {
		t.Error("HasNames is true for an image with a few exports")
	}
}

// TestEachFunction tells functions of the unwind table: those with a name, and
// apart from them those without one.
func TestEachFunction(t *testing.T) {
	im := exporting(t).section(t, ".xdata", readOnly, asm.At(xdata).U32(1)).
		section(t, ".pdata", readOnly, asm.At(pdata).U32(text, text+0x18, xdata, text+0x18, text+0x1c, xdata)).
		dir(dirException, pdata, 24)
	f := open(t, im.build(t))
	var named, unnamed []string
	err := f.EachFunction(func(fn *symbolize.Function) error {
		named = append(named, fmt.Sprintf("%#x %x %s", fn.Start, fn.Size, fn.Name))
		return nil
	})
	if want := []string{"0x1000 18 first"}; err != nil || !slices.Equal(named, want) {
		t.Errorf("%q, %v, want %q", named, err, want)
	}
	err = f.EachUnnamed(func(start, size uint64) error {
		unnamed = append(unnamed, fmt.Sprintf("%#x %x", start, size))
		return nil
	})
	if want := []string{"0x1018 4"}; err != nil || !slices.Equal(unnamed, want) {
		t.Errorf("%q, %v, want %q", unnamed, err, want)
	}
	if got := publics(t, f); !slices.Equal(got, []string{"0x1020 Ordinal2", "0x1040 alias m"}) {
		t.Errorf("%q", got)
	}
}

// TestProgress ends listings when the caller asks for it.
func TestProgress(t *testing.T) {
	stop := errors.New("stop")
	f, err := Open(source(whole(t)), Options{Progress: func(int64, int64) error { return stop }})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.EachCallFrame(nil); err != stop {
		t.Error(err)
	}
	if err := f.EachFunction(nil); err != stop {
		t.Error(err)
	}
}
