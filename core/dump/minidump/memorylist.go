package minidump

import (
	"slices"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump/format"
	"crashglass/core/process"
)

// Numbers of the streams that this file reads.
const (
	MemoryListStream   StreamType = 5
	Memory64ListStream StreamType = 9
)

// MemoryList reads stream 5, MemoryListStream: memory with a location for each range.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_memory_list
func (f *File) MemoryList() ([]Range, error) {
	return records(f, MemoryListStream, format.RangeSize, func(s *section) Range {
		s.Record("range", "StartOfMemoryRange Memory.DataSize Memory.Rva")
		return Range{Base: s.U64(), Location: location(s.Cursor)}
	})
}

// Memory64List reads stream 9, Memory64ListStream: memory whose ranges are consecutive in the file,
// of any size.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_memory64_list
func (f *File) Memory64List() ([]Range, error) {
	s, err := f.section(Memory64ListStream)
	if err != nil {
		return nil, err
	}
	at := s.Offset()
	s.Names("NumberOfMemoryRanges BaseRva")
	count, rva := s.U64(), s.U64()
	n := s.clip(at, count, format.Range64Size)
	ranges := make([]Range, 0, n)
	for i := range n {
		s.Record("range", "StartOfMemoryRange DataSize")
		r := Range{Base: s.U64(), Location: Location{RVA: rva, Size: s.U64()}}
		if r.Size > ^uint64(0)-rva { // no file reaches so far
			s.damagef(s.Offset()-8, "size %#x of range %d does not fit behind offset %#x", r.Size, i, rva)
			break
		}
		rva += r.Size
		ranges = append(ranges, r)
	}
	return ranges, s.err()
}

// Memory indexes all memory of the dump: the stacks that the thread list points to, the memory list
// and the 64-bit memory list. Breakpad lists stacks in the memory list as well, other writers do
// not. Where ranges overlap, stacks have precedence, then the order of the lists.
//
// The result is never nil. The error reports ranges that were left out or truncated, and damaged
// lists.
func (f *File) Memory() (*process.Memory, error) {
	var d damage
	var all []Range
	threads, err := f.Threads()
	d.merge(err)
	for _, t := range threads {
		all = append(all, t.Stack)
	}
	list, err := f.MemoryList()
	d.merge(err)
	all = append(all, list...)
	list, err = f.Memory64List()
	d.merge(err)
	// Windows writes stacks with an RVA of 0 when their memory is in the 64-bit list.
	all = slices.DeleteFunc(append(all, list...), func(r Range) bool { return r.RVA == 0 })
	m := process.NewMemory(f.pages, f.header.BigEndian, all, d.add)
	return m.Without(f.removed), d.err()
}

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
