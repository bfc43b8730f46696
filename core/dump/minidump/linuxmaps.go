package minidump

import (
	"strconv"
	"strings"

	"crashglass/core/process"
)

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
		m, ok := parseMapping(strings.TrimRight(line, "\n\x00"))
		if ok {
			maps = append(maps, m)
		} else if strings.Trim(line, "\n\x00") != "" {
			s.damagef(at, "line %q is not a mapping", clipText(line))
		}
		at += int64(len(line))
	}
	return maps, s.err()
}

// parseMapping reads "00400000-0040b000 r-xp 00000000 08:01 131 /bin/cat".
func parseMapping(line string) (process.Mapping, bool) {
	span, rest, _ := strings.Cut(line, " ")
	first, last, ok := strings.Cut(span, "-")
	base, err1 := strconv.ParseUint(first, 16, 64)
	end, err2 := strconv.ParseUint(last, 16, 64)
	if !ok || err1 != nil || err2 != nil {
		return process.Mapping{}, false
	}
	m := process.Mapping{Base: base, End: end}
	var offset, inode string
	m.Access, rest, _ = strings.Cut(rest, " ")
	offset, rest, _ = strings.Cut(rest, " ")
	m.Device, rest, _ = strings.Cut(rest, " ")
	inode, rest, _ = strings.Cut(rest, " ")
	m.Offset, err1 = strconv.ParseUint(offset, 16, 64)
	m.Inode, err2 = strconv.ParseUint(inode, 10, 64)
	// A name may contain spaces, also at its end.
	m.Name = strings.ToValidUTF8(strings.TrimLeft(rest, " "), "\ufffd")
	return m, len(m.Access) >= 3 && err1 == nil && err2 == nil
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
