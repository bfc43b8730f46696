package minidump

import (
	"errors"
	"strconv"
	"strings"

	"crashglass/core/process"
)

// Numbers of the streams that this file reads.
const (
	LinuxCPUInfoStream    StreamType = 0x4767_0003
	LinuxProcStatusStream StreamType = 0x4767_0004
	LinuxLSBReleaseStream StreamType = 0x4767_0005
	LinuxCmdLineStream    StreamType = 0x4767_0006
	LinuxEnvironStream    StreamType = 0x4767_0007
	LinuxLimitsStream     StreamType = 0x4d7a_0003
	LinuxProcStatStream   StreamType = 0x4767_000b
	LinuxProcUptimeStream StreamType = 0x4767_000c
	LinuxProcFDStream     StreamType = 0x4767_000d
	SoftErrorsStream      StreamType = 0x4d7a_0004
)

// Text returns a stream that is text: a file of /proc that Breakpad or LLDB
// copied into the dump, Mozilla's soft errors, Facebook's logs. Bytes that are
// not UTF-8 become U+FFFD.
func (f *File) Text(t StreamType) (string, error) {
	data, err := f.Stream(t)
	return utf8Text(data), err
}

// maxLines bounds the lists that are made of text, because an empty entry takes one byte in the
// file and more in memory. No file of settings has as many lines.
const maxLines = 1 << 16

// A KeyValue is one line of a settings file.
type KeyValue struct{ Key, Value string }

// KeyValues splits lines of "key: value" or KEY="value" at a separator. It skips other lines.
func KeyValues(text string, separator string) []KeyValue {
	var all []KeyValue
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(line, separator)
		if ok && len(all) < maxLines {
			all = append(all, KeyValue{unquote(key), unquote(value)})
		}
	}
	return all
}

func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}

// LinuxCPUInfo reads stream 0x47670003, /proc/cpuinfo: one block of lines for
// each processor, one after the other.
func (f *File) LinuxCPUInfo() ([]KeyValue, error) {
	text, err := f.Text(LinuxCPUInfoStream)
	return KeyValues(text, ":"), err
}

// LinuxProcStatus reads stream 0x47670004, /proc/PID/status.
func (f *File) LinuxProcStatus() ([]KeyValue, error) {
	text, err := f.Text(LinuxProcStatusStream)
	return KeyValues(text, ":"), err
}

// LSBRelease reads stream 0x47670005: /etc/lsb-release, or /etc/os-release
// where there is no such file.
func (f *File) LSBRelease() (*process.LSBRelease, error) {
	text, err := f.Text(LinuxLSBReleaseStream)
	if errors.Is(err, ErrNoStream) {
		return nil, err
	}
	lsb := &process.LSBRelease{}
	for _, kv := range KeyValues(text, "=") {
		switch kv.Key {
		case "DISTRIB_ID", "ID":
			lsb.ID = kv.Value
		case "DISTRIB_RELEASE", "VERSION_ID":
			lsb.Release = kv.Value
		case "DISTRIB_CODENAME", "VERSION_CODENAME":
			lsb.Codename = kv.Value
		case "DISTRIB_DESCRIPTION", "PRETTY_NAME":
			lsb.Description = kv.Value
		}
	}
	return lsb, err
}

// CommandLine reads stream 0x47670006, the arguments of the process. They may
// hold secrets.
func (f *File) CommandLine() ([]string, error) {
	text, err := f.Text(LinuxCmdLineStream)
	return splitNUL(text), err
}

// Environment reads stream 0x47670007, the environment of the process. It
// often holds secrets.
func (f *File) Environment() ([]KeyValue, error) {
	text, err := f.Text(LinuxEnvironStream)
	var all []KeyValue
	for _, v := range splitNUL(text) {
		key, value, _ := strings.Cut(v, "=")
		all = append(all, KeyValue{key, value})
	}
	return all, err
}

// splitNUL splits a list of strings with a NUL behind each. An argument may be empty.
func splitNUL(text string) []string {
	if text == "" {
		return nil
	}
	return strings.SplitN(strings.TrimSuffix(text, "\x00"), "\x00", maxLines)
}

