package elf

import "crashglass/core/variables"

// Variables is what the file's DWARF knows of variables and calls.
func (f *File) Variables() variables.Source { return f.info() }
