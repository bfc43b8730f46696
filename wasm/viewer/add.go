package main

import (
	"fmt"

	"crashglass/core/analyze"
	"crashglass/core/bin"
	"crashglass/symbols"
	"crashglass/wasm/internal/bridge"
)

// add takes files in any mix and order. Dumps are opened last, so that those
// that come together with their symbols are analysed once; dumps from before
// are analysed again when there is something new to name them by.
func (v *viewer) add(q *AddRequest, files []bridge.File) (*AddResult, error) {
	result := &AddResult{Files: []FileResult{}, Opened: []Opened{}, Updated: []Opened{}}
	dumps, hasSymbols := v.take(files, result)
	before := v.dumps
	numbers := numbering{next: q.Next, known: q.Known}
	for _, item := range dumps {
		opened, err := v.open(item, &numbers)
		message := item.Message
		if err != nil {
			message = err.Error()
		}
		result.Opened = append(result.Opened, opened...)
		result.Files = append(result.Files, FileResult{Name: item.Name, Kind: "dump", Message: sentence(message)})
	}
	if !hasSymbols {
		return result, nil
	}
	for _, d := range before {
		opened, err := v.analyse(d)
		if err != nil {
			return nil, err
		}
		result.Updated = append(result.Updated, opened)
	}
	return result, nil
}

// take gives files to the store, which keeps those that are symbols, and
// returns the dumps among them.
func (v *viewer) take(files []bridge.File, result *AddResult) (dumps []symbols.Item, hasSymbols bool) {
	for i, file := range files {
		v.meter.tell(Progress{Phase: "reading", File: file.Path, Done: int64(i), Total: int64(len(files))})
		for _, item := range v.store.Add(file.Path, bin.NewSource(file, file.Size())) {
			kind := "other"
			switch item.Use {
			case symbols.IsDump:
				dumps = append(dumps, item)
				continue
			case symbols.IsSymbols:
				kind, hasSymbols = "symbols", true
			}
			result.Files = append(result.Files, FileResult{Name: item.Name, Kind: kind, Message: sentence(item.Message)})
		}
	}
	return dumps, hasSymbols
}

// open reads a file and makes the first report of each dump in it: a log may
// have several microdumps.
func (v *viewer) open(item symbols.Item, numbers *numbering) (out []Opened, err error) {
	sessions, err := analyze.OpenAll(item.Source)
	if err != nil {
		return nil, err
	}
	for i, session := range sessions {
		d := &dump{name: item.Name, archive: item.Archive, session: session}
		if len(sessions) > 1 {
			d.name += fmt.Sprintf(" (%d of %d)", i+1, len(sessions))
		}
		d.number = numbers.of(d.name)
		opened, err := v.analyse(d)
		if err != nil {
			return out, err
		}
		v.dumps = append(v.dumps, d)
		out = append(out, opened)
	}
	return out, nil
}

// analyse makes a report with the symbols that are there now.
func (v *viewer) analyse(d *dump) (Opened, error) {
	progress := func(done, total int) {
		v.meter.tell(Progress{Phase: "walking", File: d.name, Done: int64(done), Total: int64(total)})
	}
	r, err := d.session.Report(v.store, analyze.Options{Progress: progress})
	if err != nil {
		return Opened{}, err
	}
	r.Dump.Archive = d.archive
	d.report = r
	return Opened{Dump: d.number, Name: d.name, Report: r}, nil
}

// numbering gives dumps the numbers that they had before the worker was
// replaced, and new ones to those that had none.
type numbering struct {
	next  int
	known []KnownDump
}

func (n *numbering) of(name string) int {
	for i, k := range n.known {
		if k.Name == name {
			n.known = append(n.known[:i:i], n.known[i+1:]...)
			return k.Dump
		}
	}
	n.next++
	return n.next - 1
}

// sentence is a message that may be missing.
func sentence(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
