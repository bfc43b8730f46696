package main

import (
	"errors"
	"fmt"
	"sync"

	"crashglass/core/analyze"
	"crashglass/core/report/triage"
	"crashglass/symbols"
)

// eachDump reads several dumps at a time and calls add with the group of each. Only one goroutine
// at a time calls add, and an error of add ends the work. eachDump reports whether there were
// dumps.
//
// The dumps share their symbols. A dump is open only while it is read.
func (c *cli) eachDump(all *files, paths []string, t *triageFlags, add func(triage.Group) error) bool {
	all.addSymbols(c, t.symbols)
	inputs := all.inputs(c, paths)
	work := make(chan input)
	var mu sync.Mutex
	var workers sync.WaitGroup
	done, stopped := 0, false
	shown := newProgress(c.err)
	for range min(t.jobs, len(inputs)) {
		workers.Go(func() {
			for in := range work {
				own := all.share()
				groups, err := own.triageInput(in, triage.Rules(t.signature))
				mu.Lock()
				all.read = append(all.read, own.read...) // --output may not overwrite them
				all.join(own)
				if err != nil && !stopped {
					c.fail(in.path, err)
				}
				for _, g := range groups {
					if !stopped && add(g) != nil {
						stopped = true
					}
				}
				done++
				shown.show("dumps", int64(done), int64(len(inputs)))
				mu.Unlock()
			}
		})
	}
	ended := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return stopped
	}
	for _, in := range inputs {
		if ended() {
			break
		}
		work <- in
	}
	close(work)
	workers.Wait()
	all.sayUnused(c)
	return len(inputs) > 0
}

// share returns a view of the same symbols for another goroutine. Its list of open files is its own.
func (f *files) share() *files { return &files{store: f.store, symbolPaths: f.symbolPaths} }

// A file without a report, or a part of one, becomes a group, too, in addition to its error.
func (f *files) triageInput(in input, rules triage.Rules) (groups []triage.Group, err error) {
	defer func() {
		if err == nil {
			return
		}
		for _, p := range partsOf(in.path, err) {
			failed := triage.Failed(p.name, p.err.Error())
			var left *leftOut
			if errors.As(p.err, &left) {
				failed.Count = uint64(left.count)
			}
			groups = append(groups, failed)
		}
	}()
	n := 0
	err = f.sessions(in, func(d symbols.Item, s *analyze.Session) error {
		n++
		options := f.wholeReport()
		options.Threads = analyze.Crashing()
		r, err := s.Report(f.store, options)
		if err != nil {
			return err
		}
		f.unused(s.Modules())
		groups = append(groups, triage.Of(exampleName(in, d, n-1), r, rules))
		return nil
	})
	if err == nil && n == 0 {
		err = errors.New("there is no dump in it")
	}
	return groups, err
}

// exampleName names a dump by its path and its position in an archive or a log: "logs.zip/a.dmp", or
// "device.log#2" for the second microdump. slice compares stacks by this name.
func exampleName(in input, d symbols.Item, n int) string {
	name := in.path
	if len(d.Archive) > 0 {
		name = d.Name
	}
	if n > 0 && len(d.Archive) == 0 {
		name = fmt.Sprintf("%s#%d", name, n+1)
	}
	return name
}
