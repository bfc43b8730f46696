package crash

import (
	"testing"

	"crashglass/core/report"
)

// A return address that differs from the shadow stack's is the cause of what follows, and stands in the evidence with both values.
func TestOverwritten(t *testing.T) {
	s := crashAt(t, "c3")
	s.Frames[1].Index = 1
	s.Frames[1].Overwritten = &report.Overwritten{Address: "0x00007ffd00000010", Value: "0x4141414141414141"}
	for _, f := range Analyze(s.Input).Findings {
		if f.Kind != StackSmashed {
			continue
		}
		want := "The return address of frame 0 was overwritten: the shadow stack has `main` of app, and the stack has 0x4141414141414141 at 0x00007ffd00000010."
		if !f.Cause || f.Confidence != 1 || len(f.Evidence) != 1 || f.Evidence[0] != want {
			t.Errorf("%+v", f)
		}
		return
	}
	t.Error("no finding")
}
