package minidump

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// SystemInfoStream is the number of the stream that this file reads.
const SystemInfoStream StreamType = 7

// A SystemInfo is MINIDUMP_SYSTEM_INFO: the machine and its operating system.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_system_info
type SystemInfo struct {
	Processor           Processor
	Level, Revision     uint16 // family; model and stepping
	Processors          uint8
	ProductType         ProductType
	Major, Minor, Build uint32
	Platform            Platform
	CSDVersion          string // service pack on Windows, build on macOS, uname on Linux
	CSDVersionRVA       uint32
	SuiteMask           uint16
	CPU                 [24]byte // CPU_INFORMATION, a union
	order               binary.ByteOrder
}

// SystemInfo reads stream 7, SystemInfoStream.
func (f *File) SystemInfo() (*SystemInfo, error) {
	s, err := f.section(SystemInfoStream)
	if err != nil {
		return nil, err
	}
	s.Names("ProcessorArchitecture ProcessorLevel ProcessorRevision NumberOfProcessors ProductType" +
		" MajorVersion MinorVersion BuildNumber PlatformId CSDVersionRva SuiteMask Reserved2 Cpu")
	sys := &SystemInfo{
		Processor: Processor(s.U16()), Level: s.U16(), Revision: s.U16(),
		Processors: s.U8(), ProductType: ProductType(s.U8()),
		Major: s.U32(), Minor: s.U32(), Build: s.U32(), Platform: Platform(s.U32()),
		order: f.order,
	}
	sys.CSDVersionRVA = s.U32()
	sys.SuiteMask = s.U16()
	s.Skip(2)
	copy(sys.CPU[:], s.Bytes(min(len(sys.CPU), s.Len())))
	if s.Cursor.Err() != nil || sys.CSDVersionRVA == 0 {
		return sys, s.err()
	}
	if sys.CSDVersion, err = s.text.utf16(uint64(sys.CSDVersionRVA)); err != nil {
		s.add(err)
	}
	return sys, s.err()
}

// Version returns the system's version and, if it is known, its build.
//
// Breakpad for Linux leaves the numbers at 0.0.0 and puts the output of uname into the service
// pack: "Linux 5.4.0 #1 SMP ... x86_64". The version is its second word, and the build is the text
// between that and the machine.
func (s *SystemInfo) Version() (version, build string) {
	version = fmt.Sprintf("%d.%d.%d", s.Major, s.Minor, s.Build)
	build = strings.TrimSpace(s.CSDVersion)
	if s.Platform != PlatformLinux || version != "0.0.0" {
		return version, build
	}
	words := strings.Split(s.CSDVersion, " ")
	if len(words) < 2 {
		return version, build
	}
	return words[1], unameBuild(words[2:])
}

// unameBuild drops the machine, and the "GNU/Linux" that may follow it.
func unameBuild(words []string) string {
	for _, last := range []string{"Linux/GNU", "GNU/Linux"} {
		if n := len(words); n > 0 && words[n-1] == last {
			words = words[:n-1]
		}
	}
	if n := len(words); n > 0 {
		words = words[:n-1]
	}
	return strings.Join(words, " ")
}

// word reads a value of the CPU union.
func (s *SystemInfo) word(i int) uint32 {
	if s.order == nil {
		return 0
	}
	return s.order.Uint32(s.CPU[4*i:])
}
