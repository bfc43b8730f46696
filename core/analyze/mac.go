package analyze

import (
	"crashglass/core/minidump"
	"crashglass/core/report"
)

// macFacts reads the streams that Mozilla's Breakpad adds on macOS.
func (s *Session) macFacts(r *report.Report) {
	if s.file.Has(minidump.MacCrashInfoStream) {
		r.MacCrashInfo = s.macCrashInfo(keep(&s.notes, s.file.MacCrashInfo))
	}
	if s.file.Has(minidump.MacBootArgsStream) {
		r.MacBootArgs = ptr(keep(&s.notes, s.file.MacBootArgs))
	}
}

// macCrashInfo converts the records to rust-minidump's schema. A field that the record's version
// lacks, and an empty text, is null.
func (s *Session) macCrashInfo(records []minidump.MacCrashRecord) *report.MacCrash {
	out := &report.MacCrash{Count: len(records), Records: []report.MacCrashRecord{}}
	number := func(v *uint64) *report.Address {
		if v == nil {
			return nil
		}
		return ptr(s.addr(*v))
	}
	for i := range records {
		m := &records[i]
		out.Records = append(out.Records, report.MacCrashRecord{
			Thread: number(m.Thread), DialogMode: number(m.DialogMode), AbortCause: number(m.AbortCause),
			Module: some(m.Module), Message: some(m.Message), Signature: some(m.Signature),
			Backtrace: some(m.Backtrace), Message2: some(m.Message2),
		})
	}
	return out
}
