// Package symbols takes whatever files a person has and answers for modules
// with what they know.
//
//	store := symbols.NewStore(symbols.Options{})
//	items := store.Add("crash.zip", src)          // dumps, symbols, and what else was in there
//	store.AddFS("symbols", os.DirFS("symbols"))   // only files that are asked for are opened
//	source, state := store.For(module)            // nil, and why, when nothing can be used
//
// Files are known by their content and never by their name. A symbol file is
// used when its id is that of the module; everything that comes close and is
// not it is named in the state, in one sentence that a person can act on. The
// answers depend on the files and not on the order in which they came.
//
// The Store knows no format: package sniff tells what a file is, package layout
// where stores and bundles keep files, package archive what is in archives, and
// package formats how a file of each kind is opened and in what ways a format
// differs from others (formats.Traits).
//
// Read store.go first, then add.go, folder.go and bundle.go, by which files come
// in; match.go and identified.go, which compare them with a module; split.go and
// hidden.go, which bring what belongs together; file.go, guard.go, union.go and
// names.go, by which they answer; export.go and flaws.go, which tell all of it.
//
// Nothing is indexed before a module asks for it. Files stay open, and must
// stay readable, until the Store is closed.
package symbols
