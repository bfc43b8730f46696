package next

import (
	"crashglass/core/cause/crash"
	"crashglass/core/report"
)

// mostWaiting bounds the functions of a step.
const mostWaiting = 4

// compareLocks names the program's functions in which threads wait for each other.
func compareLocks(c *crashed) *report.NextStep {
	finding := c.Verdict.Finding
	if c.Hang == nil || len(c.Hang.Cycles) == 0 || c.Verdict.Crashed && finding != report.FindingFromOutside && finding != report.FindingKind(crash.Hang) {
		return nil
	}
	s := &report.NextStep{Kind: report.CompareLocks}
	for _, i := range c.Hang.Cycles[0] {
		if i < 0 || i >= len(c.Threads) || len(s.Functions) >= mostWaiting {
			break
		}
		if name := ownFunction(&c.Threads[i]); name != "" {
			s.Functions = append(s.Functions, name)
		}
	}
	if len(s.Functions) < 2 {
		return nil
	}
	return s
}

// ownFunction returns the innermost function of the program in a stack, if its name is certain.
func ownFunction(th *report.Thread) string {
	rows := crash.Rows(th.Frames)
	for i := range rows {
		if row := &rows[i]; row.Own() {
			if row.Uncertain(row.Inline != nil) {
				return ""
			}
			return row.Name()
		}
	}
	return ""
}
