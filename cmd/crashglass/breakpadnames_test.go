package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// breakpadNames maps Breakpad's names of values to places in the output of dump. "#" is the index
// of the entry, "=" the name itself. "-" marks values that are compared elsewhere: an entry of the
// directory is compared with a heading.
var breakpadNames = map[string]map[string]string{
	"MDRawHeader": {
		"signature": "Header.Signature", "version": "Header.Version", "stream_count": "Header.Streams",
		"stream_directory_rva": "Header.Directory", "checksum": "Header.Checksum",
		"time_date_stamp": "Header.Time", "flags": "Header.Flags",
	},
	"MDRawThread": {
		"thread_id": "ThreadList[#].ID", "suspend_count": "ThreadList[#].Suspend",
		"priority_class": "ThreadList[#].PriorityClass", "priority": "ThreadList[#].Priority", "teb": "ThreadList[#].TEB",
		"stack.start_of_memory_range": "ThreadList[#].Stack.Base", "stack.memory.data_size": "ThreadList[#].Stack.Size",
		"stack.memory.rva": "ThreadList[#].Stack.RVA", "Stack": "ThreadList[#].Stack.bytes",
		"thread_context.data_size": "ThreadList[#].Context.Size", "thread_context.rva": "ThreadList[#].Context.RVA",
	},
	"MDRawModule": {
		"base_of_image": "ModuleList[#].Base", "size_of_image": "ModuleList[#].Size", "checksum": "ModuleList[#].Checksum",
		"time_date_stamp": "ModuleList[#].TimeStamp", "module_name_rva": "ModuleList[#].NameRVA",
		"version_info.signature": "ModuleList[#].Version.Signature", "version_info.struct_version": "ModuleList[#].Version.Struct",
		"version_info.file_version":    "ModuleList[#].Version.FileHi:ModuleList[#].Version.FileLo",
		"version_info.product_version": "ModuleList[#].Version.ProductHi:ModuleList[#].Version.ProductLo",
		"version_info.file_date":       "ModuleList[#].Version.DateHi:ModuleList[#].Version.DateLo",
		"version_info.file_flags_mask": "ModuleList[#].Version.FlagsMask", "version_info.file_flags": "ModuleList[#].Version.Flags",
		"version_info.file_os": "ModuleList[#].Version.FileOS", "version_info.file_type": "ModuleList[#].Version.FileType",
		"version_info.file_subtype": "ModuleList[#].Version.FileSubType",
		"cv_record.data_size":       "ModuleList[#].Debug.Size", "cv_record.rva": "ModuleList[#].Debug.RVA",
		"misc_record.data_size": "ModuleList[#].Misc.Size", "misc_record.rva": "ModuleList[#].Misc.RVA",
		"(code_file)": "ModuleList[#].Name", "(code_identifier)": "ModuleList[#].CodeID",
		"(cv_record)": "ModuleList[#].CodeView.File", "(cv_record).cv_signature": "ModuleList[#].CodeView.Signature",
		"(cv_record).signature": "ModuleList[#].CodeView.GUID", "(cv_record).age": "ModuleList[#].CodeView.Age",
		"(cv_record).pdb_file_name": "ModuleList[#].CodeView.File", "(cv_record).build_id": "ModuleList[#].CodeView.BuildID.bytes",
		"(misc_record)": "ModuleList[#].DebugFile", "(debug_file)": "ModuleList[#].DebugName",
		"(debug_identifier)": "ModuleList[#].DebugID", "(version)": "ModuleList[#].FileVersion",
	},
	"MDMemoryDescriptor": {
		"start_of_memory_range": "MemoryList[#].Base", "memory.data_size": "MemoryList[#].Size", "memory.rva": "MemoryList[#].RVA",
		"Memory": "MemoryList[#].bytes",
	},
	"MDRawMemoryInfo": {
		"base_address": "MemoryInfoList[#].Base", "allocation_base": "MemoryInfoList[#].AllocationBase",
		"allocation_protection": "MemoryInfoList[#].AllocationProtect", "region_size": "MemoryInfoList[#].Size",
		"state": "MemoryInfoList[#].State", "protection": "MemoryInfoList[#].Protect", "type": "MemoryInfoList[#].Type",
	},
	"MDRawThreadName": {
		"thread_id": "ThreadNames[#].ID", "thread_name_rva": "ThreadNames[#].RVA", "thread_name": "ThreadNames[#].Name",
	},
	"MDException": {
		"thread_id":                       "Exception.ThreadID",
		"exception_record.exception_code": "Exception.Code", "exception_record.exception_flags": "Exception.Flags",
		"exception_record.exception_record": "Exception.Record", "exception_record.exception_address": "Exception.Address",
		"exception_record.number_parameters": "Exception.Count", "exception_record.exception_information": "Exception.Parameters[#]",
		"thread_context.data_size": "Exception.Context.Size", "thread_context.rva": "Exception.Context.RVA",
	},
	"MDRawSystemInfo": {
		"processor_architecture": "SystemInfo.Processor", "processor_level": "SystemInfo.Level", "processor_revision": "SystemInfo.Revision",
		"number_of_processors": "SystemInfo.Processors", "product_type": "SystemInfo.ProductType",
		"major_version": "SystemInfo.Major", "minor_version": "SystemInfo.Minor", "build_number": "SystemInfo.Build",
		"platform_id": "SystemInfo.Platform", "csd_version_rva": "SystemInfo.CSDVersionRVA", "suite_mask": "SystemInfo.SuiteMask",
		"(csd_version)": "SystemInfo.CSDVersion", "(cpu_vendor)": "SystemInfo.Vendor",
		"cpu.x86_cpu_info.vendor_id":                 "SystemInfo.CPU.bytes:0+4#",
		"cpu.x86_cpu_info.version_information":       "SystemInfo.CPU.bytes:12",
		"cpu.x86_cpu_info.feature_information":       "SystemInfo.CPU.bytes:16",
		"cpu.x86_cpu_info.amd_extended_cpu_features": "SystemInfo.CPU.bytes:20",
		"cpu.other_cpu_info.processor_features":      "SystemInfo.CPU.bytes:0+8#",
	},
	"MDRawMiscInfo": {
		"size_of_info": "MiscInfo.Size", "flags1": "MiscInfo.Flags", "process_id": "MiscInfo.ProcessID",
		"process_create_time": "MiscInfo.Times.Create", "process_user_time": "MiscInfo.Times.User", "process_kernel_time": "MiscInfo.Times.Kernel",
		"processor_max_mhz": "MiscInfo.Power.MaxMHz", "processor_current_mhz": "MiscInfo.Power.CurrentMHz",
		"processor_mhz_limit": "MiscInfo.Power.LimitMHz", "processor_max_idle_state": "MiscInfo.Power.MaxIdle",
		"processor_current_idle_state": "MiscInfo.Power.CurrentIdle", "process_integrity_level": "MiscInfo.Integrity",
		"process_execute_flags": "MiscInfo.ExecuteFlags", "protected_process": "MiscInfo.Protected",
		"time_zone_id": "MiscInfo.TimeZone.ID", "time_zone.bias": "MiscInfo.TimeZone.Bias",
		"time_zone.standard_name": "MiscInfo.TimeZone.Standard", "time_zone.standard_date": "MiscInfo.TimeZone.StandardDate",
		"time_zone.standard_bias": "MiscInfo.TimeZone.StandardBias", "time_zone.daylight_name": "MiscInfo.TimeZone.Daylight",
		"time_zone.daylight_date": "MiscInfo.TimeZone.DaylightDate", "time_zone.daylight_bias": "MiscInfo.TimeZone.DaylightBias",
		"build_string": "MiscInfo.BuildString", "dbg_bld_str": "MiscInfo.DebugBuild",
		"xstate_data.size_of_info": "MiscInfo.XState.Size", "xstate_data.context_size": "MiscInfo.XState.ContextSize",
		"xstate_data.enabled_features": "MiscInfo.XState.Enabled", "xstate_data.features[]": "MiscInfo.XState.Features",
		"xstate_data.features": "MiscInfo.XState.Features[#].Offset:MiscInfo.XState.Features[#].Size",
		"process_cookie":       "MiscInfo.Cookie",
	},
	"MDRawBreakpadInfo": {
		"validity": "BreakpadInfo.Validity", "dump_thread_id": "BreakpadInfo.DumpThread", "requesting_thread_id": "BreakpadInfo.RequestingThread",
	},
	"MDAssertion": {
		"expression": "AssertionInfo.Expression", "function": "AssertionInfo.Function", "file": "AssertionInfo.File",
		"line": "AssertionInfo.Line", "type": "AssertionInfo.Type",
	},
}

