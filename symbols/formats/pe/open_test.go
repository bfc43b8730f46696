package pe

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/testkit/asm"
)

func TestOpenErrors(t *testing.T) {
	good := newImage(machineAMD64).build(t)
	changed := func(at int, b ...byte) []byte {
		data := slices.Clone(good)
		copy(data[at:], b)
		return data
	}
	tests := []struct {
		name string
		data []byte
		err  string
	}{
		{"whole", good, ""},
		{"empty", nil, "pe: DOS header at 0x0: 64 bytes reach beyond the end of the file at 0x0"},
		{"no MZ", changed(0, 'Z'), "pe: DOS header at 0x0: signature 0x5a5a is not 0x5a4d"},
		{"header beyond the end", changed(0x3c, 0, 0, 0, 0x7f), "pe: PE header at 0x7f000000: 24 bytes reach beyond the end of the file at 0x400"},
		{"a program for DOS", changed(0x80, 'N', 'E'), "pe: PE header at 0x80: signature 0x454e is not 0x4550"},
		{"no optional header", changed(0x94, 0, 0), "pe: optional header at 0x98: need 2 bytes, have 0"},
		{"cut optional header", changed(0x94, 0x40, 0), "pe: optional header at 0xd8: need 44 bytes, have 0"},
		{"a ROM", changed(0x98, 7, 1), "pe: optional header at 0x9a: magic 0x107 is neither 0x10b nor 0x20b"},
	}
	for _, tt := range tests {
		_, err := Open(source(tt.data), Options{})
		if got := message(err); got != tt.err {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.err)
		}
	}
}

// rsds is a debug record of a PDB.
func rsds(path string) *asm.Section {
	return asm.At(0).Text("RSDS").U32(0xd09ea7d6).U16(0xc2d2, 0x1e4c).U8(0xbf, 0xfe, 0x78, 0xb0, 0xc8, 0x66, 0xbb, 0x0f).U32(0x1a).Text(path).U8(0)
}

// debugImage has one debug record of a type, found by offset or address.
func debugImage(t testing.TB, kind uint32, record *asm.Section, byOffset bool) *image {
	data := record.Build(t)
	at := uint32(0)
	if byOffset {
		at = 0x400 + 56
	}
	s := asm.At(rdata).Zeros(12).U32(16, 0, 0, 0). // IMAGE_DEBUG_TYPE_REPRO, of no interest
							Zeros(12).U32(kind, uint32(len(data)), rdata+56, at).Bytes(data)
	return newImage(machineAMD64).section(t, ".rdata", readOnly, s).dir(dirDebug, rdata, 56)
}

func TestModule(t *testing.T) {
	const codeID = "5DDC1E998000"
	tests := []struct {
		name string
		im   *image
		want module.Module
	}{
		{"bare", newImage(machineI386), module.Module{Arch: "x86"}},
		{"arm64", newImage(machineARM64), module.Module{Arch: "arm64"}},
		{"arm", newImage(machineARMNT), module.Module{Arch: "arm"}},
		{"another CPU", newImage(0x0200), module.Module{}},
		{"PDB 7.0", debugImage(t, 2, rsds(`C:\build\app.pdb`), true), module.Module{Arch: "amd64", DebugFile: "app.pdb", DebugID: "D09EA7D6C2D21E4CBFFE78B0C866BB0F1a"}},
		{"by address", debugImage(t, 2, rsds("app.pdb"), false), module.Module{Arch: "amd64", DebugFile: "app.pdb", DebugID: "D09EA7D6C2D21E4CBFFE78B0C866BB0F1a"}},
		{"PDB 2.0", debugImage(t, 2, asm.At(0).Text("NB10").U32(0, 0x45d35f6c, 0x2b).Text("old.pdb").U8(0), true), module.Module{Arch: "amd64", DebugFile: "old.pdb", DebugID: "45D35F6C2b"}},
		{"GUID of zeros", debugImage(t, 2, asm.At(0).Text("RSDS").Zeros(16).U32(1).Text("x.pdb").U8(0), true), module.Module{Arch: "amd64"}},
		{"another record", debugImage(t, 2, asm.At(0).Text("NB09").Zeros(40), true), module.Module{Arch: "amd64"}},
		{"another type", debugImage(t, 4, rsds("app.pdb"), true), module.Module{Arch: "amd64"}},
		{"named by its exports", exporting(t), module.Module{Arch: "amd64", CodeFile: "lib.dll"}},
	}
	for _, tt := range tests {
		tt.want.CodeID, tt.want.Size = codeID, top
		f := open(t, tt.im.build(t))
		if got := f.Module(); got != tt.want || len(f.Notes()) > 0 {
			t.Errorf("%s:\n got %+v %q\nwant %+v", tt.name, got, f.Notes(), tt.want)
		}
	}
}

