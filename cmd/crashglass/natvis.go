package main

import (
	"fmt"

	"crashglass/core/natvis"
)

// readViews reads the named NatVis files, and warns of entries that are not used, for example because
// an expression calls a function. A file that cannot be read ends the command, unlike a symbol file:
// the user named it for the values that it shows.
func (c *cli) readViews(files *files, paths []string, views *natvis.Set) error {
	for _, path := range paths {
		src, err := files.source(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		data, err := src.ReadUpTo("NatVis", 0, natvis.MaxFile+1)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
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
