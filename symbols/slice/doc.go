// Package slice makes small symbol files out of large ones: of each module the
// records that the stacks of some dumps need, and no others.
//
//	s := slice.New()
//	s.Add(session, store)       // walks all stacks of a dump, and remembers what they ask for
//	for _, m := range s.Modules() {
//		s.Write(w, &m, slice.AllNames)
//	}
//
// A slice answers for the addresses that a walk of the dump may ask for as the
// whole file does: for those that our own walk asked for, and for every word on
// the stacks and in the registers that lies in a module, by which the scans of
// other programs go. For other addresses it knows nothing, so that a dump of
// another crash gets fewer names from it, and no wrong ones.
//
// A symbol file cannot say everything that a library can: the code is not in a
// slice, and what breakpad.Write leaves out is missing here too. Whatever a dump
// holds, the work is bounded by the words of its stacks.
//
// Read slice.go first, then stacks.go, recording.go and content.go.
package slice
