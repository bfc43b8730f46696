// Package bomb makes small files that cost much: records that share one long
// string, one stack, one list. What they have in common is a product: so many
// records times so many bytes. A reader that bounds each factor, and not the
// product, runs out of time, memory or room for its output.
//
// A [Bomb] says how the command line meets it. The same files are seeds of the
// fuzz targets.
//
// Read this file first; shared.go makes lists of records that share one text,
// the other files (dumps.go, breakpad.go, elf.go, dwarf.go, native.go) hold
// bombs of one format each.
package bomb

import "testing"

// A Bomb is one or two files that belong together.
type Bomb struct {
	Name    string
	Dump    []byte // a dump; nil for symbols that any dump will do for
	Symbols []byte // what is given with it, or alone
	File    string // the name of Symbols
	Values  bool   // it is about variables
}

// All makes every bomb.
func All(t testing.TB) []Bomb {
	all := dumps(t)
	all = append(all, breakpads(t)...)
	all = append(all, natives(t)...)
	return all
}
