package breakpaddump

import (
	"fmt"

	"crashglass/core/dump/minidump"
)

// modules writes the loaded modules. Unloaded modules are not in the original's text.
//
// Source: minidump.cc, MinidumpModuleList::Print.
func modules(p *printer) {
	sys, _ := p.f.SystemInfo()
	records, err := p.f.ModuleRecords()
	list(p, "MinidumpModuleList", "module", records, err, func(m *minidump.ModuleRecord) { p.module(m, sys) })
}

// module writes one MINIDUMP_MODULE. Names in parentheses are no fields of the record: Breakpad
// computes them from the records that the module points to.
//
// Source: minidump.cc, MinidumpModule::Print.
func (p *printer) module(m *minidump.ModuleRecord, sys *minidump.SystemInfo) {
	v := &m.Version
	p.rows("MDRawModule", 31, []row{
		{"base_of_image", "0x%x", m.Base},
		{"size_of_image", "0x%x", m.Size},
		{"checksum", "0x%x", m.Checksum},
		{"time_date_stamp", "%s", stamped(uint32(m.TimeStamp))},
		{"module_name_rva", "0x%x", m.NameRVA},
		{"version_info.signature", "0x%x", v.Signature},
		{"version_info.struct_version", "0x%x", v.Struct},
		{"version_info.file_version", "%s", halves(v.FileHi, v.FileLo)},
		{"version_info.product_version", "%s", halves(v.ProductHi, v.ProductLo)},
		{"version_info.file_flags_mask", "0x%x", v.FlagsMask},
		{"version_info.file_flags", "0x%x", v.Flags},
		{"version_info.file_os", "0x%x", v.FileOS},
		{"version_info.file_type", "0x%x", v.FileType},
		{"version_info.file_subtype", "0x%x", v.FileSubType},
		{"version_info.file_date", "%s", halves(v.DateHi, v.DateLo)},
		{"cv_record.data_size", "%d", int32(m.Debug.Size)},
		{"cv_record.rva", "0x%x", m.Debug.RVA},
		{"misc_record.data_size", "%d", int32(m.Misc.Size)},
		{"misc_record.rva", "0x%x", m.Misc.RVA},
		{"(code_file)", "%s", quoted(m.Name)},
		{"(code_identifier)", "%s", quoted(codeID(m, sys))},
	})
	p.more(31, codeView(&m.CodeView))
	p.more(31, p.misc(m))
	p.more(31, []row{
		{"(debug_file)", "%s", quoted(debugFile(m))},
		{"(debug_identifier)", "%s", quoted(debugID(&m.CodeView))},
		{"(version)", "%s", quoted(version(v))},
	})
	p.text("\n")
}

// halves formats a pair of 32-bit words, which Breakpad writes with a colon.
func halves(hi, lo uint32) string { return fmt.Sprintf("0x%x:0x%x", hi, lo) }

// codeView returns the fields of a debug record, which depend on its format. A record of another format is
// written in digits.
//
// Source: minidump.cc, MinidumpModule::Print.
func codeView(cv *minidump.CodeView) []row {
	switch cv.Kind {
	case minidump.NoCodeView:
		return []row{{"(cv_record)", "%s", "(null)"}}
	case minidump.PDB70:
		return []row{
			{"(cv_record).cv_signature", "0x%x", cv.Signature},
			{"(cv_record).signature", "%s", cv.GUID.Dashed()},
			{"(cv_record).age", "%d", int32(cv.Age)},
			{"(cv_record).pdb_file_name", "%s", quoted(cv.File)},
		}
	case minidump.PDB20:
		return []row{
			{"(cv_record).cv_header.signature", "0x%x", cv.Signature},
			{"(cv_record).cv_header.offset", "0x%x", 0}, // every writer leaves it zero
			{"(cv_record).signature", "%s", stamped(cv.Stamp)},
			{"(cv_record).age", "%d", int32(cv.Age)},
			{"(cv_record).pdb_file_name", "%s", quoted(cv.File)},
		}
	case minidump.ELFBuildID:
		return []row{{"(cv_record).cv_signature", "0x%x", cv.Signature}, {"(cv_record).build_id", "%x", cv.BuildID}}
	}
	return []row{{"(cv_record)", "%x", cv.Raw}}
}

// misc returns the fields of an IMAGE_DEBUG_MISC, the debug record of NT 4, which names the file with the
// symbols that were split off.
func (p *printer) misc(m *minidump.ModuleRecord) []row {
	const head = 12
	data, err := p.f.Bytes("misc record", minidump.Location{RVA: m.Misc.RVA, Size: min(m.Misc.Size, head)})
	if err != nil || len(data) < head {
		return []row{{"(misc_record)", "%s", "(null)"}}
	}
	order := p.f.Order()
	return []row{
		{"(misc_record).data_type", "0x%x", order.Uint32(data)},
		{"(misc_record).length", "0x%x", order.Uint32(data[4:])},
		{"(misc_record).unicode", "%d", data[8]},
		{"(misc_record).data", "%s", quoted(m.DebugFile)},
	}
}

// The ids of a module as Breakpad prints them. Package minidump differs: its ids identify files, so
// that a build ID of zeros is no id there.

// hasBuildIDs are the systems whose build IDs are code identifiers for Breakpad.
var hasBuildIDs = map[minidump.Platform]bool{minidump.PlatformLinux: true, minidump.PlatformAndroid: true, minidump.PlatformFuchsia: true}

// codeID is MinidumpModule::code_identifier. "id" stands for an id that
// Breakpad has no reader for.
func codeID(m *minidump.ModuleRecord, sys *minidump.SystemInfo) string {
	switch {
	case sys == nil || osNames[sys.Platform] == "":
		return ""
	case sys.Platform.IsWindows():
		return fmt.Sprintf("%08X%x", uint32(m.TimeStamp), m.Size)
	case hasBuildIDs[sys.Platform] && m.CodeView.Kind == minidump.ELFBuildID:
		return fmt.Sprintf("%x", m.CodeView.BuildID)
	}
	return "id"
}

// debugFile is MinidumpModule::debug_file: the name in the debug record, or the module's own name, whose file
// has the symbols of an ELF.
func debugFile(m *minidump.ModuleRecord) string {
	switch {
	case m.CodeView.Kind == minidump.ELFBuildID:
		return m.Name
	case m.CodeView.File != "":
		return m.CodeView.File
	}
	return m.DebugFile
}

// debugID is MinidumpModule::debug_identifier: the GUID and the age, or "" for a module without a debug
// record.
func debugID(cv *minidump.CodeView) string {
	switch cv.Kind {
	case minidump.PDB70, minidump.ELFBuildID: // a build ID, which has no age
		return fmt.Sprintf("%s%x", cv.GUID, cv.Age)
	case minidump.PDB20:
		return cv.DebugID()
	}
	return ""
}

// version is MinidumpModule::version, which reads the version of every file as a Windows version.
// Source: verrsrc.h for the signature.
func version(v *minidump.VersionInfo) string {
	const signature, structure = 0xfeef_04bd, 0x1_0000
	if v.Signature != signature || v.Struct&structure == 0 {
		return ""
	}
	return fmt.Sprintf("%d.%d.%d.%d", v.FileHi>>16, v.FileHi&0xffff, v.FileLo>>16, v.FileLo&0xffff)
}
