package write

import (
	"encoding/binary"
	"strconv"
	"strings"

	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/format"
	"crashglass/core/process"
)

// Writers of streams that no program writes: what they write is read again by the tests of reading.

// ThreadsEx writes stream 8, which is read when there is no stream 3. The
// second stack, which only Itanium has, is empty.
func (w *Writer) ThreadsEx(list []minidump.Thread) {
	e := w.encoder()
	e.u32(uint32(len(list)))
	for i := range list {
		e.thread(&list[i])
		e.u8(make([]byte, format.ThreadExSize-format.ThreadSize)...)
	}
	w.Stream(minidump.ThreadExListStream, e.b)
}

// Tokens writes stream 19, MINIDUMP_TOKEN_INFO_LIST.
func (w *Writer) Tokens(list []minidump.Token) {
	tokens := w.encoder()
	for _, t := range list {
		tokens.u32(uint32(format.TokenHeaderSize+len(t.Data)), t.ID)
		tokens.u64(t.Handle)
		tokens.u8(t.Data...)
	}
	const headSize = 16
	e := w.encoder()
	e.u32(uint32(headSize+len(tokens.b)), uint32(len(list)), headSize, format.TokenHeaderSize)
	e.u8(tokens.b...)
	w.Stream(minidump.TokenStream, e.b)
}

// DSODebug writes stream 0x4767000a, MDRawDebug32 or MDRawDebug64, with its libraries. It leaves
// out the copy of the program's dynamic section, which Breakpad appends.
//
// Source: Breakpad's minidump_format.h.
func (w *Writer) DSODebug(d *minidump.DSODebug, word int) {
	links := w.encoder()
	for _, l := range d.Links {
		links.word(word, l.Addr)
		links.padded(word, w.Text(l.Name))
		links.word(word, l.Dynamic)
	}
	e := w.encoder()
	e.u32(d.Version, uint32(w.Put(links.b).RVA))
	e.padded(word, uint32(len(d.Links)))
	e.word(word, d.Break, d.Base, d.Dynamic)
	w.Stream(minidump.LinuxDSODebugStream, e.b)
}

// padded is a u32 before a word, to which C aligns it.
func (e *encoder) padded(word int, v uint32) {
	e.u32(v)
	if word == 8 {
		e.u32(0)
	}
}

// macStrings is the offset of a record's strings: behind the fields of the fifth version, the
// longest one.
const macStrings = 40

// MacCrashInfo writes stream 0x4d7a0001, MINIDUMP_MAC_CRASH_INFO, with its records. It writes at
// most 20 records, because the stream has no room for more.
//
// Source: Mozilla's Breakpad, minidump_format.h.
func (w *Writer) MacCrashInfo(records []process.MacCrashRecord) {
	var places [format.MaxMacRecords]minidump.Location
	records = records[:min(len(records), format.MaxMacRecords)]
	for i := range records {
		places[i] = w.Put(w.macRecord(&records[i]))
	}
	e := w.encoder()
	e.u32(uint32(minidump.MacCrashInfoStream), uint32(len(records)), macStrings)
	for _, at := range places {
		e.location(at)
	}
	w.Stream(minidump.MacCrashInfoStream, e.b)
}

// macRecord returns a MINIDUMP_MAC_CRASH_INFO_RECORD. Before version 4 it ends after the version.
func (w *Writer) macRecord(r *process.MacCrashRecord) []byte {
	e := w.encoder()
	e.u64(uint64(minidump.MacCrashInfoStream), r.Version)
	if r.Version < 4 {
		return e.b
	}
	e.u64(valueOf(r.Thread), valueOf(r.DialogMode), valueOf(r.AbortCause))
	for _, text := range []string{r.Module, r.Message, r.Signature, r.Backtrace, r.Message2} {
		e.cstring(text)
	}
	return e.b
}

// MacBootArgs writes stream 0x4d7a0002, MINIDUMP_MAC_BOOTARGS, and the text
// that it points to.
func (w *Writer) MacBootArgs(text string) {
	e := w.encoder()
	e.u32(uint32(minidump.MacBootArgsStream))
	e.u64(uint64(w.Text(text)))
	w.Stream(minidump.MacBootArgsStream, e.b)
}

