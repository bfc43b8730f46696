package minidump

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

// A field is a Counter's offset and width in a structure.
type field struct {
	name  string
	width int
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
	return s.counters(systemMemoryFields), s.err()
}

// counters reads fields up to the end of the stream.
func (s *section) counters(fields []field) []Counter {
	var all []Counter
	for _, fd := range fields {
		if s.Len() < fd.width {
			break
		}
		s.Names(fd.name)
		all = append(all, Counter{fd.name, s.word(fd.width)})
	}
	return all
}

// fields makes a table of fields of one width.
func fields(width int, names ...string) []field {
	all := make([]field, len(names))
	for i, name := range names {
		all[i] = field{name, width}
	}
	return all
}

func concat(parts ...[]field) []field {
	var all []field
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

var systemMemoryFields = concat(
	// MINIDUMP_SYSTEM_BASIC_INFORMATION
	fields(4, "TimerResolution", "PageSize", "NumberOfPhysicalPages", "LowestPhysicalPageNumber",
		"HighestPhysicalPageNumber", "AllocationGranularity"),
	fields(8, "MinimumUserModeAddress", "MaximumUserModeAddress", "ActiveProcessorsAffinityMask"),
	fields(4, "NumberOfProcessors"),

	// MINIDUMP_SYSTEM_FILECACHE_INFORMATION
	fields(8, "FileCacheCurrentSize", "FileCachePeakSize"),
	fields(4, "FileCachePageFaultCount"),
	fields(8, "FileCacheMinimumWorkingSet", "FileCacheMaximumWorkingSet",
		"FileCacheCurrentSizeIncludingTransitionInPages", "FileCachePeakSizeIncludingTransitionInPages"),
	fields(4, "FileCacheTransitionRePurposeCount", "FileCacheFlags"),

	// MINIDUMP_SYSTEM_BASIC_PERFORMANCE_INFORMATION
	fields(8, "AvailablePages", "CommittedPages", "CommitLimit", "PeakCommitment"),

	// MINIDUMP_SYSTEM_PERFORMANCE_INFORMATION; "32" where a name repeats one above
	fields(8, "IdleProcessTime", "IoReadTransferCount", "IoWriteTransferCount", "IoOtherTransferCount"),
	fields(4, "IoReadOperationCount", "IoWriteOperationCount", "IoOtherOperationCount",
		"AvailablePages32", "CommittedPages32", "CommitLimit32", "PeakCommitment32",
		"PageFaultCount", "CopyOnWriteCount", "TransitionCount", "CacheTransitionCount", "DemandZeroCount",
		"PageReadCount", "PageReadIoCount", "CacheReadCount", "CacheIoCount",
		"DirtyPagesWriteCount", "DirtyWriteIoCount", "MappedPagesWriteCount", "MappedWriteIoCount",
		"PagedPoolPages", "NonPagedPoolPages", "PagedPoolAllocs", "PagedPoolFrees",
		"NonPagedPoolAllocs", "NonPagedPoolFrees", "FreeSystemPtes", "ResidentSystemCodePage",
		"TotalSystemDriverPages", "TotalSystemCodePages", "NonPagedPoolLookasideHits",
		"PagedPoolLookasideHits", "AvailablePagedPoolPages", "ResidentSystemCachePage",
		"ResidentPagedPoolPage", "ResidentSystemDriverPage",
		"CcFastReadNoWait", "CcFastReadWait", "CcFastReadResourceMiss", "CcFastReadNotPossible",
		"CcFastMdlReadNoWait", "CcFastMdlReadWait", "CcFastMdlReadResourceMiss", "CcFastMdlReadNotPossible",
		"CcMapDataNoWait", "CcMapDataWait", "CcMapDataNoWaitMiss", "CcMapDataWaitMiss",
		"CcPinMappedDataCount", "CcPinReadNoWait", "CcPinReadWait", "CcPinReadNoWaitMiss", "CcPinReadWaitMiss",
		"CcCopyReadNoWait", "CcCopyReadWait", "CcCopyReadNoWaitMiss", "CcCopyReadWaitMiss",
		"CcMdlReadNoWait", "CcMdlReadWait", "CcMdlReadNoWaitMiss", "CcMdlReadWaitMiss",
		"CcReadAheadIos", "CcLazyWriteIos", "CcLazyWritePages", "CcDataFlushes", "CcDataPages",
		"ContextSwitches", "FirstLevelTbFills", "SecondLevelTbFills", "SystemCalls"),
	fields(8, "CcTotalDirtyPages", "CcDirtyPageThreshold", "ResidentAvailablePages", "SharedCommittedPages"),
)

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
	table := vmCounters1
	if revision >= 2 {
		table = vmCounters2
	}
	return s.counters(table), s.err()
}

var (
	vmCounters = concat(
		fields(4, "PageFaultCount"),
		fields(8, "PeakWorkingSetSize", "WorkingSetSize", "QuotaPeakPagedPoolUsage", "QuotaPagedPoolUsage",
			"QuotaPeakNonPagedPoolUsage", "QuotaNonPagedPoolUsage", "PagefileUsage", "PeakPagefileUsage"),
	)
	vmCounters1 = concat(vmCounters, fields(8, "PrivateUsage"))
	vmCounters2 = concat(vmCounters, fields(8, "PeakVirtualSize", "VirtualSize", "PrivateUsage",
		"PrivateWorkingSetSize", "SharedCommitUsage", "JobSharedCommitUsage", "JobPrivateCommitUsage",
		"JobPeakPrivateCommitUsage", "JobPrivateCommitLimit", "JobTotalCommitLimit"))
)
