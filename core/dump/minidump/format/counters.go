package format

import "slices"

// A Field is the name of a counter, and its width in the structure in bytes.
type Field struct {
	Name  string
	Width int
}

func fields(width int, names ...string) []Field {
	all := make([]Field, len(names))
	for i, name := range names {
		all[i] = Field{Name: name, Width: width}
	}
	return all
}

// SystemMemory has the counters of stream 21, behind its revision and flags.
//
// Source: minidumpapiset.h, MINIDUMP_SYSTEM_MEMORY_INFO_1, which is packed.
var SystemMemory = slices.Concat(
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

// The counters of stream 22. VMCounters are the first nine, which both revisions have.
//
// Source: minidumpapiset.h, MINIDUMP_PROCESS_VM_COUNTERS_1 and _2.
var (
	VMCounters = slices.Concat(
		fields(4, "PageFaultCount"),
		fields(8, "PeakWorkingSetSize", "WorkingSetSize", "QuotaPeakPagedPoolUsage", "QuotaPagedPoolUsage",
			"QuotaPeakNonPagedPoolUsage", "QuotaNonPagedPoolUsage", "PagefileUsage", "PeakPagefileUsage"),
	)
	VMCounters1 = slices.Concat(VMCounters, fields(8, "PrivateUsage"))
	VMCounters2 = slices.Concat(VMCounters, fields(8, "PeakVirtualSize", "VirtualSize", "PrivateUsage",
		"PrivateWorkingSetSize", "SharedCommitUsage", "JobSharedCommitUsage", "JobPrivateCommitUsage",
		"JobPeakPrivateCommitUsage", "JobPrivateCommitLimit", "JobTotalCommitLimit"))
)

// A ProtoPath identifies a number of a protocol buffer by the tags of the messages around it.
type ProtoPath string

// The counters of the stability report: of the system in field 7, and of a process in field 2.
//
// Source: Chromium, components/stability_report/stability_report.proto.
var (
	StabilitySystem = map[ProtoPath]string{
		"1.1": "SystemCommitLimit", "1.2": "SystemCommitRemaining", "1.3": "SystemHandleCount",
	}
	StabilityCounters = map[ProtoPath]string{
		"4.1.1": "ProcessPrivateUsage", "4.1.2": "ProcessPeakWorkingSetSize",
		"4.1.3": "ProcessPeakPagefileUsage", "4.1.4": "ProcessAllocationAttempt",
		"7.1.1": "OpenFileDescriptors", "7.2.1": "ProcessHandleCount",
	}
)
