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

// limitMemory sets the limits, and returns a function that ends the watch.
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

// collectLate postpones the first collection; later ones are as usual. GOGC, if it is set, has
// precedence.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(lateCollection)
	runtime.AddCleanup(new([16]byte), func(percent int) { debug.SetGCPercent(percent) }, usual)
}

// inUse returns the memory that the program has from the system.
func inUse() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}
