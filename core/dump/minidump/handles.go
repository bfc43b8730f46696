package minidump

import (
	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump/format"
)

// Numbers of the streams that this file reads.
const (
	HandleDataStream          StreamType = 12
	HandleOperationListStream StreamType = 18
)

// maxHandleInfo bounds the chain of further information about one handle. There are eight kinds.
const maxHandleInfo = 16

// A Handle is an open handle, or a file descriptor.
type Handle struct {
	Value        uint64
	Type, Name   string // "" when unknown
	Attributes   uint32
	Access       uint32 // granted
	HandleCount  uint32
	PointerCount uint32
	Info         []HandleInfo
}

// HandleInfo is further information of an object.
type HandleInfo struct {
	Kind uint32 // MINIDUMP_HANDLE_OBJECT_INFORMATION_TYPE
	Data []byte
}

// Handles reads stream 12, HandleDataStream.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_handle_descriptor_2
func (f *File) Handles() ([]Handle, error) {
	return entries(f, HandleDataStream, 4, format.HandleSize, (*section).handle)
}

func (s *section) handle(c *bin.Cursor) Handle {
	c.Record("handle", "Handle TypeNameRva ObjectNameRva Attributes GrantedAccess HandleCount PointerCount ObjectInfoRva")
	h := Handle{Value: c.U64()}
	kind, name := c.U32(), c.U32()
	h.Attributes, h.Access, h.HandleCount, h.PointerCount = c.U32(), c.U32(), c.U32(), c.U32()
	h.Type, h.Name = s.optionalText(kind), s.optionalText(name)
	if c.Len() >= format.Handle2Size-format.HandleSize {
		h.Info = s.handleInfo(c.U32())
	}
	return h
}

// optionalText reads a string, "" if its RVA is 0.
func (s *section) optionalText(rva uint32) string {
	if rva == 0 {
		return ""
	}
	return s.textAt(uint64(rva))
}

// handleInfo follows a chain of MINIDUMP_HANDLE_OBJECT_INFORMATION.
func (s *section) handleInfo(rva uint32) []HandleInfo {
	const head = 12
	var infos []HandleInfo
	for len(infos) < maxHandleInfo && rva != 0 {
		data, err := s.text.bytes("handle information", Location{RVA: uint64(rva), Size: head})
		if err != nil {
			s.add(err)
			break
		}
		c := s.f.cursor("handle information", int64(rva), data)
		c.Names("NextInfoRva InfoType SizeOfInfo")
		next, kind, size := c.U32(), c.U32(), c.U32()
		data, err = s.text.bytes("handle information", Location{RVA: uint64(rva) + head, Size: uint64(size)})
		if err != nil {
			s.add(err)
			break
		}
		s.f.traceBytes("information", int64(rva)+head, data)
		infos = append(infos, HandleInfo{kind, data})
		rva = next
	}
	return infos
}

// A HandleOperation is one entry of the trace that Application Verifier keeps.
type HandleOperation struct {
	Handle              uint64
	ProcessID, ThreadID uint32
	Operation           HandleAction
	Stack               []uint64
}

// HandleOperations reads stream 18, HandleOperationListStream.
//
// Source: avrfsdk.h, AVRF_HANDLE_OPERATION; minidumpapiset.h.
func (f *File) HandleOperations() ([]HandleOperation, error) {
	return entries(f, HandleOperationListStream, 4, format.HandleOperationSize, func(_ *section, c *bin.Cursor) HandleOperation {
		c.Record("operation", "Handle ProcessId ThreadId OperationType Spare0 BackTraceInformation.Depth BackTraceInformation.Index ReturnAddresses[]")
		op := HandleOperation{Handle: c.U64(), ProcessID: c.U32(), ThreadID: c.U32(), Operation: HandleAction(c.U32())}
		c.Skip(4)
		depth := min(c.U32(), format.MaxTrace)
		c.Skip(4) // index in the trace database
		for range depth {
			op.Stack = append(op.Stack, c.U64())
		}
		return op
	})
}
