// Package next lists the next steps for a crash: the file to get and its source, the code to read,
// and the vendor to contact.
//
// It is a function of the report, and a list of rules. A step is a kind with parameters; package
// render has the sentences. Any report is accepted, and a rule whose facts are missing adds no
// step. Nothing here reads a dump or reaches a network.
//
// Read this file first. files.go, code.go, kernel.go, locks.go and origin.go have the rules, vendor.go the makers of
// modules.
package next

import "crashglass/core/report"

// most bounds the steps of a report. A user does the first one or two, and then opens the dump
// again.
const most = 3

type rule func(*crashed) *report.NextStep

// The rules make the steps, the most useful first. Steps that follow from a damaged file or from
// frames without names may change once these are fixed. If the verdict names a source line, that
// line comes first.
var (
	withoutLine = []rule{getDump, compareLocks, updateDriver, checkDevice, checkDisk, kernelDump, getSymbols, getCode, tellVendor, checkMemory, runSanitizer, readCode}
	withLine    = []rule{getDump, compareLocks, updateDriver, readCode, checkDevice, checkDisk, kernelDump, getCode, tellVendor, checkMemory, runSanitizer, getSymbols}
)

// Steps lists what to do about the crash of a report; it is never nil.
func Steps(r *report.Report) []report.NextStep {
	out := []report.NextStep{}
	c := newCrash(r)
	rules := withoutLine
	if r.Verdict.At != nil {
		rules = withLine
	}
	for _, try := range rules {
		if s := try(c); s != nil && len(out) < most {
			out = append(out, *s)
		}
	}
	return out
}

// A crashed process has the parts of a report that the rules use.
type crashed struct {
	*report.Report
	thread *report.Thread // that crashed or requested the dump, or nil
	index  int            // of thread
	blamed *report.Frame  // the frame that the verdict names, or nil
}

func newCrash(r *report.Report) *crashed {
	c := &crashed{Report: r}
	i := r.Subject()
	if i < 0 {
		return c
	}
	c.index, c.thread = i, &r.Threads[i]
	if row := r.Verdict.Row; row != nil {
		c.blamed = frameAt(c.thread, *row)
	}
	return c
}

// frameAt returns the frame that a row of a stack belongs to, or nil.
func frameAt(th *report.Thread, row int) *report.Frame {
	if row < 0 {
		return nil
	}
	for i := range th.Frames {
		f := &th.Frames[i]
		if row <= len(f.Inlines) {
			return f
		}
		row -= len(f.Inlines) + 1
	}
	return nil
}

func (c *crashed) module(f *report.Frame) *report.Module {
	if f == nil || f.ModuleIndex == nil || *f.ModuleIndex < 0 || *f.ModuleIndex >= len(c.Modules) {
		return nil
	}
	return &c.Modules[*f.ModuleIndex]
}
