package minidump

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// A filler fills a Process. The order in which it reads is that of the notes.
type filler struct {
	*process.Process
	f        *File
	sys      *SystemInfo
	maps     []process.Mapping
	breakpad BreakpadInfo
	listed   []module.Module // with unusable entries
	contexts []Location      // of the threads whose registers are not read yet
}

// Process reads the process out of a dump. Each part is read on its own, so that damage in one leaves
// the others readable, and becomes a note.
func (f *File) Process() *process.Process {
	r := &filler{f: f, Process: &process.Process{Origin: process.Origin{Kind: "minidump", Size: f.Size()}, BigEndian: f.header.BigEndian, Subject: -1}}
	r.note(f.Damage())
	for _, stage := range []struct {
		what string
		read func()
	}{
		{"system info", r.readSystem}, {"module list", r.readModules}, {"thread list", r.readThreads}, {"memory", r.readMemory},
		{"memory regions", r.readRegions}, {"thread list", r.readContexts}, {"dump", r.readFile}, {"dump", r.readFacts},
		{"dump", r.readMessage}, {"dump", r.checkRest},
	} {
		r.Stage(stage.what, stage.read)
	}
	return r.Process
}

// keep reads one stream and records its error.
func keep[T any](r *filler, get func() (T, error)) (v T) {
	r.Stage("dump", func() {
		var err error
		v, err = get()
		r.note(err)
	})
	return v
}

// note records an error. A missing stream is no defect.
func (r *filler) note(err error) {
	if err == nil || errors.Is(err, ErrNoStream) {
		return
	}
	note := process.Note{Err: err}
	var part *Damage
	if errors.As(err, &part) {
		note.More = part.More
	}
	r.Notes = append(r.Notes, note)
}

// readSystem determines the CPU, which everything else depends on.
func (r *filler) readSystem() {
	sys := keep(r, r.f.SystemInfo)
	r.Writer, r.Crashpad = r.writer(sys), r.f.Has(CrashpadInfoStream)
	if sys == nil {
		r.NoteNoSystem()
		return
	}
	r.sys, r.Arch, r.Lacks = sys, sys.Processor.Arch(), r.unset(sys)
	version, build := sys.Version()
	out := &process.System{
		OS: systems[sys.Platform], Name: sys.Platform.String(),
		// the texts of rust-minidump (format_os_version) and of Breakpad (OSRaw)
		Version: strings.TrimRight(version+" "+build, " "),
		Raw:     fmt.Sprintf("%d.%d.%d %s", sys.Major, sys.Minor, sys.Build, sys.CSDVersion),
	}
	if r.Lacks.Has(process.SystemVersion) {
		out.Version, out.Raw = "", ""
	}
	if !r.Lacks.Has(process.CPUModel) {
		out.CPU = sys.CPUInfo()
	}
	if !r.Lacks.Has(process.CPUCount) {
		n := uint32(sys.Processors)
		out.CPUs = &n
	}
	r.System = out
}

var systems = map[Platform]process.OS{
	PlatformWin32s: process.Windows, PlatformWindows9: process.Windows, PlatformWindows: process.Windows, PlatformWinCE: process.Windows,
	PlatformMac: process.Mac, PlatformIOS: process.IOS, PlatformLinux: process.Linux, PlatformAndroid: process.Android,
	PlatformSolaris: process.Solaris, PlatformNaCl: process.NaCl, PlatformFuchsia: process.Fuchsia,
}

// PlatformOf returns the number of an operating system, that of an unknown Unix for an unknown one.
func PlatformOf(os process.OS) Platform {
	if os.IsWindows() {
		return PlatformWindows
	}
	for platform, name := range systems {
		if name == os {
			return platform
		}
	}
	return PlatformUnix
}

// unset returns the facts that the system info only seems to state. Zeros state nothing. LLDB leaves
// its fields as they were in LLDB's memory.
//
// Source: lldb/source/Plugins/ObjectFile/Minidump/MinidumpFileBuilder.cpp, AddSystemInfo.
func (r *filler) unset(sys *SystemInfo) (lacks process.Lack) {
	lldb := r.Writer == lldbWriter
	if lldb || sys.Major|sys.Minor|sys.Build == 0 && sys.CSDVersion == "" {
		lacks |= process.SystemVersion
	}
	if lldb || sys.Level|sys.Revision|uint16(sys.Processors) == 0 && sys.CPU == [24]byte{} {
		lacks |= process.CPUModel | process.CPUCount
	}
	return lacks
}