// breakpadCounts are lengths of lists, which the lists of dump have as well.
var breakpadCounts = map[string]string{
	"thread_count": "ThreadList", "module_count": "ModuleList", "region_count": "MemoryList", "info_count": "MemoryInfoList",
	"thread_name_count": "ThreadNames",
}

// A breakpadReader is the state of reading Breakpad's output.
type breakpadReader struct {
	t       *testing.T
	out     []printed
	heading string // MDRawThread
	owner   string // of a context: "ThreadList[0]"
	index   string
	text    string         // name of a stream that is text
	lines   int            // of it
	objects map[string]int // annotations of each module so far
}

var (
	indexed     = regexp.MustCompile(`^(\w+)\[(\d+)\]$`)
	assignment  = regexp.MustCompile(`^  (\S+?)(?:\[ *(\d+)\])? *= ?(.*)$`)
	simpleAnnot = regexp.MustCompile(`^  (?:module_list\[(\d+)\]\.)?(\w+)\[(?:"(.*)"|(\d+))\](?: \(type = (\d+)\))? = (.*)$`)
	moduleAnnot = regexp.MustCompile(`^  module_list\[(\d+)\]\.(\w+) = (.*)$`)
)

func parseBreakpadDump(t *testing.T, text string) []printed {
	r := &breakpadReader{t: t, objects: map[string]int{}}
	for line := range strings.SplitSeq(text, "\n") {
		r.line(line)
	}
	return r.out
}

