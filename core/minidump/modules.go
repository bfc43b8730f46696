package minidump

import (
	"fmt"

	"crashglass/core/bin"
	"crashglass/core/module"
)

// moduleSize is sizeof(MINIDUMP_MODULE), which is packed.
const moduleSize = 108

// A ModuleRecord is one entry of the module list as it is.
type ModuleRecord struct {
	Base      uint64
	Size      uint32
	Checksum  uint32
	TimeStamp uint32 // of the PE header, seconds since 1970
	Name      string // whole path
	Version   VersionInfo
	CodeView  CodeView
	DebugFile string // of the misc record, which predates CodeView; usually ""
}

// Modules reads stream 4, ModuleListStream, as modules with the identities
// that symbol files are found by. The first one is the program. A module whose
// name or debug record cannot be read is listed without it.
func (f *File) Modules() ([]module.Module, error) {
	records, err := f.ModuleRecords()
	platform := f.platform()
	modules := make([]module.Module, len(records))
	for i := range records {
		modules[i] = records[i].Module(platform)
	}
	return modules, err
}

// platform is the operating system, or 0 when the dump does not say.
func (f *File) platform() Platform {
	if sys, _ := f.SystemInfo(); sys != nil {
		return sys.Platform
	}
	return 0
}

// ModuleRecords reads stream 4, ModuleListStream, as it is.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_module
func (f *File) ModuleRecords() ([]ModuleRecord, error) {
	s, err := f.section(ModuleListStream)
	if err != nil {
		return nil, err
	}
	n := s.array(moduleSize)
	modules := make([]ModuleRecord, 0, n)
	for range n {
		modules = append(modules, s.module())
	}
	return modules, s.err()
}

func (s *section) module() ModuleRecord {
	m := ModuleRecord{Base: s.U64(), Size: s.U32(), Checksum: s.U32(), TimeStamp: s.U32()}
	name := s.U32()
	m.Version = versionInfo(s.Cursor)
	cv, misc := location(s.Cursor), location(s.Cursor)
	s.Skip(16) // reserved

	var err error
	if m.Name, err = s.text.utf16(uint64(name)); err != nil {
		s.add(err)
	}
	if m.CodeView, err = s.codeView(cv); err != nil {
		s.add(err)
	}
	if m.DebugFile, err = s.debugMisc(misc); err != nil {
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
	if wide := data[8]; wide != 0 {
		return fixedUTF16(data[head:], s.f.order), nil
	}
	return cstring(data[head:]), nil
}

// Module identifies the module. The operating system decides what some of its
// fields mean.
func (m *ModuleRecord) Module(p Platform) module.Module {
	return module.Module{
		Base: m.Base, Size: uint64(m.Size),
		CodeFile: m.Name, CodeID: m.codeID(p),
		DebugFile: m.debugFile(), DebugID: m.CodeView.DebugID(),
		Version: m.Version.text(p),
	}
}

// codeID is the identity of the image itself.
func (m *ModuleRecord) codeID(p Platform) string {
	cv := &m.CodeView
	switch {
	case cv.Kind == PDB70 && p.IsApple():
		return cv.GUID.lower() // Breakpad writes a Mach-O's UUID as if it were a PDB's
	case cv.Kind == PDB70 || cv.Kind == PDB20:
		return peID(m.TimeStamp, m.Size)
	case cv.Kind == ELFBuildID && !zero(cv.BuildID):
		return fmt.Sprintf("%x", cv.BuildID)
	case cv.Kind == NoCodeView && p.IsWindows():
		// wow64cpu.dll for one has no debug record, and Microsoft's symbol
		// server has it under this id all the same.
		return peID(m.TimeStamp, m.Size)
	}
	return ""
}

// peID is how symbol servers identify a PE file.
func peID(stamp, size uint32) string { return fmt.Sprintf("%08x%x", stamp, size) }

func (m *ModuleRecord) debugFile() string {
	switch m.CodeView.Kind {
	case PDB70, PDB20:
		return m.CodeView.File
	case ELFBuildID:
		return m.Name
	}
	return m.DebugFile
}

// unloadedSize is sizeof(MINIDUMP_UNLOADED_MODULE).
const unloadedSize = 24

// UnloadedModules reads stream 14, UnloadedModuleListStream. Only Windows
// writes it, so a module's identity is that of its PE file.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_unloaded_module
func (f *File) UnloadedModules() ([]module.Module, error) {
	s, err := f.section(UnloadedModuleListStream)
	if err != nil {
		return nil, err
	}
	n, stride := s.header(4, unloadedSize)
	modules := make([]module.Module, 0, n)
	for range n {
		modules = append(modules, s.unloaded(s.record(stride)))
	}
	return modules, s.err()
}

func (s *section) unloaded(c *bin.Cursor) module.Module {
	base, size := c.U64(), c.U32()
	c.Skip(4) // checksum
	stamp, name := c.U32(), c.U32()
	m := module.Module{Base: base, Size: uint64(size), CodeID: peID(stamp, size)}
	var err error
	if m.CodeFile, err = s.text.utf16(uint64(name)); err != nil {
		s.add(err)
	}
	return m
}