const lldbWriter = "LLDB"

// writer identifies the dump's writer by the streams that only it writes. Crashpad's own stream is
// tested first, because on Windows it writes MiscInfo's build strings, too.
func (r *filler) writer(sys *SystemInfo) string {
	switch {
	case r.f.Has(CrashpadInfoStream):
		return "Crashpad"
	case r.f.Has(LinuxProcStatStream) || r.f.Has(LinuxProcFDStream) || r.f.Has(LinuxProcUptimeStream):
		return lldbWriter
	case r.f.Has(BreakpadInfoStream) || r.f.Has(LinuxCPUInfoStream):
		return "Breakpad"
	case sys != nil && systems[sys.Platform].IsWindows():
		return "Windows"
	}
	return ""
}

func (r *filler) readModules() {
	r.listed = keep(r, r.f.Modules)
	r.SetModules(r.listed)
	r.maps = keep(r, r.f.LinuxMaps)
	r.ExtendModules(r.maps)
	r.Unloaded = keep(r, r.f.UnloadedModules)
}

// readThreads reads the threads, and finds the one that crashed or requested the dump.
func (r *filler) readThreads() {
	list := keep(r, r.f.Threads)
	names := keep(r, r.f.ThreadNames)
	for _, t := range list {
		r.addThread(&t, names[t.ID])
	}
	for _, c := range keep(r, r.f.ThreadCalls) {
		if i := r.ThreadIndex(c.ID); i >= 0 {
			number := uint64(c.Number)
			r.Threads[i].Call = &number
		}
	}
	if info := keep(r, r.f.BreakpadInfo); info != nil {
		r.breakpad = *info
	}
	if x := keep(r, r.f.Exception); x != nil {
		r.readException(x, names)
	} else if id := r.breakpad.RequestingThread; id != nil {
		r.Requested, r.Subject = true, r.ThreadIndex(*id)
	}
	r.EventLost = r.Event == nil && r.f.Has(ExceptionStream)
	if id := r.breakpad.DumpThread; id != nil {
		for i := range r.Threads {
			r.Threads[i].Writer = r.Threads[i].ID == *id && i != r.Subject
		}
	}
	r.NoteNoThreads()
	for i := 0; r.Arch == nil && i < len(r.Threads); i++ {
		r.readContext(i)
	}
}

// addThread adds a thread, whose registers are read later.
func (r *filler) addThread(t *Thread, name string) {
	out := process.Thread{ID: t.ID, Name: name, TEB: t.TEB, Stack: t.Stack.Base}
	r.Threads, r.contexts = append(r.Threads, out), append(r.contexts, t.Context)
}

// readException reads the exception. A crashed thread has its registers, because its own are often
// those of the crash handler. It is added to a list without it: LLDB writes i386 dumps without a
// thread list.
func (r *filler) readException(x *Exception, names map[uint32]string) {
	r.Event = &process.Event{Code: x.Code, Flags: x.Flags, Address: x.Address, Removed: x.Removed, Parameters: x.Parameters}
	if r.System != nil && r.System.OS.IsWindows() && x.Lost > 0 && len(x.Parameters) <= 1 {
		r.Event.Removed = true // there the address is the second parameter
	}
	r.Event.NoAddress = r.Event.Removed
	regs := r.registersAt(x.Context, "exception")
	if r.Subject = r.ThreadIndex(x.ThreadID); regs == nil {
		return
	}
	if r.Subject < 0 {
		r.Odd("thread list", fmt.Sprintf("does not have thread %d, which crashed; its registers are those of the exception", x.ThreadID))
		r.Subject = len(r.Threads)
		r.addThread(&Thread{ID: x.ThreadID}, names[x.ThreadID])
	}
	r.Threads[r.Subject].Registers = regs
	r.contexts[r.Subject] = Location{}
	if r.Arch == nil {
		r.Arch = regs.Arch
	}
}

func (r *filler) readContexts() {
	for i := range r.Threads {
		r.readContext(i)
	}
}

