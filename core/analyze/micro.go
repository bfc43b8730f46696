package analyze

import (
	"fmt"
	"strings"

	"crashglass/core/minidump"
	"crashglass/core/report"
)

// microFacts adds what a microdump says beyond the streams of a minidump, and
// takes back what those seem to say: the system's version is in no numbers, and
// the places of streams are in a file that nobody has.
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
	r.Streams = []report.Stream{}
	r.SystemInfo.OSVersion, r.SystemInfo.OSRaw, r.SystemInfo.CPUInfo = some(m.Build), some(m.Build), nil
	if m.GPU != (minidump.GPU{}) {
		r.SystemInfo.GPU = &report.GPU{Version: m.GPU.Version, Vendor: m.GPU.Vendor, Renderer: m.GPU.Renderer}
	}
	r.Annotations = append(r.Annotations, microAnnotations(m)...)
}

// microAnnotations are named as crash reporters name them.
func microAnnotations(m *minidump.Microdump) []report.Annotation {
	// Clients are asked for "name:version".
	product, version := m.Product, ""
	if i := strings.LastIndexByte(product, ':'); i >= 0 {
		product, version = product[:i], product[i+1:]
	}
	space := ""
	if f := m.Space; f != nil {
		space = fmt.Sprintf("%d bytes in %d holes, the largest of %d", f.Total, f.Holes, f.Largest)
	}
	var out []report.Annotation
	for _, a := range []struct{ name, value string }{
		{"product", product}, {"version", version}, {"process_type", m.ProcessType},
		{"machine", m.Machine}, {"logged", m.Logged}, {"free address space", space},
	} {
		if a.value != "" {
			out = append(out, report.Annotation{Name: a.name, Value: a.value, Source: "microdump"})
		}
	}
	return out
}

// signalKnown reports whether an exception says what it was. A microdump of
// an old client says that there was a crash, and nothing else of it.
func (s *Session) signalKnown() bool {
	m := s.file.Microdump()
	return m == nil || m.Signal != ""
}
