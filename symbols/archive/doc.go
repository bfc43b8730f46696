// Package archive looks into what people pack dumps and symbol files in: zip,
// tar and Microsoft's cabinets, and single files that went through gzip, zlib,
// zstd or xz. It also looks into what crash reporters wrap dumps in to send
// them: an upload's body, Unreal Engine's report, and Sentry's envelope.
//
//	members, err := archive.List("crash.zip", src, budget)
//	head, err := members[0].Head(64) // what is it?
//	file, err := members[0].Open()   // as a file to read anywhere in
//
// Listing reads the directory and nothing else. Members that are stored as
// they are are read in place; others are decompressed into memory when they
// are opened. A [Budget] bounds what all of that may take together, because a
// small archive can hold an enormous file: whoever exceeds it is refused with
// one sentence, after at most as much memory as the budget allows.
//
// Every other defect costs the member that has it. Directories of damaged
// archives are read as far as they go. Nothing is written anywhere, and the
// names of members are labels, not paths.
//
// Read archive.go first, which says what a Member is, then budget.go;
// single.go, zip.go, tar.go and cab.go are the kinds of archives, envelope.go,
// multipart.go and unreal.go what crash reporters put around a dump, and
// piece.go, window.go and scratch.go where unpacked bytes lie.
package archive
