package breakpaddump

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"crashglass/core/dump/minidump"
)

// header writes MINIDUMP_HEADER. Counts are signed, as the original prints them.
//
// Source: minidump.cc, Minidump::Print.
func header(p *printer) {
	h := p.f.Header()
	p.rows("MDRawHeader", 20, []row{
		{"signature", "0x%x", h.Signature},
		{"version", "0x%x", h.Version},
		{"stream_count", "%d", int32(h.Streams)},
		{"stream_directory_rva", "0x%x", h.Directory},
		{"checksum", "0x%x", h.Checksum},
		{"time_date_stamp", "%s", stamped(uint32(h.Time))},
		{"flags", "0x%x", uint64(h.Flags)},
	})
	p.text("\n")
}

// directory writes the entries in the file's order, also those of unused streams.
//
// Source: minidump.cc, Minidump::Print.
func directory(p *printer) {
	for i, s := range p.f.Streams() {
		p.printf("mDirectory[%d]\nMDRawDirectory\n", i)
		p.more(18, []row{
			{"stream_type", "%s", typed(s.Type)},
			{"location.data_size", "%d", int32(s.Size)},
			{"location.rva", "0x%x", s.RVA},
		})
		p.text("\n")
	}
}

// streams writes which entry of the directory is used for each type. The original refuses a dump with two
// streams of a type; here the one that package minidump reads is named.
func streams(p *printer) {
	p.text("Streams:\n")
	used := map[minidump.StreamType]int{}
	for _, s := range p.f.Streams() {
		used[s.Type], _ = p.f.Used(s.Type)
	}
	for _, t := range slices.Sorted(maps.Keys(used)) {
		p.printf("  stream type %s at index %d\n", typed(t), used[t])
	}
	p.text("\n")
}

// names has Breakpad's names of stream types. Source: minidump.cc, get_stream_name.
var names = map[minidump.StreamType]string{
	minidump.UnusedStream:              "MD_UNUSED_STREAM",
	1:                                  "MD_RESERVED_STREAM_0",
	2:                                  "MD_RESERVED_STREAM_1",
	minidump.ThreadListStream:          "MD_THREAD_LIST_STREAM",
	minidump.ModuleListStream:          "MD_MODULE_LIST_STREAM",
	minidump.MemoryListStream:          "MD_MEMORY_LIST_STREAM",
	minidump.ExceptionStream:           "MD_EXCEPTION_STREAM",
	minidump.SystemInfoStream:          "MD_SYSTEM_INFO_STREAM",
	minidump.ThreadExListStream:        "MD_THREAD_EX_LIST_STREAM",
	minidump.Memory64ListStream:        "MD_MEMORY_64_LIST_STREAM",
	minidump.CommentAStream:            "MD_COMMENT_STREAM_A",
	minidump.CommentWStream:            "MD_COMMENT_STREAM_W",
	minidump.HandleDataStream:          "MD_HANDLE_DATA_STREAM",
	minidump.FunctionTableStream:       "MD_FUNCTION_TABLE_STREAM",
	minidump.UnloadedModuleListStream:  "MD_UNLOADED_MODULE_LIST_STREAM",
	minidump.MiscInfoStream:            "MD_MISC_INFO_STREAM",
	minidump.MemoryInfoListStream:      "MD_MEMORY_INFO_LIST_STREAM",
	minidump.ThreadInfoListStream:      "MD_THREAD_INFO_LIST_STREAM",
	minidump.HandleOperationListStream: "MD_HANDLE_OPERATION_LIST_STREAM",
	minidump.TokenStream:               "MD_TOKEN_STREAM",
	20:                                 "MD_JAVASCRIPT_DATA_STREAM",
	minidump.SystemMemoryInfoStream:    "MD_SYSTEM_MEMORY_INFO_STREAM",
	minidump.ProcessVMCountersStream:   "MD_PROCESS_VM_COUNTERS_STREAM",
	minidump.ThreadNamesStream:         "MD_THREAD_NAME_LIST_STREAM",
	0xffff:                             "MD_LAST_RESERVED_STREAM",
	minidump.BreakpadInfoStream:        "MD_BREAKPAD_INFO_STREAM",
	minidump.AssertionInfoStream:       "MD_ASSERTION_INFO_STREAM",
	minidump.LinuxCPUInfoStream:        "MD_LINUX_CPU_INFO",
	minidump.LinuxProcStatusStream:     "MD_LINUX_PROC_STATUS",
	minidump.LinuxLSBReleaseStream:     "MD_LINUX_LSB_RELEASE",
	minidump.LinuxCmdLineStream:        "MD_LINUX_CMD_LINE",
	minidump.LinuxEnvironStream:        "MD_LINUX_ENVIRON",
	minidump.LinuxAuxvStream:           "MD_LINUX_AUXV",
	minidump.LinuxMapsStream:           "MD_LINUX_MAPS",
	minidump.LinuxDSODebugStream:       "MD_LINUX_DSO_DEBUG",
	minidump.CrashpadInfoStream:        "MD_CRASHPAD_INFO_STREAM",
}

// typed returns a stream's number with its name: "0x3 (MD_THREAD_LIST_STREAM)".
func typed(t minidump.StreamType) string {
	return fmt.Sprintf("0x%x (%s)", uint32(t), cmp.Or(names[t], "unknown"))
}
