package golang

import (
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/text"
	"crashglass/core/process"
)

// reports opens the reports of a log.
func reports(log string) []*process.Process {
	all, _, _ := text.OpenAll([]text.Family{Family})(bin.NewSource(strings.NewReader(log), int64(len(log))))
	return all
}

func FuzzRead(f *testing.F) {
	f.Add(example)
	f.Fuzz(func(t *testing.T, log string) {
		for _, p := range reports(log) {
			if len(p.Threads) == 0 || p.Subject >= len(p.Threads) {
				t.Errorf("%d threads, subject %d", len(p.Threads), p.Subject)
			}
		}
	})
}
