package minidump

import (
	"fmt"
	"strings"
)

// A StreamType is the number of a stream in the directory.
type StreamType uint32

// Streams of Microsoft, 0 to 0xffff.
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ne-minidumpapiset-minidump_stream_type
const (
	UnusedStream              StreamType = 0
	ThreadListStream          StreamType = 3
	ModuleListStream          StreamType = 4
	MemoryListStream          StreamType = 5
	ExceptionStream           StreamType = 6
	SystemInfoStream          StreamType = 7
	ThreadExListStream        StreamType = 8
	Memory64ListStream        StreamType = 9
	CommentAStream            StreamType = 10
	CommentWStream            StreamType = 11
	HandleDataStream          StreamType = 12
	FunctionTableStream       StreamType = 13
	UnloadedModuleListStream  StreamType = 14
	MiscInfoStream            StreamType = 15
	MemoryInfoListStream      StreamType = 16
	ThreadInfoListStream      StreamType = 17
	HandleOperationListStream StreamType = 18
	TokenStream               StreamType = 19
	JavaScriptDataStream      StreamType = 20
	SystemMemoryInfoStream    StreamType = 21
	ProcessVMCountersStream   StreamType = 22
	IptTraceStream            StreamType = 23
	ThreadNamesStream         StreamType = 24
)

// Streams of Breakpad, "Gg". Source: Breakpad's minidump_format.h; the last
// three are LLDB's, from its MinidumpConstants.def.
const (
	BreakpadInfoStream    StreamType = 0x4767_0001
	AssertionInfoStream   StreamType = 0x4767_0002
	LinuxCPUInfoStream    StreamType = 0x4767_0003
	LinuxProcStatusStream StreamType = 0x4767_0004
	LinuxLSBReleaseStream StreamType = 0x4767_0005
	LinuxCmdLineStream    StreamType = 0x4767_0006
	LinuxEnvironStream    StreamType = 0x4767_0007
	LinuxAuxvStream       StreamType = 0x4767_0008
	LinuxMapsStream       StreamType = 0x4767_0009
	LinuxDSODebugStream   StreamType = 0x4767_000a
	LinuxProcStatStream   StreamType = 0x4767_000b
	LinuxProcUptimeStream StreamType = 0x4767_000c
	LinuxProcFDStream     StreamType = 0x4767_000d
)

// Streams of Crashpad ("CP"), Chromium ("Kk") and Mozilla ("Mz").
const (
	CrashpadInfoStream    StreamType = 0x4350_0001
	StabilityReportStream StreamType = 0x4b6b_0002
	MacCrashInfoStream    StreamType = 0x4d7a_0001
	MacBootArgsStream     StreamType = 0x4d7a_0002
	LinuxLimitsStream     StreamType = 0x4d7a_0003
	SoftErrorsStream      StreamType = 0x4d7a_0004
)

// streamNames has the names of all types that anybody is known to write:
// Microsoft's for desktop and Windows CE, Breakpad's, Crashpad's, Chromium's,
// Mozilla's, and Facebook's as LLDB lists them.
var streamNames = map[StreamType]string{
	0: "Unused", 1: "Reserved0", 2: "Reserved1",
	3: "ThreadList", 4: "ModuleList", 5: "MemoryList", 6: "Exception", 7: "SystemInfo",
	8: "ThreadExList", 9: "Memory64List", 10: "CommentA", 11: "CommentW", 12: "HandleData",
	13: "FunctionTable", 14: "UnloadedModuleList", 15: "MiscInfo", 16: "MemoryInfoList",
	17: "ThreadInfoList", 18: "HandleOperationList", 19: "Token", 20: "JavaScriptData",
	21: "SystemMemoryInfo", 22: "ProcessVmCounters", 23: "IptTrace", 24: "ThreadNames",

	0x8000: "CeNull", 0x8001: "CeSystemInfo", 0x8002: "CeException", 0x8003: "CeModuleList",
	0x8004: "CeProcessList", 0x8005: "CeThreadList", 0x8006: "CeThreadContextList",
	0x8007: "CeThreadCallStackList", 0x8008: "CeMemoryVirtualList", 0x8009: "CeMemoryPhysicalList",
	0x800a: "CeBucketParameters", 0x800b: "CeProcessModuleMap", 0x800c: "CeDiagnosisList",

	0x4767_0001: "BreakpadInfo", 0x4767_0002: "AssertionInfo", 0x4767_0003: "LinuxCpuInfo",
	0x4767_0004: "LinuxProcStatus", 0x4767_0005: "LinuxLsbRelease", 0x4767_0006: "LinuxCmdLine",
	0x4767_0007: "LinuxEnviron", 0x4767_0008: "LinuxAuxv", 0x4767_0009: "LinuxMaps",
	0x4767_000a: "LinuxDsoDebug", 0x4767_000b: "LinuxProcStat", 0x4767_000c: "LinuxProcUptime",
	0x4767_000d: "LinuxProcFd",

	0x4350_0001: "CrashpadInfo",
	0x4b6b_0002: "StabilityReport",
	0x4d7a_0001: "MozMacosCrashInfo", 0x4d7a_0002: "MozMacosBootargs",
	0x4d7a_0003: "MozLinuxLimits", 0x4d7a_0004: "MozSoftErrors",

	0xface_1ca7: "FacebookLogcat", 0xface_caf0: "FacebookUnwindSymbols", 0xface_cafa: "FacebookAppCustomData",
	0xface_cafb: "FacebookAppBuildID", 0xface_cafc: "FacebookAppVersionName",
	0xface_cafd: "FacebookJavaStack", 0xface_cafe: "FacebookDalvikInfo",
	0xface_cb00: "FacebookDumpErrorLog", 0xface_cccc: "FacebookAppStateLog",
	0xface_dead: "FacebookAbortReason", 0xface_e000: "FacebookThreadName",
}

// Name is what a type is called, or "" when nobody is known to use it.
func (t StreamType) Name() string { return streamNames[t] }

// String is the name, or the number in hex.
func (t StreamType) String() string {
	if name := t.Name(); name != "" {
		return name
	}
	return fmt.Sprintf("stream %#x", uint32(t))
}

// what is the name as it stands in an error: "thread list".
func (t StreamType) what() string {
	name := t.Name()
	switch {
	case name == "":
		return t.String()
	case t == Memory64ListStream:
		return "64-bit memory list"
	}
	var b strings.Builder
	for i, r := range name {
		// A new word starts where a small letter is followed by a capital.
		if i > 0 && r >= 'A' && r <= 'Z' && name[i-1] >= 'a' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}
