package macho

import (
	"fmt"

	"crashglass/core/base/bin"
)

// Open opens a thin file, or a fat one with a single slice.
func Open(src bin.Source, opt Options) (*File, error) {
	files, err := OpenAll(src, opt)
	switch {
	case err != nil:
		return nil, err
	case len(files) > 1:
		return nil, fmt.Errorf("macho: the file is for %d CPUs, and one is wanted", len(files))
	}
	return files[0], nil
}