// readContext reads the registers of a thread once.
func (r *filler) readContext(i int) {
	if t := &r.Threads[i]; r.contexts[i].Size > 0 {
		t.Registers = r.registersAt(r.contexts[i], fmt.Sprintf("thread %d", t.ID))
		r.contexts[i] = Location{}
		if r.Arch == nil && t.Registers != nil {
			r.Arch = t.Registers.Arch
		}
	}
}

// registersAt reads registers, or returns nil.
func (r *filler) registersAt(loc Location, whose string) *process.Registers {
	if loc.Size == 0 {
		return nil
	}
	c, err := r.f.Context(loc, r.sys)
	r.note(err)
	for _, n := range c.Notes {
		r.Odd("context of the "+whose, n)
	}
	return c.Registers()
}

// Registers returns the registers, or nil if the context could not be read.
func (c *Context) Registers() *process.Registers {
	if c.Arch == nil {
		return nil
	}
	return &process.Registers{Arch: c.Arch, Regs: c.Regs, Shadow: c.shadow(), Removed: c.Removed, Texts: c.Texts, Float: c.Float, Context: c.bytes}
}

// The index reports only the first defect of three lists, so each list is also read for its own defects.
func (r *filler) readMemory() {
	keep(r, r.f.MemoryList)
	keep(r, r.f.Memory64List)
	r.Memory = keep(r, r.f.Memory)
}

// readRegions reads the operating system's list of regions.
func (r *filler) readRegions() {
	var list []process.Region
	for _, m := range keep(r, r.f.MemoryInfo) {
		if m.Size == 0 || m.Size-1 > ^uint64(0)-m.Base {
			continue
		}
		list = append(list, process.Region{
			Start: m.Base, Last: m.Base + (m.Size - 1), Access: m.Access(), Guard: m.Guard(), State: m.StateName(), Kind: m.Kind(),
		})
	}
	r.SetRegions(list, r.maps)
}

// readFile describes the file: its directory, and what its header says.
func (r *filler) readFile() {
	r.readStreams()
	r.Hash = keep(r, func() (string, error) { return process.Digest(r.f.src) })
	r.Time, r.Flags = uint32(r.f.header.Time), uint64(r.f.header.Flags)
}

// truncatedAtMost bounds the original size of a truncated file, as a multiple of the present size.
// An entry that points further is damaged.
const truncatedAtMost = 4096

// readStreams lists the directory, and finds how much of the file is missing.
func (r *filler) readStreams() {
	var known, beyond int
	var need int64
	for _, d := range r.f.Streams() {
		if d.Type == UnusedStream && d.Size == 0 {
			continue // room that a writer reserved
		}
		s := process.Stream{Type: uint32(d.Type), Name: d.Type.Name(), Offset: int64(d.RVA), Size: uint32(d.Size)}
		if d.RVA+d.Size > uint64(r.f.Size()) {
			why := fmt.Sprintf("%d bytes at %#x reach beyond the end of the file at %#x", d.Size, d.RVA, r.f.Size())
			s.Error = &why
			beyond++
		}
		if s.Name != "" {
			known++
			need = max(need, s.Offset+int64(s.Size))
		}
		r.Streams = append(r.Streams, s)
	}
	total := len(r.Streams)
	switch {
	case beyond > 0 && 2*known > total && need/truncatedAtMost < r.f.Size():
		r.Origin.Need = need
	case beyond > 0:
		r.Defect = fmt.Sprintf("%d of %d streams lie beyond the end of the file", beyond, total)
	}
}

// readFacts reads what the dump says of the process beyond its threads and modules.
func (r *filler) readFacts() {
	if misc := keep(r, r.f.MiscInfo); misc != nil {
		r.PID = misc.ProcessID
		if t := misc.Times; t != nil {
			up := uint64(max(r.f.header.Time, t.Create) - t.Create)
			r.Uptime = &up
		}
	}
	r.readLinux()
	if r.f.Has(MacCrashInfoStream) {
		r.MacCrash = append([]process.MacCrashRecord{}, keep(r, r.f.MacCrashInfo)...)
	}
	if r.f.Has(MacBootArgsStream) {
		text := keep(r, r.f.MacBootArgs)
		r.MacBootArgs = &text
	}
	if r.f.Has(HandleDataStream) {
		r.Handles = []process.Handle{}
		for _, h := range keep(r, r.f.Handles) {
			r.Handles = append(r.Handles, process.Handle{Value: h.Value, Type: h.Type, Name: h.Name})
		}
	}
	if r.f.Has(SoftErrorsStream) {
		text := r.text(SoftErrorsStream)
		r.SoftErrors = &text
	}
	r.readFunctionTables()
	r.readAnnotations()
}

