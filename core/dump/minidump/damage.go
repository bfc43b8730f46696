package minidump

import (
	"errors"
	"fmt"
)

// Damage is the error of a list or stream that was read in part. It wraps its first defect, usually
// a *bin.Error, and counts the others.
type Damage struct {
	First error
	More  int
}

func (d *Damage) Error() string {
	switch d.More {
	case 0:
		return fmt.Sprintf("minidump: %v", d.First)
	case 1:
		return fmt.Sprintf("minidump: %v; and 1 more defect", d.First)
	}
	return fmt.Sprintf("minidump: %v; and %d more defects", d.First, d.More)
}

// Unwrap returns the first defect.
func (d *Damage) Unwrap() error { return d.First }

// damage collects defects. The zero value has none.
type damage struct {
	first error
	more  int
}

func (d *damage) add(err error) {
	if d.first == nil {
		d.first = err
	} else {
		d.more++
	}
}

func (d *damage) err() error {
	if d.first == nil {
		return nil
	}
	return &Damage{First: d.first, More: d.more}
}

// merge adds the damage of a part.
func (d *damage) merge(err error) {
	var part *Damage
	switch {
	case err == nil || errors.Is(err, ErrNoStream):
	case errors.As(err, &part):
		d.add(part.First)
		d.more += part.More
	default:
		d.add(err)
	}
}
