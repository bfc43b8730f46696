// Package bomb makes small files that are expensive to read: records that share one long string,
// one stack, one list. The cost of each is a product: the number of records times the number of
// bytes. A reader that bounds each factor, but not the product, runs out of time, memory or room
// for its output.
//
// A [Bomb] has the command line for its files. The same files are seeds of the fuzz targets.
//
// Read this file first; shared.go makes lists of records that share one text,
// the other files (dumps.go, breakpad.go, elf.go, dwarf.go, native.go, archives.go)
// hold bombs of one format each.
package bomb

import "testing"

// A Bomb is one or two files that belong together.
type Bomb struct {
	Name    string
	Dump    []byte // a dump, or an archive for dumps; nil for symbols that work with any dump
	Symbols []byte // symbols for it, or alone
	File    string // the name of Symbols
	Values  bool   // it needs --variables
}

// All makes every bomb. Several have tens of MB.
func All(t testing.TB) []Bomb {
	all := dumps(t)
	all = append(all, breakpads(t)...)
	all = append(all, natives(t)...)
	all = append(all, cores(t)...)
	all = append(all, kernels(t)...)
	all = append(all, Archives(t)...)
	return all
}
