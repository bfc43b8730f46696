package write

import (
	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/format"
)

// MiscInfo writes stream 15, MINIDUMP_MISC_INFO in the first of its five versions that has all
// given fields. A size of 0 becomes that version's size; any other is written unchanged. A text
// that fills its array loses its last character to a terminator.
func (w *Writer) MiscInfo(m *minidump.MiscInfo) {
	e := w.encoder()
	e.u32(m.Size, uint32(m.Flags))
	parts := []func(*minidump.MiscInfo){e.misc1, e.misc2, e.misc3, e.misc4, e.misc5}
	for _, part := range parts[:miscVersion(m)] {
		part(m)
	}
	if m.Size == 0 {
		e.order.PutUint32(e.b, uint32(len(e.b)))
	}
	w.Stream(minidump.MiscInfoStream, e.b)
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

func (e *encoder) misc1(m *minidump.MiscInfo) {
	t := valueOf(m.Times)
	e.u32(valueOf(m.ProcessID), uint32(t.Create), t.User, t.Kernel)
}

func (e *encoder) misc2(m *minidump.MiscInfo) {
	p := valueOf(m.Power)
	e.u32(p.MaxMHz, p.CurrentMHz, p.LimitMHz, p.MaxIdle, p.CurrentIdle)
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
