// Package symbols is the symbol store: it takes files of any kind and answers queries about
// modules from them.
//
//	store := symbols.NewStore(symbols.Options{})
//	items := store.Add("crash.zip", src)          // dumps, symbols, and what else was in there
//	store.AddFS("symbols", os.DirFS("symbols"))   // only files that a module needs are opened
//	source, state := store.For(module)            // nil, and why, when nothing can be used
//
// Files are identified by content and never by name. A symbol file is used if its ID matches the
// module's. If none can be used, the state names each file that nearly matches, in one sentence
// that says what to do. The answers depend on the files and not on their order.
//
// The Store knows no format: package sniff identifies a file, package layout knows the paths in
// stores and bundles, package archive reads archives, and package formats opens files of each kind
// and lists their peculiarities (formats.Traits).
//
// Read store.go first, then add.go, folder.go and bundle.go, which take files; match.go,
// which compares them with a module; local.go, which finds files of the machine; split.go and hidden.go, which join files that belong together;
// file.go, guard.go, union.go and names.go, which answer queries; export.go, which writes everything
// and lists the damage.
//
// A file is indexed only when a module needs it. Files stay open, and must stay readable, until the
// Store is closed.
package symbols
