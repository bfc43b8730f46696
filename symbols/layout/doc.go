// Package layout knows the paths under which people and programs keep symbol files: the stores of
// Microsoft and Breakpad, gdb's and debuginfod's folders by build id, dSYM bundles, and files in
// one place.
//
//	for _, root := range layout.Roots(m) { // "app.pdb", "ap/app.pdb"
//		for _, name := range layout.SymbolNames(m) { // root/ID/name
//
// It makes paths and opens no files. A name from a dump becomes part of a path only if it is a
// single file name. Read places.go first, which makes paths from a module and the reverse;
// tree.go makes a folder of files that a browser passes one by one.
package layout
