package write

import (
	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/format"
	"crashglass/core/process"
)

// Streams of Breakpad and Mozilla that are structures. word is the size of addresses in a
// structure, 4 or 8. It must be that of the processor in the system info, because readers use that.

// BreakpadInfo writes stream 0x47670001, MDRawBreakpadInfo.
func (w *Writer) BreakpadInfo(b *minidump.BreakpadInfo) {
	e := w.encoder()
	e.u32(b.Validity, valueOf(b.DumpThread), valueOf(b.RequestingThread))
	w.Stream(minidump.BreakpadInfoStream, e.b)
}

// Auxv writes stream 0x47670008: pairs of words, and AT_NULL behind them.
func (w *Writer) Auxv(list []minidump.AuxValue, word int) {
	e := w.encoder()
	for _, a := range list {
		e.word(word, a.Type, a.Value)
	}
	e.word(word, 0, 0)
	w.Stream(minidump.LinuxAuxvStream, e.b)
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
