package symbols

import (
	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/stack/symbolize"
	"crashglass/symbols/formats/perfmap"
	"crashglass/symbols/formats/sniff"
)

// keepPerf keeps a perf map, and reports whether the file is one.
func (s *Store) keepPerf(file string, k sniff.Kind, src bin.Source) bool {
	pid := perfmap.PID(module.Basename(file))
	if k != sniff.Text || pid == 0 {
		return false
	}
	data, err := src.ReadUpTo("perf map", 0, perfmap.MaxFile)
	if err != nil {
		return false
	}
	m := perfmap.Parse(string(data))
	if m.Len() == 0 {
		return false
	}
	s.perf[pid] = m
	return true
}

// Generated names code that a process made at run time, by its perf map.
func (s *Store) Generated(pid uint32, addr uint64) (symbolize.Location, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.perf[pid]
	if m == nil {
		return symbolize.Location{}, false
	}
	name, start, size := m.At(addr)
	return symbolize.Location{Function: name, Start: start, Size: size}, name != ""
}
