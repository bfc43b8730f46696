package elf

import (
	"encoding/binary"
	"encoding/hex"

	"crashglass/core/base/bin"
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

// descriptors is .opd of the first ABI for 64-bit PowerPC: symbols of
// functions point there, to the address of the code and two words more.
//
// Source: 64-bit PowerPC ELF Application Binary Interface Supplement, 3.1.4.
type descriptors struct {
	section *section
	data    []byte
	order   binary.ByteOrder
}

// maxDescriptors bounds .opd. Each function has 24 bytes of it.
const maxDescriptors = 64 << 20

func (f *File) descriptors() *descriptors {
	if f.h.machine != machinePPC64 {
		return nil
	}
	s := f.find(".opd")
	if s == nil {
		return nil
	}
	data, err := f.raw(s).ReadUpTo("elf: .opd", 0, maxDescriptors)
	if err != nil {
		f.note("%v", err)
		return nil
	}
	return &descriptors{s, data, f.h.order}
}

// code is the address of the code of a descriptor, 0 when there is none.
func (d *descriptors) code(addr uint64) uint64 {
	off := addr - d.section.addr
	if off > uint64(len(d.data)) || uint64(len(d.data))-off < 8 {
		return 0
	}
	return d.order.Uint64(d.data[off:])
}

// noteBuildID is NT_GNU_BUILD_ID, of owner GNU.
const noteBuildID = 3

// maxNotes bounds how much of a run of notes is looked at.
const maxNotes = 64 << 10

// readBuildID looks for the build id: in the segments with notes and, where a
// linker did not make one, in the section.
func (f *File) readBuildID() {
	for _, s := range f.segs {
		if s.kind == segNote && f.buildID == nil && f.src.Has(int64(s.off), 1) {
			f.buildID = f.idInNotes(int64(s.off), s.size, s.align)
		}
	}
	// Files of debug information keep the headers of segments as they were in
	// the program, so that offsets there point nowhere.
	if s := f.find(".note.gnu.build-id"); s != nil {
		if id := f.idInNotes(int64(s.off), s.size, 4); id != nil {
			f.buildID = id
		}
	}
}

// idInNotes reads notes: sizes of name and description, type, and both, each
// padded to the alignment, which is 8 for .note.gnu.property alone.
func (f *File) idInNotes(off int64, size, align uint64) []byte {
	data, err := f.src.ReadUpTo("elf: notes", off, min(size, maxNotes))
	if err != nil {
		f.note("%v", err)
		return nil
	}
	pad := 3
	if align == 8 {
		pad = 7
	}
	c := bin.NewOrderedCursor("elf: notes", off, data, f.h.order)
	for c.Len() >= 12 && c.Err() == nil {
		nameSize, descSize, kind := int(c.U32()), int(c.U32()), c.U32()
		name := c.Bytes(nameSize)
		c.Skip(min(-(12+nameSize)&pad, c.Len()))
		desc := c.Bytes(descSize)
		c.Skip(min(-descSize&pad, c.Len()))
		if kind == noteBuildID && string(name) == "GNU\x00" && len(desc) > 0 {
			return desc
		}
	}
	if err := c.Err(); err != nil {
		f.note("%v", err)
	}
	return nil
}
