package minidump

// BreakpadInfoStream is the number of the stream that this file reads.
const BreakpadInfoStream StreamType = 0x4767_0001

// BreakpadInfo is MINIDUMP_BREAKPAD_INFO: the thread that wrote the dump, and the one that
// requested it.
type BreakpadInfo struct {
	Validity         uint32  // which of the two are set
	DumpThread       *uint32 // its stack belongs to the crash handler
	RequestingThread *uint32
}

// BreakpadInfo reads stream 0x47670001, BreakpadInfoStream.
//
// Source: Breakpad's minidump_format.h, MDRawBreakpadInfo.
func (f *File) BreakpadInfo() (*BreakpadInfo, error) {
	s, err := f.section(BreakpadInfoStream)
	if err != nil {
		return nil, err
	}
	s.Names("validity dump_thread_id requesting_thread_id")
	validity, dump, requesting := s.U32(), s.U32(), s.U32()
	info := &BreakpadInfo{Validity: validity}
	if s.err() != nil {
		return info, s.err()
	}
	if validity&1 != 0 {
		info.DumpThread = &dump
	}
	if validity&2 != 0 {
		info.RequestingThread = &requesting
	}
	return info, nil
}
