package analyze

import (
	"fmt"
	"strconv"
	"strings"

	"crashglass/core/minidump"
	"crashglass/core/report"
)

// linuxFacts reads the files of /proc that Breakpad, Crashpad and LLDB copied.
func (s *Session) linuxFacts(r *report.Report) {
	if s.file.Has(minidump.LinuxMapsStream) {
		r.MapCount = ptr(len(keep(&s.notes, s.file.LinuxMaps)))
	}
	r.SystemInfo.CPUMicrocode = microcode(keep(&s.notes, s.file.LinuxCPUInfo))
	if lsb := keep(&s.notes, s.file.LSBRelease); lsb != nil {
		r.LSBRelease = &report.LSBRelease{ID: lsb.ID, Release: lsb.Release, Codename: lsb.Codename, Description: lsb.Description}
	}
	// rust-minidump takes 0 for the process of a misc info that has no id;
	// only without one does it look into /proc.
	if !s.file.Has(minidump.MiscInfoStream) {
		r.PID = processID(keep(&s.notes, s.file.LinuxProcStatus))
	}
	r.ProcLimits = s.limits()
	r.LinuxFiles = s.linuxFiles()
}

// microcode returns the first processor's microcode version, without leading zeros.
func microcode(info []minidump.KeyValue) *string {
	for _, kv := range info {
		if kv.Key != "microcode" {
			continue
		}
		digits, ok := strings.CutPrefix(kv.Value, "0x")
		v, err := strconv.ParseUint(digits, 16, 64)
		if !ok || err != nil {
			return nil
		}
		return ptr(fmt.Sprintf("%#x", v))
	}
	return nil
}

// processID returns the process ID in /proc/PID/status, or nil if it is missing or no number.
//
// Source: proc_pid_status(5)
func processID(status []minidump.KeyValue) *uint32 {
	for _, kv := range status {
		if kv.Key == "Pid" {
			v, err := strconv.ParseUint(kv.Value, 10, 32)
			if err != nil {
				return nil
			}
			return ptr(uint32(v))
		}
	}
	return nil
}

// limits returns /proc/PID/limits in rust-minidump's schema, which has "n/a" for a limit without a
// unit.
//
// Source: proc_pid_limits(5), and "proc_limits" in json-schema.md of minidump-processor
func (s *Session) limits() *report.ProcLimits {
	list := keep(&s.notes, s.file.Limits)
	if list == nil {
		return nil
	}
	out := &report.ProcLimits{}
	for _, l := range list {
		unit := l.Unit // nice and real-time priorities have none
		if unit == "" {
			unit = "n/a"
		}
		out.Limits = append(out.Limits, report.ProcLimit{Name: l.Name, Soft: limit(l.Soft), Hard: limit(l.Hard), Unit: unit})
	}
	return out
}

// limit returns a number, or "unlimited" as the schema has it.
func limit(v uint64) any {
	if v == minidump.Unlimited {
		return "unlimited"
	}
	return v
}

// linuxTexts lists the copied files, and marks the private ones.
var linuxTexts = []struct {
	stream    minidump.StreamType
	name      string
	sensitive bool
}{
	{minidump.LinuxCmdLineStream, "/proc/PID/cmdline", true},
	{minidump.LinuxEnvironStream, "/proc/PID/environ", true},
	{minidump.LinuxProcStatusStream, "/proc/PID/status", false},
	{minidump.LinuxProcStatStream, "/proc/PID/stat", false},
	{minidump.LinuxMapsStream, "/proc/PID/maps", false},
	{minidump.LinuxLimitsStream, "/proc/PID/limits", false},
	{minidump.LinuxProcFDStream, "/proc/PID/fd", false},
	{minidump.LinuxCPUInfoStream, "/proc/cpuinfo", false},
	{minidump.LinuxProcUptimeStream, "/proc/uptime", false},
	{minidump.LinuxLSBReleaseStream, "/etc/lsb-release", false},
}

// linuxFiles lists the copied files with their text. Arguments and environment
// have a NUL behind each value, which becomes the end of a line.
func (s *Session) linuxFiles() []report.TextFile {
	out := []report.TextFile{}
	for _, t := range linuxTexts {
		if !s.file.Has(t.stream) {
			continue
		}
		text := keep(&s.notes, func() (string, error) { return s.file.Text(t.stream) })
		out = append(out, report.TextFile{Name: t.name, Text: strings.ReplaceAll(text, "\x00", "\n"), Sensitive: t.sensitive})
	}
	return out
}
