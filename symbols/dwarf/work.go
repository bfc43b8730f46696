package dwarf

import "errors"

// Small files can cost much: thousands of units may share one line program, one list of ranges or
// overlapping tables of abbreviations. Reading is counted in bytes of the sections, each time.
// Listing an ordinary file reads it two or three times; a lookup reads a unit.
const (
	leastWork   = 4 << 20
	workPerByte = 32
)

// Names are shared, too: a text of 100 KB by all functions of a unit. Bytes
// above longName are counted.
const (
	longName     = 1 << 10
	leastNames   = 4 << 20
	namesPerByte = 4
)

// errWork is the note when reading ends early.
var errWork = errors.New("dwarf: parts of the sections are shared by so many others that what is left is not read")

// A lookup compares all neighbouring inlined calls, a few hundred at most.
const (
	leastLooks   = 1 << 28
	looksPerByte = 64
)

// A variable's location takes a few steps per evaluation.
const (
	leastSteps   = 4 << 20
	stepsPerByte = 16
)

// look takes looks at calls, and reports whether there were as many left.
func (f *File) look(n uint64) bool {
	if f.looks.Spend(int64(n)) {
		return true
	}
	f.note("dwarf: too many calls are inlined next to each other: they are not named any more")
	return false
}

// allow makes room for the work on more sections.
func (f *File) allow(size uint64) {
	f.work.Add(workPerByte * int64(min(size, 1<<40)))
	f.looks.Add(looksPerByte * int64(min(size, 1<<40)))
	f.nodes.work.Add(workPerByte * int64(min(size, 1<<40)))
	f.steps.Add(stepsPerByte * int64(min(size, 1<<40)))
	f.names.Add(namesPerByte * int64(min(size, 1<<40)))
}

// spend takes work, and reports whether there was as much left.
func (f *File) spend(n uint64) bool {
	if f.work.Spend(int64(min(n, 1<<40))) {
		return true
	}
	f.note("%v", errWork)
	return false
}

// shortened is a name, or the beginning of one where long names are shared by
// too many entries.
func (f *File) shortened(name string) string {
	if len(name) <= longName || f.names.Spend(int64(len(name)-longName)) {
		return name
	}
	f.note("dwarf: names longer than %d bytes are shared by many entries: they are shortened", longName)
	return name[:longName]
}
