package breakpaddump

import (
	"fmt"

	"crashglass/core/dump/minidump"
)

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
