package minidump

import (
	"bytes"

	"crashglass/core/dump/minidump/format"
	"crashglass/core/process"
)

// Numbers of the streams that this file reads.
const (
	MacCrashInfoStream StreamType = 0x4d7a_0001
	MacBootArgsStream  StreamType = 0x4d7a_0002
)

// MacCrashInfo reads stream 0x4d7a0001, MozMacosCrashInfoStream.
//
// Source: Mozilla's Breakpad, minidump_format.h.
func (f *File) MacCrashInfo() ([]process.MacCrashRecord, error) {
	s, err := f.section(MacCrashInfoStream)
	if err != nil {
		return nil, err
	}
	s.Names("stream_type record_count record_start_size")
	s.Skip(4) // the stream's type again
	at := s.Offset()
	count, strings := s.U32(), s.U32()
	if count > format.MaxMacRecords {
		s.damagef(at, "count %d exceeds %d", count, format.MaxMacRecords)
	}
	var records []process.MacCrashRecord
	for range min(count, format.MaxMacRecords) {
		s.Names("record.DataSize record.Rva")
		loc := location(s.Cursor)
		if s.Cursor.Err() != nil {
			break
		}
		r, err := f.macRecord(loc, strings)
		s.merge(err)
		records = append(records, r)
	}
	return records, s.err()
}

// macRecord reads one record: numbers, more in newer versions, and five strings at the offset
// strings, which is the same for all records.
func (f *File) macRecord(loc Location, strings uint32) (process.MacCrashRecord, error) {
	loc.Size = min(loc.Size, maxText) // the writer cuts each string at 8 KiB
	s := f.sectionAt("crash info record", loc)
	s.Record("crash info record", "stream_type version")
	s.Skip(8) // the stream's type once more
	r := process.MacCrashRecord{Version: s.U64()}
	fixed := 16
	s.Names("thread dialog_mode abort_cause")
	if r.Version >= 4 {
		r.Thread, r.DialogMode = s.u64(), s.u64()
		fixed += 16
	}
	if r.Version >= 5 {
		r.AbortCause = s.u64()
		fixed += 8
	}
	if r.Version < 4 || s.Cursor.Err() != nil {
		return r, s.err()
	}
	if strings < uint32(fixed) {
		s.damagef(s.at, "strings at %d lie in the %d bytes before them", strings, fixed)
		return r, s.err()
	}
	s.Names("newer_fields")
	s.skip(uint64(strings) - uint64(fixed))
	s.Names("module_path message signature_string backtrace message2")
	for _, text := range []*string{&r.Module, &r.Message, &r.Signature, &r.Backtrace, &r.Message2} {
		*text = s.cstring()
	}
	return r, s.err()
}

func (s *section) u64() *uint64 {
	v := s.U64()
	return &v
}

func (s *section) cstring() string {
	rest := s.Len()
	if rest == 0 {
		s.Fail("need a string, have 0 bytes")
		return ""
	}
	if end := bytes.IndexByte(s.Rest(), 0); end >= 0 {
		rest = end + 1
	}
	return cstring(s.Bytes(rest))
}

// MacBootArgs reads stream 0x4d7a0002, MozMacosBootargsStream: the arguments
// that the kernel was started with.
func (f *File) MacBootArgs() (string, error) {
	s, err := f.section(MacBootArgsStream)
	if err != nil {
		return "", err
	}
	s.Names("stream_type bootargs")
	s.Skip(4) // the stream's type again
	rva := s.U64()
	if s.Cursor.Err() != nil {
		return "", s.err()
	}
	text := s.textAt(rva)
	return text, s.err()
}
