package analyze

import (
	"fmt"
	"strings"

	"crashglass/core/minidump"
	"crashglass/core/module"
	"crashglass/core/report"
	"crashglass/core/version"
)

// facts makes the part of a report that does not depend on symbols.
func (s *Session) facts() report.Report {
	r := report.Report{
		Status:        "OK",
		MadeBy:        version.Name(),
		SystemInfo:    s.systemInfo(),
		Unloaded:      s.unloadedModules(),
		MemoryRegions: s.memoryRegions(),
		Streams:       s.streams(),
		Dump:          s.dumpInfo(),
	}
	s.processFacts(&r)
	s.linuxFacts(&r)
	s.macFacts(&r)
	r.Handles = s.handles()
	r.SoftErrors = s.softErrors()
	r.Annotations = s.annotations()
	s.readMessage(&r)
	s.originFacts(&r)
	return r
}

// systemInfo returns the machine and its operating system. If the stream is missing, the CPU of the
// saved registers remains.
func (s *Session) systemInfo() report.SystemInfo {
	out := report.SystemInfo{PointerWidth: s.width, BigEndian: s.file.Header().BigEndian}
	if s.arch != nil {
		out.CPU = ptr(s.arch.Name)
	}
	if s.sys == nil {
		return out
	}
	if out.CPU == nil {
		out.CPU = ptr("unknown")
	}
	version, build := s.sys.Version()
	out.OS = ptr(s.sys.Platform.String())
	// the texts of rust-minidump (format_os_version) and of Breakpad (OSRaw)
	out.OSVersion = ptr(strings.TrimRight(version+" "+build, " "))
	out.OSRaw = ptr(fmt.Sprintf("%d.%d.%d %s", s.sys.Major, s.sys.Minor, s.sys.Build, s.sys.CSDVersion))
	out.CPUInfo = some(s.sys.CPUInfo())
	out.CPUCount = ptr(uint32(s.sys.Processors))
	return out
}

// processFacts reads the id and the times of the process. Linux dumps may have
// the id in a copy of /proc/PID/status only.
func (s *Session) processFacts(r *report.Report) {
	misc := keep(&s.notes, s.file.MiscInfo)
	if misc == nil {
		return
	}
	r.PID = misc.ProcessID
	if t := misc.Times; t != nil {
		var up uint64
		if written := s.file.Header().Time; written > t.Create {
			up = uint64(written - t.Create)
		}
		r.ProcessUptime = &up
	}
}

// dumpInfo describes the file.
func (s *Session) dumpInfo() report.Dump {
	h := s.file.Header()
	d := report.Dump{
		Flags:  uint64(h.Flags),
		Writer: some(s.writer()), Memory: s.memory.Total(), Archive: []string{},
	}
	if hash, err := s.file.Digest(); err != nil {
		s.notes.damage(err)
	} else {
		d.Hash = &hash
	}
	if h.Time != 0 {
		d.Time = ptr(uint32(h.Time))
	}
	d.Process = some(program(s.modules.Modules()))
	return d
}

// program returns the path of the program. Every writer lists it first, except that a dynamic
// loader may come before it: in an iOS simulator dyld_sim is the first module.
func program(mods []module.Module) string {
	for i := range mods {
		if name := mods[i].Name(); name != "dyld" && name != "dyld_sim" && name != "linker" && name != "linker64" {
			return mods[i].CodeFile
		}
	}
	if len(mods) > 0 {
		return mods[0].CodeFile
	}
	return ""
}

// writer identifies the dump's writer by the streams that only it writes. Crashpad's own stream is
// tested first, because on Windows it writes MiscInfo's build strings, too.
func (s *Session) writer() string {
	switch {
	case s.file.Has(minidump.CrashpadInfoStream):
		return "Crashpad"
	case s.file.Has(minidump.LinuxProcStatStream) || s.file.Has(minidump.LinuxProcFDStream) || s.file.Has(minidump.LinuxProcUptimeStream):
		return "LLDB"
	case s.file.Has(minidump.BreakpadInfoStream) || s.file.Has(minidump.LinuxCPUInfoStream):
		return "Breakpad"
	case s.os == "windows":
		return "Windows"
	}
	return ""
}

// streams lists the directory.
func (s *Session) streams() []report.Stream {
	out := []report.Stream{}
	for _, d := range s.file.Streams() {
		if d.Type == minidump.UnusedStream && d.Size == 0 {
			continue // room that a writer reserved
		}
		entry := report.Stream{Type: uint32(d.Type), Name: d.Type.Name(), Offset: int64(d.RVA), Size: uint32(d.Size)}
		if d.RVA+d.Size > uint64(s.file.Size()) {
			entry.Error = ptr(fmt.Sprintf("%d bytes at %#x reach beyond the end of the file at %#x", d.Size, d.RVA, s.file.Size()))
		}
		out = append(out, entry)
	}
	return out
}
