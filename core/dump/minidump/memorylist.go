package minidump

import (
	"slices"

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
	return m, d.err()
}
