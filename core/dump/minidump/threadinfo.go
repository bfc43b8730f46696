package minidump

import (
	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump/format"
)

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
