package pdb

import (
	"strings"

	"crashglass/core/process/module"
)

// Values of IMAGE_FILE_HEADER.Machine.
// Spec: https://learn.microsoft.com/windows/win32/debug/pe-format#machine-types
const (
	machineX86     = 0x014c
	machineARM     = 0x01c4
	machineAMD64   = 0x8664
	machineARM64   = 0xaa64
	machineARM64EC = 0xa641
)

// archs are the CPUs as package cpu names them: of a program of ARM64EC that of its context. ARM64X (0xa64e) is a program of two.
var archs = map[uint16]string{
	machineX86:     "x86",
	machineARM:     "arm",
	machineAMD64:   "amd64",
	machineARM64:   "arm64",
	machineARM64EC: "amd64",
}

// Module identifies the module of the debug information.
//
// DebugID has the age of the DBI stream, as the image does: the other age grows when a tool writes
// to the file later. DebugFile is the file name that the linker recorded, if any. A PDB has neither
// the image's name nor its code ID.
func (f *File) Module() module.Module {
	f.mu.Lock()
	defer f.mu.Unlock()
	age := f.info.age
	if f.dbi.s != nil {
		age = f.dbi.age
	}
	return module.Module{
		DebugID:   debugID(f.info.guid, age),
		DebugFile: module.Basename(f.environment("pdb")),
		Arch:      archs[f.dbi.machine],
		Size:      f.addr.imageSize(),
	}
}

// linkerModule is the module that linkers write about themselves; the last.
const linkerModule = "* Linker *"

// environment returns a value of S_ENVBLOCK of the linker's module:
// ENVBLOCKSYM of cvinfo.h, pairs of strings.
func (f *File) environment(key string) (value string) {
	u := f.linkerUnit()
	if u == nil {
		return ""
	}
	u.eachRecord(f, 4, func(r record) bool {
		if r.kind != symEnvironment || len(r.data) < 1 {
			return true
		}
		list := strings.Split(string(r.data[1:]), "\x00")
		for j := 0; j+1 < len(list); j += 2 {
			if list[j] == key {
				value = list[j+1]
			}
		}
		return false
	})
	return value
}

// Limit says which data an undamaged PDB lacks by design, and what to do, as the end of a sentence
// about the file; "" if none.
func (f *File) Limit() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.info.mini:
		return "was linked with /DEBUG:FASTLINK: functions and lines are in the object files; link with /DEBUG:FULL, or complete it with mspdbcmf"
	case f.managed():
		return "describes .NET code, which has no addresses before it runs: only a .NET debugger can use it"
	}
	return ""
}

// managedModules is how many modules are looked at for .NET code. Compilers of
// .NET write one for each class.
const managedModules = 16

// managed reports whether the PDB is that of an assembly without native code:
// it has functions with tokens instead of addresses (S_GMANPROC), and no list
// of the image's sections.
func (f *File) managed() bool {
	if len(f.addr.image) > 0 {
		return false
	}
	for i := range managedModules {
		if _, ok := f.mod(i); ok && f.unit(i).managed {
			return true
		}
	}
	return false
}
