// Package textreport reads reports that are text, for the tests of the families below core/dump/text.
package textreport

import (
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/text"
	"crashglass/core/process"
)

// Open returns the reports of a family in a log.
func Open(family text.Family, log string) []*process.Process {
	all, _, _ := text.OpenAll([]text.Family{family})(bin.NewSource(strings.NewReader(log), int64(len(log))))
	return all
}

// Fuzz reads any log. A report has threads, and its subject is one of them.
func Fuzz(f *testing.F, family text.Family, examples ...string) {
	for _, log := range examples {
		f.Add(log)
	}
	f.Fuzz(func(t *testing.T, log string) {
		for _, p := range Open(family, log) {
			if len(p.Threads) == 0 || p.Subject >= len(p.Threads) {
				t.Errorf("%d threads, subject %d", len(p.Threads), p.Subject)
			}
		}
	})
}
