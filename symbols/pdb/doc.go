// Package pdb reads program databases of format 7.00: the files in which
// Microsoft's and LLVM's linkers for Windows put debug information.
//
// Opening a file reads its identity and where its parts are. A module is read
// when one of its addresses is asked for, a type when a name needs it. So a
// file of several gigabytes costs little until then:
//
//	f, err := pdb.Open(src, pdb.Options{})
//	if err != nil {
//		return err // no PDB of format 7.00, or its identity is damaged
//	}
//	loc, ok := f.Locate(0x4a10) // relative to the image base
//
// The exceptions are the list of modules, which code belongs to which module,
// and the addresses of public symbols: each is read as a whole, once, with the
// first address, and takes up 8 to 28 bytes for each entry.
//
// Functions are named as Mozilla's dump_syms names them, by the record's name
// and the types of the arguments: "Widget::Paint(gfx::Rect const&, int)". This
// is what readers of stacks know from reports; the debuggers' form is the same
// without arguments. Where there are no types, as in stripped PDBs and for
// assembly, the name is that of the public symbol, still decorated when it is
// C++, without the decoration of C (_f@8) otherwise.
//
// What is damaged is missing and noted: a stream whose blocks lie outside of
// the file, a module whose records do not add up, a type that refers to
// itself. No size is believed before the file was seen to have as many bytes,
// streams cannot be larger together than the file is, and everything is linear
// in what is read. An address that cannot be translated has no answer.
//
// For x86 the frame data and FPO streams tell how to unwind. For other CPUs a
// PDB has nothing on that: it is in the image. PDBs of format 2.00, of before
// 2002, and portable PDBs, which describe .NET code, are refused by name.
// Sources inside the file are not read.
//
// Arguments, local variables and their types are read for package variables:
// where an S_LOCAL or an older record says that a variable is, at an address.
// Records leave things open that would make a value wrong. What they leave open
// has no value, and the reason: how much of a structure a register holds beyond
// the member at its beginning, a register that is another variable's on some
// paths, a prologue that has not set the register yet.
//
// Read msf.go and stream.go first, which are the container, then open.go,
// info.go and dbi.go; unit.go, symbols.go and body.go have functions,
// publics.go other names, c13.go, lines.go and annotations.go lines and
// inlined calls, omap.go moved addresses, frames.go rules, and locate.go joins
// them. variables.go begins variables, typestream.go types.
//
// Specifications: LLVM's "The PDB File Format" (https://llvm.org/docs/PDB/) for
// the streams, and microsoft-pdb's include/cvinfo.h for the records.
package pdb
