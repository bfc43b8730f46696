// Package module describes the code images of a process: names, ids of their builds, and address
// ranges.
//
// It reads nothing itself. Names and ids are copied from the dump, and may be empty or contain
// anything. A [Map] accepts any list of ranges, also overlapping or wrapping ones, and always
// answers. Symbols of a module are package symbols' business.
package module

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Module is one loaded (or unloaded) image.
type Module struct {
	Base, Size uint64
	CodeFile   string // path of the image, as the process knew it
	CodeID     string // time stamp and size of a PE, build id of an ELF, UUID of a Mach-O; lower case hex
	DebugFile  string // path or name of the file that holds the debug information
	DebugID    string // GUID and age as Breakpad writes it: 33 or more hex digits, or empty
	Version    string
	Arch       string // CPU that its code is for, as package cpu names it; empty when that is not known

	// ByName says that the dump does not identify the module's build: its ELF header was not
	// captured, as in the cores of QEMU, or it was linked without a build ID. Files are then
	// matched by name alone.
	ByName bool

	// Mapped is the number of bytes from Base on that are mapped from CodeFile, if that is known
	// and exceeds Size; 0 otherwise. LLDB writes the size of the sections into module lists,
	// without the gaps between them, so that most of a module's code is beyond its Size.
	Mapped uint64

	// Code are the executable parts of the image, by its section table; nil when that is not known.
	Code *Parts
	// Floating says that nobody knows where the module was: Base is made up, so that offsets in the
	// module are addresses.
	Floating bool

	// Offsets are what addresses count from Base.
	Offsets Offsets
}

// A Part is a part of a module, from its first byte.
type Part struct{ Start, Size uint64 }

// Parts are parts of one module.
type Parts []Part

// IsCode reports whether an address of the module is executable, and whether that is known.
func (m *Module) IsCode(addr uint64) (code, known bool) {
	if m.Code == nil {
		return false, false
	}
	return slices.ContainsFunc(*m.Code, func(p Part) bool { return addr-m.Base-p.Start < p.Size }), true
}

// Offsets say what the difference of an address and the base of its module is.
type Offsets uint8

// The kinds of offsets. Dumps have the first one only.
const (
	FromBase Offsets = iota // the distance from the first byte that is loaded
	Linked                  // the address that the linker gave, in a file that may be linked for another base than 0
	InFile                  // the offset in the file
	InCode                  // the distance from the page of the executable segment
)

// Span returns the size of the module's range: Size, or Mapped when that is larger.
func (m *Module) Span() uint64 { return max(m.Size, m.Mapped) }

// Contains reports whether addr belongs to the module.
func (m *Module) Contains(addr uint64) bool {
	return addr-m.Base < m.Span()
}

// BuildID returns the build ID of an ELF module, "" if it has none. Old versions of Breakpad wrote
// modules of Linux with the time 0, so that their code ID is 00000000 and a size.
func (m *Module) BuildID() string {
	if len(m.CodeID) <= 16 && strings.HasPrefix(m.CodeID, "00000000") {
		return ""
	}
	return m.CodeID
}

// SetBuildID sets the ids that an ELF's build ID gives, in the byte order of its CPU. Without one the
// module is known by name only. One of zeros, as mapped fonts and .jar files have, identifies nothing.
func (m *Module) SetBuildID(id []byte, order binary.ByteOrder) {
	m.ByName, m.CodeID, m.DebugID = len(id) == 0, "", ""
	if strings.Trim(string(id), "\x00") != "" {
		m.CodeID, m.DebugID = fmt.Sprintf("%x", id), DebugID(id, order)
	}
}

// DebugID returns the debug ID that Breakpad makes of a build ID: its first 16 bytes, padded with
// zeros, as a GUID whose first three fields are numbers, and the age 0.
func DebugID(buildID []byte, order binary.ByteOrder) string {
	var id [16]byte
	copy(id[:], buildID)
	return fmt.Sprintf("%08X%04X%04X%X0", order.Uint32(id[:]), order.Uint16(id[4:]), order.Uint16(id[6:]), id[8:])
}

// Name returns the last element of CodeFile.
func (m *Module) Name() string { return Basename(m.CodeFile) }

// Basename returns the last element of a path of any operating system: the text after the last
// slash or backslash.
func Basename(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' || path[i] == '\\' {
			return path[i+1:]
		}
	}
	return path
}

// IsVDSO reports whether a file is the module that the Linux kernel maps into every process, by its name (vdso(7)). No file has its code.
func IsVDSO(file string) bool {
	return strings.HasPrefix(file, "linux-gate.so") || strings.HasPrefix(file, "linux-vdso") || file == "[vdso]"
}

// Stamp returns the time stamp and the size of a PE image, which its CodeID has as %08X%x; 0 for other IDs.
func (m *Module) Stamp() (stamp, size uint32) {
	const digits = 8
	if len(m.CodeID) < digits {
		return 0, 0
	}
	s, _ := strconv.ParseUint(m.CodeID[:digits], 16, 32)
	n, _ := strconv.ParseUint(m.CodeID[digits:], 16, 32)
	return uint32(s), uint32(n)
}