// functionEntries are the sizes of unwind entries. Source: winnt.h, IMAGE_RUNTIME_FUNCTION_ENTRY.
var functionEntries = []struct {
	arch *cpu.Arch
	size int
}{{&cpu.AMD64, 12}, {&cpu.ARM64, 8}}

// readFunctionTables reads the unwind entries of generated code. Tables with entries of another size are no tables of this CPU.
func (r *filler) readFunctionTables() {
	for _, t := range keep(r, r.f.FunctionTables) {
		for _, e := range functionEntries {
			if e.arch == r.Arch && e.size == t.EntrySize {
				r.FunctionTables = append(r.FunctionTables, process.FunctionTable{First: t.First, End: t.Last, Base: t.Base, Entries: t.Entries})
			}
		}
	}
}

func (r *filler) text(t StreamType) string {
	return keep(r, func() (string, error) { return r.f.Text(t) })
}

// readLinux reads the files of /proc that Breakpad, Crashpad and LLDB copied.
func (r *filler) readLinux() {
	if r.f.Has(LinuxMapsStream) {
		n := len(r.maps)
		r.MapCount = &n
	}
	r.Microcode = microcode(keep(r, r.f.LinuxCPUInfo))
	r.LSBRelease = keep(r, r.f.LSBRelease)
	// rust-minidump takes 0 for the process of a misc info that has no id;
	// only without one does it look into /proc.
	if !r.f.Has(MiscInfoStream) {
		r.PID = processID(keep(r, r.f.LinuxProcStatus))
	}
	r.Limits, r.Auxv = keep(r, r.f.Limits), keep(r, r.f.Auxv)
	for _, t := range linuxTexts {
		if r.f.Has(t.stream) {
			r.Files = append(r.Files, process.TextFile{Name: t.name, Text: r.text(t.stream), Sensitive: t.sensitive})
		}
	}
}

// microcode returns the first processor's microcode version, without leading zeros.
func microcode(info []KeyValue) string {
	for _, kv := range info {
		if kv.Key != "microcode" {
			continue
		}
		digits, ok := strings.CutPrefix(kv.Value, "0x")
		v, err := strconv.ParseUint(digits, 16, 64)
		if !ok || err != nil {
			return ""
		}
		return fmt.Sprintf("%#x", v)
	}
	return ""
}

// processID returns the process ID in /proc/PID/status, or nil if it is missing or no number.
//
// Source: proc_pid_status(5)
func processID(status []KeyValue) *uint32 {
	for _, kv := range status {
		if kv.Key == "Pid" {
			v, err := strconv.ParseUint(kv.Value, 10, 32)
			if err != nil {
				return nil
			}
			id := uint32(v)
			return &id
		}
	}
	return nil
}

// linuxTexts lists the copied files, and marks the private ones.
var linuxTexts = []struct {
	stream    StreamType
	name      string
	sensitive bool
}{
	{stream: LinuxCmdLineStream, name: process.CmdLine, sensitive: true},
	{stream: LinuxEnvironStream, name: process.Environ, sensitive: true},
	{stream: LinuxProcStatusStream, name: "/proc/PID/status"},
	{stream: LinuxProcStatStream, name: "/proc/PID/stat"},
	{stream: LinuxMapsStream, name: process.Maps},
	{stream: LinuxLimitsStream, name: "/proc/PID/limits"},
	{stream: LinuxProcFDStream, name: "/proc/PID/fd"},
	{stream: LinuxCPUInfoStream, name: "/proc/cpuinfo"},
	{stream: LinuxProcUptimeStream, name: "/proc/uptime"},
	{stream: LinuxLSBReleaseStream, name: "/etc/lsb-release"},
}

