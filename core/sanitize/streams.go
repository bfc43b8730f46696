package sanitize

import (
	"fmt"
	"math"
	"slices"

	"crashglass/core/dump/minidump"
	"crashglass/core/process"
)

// A rule writes what stays of a stream.
type rule func(c *cleaner, t minidump.StreamType)

// rules are the streams that stay, in the order in which they are written.
// Every other stream is left out.
var rules = []struct {
	stream minidump.StreamType
	rule   rule
}{
	{minidump.SystemInfoStream, (*cleaner).systemInfo},
	{minidump.ExceptionStream, (*cleaner).exception},
	{minidump.ThreadListStream, (*cleaner).threads},
	{minidump.ThreadNamesStream, (*cleaner).threadNames},
	{minidump.ThreadInfoListStream, (*cleaner).threadInfos},
	{minidump.ThreadCallsStream, (*cleaner).threadCalls},
	{minidump.ModuleListStream, (*cleaner).modules},
	{minidump.UnloadedModuleListStream, (*cleaner).unloaded},
	{minidump.FunctionTableStream, (*cleaner).functionTables},
	{minidump.MemoryInfoListStream, (*cleaner).memoryInfo},
	{minidump.MiscInfoStream, (*cleaner).miscInfo},
	{minidump.BreakpadInfoStream, (*cleaner).breakpadInfo},
	{minidump.CrashpadInfoStream, (*cleaner).crashpad},
	{minidump.AssertionInfoStream, (*cleaner).assertion},
	{minidump.LinuxCPUInfoStream, (*cleaner).lines},
	{minidump.LinuxLSBReleaseStream, (*cleaner).lines},
	{minidump.LinuxProcStatusStream, (*cleaner).lines},
	{minidump.LinuxMapsStream, (*cleaner).lines},
	{minidump.LinuxAuxvStream, (*cleaner).auxv},
	{minidump.LinuxProcUptimeStream, (*cleaner).lines},
	{minidump.LinuxLimitsStream, (*cleaner).lines},
	{minidump.SystemMemoryInfoStream, (*cleaner).systemMemory},
	{minidump.ProcessVMCountersStream, (*cleaner).vmCounters},
}

// titles describe removed streams whose names are not clear.
var titles = map[minidump.StreamType]string{
	minidump.LinuxCmdLineStream:    "the command line",
	minidump.LinuxEnvironStream:    "the environment",
	minidump.HandleDataStream:      "handles with the names of files, keys and pipes",
	minidump.CommentAStream:        "a comment",
	minidump.CommentWStream:        "a comment",
	minidump.LinuxProcFDStream:     "the list of open files",
	minidump.LinuxProcStatStream:   "the process's counters",
	minidump.TokenStream:           "the user's security tokens",
	minidump.MacCrashInfoStream:    "messages of macOS",
	minidump.StabilityReportStream: "the stability report",
}

// streams writes what stays of each stream, and records what does not.
func (c *cleaner) streams() {
	kept := map[minidump.StreamType]bool{minidump.MemoryListStream: true, minidump.Memory64ListStream: true, minidump.ThreadExListStream: true, minidump.RemovedDataStream: true}
	for _, r := range rules {
		kept[r.stream] = true
		if c.f.Has(r.stream) || r.stream == minidump.ThreadListStream && c.f.Has(minidump.ThreadExListStream) {
			r.rule(c, r.stream)
		}
	}
	c.w.MemoryList(c.ranges)
	for _, s := range c.f.Streams() {
		if kept[s.Type] || s.Type == minidump.UnusedStream {
			continue
		}
		what, ok := titles[s.Type]
		if !ok {
			what = fmt.Sprintf("stream %s", s.Type)
		}
		c.removed(what, 1, int64(s.Size))
	}
}

// breakpadInfo keeps the threads that wrote and requested the dump. It drops a damaged stream:
// readers ignore it, but they would not ignore half of it in a new stream.
func (c *cleaner) breakpadInfo(minidump.StreamType) {
	if info, err := c.f.BreakpadInfo(); err == nil && info.Validity <= 3 {
		c.w.BreakpadInfo(info)
	}
}

// crashpad keeps the stream with the mask of addresses, without ids and annotations. Its presence
// shows that Crashpad wrote the dump, which is needed to distinguish sent signals from faults.
func (c *cleaner) crashpad(t minidump.StreamType) {
	data, _ := c.f.Stream(t)
	c.removed("annotations", 1, int64(len(data)))
	version, mask := uint32(1), uint64(0)
	if old, err := c.f.Crashpad(); err == nil {
		version, mask = old.Version, old.AddressMask
	}
	c.w.Crashpad(version, mask)
}

func (c *cleaner) masked(s string) string { return c.masks().text(s) }

func (c *cleaner) path(s string) string { return c.masks().path(s) }

func (c *cleaner) systemInfo(minidump.StreamType) {
	if s, _ := c.f.SystemInfo(); s != nil {
		if s.Processor.Arch() == nil {
			return // nothing was walked, and the rest is no more reliable
		}
		kept := *s
		kept.CSDVersion, kept.CPU = c.system(s), c.processor(s)
		lacks := c.s.Process().Lacks
		if lacks.Has(process.SystemVersion) {
			kept.Major, kept.Minor, kept.Build, kept.ProductType, kept.SuiteMask = 0, 0, 0, 0, 0
		}
		if lacks.Has(process.CPUModel) {
			kept.Level, kept.Revision, kept.Processors, kept.CPU = 0, 0, 0, [24]byte{}
		}
		c.w.SystemInfo(&kept)
	}
}

