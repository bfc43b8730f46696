// Package pe reads the programs and libraries of Windows themselves: PE32 and PE32+ images, as they
// are on disk. Even without symbols such a file has unwind rules for each function, exported names,
// and code.
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
// Opening a file reads its headers and the record that identifies it. Tables are read when the
// first query needs them, unwind records one by one. Damage costs only the damaged part, and
// becomes one of [File.Notes]: a function has no rules if one of its unwind codes is unknown,
// because a wrong frame is worse than none.
//
// Rules are made from the unwind codes for the exact instruction, as Windows does it: in a prolog
// from the codes of the executed instructions, in an epilog from those that are left.
// DIFFERENCES.md compares the resulting STACK CFI records with those of dump_syms.
//
// Images of MinGW's compilers may contain DWARF, which packages dwarf and, for x86, cfi read.
// Package pdb reads PDB files. Images of CPUs other than x86, x64 and ARM64 are opened, but not
// unwound. Images as they are in memory are read with Options.Mapped; object files and .NET metadata are not read.
//
// Read open.go first, then header.go and section.go; names.go reads names, table.go finds
// the entry of an address, unwindinfo.go and amd64.go make the rules of x64, armrecord.go and
// arm64.go those of ARM64, and callframe.go joins them.
//
// Sources: Microsoft's "PE Format", "x64 exception handling" and "ARM64 exception handling"; where
// they are unclear this package follows Windows, by the published copy of its unwinder in
// dotnet/runtime (src/coreclr/unwinder).
package pe
