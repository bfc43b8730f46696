package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Readers bound what a file may cost. What they do not foresee ends here: the
// collector works harder from softMemory on, and at mostMemory the program ends
// with a sentence, before the system ends it without one, or the machine halts.
// GOMEMLIMIT, if it is set, is the former, and twice that the latter.
const (
	softMemory  = 2 << 30
	watchMemory = 100 * time.Millisecond
)

// limitMemory sets the limits and returns what stops the watch.
func limitMemory(errs io.Writer, exit func(int)) (stop func()) {
	soft := debug.SetMemoryLimit(-1)
	if soft == math.MaxInt64 {
		soft = softMemory
		debug.SetMemoryLimit(soft)
	}
	done := make(chan struct{})
	go func() {
		ticker := time.NewTicker(watchMemory)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				if inUse() > 2*uint64(soft) {
					fmt.Fprintf(errs, "crashglass: this takes more than %d MiB of memory: leave out the largest file, or set GOMEMLIMIT to half of what may be used\n", 2*soft>>20)
					exit(exitInput)
				}
			}
		}
	}()
	return func() { close(done) }
}

// lateCollection has the first collection begin at 8 MB instead of 4. A report
// of one dump is mostly written before that, and a collection costs the program
// 2 MB: for its own tables, and for those of all functions on the stacks.
const lateCollection = 200

// headroom is how much the heap may grow from one collection to the next, beside
// a quarter of it. Go lets a heap double, so that a report of 300 MB would take
// 600 MB of the system.
const headroom = 128 << 20

// collectLate puts the first collection off. After it the collector does what
// it always does, until the heap is larger than headroom. GOGC, if it is set,
// decides instead.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(lateCollection)
	afterCollection(usual, lateCollection)
}

// afterCollection sets by how many percent the heap may grow after each
// collection; is is what holds now.
func afterCollection(usual, is int) {
	runtime.AddCleanup(new([16]byte), func(usual int) {
		percent := growth(live(), usual)
		if percent != is {
			debug.SetGCPercent(percent)
		}
		afterCollection(usual, percent)
	}, usual)
}

// growth is by how many percent a heap may grow: the usual ones, or as many as
// headroom has, or a quarter.
func growth(heap uint64, usual int) int {
	if heap <= headroom {
		return usual
	}
	return min(usual, max(int(headroom*100/heap), 25))
}

// live is the size of what the last collection left.
func live() uint64 { return metric("/gc/heap/live:bytes") }

// inUse is how much memory the program has of the system.
func inUse() uint64 {
	return metric("/memory/classes/total:bytes") - metric("/memory/classes/heap/released:bytes")
}

func metric(name string) uint64 {
	samples := []metrics.Sample{{Name: name}}
	metrics.Read(samples)
	return samples[0].Value.Uint64()
}
