// Package archive reads the containers of dumps and symbol files: zip, tar and Microsoft's
// cabinets, and single files compressed with gzip, zlib, zstd or xz. It also reads the containers
// of crash reporters: the body of an upload, Unreal Engine's report, and Sentry's envelope.
//
//	members, err := archive.List("crash.zip", src, budget)
//	head, err := members[0].Head(64) // what is it?
//	file, err := members[0].Open()   // as a file to read anywhere in
//
// Listing reads only the directory. Uncompressed members are read in place; others are decompressed
// into memory when they are opened. A [Budget] bounds the total, because a small archive can hold
// an enormous file. A member that exceeds it is refused with one sentence, and never uses more
// memory than the budget allows.
//
// Any other defect costs only its member. Directories of damaged archives are read up to the
// damage. The package writes no files, and the names of members are labels, not paths.
//
// Read archive.go first, which defines Member, then budget.go. single.go, zip.go, tar.go and cab.go
// read archives; envelope.go, multipart.go and unreal.go read the containers of crash reporters;
// unpacked.go and scratch.go hold decompressed bytes.
package archive
