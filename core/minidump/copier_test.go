package minidump

import (
	"testing"

	"crashglass/core/testkit/call"
	"crashglass/core/testkit/expect"
)

// A copier writes the decoded streams of one file into another one.
type copier struct {
	t    *testing.T
	from *File
	w    *Writer
}

// write writes a stream: by its row in writers or, without one, by the method of
// Writer that takes what its reader returns.
func (c *copier) write(stream StreamType, v any) bool {
	if write := writers[stream]; write != nil {
		write(c, v)
		return true
	}
	return call.With(c.w, v)
}

// writers has the writers of streams whose reader returns what several methods of
// Writer take, or less than one of them needs.
var writers = map[StreamType]func(c *copier, v any){
	ThreadListStream:        func(c *copier, v any) { c.w.Threads(c.threads(v)) },
	ThreadExListStream:      func(c *copier, v any) { c.w.ThreadsEx(c.threads(v)) },
	ModuleListStream:        func(c *copier, v any) { c.w.Modules(moduleRecords(v)) },
	MemoryListStream:        func(c *copier, v any) { c.w.MemoryList(c.ranges(v)) },
	Memory64ListStream:      func(c *copier, v any) { c.w.Memory64List(c.ranges64(v)) },
	ExceptionStream:         func(c *copier, v any) { c.w.Exception(c.exception(v)) },
	SystemInfoStream:        func(c *copier, v any) { c.w.SystemInfo(&v.(*SystemDetail).SystemInfo) },
	CommentAStream:          writes((*Writer).CommentA),
	CommentWStream:          writes((*Writer).CommentW),
	SystemMemoryInfoStream:  writes((*Writer).SystemMemory),
	ProcessVMCountersStream: writes((*Writer).ProcessVMCounters),
	MacBootArgsStream:       writes((*Writer).MacBootArgs),
	LinuxCPUInfoStream:      writes((*Writer).LinuxCPUInfo),
	LinuxProcStatusStream:   writes((*Writer).LinuxProcStatus),
	LinuxCmdLineStream:      writes((*Writer).CommandLine),
	LinuxEnvironStream:      writes((*Writer).Environment),
	LinuxAuxvStream:         func(c *copier, v any) { c.w.Auxv(v.([]AuxValue), c.from.wordSize()) },
	LinuxDSODebugStream:     func(c *copier, v any) { c.w.DSODebug(v.(*DSODebug), c.from.wordSize()) },
}

// plainTexts are the streams whose bytes are their text; they need no writer.
var plainTexts = []StreamType{
	LinuxLSBReleaseStream, LinuxProcStatStream, LinuxProcUptimeStream, LinuxProcFDStream, SoftErrorsStream,
	0xface_1ca7, 0xface_cafa, 0xface_cafb, 0xface_cafc, 0xface_cafd, 0xface_cafe, 0xface_cb00, 0xface_cccc, 0xface_dead, 0xface_e000,
}

func init() {
	for _, t := range plainTexts {
		writers[t] = func(c *copier, v any) { c.w.Stream(t, []byte(v.(Text))) }
	}
}

// writes makes a row of a method.
func writes[T any](method func(*Writer, T)) func(*copier, any) {
	return func(c *copier, v any) { method(c.w, v.(T)) }
}

// copied puts bytes of the one file into the other.
func (c *copier) copied(loc Location) Location {
	c.t.Helper()
	data, err := c.from.Bytes("copy", loc)
	expect.Error(c.t, err, "")
	return c.w.Put(data)
}

func (c *copier) ranges(v any) []Range {
	var out []Range
	for _, r := range v.([]Range) {
		out = append(out, Range{r.Base, c.copied(r.Location)})
	}
	return out
}

// ranges64 copies ranges in one piece.
func (c *copier) ranges64(v any) []Range {
	out := append([]Range(nil), v.([]Range)...)
	if len(out) > 0 {
		last := out[len(out)-1]
		out[0].RVA = c.copied(Location{RVA: out[0].RVA, Size: last.RVA + last.Size - out[0].RVA}).RVA
	}
	return out
}

func (c *copier) threads(v any) []Thread {
	var out []Thread
	for _, d := range v.([]ThreadDetail) {
		d.Thread.Stack.Location, d.Thread.Context = c.copied(d.Thread.Stack.Location), c.copied(d.Thread.Context)
		out = append(out, d.Thread)
	}
	return out
}

func (c *copier) exception(v any) *Exception {
	x := v.(*ExceptionDetail).Exception
	x.Context = c.copied(x.Context)
	return &x
}

func moduleRecords(v any) []ModuleRecord {
	var out []ModuleRecord
	for _, d := range v.([]ModuleDetail) {
		out = append(out, d.ModuleRecord)
	}
	return out
}