func (r *breakpadReader) line(line string) {
	switch {
	case strings.HasPrefix(line, "Stream MD_LINUX_"):
		r.heading, r.text, r.lines = "text", strings.TrimSuffix(strings.TrimPrefix(line, "Stream MD_LINUX_"), ":"), 0
	case r.heading == "text" && !strings.HasPrefix(line, "MD") && !strings.HasPrefix(line, "Minidump"):
		r.textLine(line)
	case line == "", line == "Streams:", strings.HasPrefix(line, "  stream type "), strings.HasSuffix(line, "(valid):"), strings.HasSuffix(line, "(invalid):"):
	case line == "Stack", line == "Memory":
		r.text = line
	case strings.HasPrefix(line, "0x"):
		r.add(line, breakpadNames[r.heading][r.text], r.index, strings.TrimPrefix(line, "0x"))
	case indexed.MatchString(line):
		r.index = indexed.FindStringSubmatch(line)[2]
	case strings.HasPrefix(line, "MDRawContext"):
		r.owner = "Exception"
		if r.heading == "MDRawThread" {
			r.owner = fmt.Sprintf("ThreadList[%s]", r.index)
		}
	case line[0] != ' ':
		r.heading, r.owner = line, ""
	default:
		r.assignment(line)
	}
}

// assignment reads "  name = value", or "  name[3] = value".
func (r *breakpadReader) assignment(line string) {
	switch {
	case r.heading == "MDRawDirectory":
		r.directory(line)
		return
	case r.heading == "MDRawCrashpadInfo":
		r.crashpad(line)
		return
	}
	m := assignment.FindStringSubmatch(sizes.Replace(line))
	if m == nil {
		r.t.Errorf("cannot read %q", line)
		return
	}
	name, index, value := m[1], m[2], m[3]
	if list, ok := breakpadCounts[name]; ok {
		n, _ := strconv.Atoi(value)
		if n > 0 { // the last entry is there
			r.out = append(r.out, printed{line, fmt.Sprintf("%s[%d].", list, n-1), ""})
		}
		return
	}
	if r.owner != "" {
		r.context(line, name, value)
		return
	}
	if index == "" {
		index = r.index
	}
	index = strings.TrimLeft(index[:len(index)-min(len(index), 1)], "0") + index[len(index)-min(len(index), 1):]
	r.add(line, breakpadNames[r.heading][name], index, value)
}

// sizes removes the lengths from the names of arrays.
var sizes = strings.NewReplacer("register_area[80]", "register_area", "extended_registers[512]", "extended_registers")

// add records a value under the name in the output of dump.
func (r *breakpadReader) add(line, path, index, value string) {
	if path == "" {
		r.t.Errorf("%s: %q has no name of ours", r.heading, line)
		return
	}
	path = strings.ReplaceAll(path, "[#]", "["+index+"]")
	if hi, lo, ok := strings.Cut(path, ":"); ok && !strings.Contains(path, "bytes:") {
		value = strings.NewReplacer("{ ", "", " }", "", ", ", ":").Replace(value)
		first, second, _ := strings.Cut(value, ":")
		r.out = append(r.out, printed{line, hi, first}, printed{line, lo, second})
		return
	}
	if strings.Contains(path, "bytes:") { // a word of the bytes
		n, _ := strconv.Atoi(index)
		path = strings.NewReplacer("0+4#", strconv.Itoa(4*n), "0+8#", strconv.Itoa(8*n)).Replace(path)
	}
	r.out = append(r.out, printed{line, path, value})
}

// context compares registers, and blocks of bytes in one long number.
func (r *breakpadReader) context(line, name, value string) {
	switch {
	case name == "float_save.register_area" || name == "extended_registers":
		r.out = append(r.out, printed{line, r.owner + ".Vectors." + name + ".bytes", strings.TrimPrefix(value, "0x")})
	case generalRegister.MatchString(name):
		r.out = append(r.out, printed{line, r.owner + ".Registers." + name, value})
	default:
		r.out = append(r.out, printed{line, r.owner + ".State." + name, value})
	}
}

