package next

import (
	"slices"

	"crashglass/core/cause/crash"
	"crashglass/core/report"
)

// mostWaiting bounds the functions of a step.
const mostWaiting = 4

// compareLocks names the program's functions in which threads wait for each other, or a thread for itself.
func compareLocks(c *crashed) *report.NextStep {
	finding := c.Verdict.Finding
	if c.Hang == nil || len(c.Hang.Cycles) == 0 || len(c.Hang.Functions) == 0 ||
		c.Verdict.Crashed && finding != report.FindingFromOutside && finding != report.FindingKind(crash.Hang) {
		return nil
	}
	s := &report.NextStep{Kind: report.CompareLocks}
	named := 0
	for k, i := range c.Hang.Cycles[0] {
		if i < 0 || i >= len(c.Threads) || k >= len(c.Hang.Functions[0]) || k >= mostWaiting {
			break
		}
		if name := c.Hang.Functions[0][k]; name != "" {
			named++
			s.Functions = once(s.Functions, name)
		}
		if w := c.Threads[i].Waits; w != nil && w.Kind == report.WaitJoin {
			s.Kind = report.CompareWaits
		} else if w != nil && w.Name != "" {
			s.Locks = once(s.Locks, w.Name)
		}
	}
	if len(c.Hang.Cycles[0]) == 1 {
		s.Kind = report.Relock
	}
	if named == 0 || named == 1 && s.Kind != report.Relock {
		return nil
	}
	if s.Kind == report.CompareLocks && len(s.Locks) < 2 || s.Kind == report.CompareWaits {
		s.Locks = nil
	}
	return s
}

// once appends a name that a list does not have.
func once(list []string, name string) []string {
	if slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}
