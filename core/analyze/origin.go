package analyze

import (
	"crashglass/core/report"
	"crashglass/core/snapshot"
)

// originFacts adds the facts of the file that are not in its streams, and removes facts that the
// streams only seem to state.
func (s *Session) originFacts(r *report.Report) {
	o := &s.file.Origin
	for _, err := range o.Notes {
		s.notes.damage(err)
	}
	r.Dump.Kind, r.Dump.Size = o.Kind, o.Size
	if o.Writer != "" || s.lacks(snapshot.Writer) {
		r.Dump.Writer = some(o.Writer)
	}
	for _, f := range o.Facts {
		r.Annotations = append(r.Annotations, report.Annotation{Name: f.Name, Value: f.Value, Source: f.Source})
	}
	s.originSystem(&r.SystemInfo)
	if s.lacks(snapshot.Places) {
		r.Streams = []report.Stream{}
	}
}

// originSystem does the same for the machine and its system.
func (s *Session) originSystem(out *report.SystemInfo) {
	o := &s.file.Origin
	if s.lacks(snapshot.CPUModel) {
		out.CPUInfo = nil
	}
	if s.lacks(snapshot.CPUCount) {
		out.CPUCount = nil
	}
	if s.lacks(snapshot.SystemVersion) {
		out.OSVersion, out.OSRaw = some(o.System), some(o.System)
	}
	if o.GPU != (snapshot.GPU{}) {
		out.GPU = &report.GPU{Version: o.GPU.Version, Vendor: o.GPU.Vendor, Renderer: o.GPU.Renderer}
	}
}

// lacks reports whether a fact that a stream seems to state is not in the file.
func (s *Session) lacks(facts snapshot.Lack) bool { return s.file.Origin.Lacks.Has(facts) }
