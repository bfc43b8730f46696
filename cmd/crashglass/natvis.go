package main

import (
	"io"
	"os"

	"crashglass/core/natvis"
)

// readViews reads the NatVis files that were named, and warns of what is not used.
func (c *cli) readViews(paths []string, views *natvis.Set) error {
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		data, err := io.ReadAll(io.LimitReader(f, natvis.MaxFile+1))
		f.Close()
		if err != nil {
			return err
		}
		if err := views.Add(path, data); err != nil {
			return err
		}
	}
	for _, note := range views.Notes() {
		c.say(note)
	}
	return nil
}
