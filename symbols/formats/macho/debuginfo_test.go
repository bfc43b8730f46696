package macho

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
)

// debugInfo is one unit with one function, whose name is at an offset of
// __debug_str_offsets, a section with a name too long for Mach-O.
func debugInfo(t testing.TB) []testSection {
	abbrev := []byte{
		1, 0x11, 1, 0x72, 0x17, 0, 0, // compile unit with children: str_offsets_base
		2, 0x2e, 0, 0x03, 0x25, 0x11, 0x01, 0x12, 0x06, 0, 0, // function: name strx1, low_pc addr, high_pc data4
		0,
	}
	info := asm.At(0).Dist32("begin", "end").Mark("begin").U16(5).U8(1, 8).U32(0).
		U8(1).U32(8).
		U8(2).U8(0).U64(testBase + 0x1000).U32(0x10).
		U8(0).Mark("end").Build(t)
	offsets := asm.At(0).U32(8).U16(5, 0).U32(6).Build(t)
	return []testSection{{"__debug_info", info}, {"__debug_abbrev", abbrev}, {"__debug_str", []byte("other\x00function\x00")}, {"__debug_str_offs", offsets}}
}

// zipped is a section as old tools compressed it.
func zipped(t testing.TB, s testSection) testSection {
	var out bytes.Buffer
	out.WriteString("ZLIB")
	_ = binary.Write(&out, binary.BigEndian, uint64(len(s.data)))
	w := zlib.NewWriter(&out)
	_, err := w.Write(s.data)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	name := "__z" + strings.TrimPrefix(s.name, "__")
	return testSection{name[:min(len(name), 16)], out.Bytes()}
}

func TestDebugInfo(t *testing.T) {
	want := symbolize.Location{Function: "function", Start: 0x1000, Size: 0x10}
	for _, name := range []string{"plain", "zipped", "dSYM"} {
		m := someImage(t)
		m.symbols, m.more = nil, debugInfo(t)
		if name == "zipped" {
			for i := range m.more {
				m.more[i] = zipped(t, m.more[i])
			}
		}
		if name == "dSYM" {
			m.kind = typeDSYM
		}
		f := m.open(t)
		if got, ok := f.Locate(0x100f); !ok || got.Function != want.Function || got.Start != want.Start || got.Size != want.Size || got.Public {
			t.Errorf("%s: %+v, %v, want %+v; notes %q", name, got, ok, want, f.Notes())
		}
		if got, ok := f.Locate(0x1010); ok {
			t.Errorf("%s: behind the function: %+v", name, got)
		}
		if notes := f.Notes(); len(notes) > 0 {
			t.Errorf("%s: notes %q", name, notes)
		}
	}
}

// A function has the linker's name. DWARF's name is used if the linker has none, has a hidden one, or
// has the name of a copy.
func TestLinkageName(t *testing.T) {
	for _, tt := range []struct{ symbol, want string }{
		{"__Z8functionv", "_Z8functionv"},
		{"_$s4main8functionyyF", "$s4main8functionyyF"}, // it was "function", as a Swift initializer was "init"
		{"_function$NOCANCEL", "function$NOCANCEL"},     // an asm label
		{"_function.abi0", "function.abi0"},             // Go
		{"_function.llvm.123", "function"},
		{"__hidden#12_", "function"},
		{"<redacted>", "function"},
	} {
		m := someImage(t)
		m.more = debugInfo(t)
		m.symbols[2].name, m.symbols[4].name = tt.symbol, tt.symbol
		f := m.open(t)
		if got, _ := f.Locate(0x1008); got.Function != tt.want {
			t.Errorf("%s: %q, want %q", tt.symbol, got.Function, tt.want)
		}
		if got, _ := f.Function(0x1008); got.Name != tt.want {
			t.Errorf("%s: Function says %q, want %q", tt.symbol, got.Name, tt.want)
		}
	}
}

func TestDamagedCompression(t *testing.T) {
	good := zipped(t, debugInfo(t)[0]).data
	bomb := slices.Clone(good)
	binary.BigEndian.PutUint64(bomb[4:], 1<<29)
	larger := slices.Clone(good)
	larger[11]++
	for _, tt := range []struct {
		name string
		data []byte
		note string
	}{
		{"no name", []byte("ZLIC00000000"), "macho: section __zdebug_info: does not begin with ZLIB"},
		{"short", good[:8], "macho: section __zdebug_info: does not begin with ZLIB"},
		{"bomb", bomb, "macho: section __zdebug_info: 536870912 bytes cannot be what 48 were compressed from, which are at most 49536: they are left out"},
		{"cut off", good[:20], "macho: section __zdebug_info: decompressing failed after 5 of 32 bytes: unexpected EOF"},
		{"more than there is", larger, "macho: section __zdebug_info: decompressing failed after 32 of 33 bytes: unexpected EOF"},
	} {
		m := someImage(t)
		m.more = debugInfo(t)
		m.more[0] = testSection{"__zdebug_info", tt.data}
		f := m.open(t)
		_, _ = f.Locate(0x1008)
		if notes := f.Notes(); !slices.Contains(notes, tt.note) {
			t.Errorf("%s: notes %q, want %q", tt.name, notes, tt.note)
		}
	}
}

// Call frame information is used for a function up to its last instructions.
func TestEHFrame(t *testing.T) {
	m := someImage(t)
	frame := asm.At(0).Mark("cie").
		Dist32("cie0", "cie1").Mark("cie0").U32(0).U8(1).Text("zR\x00").U8(1, 0x78, 16, 1, 0x00). // absolute pointers
		U8(0x0c, 7, 8, 0x90, 1).                                                                  // CFA = rsp+8, rip at CFA-8
		Align(8).Mark("cie1").
		Dist32("fde0", "fde1").Mark("fde0").Dist32("cie", "fde0").U64(testBase+0x1000, 0x20).U8(0).
		U8(0x41, 0x0e, 16, 0x86, 2, 0x44, 0x0d, 6). // rbp pushed at 1, CFA = rbp+16 from 5
		Align(8).Mark("fde1").U32(0).Build(t)
	m.code = append(m.code, bytes.Repeat([]byte{0xcc}, 0x40)...)
	m.more = []testSection{{"__eh_frame", frame}}
	f := m.open(t)
	for _, tt := range []struct {
		rel       uint64
		cfa, from string
	}{
		{0x1001, "$rsp 16 +", ".eh_frame"},
		{0x1010, "$rbp 16 +", ".eh_frame"},
		{0x101e, "$rsp 8 +", fromCode}, // ret
		{0x1030, "$rsp 64 +", fromCompact},
	} {
		cf, ok := f.CallFrame(tt.rel)
		if !ok || cf.Rules[0].Text() != tt.cfa || cf.From != tt.from {
			t.Errorf("%#x: %+v, %v, want %s from %s; notes %q", tt.rel, cf, ok, tt.cfa, tt.from, f.Notes())
		}
	}
}
