package sanitize

import (
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/report"
)

// The second walk of a thread is no longer than the first, which the budget of all threads limited.
func TestWalkedAgainAsFar(t *testing.T) {
	for _, test := range []struct {
		end  report.End
		want int
	}{
		{report.End{Kind: report.FrameLimit, Limit: 2}, 2},
		{report.End{Kind: report.NoRegisters}, 0},
		{report.End{Complete: true}, 0},
	} {
		opt := asLong(analyze.Options{Explain: true}, &report.Thread{End: test.end})
		if opt.Frames != test.want || !opt.Explain {
			t.Errorf("%+v: %d frames, want %d", test.end, opt.Frames, test.want)
		}
	}
}
