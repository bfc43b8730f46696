package pe

import (
	"testing"

	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
)

// TestEHFrame has call frame information in an image for x86, as MinGW's
// compilers write it: of a function that pushes ebp in its first byte.
func TestEHFrame(t *testing.T) {
	const base = 0x40_0000
	s := asm.At(rdata).
		U32(20, 0).U8(1).Text("zR\x00").U8(1, 0x7c, 8, 1, 0x00). // a CIE: absolute addresses
		U8(0x0c, 4, 4, 0x88, 1, 0, 0).                           // esp+4, eip at cfa-4
		U32(20, 28, base+text, 0x20).U8(0).
		U8(0x41, 0x0e, 8, 0x85, 2, 0, 0). // behind one byte esp+8, and ebp at cfa-8
		U32(0)
	im := newImage(machineI386).section(t, ".text", code, asm.At(text).Zeros(0x40)).section(t, ".eh_fram", readOnly, s)
	im.sections[1].name = "/4"
	im.symbols, im.tail = 1, asm.At(0).Zeros(symbolSize).U32(16).Text(".eh_frame\x00").Build(t)
	f := open(t, im.build(t))
	for rel, want := range map[uint64]string{
		text:        ".cfa: $esp 4 + .ra: .cfa -4 + ^",
		text + 1:    ".cfa: $esp 8 + .ra: .cfa -4 + ^ $ebp: .cfa -8 + ^",
		text + 0x20: "",
	} {
		if cf, ok := f.CallFrame(rel); unwind.RuleText(cf.Rules) != want || ok != (want != "") {
			t.Errorf("%#x: %s, want %s; %q", rel, unwind.RuleText(cf.Rules), want, f.Notes())
		}
	}
	if got := tables(t, f); len(got) != 1 || len(got[0].Rows) != 1 || !f.HasFrames() {
		t.Errorf("%+v", got)
	}
}

// TestLinkage names functions of DWARF as linkers do.
func TestLinkage(t *testing.T) {
	f := open(t, withSymbols(t, machineI386).build(t))
	for _, tt := range []struct {
		rel          uint64
		wanted, want string
	}{
		{text, "start", "start"}, {text, "other", "start"}, {text + 0x30, "a", "a_name_of_more_than_eight"}, {text + 1, "x", ""},
	} {
		if got := f.linkage(tt.rel, tt.wanted); got != tt.want {
			t.Errorf("%#x: %q, want %q", tt.rel, got, tt.want)
		}
	}
	if f.HasNames() || f.HasFrames() {
		t.Error("names or frames out of nothing")
	}
}

// TestCorpusDWARF has functions with lines, so that an address without a name has none
// in the program either (HasNames).
func TestCorpusDWARF(t *testing.T) {
	f := open(t, corpusFile(t, "dump_syms/windows/basic64-dwarf.dll"))
	loc, ok := f.Locate(0x1820)
	if !ok || loc.Public || loc.Line == 0 || !f.HasNames() || !f.HasFrames() {
		t.Errorf("%+v, %v", loc, ok)
	}
}
