package minidump

import (
	"fmt"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump/format"
	"crashglass/core/process/module"
)

// Numbers of the streams that this file reads.
const (
	ModuleListStream         StreamType = 4
	UnloadedModuleListStream StreamType = 14
)

// A ModuleRecord is one entry of the module list.
type ModuleRecord struct {
	Base      uint64
	Size      uint32
	Checksum  uint32
	TimeStamp UnixTime // of the PE header; a hash in reproducible builds
	Name      string   // whole path
	NameRVA   uint32
	Version   VersionInfo
	CodeView  CodeView
	Debug     Location // of the CodeView record
	DebugFile string   // of the misc record, which predates CodeView; usually ""
	Misc      Location // of the misc record
}

// Modules reads stream 4, ModuleListStream, as modules with the ids that identify symbol files. The
// first one is the program. A module with an unreadable name or debug record is listed without it.
func (f *File) Modules() ([]module.Module, error) {
	records, err := f.ModuleRecords()
	platform := f.platform()
	modules := make([]module.Module, len(records))
	for i := range records {
		modules[i] = records[i].Module(platform)
	}
	return modules, err
}

// platform returns the operating system, or 0 when the dump does not have it.
func (f *File) platform() Platform {
	if sys, _ := f.SystemInfo(); sys != nil {
		return sys.Platform
	}
	return 0
}

// ModuleRecords reads stream 4, ModuleListStream, as records.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_module
func (f *File) ModuleRecords() ([]ModuleRecord, error) {
	return records(f, ModuleListStream, format.ModuleSize, (*section).module)
}

func (s *section) module() ModuleRecord {
	s.Record("module", "BaseOfImage SizeOfImage CheckSum TimeDateStamp ModuleNameRva "+versionNames+
		" CvRecord.DataSize CvRecord.Rva MiscRecord.DataSize MiscRecord.Rva Reserved")
	m := ModuleRecord{Base: s.U64(), Size: s.U32(), Checksum: s.U32(), TimeStamp: UnixTime(s.U32()), NameRVA: s.U32()}
	m.Version = versionInfo(s.Cursor)
	m.Debug, m.Misc = location(s.Cursor), location(s.Cursor)
	s.Skip(16) // reserved

	m.Name = s.textAt(uint64(m.NameRVA))
	var err error
	if m.CodeView, err = s.codeView(m.Debug); err != nil {
		s.add(err)
	}
	if m.DebugFile, err = s.debugMisc(m.Misc); err != nil {
		s.add(err)
	}
	return m
}

// debugMisc reads an IMAGE_DEBUG_MISC, whose only use is a file name.
// Source: winnt.h.
func (s *section) debugMisc(loc Location) (string, error) {
	const head = 12
	if loc.Size <= head {
		return "", nil
	}
	data, err := s.text.bytes("misc record", loc)
	if err != nil {
		return "", err
	}
	s.f.traceBytes("misc record", offset(loc.RVA), data)
	if wide := data[8]; wide != 0 {
		return fixedUTF16(data[head:], s.f.order), nil
	}
	return cstring(data[head:]), nil
}

// Module converts the record. The meaning of some fields depends on the operating system.
func (m *ModuleRecord) Module(p Platform) module.Module {
	return module.Module{
		Base: m.Base, Size: uint64(m.Size),
		CodeFile: m.Name, CodeID: m.codeID(p),
		DebugFile: m.debugFile(), DebugID: m.CodeView.DebugID(),
		Version: m.Version.text(p),
		ByName:  m.CodeView.Kind == ELFBuildID && len(m.CodeView.BuildID) == 0,
	}
}

// codeID returns the code ID, the identity of the image itself.
func (m *ModuleRecord) codeID(p Platform) string {
	cv := &m.CodeView
	switch {
	case cv.Kind == PDB70 && p.IsApple():
		return strings.ToLower(cv.GUID.String()) // Breakpad writes a Mach-O's UUID in a PDB record
	case cv.Kind == PDB70 || cv.Kind == PDB20:
		return peID(m.TimeStamp, m.Size)
	case cv.Kind == ELFBuildID && !zero(cv.BuildID):
		return fmt.Sprintf("%x", cv.BuildID)
	case cv.Kind == NoCodeView && p.IsWindows():
		// wow64cpu.dll has no debug record, but Microsoft's symbol server has it under this id.
		return peID(m.TimeStamp, m.Size)
	}
	return ""
}