// StabilityReport writes stream 0x4b6b0002, a protocol buffer. Each counter has messages of its own
// around it, which readers merge. Counters without a place in the report are left out.
//
// Source: Chromium, components/stability_report/stability_report.proto.
func (w *Writer) StabilityReport(r *minidump.StabilityReport) {
	var data []byte
	for _, p := range r.Processes {
		process := protoNumber(nil, 3, uint64(p.ID))
		process = append(process, protoOf(p.Counters, format.StabilityCounters)...)
		data = protoMessage(data, 2, process)
	}
	if len(r.System) > 0 {
		data = protoMessage(data, 7, protoOf(r.System, format.StabilitySystem))
	}
	w.Stream(minidump.StabilityReportStream, data)
}

// protoOf returns counters, each at the path with its name.
func protoOf(list []minidump.Counter, names map[format.ProtoPath]string) []byte {
	paths := map[string]format.ProtoPath{}
	for path, name := range names {
		paths[name] = path
	}
	var all []byte
	for _, c := range list {
		if path, ok := paths[c.Name]; ok {
			all = append(all, enclosed(path, c.Value)...)
		}
	}
	return all
}

// enclosed returns a number within the messages of its path.
func enclosed(p format.ProtoPath, v uint64) []byte {
	first, rest, nested := strings.Cut(string(p), ".")
	tag, _ := strconv.ParseUint(first, 10, 64)
	if !nested {
		return protoNumber(nil, tag, v)
	}
	return protoMessage(nil, tag, enclosed(format.ProtoPath(rest), v))
}

// protoNumber appends a VARINT field.
func protoNumber(b []byte, tag, v uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(b, tag<<3), v)
}

// protoMessage appends a LEN field.
func protoMessage(b []byte, tag uint64, data []byte) []byte {
	b = binary.AppendUvarint(b, tag<<3|2)
	b = binary.AppendUvarint(b, uint64(len(data)))
	return append(b, data...)
}

// wholeMiscInfo writes stream 15 in the first of its five versions that has all given fields. A text
// that fills its array loses its last character to a terminator.
func (w *Writer) wholeMiscInfo(m *minidump.MiscInfo) {
	parts := []func(*encoder, *minidump.MiscInfo){(*encoder).misc1, (*encoder).misc2, (*encoder).misc3, (*encoder).misc4, (*encoder).misc5}
	w.miscInfo(m, parts[:miscVersion(m)]...)
}

// miscVersion returns the first version that has all given fields.
func miscVersion(m *minidump.MiscInfo) int {
	switch {
	case m.XState != nil || m.Cookie != nil:
		return 5
	case m.BuildString != "" || m.DebugBuild != "":
		return 4
	case m.Integrity != nil || m.ExecuteFlags != nil || m.Protected != nil || m.TimeZone != nil:
		return 3
	case m.Power != nil:
		return 2
	case m.Flags&(format.MiscProcessID|format.MiscTimes) != 0 && m.ProcessID == nil && m.Times == nil:
		return 0 // of a stream that ends before the fields that its flags promise
	}
	return 1
}

func (e *encoder) misc3(m *minidump.MiscInfo) {
	e.u32(uint32(valueOf(m.Integrity)), uint32(valueOf(m.ExecuteFlags)), valueOf(m.Protected))
	z := valueOf(m.TimeZone)
	e.u32(z.ID, uint32(z.Bias))
	e.fixedUTF16(z.Standard, 32)
	e.systemTime(z.StandardDate)
	e.u32(uint32(z.StandardBias))
	e.fixedUTF16(z.Daylight, 32)
	e.systemTime(z.DaylightDate)
	e.u32(uint32(z.DaylightBias))
}

func (e *encoder) misc4(m *minidump.MiscInfo) {
	e.fixedUTF16(m.BuildString, 260)
	e.fixedUTF16(m.DebugBuild, 40)
}

func (e *encoder) misc5(m *minidump.MiscInfo) {
	x := valueOf(m.XState)
	var features [64]minidump.XStateFeature
	for _, part := range x.Features {
		features[part.Feature%64] = part
	}
	e.u32(x.Size, x.ContextSize)
	e.u64(x.Enabled)
	for _, part := range features {
		e.u32(part.Offset, part.Size)
	}
	e.u32(valueOf(m.Cookie))
}

// systemTime is a SYSTEMTIME.
func (e *encoder) systemTime(t minidump.SystemTime) {
	e.u16(t.Year, t.Month, t.Weekday, t.Day, t.Hour, t.Minute, t.Second, t.Milliseconds)
}
