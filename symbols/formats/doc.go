// Package formats is the table of symbol file formats for the store of package symbols: a [Table]
// with one [Format] for each kind of file.
//
//	builds, err := formats.All.Identify(sniff.ELF, src) // which modules it is for
//	r, err := formats.All.Open(sniff.ELF, src, builds[0], formats.Options{})
//	r.Contents() // what it brings
//
// Each format is a package of its own; this one gives them one interface. A damaged file opens as
// far as it can be read, and its Contents list the damage. The package does not search for files
// and does not match them to modules. Read reader.go first, then format.go. native.go and
// breakpad.go are the two kinds of formats; split.go and hidden.go join files of one
// module.
package formats
