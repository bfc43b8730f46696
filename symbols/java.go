package symbols

import (
	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
	"crashglass/symbols/formats/r8"
	"crashglass/symbols/formats/sniff"
)

// keepJava keeps a mapping of R8 or ProGuard, and reports whether the file is one.
func (s *Store) keepJava(k sniff.Kind, src bin.Source) bool {
	head, err := src.ReadUpTo("mapping", 0, memberHead)
	if k != sniff.Text || err != nil || !r8.IsMapping(head) {
		return false
	}
	data, err := src.ReadUpTo("mapping", 0, r8.MaxFile)
	if err == nil {
		s.java = append([]*r8.Map{r8.Parse(string(data))}, s.java...)
	}
	return err == nil
}

// Retrace returns the calls that a frame of shortened Java is, the innermost first, or nil.
func (s *Store) Retrace(function string, line uint32) []symbolize.Inline {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.java {
		if calls := m.Retrace(function, line); calls != nil {
			return calls
		}
	}
	return nil
}
