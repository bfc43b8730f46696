package elf

import "slices"

// Accessors of a file for tests, with whether the data exists.

// HasDebugInfo reports whether there is DWARF: functions with their lines and
// inlined calls.
func (f *File) HasDebugInfo() bool { return !f.info().Empty() }

// HasSymbols reports whether a symbol of the linker names code.
func (f *File) HasSymbols() bool {
	return slices.ContainsFunc(f.names().list, func(s symbol) bool { return s.strings != bySection })
}

// HasFrames reports whether there are rules for unwinding.
func (f *File) HasFrames() bool { return len(f.frames()) > 0 }