// Limits reads stream 0x4d7a0003, MozLinuxLimits, /proc/PID/limits.
//
// Spec: proc_pid_limits(5). Columns are separated by two or more spaces; names contain single
// spaces, and some limits have no unit.
func (f *File) Limits() ([]process.Limit, error) {
	text, err := f.Text(LinuxLimitsStream)
	var all []process.Limit
	for line := range strings.Lines(text) {
		if l, ok := parseLimit(strings.TrimSpace(line)); ok && len(all) < maxLines {
			all = append(all, l)
		}
	}
	return all, err
}

func parseLimit(line string) (process.Limit, bool) {
	var cells []string
	for cell := range strings.SplitSeq(line, "  ") {
		if cell = strings.TrimSpace(cell); cell != "" {
			cells = append(cells, cell)
		}
	}
	if len(cells) < 3 {
		return process.Limit{}, false
	}
	l := process.Limit{Name: cells[0]}
	var ok1, ok2 bool
	l.Soft, ok1 = limitValue(cells[1])
	l.Hard, ok2 = limitValue(cells[2])
	if len(cells) > 3 {
		l.Unit = cells[3]
	}
	return l, ok1 && ok2 // the heading has words in these columns
}

func limitValue(s string) (uint64, bool) {
	if s == "unlimited" {
		return process.Unlimited, true
	}
	v, err := strconv.ParseUint(s, 10, 64)
	return v, err == nil
}

// LinuxMapsStream is the number of the stream that this file reads.
const LinuxMapsStream StreamType = 0x4767_0009

// LinuxMaps reads stream 0x47670009, LinuxMaps. A line that is no mapping is damage, and is
// skipped.
//
// Spec: proc_pid_maps(5).
func (f *File) LinuxMaps() ([]process.Mapping, error) {
	s, err := f.section(LinuxMapsStream)
	if err != nil {
		return nil, err
	}
	var maps []process.Mapping
	at := s.Offset()
	s.Names("text")
	for line := range strings.Lines(string(s.Bytes(s.Len()))) {
		m, ok := process.ParseMapping(strings.TrimRight(line, "\n\x00"))
		if ok {
			maps = append(maps, m)
		} else if strings.Trim(line, "\n\x00") != "" {
			s.damagef(at, "line %q is not a mapping", clipText(line))
		}
		at += int64(len(line))
	}
	return maps, s.err()
}

// clipText returns the beginning of a line for an error.
func clipText(line string) string {
	const limit = 40
	line = strings.ToValidUTF8(strings.TrimRight(line, "\n"), "\ufffd")
	if len(line) > limit {
		return strings.ToValidUTF8(line[:limit], "") + "…"
	}
	return line
}

// LinuxAuxvStream is the number of the stream that this file reads.
const LinuxAuxvStream StreamType = 0x4767_0008

// An AuxValue is one entry of the auxiliary vector.
type AuxValue = process.AuxValue

// Auxv reads stream 0x47670008, LinuxAuxv: pairs of words up to a zero.
func (f *File) Auxv() ([]AuxValue, error) {
	s, err := f.section(LinuxAuxvStream)
	if err != nil {
		return nil, err
	}
	word := f.wordSize()
	var all []AuxValue
	for s.Len() >= 2*word {
		s.Record("entry", "a_type a_val")
		a := AuxValue{Type: s.word(word), Value: s.word(word)}
		if a.Type == 0 {
			break
		}
		all = append(all, a)
	}
	return all, s.err()
}

// word reads a word of 4 or 8 bytes.
func (s *section) word(size int) uint64 {
	if size == 4 {
		return uint64(s.U32())
	}
	return s.U64()
}

// wordSize is the size of an address in the dumped process; 8 when the dump
// does not say.
func (f *File) wordSize() int {
	if sys, _ := f.SystemInfo(); sys != nil {
		if a := sys.Processor.Arch(); a != nil {
			return a.Word
		}
	}
	return 8
}
