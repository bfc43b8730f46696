package symbols

import (
	"testing"
)

// A perf map names the code of the process in its name.
func TestGenerated(t *testing.T) {
	s := NewStore(Options{})
	items := s.Add("/tmp/perf-12.map", source("7f0000001000 40 LazyCompile:*f /srv/a.js:1\n"))
	if len(items) != 1 || items[0].Use != IsSymbols {
		t.Errorf("%+v", items)
	}
	if loc, ok := s.Generated(12, 0x7f0000001020); !ok || loc.Function != "LazyCompile:*f /srv/a.js:1" || loc.Start != 0x7f0000001000 || loc.Size != 0x40 {
		t.Errorf("%+v", loc)
	}
	for pid, addr := range map[uint32]uint64{12: 0x7f0000001040, 13: 0x7f0000001020} {
		if loc, ok := s.Generated(pid, addr); ok {
			t.Errorf("process %d: %+v", pid, loc)
		}
	}
	if items := s.Add("perf-13.map", source("no map at all\n")); items[0].Use == IsSymbols {
		t.Errorf("%+v", items)
	}
}
