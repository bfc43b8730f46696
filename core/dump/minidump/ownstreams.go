package minidump

import (
	"encoding/binary"

	"crashglass/core/dump/minidump/format"
)

// RemovedDataStream is a stream of Crashglass ("CG" and 2): the parts of the file whose bytes were removed.
const RemovedDataStream StreamType = 0x4347_0002

// mostRemoved bounds the parts. A sanitized dump has some per captured word of a stack.
const mostRemoved = 1 << 21

// RemovedData reads the parts of the file with zeros or asterisks in place of what was removed: words of memory,
// registers, and fields of the exception. Each part is two numbers in LEB128: the bytes between it and the
// part before, which is 0 for the first one only, and its size. At most mostRemoved parts are read.
func (f *File) RemovedData() ([]Location, error) {
	s, err := f.section(RemovedDataStream)
	if err != nil {
		return nil, err
	}
	at := s.Offset()
	s.Record("parts", "gaps and sizes")
	data := s.Bytes(s.Len())
	var out []Location
	for end := uint64(0); len(data) > 0; {
		gap, n := binary.Uvarint(data)
		size, m := binary.Uvarint(data[max(n, 0):])
		if len(out) == mostRemoved {
			s.damagef(at, "more than %d parts are left out", mostRemoved)
			break
		}
		if n <= 0 || m <= 0 || size == 0 || gap == 0 && len(out) > 0 || gap > uint64(f.Size())-end || size > uint64(f.Size())-end-gap {
			s.damagef(at, "part %d is empty, touches the one before, or lies beyond the end of the file at %#x", len(out), f.Size())
			break
		}
		out, end, data = append(out, Location{RVA: end + gap, Size: size}), end+gap+size, data[n+m:]
		at += int64(n + m)
	}
	return out, s.err()
}

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