// peID returns the id by which symbol servers identify a PE file.
func peID(stamp UnixTime, size uint32) string { return fmt.Sprintf("%08x%x", uint32(stamp), size) }

func (m *ModuleRecord) debugFile() string {
	switch m.CodeView.Kind {
	case PDB70, PDB20:
		return m.CodeView.File
	case ELFBuildID:
		return m.Name
	}
	return m.DebugFile
}

// An UnloadedRecord is one entry of the list of unloaded modules.
type UnloadedRecord struct {
	Base      uint64
	Size      uint32
	Checksum  uint32
	TimeStamp UnixTime
	Name      string
	NameRVA   uint32
}

// UnloadedModules reads stream 14, UnloadedModuleListStream, as modules. Only Windows writes it, so
// a module has the id of a PE file.
func (f *File) UnloadedModules() ([]module.Module, error) {
	records, err := f.UnloadedRecords()
	if records == nil {
		return nil, err
	}
	modules := make([]module.Module, len(records))
	for i, r := range records {
		modules[i] = module.Module{Base: r.Base, Size: uint64(r.Size), CodeFile: r.Name, CodeID: peID(r.TimeStamp, r.Size)}
	}
	return modules, err
}

// UnloadedRecords reads stream 14, UnloadedModuleListStream, as records.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_unloaded_module
func (f *File) UnloadedRecords() ([]UnloadedRecord, error) {
	return entries(f, UnloadedModuleListStream, 4, format.UnloadedModuleSize, func(s *section, c *bin.Cursor) UnloadedRecord {
		c.Record("unloaded module", "BaseOfImage SizeOfImage CheckSum TimeDateStamp ModuleNameRva")
		m := UnloadedRecord{Base: c.U64(), Size: c.U32(), Checksum: c.U32(), TimeStamp: UnixTime(c.U32()), NameRVA: c.U32()}
		m.Name = s.textAt(uint64(m.NameRVA))
		return m
	})
}

// A VersionInfo is VS_FIXEDFILEINFO.
//
// Spec: https://learn.microsoft.com/windows/win32/api/verrsrc/ns-verrsrc-vs_fixedfileinfo
type VersionInfo struct {
	Signature, Struct             uint32
	FileHi, FileLo                uint32
	ProductHi, ProductLo          uint32
	FlagsMask, Flags              uint32
	FileOS, FileType, FileSubType uint32
	DateHi, DateLo                uint32 // a FILETIME; hardly any linker sets it
}

// versionNames are its fields' names in the header.
const versionNames = "VersionInfo.dwSignature VersionInfo.dwStrucVersion VersionInfo.dwFileVersionMS VersionInfo.dwFileVersionLS" +
	" VersionInfo.dwProductVersionMS VersionInfo.dwProductVersionLS VersionInfo.dwFileFlagsMask VersionInfo.dwFileFlags" +
	" VersionInfo.dwFileOS VersionInfo.dwFileType VersionInfo.dwFileSubtype VersionInfo.dwFileDateMS VersionInfo.dwFileDateLS"

func versionInfo(c *bin.Cursor) VersionInfo {
	return VersionInfo{
		Signature: c.U32(), Struct: c.U32(),
		FileHi: c.U32(), FileLo: c.U32(), ProductHi: c.U32(), ProductLo: c.U32(),
		FlagsMask: c.U32(), Flags: c.U32(),
		FileOS: c.U32(), FileType: c.U32(), FileSubType: c.U32(),
		DateHi: c.U32(), DateLo: c.U32(),
	}
}

// text returns the version in four parts, or "" when there is none.
//
// On Windows and macOS two words hold two parts each. Elsewhere Breakpad takes the version from an
// ELF's file name, libfoo.so.1.2.3, and writes each part into a word of its own.
func (v *VersionInfo) text(p Platform) string {
	if v.Signature != format.VersionSignature || v.Struct != format.VersionStruct {
		return ""
	}
	if p.IsWindows() || p.IsApple() {
		return fmt.Sprintf("%d.%d.%d.%d", v.FileHi>>16, v.FileHi&0xffff, v.FileLo>>16, v.FileLo&0xffff)
	}
	return fmt.Sprintf("%d.%d.%d.%d", v.FileHi, v.FileLo, v.ProductHi, v.ProductLo)
}
