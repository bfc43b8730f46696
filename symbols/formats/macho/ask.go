package macho

import "crashglass/core/stack/symbolize"

// EachFirst lists functions for callers that want a few: see [dwarf.File.EachFirst].
func (f *File) EachFirst(add func(*symbolize.Function) error) error {
	if err := f.eachNamed(f.info().EachFirst, add); err != nil {
		return err
	}
	return f.eachNamed(f.eachMapped, add)
}

// Scan reads the rest of a file that was only searched: see [dwarf.File.Scan].
func (f *File) Scan() (differ int, err error) { return f.info().Scan() }

// Unanswered returns the number of open questions: see [dwarf.File.Unanswered].
func (f *File) Unanswered() int { return f.info().Unanswered() }
