package macho

import "crashglass/core/variables"

// Variables returns the file's DWARF as a source of variables and calls.
func (f *File) Variables() variables.Source { return f.info() }
