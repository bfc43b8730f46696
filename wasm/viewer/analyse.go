package main

import (
	"bytes"
	"fmt"
	"slices"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/report/render"
	"crashglass/core/runtimes"
	"crashglass/core/runtimes/python"
	"crashglass/core/runtimes/v8"
	"crashglass/core/values/natvis"
	"crashglass/symbols/formats/breakpad"
)

// report analyses a dump with the symbols that are open now. While symbol files remain that other
// workers can scan, it answers with the list of them. Without their rules the walk continues by
// guesses, so one walk asks for most of the files that it needs. A request for the crashing thread
// gets the part that these files cannot change.
func (c *call) report(q *ReportRequest) (*ReportResult, error) {
	opt := analyze.Options{Compare: analyze.CompareCode, Runtimes: interpreters(), Retrace: c.store.Retrace, Generated: c.store.Generated, Progress: func(done, total int) {
		c.meter.report(Progress{Phase: Walking, File: c.dump.name, Done: int64(done), Total: int64(total)})
	}}
	if q.Crashing {
		opt.Threads = analyze.Crashing()
	}
	c.indexes.begin(q.Workers)
	c.patience.begin(q)
	c.wholes = []string{}
	r, err := c.dump.session.Report(c.store, opt)
	scans, stale := c.indexes.end()
	waits := c.patience.end()
	if err != nil {
		return nil, err
	}
	render.Sentences(r)
	r = render.Bounded(r)
	result := &ReportResult{Opened: []Opened{}, Scans: scans, Stale: stale, Waits: waits, Wholes: c.wholes}
	if len(scans) == 0 && !waits && len(c.wholes) == 0 {
		c.dump.report = r
	}
	if len(scans) == 0 || q.Crashing {
		r.Dump.Archive = c.dump.archive
		result.Opened = append(result.Opened, Opened{Dump: c.dump.number, Name: c.dump.name, Report: withoutRegions(r, q.Regions)})
	}
	return result, nil
}

// interpreters are the runtimes whose calls are read besides goroutines.
func interpreters() []runtimes.Runtime { return []runtimes.Runtime{python.Calls(), v8.Runtime()} }

// withoutRegions is a report without its regions of memory, if there are as many as the page has: they are half of a large report, and no symbols change them.
func withoutRegions(r *report.Report, known int) *report.Report {
	if known == 0 || len(r.MemoryRegions) != known {
		return r
	}
	less := *r
	less.MemoryRegions = nil
	return &less
}

// force makes mismatched symbols name a module, in all dumps that have the module, since they share
// the symbols.
func (c *call) force(q *ForceRequest) (*ForceResult, error) {
	mods := c.dump.session.Modules()
	if q.Module < 0 || q.Module >= len(mods) {
		return nil, fmt.Errorf("viewer: module %d: the dump has %d", q.Module, len(mods))
	}
	m := &mods[q.Module]
	c.store.Force(m.DebugFile, m.DebugID, q.Use)
	result := &ForceResult{Again: []int{}}
	for _, other := range c.dumps {
		same := func(o module.Module) bool {
			return o.DebugID == m.DebugID && module.Basename(o.DebugFile) == module.Basename(m.DebugFile)
		}
		if slices.ContainsFunc(other.session.Modules(), same) {
			result.Again = append(result.Again, other.number)
		}
	}
	return result, nil
}

func (c *call) scan(q *ScanRequest) ([]byte, error) {
	if len(c.files) != 1 {
		return nil, fmt.Errorf("viewer: scan: want 1 file, have %d", len(c.files))
	}
	file := c.files[0]
	return breakpad.ScanPart(sourceOf(file), q.From, q.To, func(done, total int64) error {
		return c.meter.report(Progress{Phase: Indexing, File: file.Path, Done: done, Total: total})
	})
}

// headBytes is how far into a NatVis file the root element may begin, for instance after a licence
// in a comment.
const headBytes = 4 << 10

// addViews takes a NatVis file, and reports whether a file is one: its root element is
// AutoVisualizer. Its views apply to all values from then on.
func (v *viewer) addViews(name string, src bin.Source) (is bool, err error) {
	head, err := src.ReadUpTo("NatVis", 0, headBytes)
	if err != nil || !bytes.Contains(head, []byte("<AutoVisualizer")) {
		return false, nil
	}
	data, err := src.ReadUpTo("NatVis", 0, natvis.MaxFile+1)
	if err != nil {
		return true, err
	}
	return true, v.views.Add(name, data)
}

// Browsers compile a function of WebAssembly twice: quickly at its first call, and with
// optimisation after it has run for a while. So the first dump of a session would take twice as
// long as later ones. The warm-up runs the same code before the first dump arrives, in short steps,
// so that a request never waits long.

// warm runs the code that the first dump will need and discards the result. It analyses the
// attached files or, without any, scans a made-up symbol file. The page gets the reports, because
// it warms up as well.
func (c *call) warm(*WarmRequest) (*WarmResult, error) {
	result := &WarmResult{Opened: []Opened{}}
	if len(c.files) == 0 {
		return result, breakpad.Warm()
	}
	unseen := call{viewer: newViewer(), files: c.files}
	if _, err := unseen.openFiles(&OpenRequest{Next: 1}); err != nil {
		return nil, err
	}
	for _, d := range unseen.dumps {
		unseen.dump = d
		r, err := unseen.report(&ReportRequest{})
		if err != nil {
			return nil, err
		}
		result.Opened = append(result.Opened, r.Opened...)
	}
	for _, d := range unseen.dumps {
		d.release()
	}
	return result, nil
}
