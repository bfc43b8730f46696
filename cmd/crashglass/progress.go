package main

import (
	"fmt"
	"io"
	"time"

	"crashglass/core/report/render"
)

// A progress shows on a terminal how far a long piece of work is. It shows nothing elsewhere, nor
// for work that ends within the first delay.
type progress struct {
	w       io.Writer // nil where there is no terminal
	started time.Time // of the piece of work that is shown
	shown   time.Time // the latest line; zero if the line is empty
}

// Work is shown after the first delay, and again after each interval.
const (
	progressDelay    = 300 * time.Millisecond
	progressInterval = 100 * time.Millisecond
)

// newProgress shows progress on a terminal, and nothing in a file or a pipe.
func newProgress(w io.Writer) *progress {
	if !isTerminal(w) {
		return &progress{}
	}
	return &progress{w: w}
}

// show implements symbols.Options.Progress. It never stops the work. It overwrites one line of the
// terminal, and empties it at the end (ECMA-48, Erase in Line).
func (p *progress) show(name string, done, total int64) error {
	now := time.Now()
	if p.w == nil {
		return nil
	}
	if p.started.IsZero() || done == 0 {
		p.started = now
	}
	switch {
	case done >= total && total > 0 && !p.shown.IsZero():
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = time.Time{}
	case now.Sub(p.started) > progressDelay && now.Sub(p.shown) > progressInterval:
		fmt.Fprintf(p.w, "\r\x1b[KReading %s%s", render.Escape(name), share(done, total))
		p.shown = now
	}
	return nil
}

// share formats how much is done: in percent, or in MiB if the total is unknown.
func share(done, total int64) string {
	if total <= 0 {
		return fmt.Sprintf(", %d MiB", done>>20)
	}
	return fmt.Sprintf(", %d %%", done*100/total)
}
