package elf

import (
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// EachFirst lists functions for callers that want a few: see [dwarf.File.EachFirst].
func (f *File) EachFirst(add func(*symbolize.Function) error) error { return f.info().EachFirst(add) }

// HasRules reports whether EachCallFrame lists anything.
func (f *File) HasRules() bool {
	for _, t := range f.frames() {
		if first, ok := t.(interface{ First() *unwind.CallFrameTable }); ok && first.First() != nil {
			return true
		}
	}
	return false
}

// Scan reads the rest of a file that was only searched: see [dwarf.File.Scan].
func (f *File) Scan() (differ int, err error) { return f.info().Scan() }

// Unanswered returns the number of open questions: see [dwarf.File.Unanswered].
func (f *File) Unanswered() int { return f.info().Unanswered() }
