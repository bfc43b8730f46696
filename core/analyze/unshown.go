package analyze

import (
	"errors"

	"crashglass/core/minidump"
)

// shown are the streams that a report is made of. Their defects are recorded when they are read.
var shown = map[minidump.StreamType]bool{
	minidump.ThreadListStream: true, minidump.ThreadExListStream: true, minidump.ThreadNamesStream: true,
	minidump.ModuleListStream: true, minidump.UnloadedModuleListStream: true,
	minidump.MemoryListStream: true, minidump.Memory64ListStream: true, minidump.MemoryInfoListStream: true,
	minidump.ExceptionStream: true, minidump.SystemInfoStream: true, minidump.MiscInfoStream: true,
}

// checkUnshown reads the streams that are not in a report, and records damage in them: damage in
// one part of a file makes the other parts doubtful.
func (s *Session) checkUnshown() {
	seen := map[minidump.StreamType]bool{}
	for _, d := range s.file.Streams() {
		if shown[d.Type] || seen[d.Type] {
			continue
		}
		seen[d.Type] = true
		if _, err := s.file.Decode(d.Type); !errors.Is(err, minidump.ErrNoReader) {
			s.notes.damage(err)
		}
	}
}
