package minidump

import (
	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump/format"
	"crashglass/core/process"
)

// Numbers of the streams that this file reads.
const (
	ThreadListStream   StreamType = 3
	ThreadExListStream StreamType = 8
	ThreadNamesStream  StreamType = 24
)

// A Thread is one entry of the thread list. Its context and stack are
// locations, not values: how to read a context depends on the system info
// stream, and a thread whose context is damaged still has an ID worth showing.
type Thread struct {
	ID            uint32
	Suspend       uint32
	PriorityClass uint32
	Priority      uint32
	TEB           uint64
	Stack         Range    // may be empty or lie nowhere, see [File.Memory]
	Context       Location // CPU registers, see [File.Context]
}

// A Range is target memory whose bytes lie at a location: MINIDUMP_MEMORY_DESCRIPTOR.
type Range = process.Range

// Threads reads stream 3, ThreadListStream, or else stream 8, ThreadExListStream.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_thread
func (f *File) Threads() ([]Thread, error) {
	stream, size := ThreadListStream, format.ThreadSize
	if !f.Has(stream) && f.Has(ThreadExListStream) {
		stream, size = ThreadExListStream, format.ThreadExSize
	}
	return records(f, stream, size, func(s *section) Thread {
		s.Record("thread", "ThreadId SuspendCount PriorityClass Priority Teb Stack.StartOfMemoryRange Stack.DataSize Stack.Rva ThreadContext.DataSize ThreadContext.Rva BackingStore")
		t := Thread{
			ID: s.U32(), Suspend: s.U32(), PriorityClass: s.U32(), Priority: s.U32(), TEB: s.U64(),
			Stack:   Range{Base: s.U64(), Location: location(s.Cursor)},
			Context: location(s.Cursor),
		}
		s.Skip(size - format.ThreadSize)
		return t
	})
}

// A ThreadName is one entry of the list of names.
type ThreadName struct {
	ID   uint32
	RVA  uint64
	Name string
}

// ThreadNames returns the names of threads by ID. It leaves out unreadable names; of two names for
// one thread the later one counts.
func (f *File) ThreadNames() (map[uint32]string, error) {
	list, err := f.ThreadNameList()
	if list == nil {
		return nil, err
	}
	names := map[uint32]string{}
	for _, n := range list {
		if n.Name != "" {
			names[n.ID] = n.Name
		}
	}
	return names, err
}

// ThreadNameList reads stream 24, ThreadNamesStream.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_thread_name
func (f *File) ThreadNameList() ([]ThreadName, error) {
	return records(f, ThreadNamesStream, format.ThreadNameSize, func(s *section) ThreadName {
		s.Record("thread name", "ThreadId RvaOfThreadName")
		t := ThreadName{ID: s.U32(), RVA: s.U64()}
		t.Name = s.textAt(t.RVA)
		return t
	})
}

// ThreadInfoListStream is the number of the stream that this file reads.
const ThreadInfoListStream StreamType = 17

// A ThreadInfo is the system's description of a thread. Durations are in units of 100 ns.
type ThreadInfo struct {
	ID           uint32
	Flags        ThreadFlags
	Error        uint32 // HRESULT, the reason
	ExitStatus   uint32
	Create, Exit FileTime
	Kernel, User uint64
	Start        uint64 // address of the thread's function
	Affinity     uint64
}

// Bits of ThreadInfo.Flags.
const (
	ThreadError          = 0x01 // a placeholder: the thread could not be read
	ThreadWritesDump     = 0x02
	ThreadExited         = 0x04
	ThreadInvalidInfo    = 0x08
	ThreadInvalidContext = 0x10
	ThreadInvalidTEB     = 0x20
)

// ThreadInfos reads stream 17, ThreadInfoListStream.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_thread_info
func (f *File) ThreadInfos() ([]ThreadInfo, error) {
	return entries(f, ThreadInfoListStream, 4, format.ThreadInfoSize, func(_ *section, c *bin.Cursor) ThreadInfo {
		c.Record("thread", "ThreadId DumpFlags DumpError ExitStatus CreateTime ExitTime KernelTime UserTime StartAddress Affinity")
		return ThreadInfo{
			ID: c.U32(), Flags: ThreadFlags(c.U32()), Error: c.U32(), ExitStatus: c.U32(),
			Create: FileTime(c.U64()), Exit: FileTime(c.U64()), Kernel: c.U64(), User: c.U64(),
			Start: c.U64(), Affinity: c.U64(),
		}
	})
}
