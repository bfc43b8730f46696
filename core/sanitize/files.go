package sanitize

import (
	"slices"
	"strings"

	"crashglass/core/dump/minidump"
)

// A textFile describes what stays of a copied file of Linux.
type textFile struct {
	stream minidump.StreamType
	name   string // in a report
	keep   func(m *masks, text string) string
}

// textFiles are the files that a dump or a masked report keeps in part.
var textFiles = []textFile{
	{minidump.LinuxCPUInfoStream, "/proc/cpuinfo", keyed(":", cpuKeys)},
	{minidump.LinuxLSBReleaseStream, "/etc/lsb-release", keyed("=", lsbKeys)},
	{minidump.LinuxProcStatusStream, "/proc/PID/status", keyed(":", statusKeys)},
	{minidump.LinuxMapsStream, "/proc/PID/maps", (*masks).maps},
	{minidump.LinuxProcUptimeStream, "/proc/uptime", (*masks).numbers},
	{minidump.LinuxLimitsStream, "/proc/PID/limits", (*masks).limits},
}

// cpuKeys are the lines of /proc/cpuinfo that describe the kind of processor. ARM's serial number
// is not among them.
//
// Source: Linux, show_cpuinfo of arch/*/kernel.
var cpuKeys = []string{
	"processor", "vendor_id", "cpu family", "model", "model name", "stepping", "microcode", "cpu MHz", "cache size", "physical id",
	"siblings", "core id", "cpu cores", "apicid", "initial apicid", "fpu", "fpu_exception", "cpuid level", "wp", "flags", "vmx flags",
	"bugs", "bogomips", "BogoMIPS", "TLB size", "clflush size", "cache_alignment", "address sizes", "power management", "Processor",
	"Features", "CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision", "Hardware", "Revision", "system type",
	"cpu model", "machine", "isa", "mmu", "uarch", "hart", "mvendorid", "marchid", "mimpid", "cpu", "clock", "revision", "timebase", "platform",
}

// lsbKeys name a distribution. Sources: lsb_release(1), os-release(5).
var lsbKeys = []string{
	"DISTRIB_ID", "DISTRIB_RELEASE", "DISTRIB_CODENAME", "DISTRIB_DESCRIPTION",
	"ID", "ID_LIKE", "NAME", "VERSION", "VERSION_ID", "VERSION_CODENAME", "PRETTY_NAME",
}

// statusKeys are the lines of /proc/PID/status that do not identify the user. Source:
// proc_pid_status(5).
var statusKeys = []string{
	"Name", "Umask", "State", "Tgid", "Ngid", "Pid", "PPid", "TracerPid", "FDSize", "Threads", "CoreDumping", "THP_enabled", "SigQ", "SigPnd",
	"ShdPnd", "SigBlk", "SigIgn", "SigCgt", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp", "Seccomp_filters",
	"VmPeak", "VmSize", "VmLck", "VmPin", "VmHWM", "VmRSS", "RssAnon", "RssFile", "RssShmem", "VmData", "VmStk", "VmExe", "VmLib", "VmPTE", "VmSwap",
	"HugetlbPages", "Cpus_allowed", "Cpus_allowed_list", "Mems_allowed", "Mems_allowed_list", "voluntary_ctxt_switches", "nonvoluntary_ctxt_switches",
}

func keyed(separator string, keys []string) func(m *masks, text string) string {
	return func(m *masks, text string) string {
		return eachLine(text, func(line string) (string, bool) {
			key, _, ok := strings.Cut(line, separator)
			return m.text(line), line == "" || ok && slices.Contains(keys, strings.TrimSpace(key))
		})
	}
}

func (m *masks) numbers(text string) string {
	return eachLine(text, func(line string) (string, bool) { return line, strings.Trim(line, "0123456789. ") == "" })
}

// limits keeps the table of proc_pid_limits(5): its lines end in a number or in
// "unlimited", and a unit may follow.
func (m *masks) limits(text string) string {
	return eachLine(text, func(line string) (string, bool) {
		words := strings.Fields(line)
		ok := len(words) > 2 && (words[0] == "Max" || words[0] == "Limit")
		return m.text(line), ok || line == ""
	})
}

// eachLine keeps the result of a function for each line.
func eachLine(text string, keep func(line string) (string, bool)) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\n\x00")
		if kept, ok := keep(bare); ok {
			out.WriteString(kept + line[len(bare):])
		}
	}
	return out.String()
}

// lines applies a function to each line of a text.
func (c *cleaner) lines(t minidump.StreamType) {
	text, _ := c.f.Text(t)
	for i := range textFiles {
		if textFiles[i].stream == t {
			c.w.Stream(t, []byte(textFiles[i].keep(c.masks(), text)))
		}
	}
}

func (c *cleaner) masks() *masks {
	if c.opt.Names {
		return &masks{names: true}
	}
	return &c.text
}
