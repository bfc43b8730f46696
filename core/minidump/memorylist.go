package minidump

import "crashglass/core/minidump/format"

// Numbers of the streams that this file reads.
const (
	MemoryListStream   StreamType = 5
	Memory64ListStream StreamType = 9
)

// MemoryList reads stream 5, MemoryListStream: memory with a location for each range.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_memory_list
func (f *File) MemoryList() ([]Range, error) {
	s, err := f.section(MemoryListStream)
	if err != nil {
		return nil, err
	}
	n := s.array(format.RangeSize)
	ranges := make([]Range, 0, n)
	for range n {
		s.Record("range", "StartOfMemoryRange Memory.DataSize Memory.Rva")
		ranges = append(ranges, Range{s.U64(), location(s.Cursor)})
	}
	return ranges, s.err()
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
		r := Range{s.U64(), Location{RVA: rva, Size: s.U64()}}
		if r.Size > ^uint64(0)-rva { // no file reaches so far
			s.damagef(s.Offset()-8, "size %#x of range %d does not fit behind offset %#x", r.Size, i, rva)
			break
		}
		rva += r.Size
		ranges = append(ranges, r)
	}
	return ranges, s.err()
}
