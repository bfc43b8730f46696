// Package pe reads the programs and libraries of Windows themselves: PE32 and
// PE32+ images, as they are on disk. Without any symbols such a file still
// knows how each of its functions is unwound, what it exports, and what its
// code is.
//
//	f, err := pe.Open(src, pe.Options{})
//	if err != nil {
//		return err // not a PE image
//	}
//	m := f.Module()               // which build this is
//	frame, ok := f.CallFrame(rel) // x64 and ARM64: from .pdata and .xdata
//	loc, ok := f.Locate(rel)      // exports, and the symbols of MinGW
//	n := f.ReadImage(rel, p)      // code
//
// Opening a file reads its headers and the record that identifies it. Tables
// are read when the first question needs them, unwind records one by one.
// Damage costs what is damaged, and becomes one of [File.Notes]: a function
// whose unwind codes are not understood to the last one has no rules, because
// a wrong frame is worse than none.
//
// Rules are made from the unwind codes in the way in which Windows follows
// them, for the exact instruction: in a prolog those of the instructions that
// were executed; in an epilog what is left to do. What is told as STACK CFI
// and how it differs from what dump_syms writes is in DIFFERENCES.md.
//
// Images of MinGW's compilers may hold DWARF: then packages dwarf and, for
// x86, cfi answer. PDB files are another package's business. Images of
// CPUs other than x86, x64 and ARM64 are opened, but not unwound. Images as
// they are in memory, object files and .NET metadata are not read.
//
// Read open.go first, then header.go and section.go; names.go has names,
// table.go and find.go the entry of an address, unwindinfo.go and amd64.go the
// rules of x64, armrecord.go and arm64.go those of ARM64, and callframe.go
// joins them.
//
// Sources: Microsoft's "PE Format", "x64 exception handling" and "ARM64
// exception handling"; what those leave open is decided as Windows does it, by
// the published copy of its unwinder in dotnet/runtime (src/coreclr/unwinder).
package pe
