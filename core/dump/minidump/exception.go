package minidump

import (
	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump/format"
)

// ExceptionStream is the number of the stream that this file reads.
const ExceptionStream StreamType = 6

// An Exception is MINIDUMP_EXCEPTION_STREAM: the exception, its thread, and the registers at that
// moment. The thread list often has the registers of the code that wrote the dump instead.
type Exception struct {
	ThreadID   uint32
	Code       uint32 // NTSTATUS, signal number or Mach exception
	Flags      uint32 // si_code on Linux, Mach code on macOS
	Record     uint64 // address of a nested EXCEPTION_RECORD
	Address    uint64
	Count      uint32   // of parameters, as in the dump
	Parameters []uint64 // at most 15, those before the first that was removed
	Removed    bool     // Address was removed
	Lost       int      // parameters from the first removed one on
	Context    Location // see [File.Context]
}

// Exception reads stream 6, ExceptionStream.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_exception
func (f *File) Exception() (*Exception, error) {
	s, err := f.section(ExceptionStream)
	if err != nil {
		return nil, err
	}
	s.Names("ThreadId __alignment ExceptionCode ExceptionFlags ExceptionRecord ExceptionAddress NumberParameters __unusedAlignment ExceptionInformation[]")
	start := uint64(s.Offset())
	e := &Exception{ThreadID: s.U32(), Removed: f.removed.Has(start+format.ExceptionAddressAt, 8)}
	s.Skip(4)
	e.Code, e.Flags, e.Record, e.Address = s.U32(), s.U32(), s.U64(), s.U64()
	if s.Cursor.Err() != nil {
		return nil, s.err() // a code of zero is one, too
	}
	at := s.Offset()
	n := s.U32()
	e.Count = n
	if n > format.MaxParameters {
		s.damagef(at, "parameter count %d exceeds %d", n, format.MaxParameters)
	}
	s.Skip(4)
	e.Parameters = parameters(s.Cursor, min(int(n), format.MaxParameters))
	for i := range e.Parameters {
		if f.removed.Has(start+format.ExceptionParametersAt+uint64(8*i), 8) {
			e.Parameters, e.Lost = e.Parameters[:i], len(e.Parameters)-i
			break
		}
	}
	s.Names("ThreadContext.DataSize ThreadContext.Rva")
	e.Context = location(s.Cursor)
	return e, s.err()
}

// parameters reads the array, which always has its full length.
func parameters(c *bin.Cursor, n int) []uint64 {
	all := make([]uint64, format.MaxParameters)
	for i := range all {
		all[i] = c.U64()
	}
	return all[:n]
}
