// Package pdb reads program databases of format 7.00: the files in which
// Microsoft's and LLVM's linkers for Windows put debug information.
//
// Opening a file reads its identity and the locations of its parts. A module is read when one of
// its addresses is looked up, a type when a name needs it. So opening a file of several gigabytes
// costs little:
//
//	f, err := pdb.Open(src, pdb.Options{})
//	if err != nil {
//		return err // no PDB of format 7.00, or its identity is damaged
//	}
//	loc, ok := f.Locate(0x4a10) // relative to the image base
//
// Three lists are exceptions: modules, the code of each module, and addresses of public symbols.
// The first lookup reads each as a whole, and each entry takes 8 to 28 bytes.
//
// Functions are named as Mozilla's dump_syms names them, by the record's name and the types of the
// arguments: "Widget::Paint(gfx::Rect const&, int)". Crash reports use this form; debuggers show it
// without arguments. Without types, as in stripped PDBs and for assembly, the name is that of the
// public symbol: still decorated for C++, without the decoration of C (_f@8).
//
// Damaged parts are skipped and noted: a stream whose blocks lie outside of the file, a module with
// inconsistent records, a type that refers to itself. Every size is checked against the file, all
// streams together cannot be larger than the file, and all work is linear in the bytes read. An
// address that cannot be translated has no answer.
//
// For x86 the frame data and FPO streams have unwind rules. For other CPUs a PDB has none; they are
// in the image. PDBs of format 2.00, of before 2002, and portable PDBs, which describe .NET code,
// are refused by name. Sources inside the file are not read.
//
// Arguments, local variables and their types are read for package variables, at the location that
// an S_LOCAL or an older record gives for an address. If records are ambiguous, a value could be
// wrong, so the variable has a reason instead of a value: a register that may hold only the first
// member of a structure, a register that holds another variable on some paths, a prologue that has
// not set the register yet.
//
// Read msf.go and stream.go first, which are the container, then open.go, info.go and dbi.go;
// unit.go, symbols.go and body.go read functions, publics.go other names, c13.go, lines.go and
// annotations.go lines and inlined calls, omap.go moved addresses, frames.go rules, and locate.go
// joins them. variables.go begins with variables, typestream.go with types.
//
// Specifications: LLVM's "The PDB File Format" (https://llvm.org/docs/PDB/) for
// the streams, and microsoft-pdb's include/cvinfo.h for the records.
package pdb