// TextStream returns the stream with a copied file.
func TextStream(name string) (StreamType, bool) {
	for _, t := range linuxTexts {
		if t.name == name {
			return t.stream, true
		}
	}
	return UnusedStream, false
}

// readAnnotations lists the annotations of the program and its crash reporter.
func (r *filler) readAnnotations() {
	add := func(name, value, source string, module *string) {
		r.Annotations = append(r.Annotations, process.Annotation{Name: name, Value: value, Source: source, Module: module})
	}
	if c := keep(r, r.f.Crashpad); c != nil {
		r.crashpad(c, add)
	}
	for _, text := range keep(r, r.f.Comments) {
		add("comment", text, "Comment", nil)
	}
	for _, t := range facebookTexts {
		if r.f.Has(t) {
			add(t.Name(), r.text(t), t.Name(), nil)
		}
	}
}

// facebookTexts are Facebook's streams that are text, as LLDB lists them.
var facebookTexts = []StreamType{
	0xface_dead, 0xface_cafa, 0xface_cafb, 0xface_cafc, 0xface_cafd, 0xface_cafe,
	0xface_cb00, 0xface_cccc, 0xface_e000, 0xface_1ca7,
}

// crashpad lists the annotations of a Crashpad client: those of the process,
// then those of each module.
func (r *filler) crashpad(c *CrashpadInfo, add func(name, value, source string, module *string)) {
	const source = "CrashpadInfo"
	for _, id := range []struct {
		name string
		guid GUID
	}{{"report id", c.ReportID}, {"client id", c.ClientID}} {
		if id.guid != (GUID{}) {
			add(id.name, id.guid.Dashed(), source, nil)
		}
	}
	for _, kv := range c.Annotations {
		add(kv.Key, kv.Value, source, nil)
	}
	for i := range c.Modules {
		m := &c.Modules[i]
		name := r.listedName(m.Module)
		for _, text := range m.List {
			add("", text, source, &name)
		}
		for _, kv := range m.Simple {
			add(kv.Key, kv.Value, source, &name)
		}
		for j := range m.Objects {
			add(m.Objects[j].Name, m.Objects[j].shown(), source, &name)
		}
	}
}

// shown is the text of a string, and the beginning of anything else
// in hex: its type is the program's own.
func (a *Annotation) shown() string {
	if text, ok := a.Text(); ok {
		return text
	}
	const most = 64
	if len(a.Value) > most {
		return fmt.Sprintf("% x… (%d bytes of type %#x)", a.Value[:most], len(a.Value), uint16(a.Type))
	}
	return fmt.Sprintf("% x (type %#x)", a.Value, uint16(a.Type))
}

// listedName is the name of the entry of the module list with that number.
func (r *filler) listedName(index uint32) string {
	if uint64(index) >= uint64(len(r.listed)) {
		return fmt.Sprintf("module %d", index)
	}
	return module.Basename(r.listed[index].CodeFile)
}

func (r *filler) readMessage() {
	if a := keep(r, r.f.Assertion); a != nil {
		r.Message, r.Check = a.text(), checks[a.Type]
	}
}

var checks = map[uint32]process.Check{InvalidParameter: process.InvalidArgument, PureVirtualCall: process.PureVirtualCall}

// readBefore are the streams whose defects are recorded when they are read.
var readBefore = map[StreamType]bool{
	ThreadListStream: true, ThreadExListStream: true, ThreadNamesStream: true, ThreadCallsStream: true,
	ModuleListStream: true, UnloadedModuleListStream: true,
	MemoryListStream: true, Memory64ListStream: true, MemoryInfoListStream: true,
	ExceptionStream: true, SystemInfoStream: true, MiscInfoStream: true, LinuxAuxvStream: true, FunctionTableStream: true,
}

// checkRest reads the other streams, and records damage in them: damage in
// one part of a file makes the other parts doubtful.
func (r *filler) checkRest() {
	r.NoteTruncated()
	seen := map[StreamType]bool{}
	for _, d := range r.f.Streams() {
		if readBefore[d.Type] || seen[d.Type] {
			continue
		}
		seen[d.Type] = true
		if _, err := r.f.Decode(d.Type); !errors.Is(err, ErrNoReader) {
			r.note(err)
		}
	}
}