var generalRegister = regexp.MustCompile(`^([er](ax|bx|cx|dx|si|di|bp|sp|ip)|r\d+|eflags)$`)

// directory compares an entry of the directory with the heading of a stream.
func (r *breakpadReader) directory(line string) {
	m := assignment.FindStringSubmatch(line)
	name := map[string]string{"stream_type": "Type", "location.data_size": "Size", "location.rva": "RVA"}[m[1]]
	if name == "" {
		r.t.Errorf("cannot read %q", line)
		return
	}
	r.out = append(r.out, printed{line, "Directory[" + r.index + "]." + name, firstWord(m[3])})
}

// crashpad reads annotations; those of modules by their place in the list.
func (r *breakpadReader) crashpad(line string) {
	if m := simpleAnnot.FindStringSubmatch(line); m != nil {
		where := "CrashpadInfo"
		if m[1] != "" {
			where += ".Modules[" + m[1] + "]"
		}
		switch m[2] {
		case "simple_annotations":
			r.out = append(r.out, printed{line, where + map[bool]string{true: ".Annotations.", false: ".Simple."}[m[1] == ""] + m[3], m[6]})
		case "list_annotations":
			r.out = append(r.out, printed{line, where + ".List[" + m[4] + "]", m[6]})
		case "crashpad_annotations":
			where = fmt.Sprintf("%s.Objects[%d]", where, r.objects[m[1]])
			r.objects[m[1]]++
			value := map[bool]string{true: ".Text", false: ".Value.bytes"}[m[5] == "1"]
			r.out = append(r.out, printed{line, where + ".Name", m[3]}, printed{line, where + ".Type", m[5]}, printed{line, where + value, m[6]})
		default:
			r.t.Errorf("cannot read %q", line)
		}
		return
	}
	if m := moduleAnnot.FindStringSubmatch(line); m != nil {
		name := map[string]string{"minidump_module_list_index": "Module", "version": "Version"}[m[2]]
		r.out = append(r.out, printed{line, "CrashpadInfo.Modules[" + m[1] + "]." + name, m[3]})
		return
	}
	name, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
	ours := map[string]string{"version": "Version", "report_id": "ReportID", "client_id": "ClientID", "address_mask": "AddressMask"}[name]
	if ours == "" {
		r.t.Errorf("cannot read %q", line)
	}
	r.out = append(r.out, printed{line, "CrashpadInfo." + ours, value})
}

// textLine compares a line of a copied file with the decoded values.
func (r *breakpadReader) textLine(line string) {
	text := strings.TrimSuffix(line, `\0`)
	if strings.TrimSpace(text) == "" {
		return
	}
	switch r.text {
	case "CPU_INFO", "PROC_STATUS":
		key, value, ok := strings.Cut(text, ":")
		if ok {
			stream := map[string]string{"CPU_INFO": "LinuxCpuInfo", "PROC_STATUS": "LinuxProcStatus"}[r.text]
			r.out = append(r.out, printed{line, stream + ".lines", strings.TrimSpace(key) + ` = "` + strings.TrimSpace(value) + `"`})
		}
	case "LSB_RELEASE":
		r.out = append(r.out, printed{line, "LinuxLsbRelease.lines", text})
	case "CMD_LINE":
		r.out = append(r.out, printed{line, fmt.Sprintf("LinuxCmdLine[%d]", r.lines), `"` + text + `"`})
	case "ENVIRON":
		key, value, _ := strings.Cut(text, "=")
		r.out = append(r.out, printed{line, "LinuxEnviron.lines", key + ` = "` + value + `"`})
	case "MAPS":
		r.mapping(line)
	default:
		r.t.Errorf("no name for the stream %s", r.text)
	}
	r.lines++
}

// mapping splits a line of maps into the fields of dump's output.
func (r *breakpadReader) mapping(line string) {
	f := strings.Fields(line)
	if len(f) < 5 {
		r.out = append(r.out, printed{line, "LinuxMaps.damage", line[:min(len(line), 30)]})
		return
	}
	base, end, _ := strings.Cut(f[0], "-")
	at := fmt.Sprintf("LinuxMaps[%d].", r.lines)
	r.out = append(r.out, printed{line, at + "Base", "0x" + base}, printed{line, at + "End", "0x" + end},
		printed{line, at + "Access", f[1]}, printed{line, at + "Offset", "0x" + f[2]}, printed{line, at + "Device", f[3]}, printed{line, at + "Inode", f[4]})
	if len(f) > 5 {
		r.out = append(r.out, printed{line, at + "Name", strings.Join(f[5:], " ")})
	}
}
