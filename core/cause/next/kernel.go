package next

import (
	"strconv"
	"strings"

	"crashglass/core/process/bugcheck"
	"crashglass/core/report"
)

// stop returns the bug check of a dump of the kernel, or nil.
func (c *crashed) stop() *bugcheck.Check {
	if c.Verdict.Finding != report.FindingBugCheck || c.CrashInfo.Code == nil {
		return nil
	}
	code, _ := strconv.ParseUint(string(*c.CrashInfo.Code), 0, 32)
	check, _ := bugcheck.Of(uint32(code))
	return check
}

// updateDriver is for a driver that the verdict names, by the stack or by a parameter.
func updateDriver(c *crashed) *report.NextStep {
	where := report.Text(c.Verdict.Where)
	if c.Verdict.Finding != report.FindingBugCheck || where == "" || c.Verdict.Guess {
		return nil
	}
	m := c.module(c.blamed)
	for i := range c.Modules {
		if name := c.Modules[i].CodeFile; m == nil && (where == name || strings.HasPrefix(where, name+" + ")) {
			m = &c.Modules[i]
		}
	}
	if m == nil {
		return nil
	}
	return &report.NextStep{Kind: report.UpdateDriver, File: m.CodeFile, Vendor: vendorOf(m.CodeFile)}
}

// checkDevice and checkDisk are for bug checks that hardware causes.
func checkDevice(c *crashed) *report.NextStep {
	return c.stepFor(bugcheck.Hardware, report.CheckDevice)
}
func checkDisk(c *crashed) *report.NextStep { return c.stepFor(bugcheck.Disk, report.CheckDisk) }

func (c *crashed) stepFor(f bugcheck.Flag, kind report.NextKind) *report.NextStep {
	if !c.stop().Has(f) {
		return nil
	}
	return &report.NextStep{Kind: kind}
}

// largestSmall is more memory than a small dump has, 2 MiB at most.
const largestSmall = 8 << 20

// kernelDump is for a small dump that does not show which driver is to blame. A kernel dump has the memory that does. Of what Windows survives
// there is none.
func kernelDump(c *crashed) *report.NextStep {
	stop := c.stop()
	if c.Verdict.Finding != report.FindingBugCheck || c.Verdict.Where != nil || c.Dump.Memory > largestSmall || stop.Has(bugcheck.Hardware) || stop.Has(bugcheck.Live) {
		return nil
	}
	return &report.NextStep{Kind: report.KernelDump}
}
