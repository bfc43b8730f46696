// Package layout knows where people and programs keep symbol files: the stores
// of Microsoft and Breakpad, gdb's and debuginfod's folders by build id, dSYM
// bundles, and files in one place.
//
//	for _, root := range layout.Roots(m) { // "app.pdb", "ap/app.pdb"
//		for _, name := range layout.SymbolNames(m) { // root/ID/name
//
// It makes paths and opens nothing; names out of a dump become part of a path
// only when they are one name. Read places.go first, which goes from a module
// to paths, then storeplace.go, which goes back; bundle.go has the names of
// Apple's bundles, and tree.go makes a folder of files that a browser hands
// over one by one.
package layout