func TestIdentityDamaged(t *testing.T) {
	cut := debugImage(t, 2, asm.At(0).Text("RSDS").Zeros(4), true)
	gone := debugImage(t, 2, rsds("app.pdb"), true).dir(dirDebug, 0x7000, 56)
	for im, want := range map[*image]string{
		cut:  "pe: debug record at 0x440: need 2 bytes, have 0",
		gone: "pe: debug directory at 0x7000: this address is not in the file",
	} {
		f := open(t, im.build(t))
		if m := f.Module(); m.DebugID != "" || !slices.Equal(f.Notes(), []string{want}) {
			t.Errorf("%+v %q, want %q", m, f.Notes(), want)
		}
	}
}

// TestSection finds sections by names that are too long for the table, as
// MinGW's linker writes them.
func TestSection(t *testing.T) {
	im := newImage(machineAMD64).
		section(t, "/4", readOnly, asm.At(rdata).Text("lines")).
		section(t, ".text", code, asm.At(text).Text("code"))
	im.symbols = 1
	im.tail = asm.At(0).Zeros(symbolSize).U32(32).Text(".debug_line").U8(0).Build(t)
	f := open(t, im.build(t))
	for name, want := range map[string]string{".debug_line": "lines", ".text": "code", "/4": "", ".debug": ""} {
		src, ok := f.Section(name)
		got, err := io.ReadAll(io.NewSectionReader(src, 0, src.Size()))
		if ok != (want != "") || string(got) != want || err != nil {
			t.Errorf("%s: %q, %v, %v", name, got, ok, err)
		}
	}
}

func TestSectionsDamaged(t *testing.T) {
	whole := newImage(machineAMD64).section(t, ".text", code, asm.At(text).Zeros(0x300)).build(t)
	f := open(t, whole[:0x600])
	want := []string{"pe: section .text at 0x188: 768 bytes at 0x400 reach beyond the end of the file at 0x600"}
	if src, ok := f.Section(".text"); !ok || src.Size() != 0x200 || !slices.Equal(f.Notes(), want) {
		t.Errorf("%d, %v, %q", src.Size(), ok, f.Notes())
	}
	whole[0x86] = 200
	f = open(t, whole[:0x200])
	if notes := f.Notes(); len(notes) == 0 || !strings.Contains(strings.Join(notes, "\n"), "pe: section table at 0x188: 200 sections do not fit into 120 bytes") {
		t.Errorf("%q", notes)
	}
}

// sparse is a file of zeros with something at its beginning, that counts what is read.
type sparse struct {
	head []byte
	size int64
	read int64
}

func (s *sparse) ReadAt(p []byte, off int64) (int, error) {
	s.read += int64(len(p))
	clear(p)
	if off < int64(len(s.head)) {
		copy(p, s.head[off:])
	}
	return len(p), nil
}

// TestLazy opens a file of 4 GiB and looks an address up: only what that needs is read.
func TestLazy(t *testing.T) {
	im := debugImage(t, 2, rsds("app.pdb"), true)
	s := &sparse{head: im.build(t), size: 4 << 30}
	f, err := Open(bin.NewSource(s, s.size), Options{})
	if err != nil {
		t.Fatal(err)
	}
	f.Locate(text)
	f.CallFrame(text)
	f.ReadImage(text, make([]byte, 100))
	if f.Module().DebugID == "" || s.read > 1<<20 {
		t.Errorf("%+v, %d bytes read", f.Module(), s.read)
	}
}

// TestNotesAreBounded damages every entry of a table.
func TestNotesAreBounded(t *testing.T) {
	s := asm.At(pdata)
	for i := range uint32(100) {
		s.U32(0x7000+i, 0x7001, 0)
	}
	f := open(t, newImage(machineAMD64).section(t, ".text", code, asm.At(text).Zeros(0x10)).
		section(t, ".pdata", readOnly, s).dir(dirException, pdata, 1200).build(t))
	f.CallFrame(text)
	f.CallFrame(text)
	if notes := f.Notes(); len(notes) != maxNotes+1 || notes[maxNotes] != "pe: 68 further defects" {
		t.Errorf("%d: %q", len(notes), notes)
	}
	if bytes.Contains([]byte(strings.Join(f.Notes(), "")), []byte{'\n'}) {
		t.Error("a note has several lines")
	}
}
