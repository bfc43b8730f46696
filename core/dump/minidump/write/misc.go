package write

import (
	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/format"
)

// MiscInfo writes stream 15, MINIDUMP_MISC_INFO, with the process, its times and the processor's clock: in the first of its
// versions that has the given ones. No program writes the fields of versions 3 to 5. A size of 0 becomes that version's size;
// any other is written unchanged.
func (w *Writer) MiscInfo(m *minidump.MiscInfo) {
	switch {
	case m.Power != nil:
		w.miscInfo(m, (*encoder).misc1, (*encoder).misc2)
	case m.Flags&(format.MiscProcessID|format.MiscTimes) != 0 && m.ProcessID == nil && m.Times == nil:
		w.miscInfo(m) // of a stream that ends before the fields that its flags promise
	default:
		w.miscInfo(m, (*encoder).misc1)
	}
}

func (w *Writer) miscInfo(m *minidump.MiscInfo, parts ...func(*encoder, *minidump.MiscInfo)) {
	e := w.encoder()
	e.u32(m.Size, uint32(m.Flags))
	for _, part := range parts {
		part(e, m)
	}
	if m.Size == 0 {
		e.order.PutUint32(e.b, uint32(len(e.b)))
	}
	w.Stream(minidump.MiscInfoStream, e.b)
}

func (e *encoder) misc1(m *minidump.MiscInfo) {
	t := valueOf(m.Times)
	e.u32(valueOf(m.ProcessID), uint32(t.Create), t.User, t.Kernel)
}

func (e *encoder) misc2(m *minidump.MiscInfo) {
	p := valueOf(m.Power)
	e.u32(p.MaxMHz, p.CurrentMHz, p.LimitMHz, p.MaxIdle, p.CurrentIdle)
}

// valueOf returns the value behind a pointer, or zero.
func valueOf[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

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
