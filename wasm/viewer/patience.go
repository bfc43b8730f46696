package main

import (
	"time"

	"crashglass/symbols/formats"
)

// A patience limits the time for reading libraries and debug information while the page asks for
// the crashing thread. When it is over, the page shows the certain part and asks again, and reading
// continues where it stopped.
type patience struct {
	bounded  bool
	until    time.Time
	exceeded bool
	now      func() time.Time
}

func (p *patience) begin(q *ReportRequest) {
	*p = patience{bounded: q.Crashing && q.Workers > 0, now: p.now}
	p.until = p.now().Add(time.Duration(q.Patience) * time.Millisecond)
}

// end reports whether a question was left unanswered since begin.
func (p *patience) end() bool {
	p.bounded = false
	return p.exceeded
}

// beforeRead is called before and during the reading of large parts of a file.
func (p *patience) beforeRead() error {
	if p.bounded && !p.now().Before(p.until) {
		p.exceeded = true
		return formats.ErrPending
	}
	return nil
}
