package minidump

import (
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump/format"
)

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
