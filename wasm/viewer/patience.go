package main

import (
	"time"

	"crashglass/symbols/formats"
)

// A patience bounds the reading of libraries and their debug information while the
// crashing thread is asked for: what is certain of it is shown meanwhile. When it
// is over, the page asks again, and the reading goes on where it was.
type patience struct {
	bounded bool
	until   time.Time
	over    bool
	now     func() time.Time
}

// begin begins a request.
func (p *patience) begin(q *ReportRequest) {
	*p = patience{bounded: q.Crashing && q.Workers > 0, now: p.now}
	p.until = p.now().Add(time.Duration(q.Patience) * time.Millisecond)
}

// end reports whether questions were left without an answer since begin.
func (p *patience) end() bool {
	p.bounded = false
	return p.over
}

// later is called before and while much of a file is read.
func (p *patience) later() error {
	if p.bounded && !p.now().Before(p.until) {
		p.over = true
		return formats.ErrLater
	}
	return nil
}
