package next

import (
	"cmp"
	"slices"

	"crashglass/core/cause/waits"
	"crashglass/core/process/bugcheck"
	"crashglass/core/report"
)

// readCode names the code to read, and the register with the wrong value.
func readCode(c *crashed) *report.NextStep {
	where := report.Text(c.Verdict.Where)
	if where != "" && c.Verdict.Goroutine != nil { // its stack is none of a thread
		return &report.NextStep{Kind: report.LookAt, Function: where, At: report.Text(c.Verdict.At)}
	}
	if !c.Verdict.Crashed || c.blamed == nil || where == "" || c.Verdict.Finding == report.FindingFromOutside && (!c.locked() || compareLocks(c) != nil) {
		return nil
	}
	row := *c.Verdict.Row
	s := &report.NextStep{Kind: report.LookAt, Thread: &c.index, Row: &row, Function: where, At: report.Text(c.Verdict.At), Module: c.blamed.ModuleIndex}
	reg := c.pointer()
	if reg != nil {
		s.Register, s.Value = reg.Name, &reg.Value
	}
	if o := c.CrashInfo.Origin; len(o) > 0 && c.blamed.Index == o[0].Frame && o[0].Value != nil && (o[0].Variable != "" || !o[0].Guess) {
		s.Variable, s.Value = cmp.Or(o[0].Source, o[0].Variable), o[0].Value
	}
	if reg == nil && c.blamed.Function == nil { // module + offset: there is no code to read yet
		return nil
	}
	return s
}

// locked reports whether the thread waits for other threads.
func (c *crashed) locked() bool {
	w := c.thread.Waits
	return w != nil && slices.Contains(byThreads, waits.Kind(w.Kind))
}

// byThreads are the waits that other threads of the program end.
var byThreads = []waits.Kind{
	waits.Mutex, waits.ReadLock, waits.WriteLock, waits.Condition, waits.Semaphore, waits.Barrier, waits.Once, waits.CriticalSection, waits.SRWLock, waits.Receive, waits.Send,
}

// pointer returns the register with the wrong pointer, if the instruction that used it is in the
// blamed frame.
func (c *crashed) pointer() *report.Register {
	name := report.Text(c.CrashInfo.PointerRegister)
	if name == "" || !slices.Contains(accesses, c.Verdict.Finding) || len(c.thread.Frames) == 0 || c.blamed.Index != 0 {
		return nil
	}
	for i := range c.thread.Frames[0].Registers {
		if reg := &c.thread.Frames[0].Registers[i]; reg.Name == name {
			return reg
		}
	}
	return nil
}

// checkMemory is for an address or code with one wrong bit, which failing memory causes, for memory that the CPU found to be broken, and for
// bug checks that faulty memory often causes.
func checkMemory(c *crashed) *report.NextStep {
	if c.stop().Has(bugcheck.Memory) {
		return &report.NextStep{Kind: report.CheckMemory}
	}
	if c.Verdict.Finding == report.FindingFlippedCode {
		return &report.NextStep{Kind: report.CheckMemory}
	}
	for i := range c.Verdict.Badges {
		if f := c.Verdict.Badges[i].Finding; f == report.FindingBitFlip || f == report.FindingBrokenMemory || f == report.FindingFlippedCode {
			return &report.NextStep{Kind: report.CheckMemory}
		}
	}
	return nil
}

// runSanitizer is for defects that have their effect later and elsewhere.
func runSanitizer(c *crashed) *report.NextStep {
	if f := c.Verdict.Finding; f == report.FindingHeapCorrupt || f == report.FindingPoison {
		return &report.NextStep{Kind: report.RunSanitizer}
	}
	return nil
}
