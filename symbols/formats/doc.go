// Package formats is what the store of package symbols knows of file formats:
// a [Table] with one [Format] for each kind of file that answers for modules.
//
//	builds, err := formats.All.Identify(sniff.ELF, src) // which modules it is for
//	r, err := formats.All.Open(sniff.ELF, src, builds[0], formats.Options{})
//	r.Contents() // what it brings
//
// The formats are packages of their own; this one gives them one shape. Read
// reader.go first, then format.go; native.go and breakpad.go are the two kinds
// of formats, split.go, clue.go and hidden.go what files of one module do for
// each other, and write.go how what they know becomes a symbol file.
package formats
