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

// The last limit of memory, behind the limits of each reader. Above softMemory the collector works
// harder. At mostMemory the program ends with an error, before the system kills it without one.
// GOMEMLIMIT, if it is set, replaces softMemory, and twice its value replaces mostMemory.
const (
	softMemory  = 2 << 30
	watchMemory = 100 * time.Millisecond
)

// limitMemory sets the limits, and returns a function that ends the watch, for tests. The watch polls,
// because Go has no event for memory that the system gave.
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

// headroom bounds the growth of a large heap between two collections; a quarter of the heap is allowed,
// too. Go lets a heap double, and a report of 300 MB would take 600 MB of the system.
const headroom = 128 << 20

// collectLate delays the first collection. Later ones are as usual until the heap exceeds headroom. GOGC, if it is set, has precedence.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(lateCollection)
	afterCollection(usual, lateCollection)
}

// afterCollection sets the growth of the heap after each collection; is is the current percentage. A
// cleanup of an object without references runs after the collection that finds it, and makes the next.
func afterCollection(usual, is int) {
	runtime.AddCleanup(new([16]byte), func(usual int) {
		percent := growth(figures("/gc/heap/live:bytes")[0].Value.Uint64(), usual)
		if percent != is {
			debug.SetGCPercent(percent)
		}
		afterCollection(usual, percent)
	}, usual)
}

// growth returns by how many percent a heap of some bytes may grow before the next collection: the
// usual percentage, what headroom allows, or a quarter.
func growth(heap uint64, usual int) int {
	if heap <= headroom {
		return usual
	}
	return min(usual, max(int(headroom*100/heap), 25))
}

// inUse returns the memory that the program has from the system. Both figures are of one moment: the
// second one of a later moment could exceed the first one.
func inUse() uint64 {
	now := figures("/memory/classes/total:bytes", "/memory/classes/heap/released:bytes")
	return now[0].Value.Uint64() - now[1].Value.Uint64()
}

// figures reads several of the runtime's metrics at once. ReadMemStats would stop all goroutines.
func figures(names ...string) []metrics.Sample {
	samples := make([]metrics.Sample, len(names))
	for i, name := range names {
		samples[i].Name = name
	}
	metrics.Read(samples)
	return samples
}
