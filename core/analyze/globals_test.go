package analyze

import (
	"strings"
	"testing"

	"crashglass/core/testkit/dump"
	"crashglass/core/values/variables"
)

// A build that a dump lists a thousand times is read only a few times.
func TestGlobalsOfOneBuild(t *testing.T) {
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	for i := range uint64(1000) {
		b.Module(dump.Module{Base: 0x40_0000 + i<<16, Size: 0x1000, Name: "/opt/app", CodeView: dump.BuildID(1, 2, 3)})
	}
	s, err := Open(source(b.Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	r, err := s.Report(inlined{map[uint64]int{}}, Options{Globals: func(*variables.Context) []*variables.Value {
		asked++
		return []*variables.Value{{Name: "g"}}
	}})
	if err != nil || asked != maxLoaded || len(r.Globals) != maxLoaded || !strings.Contains(r.Notes[len(r.Notes)-1].Text, "the last modules lack theirs") {
		t.Errorf("asked %d times, %d globals, notes %v, %v", asked, len(r.Globals), r.Notes, err)
	}
}
