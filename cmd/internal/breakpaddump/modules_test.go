package breakpaddump

import (
	"strings"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

var (
	guid    = [16]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	buildID = []byte{0xde, 0xad, 0xbe, 0xef, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
)

// Every field of a module, in Breakpad's order.
func TestModule(t *testing.T) {
	b := dump.New()
	misc := b.Extra(asm.At(0).U32(1, 18, 0).Text("x.dbg\x00"))
	record := b.Extra(asm.At(0).Bytes(b.PDB70(guid, 10, `x "y".pdb`)))
	s := asm.At(0).U32(1).U64(0x40_0000).U32(0x5000, 7, 0x61b1_2345).Ref32(b.Text(`C:\a b\x.exe`)).
		U32(0xfeef04bd, 0x10000, 0x1_0002, 0x3_0004, 5, 6, 0x3f, 1, 0x4_0004, 2, 3, 8, 9)
	dump.Location(s, record)
	shows(t, b.Stream(uint32(minidump.ModuleListStream), dump.Location(s, misc).Zeros(16)), `
MinidumpModuleList
  module_count = 1

module[0]
MDRawModule
  base_of_image                   = 0x400000
  size_of_image                   = 0x5000
  checksum                        = 0x7
  time_date_stamp                 = 0x61b12345 2021-12-08 21:27:33
  module_name_rva                 = 0xd4
  version_info.signature          = 0xfeef04bd
  version_info.struct_version     = 0x10000
  version_info.file_version       = 0x10002:0x30004
  version_info.product_version    = 0x5:0x6
  version_info.file_flags_mask    = 0x3f
  version_info.file_flags         = 0x1
  version_info.file_os            = 0x40004
  version_info.file_type          = 0x2
  version_info.file_subtype       = 0x3
  version_info.file_date          = 0x8:0x9
  cv_record.data_size             = 34
  cv_record.rva                   = 0xb0
  misc_record.data_size           = 18
  misc_record.rva                 = 0x9c
  (code_file)                     = "C:\a b\x.exe"
  (code_identifier)               = ""
  (cv_record).cv_signature        = 0x53445352
  (cv_record).signature           = 04030201-0605-0807-090a-0b0c0d0e0f10
  (cv_record).age                 = 10
  (cv_record).pdb_file_name       = "x "y".pdb"
  (misc_record).data_type         = 0x1
  (misc_record).length            = 0x12
  (misc_record).unicode           = 0
  (misc_record).data              = "x.dbg"
  (debug_file)                    = "x "y".pdb"
  (debug_identifier)              = "0403020106050807090A0B0C0D0E0F10a"
  (version)                       = "1.2.3.4"

`)
}

// The other debug records, and what is behind a module's code identifier.
func TestDebugRecords(t *testing.T) {
	for name, tt := range map[string]struct {
		record []byte
		want   string
	}{
		"PDB 2.0": {asm.At(0).Text("NB10").U32(0, 0x61b1_2345, 3).Text("a.pdb\x00").Build(t), `
  (cv_record).cv_header.signature = 0x3031424e
  (cv_record).cv_header.offset    = 0x0
  (cv_record).signature           = 0x61b12345 2021-12-08 21:27:33
  (cv_record).age                 = 3
  (cv_record).pdb_file_name       = "a.pdb"
  (misc_record)                   = (null)
  (debug_file)                    = "a.pdb"
  (debug_identifier)              = "61B123453"
`},
		"ELF": {dump.BuildID(buildID...), `
  (cv_record).cv_signature        = 0x4270454c
  (cv_record).build_id            = deadbeef0102030405060708090a0b0c0d0e0f10
  (misc_record)                   = (null)
  (debug_file)                    = "/lib/a.so"
  (debug_identifier)              = "EFBEADDE0201040305060708090A0B0C0"
`},
		"a format without a reader": {[]byte("XYZW12345678901234567890"), `
  (cv_record)                     = 58595a573132333435363738393031323334353637383930
  (misc_record)                   = (null)
  (debug_file)                    = ""
  (debug_identifier)              = ""
`},
		"none": {nil, `
  (cv_record)                     = (null)
  (misc_record)                   = (null)
  (debug_file)                    = ""
  (debug_identifier)              = ""
`},
	} {
		t.Run(name, func(t *testing.T) {
			shows(t, dump.New().Module(dump.Module{Base: 0x1000, Size: 0x1000, Name: "/lib/a.so", CodeView: tt.record}),
				tt.want+"  (version)                       = \"\"\n\n")
		})
	}
}

// Breakpad has a code ID of Windows' files, and a build ID on Linux, Android and Fuchsia. For the other
// systems that it knows the code identifier is "id".
// Source: minidump.cc, MinidumpModule::code_identifier.
func TestCodeIdentifier(t *testing.T) {
	const elf = "deadbeef0102030405060708090a0b0c0d0e0f10"
	for system, want := range map[uint32]struct{ withID, without string }{
		dump.Windows:                     {"000000075000", "000000091000"},
		1:                                {"000000075000", "000000091000"}, // VER_PLATFORM_WIN32_WINDOWS
		dump.Linux:                       {elf, "id"},
		dump.Android:                     {elf, "id"},
		uint32(minidump.PlatformFuchsia): {elf, "id"},
		dump.Mac:                         {"id", "id"},
		dump.IOS:                         {"id", "id"},
		dump.Solaris:                     {"id", "id"},
		uint32(minidump.PlatformPS3):     {"id", "id"},
		uint32(minidump.PlatformNaCl):    {"id", "id"},
		0x9999:                           {"", ""},
	} {
		text := written(t, dump.New().System(dump.AMD64, system, "x").
			Module(dump.Module{Base: 0x400000, Size: 0x5000, Name: "a", Stamp: 7, CodeView: dump.BuildID(buildID...)}).
			Module(dump.Module{Base: 0x600000, Size: 0x1000, Name: "b", Stamp: 9}).Build(t), Options{})
		_, first, _ := strings.Cut(text, "module[0]")
		first, second, _ := strings.Cut(first, "module[1]")
		if got := fields(first)["(code_identifier)"]; got != `"`+want.withID+`"` {
			t.Errorf("system %#x: code identifier %s, want %q", system, got, want.withID)
		}
		if got := fields(second)["(code_identifier)"]; got != `"`+want.without+`"` {
			t.Errorf("system %#x without a build ID: code identifier %s, want %q", system, got, want.without)
		}
	}
}

// A version needs both words in front of it. Breakpad takes the parts of each file as Windows' halves.
func TestVersion(t *testing.T) {
	for want, v := range map[string]minidump.VersionInfo{
		"1.2.3.65535": {Signature: 0xfeef_04bd, Struct: 0x1_0000, FileHi: 0x1_0002, FileLo: 0x3_ffff},
		"0.0.0.0":     {Signature: 0xfeef_04bd, Struct: 0x1_0000},
		"":            {Struct: 0x1_0000, FileHi: 0x1_0002},
	} {
		if got := version(&v); got != want {
			t.Errorf("version %q, want %q", got, want)
		}
	}
	if got := version(&minidump.VersionInfo{Signature: 0xfeef_04bd, Struct: 0xffff, FileHi: 1}); got != "" {
		t.Errorf("version %q of another structure", got)
	}
}
