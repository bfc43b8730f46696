package analyze

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"crashglass/core/base/version"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

// facts makes the part of a report that does not depend on symbols.
func (s *Session) facts() report.Report {
	p := s.p
	r := report.Report{
		Status:        "OK",
		MadeBy:        version.Name(),
		SystemInfo:    s.systemInfo(),
		Unloaded:      s.unloadedModules(),
		MemoryRegions: s.memoryRegions(),
		Streams:       s.streams(),
		Dump:          s.dumpInfo(),
		PID:           p.PID,
		ProcessUptime: p.Uptime,
		MapCount:      p.MapCount,
		ProcLimits:    s.limits(),
		LSBRelease:    (*report.LSBRelease)(p.LSBRelease),
		LinuxFiles:    []report.TextFile{},
		MacBootArgs:   p.MacBootArgs,
		SoftErrors:    s.softErrors(),
		Annotations:   []report.Annotation{},
	}
	for _, t := range p.Files {
		t.Text = strings.ReplaceAll(t.Text, "\x00", "\n")
		r.LinuxFiles = append(r.LinuxFiles, report.TextFile(t))
	}
	if p.MacCrash != nil {
		r.MacCrashInfo = s.macCrashInfo(p.MacCrash)
	}
	if p.Handles != nil {
		r.Handles = []report.Handle{}
	}
	for _, h := range p.Handles {
		r.Handles = append(r.Handles, report.Handle{Handle: h.Value, TypeName: some(h.Type), ObjectName: some(h.Name)})
	}
	for _, a := range p.Annotations {
		r.Annotations = append(r.Annotations, report.Annotation(a))
	}
	s.readMessage(&r)
	return r
}

// systemInfo returns the machine and its operating system. If the file does not describe them, the CPU
// of the saved registers remains.
func (s *Session) systemInfo() report.SystemInfo {
	out := report.SystemInfo{PointerWidth: s.width, BigEndian: s.p.BigEndian, CPUMicrocode: some(s.p.Microcode)}
	if s.p.Arch != nil {
		out.CPU = ptr(s.p.Arch.Name)
	}
	if gpu := s.p.Origin.GPU; gpu != (process.GPU{}) {
		out.GPU = (*report.GPU)(&gpu)
	}
	sys := s.p.System
	if sys == nil {
		return out
	}
	if out.CPU == nil {
		out.CPU = ptr("unknown")
	}
	out.OS, out.OSVersion, out.OSRaw = ptr(sys.Name), some(sys.Version), some(sys.Raw)
	out.CPUInfo, out.CPUCount = some(sys.CPU), sys.CPUs
	return out
}

func (s *Session) dumpInfo() report.Dump {
	d := report.Dump{
		Kind: s.p.Origin.Kind, Size: s.p.Origin.Size, Flags: s.p.Flags, Hash: some(s.p.Hash),
		Writer: some(s.p.Writer), Memory: s.p.Memory.Total(), Archive: []string{}, Process: some(program(s.p.Modules)),
	}
	if s.p.Time != 0 {
		d.Time = &s.p.Time
	}
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

func (s *Session) streams() []report.Stream {
	out := []report.Stream{}
	for _, d := range s.p.Streams {
		out = append(out, report.Stream(d))
	}
	return out
}

// softErrors lists the errors of the dump's writer, whatever the shape of its JSON.
func (s *Session) softErrors() any {
	if s.p.SoftErrors == nil {
		return nil
	}
	if text := []byte(*s.p.SoftErrors); json.Valid(text) {
		return json.RawMessage(text)
	}
	s.notes.odd("moz soft errors", "is not JSON")
	return nil
}

// limits returns /proc/PID/limits in rust-minidump's schema, which has "n/a" for a limit without a
// unit.
//
// Source: proc_pid_limits(5), and "proc_limits" in json-schema.md of minidump-processor
func (s *Session) limits() *report.ProcLimits {
	if s.p.Limits == nil {
		return nil
	}
	out := &report.ProcLimits{}
	for _, l := range s.p.Limits {
		unit := cmp.Or(l.Unit, "n/a") // nice and real-time priorities have none
		out.Limits = append(out.Limits, report.ProcLimit{Name: l.Name, Soft: limit(l.Soft), Hard: limit(l.Hard), Unit: unit})
	}
	return out
}

// limit returns a number, or "unlimited" as the schema has it.
func limit(v uint64) any {
	if v == process.Unlimited {
		return "unlimited"
	}
	return v
}

// macCrashInfo converts the records to rust-minidump's schema. A field that the record's version
// lacks, and an empty text, is null.
func (s *Session) macCrashInfo(records []process.MacCrashRecord) *report.MacCrash {
	out := &report.MacCrash{Count: len(records), Records: []report.MacCrashRecord{}}
	number := func(v *uint64) *report.Address {
		if v == nil {
			return nil
		}
		return ptr(s.addr(*v))
	}
	for i := range records {
		m := &records[i]
		out.Records = append(out.Records, report.MacCrashRecord{
			Thread: number(m.Thread), DialogMode: number(m.DialogMode), AbortCause: number(m.AbortCause),
			Module: some(m.Module), Message: some(m.Message), Signature: some(m.Signature),
			Backtrace: some(m.Backtrace), Message2: some(m.Message2),
		})
	}
	return out
}

// lastWords are the names of annotations in which programs store why they ended themselves:
// Chromium's and Android's, Mozilla's, Crashpad's for iOS.
var lastWords = []string{"LOG_FATAL", "abort_message", "MozCrashReason", "exceptionReason", "exception_reason", "FacebookAbortReason"}

// readMessage finds the message with which the program ended itself: a failed assertion, the crash
// info of macOS' libraries, or an annotation.
func (s *Session) readMessage(r *report.Report) {
	if s.message = s.p.Message; s.message != "" {
		return
	}
	if s.message = crashInfo(r); s.message != "" {
		return
	}
	for _, name := range lastWords {
		for _, a := range r.Annotations {
			if a.Name == name && a.Value != "" {
				s.message = strings.TrimSpace(a.Value)
				return
			}
		}
	}
	s.message = s.crashInfoOf(r)
}

func ptr[T any](v T) *T { return &v }

// some makes an optional field of a string; an empty one is missing.
func some(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// sortedKeys returns the keys of a map in order, so that reports do not depend on Go's order of
// maps.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
