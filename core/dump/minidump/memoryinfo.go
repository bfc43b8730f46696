package minidump

import (
	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump/format"
)

// MemoryInfoListStream is the number of the stream that this file reads.
const MemoryInfoListStream StreamType = 16

// A MemoryInfo is the system's description of one region of the address space, whether or not its
// bytes are in the dump.
type MemoryInfo struct {
	Base, Size        uint64
	AllocationBase    uint64
	AllocationProtect PageProtection // when the region was allocated
	State             MemoryState
	Protect           PageProtection // now
	Type              MemoryType
}

// MemoryInfo reads stream 16, MemoryInfoListStream.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_memory_info_list
func (f *File) MemoryInfo() ([]MemoryInfo, error) {
	return entries(f, MemoryInfoListStream, 8, format.MemoryInfoSize, func(_ *section, c *bin.Cursor) MemoryInfo {
		c.Record("region", "BaseAddress AllocationBase AllocationProtect __alignment1 RegionSize State Protect Type __alignment2")
		m := MemoryInfo{Base: c.U64(), AllocationBase: c.U64(), AllocationProtect: PageProtection(c.U32())}
		c.Skip(4)
		m.Size, m.State, m.Protect, m.Type = c.U64(), MemoryState(c.U32()), PageProtection(c.U32()), MemoryType(c.U32())
		c.Skip(4)
		return m
	})
}

// Values of MemoryInfo's fields. Source: winnt.h.
const (
	memCommit  = 0x1000
	memReserve = 0x2000
	memFree    = 0x1_0000

	memPrivate = 0x2_0000
	memMapped  = 0x4_0000
	memImage   = 0x100_0000

	pageGuard = 0x100
)

// pageAccess maps each PAGE_* constant to the access that it allows; copy on write counts as write.
var pageAccess = map[PageProtection]string{
	0x01: "---", 0x02: "r--", 0x04: "rw-", 0x08: "rw-",
	0x10: "--x", 0x20: "r-x", 0x40: "rwx", 0x80: "rwx",
}

// Access returns the access that the region's pages allow, "rwx" with dashes; "" when there are no
// pages.
func (m *MemoryInfo) Access() string {
	if m.State != memCommit {
		return ""
	}
	return pageAccess[m.Protect&0xff]
}

// Guard reports whether touching the region raises a guard page exception.
func (m *MemoryInfo) Guard() bool { return m.State == memCommit && m.Protect&pageGuard != 0 }

// StateName is "committed", "reserved", "free" or "".
func (m *MemoryInfo) StateName() string {
	return map[MemoryState]string{memCommit: "committed", memReserve: "reserved", memFree: "free"}[m.State]
}

// Kind is "image", "mapped", "private" or "".
func (m *MemoryInfo) Kind() string {
	return map[MemoryType]string{memImage: "image", memMapped: "mapped", memPrivate: "private"}[m.Type]
}
