// Package dwarf reads the DWARF debug information of versions 2 to 5: which
// function is at an address, on which line, and which calls were inlined there.
//
//	f := dwarf.Open(dwarf.Sections{"info": info, "abbrev": abbrev, "line": line, "str": str}, dwarf.Options{})
//	loc, ok := f.Locate(rel)
//
// The first question reads the headers of all units, and after that a unit is
// read when an address of it is asked for. Nothing is read twice in a row, and
// what is kept is bounded; EachFunction goes through the file unit by unit.
//
// What is damaged costs itself and leaves a note: a broken entry ends its
// unit, whose functions before it stay; a broken line program loses the lines
// after the defect. References in circles, ranges at 0, -1 and -2 (code that
// the linker threw away), and line numbers of 0 are expected.
//
// A name is the one that linkers have, mangled, where DWARF or the linker's
// tables know it, and DW_AT_name otherwise, without the scopes around it: that
// is what Mozilla's dump_syms writes into .sym files.
//
// Variables are read apart from that, entry by entry ([File.Scopes]): their
// types, units of types included, their places, and what calls passed. A unit
// that is asked for so is kept whole; how much is read is bounded.
//
// It does not read macros or .debug_names. What .debug_aranges says is a hint
// where to look first, because not all compilers write it. Call frame
// information is package cfi's. Containers (ELF, Mach-O, PE) find the sections,
// decompress them and hand them in.
//
// Read group.go, unit.go and abbrev.go first, which are the structure of
// .debug_info, then form.go and die.go, which read entries; index.go finds the
// units of an address, code.go and parsed.go their functions, program.go and
// line.go their lines, and locate.go joins them. scopes.go begins variables,
// types.go types, expr.go places; work.go bounds all of it.
//
// Specification: https://dwarfstd.org/doc/DWARF5.pdf, with sections named in
// the code; GNU's extensions: https://gcc.gnu.org/wiki/DebugFission and
// https://sourceware.org/dwz.
package dwarf
