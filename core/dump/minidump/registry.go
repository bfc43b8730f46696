package minidump

import "errors"

// A kind is a known type of stream: its number, name and reader. A stream with a nil reader is
// shown as bytes.
type kind struct {
	number StreamType
	name   string
	read   func(*File) (any, error)
}

// kinds is the table of all streams that have a known writer: Microsoft's for desktop and Windows
// CE, Breakpad's, Crashpad's, Chromium's, Mozilla's, and Facebook's as LLDB lists them. With a row
// here and a reader, a stream is named in reports and errors, and shown by users of [File.Decode].
// CONTRIBUTING.md lists what its tests need.
//
// Sources: minidumpapiset.h; Breakpad's minidump_format.h; Crashpad's
// minidump_extensions.h; LLDB's MinidumpConstants.def.
func kinds() []kind {
	return []kind{
		{UnusedStream, "Unused", nil},
		{1, "Reserved0", nil},
		{2, "Reserved1", nil},
		{ThreadListStream, "ThreadList", reads((*File).threadDetails)},
		{ModuleListStream, "ModuleList", reads((*File).moduleDetails)},
		{MemoryListStream, "MemoryList", reads((*File).MemoryList)},
		{ExceptionStream, "Exception", reads((*File).exceptionDetails)},
		{SystemInfoStream, "SystemInfo", reads((*File).systemDetails)},
		{ThreadExListStream, "ThreadExList", reads((*File).threadDetails)},
		{Memory64ListStream, "Memory64List", reads((*File).Memory64List)},
		{CommentAStream, "CommentA", reads((*File).CommentA)},
		{CommentWStream, "CommentW", reads((*File).CommentW)},
		{HandleDataStream, "HandleData", reads((*File).Handles)},
		{FunctionTableStream, "FunctionTable", reads((*File).FunctionTables)},
		{UnloadedModuleListStream, "UnloadedModuleList", reads((*File).UnloadedRecords)},
		{MiscInfoStream, "MiscInfo", reads((*File).MiscInfo)},
		{MemoryInfoListStream, "MemoryInfoList", reads((*File).MemoryInfo)},
		{ThreadInfoListStream, "ThreadInfoList", reads((*File).ThreadInfos)},
		{HandleOperationListStream, "HandleOperationList", reads((*File).HandleOperations)},
		{TokenStream, "Token", reads((*File).Tokens)},
		{20, "JavaScriptData", nil},
		{SystemMemoryInfoStream, "SystemMemoryInfo", reads((*File).SystemMemory)},
		{ProcessVMCountersStream, "ProcessVmCounters", reads((*File).ProcessVMCounters)},
		{23, "IptTrace", nil},
		{ThreadNamesStream, "ThreadNames", reads((*File).ThreadNameList)},

		{0x8000, "CeNull", nil},
		{0x8001, "CeSystemInfo", nil},
		{0x8002, "CeException", nil},
		{0x8003, "CeModuleList", nil},
		{0x8004, "CeProcessList", nil},
		{0x8005, "CeThreadList", nil},
		{0x8006, "CeThreadContextList", nil},
		{0x8007, "CeThreadCallStackList", nil},
		{0x8008, "CeMemoryVirtualList", nil},
		{0x8009, "CeMemoryPhysicalList", nil},
		{0x800a, "CeBucketParameters", nil},
		{0x800b, "CeProcessModuleMap", nil},
		{0x800c, "CeDiagnosisList", nil},

		{BreakpadInfoStream, "BreakpadInfo", reads((*File).BreakpadInfo)},
		{AssertionInfoStream, "AssertionInfo", reads((*File).Assertion)},
		{LinuxCPUInfoStream, "LinuxCpuInfo", reads((*File).LinuxCPUInfo)},
		{LinuxProcStatusStream, "LinuxProcStatus", reads((*File).LinuxProcStatus)},
		{LinuxLSBReleaseStream, "LinuxLsbRelease", asText(LinuxLSBReleaseStream)},
		{LinuxCmdLineStream, "LinuxCmdLine", reads((*File).CommandLine)},
		{LinuxEnvironStream, "LinuxEnviron", reads((*File).Environment)},
		{LinuxAuxvStream, "LinuxAuxv", reads((*File).Auxv)},
		{LinuxMapsStream, "LinuxMaps", reads((*File).LinuxMaps)},
		{LinuxDSODebugStream, "LinuxDsoDebug", reads((*File).DSODebug)},
		{LinuxProcStatStream, "LinuxProcStat", asText(LinuxProcStatStream)},
		{LinuxProcUptimeStream, "LinuxProcUptime", asText(LinuxProcUptimeStream)},
		{LinuxProcFDStream, "LinuxProcFd", asText(LinuxProcFDStream)},

		{CrashpadInfoStream, "CrashpadInfo", reads((*File).Crashpad)},
		{StabilityReportStream, "StabilityReport", reads((*File).StabilityReport)},
		{MacCrashInfoStream, "MozMacosCrashInfo", reads((*File).MacCrashInfo)},
		{MacBootArgsStream, "MozMacosBootargs", reads((*File).MacBootArgs)},
		{LinuxLimitsStream, "MozLinuxLimits", reads((*File).Limits)},
		{SoftErrorsStream, "MozSoftErrors", asText(SoftErrorsStream)},

		{ThreadCallsStream, "CrashglassThreadCalls", reads((*File).ThreadCalls)},
		{RemovedDataStream, "CrashglassRemovedData", reads((*File).RemovedData)},

		{0xface_1ca7, "FacebookLogcat", asText(0xface_1ca7)},
		{0xface_caf0, "FacebookUnwindSymbols", nil},
		{0xface_cafa, "FacebookAppCustomData", asText(0xface_cafa)},
		{0xface_cafb, "FacebookAppBuildID", asText(0xface_cafb)},
		{0xface_cafc, "FacebookAppVersionName", asText(0xface_cafc)},
		{0xface_cafd, "FacebookJavaStack", asText(0xface_cafd)},
		{0xface_cafe, "FacebookDalvikInfo", asText(0xface_cafe)},
		{0xface_cb00, "FacebookDumpErrorLog", asText(0xface_cb00)},
		{0xface_cccc, "FacebookAppStateLog", asText(0xface_cccc)},
		{0xface_dead, "FacebookAbortReason", asText(0xface_dead)},
		{0xface_e000, "FacebookThreadName", asText(0xface_e000)},
	}
}

// StreamTypes returns all streams that are known by name, so that a test can cover every one.
func StreamTypes() []StreamType {
	var all []StreamType
	for _, k := range kinds() {
		all = append(all, k.number)
	}
	return all
}

// byNumber is filled in init, because kinds refers to readers, which refer to byNumber in their errors.
var byNumber = map[StreamType]kind{}

func init() {
	for _, k := range kinds() {
		byNumber[k.number] = k
	}
}

// Text is the contents of a text stream without a known structure.
type Text string

func reads[T any](method func(*File) (T, error)) func(*File) (any, error) {
	return func(f *File) (any, error) { return method(f) }
}

func asText(t StreamType) func(*File) (any, error) {
	return func(f *File) (any, error) {
		s, err := f.Text(t)
		return Text(s), err
	}
}

// ErrNoReader is returned for a stream without a reader.
var ErrNoReader = errors.New("no reader for this kind of stream")

// Decode reads a stream of any kind, and the parts that it points to, into the types of this
// package. It is for programs that show all contents. It returns the readable parts together with
// the error.
func (f *File) Decode(t StreamType) (any, error) {
	k := byNumber[t]
	if k.read == nil {
		return nil, ErrNoReader
	}
	return k.read(f)
}
