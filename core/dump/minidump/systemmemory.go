package minidump

import "crashglass/core/dump/minidump/format"

// Numbers of the streams that this file reads.
const (
	SystemMemoryInfoStream  StreamType = 21
	ProcessVMCountersStream StreamType = 22
)

// A Counter is one number of a long list of them.
type Counter struct {
	Name  string
	Value uint64
}

// SystemMemory reads stream 21, SystemMemoryInfoStream: the machine's memory
// as counters, in pages, bytes or events as their names say. The first two
// fields of the structure, its revision and flags, are left out.
//
// Source: minidumpapiset.h, MINIDUMP_SYSTEM_MEMORY_INFO_1, which is packed.
func (f *File) SystemMemory() ([]Counter, error) {
	s, err := f.section(SystemMemoryInfoStream)
	if err != nil {
		return nil, err
	}
	s.Names("Revision_and_Flags")
	s.Skip(4)
	return s.counters(format.SystemMemory), s.err()
}

// counters reads fields up to the end of the stream.
func (s *section) counters(fields []format.Field) []Counter {
	var all []Counter
	for _, fd := range fields {
		if s.Len() < fd.Width {
			break
		}
		s.Names(fd.Name)
		all = append(all, Counter{fd.Name, s.word(fd.Width)})
	}
	return all
}

// ProcessVMCounters reads stream 22, ProcessVmCountersStream: the process's
// memory as counters, in bytes. There are two revisions of the structure.
//
// Source: minidumpapiset.h, MINIDUMP_PROCESS_VM_COUNTERS_1 and _2.
func (f *File) ProcessVMCounters() ([]Counter, error) {
	s, err := f.section(ProcessVMCountersStream)
	if err != nil {
		return nil, err
	}
	s.Names("Revision Flags")
	revision := s.U16()
	s.Skip(2) // flags of the second revision, padding of the first
	table := format.VMCounters1
	if revision >= 2 {
		table = format.VMCounters2
	}
	return s.counters(table), s.err()
}
