package main

import (
	"fmt"
	"slices"

	"crashglass/core/analyze"
	"crashglass/core/process/module"
	"crashglass/core/report/render"
	"crashglass/symbols/formats/breakpad"
)

// report analyses a dump with the symbols that are open now. While symbol files remain that other
// workers can scan, it answers with the list of them. Without their rules the walk continues by
// guesses, so one walk asks for most of the files that it needs. A request for the crashing thread
// gets the part that these files cannot change.
func (c *call) report(q *ReportRequest) (*ReportResult, error) {
	opt := analyze.Options{Progress: func(done, total int) {
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
		result.Opened = append(result.Opened, Opened{Dump: c.dump.number, Name: c.dump.name, Report: r})
	}
	return result, nil
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

// scan makes the index of a part of a symbol file.
func (c *call) scan(q *ScanRequest) ([]byte, error) {
	if len(c.files) != 1 {
		return nil, fmt.Errorf("viewer: scan: want 1 file, have %d", len(c.files))
	}
	file := c.files[0]
	return breakpad.ScanPart(sourceOf(file), q.From, q.To, func(done, total int64) error {
		return c.meter.report(Progress{Phase: Indexing, File: file.Path, Done: done, Total: total})
	})
}
