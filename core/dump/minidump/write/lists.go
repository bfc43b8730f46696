package write

import (
	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/format"
)

// The lists of Windows: arrays of records of one size, some followed by bytes of their own.

// Memory64List writes stream 9, MINIDUMP_MEMORY64_LIST. The caller has put the memory into the file
// before, as consecutive ranges; the list has only the offset of the first.
func (w *Writer) Memory64List(list []minidump.Range) {
	e := w.encoder()
	e.u64(uint64(len(list)))
	if len(list) == 0 {
		e.u64(0)
	} else {
		e.u64(list[0].RVA)
	}
	for _, r := range list {
		e.u64(r.Base, r.Size)
	}
	w.Stream(minidump.Memory64ListStream, e.b)
}

// MemoryInfo writes stream 16, MINIDUMP_MEMORY_INFO_LIST.
func (w *Writer) MemoryInfo(list []minidump.MemoryInfo) {
	e := w.encoder()
	e.u32(16, format.MemoryInfoSize)
	e.u64(uint64(len(list)))
	for _, m := range list {
		e.u64(m.Base, m.AllocationBase)
		e.u32(uint32(m.AllocationProtect), 0)
		e.u64(m.Size)
		e.u32(uint32(m.State), uint32(m.Protect), uint32(m.Type), 0)
	}
	w.Stream(minidump.MemoryInfoListStream, e.b)
}

// ThreadInfos writes stream 17, MINIDUMP_THREAD_INFO_LIST.
func (w *Writer) ThreadInfos(list []minidump.ThreadInfo) {
	e := w.encoder()
	e.u32(12, format.ThreadInfoSize, uint32(len(list)))
	for _, t := range list {
		e.u32(t.ID, uint32(t.Flags), t.Error, t.ExitStatus)
		e.u64(uint64(t.Create), uint64(t.Exit), t.Kernel, t.User, t.Start, t.Affinity)
	}
	w.Stream(minidump.ThreadInfoListStream, e.b)
}

// FunctionTables writes stream 13, MINIDUMP_FUNCTION_TABLE_STREAM. The stream has one size for all
// native descriptors and one for all entries, taken from the first table. It truncates longer
// descriptors, pads shorter ones with zeros, and writes only complete entries.
func (w *Writer) FunctionTables(list []minidump.FunctionTable) {
	var native, entry int
	if len(list) > 0 {
		native, entry = len(list[0].Native), list[0].EntrySize
	}
	e := w.encoder()
	e.u32(24, format.FunctionTableSize, uint32(native), uint32(entry), uint32(len(list)), 0)
	for i := range list {
		e.functionTable(&list[i], native, entry)
	}
	w.Stream(minidump.FunctionTableStream, e.b)
}

// functionTable returns a MINIDUMP_FUNCTION_TABLE_DESCRIPTOR with its descriptor and entries;
// padding aligns the next one.
func (e *encoder) functionTable(t *minidump.FunctionTable, native, entry int) {
	count := len(t.Entries) / max(entry, 1)
	entries := t.Entries[:count*entry]
	pad := -(native + len(entries)) & (align - 1)
	e.u64(t.First, t.Last, t.Base)
	e.u32(uint32(count), uint32(pad))
	e.fitted(t.Native, native)
	e.fitted(entries, len(entries)+pad)
}

// fitted appends data as size bytes: truncated, or padded with zeros.
func (e *encoder) fitted(data []byte, size int) {
	data = data[:min(len(data), size)]
	e.u8(data...)
	e.u8(make([]byte, size-len(data))...)
}
