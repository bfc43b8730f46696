package macho

import (
	"fmt"
	"strings"

	"crashglass/core/process/module"
)

// Module is the identity of the file. CodeFile and DebugFile are what a library
// calls itself (LC_ID_DYLIB), which programs do not. CodeID is the UUID, and
// DebugID the same with an age of 0. Size is that of __TEXT, which is what
// dumps of macOS have. A fat file can have two slices for one CPU: arm64 and
// arm64e, or x86_64 and x86_64h. Arch tells them apart, as dump_syms does.
func (f *File) Module() module.Module {
	name := module.Basename(f.dylib)
	m := module.Module{Base: f.base, Size: f.span, CodeFile: name, DebugFile: name, Arch: f.arch()}
	if name := f.CPU(); name == "arm64e" || name == "x86_64h" {
		m.Arch = name
	}
	if len(f.uuid) > 0 {
		m.DebugID = fmt.Sprintf("%X0", f.uuid)
		m.CodeID = strings.ToLower(m.DebugID[:32])
	}
	return m
}

// arch is the CPU as package cpu calls it, "" for one that it does not know.
func (f *File) arch() string {
	switch f.h.cpu {
	case cpuX86:
		return "x86"
	case cpuAMD64:
		return "amd64"
	case cpuARM:
		return "arm"
	case cpuARM64, cpuARM | cpu64As32:
		return "arm64"
	case cpuPPC:
		return "ppc"
	case cpuPPC | cpu64:
		return "ppc64"
	}
	return ""
}

// cpuNames are Apple's names of CPUs, by type and kind.
var cpuNames = map[[2]uint32]string{
	{cpuX86, 3}: "i386", {cpuAMD64, 3}: "x86_64", {cpuAMD64, 8}: "x86_64h",
	{cpuARM, 6}: "armv6", {cpuARM, 9}: "armv7", {cpuARM, 11}: "armv7s", {cpuARM, 12}: "armv7k",
	{cpuARM64, 0}: "arm64", {cpuARM64, 1}: "arm64v8", {cpuARM64, 2}: "arm64e",
	{cpuARM | cpu64As32, 1}: "arm64_32",
	{cpuPPC, 0}:             "ppc", {cpuPPC | cpu64, 0}: "ppc64",
}

// CPU is Apple's name of the CPU, as lipo prints it ("arm64e"), or both numbers
// of one without a name.
func (f *File) CPU() string {
	if name := cpuNames[[2]uint32{f.h.cpu, f.h.sub}]; name != "" {
		return name
	}
	return fmt.Sprintf("cputype %d cpusubtype %d", f.h.cpu, f.h.sub)
}
