package pdb

import (
	"slices"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/symbolsource"
)

const (
	byFrame  = "$T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + ="
	bySearch = "$T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + ="
)

// x86 is a program for x86:
//
//	1000 takes(int, long long)   frame data of 20 bytes, inside it that of 101c
//	1020 std, in public _std@12  no frame data
//	1030 asm, without types      FPO
//	1040 by type (int, Pair)     nothing else says how large its arguments are
//	1050 a jump to an import
func x86(t testing.TB) *program {
	p := &program{
		machine:  machineX86,
		sections: [][3]uint32{{0x1000, 0x100, codeFlags}},
		types: [][]byte{
			rec(t, 0x1201, asm.At(0).U32(2, 0x74, 0x76)),
			rec(t, 0x1008, asm.At(0).U32(0x74).U8(7, 0).U16(2).U32(0x1000)),
			rec(t, 0x1505, asm.At(0).U16(0, 0).U32(0, 0, 0).U16(6).Text("Pair\x00")),
			rec(t, 0x1201, asm.At(0).U32(2, 0x74, 0x1002)),
			rec(t, 0x1008, asm.At(0).U32(0x74).U8(0, 1).U16(2).U32(0x1003)),
		},
		text:    []string{byFrame + " ", bySearch},
		publics: []symbolAt{{"_std@12", 1, 0x20}, {"_asm", 1, 0x30}, {"@quick@16", 1, 0x60}, {"__real@3ff0", 1, 0x70}, {"_under", 1, 0x80}},
	}
	sym := symbolRecords()
	for _, fn := range []struct {
		name     string
		typ, off uint32
	}{{"takes", 0x1001, 0}, {"std", 0x1001, 0x20}, {"asm", 0, 0x30}, {"bytype", 0x1004, 0x40}} {
		addProc(t, sym, fn.name, fn.typ, 1, fn.off, 0x10)
		addEnd(t, sym, 6)
	}
	sym.Bytes(rec(t, 0x1102, asm.At(0).U32(0, 0, 0, 0x50).U16(1, 6).U8(0).Text("Import\x00")))
	addEnd(t, sym, 6)
	p.modules = []object{{"m.obj", sym, asm.At(0), [][3]uint32{{1, 0, 0x60}}}}
	p.optional = map[int][]byte{
		optFrameData: asm.At(0).
			U32(0x1000, 0x20, 8, 12, 0, p.nameAt(byFrame+" ")).U16(3, 4).U32(4).
			U32(0x101c, 2, 0, 12, 0, p.nameAt(bySearch)).U16(0, 0).U32(0).
			U32(0x1080, 0xffffff6e, 0, 0, 0, 1).U16(0, 0).U32(0).Build(t),
		optFPO: asm.At(0).
			U32(0x101e, 4, 0).U16(0, 0).
			U32(0x1030, 0x10, 2).U16(3, 0x1000|2<<8|5). // uses ebp, saves two registers, prologue of 5
			U32(0x1060, 0x10, 0).U16(0, 3<<14).Build(t),
	}
	return p
}

func TestX86(t *testing.T) {
	data := x86(t).build(t)
	symbolsource.Test(t, symbolsource.Suite{
		Open: func(t *testing.T) symbolsource.Source { return openBytes(t, data) },
		Top:  0x1200,
		Known: []symbolsource.Known{
			{Rel: 0x1000, Location: symbolize.Location{Function: "takes(int, int64_t)", Start: 0x1000, Size: 0x10}},
			{Rel: 0x1034, Location: symbolize.Location{Function: "asm", Start: 0x1030, Size: 0x10}},
			{Rel: 0x1052, Location: symbolize.Location{Function: "Import", Start: 0x1050, Size: 6}},
			{Rel: 0x1056, None: true},
			{Rel: 0x1064, Location: symbolize.Location{Function: "quick", Linkage: "@quick@16", Start: 0x1060, Public: true}},
			{Rel: 0x1070, None: true},
			{Rel: 0x1080, Location: symbolize.Location{Function: "under", Linkage: "_under", Start: 0x1080, Public: true}},
		},
	})
	f := openBytes(t, data)
	for rel, want := range map[uint64]uint32{0x1000: 12, 0x1020: 12, 0x1030: 12, 0x1040: 4 + 4 + 8, 0x1060: 8} {
		if fn, ok := f.Function(rel); !ok || fn.ParamSize != want {
			t.Errorf("%#x: %+v, want %d bytes of arguments", rel, fn, want)
		}
	}
}

