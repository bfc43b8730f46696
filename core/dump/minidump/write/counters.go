package write

import (
	"encoding/binary"
	"strconv"
	"strings"

	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/format"
)

// SystemMemory writes stream 21, MINIDUMP_SYSTEM_MEMORY_INFO_1. The counters have the structure's
// order, as the reader returns them; the stream ends after the last given one.
func (w *Writer) SystemMemory(list []minidump.Counter) {
	e := w.encoder()
	e.u16(1, 0) // revision and flags
	e.counters(format.SystemMemory, list)
	w.Stream(minidump.SystemMemoryInfoStream, e.b)
}

// ProcessVMCounters writes stream 22 in the revision that has the given counters,
// MINIDUMP_PROCESS_VM_COUNTERS_1 or _2, in its order.
func (w *Writer) ProcessVMCounters(list []minidump.Counter) {
	revision, table := uint16(2), format.VMCounters2
	if n := len(format.VMCounters); len(list) > n && list[n].Name == format.VMCounters1[n].Name {
		revision, table = 1, format.VMCounters1
	}
	e := w.encoder()
	e.u16(revision, 0)
	e.counters(table, list)
	w.Stream(minidump.ProcessVMCountersStream, e.b)
}

// counters appends values in the widths of their fields.
func (e *encoder) counters(fields []format.Field, list []minidump.Counter) {
	for i, c := range list[:min(len(list), len(fields))] {
		e.word(fields[i].Width, c.Value)
	}
}

// word appends words of 4 or 8 bytes.
func (e *encoder) word(size int, vs ...uint64) {
	for _, v := range vs {
		if size == 4 {
			e.u32(uint32(v))
		} else {
			e.u64(v)
		}
	}
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
