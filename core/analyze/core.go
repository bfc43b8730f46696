package analyze

import (
	"cmp"

	"crashglass/core/report"
)

// coreFacts adds what a core says beyond the streams of a minidump, and takes
// back what these seem to say: a core names neither the CPU nor how many there
// are, and the version of the kernel only where the vDSO was captured.
func (s *Session) coreFacts(r *report.Report) {
	c := s.file.Core()
	if c == nil {
		return
	}
	for _, err := range c.Notes {
		s.notes.damage(err)
	}
	r.Dump.Kind, r.Dump.Size, r.Dump.Writer = c.Kind, c.Size, some(c.Writer)
	r.SystemInfo.CPUInfo, r.SystemInfo.CPUCount = nil, nil
	if s.sys == nil || cmp.Or(s.sys.Major, s.sys.Minor, s.sys.Build) == 0 {
		r.SystemInfo.OSVersion, r.SystemInfo.OSRaw = nil, nil
	}
	for _, f := range c.Facts {
		r.Annotations = append(r.Annotations, report.Annotation{Name: f.Key, Value: f.Value, Source: "core"})
	}
}
