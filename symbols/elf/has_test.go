package elf

import "slices"

// What a file has, for tests: whoever uses one asks, and is answered or not.

// HasDebugInfo reports whether there is DWARF: functions with their lines and
// inlined calls.
func (f *File) HasDebugInfo() bool { return !f.info().Empty() }

// HasSymbols reports whether a symbol of the linker names code.
func (f *File) HasSymbols() bool {
	return slices.ContainsFunc(f.names().list, func(s symbol) bool { return s.strings != bySection })
}

// HasFrames reports whether there are rules for unwinding.
func (f *File) HasFrames() bool { return len(f.frames()) > 0 }

// HasCode reports whether ReadImage has something to give.
func (f *File) HasCode() bool {
	return !f.isDebugOnly() && slices.ContainsFunc(f.segs, func(s segment) bool {
		return s.kind == segLoad && s.flags&segWritable == 0 && f.src.Has(int64(s.off), max(s.size, 1))
	})
}
