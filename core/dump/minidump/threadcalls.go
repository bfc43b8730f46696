package minidump

import "crashglass/core/dump/minidump/format"

// ThreadCallsStream is a stream of Crashglass, which converts cores: "CG" and 1.
const ThreadCallsStream StreamType = 0x4347_0001

// A ThreadCall is the system call of a thread. Linux stores its number beside the registers of x86 and
// amd64, and contexts of minidumps have no place for it.
type ThreadCall struct{ ID, Number uint32 }

// ThreadCalls reads stream 0x43470001: a count, and for each thread in a system call its ID and the number.
func (f *File) ThreadCalls() ([]ThreadCall, error) {
	return records(f, ThreadCallsStream, format.ThreadCallSize, func(s *section) ThreadCall {
		s.Record("thread call", "ThreadId Number")
		return ThreadCall{s.U32(), s.U32()}
	})
}
