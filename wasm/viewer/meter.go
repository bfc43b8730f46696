package main

import (
	"encoding/json"
	"time"
)

// often is the interval of progress messages. The page expects one at least every 100 ms of work.
const often = 50 * time.Millisecond

// A meter reports progress to the page, but not more often than a user could see.
type meter struct {
	send func(json []byte) error
	last time.Time
	now  func() time.Time
}

func newMeter(send func(json []byte) error) *meter { return &meter{send: send, now: time.Now} }

// report sends p, unless the last one was just sent.
func (m *meter) report(p Progress) error {
	now := m.now()
	if now.Sub(m.last) < often {
		return nil
	}
	m.last = now
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return m.send(data)
}
