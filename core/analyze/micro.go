package analyze

import (
	"fmt"

	"crashglass/core/minidump"
	"crashglass/core/report"
)

// microFacts adds what a microdump says beyond the streams of a minidump.
func (s *Session) microFacts(r *report.Report) {
	m := s.file.Microdump()
	if m == nil {
		return
	}
	for _, err := range m.Notes {
		s.notes.damage(err)
	}
	r.Dump.Kind, r.Dump.Size = "microdump", m.Size
	r.Dump.Writer = ptr("Breakpad")
	r.Streams = []report.Stream{} // of a file that nobody has
	r.SystemInfo.OSVersion, r.SystemInfo.OSRaw, r.SystemInfo.CPUInfo = some(m.Build), some(m.Build), nil
	if m.GPU != (minidump.GPU{}) {
		r.SystemInfo.GPU = &report.GPU{Version: m.GPU.Version, Vendor: m.GPU.Vendor, Renderer: m.GPU.Renderer}
	}
	add := func(name, value string) {
		if value != "" {
			r.Annotations = append(r.Annotations, report.Annotation{Name: name, Value: value, Source: "microdump"})
		}
	}
	add("product", m.Product)
	add("process type", m.ProcessType)
	add("machine", m.Machine)
	add("logged", m.Logged)
	if f := m.Space; f != nil {
		add("free address space", fmt.Sprintf("%d bytes in %d holes, the largest of %d", f.Total, f.Holes, f.Largest))
	}
}
