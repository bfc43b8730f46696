package minidump

import (
	"testing"

	"crashglass/core/dump/minidump/format"
	"crashglass/core/process/module"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/expect"
)

var someGUID = [16]byte{0x67, 0x45, 0x23, 0x01, 0xab, 0x89, 0xef, 0xcd, 1, 2, 3, 4, 5, 6, 7, 0xa8}

func TestModuleIdentity(t *testing.T) {
	b := dump.New()
	pdb70 := b.PDB70(someGUID, 0x2b, `c:\build\app.pdb`)
	pdb20 := asm.At(0).Text("NB10").U32(0, 0x45D35F6C, 2).Text("old.pdb").U8(0).Build(t)
	tests := []struct {
		name     string
		platform uint32
		cv       []byte
		want     module.Module
	}{
		{
			name: "PDB 7.0", platform: dump.Windows, cv: pdb70,
			want: module.Module{CodeID: "45d35f6c5a000", DebugFile: `c:\build\app.pdb`, DebugID: "0123456789ABCDEF01020304050607A82b", Version: "1.2.3.4"},
		},
		{
			name: "PDB 7.0 of a Mach-O", platform: dump.Mac, cv: b.PDB70(someGUID, 0, "app"),
			want: module.Module{CodeID: "0123456789abcdef01020304050607a8", DebugFile: "app", DebugID: "0123456789ABCDEF01020304050607A80", Version: "1.2.3.4"},
		},
		{
			name: "PDB 7.0 of an ELF", platform: dump.Linux, cv: b.PDB70(someGUID, 0, "app"),
			want: module.Module{CodeID: "45d35f6c5a000", DebugFile: "app", DebugID: "0123456789ABCDEF01020304050607A80", Version: "65538.196612.7.8"},
		},
		{
			name: "PDB 7.0 without a GUID", platform: dump.Windows, cv: b.PDB70([16]byte{}, 1, "app.pdb"),
			want: module.Module{CodeID: "45d35f6c5a000", DebugFile: "app.pdb", Version: "1.2.3.4"},
		},
		{
			name: "PDB 2.0", platform: dump.Windows, cv: pdb20,
			want: module.Module{CodeID: "45d35f6c5a000", DebugFile: "old.pdb", DebugID: "45D35F6C2", Version: "1.2.3.4"},
		},
		{
			name: "build id", platform: dump.Linux, cv: dump.BuildID(0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
			want: module.Module{CodeID: "0123456789abcdef0102030405060708090a0b0c", DebugFile: "/bin/app", DebugID: "67452301AB89EFCD01020304050607080", Version: "65538.196612.7.8"},
		},
		{
			name: "short build id", platform: dump.Linux, cv: dump.BuildID(0x01, 0x23, 0x45),
			want: module.Module{CodeID: "012345", DebugFile: "/bin/app", DebugID: "004523010000000000000000000000000", Version: "65538.196612.7.8"},
		},
		{
			name: "build id of zeros", platform: dump.Linux, cv: dump.BuildID(make([]byte, 20)...),
			want: module.Module{DebugFile: "/bin/app", Version: "65538.196612.7.8"},
		},
		{
			name: "nothing on Windows", platform: dump.Windows,
			want: module.Module{CodeID: "45d35f6c5a000", Version: "1.2.3.4"},
		},
		{name: "nothing on Linux", platform: dump.Linux, want: module.Module{Version: "65538.196612.7.8"}},
		{
			name: "a record of another kind", platform: dump.Windows, cv: []byte("NB09 and so on"),
			want: module.Module{Version: "1.2.3.4"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := dump.New().System(dump.AMD64, tt.platform, "")
			b.Module(dump.Module{Base: 0x400000, Size: 0x5a000, Name: "/bin/app", Stamp: 0x45D35F6C, Version: [4]uint32{0x10002, 0x30004, 7, 8}, CodeView: tt.cv})
			modules, err := build(t, b).Modules()
			if err != nil {
				t.Fatal(err)
			}
			want := tt.want
			want.Base, want.Size, want.CodeFile = 0x400000, 0x5a000, "/bin/app"
			if len(modules) != 1 || modules[0] != want {
				t.Errorf("have %+v\nwant %+v", modules, want)
			}
		})
	}
}

// TestBigEndianModule reads a record that a big-endian machine wrote.
func TestBigEndianModule(t *testing.T) {
	b := dump.New().BigEndian().System(dump.PPC, dump.Linux, "")
	guid := [16]byte{0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 1, 2, 3, 4, 5, 6, 7, 0xa8}
	b.Module(dump.Module{Base: 1, Size: 2, Name: "app", CodeView: b.PDB70(guid, 3, "app")})
	modules, err := build(t, b).Modules()
	if err != nil || len(modules) != 1 || modules[0].DebugID != "0123456789ABCDEF01020304050607A83" {
		t.Errorf("%+v, %v", modules, err)
	}
}

// TestVersionInfo wants both words in front of a version.
func TestVersionInfo(t *testing.T) {
	for _, v := range []VersionInfo{{}, {Signature: format.VersionSignature, FileHi: 1}, {Struct: format.VersionStruct, FileHi: 1}} {
		if text := v.text(PlatformWindows); text != "" {
			t.Errorf("%+v has the version %q", v, text)
		}
	}
}

// TestModuleDamage keeps modules whose names or records cannot be read.
func TestModuleDamage(t *testing.T) {
	b := dump.New()
	short := b.Blob([]byte("RSDS and"))
	name := b.Text("good")
	module := func(s *asm.Section, base uint64, name func(), cvSize, cvRVA uint32) {
		s.U64(base).U32(0x1000, 0, 0)
		name()
		s.Zeros(52).U32(cvSize, cvRVA, 0, 0).U64(0, 0)
	}
	s := asm.At(0).U32(3)
	module(s, 0x1000, func() { s.U32(0xffff_0000) }, 0, 0)
	module(s, 0x2000, func() { s.Ref32(name) }, 30, 0xffff_0000)
	s.U64(0x3000).U32(0x1000, 0, 0).Ref32(name).Zeros(52)
	dump.Location(s, short).U32(0, 0).U64(0, 0)
	modules, err := build(t, b.Stream(4, s)).Modules()
	expect.Error(t, err, "minidump: string at 0xffff0000: 4 bytes reach beyond the end of the file at 0x18a; and 2 more defects")
	if len(modules) != 3 || modules[0].CodeFile != "" || modules[1].CodeFile != "good" || modules[2].CodeFile != "good" || modules[2].DebugID != "" {
		t.Errorf("modules %+v", modules)
	}
}

// TestDebugMisc finds a debug file in the record that came before CodeView.
func TestDebugMisc(t *testing.T) {
	for _, wide := range []bool{false, true} {
		b := dump.New()
		misc := asm.At(0).U32(1, 100)
		if wide {
			misc.U8(1, 0, 0, 0).UTF16("app.dbg").U16(0)
		} else {
			misc.U8(0, 0, 0, 0).Text("app.dbg").U8(0)
		}
		label := b.Extra(misc)
		s := asm.At(0).U32(1).U64(1).U32(2, 0, 0).Ref32(b.Text("app")).Zeros(52).U32(0, 0)
		dump.Location(s, label).U64(0, 0)
		modules, err := build(t, b.Stream(4, s)).Modules()
		if err != nil || len(modules) != 1 || modules[0].DebugFile != "app.dbg" {
			t.Errorf("%+v, %v", modules, err)
		}
	}
}

func TestUnloadedModules(t *testing.T) {
	b := dump.New().Unloaded(dump.Module{Base: 0x1000, Size: 0x200, Name: "gone.dll", Stamp: 0xabc})
	modules, err := build(t, b).UnloadedModules()
	want := module.Module{Base: 0x1000, Size: 0x200, CodeFile: "gone.dll", CodeID: "00000abc200"}
	if err != nil || len(modules) != 1 || modules[0] != want {
		t.Errorf("%+v, %v", modules, err)
	}
}

// TestLongHeader reads lists whose header says how long header and entries are.
func TestLongHeader(t *testing.T) {
	entry := func(s *asm.Section, base uint64) *asm.Section { return s.U64(base).U32(0x200, 0, 1, 0x20) }
	tests := []struct {
		name string
		in   *asm.Section
		want int
		err  string
	}{
		{name: "longer header", in: entry(asm.At(0).U32(16, 24, 1, 99), 0x1000), want: 1},
		{name: "longer entries", in: entry(entry(asm.At(0).U32(12, 28, 2), 0x1000).U32(9), 0x1000).U32(9), want: 2},
		{
			name: "short entries", in: entry(asm.At(0).U32(12, 20, 1), 0x1000),
			err: "minidump: unloaded module list at 0x30: entry size 20 is less than 24",
		},
		{
			name: "entries of 0 bytes", in: entry(asm.At(0).U32(12, 0, 0xffff_ffff), 0x1000),
			err: "minidump: unloaded module list at 0x30: entry size 0 is less than 24",
		},
		{
			name: "long entries", in: entry(asm.At(0).U32(12, 0xffff_fff0, 1), 0x1000),
			err: "minidump: unloaded module list at 0x34: count 1 exceeds stream size 36",
		},
		{
			name: "short header", in: entry(asm.At(0).U32(8, 24, 1), 0x1000),
			err: "minidump: unloaded module list at 0x2c: header size 8 is less than 12",
		},
		{
			name: "long header", in: entry(asm.At(0).U32(0xffff_ffff, 24, 1), 0x1000),
			err: "minidump: unloaded module list at 0x2c: header size 4294967295 exceeds stream size 36",
		},
		{
			name: "count is a lie", in: entry(asm.At(0).U32(12, 24, 0x8000_0000), 0x1000), want: 1,
			err: "minidump: unloaded module list at 0x34: count 2147483648 exceeds stream size 36",
		},
		{name: "cut header", in: asm.At(0).U32(12, 24), err: "minidump: unloaded module list at 0x34: need 4 bytes, have 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			modules, err := build(t, dump.New().Stream(14, tt.in)).UnloadedModules()
			expect.Error(t, err, tt.err)
			if len(modules) != tt.want {
				t.Errorf("%d modules, want %d", len(modules), tt.want)
			}
			for _, m := range modules {
				if m.Base != 0x1000 {
					t.Errorf("module at %#x", m.Base)
				}
			}
		})
	}
}
