// Package goroutines reads the goroutines of a Go program from its memory: what each one does or waits
// for, and where it continues.
//
//	found := goroutines.Find(process)
//	if found == nil {
//		return // not a Go program
//	}
//	for _, g := range found.Tasks {
//		fmt.Println(g.ID, g.State) // 7 chan receive
//	}
//
// It needs no symbols. The release is in the program's build information, which is in its data. A table
// (layouts.txt) has the offsets in the runtime's structures and the reasons of waiting for each release.
// The list of all goroutines is found by its form: a slice of pointers in the program's data whose first
// elements point to goroutines, each of which names itself. A goroutine that does not is damaged, and is
// left out. The package walks no stacks and names nothing.
//
// Releases 1.18 to 1.26 are known, for 64-bit CPUs. Sources: Go, src/runtime (g, gobuf, m, sudog,
// hchan, allgs, goroutineheader), src/debug/buildinfo.
//
// Read this file first, then find.go, goroutine.go, wait.go and layout.go.
package goroutines
