package main

import (
	"fmt"
	"slices"

	"crashglass/core/analyze"
	"crashglass/core/module"
	"crashglass/core/render"
	"crashglass/symbols/breakpad"
	"crashglass/wasm/internal/bridge"
)

// report analyses a dump with the symbols that are open now. While symbol files remain that other
// workers can scan, it answers with the list of them. Without their rules the walk continues by
// guesses, so one walk asks for most of the files that it needs. A request for the crashing thread
// gets the part that these files cannot change.
func (v *viewer) report(q *ReportRequest) (*ReportResult, error) {
	d, err := v.dump(q.Dump)
	if err != nil {
		return nil, err
	}
	opt := analyze.Options{Progress: func(done, total int) {
		v.meter.tell(Progress{Phase: "walking", File: d.name, Done: int64(done), Total: int64(total)})
	}}
	if q.Crashing {
		opt.Threads = analyze.Crashing()
	}
	v.indexes.begin(q.Workers)
	v.patience.begin(q)
	v.wholes = []string{}
	r, err := d.session.Report(v.store, opt)
	scans, stale := v.indexes.end()
	waits := v.patience.end()
	if err != nil {
		return nil, err
	}
	render.Sentences(r)
	r = render.Bounded(r)
	result := &ReportResult{Opened: []Opened{}, Scans: scans, Stale: stale, Waits: waits, Wholes: v.wholes}
	if len(scans) == 0 && !waits && len(v.wholes) == 0 {
		d.report = r
	}
	if len(scans) == 0 || q.Crashing {
		r.Dump.Archive = d.archive
		result.Opened = append(result.Opened, Opened{Dump: d.number, Name: d.name, Report: r})
	}
	return result, nil
}

// force makes mismatched symbols name a module, in all dumps that have the module, since they share
// the symbols.
func (v *viewer) force(q *ForceRequest) (*ForceResult, error) {
	d, err := v.dump(q.Dump)
	if err != nil {
		return nil, err
	}
	mods := d.session.Modules()
	if q.Module < 0 || q.Module >= len(mods) {
		return nil, fmt.Errorf("viewer: module %d: the dump has %d", q.Module, len(mods))
	}
	m := &mods[q.Module]
	v.store.Force(m.DebugFile, m.DebugID, q.Use)
	result := &ForceResult{Again: []int{}}
	for _, other := range v.dumps {
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
func (v *viewer) scan(q *ScanRequest, files []bridge.File) ([]byte, error) {
	if len(files) != 1 {
		return nil, fmt.Errorf("viewer: scan: want 1 file, have %d", len(files))
	}
	file := files[0]
	return breakpad.ScanPart(sourceOf(file), q.From, q.To, func(done, total int64) error {
		return v.meter.tell(Progress{Phase: "indexing", File: file.Path, Done: done, Total: total})
	})
}
