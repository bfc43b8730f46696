// Package slice makes small symbol files out of large ones. A slice has the records of one module
// that the stacks of some dumps need, and no others.
//
//	s := slice.New()
//	s.Add(session, store)       // walks all stacks of a dump, and remembers what they query
//	for _, m := range s.Modules() {
//		s.Write(w, &m, slice.AllNames)
//	}
//
// A slice answers like the whole file for two kinds of addresses: those that our own walk queried,
// and every word on the stacks and in the registers that lies in a module, because other programs
// scan those. It knows no other addresses. So a dump of another crash gets fewer names from it, and
// no wrong ones.
//
// A symbol file cannot have everything that a library has: a slice lacks the code, and what
// breakpad.Write leaves out. The work is bounded by the words of the stacks, whatever the dump holds.
//
// Read slice.go first, then recording.go and content.go.
package slice