func (c *cleaner) exception(minidump.StreamType) {
	if x, _ := c.f.Exception(); x != nil {
		kept := *x
		regs := c.textRegisters(x.Context)
		kept.Context = c.registers(x.Context)
		kept.Record, kept.Address = c.ofCrash(regs, x.Record), c.ofCrash(regs, x.Address)
		kept.Parameters = slices.Clone(x.Parameters)
		for i, v := range kept.Parameters {
			kept.Parameters[i] = c.ofCrash(regs, v)
		}
		was := append([]uint64{x.Record, x.Address}, x.Parameters...)
		is := append([]uint64{kept.Record, kept.Address}, kept.Parameters...)
		for i, at := range c.w.Exception(&kept) {
			if is[i] != was[i] || i == 1 && x.Removed {
				c.lost = append(c.lost, at)
			}
		}
	}
}

func (c *cleaner) threads(minidump.StreamType) {
	threads, _ := c.f.Threads()
	sys, _ := c.f.SystemInfo()
	out := slices.Clone(threads)
	for i := range out {
		t := &out[i]
		sp := t.Stack.Base
		if ctx, _ := c.f.Context(t.Context, sys); ctx.Arch != nil {
			if v, ok := ctx.Regs.Get(ctx.Arch.SP); ok {
				sp = v
			}
		}
		t.Suspend, t.PriorityClass, t.Priority = c.small(t.Suspend), c.small(t.PriorityClass), c.small(t.Priority)
		t.Stack, t.Context, t.TEB = c.stackAt(sp), c.registers(t.Context), c.number(t.TEB)
	}
	c.w.Threads(out)
	c.removed("floating-point and vector registers", len(out), 0)
}

func (c *cleaner) threadNames(minidump.StreamType) {
	list, _ := c.f.ThreadNameList()
	for i := range list {
		list[i].Name = c.masked(list[i].Name)
	}
	c.w.ThreadNames(list)
}

func (c *cleaner) threadCalls(minidump.StreamType) {
	list, _ := c.f.ThreadCalls()
	c.w.ThreadCalls(slices.DeleteFunc(list, func(t minidump.ThreadCall) bool { return c.small(t.Number) != t.Number }))
}

func (c *cleaner) modules(minidump.StreamType) {
	list, _ := c.f.ModuleRecords()
	list = slices.DeleteFunc(list, func(m minidump.ModuleRecord) bool { return isTextNumber(m.Base, 8, c.f.Order()) })
	for i := range list {
		m := &list[i]
		m.Name, m.DebugFile, m.CodeView.File = c.path(m.Name), c.path(m.DebugFile), c.path(m.CodeView.File)
		if m.CodeView.Kind == minidump.UnknownCodeView {
			m.CodeView = minidump.CodeView{} // bytes without a known meaning
		}
		if m.Version.Signature != versionSignature {
			m.Version = minidump.VersionInfo{}
		}
	}
	c.w.Modules(list)
}

// versionSignature is VS_FFI_SIGNATURE of verrsrc.h, before a VS_FIXEDFILEINFO.
const versionSignature = 0xfeef_04bd

func (c *cleaner) unloaded(minidump.StreamType) {
	list, _ := c.f.UnloadedRecords()
	for i := range list {
		list[i].Name = c.path(list[i].Name)
	}
	c.w.UnloadedModules(list)
}

func (c *cleaner) assertion(minidump.StreamType) {
	if a, _ := c.f.Assertion(); a != nil {
		kept := *a
		kept.Expression, kept.Function, kept.File = c.masked(a.Expression), c.masked(a.Function), c.masked(a.File)
		c.w.Assertion(&kept)
	}
}

// functionTables keeps the unwind entries of frames in code that the program made at run time: addresses and unwind codes. A table keeps neither
// its other entries nor the system's descriptor.
func (c *cleaner) functionTables(minidump.StreamType) {
	tables, _ := c.f.FunctionTables()
	stay, lost := tables[:0], 0
	for _, t := range tables {
		lost += len(t.Native) + len(t.Entries)
		if t.Native, t.Entries = nil, c.entries(&t); len(t.Entries) > 0 {
			lost -= len(t.Entries)
			stay = append(stay, t)
		}
	}
	if len(stay) > 0 {
		c.w.FunctionTables(stay)
	}
	if lost > 0 {
		c.removed("unwind entries of no frame", 1, int64(lost))
	}
}

// entries returns the entries of a table that frames are in. An entry begins with the offset of its code, which reaches to the next one at most.
func (c *cleaner) entries(t *minidump.FunctionTable) (stay []byte) {
	size := t.EntrySize
	if size < 4 {
		return nil
	}
	begins := make([]uint64, 0, len(t.Entries)/size) // the offset of the code above the entry's own
	for at := 0; at+size <= len(t.Entries); at += size {
		begins = append(begins, uint64(c.f.Order().Uint32(t.Entries[at:]))<<32|uint64(at))
	}
	slices.Sort(begins)
	used := []int{}
	for _, addr := range c.need.outside {
		rel := addr - t.Base
		i, _ := slices.BinarySearch(begins, rel<<32|math.MaxUint32)
		if i > 0 && addr >= t.First && addr < t.Last && rel <= math.MaxUint32 {
			used = append(used, int(begins[i-1]&math.MaxUint32))
		}
	}
	slices.Sort(used)
	for _, at := range slices.Compact(used) {
		stay = append(stay, t.Entries[at:at+size]...)
	}
	return stay
}
