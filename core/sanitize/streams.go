package sanitize

import (
	"fmt"
	"slices"
	"strings"

	"crashglass/core/minidump"
)

// A rule says what becomes of a stream.
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
	{minidump.ThreadInfoListStream, (*cleaner).same},
	{minidump.ModuleListStream, (*cleaner).modules},
	{minidump.UnloadedModuleListStream, (*cleaner).unloaded},
	{minidump.MemoryInfoListStream, (*cleaner).same},
	{minidump.MiscInfoStream, (*cleaner).same},
	{minidump.BreakpadInfoStream, (*cleaner).breakpadInfo},
	{minidump.CrashpadInfoStream, (*cleaner).crashpad},
	{minidump.AssertionInfoStream, (*cleaner).assertion},
	{minidump.LinuxCPUInfoStream, (*cleaner).lines},
	{minidump.LinuxLSBReleaseStream, (*cleaner).lines},
	{minidump.LinuxProcStatusStream, (*cleaner).lines},
	{minidump.LinuxMapsStream, (*cleaner).lines},
	{minidump.LinuxAuxvStream, (*cleaner).same},
	{minidump.LinuxProcStatStream, (*cleaner).lines},
	{minidump.LinuxProcUptimeStream, (*cleaner).lines},
	{minidump.LinuxLimitsStream, (*cleaner).lines},
	{minidump.SystemMemoryInfoStream, (*cleaner).same},
	{minidump.ProcessVMCountersStream, (*cleaner).same},
}

// titles say what streams are that are left out, where the name does not.
var titles = map[minidump.StreamType]string{
	minidump.LinuxCmdLineStream:    "the command line",
	minidump.LinuxEnvironStream:    "the environment",
	minidump.HandleDataStream:      "handles with the names of files, keys and pipes",
	minidump.CommentAStream:        "a comment",
	minidump.CommentWStream:        "a comment",
	minidump.LinuxProcFDStream:     "the list of open files",
	minidump.TokenStream:           "the user's security tokens",
	minidump.MacCrashInfoStream:    "messages of macOS",
	minidump.StabilityReportStream: "the stability report",
}

// streams writes what stays of each stream, and says what does not.
func (c *cleaner) streams() {
	kept := map[minidump.StreamType]bool{minidump.MemoryListStream: true, minidump.Memory64ListStream: true, minidump.ThreadExListStream: true}
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

// same keeps a stream that has numbers and points nowhere.
func (c *cleaner) same(t minidump.StreamType) {
	data, _ := c.f.Stream(t)
	c.w.Stream(t, data)
}

// breakpadInfo keeps which threads wrote the dump and asked for it. Where the
// stream is damaged nobody heeds it, and half of it written anew would not be.
func (c *cleaner) breakpadInfo(t minidump.StreamType) {
	if _, err := c.f.BreakpadInfo(); err == nil {
		c.same(t)
	}
}

// crashpad keeps that Crashpad wrote the dump, by which a signal that was sent
// is told from a fault, and the mask of addresses. Ids and annotations go.
func (c *cleaner) crashpad(t minidump.StreamType) {
	data, _ := c.f.Stream(t)
	c.removed("annotations", 1, int64(len(data)))
	info := minidump.CrashpadInfo{Version: 1}
	if old, err := c.f.Crashpad(); err == nil {
		info.Version, info.AddressMask = old.Version, old.AddressMask
	}
	c.w.Crashpad(&info)
}

// private are fields of text streams that say who ran the program.
var private = []string{"Uid:", "Gid:", "Groups:", "NSpid:", "NStgid:", "NSpgid:", "NSsid:"}

// lines keeps a text, without what is private in it.
func (c *cleaner) lines(t minidump.StreamType) {
	text, _ := c.f.Text(t)
	mask := c.masked
	if t == minidump.LinuxMapsStream { // a path ends each line
		mask = c.path
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if !slices.ContainsFunc(private, func(p string) bool { return strings.HasPrefix(line, p) }) {
			out.WriteString(mask(line))
		}
	}
	c.w.Stream(t, []byte(out.String()))
}

func (c *cleaner) masked(s string) string {
	if c.opt.Names {
		return maskSecrets(s)
	}
	return c.text.text(s)
}

func (c *cleaner) path(s string) string {
	if c.opt.Names {
		return maskSecrets(s)
	}
	return c.text.path(s)
}

func (c *cleaner) systemInfo(minidump.StreamType) {
	if s, _ := c.f.SystemInfo(); s != nil {
		c.w.SystemInfo(s)
	}
}

// registers keeps a context without floating-point and vector registers: what
// a program copies goes through them.
func (c *cleaner) registers(at minidump.Location) minidump.Location {
	if at.Size == 0 {
		return minidump.Location{}
	}
	if put, ok := c.contexts[at]; ok { // threads may share one
		return put
	}
	sys, _ := c.f.SystemInfo()
	ctx, _ := c.f.Context(at, sys)
	put := c.w.Put(ctx.Scrubbed())
	c.contexts[at] = put
	return put
}

func (c *cleaner) exception(minidump.StreamType) {
	if x, _ := c.f.Exception(); x != nil {
		kept := *x
		kept.Context = c.registers(x.Context)
		c.w.Exception(&kept)
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
		t.Stack, t.Context = c.stackAt(sp), c.registers(t.Context)
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

func (c *cleaner) modules(minidump.StreamType) {
	list, _ := c.f.ModuleRecords()
	for i := range list {
		m := &list[i]
		m.Name, m.DebugFile, m.CodeView.File = c.path(m.Name), c.path(m.DebugFile), c.path(m.CodeView.File)
	}
	c.w.Modules(list)
}

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
