package elf

import (
	"encoding/binary"
	"encoding/hex"

	"crashglass/core/process/module"
)

// Module is the identity of the file. CodeFile and DebugFile are its own name (DT_SONAME), which
// programs lack; CodeID is the build ID.
func (f *File) Module() module.Module {
	name := module.Basename(f.soname)
	return module.Module{
		Base: f.base, Size: f.size,
		CodeFile: name, DebugFile: name,
		CodeID: hex.EncodeToString(f.buildID), DebugID: f.debugID(),
		Arch: f.arch(),
	}
}

// guidSize is the size of a GUID: a debug id has that much of the build id.
const guidSize = 16

// textHashed is how many bytes of .text are hashed in place of a build ID.
const textHashed = 4096

// debugID is the build id's first bytes as a GUID, whose first three fields
// are little-endian, and the age 0. Where there is no build id Breakpad
// combines the first page of .text: FileID::ElfFileIdentifierFromMappedFile in
// its src/common/linux/file_id.cc.
func (f *File) debugID() string {
	var id [guidSize]byte
	switch {
	case len(f.buildID) > 0:
		copy(id[:], f.buildID)
	default:
		text := f.Section(".text")
		data, err := text.ReadUpTo("elf: .text", 0, textHashed)
		if err != nil {
			return ""
		}
		for i, b := range data {
			id[i%guidSize] ^= b
		}
	}
	// Breakpad's dumps use this form on all machines, rust-minidump's only on little-endian ones;
	// package symbols accepts both.
	return module.DebugID(id[:], binary.LittleEndian)
}

// Numbers of machines (e_machine) whose names depend on more than the number.
const (
	machine386    = 3
	machineAMD64  = 62
	machineARM64  = 183
	machineMIPS   = 8
	machineMIPSLE = 10 // RS3000 little-endian, deprecated
	machineARM    = 40
	machineRISCV  = 243
	machinePPC64  = 21

	mipsABI2 = 0x20 // EF_MIPS_ABI2: n32
)

// machines are the names that package cpu has.
var machines = map[uint16]string{
	2: "sparc", 18: "sparc", 43: "sparc", // SPARC, SPARC32PLUS, SPARCV9
	machine386: "x86", 6: "x86", // 386, and 486 as never used
	20: "ppc", machinePPC64: "ppc64",
	machineARM: "arm", machineAMD64: "amd64", machineARM64: "arm64",
}

func (f *File) arch() string {
	switch f.h.machine {
	case machineRISCV:
		if f.h.is64 {
			return "riscv64"
		}
		return "riscv"
	case machineMIPS, machineMIPSLE:
		if f.h.is64 || f.h.flags&mipsABI2 != 0 {
			return "mips64"
		}
		return "mips"
	}
	return machines[f.h.machine]
}
