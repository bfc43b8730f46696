package write

import (
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/testkit/call"
	"crashglass/core/testkit/expect"
)

// A copier writes the decoded streams of one file into another one.
type copier struct {
	t    *testing.T
	from *minidump.File
	w    *Writer
}

// write writes a stream: by its row in writers or, without one, by the method of
// Writer that takes what its reader returns.
func (c *copier) write(stream minidump.StreamType, v any) bool {
	if write := writers[stream]; write != nil {
		write(c, v)
		return true
	}
	return call.With(c.w, v)
}

// writers has the writers of streams whose reader returns what several methods of
// Writer take, or less than one of them needs.
var writers = map[minidump.StreamType]func(c *copier, v any){
	minidump.ThreadListStream:        func(c *copier, v any) { c.w.Threads(c.threads(v)) },
	minidump.ThreadExListStream:      func(c *copier, v any) { c.w.ThreadsEx(c.threads(v)) },
	minidump.ModuleListStream:        func(c *copier, v any) { c.w.Modules(moduleRecords(v)) },
	minidump.MemoryListStream:        func(c *copier, v any) { c.w.MemoryList(c.ranges(v)) },
	minidump.Memory64ListStream:      func(c *copier, v any) { c.w.Memory64List(c.ranges64(v)) },
	minidump.ExceptionStream:         func(c *copier, v any) { c.w.Exception(c.exception(v)) },
	minidump.SystemInfoStream:        func(c *copier, v any) { c.w.SystemInfo(&v.(*minidump.SystemDetail).SystemInfo) },
	minidump.CommentAStream:          writes((*Writer).CommentA),
	minidump.CommentWStream:          writes((*Writer).CommentW),
	minidump.MiscInfoStream:          writes((*Writer).wholeMiscInfo),
	minidump.CrashpadInfoStream:      writes((*Writer).wholeCrashpad),
	minidump.SystemMemoryInfoStream:  writes((*Writer).SystemMemory),
	minidump.ProcessVMCountersStream: writes((*Writer).ProcessVMCounters),
	minidump.MacBootArgsStream:       writes((*Writer).MacBootArgs),
	minidump.LinuxCPUInfoStream:      writes((*Writer).LinuxCPUInfo),
	minidump.LinuxProcStatusStream:   writes((*Writer).LinuxProcStatus),
	minidump.LinuxCmdLineStream:      writes((*Writer).CommandLine),
	minidump.LinuxEnvironStream:      writes((*Writer).Environment),
	minidump.LinuxAuxvStream:         func(c *copier, v any) { c.w.Auxv(v.([]minidump.AuxValue), c.word()) },
	minidump.LinuxDSODebugStream:     func(c *copier, v any) { c.w.DSODebug(v.(*minidump.DSODebug), c.word()) },
}

// plainTexts are the streams whose bytes are their text; they need no writer.
var plainTexts = []minidump.StreamType{
	minidump.LinuxLSBReleaseStream, minidump.LinuxProcStatStream, minidump.LinuxProcUptimeStream, minidump.LinuxProcFDStream, minidump.SoftErrorsStream,
	0xface_1ca7, 0xface_cafa, 0xface_cafb, 0xface_cafc, 0xface_cafd, 0xface_cafe, 0xface_cb00, 0xface_cccc, 0xface_dead, 0xface_e000,
}

func init() {
	for _, t := range plainTexts {
		writers[t] = func(c *copier, v any) { c.w.Stream(t, []byte(v.(minidump.Text))) }
	}
}

// word is the size of an address in the file that is copied.
func (c *copier) word() int {
	if sys, _ := c.from.SystemInfo(); sys != nil && sys.Processor.Arch() != nil {
		return sys.Processor.Arch().Word
	}
	return 8
}

// writes makes a row of a method.
func writes[T any](method func(*Writer, T)) func(*copier, any) {
	return func(c *copier, v any) { method(c.w, v.(T)) }
}

// copied puts bytes of the one file into the other.
func (c *copier) copied(loc minidump.Location) minidump.Location {
	c.t.Helper()
	data, err := c.from.Bytes("copy", loc)
	expect.Error(c.t, err, "")
	return c.w.Put(data)
}

func (c *copier) ranges(v any) []minidump.Range {
	var out []minidump.Range
	for _, r := range v.([]minidump.Range) {
		out = append(out, minidump.Range{Base: r.Base, Location: c.copied(r.Location)})
	}
	return out
}

// ranges64 copies ranges in one piece.
func (c *copier) ranges64(v any) []minidump.Range {
	out := append([]minidump.Range(nil), v.([]minidump.Range)...)
	if len(out) > 0 {
		last := out[len(out)-1]
		out[0].RVA = c.copied(minidump.Location{RVA: out[0].RVA, Size: last.RVA + last.Size - out[0].RVA}).RVA
	}
	return out
}

func (c *copier) threads(v any) []minidump.Thread {
	var out []minidump.Thread
	for _, d := range v.([]minidump.ThreadDetail) {
		d.Thread.Stack.Location, d.Thread.Context = c.copied(d.Thread.Stack.Location), c.copied(d.Thread.Context)
		out = append(out, d.Thread)
	}
	return out
}

func (c *copier) exception(v any) *minidump.Exception {
	x := v.(*minidump.ExceptionDetail).Exception
	x.Context = c.copied(x.Context)
	return &x
}

func moduleRecords(v any) []minidump.ModuleRecord {
	var out []minidump.ModuleRecord
	for _, d := range v.([]minidump.ModuleDetail) {
		out = append(out, d.ModuleRecord)
	}
	return out
}