func TestWinFrames(t *testing.T) {
	f := openBytes(t, x86(t).build(t))
	outer := unwind.WinFrame{Start: 0x1000, Size: 0x20, Prolog: 3, FrameData: true, ParamSize: 12, SavedRegs: 4, Locals: 8, Program: byFrame}
	inner := unwind.WinFrame{Start: 0x101c, Size: 2, FrameData: true, ParamSize: 12, Program: bySearch}
	short := unwind.WinFrame{Start: 0x101e, Size: 4}
	fpo := unwind.WinFrame{Start: 0x1030, Size: 0x10, Prolog: 5, ParamSize: 12, SavedRegs: 8, Locals: 8, AllocatesEBP: true}
	for rel, want := range map[uint64]unwind.WinFrame{
		0xfff: {}, 0x1000: outer, 0x101b: outer, 0x101c: inner, 0x101d: inner,
		0x101e: outer, // frame data is preferred to FPO
		0x1020: short, 0x1022: {}, 0x1030: fpo, 0x103f: fpo, 0x1060: {}, 0x1080: {},
	} {
		if got, ok := f.WinFrame(rel); got != want || ok != (want.Size > 0) {
			t.Errorf("%#x: %+v, want %+v", rel, got, want)
		}
	}
	if got := listing(t, f).frames; !slices.Equal(got, []unwind.WinFrame{outer, inner, short, fpo}) {
		t.Errorf("listed %+v", got)
	}
	if notes := f.Notes(); len(notes) > 0 {
		t.Errorf("notes: %q", notes)
	}
}

// TestOMAP moves the code of the program: the first 0x18 bytes to 0x3010, the
// rest of takes and all of std to 0x3000, and drops what is at 0x1050.
func TestOMAP(t *testing.T) {
	p := x86(t)
	p.optional[optOldSections] = p.sectionStream(t)
	p.sections = [][3]uint32{{0x3000, 0x100, codeFlags}}
	p.optional[optOmapFromSrc] = asm.At(0).U32(0x1000, 0x3010, 0x1008, 0x3000, 0x1010, 0, 0x1020, 0x3018, 0x1030, 0).Build(t)
	p.optional[optOmapToSource] = asm.At(0).U32(0x3000, 0x1008, 0x3008, 0, 0x3010, 0x1000, 0x3018, 0x1020, 0x3028, 0).Build(t)
	f := openBytes(t, p.build(t))
	first := symbolize.Location{Function: "takes(int, int64_t)", Start: 0x3010, Size: 8}
	second := symbolize.Location{Function: "takes(int, int64_t)", Start: 0x3000, Size: 8}
	std := symbolize.Location{Function: "std(int, int64_t)", Start: 0x3018, Size: 0x10}
	for rel, want := range map[uint64]symbolize.Location{
		0x1000: {}, 0x3000: second, 0x3007: second, 0x3008: {}, 0x3010: first, 0x3017: first, 0x3018: std, 0x3027: std, 0x3028: {},
	} {
		got, ok := f.Locate(rel)
		if ok != (want.Size > 0) || got.Function != want.Function || got.Start != want.Start || got.Size != want.Size {
			t.Errorf("%#x: %+v, want %+v", rel, got, want)
		}
	}
	// The prolog of three bytes is at 0x3010, and a record of its own.
	for rel, want := range map[uint64][2]uint64{0x3002: {0x3000, 8}, 0x3012: {0x3010, 3}, 0x3014: {0x3013, 5}} {
		if w, ok := f.WinFrame(rel); !ok || w.Start != want[0] || w.Size != want[1] || w.Program != byFrame {
			t.Errorf("%#x: %+v, want the frame at %#x", rel, w, want)
		}
	}
	var names []string
	for _, fn := range listing(t, f).functions {
		names = append(names, fn.Name)
	}
	if want := []string{first.Function, first.Function, std.Function}; !slices.Equal(names, want) {
		t.Errorf("listed %q, want %q", names, want)
	}
}

// TestHalfOMAP has only one table: no address can be trusted then.
func TestHalfOMAP(t *testing.T) {
	p := x86(t)
	p.optional[optOmapFromSrc] = asm.At(0).U32(0x1000, 0x3000).Build(t)
	f := openBytes(t, p.build(t))
	if loc, ok := f.Locate(0x1000); ok {
		t.Errorf("%+v", loc)
	}
	want := "OMAP at 0x0: the image was rearranged, but only one of the two tables is there: no address is known"
	if notes := f.Notes(); !slices.Contains(notes, want) {
		t.Errorf("notes: %q", notes)
	}
}
